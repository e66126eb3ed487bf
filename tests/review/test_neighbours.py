"""Near duplicates: the index agrees with the definition, masks hide what does not make another story."""

from __future__ import annotations

import random
import time

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from dtbuild.review.neighbours import LIMIT, Neighbours, jaccard, shingles
from review.sample import blueprint, sample

GRAMS = st.frozensets(st.integers(0, 40), max_size=30)


@given(st.lists(GRAMS, max_size=8), GRAMS)
def test_the_index_is_exact(groups: list[frozenset[int]], probe: frozenset[int]) -> None:
    index = Neighbours()
    for number, group in enumerate(groups):
        index.enter(f"g{number}", group)
    best = max((jaccard(group, probe) for group in groups), default=0.0)
    match = index.closest(probe)
    assert (match.jaccard if match else 0.0) == best
    if match:
        first = next(number for number, group in enumerate(groups) if jaccard(group, probe) == best)
        assert match.family == f"g{first}"


def test_names_amounts_and_entities_are_masked() -> None:
    plan, script = sample()
    names = {"周航": "吴桐", "何洁": "罗敏", "林岚": "丁宁", "何会计": "罗会计", "恒远": "东川"}

    def renamed(text: str) -> str:
        for old, new in names.items():
            text = text.replace(old, new)
        return text

    cast = tuple(replace(person, name=names[person.name]) for person in script.cast)
    turns = tuple(replace(turn, text=renamed(turn.text)) for turn in script.turns)
    other = replace(script, cast=cast, turns=turns)
    facts = frozenset({"恒远", "东川"})
    assert shingles(script, facts) == shingles(other, facts)
    assert shingles(script) != shingles(other)
    assert plan.cast == script.cast


def test_the_order_of_turns_does_not_hide_a_copy() -> None:
    _, script = sample()
    other = replace(script, turns=tuple(reversed(script.turns)))
    index = Neighbours(blueprint())
    index.add(script)
    match = index.closest(index.shingles(other))
    assert match is not None and match.jaccard == 1.0 > LIMIT


def test_hashes_are_the_same_in_any_process() -> None:
    _, script = sample()
    # the built-in hash of text would differ from run to run
    assert min(shingles(script)) == 30625433726012504


def test_hundreds_of_groups_are_compared_in_little_time() -> None:
    rng = random.Random(7)
    common = [rng.getrandbits(64) for _ in range(4000)]
    groups = [frozenset([rng.getrandbits(64) for _ in range(400)] + rng.sample(common, 300)) for _ in range(400)]
    index = Neighbours()
    started = time.process_time()
    for number, grams in enumerate(groups):
        match = index.closest(grams)
        assert match is None or match.jaccard < LIMIT
        index.enter(f"g{number}", grams)
    # 0.6 s on one busy core
    assert time.process_time() - started < 5
