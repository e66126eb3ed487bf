"""Figures counted by hand against those measured, and the data card that states them."""

from __future__ import annotations

import re
import statistics
from pathlib import Path

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from dtbuild.boundary import load
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.bundle import Bundle
from dtbuild.records.cohort import Manifest, Stats
from dtbuild.release.card import TEMPLATE, data_card
from dtbuild.release.schema import public_schema
from dtbuild.release.stats import spread, stats, stats_text
from dtbuild.release.terminal import cells
from dtbuild.resources import text


def test_figures_counted_by_hand(bundles: tuple[Bundle, ...]) -> None:
    figures = stats(bundles)
    assert (figures.recordings, figures.families, figures.pairs) == (3, 2, 1)
    assert figures.speakers == {"2": 1, "3": 2}
    # the sample has chains of 4, 3 and 2 events, twice; the other family chains of 2 and 1
    assert (figures.trajectories, figures.events) == (8, 21)
    assert figures.chain_length == {"1": 1, "2": 3, "3": 2, "4": 2}
    assert figures.actions == {"advance": 4, "hold": 5, "settle": 5, "start": 7}
    assert figures.results == {"approved": 4, "confirmed": 1}
    assert figures.terminal_states == {"active": 1, "held": 2, "settled": 5}
    assert figures.values == {"money": 10, "null": 1, "rate": 4, "term": 6}
    assert figures.candidates == 3 and figures.turns == 54
    assert figures.phenomena["first_event_hold"] == 1 and figures.phenomena["revision"] == 2
    assert figures.mentions["unauthorised"] == 5
    assert figures.verdicts == {"review by rules": {"pass": 3}}
    assert figures.duration.max_us == 108_800_000 and figures.duration.min_us == 13_100_000
    assert figures.windows["utterance"] == figures.windows["coarse"]


def test_folder_and_bundles_give_the_same(released: tuple[Path, Manifest], bundles: tuple[Bundle, ...]) -> None:
    assert stats(released[0]) == stats(bundles) == load(released[0] / "stats.json", Stats)
    assert stats(released[0].parent) == stats(bundles)


@given(st.lists(st.integers(0, 10**10)))
def test_spread(lengths: list[int]) -> None:
    found = spread(lengths)
    assert (found.count, found.total_us) == (len(lengths), sum(lengths))
    if lengths:
        assert (found.min_us, found.max_us) == (min(lengths), max(lengths))
        assert found.median_us == int(statistics.median_low(lengths) + statistics.median_high(lengths)) // 2


def test_table_in_the_terminal(bundles: tuple[Bundle, ...]) -> None:
    table = stats_text(stats(bundles))
    assert re.search(r"^  recordings +3$", table, re.M)
    assert re.search(r"^  min / median / max duration, s +13\.10 / 108\.80 / 108\.80$", table, re.M)
    assert re.search(r"^  advance +4 \(19\.0 %\)$", table, re.M)
    assert len({cells(line) for line in table.splitlines() if line.startswith("  ")}) == 1
    assert not [line for line in table.splitlines() if line != line.rstrip()]


def test_card_states_all_of_the_template(
    released: tuple[Path, Manifest], bundles: tuple[Bundle, ...], blueprint: Blueprint
) -> None:
    root, manifest = released
    card = (root / "data_card.md").read_text("utf-8")
    assert card == data_card(manifest, stats(bundles), public_schema(blueprint))
    assert "{{" not in card and "<!--" not in card
    headings = re.findall(r"^#+ .*$", text(TEMPLATE), re.M)[1:]
    assert headings == re.findall(r"^#+ .*$", card, re.M)[1:] and len(headings) >= 10
    for stated in (manifest.content_hash, manifest.audio_hash, manifest.config_fingerprint, "供应链金融", "Apache-2.0"):
        assert stated in card
    for voice in manifest.voices:
        assert f"`{voice.id}`" in card and voice.attribution in card
    for asset in manifest.assets:
        assert asset.package in card and asset.licence in card
    assert "speaker swap" in card and "receivable_pool/financing_term B1 person: p2 → p1" in card


def test_card_says_when_there_is_nothing(
    bundles: tuple[Bundle, ...], blueprint: Blueprint, released: tuple[Path, Manifest]
) -> None:
    alone = msgspec.structs.replace(released[1], pairs=(), recordings=released[1].recordings[2:])
    card = data_card(alone, stats(bundles[2:]), public_schema(blueprint))
    assert "There are no pairs in this cohort." in card and "Families withheld: none" in card
