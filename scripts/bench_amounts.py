"""Amounts: dtbuild against cn2an and wetext on the same texts, in one process, one after the other.

    .venv/bin/python scripts/bench_amounts.py [--quick]

Rows are tests/data/amounts.tsv, and values said by dtbuild (`say`, every style) that have to be read back.

How each is scored, on purpose kindly for the peers:
- dtbuild: the row is right when every mention has the expected type, number, unit, period, bound and span.
- cn2an and wetext return text or one number, with no types and no ranges. A row is right for them when the
  expected *numbers* are all that stand in their output: for 三百万 a 3000000 or 300万, for 年化六个点 a 6, for
  3.85% a 3.85 %, for a date its digits, for a ratio its parts. Kind, currency, unit, period and bound are not
  asked of them. A row with a range or an ambiguity is right when one answer leaves the words alone or has both
  ends, a row with no amount when every answer leaves them alone.
- cn2an may answer through `cn2an(text, "smart")` or `transform(text)`, wetext through its Chinese inverse text
  normalisation; either answer counts.
Speed is the median over the rows of the best of several runs; only the ratio inside this run means anything.
Exit status 1 when dtbuild is right on less than every row.
"""

from __future__ import annotations

import argparse
import datetime
import random
import re
import statistics
import sys
import time
import warnings
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "lexicon"))

import notation  # noqa: E402

from dtbuild.errors import Unspeakable  # noqa: E402
from dtbuild.lexicon import STYLES, read, say  # noqa: E402
from dtbuild.records.values import Count, Factor, Money, Rate, Term, Value  # noqa: E402

ANCHOR = datetime.date(2026, 1, 31)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_OUTPUT = re.compile(r"(-?\d+(?:,\d{3})*(?:\.\d+)?)\s*(万亿|亿|千万|百万|万|千|百)?")
_SCALE = {"": 1, "百": 100, "千": 1000, "万": 10**4, "百万": 10**6, "千万": 10**7, "亿": 10**8, "万亿": 10**12}
Peer = Callable[[str], list[str]]


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--quick", action="store_true", help="fewer round trips and timing runs")
    quick = options.parse_args().quick
    rows = notation.rows()
    trips = round_trips(60 if quick else 600)
    peers = load_peers()

    wrong = [(surface, wanted) for surface, wanted in rows if notation.rendered(read(surface, anchor=ANCHOR)) != wanted]
    lost = [(words, value) for words, value in trips if not reads_back(words, value)]
    print("| figure | reached | wanted |\n|---|---|---|")
    line(f"amounts.tsv, dtbuild ({len(rows)} rows)", share(len(rows) - len(wrong), len(rows)), "100 %")
    for name, peer in peers.items():
        right = sum(peer_is_right(peer(surface), wanted) for surface, wanted in rows)
        line(f"amounts.tsv, {name} (numbers only)", share(right, len(rows)), "less than dtbuild")
    line(f"say, then read, dtbuild ({len(trips)} texts)", share(len(trips) - len(lost), len(trips)), "100 %")
    for name, peer in peers.items():
        right = sum(peer_is_right(peer(words), notation.value(value)) for words, value in trips)
        line(f"say, then read, {name} (numbers only)", share(right, len(trips)), "less than dtbuild")

    surfaces = [surface for surface, _ in rows]
    repeats = 3 if quick else 10
    ours = seconds(lambda text: read(text, anchor=ANCHOR), surfaces, repeats)
    turn = "那张八十万的剔出来，剩下的按七百二十万，继续往下核，利率降到三点五个点，期限五个月。"
    whole = seconds(lambda text: read(text, anchor=ANCHOR), [turn], 20 * repeats)
    line("read, median row, µs", f"{ours * 1e6:.0f}", "-")
    line(f"read, a turn of {len(turn)} characters with four amounts, ms", f"{whole * 1e3:.2f}", "below 1")
    for name, peer in peers.items():
        theirs = seconds(peer, surfaces, repeats)
        line(f"time of {name} on the same rows, over ours", f"{theirs / ours:.1f} x", "-")
    for surface, wanted in wrong:
        print(f"wrong: {surface}: wanted {wanted}", file=sys.stderr)
    for words, value in lost:
        print(f"lost: {words}: {value}", file=sys.stderr)
    return 1 if wrong or lost else 0


