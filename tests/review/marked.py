"""Write scripts by hand: text with its spans and mentions marked in place.

`{words|tag tag}`; groups nest. A tag is `s:KIND:TARGET` or `s:KIND:TARGET@ANTECEDENT` (a span), or
`m:ID:ROLE:TARGET:VALUE` (a mention; TARGET `-` is none, VALUE is a name in the table of values).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dtbuild.records.ids import recording_id, turn_id
from dtbuild.records.plan import Plan
from dtbuild.records.script import Mention, Script, Span, Turn
from dtbuild.records.values import Value


def script(plan: Plan, lines: Sequence[tuple[str, str, str]], values: Mapping[str, Value]) -> Script:
    """`lines` are (person id, move, marked text)."""
    recording = recording_id(plan.family, "a")
    turns: list[Turn] = []
    spans: list[Span] = []
    mentions: list[Mention] = []
    for number, (person, move, marked) in enumerate(lines, 1):
        turn = turn_id(recording, number)
        text, tags = _parse(marked)
        turns.append(Turn(id=turn, person=person, text=text, move=move))
        for start, end, tag in tags:
            kind, _, rest = tag.partition(":")
            if kind == "s":
                what, target = rest.split(":")
                target, _, antecedent = target.partition("@")
                spans.append(
                    Span(
                        turn=turn,
                        kind=what,
                        start=start,
                        end=end,
                        target=target,
                        antecedent=antecedent or None,
                    )  # type: ignore[arg-type]
                )
            else:
                id, role, target, value = rest.split(":")
                mentions.append(
                    Mention(
                        id=id,
                        turn=turn,
                        start=start,
                        end=end,
                        role=role,  # type: ignore[arg-type]
                        value=values[value],
                        target=None if target == "-" else target,
                    )
                )
    return Script(
        recording=recording,
        family=plan.family,
        scenario=plan.scenario,
        anchor_date=plan.anchor_date,
        cast=plan.cast,
        turns=tuple(turns),
        spans=tuple(spans),
        mentions=tuple(mentions),
    )


def _parse(marked: str) -> tuple[str, list[tuple[int, int, str]]]:
    text: list[str] = []
    tags: list[tuple[int, int, str]] = []
    opened: list[int] = []
    at = 0
    while at < len(marked):
        char = marked[at]
        if char == "{":
            opened.append(len(text))
        elif char == "|":
            close = marked.index("}", at)
            start = opened.pop()
            tags += [(start, len(text), tag) for tag in marked[at + 1 : close].split()]
            at = close
        else:
            text.append(char)
        at += 1
    assert not opened, marked
    return "".join(text), sorted(tags, key=lambda tag: (tag[0], -tag[1]))
