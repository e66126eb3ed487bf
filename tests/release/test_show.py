"""One recording in the terminal: it fits the width, leaves no word out, and marks the events."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import msgspec
import pytest

from dtbuild.errors import FolderError, UnknownName
from dtbuild.records.cohort import Manifest
from dtbuild.release.folder import scripts
from dtbuild.release.show import show
from dtbuild.release.terminal import cells

from .cohorts import OTHER_FAMILY, SAMPLE_FAMILY

ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


@pytest.mark.parametrize("width", [20, 60, 80, 120, 400])
@pytest.mark.parametrize("color", [False, True])
def test_fits_the_width(released: tuple[Path, Manifest], width: int, color: bool) -> None:
    for entry in released[1].recordings:
        text = show(released[0], entry.recording, width=width, color=color)
        bare = ESCAPES.sub("", text)
        assert max(map(cells, bare.splitlines())) <= min(120, max(60, width))
        assert ("\x1b" in text) == color
        assert bare == "\n".join(line.rstrip() for line in bare.splitlines())


@pytest.mark.parametrize("width", [60, 80, 120])
def test_every_word_is_there(released: tuple[Path, Manifest], width: int) -> None:
    left = cells("0:00.0  S1 周航  ")
    for script in scripts(released[0]):
        dialogue = show(released[0], script.recording, width=width).split("\n\n")[1]
        texts = [_after(line, left) for line in dialogue.splitlines()]
        # markers begin with a corner, and go on indented
        shown = "".join(text for text in texts if not text.startswith(("└", "  ")))
        assert shown.replace("[", "").replace("]", "") == "".join(turn.text for turn in script.turns)


def _after(line: str, left: int) -> str:
    taken, index = 0, 0
    while taken < left:
        taken += cells(line[index])
        index += 1
    return line[index:]


def test_the_sample_at_eighty_columns(released: tuple[Path, Manifest]) -> None:
    lines = show(released[0], f"{SAMPLE_FAMILY}-a", width=80).splitlines()
    assert lines[0] == f"{SAMPLE_FAMILY}-a  供应链金融 · 25 turns · 1:48.8"
    for line in (
        "S2 何洁  会计      supplier_accountant, voice female_p2",
        "0:14.4  S2 何洁  我们老板的意思是，这批就[按八百万做]吧，年底回款紧。",
        "                 └ A1 start 应收账款 · 融资金额 800万元",
        "                 └ no event: 手续费 · 费率 0.8%, from someone without the right",
        "   start 800万元 → hold 800万元 → advance 720万元 → settle 720万元 approved",
        "   A1  start    800万元  S2 何洁  t004  0:14.4–0:18.8  words 0:16.6–0:17.6",
    ):
        assert line in lines, line
    assert lines[-1] == "       waits for needs_instructions"


def test_colour_marks_the_words_and_leaves_brackets_out(released: tuple[Path, Manifest]) -> None:
    text = show(released[0], f"{SAMPLE_FAMILY}-a", width=80, color=True)
    assert "这批就\x1b[1;32m按八百万做\x1b[0m吧" in text
    assert "[按八百万做]" not in ESCAPES.sub("", text)
    assert "\x1b[1;31m零点八\x1b[0m" in text


def test_pair_says_what_the_other_has(released: tuple[Path, Manifest]) -> None:
    text = show(released[0].parent, f"{SAMPLE_FAMILY}-b", width=120)
    assert (
        f"pair     {SAMPLE_FAMILY}-a, speaker swap; receivable_pool/financing_term B1: person 周航 here, 何洁 there"
        in text
    )


def test_a_pair_of_many_changes_says_where_all_of_them_are(released: tuple[Path, Manifest], tmp_path: Path) -> None:
    shutil.copytree(released[0], tmp_path / "release")
    change, rest = released[1].pairs[0].changes[0], released[1].pairs[1:]
    roles = msgspec.structs.replace(change, trajectory="", event=None, what="role of p1", a="accountant", b="clerk")
    value = msgspec.structs.replace(change, what="value", a={"type": "term"}, b=None)
    pair = msgspec.structs.replace(released[1].pairs[0], changes=(change, value, roles, change, change))
    manifest = msgspec.structs.replace(released[1], pairs=(pair, *rest))
    (tmp_path / "release" / "manifest.json").write_bytes(msgspec.json.encode(manifest))
    head = show(tmp_path, f"{SAMPLE_FAMILY}-a", width=120).split("\n\n")[0]
    text = " ".join(line.strip() for line in head.splitlines())
    assert "B1: person 何洁 here, 周航 there; " in text and "value {'type': 'term'} here, None there" in text
    assert "; role of 周航 accountant here, clerk there; 2 more: dtbuild show --text" in text


def test_unknown_recording_names_the_closest(released: tuple[Path, Manifest]) -> None:
    with pytest.raises(UnknownName, match=f"perhaps {OTHER_FAMILY}-a"):
        show(released[0], OTHER_FAMILY)
    with pytest.raises(UnknownName, match="one of "):
        show(released[0], "zzz")


def test_no_cohort(tmp_path: Path) -> None:
    with pytest.raises(FolderError, match=r"no manifest\.json"):
        show(tmp_path, "sc0007u-a")