def load_peers() -> dict[str, Peer]:
    """cn2an and wetext, each with every answer it can give to one text; a missing one is left out by name."""
    peers: dict[str, Peer] = {}
    try:
        import cn2an

        def by_cn2an(text: str) -> list[str]:
            out = []
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                for call in (lambda: cn2an.cn2an(text, "smart"), lambda: cn2an.transform(text, "cn2an")):
                    try:
                        out.append(str(call()))
                    except (ValueError, KeyError, IndexError, TypeError):  # it fails on some
                        continue
            return out

        peers["cn2an"] = by_cn2an
    except ImportError:
        print("cn2an is not installed: pip install 'dtbuild[bench]'", file=sys.stderr)
    try:
        from wetext import Normalizer

        normalizer = Normalizer(lang="zh", operator="itn", enable_0_to_9=True)
        peers["wetext"] = lambda text: [normalizer.normalize(text)]
    except ImportError:
        print("wetext is not installed: pip install 'dtbuild[bench]'", file=sys.stderr)
    return peers


def peer_is_right(answers: list[str], wanted: str) -> bool:
    """Whether one of the answers carries exactly the expected numbers, by the rules at the head."""
    if wanted == "none":
        return all(not _OUTPUT.search(answer) for answer in answers)
    if wanted == "ambiguous" or "~" in wanted:
        ends = sorted(expected_numbers(wanted.replace("..", " ")))
        return any(
            not _OUTPUT.search(answer) or (ends and any(sorted(found) == ends for found in output_numbers(answer)))
            for answer in answers
        )
    numbers = expected_numbers(wanted)
    return any(sorted(found) == sorted(numbers) for answer in answers for found in output_numbers(answer))


def expected_numbers(wanted: str) -> list[Decimal]:
    if wanted.startswith("date"):
        return [Decimal(part) for part in wanted.split()[-1].split("-")]
    return [abs(Decimal(number)) for number in _NUMBER.findall(wanted)]


def output_numbers(answer: str) -> list[list[Decimal]]:
    """The numbers of an answer; years also as months, digits after 折 and per mille also as they are meant."""
    found = [abs(Decimal(number.replace(",", "")) * _SCALE[scale]) for number, scale in _OUTPUT.findall(answer)]
    readings = [found]
    for mark, factor in (
        ("年", 12),
        ("折", Decimal("0.1")),
        ("折", Decimal("0.01")),
        ("成", 10),
        ("‰", Decimal("0.1")),
        ("/1000", 1),
        ("BP", Decimal("0.01")),
        ("基点", Decimal("0.01")),
    ):
        if mark in answer:
            readings.append([number * factor for number in found])
    if "/" in answer and len(found) == 2 and found[1] in (100, 1000, 10000):
        readings.append([found[0] * 100 / found[1]])
    return readings


def round_trips(size: int) -> list[tuple[str, Value]]:
    """Values of the types a peer could know too, said in every style."""
    rng = random.Random(20260131)
    values: list[Value] = []
    for _ in range(size):
        values += [
            Money(amount=Decimal(rng.choice([1, 100, 10**4, 10**6]) * rng.randint(1, 9999)), currency="CNY"),
            Rate(value=Decimal(rng.randint(1, 2000)) / 100, unit="percent"),
            Term(value=Decimal(rng.randint(1, 60)), unit=rng.choice(["month", "day"])),
            Count(value=Decimal(rng.randint(1, 500)), unit=rng.choice(["台", "张", "期"])),
            Factor(value=Decimal(rng.randint(11, 99)) / 100),
        ]
    trips: list[tuple[str, Value]] = []
    for value in values:
        for style in STYLES[str(value.__struct_config__.tag)]:
            try:
                trips.append((say(value, style), value))
            except Unspeakable:
                continue
    return sorted(set(trips), key=lambda trip: trip[0])


def reads_back(words: str, value: Value) -> bool:
    found = read(words)
    return len(found) == 1 and found[0].value == value and found[0].text == words


def seconds(call: Callable[[str], object], texts: list[str], repeats: int) -> float:
    """Median over the texts of the best time of one call."""
    times = []
    for text in texts:
        best = float("inf")
        for _ in range(repeats):
            begin = time.perf_counter()
            call(text)
            best = min(best, time.perf_counter() - begin)
        times.append(best)
    return statistics.median(times)


def share(right: int, of: int) -> str:
    return f"{right}/{of} = {100 * right / of:.1f} %"


def line(figure: str, reached: str, wanted: str) -> None:
    print(f"| {figure} | {reached} | {wanted} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
