"""The voice population, and casts drawn from it."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtbuild.errors import SettingsError, UnknownName
from dtbuild.speech.assets import assets
from dtbuild.speech.casting import cast, dominant, load_voices

VOICES = load_voices()
PERSONS = st.lists(st.sampled_from(["female", "male"]), min_size=1, max_size=5).map(
    lambda genders: [(f"p{index}", gender) for index, gender in enumerate(genders)]
)


def test_the_shipped_population() -> None:
    styles = {Path(note.file).stem for note in assets().styles}
    assert len(VOICES) >= 12
    assert Counter(voice.gender for voice in VOICES)["female"] >= 6 <= Counter(v.gender for v in VOICES)["male"]
    for voice in VOICES:
        assert {part.style for part in voice.recipe} <= styles
        assert all(part.style.startswith("zf" if voice.gender == "female" else "zm") for part in voice.recipe)
        assert sum(part.weight for part in voice.recipe) == pytest.approx(1.0)
        assert 3.5 < voice.chars_per_second < 6.5
        assert voice.licence and voice.attribution
    assert len({voice.recipe for voice in VOICES}) == len(VOICES)


@given(PERSONS, st.integers(0, 2**63))
def test_a_cast_is_by_gender_distinct_and_repeatable(persons: list[tuple[str, str]], seed: int) -> None:
    found = cast(VOICES, persons, seed=seed)
    assert list(found) == [person for person, _ in persons]
    assert all(found[person].gender == gender for person, gender in persons)
    assert len({voice.id for voice in found.values()}) == len(persons)
    assert cast(VOICES, persons, seed=seed) == found


@given(st.integers(0, 2**63))
def test_voices_of_a_dialogue_share_no_dominant_style(seed: int) -> None:
    persons = [("a", "female"), ("b", "female"), ("c", "female"), ("d", "male"), ("e", "male")]
    found = cast(VOICES, persons, seed=seed).values()
    assert not any(dominant(one) & dominant(other) for one, other in combinations(found, 2))


def test_every_voice_is_used_over_many_dialogues() -> None:
    used = Counter(
        voice.id
        for seed in range(200)
        for voice in cast(VOICES, [("a", "female"), ("b", "male"), ("c", "female")], seed=seed).values()
    )
    assert set(used) == {voice.id for voice in VOICES}


def test_taken_voices_are_left_out_and_a_short_population_is_named() -> None:
    women = [voice.id for voice in VOICES if voice.gender == "female"]
    assert cast(VOICES, [("a", "female")], seed=1, taken=frozenset(women[1:]))["a"].id == women[0]
    with pytest.raises(SettingsError, match=r"2 free female voices.*found 1"):
        cast(VOICES, [("a", "female"), ("b", "female")], seed=1, taken=frozenset(women[1:]))


def test_unknown_population() -> None:
    with pytest.raises(UnknownName, match="kokoro"):
        load_voices("kokor")


def test_all_faults_of_a_file_at_once(tmp_path: Path) -> None:
    entry = """  - {{id: x, gender: female, engine: kokoro, recipe: [{recipe}], licence: l, attribution: a, rate: {rate}, chars_per_second: {cps}}}"""
    lines = [
        "format: dtbuild.voices/1",
        "voices:",
        entry.format(recipe="", rate="1.0", cps="4.9"),
        entry.format(recipe="{style: zf_xiaoni, weight: -1.0}", rate="3.0", cps="0.0"),
    ]
    (tmp_path / "v.yaml").write_text("\n".join(lines), "utf-8")
    with pytest.raises(SettingsError) as caught:
        load_voices(tmp_path / "v.yaml")
    message = str(caught.value)
    assert "'x' stands 2 times" in message and "rate 3.0" in message and "chars_per_second" in message
    assert message.count("weights over 0") == 2
    (tmp_path / "v.yaml").write_text("format: dtbuild.voices/1\nvoices: []\ncolour: red\n", "utf-8")
    with pytest.raises(SettingsError, match="colour"):
        load_voices(tmp_path / "v.yaml")
