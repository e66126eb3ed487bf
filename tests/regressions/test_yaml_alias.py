"""A YAML value inside itself ended in an internal fault; a few lines of aliases filled memory."""

from __future__ import annotations

import pytest

from dtbuild.errors import SettingsError
from dtbuild.settings import parse_yaml

LAUGHS = "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 30))


@pytest.mark.parametrize(
    ("text", "line"), [("a: &a [*a]\n", "line 1"), ("a: &a {b: *a}\n", "line 1"), (LAUGHS, "line ")]
)
def test_an_alias_is_refused_with_its_line(text: str, line: str) -> None:
    with pytest.raises(SettingsError, match=f"{line}.*alias"):
        parse_yaml(text, "x.yaml")


def test_a_key_that_is_no_word_is_refused_with_its_line() -> None:
    with pytest.raises(SettingsError, match="line 2: a list or mapping as a key"):
        parse_yaml("a: 1\n{b: c}: d\n", "x.yaml")
