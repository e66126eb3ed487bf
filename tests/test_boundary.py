"""Files at the boundary: every fault named, other versions refused, decoder and schema of one mind."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtbuild.boundary import faults, load, parse, schema_of
from dtbuild.errors import FormatError
from dtbuild.records.plan import Plan
from dtbuild.records.script import Script

DATA = Path(__file__).parent / "data"
PLAN = DATA / "sample_dialogue.plan.json"


def test_the_sample_loads_and_fits_its_schema() -> None:
    plan = load(PLAN, Plan)
    assert faults(json.loads(msgspec.json.encode(plan)), Plan) == []
    assert faults(json.loads((DATA / "sample_dialogue.script.json").read_bytes()), Script) == []


def test_every_fault_is_named_with_its_path() -> None:
    value = json.loads(PLAN.read_bytes())
    value["cast"][0]["gender"] = "other"
    value["trajectories"][1]["cycles"][0]["events"][0]["action"] = 3
    del value["family"]
    with pytest.raises(FormatError) as caught:
        parse(json.dumps(value).encode(), Plan, "p.json")
    for part in ["p.json", "cast[0].gender", "trajectories[1].cycles[0].events[0].action", "'family' is a required"]:
        assert part in str(caught.value)


@pytest.mark.parametrize("other", ["dtbuild.plan/2", "dtbuild.script/1", None])
def test_another_format_is_refused_with_the_way_out(other: str | None) -> None:
    value = json.loads(PLAN.read_bytes()) | {"format": other}
    with pytest.raises(FormatError, match=r"expected format dtbuild.plan/1.*next: read it with the dtbuild version"):
        parse(json.dumps(value).encode(), Plan, "p.json")


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff\xfe", b"nul"])
def test_what_is_no_such_json_is_refused(data: bytes) -> None:
    with pytest.raises(FormatError, match=r"p\.json"):
        parse(data, Plan, "p.json")


@given(st.data())
def test_whatever_damage_is_read_or_refused(data: st.DataObject) -> None:
    whole = bytearray(PLAN.read_bytes())
    at = data.draw(st.integers(0, len(whole) - 1))
    whole[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    cut = data.draw(st.integers(at, len(whole)) | st.just(len(whole)))
    with contextlib.suppress(FormatError):
        parse(bytes(whole[:cut]), Plan, "p.json")


def test_a_wrong_value_before_broken_json_is_refused() -> None:
    with pytest.raises(FormatError, match=r"p\.json; expected JSON"):
        parse(b'{"format": 3, \xff', Plan, "p.json")


def test_schemas_pin_the_format() -> None:
    assert schema_of(Plan)["$defs"]["Plan"]["properties"]["format"] == {"const": "dtbuild.plan/1"}
