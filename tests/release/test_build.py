"""A release on disk: layout, equal bytes, nothing told that should not be, whole or not at all."""

from __future__ import annotations

import errno
import json
import shutil
import socket
from pathlib import Path

import msgspec
import pytest

from dtbuild.errors import FolderError, Incomplete, StorageError
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.bundle import Bundle, RunInfo
from dtbuild.records.cohort import Manifest, Withheld
from dtbuild.release import build as build_module
from dtbuild.release.build import build
from dtbuild.release.validate import Checkers, validate

from .cohorts import make_bundle, other_plan, other_script, sample_plan, sample_script, swapped


def contents(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_layout(released: tuple[Path, Manifest], bundles: tuple[Bundle, ...]) -> None:
    root, manifest = released
    names = [bundle.recording for bundle in bundles]
    families = sorted({bundle.plan.family for bundle in bundles})
    expected = {"public/schema.json", "manifest.json", "stats.json", "data_card.md"}
    expected |= {f"plans/{family}.json" for family in families}
    for name in names:
        expected |= {f"public/audio/{name}.wav", f"public/queries/{name}.json", f"textgrids/{name}.TextGrid"}
        expected |= {f"{folder}/{name}.json" for folder in ("gold", "scripts", "reviews")}
    assert set(contents(root)) == expected
    assert [entry.recording for entry in manifest.recordings] == sorted(names)
    assert list(root.parent.iterdir()) == [root]


def test_every_json_file_carries_its_format(released: tuple[Path, Manifest]) -> None:
    for path, data in contents(released[0]).items():
        if path.endswith(".json"):
            assert json.loads(data)["format"].startswith("dtbuild."), path


def test_two_builds_are_byte_identical(
    tmp_path: Path, released: tuple[Path, Manifest], blueprint: Blueprint, run: RunInfo, checkers: Checkers
) -> None:
    # bundles made again, in another folder, given in another order, released to a path with a blank and 汉字
    made = tmp_path / "made"
    made.mkdir()
    plan_b, script_b = swapped(sample_plan(), sample_script("b"))
    again = [
        make_bundle(made, other_plan(), other_script()),
        make_bundle(made, plan_b, script_b),
        make_bundle(made, sample_plan(), sample_script()),
    ]
    out = tmp_path / "另一个 文件夹" / "release"
    build(again, out=out, blueprint=blueprint, run=run)
    assert contents(out) == contents(released[0])
    assert validate(out.parent, checkers=checkers) == []


def test_no_path_or_host_in_any_file(released: tuple[Path, Manifest], bundles: tuple[Bundle, ...]) -> None:
    told = [str(released[0].parent), str(bundles[0].wav.parent), socket.gethostname()]
    for path, data in contents(released[0]).items():
        if not path.endswith(".wav"):
            assert not [word for word in told if word.encode() in data], path
            assert b"\r" not in data


def test_public_tells_nothing_of_gold(released: tuple[Path, Manifest]) -> None:
    queries = {path: json.loads(data) for path, data in contents(released[0]).items() if "queries" in path}
    assert len(queries) == len(released[1].recordings) == 3
    for path, query in queries.items():
        name = Path(path).stem
        assert query.pop("recording") == name and query.pop("audio") == f"audio/{name}.wav"
        assert query == {
            "format": "dtbuild.query/1",
            "schema": "schema.json",
            "speakers": "S1, S2, … are the speakers in the order of their first speech in the recording.",
        }


def test_a_release_is_replaced_whole(
    tmp_path: Path, bundles: tuple[Bundle, ...], blueprint: Blueprint, run: RunInfo
) -> None:
    out = tmp_path / "release"
    build(bundles, out=out, blueprint=blueprint, run=run)
    (out / "stray.txt").write_text("left over")
    build(bundles[2:], out=out, blueprint=blueprint, run=run)
    assert {path.stem for path in (out / "gold").iterdir()} == {bundles[2].recording}
    assert not (out / "stray.txt").exists()
    assert list(tmp_path.iterdir()) == [out]


def test_a_failed_build_leaves_the_old_release(
    tmp_path: Path, bundles: tuple[Bundle, ...], blueprint: Blueprint, run: RunInfo, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "release"
    build(bundles, out=out, blueprint=blueprint, run=run)
    before = contents(out)

    def fail(*_: object) -> str:
        raise RuntimeError("killed here")

    monkeypatch.setattr(build_module, "data_card", fail)
    with pytest.raises(RuntimeError):
        build(bundles[2:], out=out, blueprint=blueprint, run=run)
    assert contents(out) == before
    assert list(tmp_path.iterdir()) == [out]


def test_a_folder_of_something_else_is_not_touched(
    tmp_path: Path, bundles: tuple[Bundle, ...], blueprint: Blueprint, run: RunInfo
) -> None:
    (tmp_path / "thesis.docx").write_text("mine")
    with pytest.raises(FolderError, match="other files"):
        build(bundles, out=tmp_path, blueprint=blueprint, run=run)
    assert (tmp_path / "thesis.docx").read_text() == "mine"


def test_a_full_disk_is_named_and_costs_nothing(
    tmp_path: Path, bundles: tuple[Bundle, ...], blueprint: Blueprint, run: RunInfo, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "release"
    build(bundles[2:], out=out, blueprint=blueprint, run=run)
    before = contents(out)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(shutil, "copyfile", full)
    with pytest.raises(StorageError, match="full disk") as caught:
        build(bundles, out=out, blueprint=blueprint, run=run)
    assert caught.value.exit_code == 1
    assert contents(out) == before and list(tmp_path.iterdir()) == [out]


def test_what_a_killed_build_left_is_swept(
    tmp_path: Path, bundles: tuple[Bundle, ...], blueprint: Blueprint, run: RunInfo
) -> None:
    out = tmp_path / "release"
    build(bundles, out=out, blueprint=blueprint, run=run)
    before = contents(out)
    # killed between the two renames, with a half-written folder beside
    out.rename(tmp_path / ".tmp-old-release")
    (tmp_path / ".tmp-release").mkdir()
    (tmp_path / ".tmp-release" / "half").write_text("x")
    build(bundles, out=out, blueprint=blueprint, run=run)
    assert contents(out) == before and list(tmp_path.iterdir()) == [out]


def test_a_file_in_the_way(tmp_path: Path, bundles: tuple[Bundle, ...], blueprint: Blueprint, run: RunInfo) -> None:
    (tmp_path / "release").write_text("mine")
    with pytest.raises(FolderError):
        build(bundles, out=tmp_path / "release", blueprint=blueprint, run=run)
    assert (tmp_path / "release").read_text() == "mine"


def test_what_cannot_be_released_is_named(
    tmp_path: Path, bundles: tuple[Bundle, ...], blueprint: Blueprint, run: RunInfo
) -> None:
    a, b, other = bundles
    silent = msgspec.structs.replace(other, wav=tmp_path / "gone.wav")
    cases = {
        "no recordings": [],
        f"{a.recording} stands twice": [a, a],
        f"{b.recording} has no {a.recording}": [b],
        f"{a.recording} has no {b.recording}": [a],
        "has no file gone.wav": [silent],
        "event e2 has no evidence": [msgspec.structs.replace(other, evidence=other.evidence[:1])],
        "p2 has no voice": [msgspec.structs.replace(other, voices={"p1": "male_p1"})],
        "candidate u1 is never said": [
            msgspec.structs.replace(other, script=msgspec.structs.replace(other.script, mentions=()))
        ],
        "has no place in the audio": [
            msgspec.structs.replace(other, timeline=msgspec.structs.replace(other.timeline, placements=()))
        ],
    }
    for words, given in cases.items():
        with pytest.raises(Incomplete, match=words):
            build(given, out=tmp_path / "release", blueprint=blueprint, run=run)
        assert list(tmp_path.iterdir()) == []


def test_content_hash_is_of_content_alone(
    tmp_path: Path, bundles: tuple[Bundle, ...], blueprint: Blueprint, run: RunInfo, released: tuple[Path, Manifest]
) -> None:
    def of(given: list[Bundle], info: RunInfo = run) -> Manifest:
        return build(given, out=tmp_path / "release", blueprint=blueprint, run=info)

    before = released[1]
    # other audio, other times: other audio hash, same content
    wav = tmp_path / f"{bundles[2].recording}.wav"
    wav.write_bytes(bundles[2].wav.read_bytes()[:-2] + b"\x01\x01")
    shifted = [msgspec.structs.replace(each, score=-9.0) for each in bundles[2].evidence]
    other = of([*bundles[:2], msgspec.structs.replace(bundles[2], wav=wav, evidence=tuple(shifted))])
    assert other.content_hash == before.content_hash and other.audio_hash != before.audio_hash
    # one word, one setting: other content
    turns = (
        *bundles[2].script.turns[:-1],
        msgspec.structs.replace(bundles[2].script.turns[-1], text="要我说这就算齐了。"),
    )
    script = msgspec.structs.replace(bundles[2].script, turns=turns)
    assert of([*bundles[:2], msgspec.structs.replace(bundles[2], script=script)]).content_hash != before.content_hash
    config = {**run.config, "seed": 1}
    assert of([*bundles], msgspec.structs.replace(run, config=config)).content_hash != before.content_hash


def test_manifest_names_the_cast_the_withheld_and_the_edited(
    tmp_path: Path, bundles: tuple[Bundle, ...], blueprint: Blueprint, run: RunInfo
) -> None:
    script = msgspec.structs.replace(bundles[2].script, edited=True)
    info = msgspec.structs.replace(run, withheld=(Withheld(family="sc0009q", reason="one turn quarantined"),))
    edited = msgspec.structs.replace(bundles[2], script=script)
    manifest = build([*bundles[:2], edited], out=tmp_path / "release", blueprint=blueprint, run=info)
    assert [voice.id for voice in manifest.voices] == ["female_p2", "female_p3", "male_p1"]
    assert [entry.edited for entry in manifest.recordings] == [False, False, True]
    card = (tmp_path / "release" / "data_card.md").read_text("utf-8")
    assert "sc0009q (one turn quarantined)" in card and edited.recording in card
