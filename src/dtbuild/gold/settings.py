"""What a cohort's gold should look like: sizes, speakers, and how often each phenomenon is planned."""

from __future__ import annotations

import functools
import math

import msgspec

from dtbuild.errors import SettingsError, closest
from dtbuild.records.variant import VariantKind

RATES: dict[str, float] = {
    "revision": 0.85,
    "suspension": 0.85,
    "resumption": 0.65,
    "reopening": 0.2,
    "unauthorised_candidate": 0.45,
    "scope_limited_settle": 0.2,
    "first_event_hold": 0.15,
    "first_event_settle": 0.15,
    "elliptical_reference": 0.6,
    "carried_over_value": 0.55,
    "interleaving": 0.75,
    "composite_value": 0.2,
    "distractor_number": 0.9,
}
"""Share of families in which each phenomenon of the spec (section 2) is planned, by default."""

IMPLIES = {"resumption": "suspension", "first_event_hold": "suspension"}
"""Phenomena that cannot be shown without another, which is so at least as frequent."""

VARIANTS: dict[VariantKind, float] = {"speaker_swap": 2.0, "confirmation_change": 2.0, "role_reassignment": 1.0}
"""Weights of the kinds of change among pairs, by default."""


class GoldSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Raises SettingsError where sizes, names or shares make no sense.

    Sizes are inclusive ranges; `speakers` weights cast sizes (as in the paper by default), `variants` the kinds of
    change among pairs, where a kind that is not named has no weight."""

    trajectories: tuple[int, int] = (1, 4)
    events: tuple[int, int] = (5, 12)
    speakers: dict[str, float] = msgspec.field(default_factory=lambda: {"2": 0.2, "3": 0.6, "4": 0.2})
    variants: dict[str, float] = msgspec.field(default_factory=lambda: {str(kind): w for kind, w in VARIANTS.items()})
    rates: dict[str, float] = {}

    def __post_init__(self) -> None:
        for name, (low, high) in (("trajectories", self.trajectories), ("events", self.events)):
            if not 1 <= low <= high:
                raise SettingsError(
                    f"gold.{name}", expected="two numbers, 1 ≤ lowest ≤ highest", found=f"{low}, {high}"
                )
        for name, rate in self.rates.items():
            if name not in RATES:
                raise SettingsError("gold.rates", expected=closest(name, RATES), found=name)
            if not 0 <= rate <= 1:
                raise SettingsError(f"gold.rates.{name}", expected="a share from 0 to 1", found=str(rate))
        for name, needed in IMPLIES.items():
            if self.rate(name) > self.rate(needed):
                raise SettingsError(
                    f"gold.rates.{name}",
                    expected=f"at most the rate of {needed}, without which there is no {name}: {self.rate(needed)}",
                    found=str(self.rate(name)),
                    fix=f"lower it, or raise {needed}",
                )
        if self.rate("interleaving") > 0 and self.trajectories[1] < 2:
            raise SettingsError(
                "gold.rates.interleaving",
                expected="0 where a family has one trajectory",
                found=str(self.rate("interleaving")),
                fix="lower it, or widen gold.trajectories",
            )
        usable = {size for size, weight in self.speakers.items() if size in ("2", "3", "4") and weight > 0}
        if not usable or usable != {size for size, weight in self.speakers.items() if weight != 0}:
            raise SettingsError(
                "gold.speakers", expected="weights above 0 for 2, 3 or 4", found=str(dict(self.speakers))
            )

        for name, weight in self.variants.items():
            if name not in VARIANTS:
                raise SettingsError("gold.variants", expected=closest(name, VARIANTS), found=name)
            if not 0 <= weight < math.inf:
                raise SettingsError(f"gold.variants.{name}", expected="a weight of 0 or more", found=str(weight))
        if not any(self.variants.values()):
            raise SettingsError("gold.variants", expected="a weight above 0", found=str(dict(self.variants)))

    def rate(self, phenomenon: str) -> float:
        """The planned share of families, the default where the settings name none.

        A default keeps its proportion to that of what it needs, where less of that is planned.

        >>> GoldSettings(rates={"suspension": 0.425}).rate("resumption")
        0.325
        """
        if phenomenon in self.rates:
            return self.rates[phenomenon]
        if phenomenon == "interleaving" and self.trajectories[1] < 2:
            return 0.0
        rate, needed = RATES[phenomenon], IMPLIES.get(phenomenon)
        return rate if needed is None else rate * min(1.0, self.rate(needed) / RATES[needed])

    def variant(self, number: int) -> VariantKind:
        """The kind of the number-th pair (from 1): counts keep to the weights within one pair at any length.

        >>> weights = {"speaker_swap": 2.0, "confirmation_change": 2.0, "role_reassignment": 1.0}
        >>> [GoldSettings(variants=weights).variant(number) for number in (1, 2, 3)]
        ['speaker_swap', 'confirmation_change', 'role_reassignment']
        """
        weights = tuple(self.variants.get(kind, 0.0) for kind in VARIANTS)
        return _order(weights, 1 << number.bit_length())[number - 1]


def pairs_to(index: int, share: float) -> int:
    """How many of the first families are pairs.

    >>> [pairs_to(index, 0.5) for index in range(1, 5)]
    [0, 1, 1, 2]
    """
    return int(index * share + 1e-9)


@functools.lru_cache(maxsize=8)
def _order(weights: tuple[float, ...], length: int) -> tuple[VariantKind, ...]:
    """Kinds of the first pairs: each is the one that lags furthest behind its share."""
    total = sum(weights)
    counts = [0] * len(weights)
    found: list[VariantKind] = []
    kinds = tuple(VARIANTS)
    for number in range(1, length + 1):
        # rounded, so that equal shares are equal and the order of kinds decides
        lags = [round(number * weight / total - count, 9) for weight, count in zip(weights, counts, strict=True)]
        at = lags.index(max(lags))
        counts[at] += 1
        found.append(kinds[at])
    return tuple(found)
