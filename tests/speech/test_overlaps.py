"""Which turns may begin early, and what they may be spoken over."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dtbuild.align.plausibility import SHORTEST as ALIGNED_SHORTEST
from dtbuild.lexicon import spoken
from dtbuild.records.script import Mention, Script, Span, Turn
from dtbuild.records.values import Status
from dtbuild.speech.gaps import is_backchannel
from dtbuild.speech.overlaps import LEAST, MOST, SHORTEST, carrying, free_tails, overlaps

TEXTS = [
    "嗯。",
    "对。",
    "这批货都到了，也点过数了。",
    "那就按八百万做吧，年底回款紧。",
    "您看呢？",
    "老板那头我怎么说……",
]


def script(texts: list[str], spans: tuple[Span, ...] = (), mentions: tuple[Mention, ...] = ()) -> Script:
    turns = tuple(Turn(id=f"t{at}", person=f"p{at % 2}", text=text) for at, text in enumerate(texts))
    return Script(recording="r", family="f", scenario="s", anchor_date="2026-01-31", cast=(), turns=turns, spans=spans,
                  mentions=mentions)  # fmt: skip


def early(texts: list[str], *, share: float = 1.0, seed: int = 1, spans: tuple[Span, ...] = ()) -> dict[str, int]:
    document = script(texts, spans)
    order = [(turn.id, turn.person, turn.text) for turn in document.turns]
    samples = {turn.id: 24_000 * len(turn.text) // 5 for turn in document.turns}
    free = free_tails(document, {turn.id: spoken(turn.text) for turn in document.turns})
    return overlaps(order, samples, free, carrying(document), share=share, seed=seed)


def test_the_bound_is_what_the_alignment_guarantees() -> None:
    assert SHORTEST <= ALIGNED_SHORTEST


def test_characters_after_the_last_words_that_carry_something() -> None:
    span = Span(turn="t0", kind="value", start=3, end=6, target="e1")
    mention = Mention(id="m1", turn="t1", start=0, end=2, role="distractor", value=Status(code="x", text="十张"))
    document = script(["那就按LPR做吧，紧。", "十张都到了。", "嗯。"], (span,), (mention,))
    free = free_tails(document, {turn.id: spoken(turn.text) for turn in document.turns})
    assert free == {"t0": 3, "t1": 3, "t2": 1}
    assert carrying(document) == {"t0", "t1"}


def test_a_turn_is_never_spoken_over_its_own_words() -> None:
    text = "那就按八百万做吧，年底回款紧。"
    assert set(early([text, "嗯。"])) == {"t1"}
    assert early([text, "嗯。"], spans=(Span(turn="t0", kind="value", start=3, end=14, target="e1"),)) == {}
    assert early([text, "嗯。"], spans=(Span(turn="t1", kind="action", start=0, end=1, target="e1"),)) == {}


@given(st.lists(st.sampled_from(TEXTS), max_size=20), st.integers(0, 50), st.floats(0, 1))
def test_where_and_how_far(texts: list[str], seed: int, share: float) -> None:
    found = early(texts, share=share, seed=seed)
    assert found.items() <= early(texts, share=1.0, seed=seed).items(), "a lower share takes some of them away"
    for turn, samples in found.items():
        at = int(turn[1:])
        before, own = texts[at - 1], texts[at]
        assert is_backchannel(own) and not is_backchannel(before) and before[-1] not in "？…"
        assert LEAST <= samples <= MOST
        assert samples <= min(len(before) * 24_000 // 5 // 2, len(own) * 24_000 // 5)
    assert early(texts, share=0.0, seed=seed) == {}


def test_the_share_of_those_that_could() -> None:
    pair = ["这批货都到了，也点过数了。", "嗯。"]
    assert 40 <= sum(bool(early(pair, share=0.25, seed=seed)) for seed in range(200)) <= 60
