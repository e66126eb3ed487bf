"""TextGrids: from sample counts, byte-stable, read back."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from praatio import textgrid

from dtbuild.align.textgrid import Label, Tier, read_textgrid, speaker_tiers, write_textgrid
from dtbuild.errors import FormatError, StorageError

TIERS = (
    Tier("S1 turns", (Label(0, 24_001, "先看发票。"), Label(48_000, 60_007, '他说"行"。'))),
    Tier("S1 characters", (Label(7, 2_400, "先"), Label(2_400, 2_401, "看"), Label(59_000, 60_000, "行"))),
    Tier("S2 turns", (Label(24_001, 48_000, "好。"),)),
)


def test_what_is_written_is_read_and_twice_the_same(tmp_path: Path) -> None:
    write_textgrid(tmp_path / "a.TextGrid", TIERS, samples=72_000)
    write_textgrid(tmp_path / "deep" / "b.TextGrid", TIERS, samples=72_000)
    assert read_textgrid(tmp_path / "a.TextGrid") == TIERS
    data = (tmp_path / "a.TextGrid").read_bytes()
    assert data == (tmp_path / "deep" / "b.TextGrid").read_bytes()
    assert data.decode("utf-8").startswith('File type = "ooTextFile"')
    assert not list(tmp_path.rglob(".tmp-*"))


def test_gaps_become_empty_intervals_that_join_up(tmp_path: Path) -> None:
    write_textgrid(tmp_path / "a.TextGrid", TIERS, samples=72_000)
    edges = [
        line.split("=")[1].strip()
        for line in (tmp_path / "a.TextGrid").read_text("utf-8").splitlines()
        if line.startswith("            xm")
    ]
    starts, ends = edges[0::2], edges[1::2]
    first = starts.index("0", 1) if "0" in starts[1:] else starts.index("0.0", 1)
    assert starts[1:first] == ends[: first - 1]


@given(st.data())
@settings(max_examples=25, deadline=None)
def test_any_sample_counts_come_back(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.sets(st.integers(0, 6_500_000), min_size=2, max_size=30)))
    labels = tuple(
        Label(start, end, "一" if at % 2 else "行。")
        for at, (start, end) in enumerate(itertools.pairwise(cuts))
        if at % 3
    )
    path = tmp_path_factory.mktemp("grid") / "x.TextGrid"
    write_textgrid(path, (Tier("a", labels),), samples=6_528_000)
    assert read_textgrid(path) == (Tier("a", labels),)


@pytest.mark.parametrize(
    "labels",
    [
        (Label(0, 0, "好"),),
        (Label(0, 10, "好"), Label(9, 20, "好")),
        (Label(0, 101, "好"),),
        (Label(-1, 5, "好"),),
        (Label(0, 5, " "),),
    ],
)
def test_impossible_labels_are_refused_by_name(tmp_path: Path, labels: tuple[Label, ...]) -> None:
    with pytest.raises(FormatError, match="tier T, label"):
        write_textgrid(tmp_path / "a.TextGrid", (Tier("T", labels),), samples=100)
    assert not list(tmp_path.iterdir())


def test_two_tiers_of_one_name_and_unwritable_places_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="different names"):
        write_textgrid(tmp_path / "a.TextGrid", (TIERS[0], TIERS[0]), samples=72_000)
    (tmp_path / "file").write_text("x")
    with pytest.raises(StorageError, match="cannot write"):
        write_textgrid(tmp_path / "file" / "a.TextGrid", TIERS, samples=72_000)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_other_encodings_are_read(tmp_path: Path, encoding: str) -> None:
    write_textgrid(tmp_path / "a.TextGrid", TIERS, samples=72_000)
    (tmp_path / "b.TextGrid").write_text((tmp_path / "a.TextGrid").read_text("utf-8"), encoding)
    assert read_textgrid(tmp_path / "b.TextGrid") == TIERS


def test_the_short_form_and_other_line_ends_are_read(tmp_path: Path) -> None:
    write_textgrid(tmp_path / "a.TextGrid", TIERS, samples=72_000)
    grid = textgrid.openTextgrid(str(tmp_path / "a.TextGrid"), includeEmptyIntervals=True)
    grid.save(str(tmp_path / "b.TextGrid"), format="short_textgrid", includeBlankSpaces=True)
    assert read_textgrid(tmp_path / "b.TextGrid") == TIERS
    text = (tmp_path / "b.TextGrid").read_text("utf-8")
    (tmp_path / "c.TextGrid").write_bytes(text.replace("\n", "\r\n").encode("utf-16"))
    assert read_textgrid(tmp_path / "c.TextGrid") == TIERS


def test_an_overrun_of_a_frame_is_cut_and_told_and_more_is_refused(tmp_path: Path) -> None:
    path, said = tmp_path / "a.TextGrid", list[str]()
    write_textgrid(path, (Tier("T", (Label(0, 100, "好"), Label(100, 24_240, "行"))),), samples=24_240)
    (tier,) = read_textgrid(path, samples=24_000, say=said.append)
    assert tier.labels == (Label(0, 100, "好"), Label(100, 24_000, "行"))
    assert len(said) == 1 and "label '行' cut by 10.0 ms" in said[0]
    with pytest.raises(FormatError, match=r"tier T, label '行' ends after its recording.*found 1\.010 s"):
        read_textgrid(path, samples=23_999)
    with pytest.raises(FormatError, match="ends after its recording"):
        read_textgrid(path, samples=100)


def test_a_file_that_is_no_textgrid_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.TextGrid").write_text("hello")
    with pytest.raises(FormatError, match="is no TextGrid"):
        read_textgrid(tmp_path / "a.TextGrid")


def test_speakers_come_in_order_each_with_two_tiers() -> None:
    tiers = speaker_tiers(
        [
            ("S2", Label(0, 9, "好。"), [Label(1, 8, "好")]),
            ("S1", Label(9, 20, "行。"), [Label(10, 12, "行")]),
            ("S2", Label(20, 30, "嗯。"), [Label(21, 22, "嗯")]),
        ]
    )
    assert [tier.name for tier in tiers] == ["S1 turns", "S1 characters", "S2 turns", "S2 characters"]
    assert [label.text for label in tiers[3].labels] == ["好", "嗯"]
