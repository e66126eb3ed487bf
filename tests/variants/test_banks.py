"""What the writer says in B is what the gate asks for: the banks of a confirmation change, line by line."""

from __future__ import annotations

import pytest

from dtbuild.blueprint.load import load
from dtbuild.script.phrasebook import Phrasebook
from dtbuild.script.template import flat
from dtbuild.variants.coherence import clauses, open_clause
from dtbuild.variants.coherence_confirm import CLOSES, DEFERS, GLAD


def _lines(bank: str) -> list[str]:
    entries = Phrasebook.of(load("supply_chain")).lines(bank)
    assert len(entries) > 10
    return [line for entry in entries for line in flat(entry)]


@pytest.mark.parametrize("line", _lines("defer"))
def test_an_answer_lacks_authority_and_closes_nothing(line: str) -> None:
    assert DEFERS.search(line)
    assert not [clause for clause in clauses(line) if CLOSES.search(clause) and not open_clause(clause)]


@pytest.mark.parametrize("line", _lines("after.defer"))
def test_nobody_is_glad_of_it(line: str) -> None:
    assert not GLAD.search(line)
    assert not [clause for clause in clauses(line) if CLOSES.search(clause) and not open_clause(clause)]
