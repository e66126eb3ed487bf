"""What a cohort's gold should look like: sizes, speakers, and how often each phenomenon is planned."""

from __future__ import annotations

import msgspec

from dtbuild.errors import SettingsError, closest

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


class GoldSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Raises SettingsError where sizes, names or shares make no sense.

    Sizes are inclusive ranges; `speakers` weights cast sizes (as in the paper by default)."""

    trajectories: tuple[int, int] = (1, 4)
    events: tuple[int, int] = (5, 12)
    speakers: dict[str, float] = msgspec.field(default_factory=lambda: {"2": 0.2, "3": 0.6, "4": 0.2})
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
        usable = {size for size, weight in self.speakers.items() if size in ("2", "3", "4") and weight > 0}
        if not usable or usable != {size for size, weight in self.speakers.items() if weight != 0}:
            raise SettingsError(
                "gold.speakers", expected="weights above 0 for 2, 3 or 4", found=str(dict(self.speakers))
            )

    def rate(self, phenomenon: str) -> float:
        """The planned share of families, the default where the settings name none."""
        return self.rates.get(phenomenon, RATES[phenomenon])
