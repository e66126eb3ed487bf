"""Strict YAML: nothing is read as something else, and all faults are named at once with their lines."""

from __future__ import annotations

import contextlib
from decimal import Decimal
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtbuild.errors import BlueprintError, SettingsError
from dtbuild.records.values import Money, Value
from dtbuild.settings import decode, load_yaml, parse_yaml


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    id: str
    share: Decimal = Decimal(1)
    weight: float = 1.0
    value: Value | None = None


class Top(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    parts: tuple[Part, ...]
    words: dict[str, tuple[str, ...]] = {}


def test_words_that_other_loaders_convert_stay_words() -> None:
    document = parse_yaml("words: {a: [no, 12:30, on, 0x1F, 1e3, 1_000, 012, '5']}\nparts: []", "x")
    assert decode(document, Top).words["a"] == ("no", "12:30", "on", "0x1F", "1e3", "1_000", "012", "5")


def test_decimals_are_read_from_their_text() -> None:
    document = parse_yaml("parts: [{id: a, share: 0.1, value: {type: money, amount: 0.30, currency: CNY}}]", "x")
    (part,) = decode(document, Top).parts
    assert part.share == Decimal("0.1") and part.value == Money(amount=Decimal("0.30"), currency="CNY")


def test_all_faults_are_named_at_once_with_lines() -> None:
    text = "parts:\n  - {id: 3, shar: 1}\n  - {share: x}\nword: {}\n"
    with pytest.raises(SettingsError) as caught:
        decode(parse_yaml(text, "bad.yaml"), Top)
    message = str(caught.value)
    for part in ["bad.yaml", "line 2, parts[0].id", "perhaps 'share'", "line 3, parts[1].share", "missing key 'id'",
                 "line 4, word: unknown key; perhaps 'words'"]:  # fmt: skip
        assert part in message


def test_duplicate_keys_are_all_named() -> None:
    with pytest.raises(SettingsError, match=r"line 2: key 'a' stands twice \(first on line 1\); line 4: key 'b'"):
        parse_yaml("a: 1\na: 2\nc: {b: 1,\n b: 2}", "x")


@pytest.mark.parametrize("text", ["a: [1", "a: b: c", "\t- x", "a: 'x", "{a: 1}}"])
def test_broken_yaml_is_refused_with_its_line(text: str) -> None:
    with pytest.raises(SettingsError, match="line 1"):
        parse_yaml(text, "x")


def test_unreadable_files_are_named(tmp_path: Path) -> None:
    (tmp_path / "latin.yaml").write_bytes("a: é".encode("latin-1"))
    for name in ["latin.yaml", "absent.yaml"]:
        with pytest.raises(BlueprintError, match=name):
            load_yaml(tmp_path / name, error=BlueprintError)


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(SettingsError):
        decode(parse_yaml(text, "x"), Top)
