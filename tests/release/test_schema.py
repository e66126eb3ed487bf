"""The public schema: every combination, every value structure, nothing of a programmer."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import jsonschema
import msgspec
import pytest

from dtbuild.records.blueprint import Blueprint
from dtbuild.records.values import Composite, Date, Money, Of, Range, Rate, Ratio, Status, Term, Value
from dtbuild.release.schema import public_schema

VALUES: tuple[Value, ...] = (
    Money(amount=Decimal("7200000"), currency="CNY"),
    Rate(value=Decimal("0.8"), unit="percent", per="month"),
    Term(value=Decimal(5), unit="month"),
    Date(iso="2026-03-31", bound="by"),
    Ratio(parts=(Decimal(3), Decimal(7))),
    Status(code="complete"),
    Range(lo=Decimal(3), hi=Decimal(5), of=Of(type="rate", unit="percent")),
    Composite(parts=(Term(value=Decimal(5), unit="month"), Rate(value=Decimal(1), unit="percent"))),
)


def test_every_combination_is_there(blueprint: Blueprint) -> None:
    schema = public_schema(blueprint)
    assert [f"{each.entity}/{each.field}" for each in schema.fields] == [field.key for field in blueprint.fields]
    assert set(schema.scopes) == {scope.id for scope in blueprint.scopes}
    assert schema.actions == ("start", "advance", "hold", "settle")
    assert schema.results == ("confirmed", "approved", "rejected", "withdrawn")
    amount, term, *_, state = schema.fields
    assert (amount.values, amount.units, amount.label) == (("money", "range"), ("CNY",), "应收账款 · 融资金额")
    assert term.units == ("month",)
    assert (state.values, state.codes) == (("status",), {"complete": "齐了"})
    assert schema.fields[3].instances == ("甲批", "乙批")


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__.lower())
def test_value_structures_describe_the_values(value: Value, blueprint: Blueprint) -> None:
    plain: Any = msgspec.json.decode(msgspec.json.encode(value))
    structures = public_schema(blueprint).value_structures
    schema = {"value_structures": structures, "$ref": f"#/value_structures/{plain['type']}"}
    check = jsonschema.Draft202012Validator(schema)
    check.validate(plain)
    assert not check.is_valid({**plain, "confidence": 1})


def test_nothing_of_a_programmer_in_it(blueprint: Blueprint) -> None:
    text = msgspec.json.encode(public_schema(blueprint)).decode()
    assert ">>>" not in text and "#/$defs" not in text
