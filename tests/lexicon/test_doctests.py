"""The examples in the docstrings hold."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import dtbuild.lexicon

MODULES = ["dtbuild.lexicon", *(f"dtbuild.lexicon.{m.name}" for m in pkgutil.iter_modules(dtbuild.lexicon.__path__))]


@pytest.mark.parametrize("name", MODULES)
def test_examples_of(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0
