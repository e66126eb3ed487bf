"""The voice population, its table of likeness, and casts drawn from it."""

from __future__ import annotations

import itertools
import shutil
from collections import Counter
from itertools import combinations
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtbuild import resources
from dtbuild.errors import AssetError, SettingsError, UnknownName
from dtbuild.records.sound import Voice
from dtbuild.speech.assets import assets
from dtbuild.speech.casting import cast, dominant, load_table, load_voices
from dtbuild.speech.kokoro import recipe_sha256
from dtbuild.speech.similarity import MARGIN, Similarity

VOICES, TABLE = load_voices(), load_table()
assert TABLE is not None
PERSONS = st.lists(st.sampled_from(["female", "male"]), min_size=1, max_size=5).map(
    lambda genders: [(f"p{index}", gender) for index, gender in enumerate(genders)]
)
MIXED = [
    [(f"p{index}", gender) for index, gender in enumerate(genders)]
    for size in (2, 3, 4)
    for genders in itertools.product(("female", "male"), repeat=size)
]


def plain() -> tuple[Voice, ...]:
    """A population as somebody's own file would have it: the plain styles and even mixes of two, and no table."""
    entry = VOICES[0]
    styles = [Path(note.file).stem for note in assets().styles]
    recipes = [[style] for style in styles] + [
        list(pair) for pair in combinations(styles, 2) if pair[0][:2] == pair[1][:2]
    ]
    return tuple(
        msgspec.structs.replace(
            entry,
            id="+".join(recipe),
            gender="female" if recipe[0].startswith("zf") else "male",
            recipe=tuple(msgspec.structs.replace(entry.recipe[0], style=style, weight=1.0) for style in recipe),
        )
        for recipe in recipes
    )


PLAIN = plain()


def test_the_shipped_population() -> None:
    styles = {Path(note.file).stem for note in assets().styles}
    genders = Counter(voice.gender for voice in VOICES)
    assert genders["female"] >= 12 <= genders["male"]
    for voice in VOICES:
        assert {part.style for part in voice.recipe} <= styles
        assert all(part.style.startswith("zf" if voice.gender == "female" else "zm") for part in voice.recipe)
        assert sum(part.weight for part in voice.recipe) == pytest.approx(1.0)
        assert 4.0 < voice.chars_per_second < 6.0 and 0.92 <= voice.pitch <= 1.08
        assert voice.licence and voice.attribution
        assert voice.sha256 == recipe_sha256(voice.recipe)
    assert len({(voice.recipe, voice.pitch) for voice in VOICES}) == len(VOICES)


def test_the_table_has_every_pair_as_a_cosine() -> None:
    assert TABLE is not None and TABLE.missing(voice.id for voice in VOICES) == []
    for one, other in combinations(VOICES, 2):
        assert TABLE.likeness(one.id, other.id) == TABLE.likeness(other.id, one.id)
        assert 300 < TABLE.likeness(one.id, other.id) < 1000
    assert all(800 < TABLE.likeness(voice.id, voice.id) < 1000 for voice in VOICES)
    across = [TABLE.margin(a.id, b.id) for a, b in combinations(VOICES, 2) if a.gender != b.gender]
    assert min(across) >= MARGIN


@given(PERSONS, st.integers(0, 2**63))
def test_a_cast_is_by_gender_distinct_and_repeatable(persons: list[tuple[str, str]], seed: int) -> None:
    for voices, table in ((VOICES, TABLE), (PLAIN, None)):
        found = cast(voices, persons, seed=seed, table=table)
        assert list(found) == [person for person, _ in persons]
        assert all(found[person].gender == gender for person, gender in persons)
        assert len({voice.id for voice in found.values()}) == len(persons)
        assert cast(voices, persons, seed=seed, table=table) == found


def test_any_two_voices_of_a_cast_are_told_apart_and_every_voice_is_used() -> None:
    assert TABLE is not None
    used: Counter[str] = Counter()
    for seed in range(3000):
        found = list(cast(VOICES, MIXED[seed % len(MIXED)], seed=seed, table=TABLE).values())
        used.update(voice.id for voice in found)
        for one, other in combinations(found, 2):
            alike = TABLE.likeness(one.id, other.id)
            assert alike <= min(TABLE.likeness(one.id, one.id), TABLE.likeness(other.id, other.id)) - MARGIN
    assert set(used) == {voice.id for voice in VOICES}
    assert max(used.values()) < 5 * min(used.values())


