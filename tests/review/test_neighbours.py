"""Near duplicates: the index agrees with the definition, masks hide what does not make another story."""

from __future__ import annotations

import random
import time
from array import array

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from dtbuild.review.neighbours import LIMIT, Neighbours, jaccard, shingles
from dtbuild.review.rules import alone, among, counts, review
from review.sample import blueprint, sample
from variants.pair import pair

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


def test_a_verdict_among_neighbours_is_the_one_that_review_gives() -> None:
    index = Neighbours(blueprint())
    subjects = [sample(), pair()]
    index.add(subjects[0][1])
    for window in ((380, 1090), (5000, 9000)):
        for plan, script in subjects:
            without = review(plan, script, blueprint(), chars=window)
            whole = review(plan, script, blueprint(), chars=window, neighbours=index)
            grams = array("Q", index.shingles(script))
            assert among(without, grams, index) == among(whole, grams, index) == whole
            assert alone(whole) == alone(without) == without
    assert counts(review(*subjects[0], blueprint(), neighbours=index))["near-duplicate"] == 1


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
