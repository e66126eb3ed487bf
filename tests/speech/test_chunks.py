"""Long turns cut into runs that the model can take."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dtbuild.speech.chunks import BUDGET, STRONG, chunks, last_mark
from dtbuild.speech.phonemes import Piece, symbols
from dtbuild.speech.symbols import LIMIT

HANZI = st.builds(lambda text, start: Piece(text, "", start), st.text("maxʊŋ↘", min_size=1, max_size=6), st.booleans())
MARK = st.sampled_from("，。！？；：…").map(lambda mark: Piece(".", mark))


@given(st.lists(st.one_of(HANZI, HANZI, HANZI, MARK), max_size=400), st.integers(12, 200))
def test_runs_fit_and_nothing_is_lost(pieces: list[Piece], budget: int) -> None:
    runs = chunks(pieces, budget)
    assert [piece for run in runs for piece in run] == pieces
    assert all(run for run in runs)
    assert all(len(symbols(run)) <= budget for run in runs)


def test_three_hundred_hanzi_without_punctuation() -> None:
    pieces = [Piece("ꭧʰwa↗ŋ", "", True)] * 300
    runs = chunks(pieces)
    assert sum(len(run) for run in runs) == 300
    assert max(len(symbols(run)) for run in runs) <= BUDGET < LIMIT
    assert min(len(run) for run in runs) > 10, "an even cut: no crumb at the end"


def test_sentences_are_cut_before_clauses_and_clauses_before_words() -> None:
    clause = [Piece("ma↓", "", True)] * 15
    text = [*clause, Piece(",", "，"), *clause, Piece(".", "。"), *clause, Piece(",", "，"), *clause, Piece(".", "。")]
    first, second = chunks(text, budget=180)
    assert last_mark(first) in STRONG and len(first) == len(second)
    assert [last_mark(run) for run in chunks(text, budget=100)] == ["，", "。", "，", "。"]


def test_a_mark_stays_with_the_words_before_it() -> None:
    text = [Piece("ma↓", "", True)] * 4 + [Piece("?", "？"), Piece("”", "”")] + [Piece("ma↓", "", True)] * 4
    for budget in range(14, 40):
        assert all(not run[0].mark for run in chunks(text, budget))
