"""The examples in docstrings run."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import dtbuild

MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(dtbuild.__path__, "dtbuild.")
    if not module.name.endswith("__main__")
)


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert not result.failed
