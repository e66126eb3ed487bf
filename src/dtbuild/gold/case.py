"""The numbers of one case: quantities and first values that hang together, and the values along each chain."""

from __future__ import annotations

import random
from decimal import Decimal

from dtbuild.gold.draw import Calendar, Raw, draw, first, pick, plain, revised, value_of
from dtbuild.gold.index import Index
from dtbuild.gold.shape import DeadEnd
from dtbuild.gold.step import Step
from dtbuild.records.blueprint import Effect, Field, Obstacle, ValueSpec
from dtbuild.records.plan import CLOSING
from dtbuild.records.values import Value

_HOLD_REVISES = 0.08
_SETTLE_REVISES = 0.05


class Case:
    """Draws quantities and fields on demand; a reference to a planned field follows its chain.

    `at_most` means the smallest value of the other chain and `at_least` its largest, so that bounds hold
    whatever the order of talk; a prior hangs on the chain's last value.
    """

    def __init__(self, index: Index, rng: random.Random) -> None:
        self.index = index
        self.rng = rng
        self.calendar = Calendar(index.anchor, index.closed)
        self._first: dict[str, Raw] = {}
        self._premises: dict[str, Raw] = {}
        self._along: dict[str, list[Decimal]] = {}

    def spec(self, ref: str) -> ValueSpec:
        field = self.index.fields.get(ref)
        return field.value if field is not None else self.index.blueprint.quantities[ref]

    def opening(self, ref: str) -> Raw:
        """The first value of a quantity or field, the same at every call."""
        if ref not in self._first:
            self._first[ref] = first(self.spec(ref), self.rng, self.resolve, self.calendar)
        return self._first[ref]

    def another(self, field: Field) -> Raw:
        """A first value of its own for a second instance."""
        return first(field.value, self.rng, self.resolve, self.calendar)

    def resolve(self, ref: str, purpose: str) -> Decimal:
        along = self._along.get(ref)
        if along:
            return {"prior": along[-1], "at_most": min(along), "at_least": max(along)}[purpose]
        raw = self.opening(ref)
        assert isinstance(raw, Decimal)
        return raw

    def follow(self, field: Field, raws: list[Raw]) -> None:
        """Remember the values of a planned chain for what hangs on them."""
        numbers = [raw for raw in raws if isinstance(raw, Decimal)]
        if numbers:
            self._along[field.key] = numbers

    def quantities(self) -> dict[str, Value]:
        specs = self.index.blueprint.quantities
        return {name: value_of(spec, self.opening(name), self.calendar) for name, spec in specs.items()}

    def premise(self, obstacle: Obstacle, name: str) -> Raw:
        """A particular of an obstacle, the same at every call."""
        key = f"{obstacle.id}.{name}"
        if key not in self._premises:
            self._premises[key] = first(obstacle.premises[name], self.rng, self.resolve, self.calendar)
        return self._premises[key]

    def premises(self, obstacle: Obstacle) -> dict[str, Value]:
        """The particulars by name, as quantities of the plan."""
        return {
            f"{obstacle.id}.{name}": value_of(spec, self.premise(obstacle, name), self.calendar)
            for name, spec in obstacle.premises.items()
        }

    def along(
        self, field: Field, cycles: list[list[Step]], roles: dict[str, str], revisable: bool, second: bool
    ) -> list[list[Raw | None]]:
        """The value of every step; `roles` are those of the persons, `second` asks for a second instance.

        Raises DeadEnd when a bound leaves no room for a change.
        """
        rng, spec = self.rng, field.value
        current: Raw | None = None
        opening = self._capped(cycles) or (self.another(field) if second else self.opening(field.key))
        result: list[list[Raw | None]] = []
        seen: list[Raw] = []
        for steps in cycles:
            values: list[Raw | None] = []
            for step in steps:
                side = self.index.sides[roles[step.person]]
                before = current
                if current is None:
                    current = None if step.unnamed else self._initial(step, opening, spec)
                elif step.cause is not None:
                    effect = None if step.cause.effect == "other" else step.cause.effect
                    current = self._change(spec, current, effect, None, seen)
                elif step.kind == "start" or (step is steps[0] and spec.type == "status"):
                    current = self._change(spec, current, None, side, seen, strict=False)
                elif step.kind == "revise":
                    gives_way = step.reason == "concession"
                    current = self._change(spec, current, step.toward, side, seen, returns=gives_way)
                elif step.kind == "resume" and step.effect == "cap":
                    current = self._cap(step)
                elif step.kind == "resume" and step.effect != "keep":
                    current = self._taken_out(spec, current, step) or self._change(
                        spec, current, step.effect, None, seen
                    )
                elif step.kind == "hold" and step.reason and revisable and rng.random() < _HOLD_REVISES:
                    current = self._change(spec, current, step.toward, side, seen, strict=False)
                elif step.kind == "settle" and step.result in CLOSING:
                    current = self._settled(step, spec, current, revisable, side, seen)
                if before is None or current == before:
                    step.reason = None
                if current is not None:
                    seen.append(current)
                values.append(current)
            result.append(values)
        self.follow(field, [raw for values in result for raw in values if raw is not None])
        return result

    def _taken_out(self, spec: ValueSpec, current: Raw, step: Step) -> Raw | None:
        """A count after as many are taken out as the obstacle named: two invoices listed twice are two fewer."""
        held = self.index.obstacle[step.clears or ""]
        for name, premise in held.premises.items():
            if step.effect == "lower" and spec.type == "count" == premise.type and premise.unit == spec.unit:
                number = self.premise(held, name)
                assert isinstance(current, Decimal) and isinstance(number, Decimal)
                return current - number
        return None

    def _initial(self, step: Step, opening: Raw, spec: ValueSpec) -> Raw:
        return pick(self.rng, spec.final) if step.kind == "settle" and spec.final else opening

    def _settled(self, step: Step, spec: ValueSpec, current: Raw, revisable: bool, side: str, seen: list[Raw]) -> Raw:
        if spec.final and current not in spec.final:
            if not revisable:
                raise DeadEnd
            step.reason = "recount"
            near = [code for code in spec.next.get(str(current), ()) if code in spec.final]
            return pick(self.rng, near or spec.final)
        if not spec.final and step.reason and revisable and self.rng.random() < _SETTLE_REVISES:
            return self._change(spec, current, step.toward, side, seen, strict=False)
        return current

    def _change(
        self,
        spec: ValueSpec,
        current: Raw,
        toward: Effect | None,
        side: str | None,
        seen: list[Raw],
        strict: bool = True,
        returns: bool = False,
    ) -> Raw:
        """A changed value; only a status, or whoever gives way (`returns`), comes back to one the chain had."""
        for _ in range(4):
            changed = revised(spec, current, toward, self.rng, self.resolve, self.calendar, side)
            if changed is None:
                break
            if spec.type == "status" or _leads_on(current, changed, seen, returns):
                return changed
        if strict:
            raise DeadEnd
        return current

    def _capped(self, cycles: list[list[Step]]) -> Raw | None:
        """The opening value above a cap that an obstacle of the first steps lowers it to."""
        for step in cycles[0]:
            obstacle = step.obstacle
            if step.kind == "hold" and step.effect == "cap" and obstacle and obstacle.cap and obstacle.over:
                return plain(self.resolve(obstacle.cap, "at_most") + draw(obstacle.over, self.rng))
        return None

    def _cap(self, step: Step) -> Raw:
        held = self.index.obstacle[step.clears or ""]
        assert held.cap is not None
        return self.resolve(held.cap, "at_most")


def _leads_on(current: Raw, changed: Raw, seen: list[Raw], returns: bool) -> bool:
    """Whether talk would move on to the value: not past a number already left in that direction.

    Who counters ends between the two numbers; who gives way may also end at the other's (`returns`).
    """
    if changed in seen and not returns:
        return False
    if not isinstance(current, Decimal) or not isinstance(changed, Decimal):
        return True
    low, high = min(current, changed), max(current, changed)
    return not any(low < raw < high for raw in seen if isinstance(raw, Decimal))
