"""Where everything is in one known state: an event in it need only look at what is concerned."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from vclogic_encodings.asl.names import NO_FIRE, NONE
from vclogic_encodings.asl.state import Fluents

from vclogic.model.actions import Now
from vclogic.model.fluents import Value


class Moment:
    """One state, for what is asked of it most.

    Attributes:
        now: The value of each fluent.
        place: Where each unit is.
    """

    def __init__(self, f: Fluents, now: Now):
        self.f = f
        self.now = now
        self.place = {unit: str(now(fluent)) for (unit,), fluent in f.at.fluents.items()}

    @cached_property
    def occupants(self) -> dict[str, list[str]]:
        """The units in each Location that has any."""
        known, found = self.f.geometry.hex_at, dict[str, list[str]]()
        for unit, place in self.place.items():
            if place in known:
                found.setdefault(place, []).append(unit)
        return found

    def inside(self, places: Iterable[str]) -> Iterable[str]:
        """The units in some Locations."""
        return (unit for place in places for unit in self.occupants.get(place, ()))

    def occupied(self, places: Iterable[str]) -> bool:
        """Whether a unit is in one of some Locations."""
        return any(place in self.occupants for place in places)

    def on_map(self, unit: str) -> bool:
        """Whether a unit is in a Location."""
        return self.place[unit] in self.f.geometry.hex_at

    @cached_property
    def _followers(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        if self.f.with_:
            for (unit,), fluent in self.f.with_.fluents.items():
                found.setdefault(str(self.now(fluent)), []).append(str(unit))
        return found

    def followers(self, unit: str) -> tuple[str, ...]:
        """Who rides in a unit, or is guarded by it."""
        return () if unit == NONE else tuple(self._followers.get(unit, ()))

    @cached_property
    def _fighters(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        if self.f.melee:
            for (unit,), fluent in self.f.melee.fluents.items():
                found.setdefault(str(self.now(fluent)), []).append(str(unit))
        return found

    def held_by(self, unit: str) -> tuple[str, ...]:
        """Who is held in Melee by a unit, and the unit itself."""
        return (*self._fighters.get(unit, ()), unit)

    @cached_property
    def burning(self) -> tuple[Value, ...]:
        """The state of every Fire, its cause, and all Rubble."""
        families = (self.f.fire, self.f.cause, self.f.rubble)
        return tuple(self.now(t) for family in families if family for t in family.fluents.values())

    @cached_property
    def quiet(self) -> bool:
        """Whether there is neither Fire nor Rubble anywhere."""
        f = self.f
        burning = any(self.now(t) != NO_FIRE for t in f.fire.fluents.values()) if f.fire else False
        return not burning and not (f.rubble and any(self.now(t) for t in f.rubble.fluents.values()))
