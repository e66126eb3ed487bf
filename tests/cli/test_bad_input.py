"""What a user may get wrong: one message that says what, where and what to do; exit 2; no traceback; nothing lost."""

from __future__ import annotations

import fcntl
import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from dtbuild.align import floors, viter
from dtbuild.cli.main import call
from dtbuild.speech.cache import cache_folder

Fails = Callable[..., str]
ROOT = Path(__file__).parents[2]


@pytest.fixture
def fails(capsys: pytest.CaptureFixture[str]) -> Fails:
    """Runs the command, asserts its exit code and that it printed a message and no traceback; the message."""

    def run(*words: str | Path, code: int = 2) -> str:
        capsys.readouterr()
        assert call([str(word) for word in words], debug=False) == code
        err = capsys.readouterr().err
        assert "Traceback" not in err and "internal fault" not in err
        return err.strip().splitlines()[-1]

    return run


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("suply_chain", ["blueprint 'suply_chain'", "perhaps supply_chain", "next: name one of these"]),
        ("poetry", ["one of", "supply_chain", "path of a .yaml file"]),
        ("blueprints", ["blueprint 'blueprints'", "supply_chain"]),
        ("nowhere/b.yaml", ["'nowhere/b.yaml'", "no such file", "check the path"]),
    ],
)
def test_unknown_scenarios(name: str, parts: list[str], fails: Fails, tmp_path: Path) -> None:
    message = fails("generate", "--scenario", name, "--out", tmp_path / "c")
    assert all(part in message for part in parts), message
    assert not (tmp_path / "c").exists()


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("format: dtbuild.blueprint/1\nroles: [1\n", ["line 3", "mend the YAML"]),
        ("format: dtbuild.blueprint/1\nid: a\nid: b\n", ["line 3", "'id' stands twice"]),
        (
            "format: dtbuild.blueprint/9\n",
            ["expected format: dtbuild.blueprint/1", "found format: dtbuild.blueprint/9"],
        ),
        ("format: dtbuild.blueprint/1\nid: a\nrole: []\n", ["line 3, role: unknown key; perhaps 'roles'", "'casts'"]),
        ("", ["no format"]),
        ("- a\n", ["no format"]),
    ],
)
def test_malformed_blueprints(text: str, parts: list[str], fails: Fails, tmp_path: Path) -> None:
    path = tmp_path / "b.yaml"
    path.write_text(text, "utf-8")
    for words in (["generate", "--scenario", path, "--until", "gold", "--out", tmp_path / "c"], ["scenarios", path]):
        message = fails(*words)
        assert all(part in message for part in [str(path), "next: ", *parts]), message
    assert not (tmp_path / "c").exists()


