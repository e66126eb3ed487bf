"""How different the scripts of a scenario are.

    python scripts/text_bench/diversity.py --seed 20260131 --families 200

Of a pair only A is counted. Names and forms of address, declared mentions, the case's particulars and the words
for entities, fields and scopes are masked; a masked word counts as one 汉字 of its sentence. Prints the largest
character 5-gram Jaccard of two scripts, the masked sentences of 8 汉字 or more that come in most scripts, and
masked distinct-4; exits 1 where a limit is passed.
"""

from __future__ import annotations

import argparse
import itertools
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from dtbuild.address import name_forms
from dtbuild.blueprint.load import load
from dtbuild.errors import BlueprintError, Incomplete, Unspeakable
from dtbuild.gold.planner import plan as make_plan
from dtbuild.pipeline import resolve
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.plan import Plan
from dtbuild.records.script import Script
from dtbuild.review.neighbours import LIMIT, SIZE, jaccard, particulars
from dtbuild.script.writer import write

JACCARD = LIMIT
SHARE = 0.04
LONG = 8
"""汉字 from which a sentence counts."""
MASK = "某"
_FAILED = (BlueprintError, Incomplete, Unspeakable)
_STOPS = re.compile("[。！？…]+")
_WORDS = re.compile("[^㐀-鿿A-Za-z]+")


class Diversity(NamedTuple):
    scripts: int
    jaccard: float
    nearest: tuple[str, str]
    """The two recordings that are most alike."""
    share: float
    commonest: tuple[tuple[str, int], ...]
    """Masked sentences in most scripts, with the number of scripts."""
    distinct: float

    @property
    def holds(self) -> bool:
        return self.jaccard <= JACCARD and self.share <= SHARE


def diversity(scripts: Iterable[Script], blueprint: Blueprint, worst: int = 10) -> Diversity:
    """The figures of a set of scripts: one of each family."""
    masked = {script.recording: masked_turns(script, blueprint) for script in scripts}
    grams = {name: frozenset(ngrams(turns, SIZE)) for name, turns in masked.items()}
    pairs = ((jaccard(grams[a], grams[b]), a, b) for a, b in itertools.combinations(masked, 2))
    near, one, two = max(pairs, default=(0.0, "", ""))
    counted = Counter(sentence for turns in masked.values() for sentence in set(sentences(turns)))
    fours = [gram for turns in masked.values() for gram in ngrams(turns, 4)]
    commonest = tuple(counted.most_common(worst))
    share = commonest[0][1] / len(masked) if commonest else 0.0
    return Diversity(len(masked), near, (one, two), share, commonest, len(set(fours)) / len(fours) if fours else 0.0)


def masked_turns(script: Script, blueprint: Blueprint) -> list[str]:
    """The turns with names, numbers, the words of the case and what fields and scopes are called as `MASK`."""
    hide = {form for person in script.cast for form in name_forms(person, blueprint.role(person.role).address)}
    hide |= particulars(blueprint) | {said for named in (*blueprint.fields, *blueprint.scopes) for said in named.said}
    pattern = re.compile("|".join(map(re.escape, sorted(hide, key=len, reverse=True))))
    turns = []
    for turn in script.turns:
        text = turn.text
        mentions = [m for m in script.mentions if m.turn == turn.id]
        for mention in sorted(mentions, key=lambda m: m.start, reverse=True):
            text = text[: mention.start] + MASK + text[mention.end :]
        turns.append(pattern.sub(MASK, text))
    return turns


def sentences(turns: Iterable[str]) -> Iterator[str]:
    """Sentences of 8 汉字 or more, without punctuation."""
    for turn in turns:
        for part in _STOPS.split(turn):
            words = _WORDS.sub("", part)
            if len(words) >= LONG:
                yield words


def ngrams(turns: Iterable[str], size: int) -> Iterator[str]:
    """Character n-grams, none across two turns, punctuation left out."""
    for turn in turns:
        text = _WORDS.sub("", turn)
        yield from (text[at : at + size] for at in range(len(text) - size + 1))


def families(blueprint: Blueprint, seed: int, count: int) -> Iterator[tuple[Plan, Script]]:
    """Plans and A scripts of the first families of a seed, pairs where the default configuration has them."""
    config = resolve(scenario=blueprint.id, groups=count, seed=seed)
    for index in range(1, count + 1):
        for attempt in range(config.review.attempts):
            try:
                plan = make_plan(
                    blueprint,
                    config.gold,
                    seed=seed,
                    index=index,
                    attempt=attempt,
                    change=config.change(index),
                    pairs=config.pairs,
                )
                script = write(plan, blueprint, recording=f"{plan.family}-a", seed=seed, chars=config.script.chars)
            except _FAILED:
                continue
            yield plan, script
            break


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=20260131)
    parser.add_argument("--families", type=int, default=200)
    parser.add_argument("--worst", type=int, default=10)
    options = parser.parse_args()
    blueprint = load("supply_chain")
    found = diversity(
        [script for _, script in families(blueprint, options.seed, options.families)], blueprint, options.worst
    )
    print(f"{found.scripts} scripts, seed {options.seed}")
    print(f"largest 5-gram Jaccard  {found.jaccard:.3f} ({' '.join(found.nearest)}; limit {JACCARD})")
    print(f"commonest sentence      {found.share:.1%} of scripts (limit {SHARE:.0%})")
    for sentence, count in found.commonest:
        print(f"  {count / found.scripts:5.1%}  {sentence}")
    print(f"masked distinct-4       {found.distinct:.3f}")
    return int(not found.holds)


if __name__ == "__main__":
    sys.exit(main())
