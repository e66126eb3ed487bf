"""Ways to damage a released cohort, one thing each, and the finding that each must bring."""

from __future__ import annotations

import json
import os
import shutil
import wave
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from dtbuild.fingerprint import sha256_file

from .cohorts import OTHER_FAMILY, SAMPLE_FAMILY, write_samples, write_wav

A, B, OTHER = f"{SAMPLE_FAMILY}-a", f"{SAMPLE_FAMILY}-b", f"{OTHER_FAMILY}-a"


def edit(root: Path, path: str, change: Callable[[Any], object]) -> None:
    """Change a JSON file, and correct its hash and size, so that only the damage itself is left to find."""
    file = root / path
    value = json.loads(file.read_text("utf-8"))
    change(value)
    file.write_text(json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True) + "\n", "utf-8")
    if path != "manifest.json":
        relist(root, path)


def relist(root: Path, path: str) -> None:
    def correct(manifest: Any) -> None:
        entries = [*manifest["files"], *(file for entry in manifest["recordings"] for file in entry["files"])]
        for entry in entries:
            if entry["path"] == path:
                entry.update(sha256=sha256_file(root / path), bytes=(root / path).stat().st_size)

    edit(root, "manifest.json", correct)


def event(gold: Any, name: str) -> Any:
    return next(
        each
        for trajectory in gold["trajectories"]
        for cycle in trajectory["cycles"]
        for each in cycle["events"]
        if each["event_id"] == name
    )


def in_event(name: str, **changes: Any) -> Callable[[Any], object]:
    return lambda gold: event(gold, name).update(changes)


def in_evidence(name: str, **changes: Any) -> Callable[[Any], object]:
    return lambda gold: event(gold, name)["evidence"].update(changes)


def at_wav(change: Callable[[Path], object]) -> Callable[[Path], None]:
    def damage(root: Path) -> None:
        path = root / "public" / "audio" / f"{OTHER}.wav"
        data = path.read_bytes()
        path.unlink()
        path.write_bytes(data)
        change(path)
        relist(root, f"public/audio/{OTHER}.wav")

    return damage


def at_json(path: str, change: Callable[[Any], object]) -> Callable[[Path], None]:
    return lambda root: edit(root, path, change)


def copy(source: str, target: str) -> None:
    # long files are shared with the sound cohort; whoever damages one writes it anew
    (os.link if source.endswith(".wav") else shutil.copyfile)(source, target)


def flip_last_byte(path: Path) -> None:
    data = path.read_bytes()
    path.unlink()
    path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))


def frames(path: Path) -> int:
    return (path.stat().st_size - 44) // 2


def add_chunk(path: Path) -> None:
    data = path.read_bytes()
    chunk = b"LIST\x08\x00\x00\x00INFOname"
    path.write_bytes(data[:4] + (len(data) + len(chunk) - 8).to_bytes(4, "little") + data[8:] + chunk)


def swap_out_variant(root: Path) -> None:
    # variant B becomes a copy of A's answer
    gold = json.loads((root / "gold" / f"{A}.json").read_text("utf-8"))
    edit(root, f"gold/{B}.json", lambda value: value.update(trajectories=gold["trajectories"]))


def drop_recording(name: str) -> Callable[[Any], object]:
    return lambda manifest: manifest.update(
        recordings=[entry for entry in manifest["recordings"] if entry["recording"] != name]
    )


def hide_variant_b(root: Path) -> None:
    edit(root, "manifest.json", drop_recording(B))
    edit(root, "manifest.json", lambda manifest: manifest.update(pairs=[]))
    for path in root.rglob(f"{B}.*"):
        path.unlink()


