"""What a cohort's gold should look like: sizes, speakers, and how often each phenomenon is planned."""

from __future__ import annotations

import msgspec

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
    """Sizes are inclusive ranges; `speakers` weights cast sizes (as in the paper by default)."""

    trajectories: tuple[int, int] = (1, 4)
    events: tuple[int, int] = (5, 12)
    speakers: dict[str, float] = msgspec.field(default_factory=lambda: {"2": 0.2, "3": 0.6, "4": 0.2})
    rates: dict[str, float] = {}

    def rate(self, phenomenon: str) -> float:
        """The planned share of families, the default where the settings name none."""
        return self.rates.get(phenomenon, RATES[phenomenon])