def test_a_blueprint_that_breaks_the_rules(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    whole = (ROOT / "blueprints" / "supply_chain.yaml").read_text("utf-8")
    path = tmp_path / "b.yaml"
    path.write_text(whole.replace("cleared_by: [", "cleared_by: [nobody, ", 1), "utf-8")
    words = ["generate", "--scenario", str(path), "--until", "gold", "--out", str(tmp_path / "c")]
    assert call(words, debug=False) == 2
    message = capsys.readouterr().err
    assert "nobody" in message and "line " in message and str(path) in message and "mend these places" in message
    assert not (tmp_path / "c").exists()


def test_a_blueprint_by_path_makes_the_cohort_of_its_name(tmp_path: Path) -> None:
    path = tmp_path / "supply_chain.yaml"
    shutil.copyfile(ROOT / "blueprints" / "supply_chain.yaml", path)
    common = ["--groups", "1", "--until", "gold", "--out", str(tmp_path / "c")]
    assert call(["generate", "--scenario", str(path), *common], debug=False) == 0
    assert call(["generate", "--scenario", "supply_chain", *common], debug=False) == 0


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("groups: -4", ["groups", "expected 1 to 9999, found -4"]),
        ("groups: 10000000", ["expected 1 to 9999"]),
        ("groups: four", ["line 5, groups", "int"]),
        ("seed: -1", ["seed: expected 0 to 2^63 - 1, found -1"]),
        (f"seed: {2**70}", ["seed"]),
        ("pairs: 1.5", ["a share from 0 to 1, found 1.5"]),
        ("script: {seconds: [200.0, 100.0]}", ["script.seconds: expected [shortest, longest]"]),
        ("review: {attempts: 0}", ["review.attempts: expected 1 to 100, found 0"]),
        ("evidence: {coarse_turns: 9}", ["evidence.coarse_turns"]),
        ("gold: {rates: {revsion: 0.5}}", ["gold.rates", "revision"]),
        ("gold: {trajectories: [4, 1]}", ["gold.trajectories", "found 4, 1"]),
        ("kind: poem", ["kind: expected decision_trace, found poem"]),
        ("format: dtbuild.config/7", ["format: expected dtbuild.config/1, found dtbuild.config/7"]),
        ("grups: 3", ["line 5, grups: unknown key; perhaps 'groups'"]),
    ],
)
def test_config_values(line: str, parts: list[str], fails: Fails, tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    lines = ["scenario: supply_chain", "speech:", "  engine: tone", "align: {aligner: even}", line]
    path.write_text("\n".join(lines), "utf-8")
    message = fails("generate", "--config", path, "--out", tmp_path / "c")
    assert all(part in message for part in [str(path), "next: mend", *parts]), message
    assert not (tmp_path / "c").exists()


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("speech: {engine: kokorro}", ["speech engine 'kokorro'", "kokoro", "next: dtbuild doctor"]),
        ("speech: {voices: koko}", ["voice 'koko'", "perhaps kokoro", "path of a .yaml file"]),
        ("speech: {voices: assets}", ["voice 'assets'", "one of kokoro"]),
        ("speech: {engine: tone, voices: gone.yaml}", ["voice file 'gone.yaml'", "no such file"]),
        ("align: {aligner: evn}", ["aligner 'evn'", "perhaps even"]),
        ("scenario: suply_chain", ["perhaps supply_chain"]),
    ],
)
def test_names_in_a_config_are_looked_up_before_anything_is_made(
    line: str, parts: list[str], fails: Fails, tmp_path: Path
) -> None:
    given = {"scenario": "supply_chain", "speech": "{engine: tone}", "align": "{aligner: even}"}
    given |= [line.split(": ", 1)]
    path = tmp_path / "c.yaml"
    path.write_text("".join(f"{key}: {value}\n" for key, value in given.items()), "utf-8")
    for more in ([], ["--dry-run"]):
        message = fails("generate", "--config", path, "--out", tmp_path / "c", *more)
        assert all(part in message for part in parts), message
    assert not (tmp_path / "c").exists()


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["--until", "speach"], "'--until'"),
        (["--jobs", "0"], "'--jobs'"),
        (["--groups", "-1"], "'--groups'"),
        (["--groups", "99999"], "'--groups'"),
        (["--seed", "-1"], "'--seed'"),
        (["--seed", "x"], "'--seed'"),
        (["--seed", str(2**70)], "seed: expected 0 to 2^63 - 1"),
        (["--config", "supply_chain"], "either --scenario or --config"),
        (["--colour"], "--colour"),
    ],
)
def test_options(words: list[str], part: str, fails: Fails, tmp_path: Path) -> None:
    assert part in fails("generate", "--scenario", "supply_chain", "--out", tmp_path / "c", *words)
    assert not (tmp_path / "c").exists()


def test_neither_scenario_nor_config(fails: Fails) -> None:
    assert "found neither; next: --scenario" in fails("generate")


def generate(config: Path, out: Path) -> list[str | Path]:
    return ["generate", "--config", config, "--until", "gold", "--out", out]