def empty_grid(root: Path) -> None:
    path = f"textgrids/{OTHER}.TextGrid"
    text = (root / path).read_text("utf-8")
    (root / path).write_text(text[: len(text) // 3], "utf-8")
    relist(root, path)


def rename_grid_tier(root: Path) -> None:
    path = f"textgrids/{OTHER}.TextGrid"
    (root / path).write_text((root / path).read_text("utf-8").replace("S2 turns", "S3 turns"), "utf-8")
    relist(root, path)


def _cut_first_turn(grid: str) -> str:
    return grid.replace('text = "停"', 'text = ""')


def untime_characters(root: Path) -> None:
    path = f"textgrids/{OTHER}.TextGrid"
    (root / path).write_text(_cut_first_turn((root / path).read_text("utf-8")), "utf-8")
    relist(root, path)


def in_grid(old: str, new: str) -> Callable[[Path], None]:
    def damage(root: Path) -> None:
        path = f"textgrids/{OTHER}.TextGrid"
        text = (root / path).read_text("utf-8")
        assert old in text
        (root / path).write_text(text.replace(old, new, 1), "utf-8")
        relist(root, path)

    return damage


def in_sound(change: Callable[[Any], object]) -> Callable[[Path], None]:
    """Change the samples, a float array in [-1, 1], in place."""

    def damage(path: Path) -> None:
        with wave.open(str(path)) as file:
            samples = np.frombuffer(file.readframes(file.getnframes()), dtype="<i2") / 32_767
        change(samples)
        path.unlink()
        write_samples(path, samples)

    return at_wav(damage)


def silenced(start: float, end: float) -> Callable[[Any], None]:
    return lambda samples: samples.__setitem__(slice(round(start * 24_000), round(end * 24_000)), 0)


def sounding(start: float, end: float) -> Callable[[Any], None]:
    def change(samples: Any) -> None:
        part = samples[round(start * 24_000) : round(end * 24_000)]
        part[:] = 0.1 * np.sin(np.arange(len(part)) / 10)

    return change


def link(root: Path) -> None:
    (root / OTHER_GOLD).rename(root.parent / "elsewhere.json")
    (root / OTHER_GOLD).symlink_to(root.parent / "elsewhere.json")


def in_card(root: Path) -> None:
    (root / "data_card.md").write_text((root / "data_card.md").read_text("utf-8") + "Reviewed.\n", "utf-8")
    relist(root, "data_card.md")


def doubled_key(root: Path) -> None:
    text = (root / OTHER_GOLD).read_text("utf-8")
    (root / OTHER_GOLD).write_text('{"duration_us": 1,' + text[1:], "utf-8")
    relist(root, OTHER_GOLD)


def longer_turn(value: Any) -> None:
    for turn in value["turns"][:1]:
        turn["window"]["end_us"] += 100_000


W = {"start_us": 0, "end_us": 0}
OTHER_GOLD, OTHER_SCRIPT, OTHER_QUERY = f"gold/{OTHER}.json", f"scripts/{OTHER}.json", f"public/queries/{OTHER}.json"

DAMAGES: dict[str, tuple[Callable[[Path], object], str, str]] = {
    # name: damage, code of a finding it must give, words its place must have
    "file gone": (lambda root: (root / OTHER_GOLD).unlink(), "missing", OTHER_GOLD),
    "stray file": (lambda root: (root / "gold" / "notes.txt").write_text("x"), "unlisted", "gold/notes.txt"),
    "stray public file": (lambda root: (root / "public" / "answers.json").write_text("{}"), "public", "answers.json"),
    "flipped sample": (lambda root: flip_last_byte(root / "public/audio" / f"{OTHER}.wav"), "sha256", f"{OTHER}.wav"),
    "grown file": (lambda root: (root / "data_card.md").open("a").write("x"), "bytes", "data_card.md"),
    "flipped sample, listed": (at_wav(flip_last_byte), "hash", "audio_hash"),
    "other version": (at_json(OTHER_GOLD, lambda v: v.update(format="dtbuild.gold/9")), "format", OTHER_GOLD),
    "no format": (at_json(OTHER_SCRIPT, lambda v: v.pop("format")), "format", OTHER_SCRIPT),
    "broken JSON": (
        lambda root: ((root / OTHER_GOLD).write_text("{"), relist(root, OTHER_GOLD)), "format", OTHER_GOLD),
    "type of a key": (at_json(OTHER_GOLD, lambda v: v.update(duration_us="long")), "format", OTHER_GOLD),
    "unknown key": (at_json(OTHER_GOLD, lambda v: v.update(secret=1)), "format", OTHER_GOLD),
    "gold in a query": (at_json(OTHER_QUERY, lambda v: v.update(fields=["equipment/value"])), "format", OTHER_QUERY),
    "hint in a query": (at_json(OTHER_QUERY, lambda v: v.update(speakers="S1 陈默")), "public", OTHER_QUERY),
    "sample rate": (at_wav(lambda p: write_wav(p, frames(p), rate=16_000)), "wav", OTHER),
    "two channels": (at_wav(lambda p: write_wav(p, frames(p), channels=2)), "wav", OTHER),
    "no WAV at all": (at_wav(lambda p: p.write_bytes(b"ID3" + p.read_bytes())), "wav", OTHER),
    "cut-off WAV": (at_wav(lambda p: p.write_bytes(p.read_bytes()[:-4000])), "wav", OTHER),
    "a name in the WAV": (at_wav(add_chunk), "wav", OTHER),
    "shorter audio": (at_wav(lambda p: write_wav(p, frames(p) - 24)), "duration", OTHER),
    "illegal step": (at_json(OTHER_GOLD, in_event("e2", action="start", result=None)), "chain.transition", "e2"),
    "unknown scope": (at_json(OTHER_GOLD, in_event("e1", scope="weather")), "schema", "e1"),
    "value of another type": (
        at_json(OTHER_GOLD, in_event("e1", value={"type": "count", "value": "3", "unit": "张"})), "schema", "e1"),
    "changed value": (
        at_json(OTHER_GOLD, in_event("e1", value={"type": "money", "amount": "1", "currency": "CNY"})), "plan", OTHER),
    "swapped speaker": (at_json(OTHER_GOLD, in_event("e1", speaker="S2")), "trigger", "e1"),
    "no anchor": (at_json(OTHER_GOLD, in_evidence("e1", anchor=[])), "alignment", "e1"),
    "empty anchor": (at_json(OTHER_GOLD, in_evidence("e1", anchor=[W])), "window", "e1"),
    "window past the end": (
        at_json(OTHER_GOLD, in_evidence("e1", coarse={"start_us": 0, "end_us": 10**9})), "window", "e1"),
    "anchor outside its turn": (
        at_json(OTHER_GOLD, in_evidence("e1", anchor=[{"start_us": 5_000_000, "end_us": 5_200_000}])), "window", "e1"),
    "too little anchor": (
        at_json(OTHER_GOLD, lambda v: event(v, "e1")["evidence"]["anchor"].pop()), "anchor", "e1"),
    "evidence of another turn": (
        at_json(OTHER_GOLD, in_evidence("e1", turn=f"{OTHER}-t003")), "trigger", "e1"),
    "turn moved in time": (
        at_json(OTHER_GOLD, lambda v: v["turns"][0].update(window={"start_us": 0, "end_us": 100_000})), "window", "e1"),
    "event without windows": (
        at_json(OTHER_GOLD, lambda v: event(v, "e1").pop("evidence")), "format", OTHER_GOLD),
    "span past its turn": (at_json(OTHER_SCRIPT, lambda v: v["spans"][0].update(end=99)), "span", "span 0"),
    "span of nothing": (at_json(OTHER_SCRIPT, lambda v: v["spans"][0].update(target="e99")), "span", "e99"),
    "mention backwards": (at_json(OTHER_SCRIPT, lambda v: v["mentions"][0].update(start=6, end=3)), "span", "m1"),
    "mention undeclared": (at_json(OTHER_SCRIPT, lambda v: v["mentions"].pop(0)), "text.undeclared", "t001"),
    "changed word": (at_json(OTHER_SCRIPT, lambda v: v["turns"][2].update(text="材料我明天开始收。")), "hash", "content"),
    "turn id": (at_json(OTHER_SCRIPT, lambda v: v["turns"][3].update(id=f"{OTHER}-t009")), "id", "turn 4"),
    "speakers renumbered": (
        at_json(OTHER_GOLD, lambda v: [s.update(speaker={"S1": "S2", "S2": "S1"}[s["speaker"]]) for s in v["speakers"]]),
        "speakers", OTHER),
    "pair torn": (at_json("manifest.json", drop_recording(B)), "pair", SAMPLE_FAMILY),
    "variant B hidden": (hide_variant_b, "pair", SAMPLE_FAMILY),
    "variant A gone": (at_json("manifest.json", drop_recording(A)), "family", SAMPLE_FAMILY),
    "variants alike": (swap_out_variant, "pair", SAMPLE_FAMILY),
    "another factor stated": (
        at_json("manifest.json", lambda v: v["pairs"][0].update(factor="role_reassignment")), "pair", SAMPLE_FAMILY),
    "pair not stated": (at_json("manifest.json", lambda v: v.update(pairs=[])), "pair", SAMPLE_FAMILY),
    "other difference stated": (
        at_json("manifest.json", lambda v: v["pairs"][0]["changes"][0].update(b="p3")), "pair", SAMPLE_FAMILY),
    "withheld and released": (
        at_json("manifest.json", lambda v: v.update(withheld=[{"family": OTHER_FAMILY, "reason": "x"}])),
        "family", OTHER_FAMILY),
    "path out of the folder": (
        at_json("manifest.json", lambda v: v["files"][0].update(path="../secret.json")), "path", "../secret.json"),
    "failed verdict": (
        at_json(f"reviews/{OTHER}.json", lambda v: v["verdicts"][0].update(outcome="no_verdict")), "review", "rules"),
    "no verdict": (at_json(f"reviews/{OTHER}.json", lambda v: v.update(verdicts=[])), "review", OTHER),
    "cut-off TextGrid": (empty_grid, "textgrid", OTHER),
    "renamed tier": (rename_grid_tier, "textgrid", OTHER),
    "character without time": (untime_characters, "textgrid", f"{OTHER}-t001"),
    "figure": (at_json("stats.json", lambda v: v.update(events=1)), "stats", "events"),
    "setting": (at_json("manifest.json", lambda v: v["config"].update(seed=1)), "hash", "config_fingerprint"),
    "recording twice": (
        at_json("manifest.json", lambda v: v["recordings"].append(v["recordings"][-1])), "twice", "manifest.json"),
    "file listed twice": (
        at_json("manifest.json", lambda v: v["files"].append(v["files"][-1])), "twice", "manifest.json"),
    "recordings unsorted": (at_json("manifest.json", lambda v: v["recordings"].reverse()), "order", "recordings"),
    "two events of one id": (at_json(OTHER_GOLD, in_event("e3", event_id="e1")), "twice", OTHER_GOLD),
    "two turns of one id": (
        at_json(OTHER_SCRIPT, lambda v: v["turns"][1].update(id=v["turns"][0]["id"])), "twice", OTHER_SCRIPT),
    "two mentions of one id": (at_json(OTHER_SCRIPT, lambda v: v["mentions"][1].update(id="m1")), "twice", OTHER_SCRIPT),
    "one voice for two": (
        at_json(OTHER_GOLD, lambda v: v["speakers"][1].update(voice=v["speakers"][0]["voice"])), "twice", OTHER_GOLD),
    "unknown voice": (at_json(OTHER_GOLD, lambda v: v["speakers"][0].update(voice="m99")), "voice", "S1"),
    "voice of the other gender": (
        at_json(OTHER_GOLD, lambda v: v["speakers"][0].update(gender="female")), "voice", "S1"),
    "predecessor gone": (at_json(OTHER_GOLD, in_event("e2", predecessor=None)), "predecessor", "e2"),
    "another engine named": (at_json("manifest.json", lambda v: v["engine"].update(name="tone")), "manifest", "engine"),
    "another aligner named": (at_json("manifest.json", lambda v: v["aligner"].update(name="mfa")), "manifest", "aligner"),
    "another seed named": (at_json("manifest.json", lambda v: v.update(seed=3)), "manifest", "seed"),
    "another scenario in gold": (at_json(OTHER_GOLD, lambda v: v.update(scenario="x")), "manifest", OTHER_GOLD),
    "aligner gone": (at_json("manifest.json", lambda v: v.update(aligner=None)), "alignment", "manifest.json"),
    "no alignment stated": (
        at_json("manifest.json", lambda v: v.update(aligner=None, alignment="none")), "alignment", "e1"),
    "no score": (at_json(OTHER_GOLD, lambda v: event(v, "e1")["evidence"].pop("score")), "alignment", "e1"),
    "half a score": (at_json(OTHER_GOLD, in_evidence("e1", anchor_score=1.0)), "alignment", "e1"),
    "lowest over the mean": (
        at_json(OTHER_GOLD, in_evidence("e1", anchor_score=1.0, anchor_lowest=2.0)), "alignment", "e1"),
    "coarse too wide": (
        at_json(OTHER_GOLD, in_evidence("e1", coarse={"start_us": 0, "end_us": 5_000_000})), "coarse", "e1"),
    "turns at once": (
        at_json(OTHER_GOLD, lambda v: v["turns"][0]["window"].update(end_us=4_000_000)), "overlap", f"{OTHER}-t002"),
    "anchor a sample off": (
        at_json(OTHER_GOLD, lambda v: event(v, "e1")["evidence"]["anchor"][0].update(end_us=1_500_042)), "anchor", "e1"),
    "words of an event silenced": (in_sound(silenced(0.7, 1.3)), "silence", f"{OTHER}-t001"),
    "a turn silenced": (in_sound(silenced(0.0, 3.4)), "silence", f"{OTHER}-t001"),
    "speech in a pause": (in_sound(sounding(3.3, 3.6)), "uncovered", OTHER),
    "too loud": (in_sound(lambda samples: samples.__imul__(1.25)), "loudness", OTHER),
    "too quiet": (in_sound(lambda samples: samples.__imul__(0.8)), "loudness", OTHER),
    "another loudness stated": (
        at_json("manifest.json", lambda v: v["recordings"][-1].update(loudness=-24.0)), "loudness", OTHER),
    "clipped": (in_sound(lambda samples: samples.__setitem__(slice(9_000, 9_004), 1.0)), "clipping", OTHER),
    "a link for a file": (link, "path", OTHER_GOLD),
    "card reworded": (in_card, "card", "data_card.md"),
    "key twice in one object": (doubled_key, "format", OTHER_GOLD),
    "another 汉字 in the TextGrid": (in_grid('"停"', '"走"'), "textgrid", f"{OTHER}-t001"),
    "another turn text in the TextGrid": (in_grid("先停一停。", "先走一走。"), "textgrid", "S1 turns"),
    "tier of an event gone": (in_grid('"event e1"', '"event e9"'), "textgrid", OTHER),
    "voice of B": (
        at_json(f"gold/{B}.json", lambda v: v["speakers"][0].update(voice="male_p9")), "pair", SAMPLE_FAMILY),
    "a turn of B longer": (at_json(f"gold/{B}.json", longer_turn), "pair", SAMPLE_FAMILY),
    "other words in B": (
        at_json(f"scripts/{B}.json", lambda v: v["turns"][0].update(text="哎，您来了。")), "pair.opening", f"{B}.json"),
    "title of the public schema": (
        at_json("public/schema.json", lambda v: v.update(title="保险理赔")), "schema", "public/schema.json"),
    "field gone from the schema": (
        at_json("public/schema.json", lambda v: v.update(fields=v["fields"][:3])), "schema", "equipment/value"),
}  # fmt: skip

WHOLE = ("recordings unsorted", "flipped sample, listed")
"""Damages that need more than one recording to show, beside those of the pair."""