def test_a_cast_that_cannot_be_told_apart_is_named() -> None:
    women = [voice for voice in VOICES if voice.gender == "female"][:3]
    ids = [voice.id for voice in women]
    same = {(a, b): 900 for a, b in itertools.combinations_with_replacement(ids, 2)}
    near = Similarity({**same, (ids[0], ids[2]): 870})
    assert {v.id for v in cast(women, MIXED[0], seed=1, table=near).values()} == {ids[0], ids[2]}
    with pytest.raises(SettingsError, match=r"cast of p0, p1, p2.*3 voices.*0\.03 less alike.*found 2"):
        cast(women, [(f"p{index}", "female") for index in range(3)], seed=1, table=near)


@given(st.integers(0, 2**63))
def test_without_a_table_voices_of_a_dialogue_share_no_dominant_style(seed: int) -> None:
    persons = [("a", "female"), ("b", "female"), ("c", "female"), ("d", "male"), ("e", "male")]
    found = cast(PLAIN, persons, seed=seed).values()
    assert not any(dominant(one) & dominant(other) for one, other in combinations(found, 2))


def test_without_a_table_every_voice_is_used() -> None:
    persons = [("a", "female"), ("b", "male"), ("c", "female")]
    used = {voice.id for seed in range(400) for voice in cast(PLAIN, persons, seed=seed).values()}
    assert used == {voice.id for voice in PLAIN}


def test_a_table_that_is_missing_changed_or_short_is_named(tmp_path: Path) -> None:
    shipped = resources.find("voices", "kokoro")
    text = shipped.read_text("utf-8")
    path, table = tmp_path / "v.yaml", tmp_path / "kokoro.similarity.tsv"
    path.write_text(text, "utf-8")
    with pytest.raises(AssetError, match=r"kokoro\.profiles\.json.*no file.*choose_voices"):
        load_voices(path)
    shutil.copyfile(shipped.with_name("kokoro.profiles.json"), tmp_path / "kokoro.profiles.json")
    with pytest.raises(AssetError, match=r"kokoro\.similarity\.tsv.*no file.*choose_voices"):
        load_table(path)
    shutil.copyfile(shipped.with_name(table.name), table)
    again = load_table(path)
    assert again is not None and TABLE is not None
    assert again.likeness(VOICES[0].id, VOICES[1].id) == TABLE.likeness(VOICES[0].id, VOICES[1].id)
    table.write_text(table.read_text("utf-8").replace("\t0.9", "\t0.8", 1), "utf-8")
    with pytest.raises(AssetError, match="sha256"):
        load_table(path)
    shutil.copyfile(shipped.with_name(table.name), table)
    path.write_text(
        text
        + text[text.index("  - id:") :]
        .split("  - id:")[1]
        .join(["  - id: z9\n", ""])
        .replace(f" {VOICES[0].id}\n", "", 1),
        "utf-8",
    )
    with pytest.raises(SettingsError, match=r"25 missing, such as f01 and z9"):
        load_table(path)
    path.write_text("\n".join(line for line in text.splitlines() if not line.startswith("similarity")), "utf-8")
    assert load_table(path) is None and load_voices(path) == VOICES


def test_taken_voices_are_left_out_and_a_short_population_is_named() -> None:
    women = [voice.id for voice in VOICES if voice.gender == "female"]
    assert cast(VOICES, [("a", "female")], seed=1, taken=frozenset(women[1:]))["a"].id == women[0]
    with pytest.raises(SettingsError, match=r"2 free female voices.*found 1"):
        cast(VOICES, [("a", "female"), ("b", "female")], seed=1, taken=frozenset(women[1:]))


def test_unknown_population() -> None:
    with pytest.raises(UnknownName, match="kokoro"):
        load_voices("kokor")


def test_all_faults_of_a_file_at_once(tmp_path: Path) -> None:
    entry = """  - {{id: x, gender: female, engine: kokoro, recipe: [{recipe}], licence: l, attribution: a, rate: {rate}, pitch: {pitch}, chars_per_second: {cps}}}"""
    lines = [
        "format: dtbuild.voices/1",
        "voices:",
        entry.format(recipe="", rate="1.0", pitch="1.055", cps="4.9"),
        entry.format(recipe="{style: zf_xiaoni, weight: -1.0}", rate="3.0", pitch="2.0", cps="0.0"),
    ]
    (tmp_path / "v.yaml").write_text("\n".join(lines), "utf-8")
    with pytest.raises(SettingsError) as caught:
        load_voices(tmp_path / "v.yaml")
    message = str(caught.value)
    assert "'x' stands 2 times" in message and "rate 3.0" in message and "chars_per_second" in message
    assert message.count("weights over 0") == 2
    assert "pitch 1.055" in message and "pitch 2.0" in message
    (tmp_path / "v.yaml").write_text("format: dtbuild.voices/1\nvoices: []\ncolour: red\n", "utf-8")
    with pytest.raises(SettingsError, match="colour"):
        load_voices(tmp_path / "v.yaml")