def test_a_file_in_place_of_the_folder(tone_config: Path, fails: Fails, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    message = fails(*generate(tone_config, tmp_path / "file"))
    assert "expected a folder; found a file; next: choose another with --out" in message
    assert "one that can be written; found Not a directory" in fails(*generate(tone_config, tmp_path / "file" / "c"))
    assert (tmp_path / "file").read_text() == "mine"


def test_a_folder_with_other_files_is_left_untouched(tone_config: Path, fails: Fails, tmp_path: Path) -> None:
    (tmp_path / "thesis.doc").write_text("mine")
    (tmp_path / ".tmp-draft").write_text("mine too")
    assert "found other files: .tmp-draft, thesis.doc; next: choose another" in fails(*generate(tone_config, tmp_path))
    assert sorted(path.name for path in tmp_path.iterdir()) == [".tmp-draft", "thesis.doc"]


def test_a_folder_that_cannot_be_made(tone_config: Path, fails: Fails) -> None:
    message = fails(*generate(tone_config, Path("/proc/dtbuild-cohort")))
    assert "folder /proc/dtbuild-cohort; expected one that can be written" in message and "--out" in message


def test_a_folder_of_another_config(tone_config: Path, fails: Fails, tmp_path: Path) -> None:
    assert call([*map(str, generate(tone_config, tmp_path))], debug=False) == 0
    for more in ([], ["--dry-run"]):
        message = fails(*generate(tone_config, tmp_path), "--seed", "5", *more)
        assert "seed: 20260131 there, 5 here" in message and "choose another folder with --out" in message


def test_a_folder_in_use(tone_config: Path, fails: Fails, tmp_path: Path) -> None:
    assert call([*map(str, generate(tone_config, tmp_path))], debug=False) == 0
    with (tmp_path / ".lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        message = fails(*generate(tone_config, tmp_path))
    assert str(tmp_path) in message and "another run is working in it; next: wait for that run" in message
    assert call([*map(str, generate(tone_config, tmp_path))], debug=False) == 0


@pytest.mark.parametrize("damage", ["", "{", '{"format": "dtbuild.run/9"}'])
def test_a_damaged_run_file(damage: str, tone_config: Path, fails: Fails, tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(damage)
    message = fails(*generate(tone_config, tmp_path))
    assert str(tmp_path / "run.json") in message and "next: " in message


@pytest.fixture
def kokoro(tmp_path: Path) -> Path:
    path = tmp_path / "kokoro.yaml"
    path.write_text("scenario: supply_chain\ngroups: 1\nalign: {aligner: even}\n", "utf-8")
    return path


def test_missing_and_corrupt_assets(
    kokoro: Path, fails: Fails, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DTBUILD_CACHE", str(tmp_path / "empty"))
    message = fails("generate", "--config", kokoro, "--out", tmp_path / "c")
    assert str(tmp_path / "empty") in message and "missing" in message and "dtbuild assets" in message
    assert not (tmp_path / "c").exists()


def test_a_corrupt_asset(kokoro: Path, fails: Fails, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, damaged = cache_folder() / "kokoro", tmp_path / "damaged" / "kokoro"
    damaged.mkdir(parents=True)
    for graph in real.glob("graph-*"):
        (damaged / graph.name).symlink_to(graph)
    shutil.copytree(real / "styles", damaged / "styles")
    style = damaged / "styles" / "zm_yunxi.bin"
    style.write_bytes(style.read_bytes()[:-1] + b"?")
    monkeypatch.setenv("DTBUILD_CACHE", str(damaged.parent))
    for more in ([], ["--dry-run"]):
        message = fails("generate", "--config", kokoro, "--out", tmp_path / "c", *more)
        assert str(style) in message and "corrupt" in message and "next: dtbuild assets" in message
    assert not (tmp_path / "c").exists()


@pytest.mark.parametrize("package", ["onnxruntime", "soundfile"])
def test_a_missing_extra(
    package: str, kokoro: Path, fails: Fails, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    message = fails("generate", "--config", kokoro, "--out", tmp_path / "c")
    assert package in message and "pip install 'dtbuild[speech]'" in message
    assert not (tmp_path / "c").exists()


@pytest.mark.parametrize("words", [["show", "{}", "sc00015-a"], ["validate", "{}"], ["stats", "{}"]])
def test_reading_what_is_no_cohort(words: list[str], tone_config: Path, fails: Fails, tmp_path: Path) -> None:
    def read(folder: Path) -> str:
        message = fails(*(word.format(folder) for word in words))
        assert str(folder) in message and "next: check the path" in message
        return message

    assert "no such folder" in read(tmp_path / "nowhere")
    (tmp_path / "c").mkdir()
    assert "no manifest.json" in read(tmp_path / "c")
    assert call([*map(str, generate(tone_config, tmp_path / "c"))], debug=False) == 0
    assert "this run has not reached its release" in read(tmp_path / "c")


def test_an_unknown_recording(tone_cohort: Path, fails: Fails) -> None:
    message = fails("show", tone_cohort, "sc00015-c")
    assert "recording 'sc00015-c'" in message and "perhaps sc00015-a" in message


def test_a_release_of_another_version(tone_cohort: Path, fails: Fails, tmp_path: Path) -> None:
    shutil.copytree(tone_cohort / "release", tmp_path / "r")
    path = tmp_path / "r" / "manifest.json"
    manifest = json.loads(path.read_bytes())
    path.write_text(json.dumps(manifest | {"config": manifest["config"] | {"colour": "red"}}), "utf-8")
    message = fails("validate", tmp_path / "r")
    assert str(path) in message and "colour" in message and "next: read it with the dtbuild version" in message
    path.write_text("{")
    for words in (["validate", tmp_path / "r"], ["stats", tmp_path / "r"], ["show", tmp_path / "r", "sc00015-a"]):
        assert str(path) in fails(*words)


def command(*words: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "dtbuild", *words],
        capture_output=True,
        text=True,
        errors="replace",
        env=os.environ | environment,
    )


def test_the_real_command_shows_a_traceback_only_when_asked() -> None:
    quiet = command("generate", "--scenario", "suply_chain")
    assert quiet.returncode == 2 and quiet.stderr.startswith("dtbuild: ") and quiet.stderr.count("\n") == 1
    for words in (["--debug", "generate", "--scenario", "suply_chain"], ["generate", "--scenario", "x", "--debug"]):
        loud = command(*words)
        assert loud.returncode == 2 and "Traceback" in loud.stderr and "UnknownName" in loud.stderr


def test_a_terminal_without_hanzi_is_no_reason_to_fail(tone_cohort: Path) -> None:
    shown = command("show", tone_cohort, "sc00015-a", PYTHONIOENCODING="latin-1")
    assert shown.returncode == 0 and "\\u" in shown.stdout


def test_a_closed_pipe_ends_quietly(tone_cohort: Path) -> None:
    line = f"{sys.executable} -m dtbuild show {tone_cohort} sc00015-a | true"
    done = subprocess.run(line, shell=True, capture_output=True, text=True)
    assert done.stderr == ""


def test_another_version_of_viter(fails: Fails, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    version = importlib.metadata.version
    monkeypatch.setattr(importlib.metadata, "version", lambda name: "0.7.2" if name == "viter" else version(name))
    message = fails("generate", "--scenario", "supply_chain", "--out", tmp_path / "c")
    assert "viter 0.7.2 does not fit the acoustic model" in message and "below 0.6.0" in message
    assert "next: pip install" in message and not (tmp_path / "c").exists()


@pytest.mark.parametrize("suffix", [".viter", ".fit.json", ".reading.json", ".floors.json"])
def test_a_damaged_file_of_the_aligner(
    suffix: str, fails: Fails, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shutil.copytree(viter.MODEL.parent, tmp_path / "model")
    model = tmp_path / "model" / viter.MODEL.name
    path = model.with_suffix(suffix)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    for module in (viter, floors):
        monkeypatch.setattr(module, "TABLES", model)
    monkeypatch.setattr(viter, "MODEL", model)
    floors.floors.cache_clear()
    message = fails("generate", "--scenario", "supply_chain", "--out", tmp_path / "c")
    floors.floors.cache_clear()
    assert str(path) in message and "next: reinstall dtbuild, or run scripts/" in message
    assert not (tmp_path / "c").exists()
