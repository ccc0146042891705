"""Where everything is in one known state: an event in it need only look at what is concerned."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from vclogic_encodings.asl.names import NO_FIRE, NONE
from vclogic_encodings.asl.state import Fluents

from vclogic.model.fluents import Family, Now, State


class Moment:
    """One state, for what is asked of it most.

    Args:
        f: The fluents.
        now: The state.
        last: The state that was looked at before: little differs from one event to the next.

    Attributes:
        now: The value of each fluent.
        place: Where each unit is.
    """

    def __init__(self, f: Fluents, now: Now, last: Moment | None = None):
        self.f = f
        self.now = now
        self._last = last
        self._at = now.numbers(f.at)
        if last is None:
            self.place = {unit: str(now(fluent)) for (unit,), fluent in f.at.fluents.items()}
        else:
            self.place = self._moved(last)
        self.occupants = self._settled() if last is None else self._resettled(last)
        self._with = self._grouped(f.with_, "_with")
        self._melee = self._grouped(f.melee, "_melee")
        self._last = None  # one is enough

    def _moved(self, last: Moment) -> dict[str, str]:
        if self._at == last._at:
            return last.place
        names, sort = self.f.units.sort.members, self.f.places.sort.members
        place = dict(last.place)
        for i, (here, before) in enumerate(zip(self._at, last._at, strict=True)):
            if here != before:
                place[names[i]] = sort[here]
        return place

    def _settled(self) -> dict[str, list[str]]:
        """The units in each Location that has any."""
        found: dict[str, list[str]] = {}
        for unit, place in self.place.items():
            if place in self.f.geometry.hex_at:
                found.setdefault(place, []).append(unit)
        return found

    def _resettled(self, last: Moment) -> dict[str, list[str]]:
        if self.place is last.place:
            return last.occupants
        found = dict(last.occupants)
        for unit, place in self.place.items():
            before = last.place[unit]
            if place == before:
                continue
            if before in found:
                found[before] = [u for u in found[before] if u != unit]
                if not found[before]:
                    del found[before]
            if place in self.f.geometry.hex_at:
                found[place] = [*found.get(place, ()), unit]
        return found

    def _grouped(self, family: Family | None, which: str) -> tuple[State, Mapping[str, list[str]]]:
        """The numbers of a family of companions, and who has each of them."""
        if family is None:
            return (), {}
        numbers = self.now.numbers(family)
        last: tuple[State, Mapping[str, list[str]]] | None = getattr(self._last, which, None)
        if last is not None and last[0] == numbers:
            return last
        found: dict[str, list[str]] = {}
        for (unit,), fluent in family.fluents.items():
            found.setdefault(str(self.now(fluent)), []).append(unit)
        return numbers, found

    def inside(self, places: Iterable[str]) -> Iterable[str]:
        """The units in some Locations."""
        return (unit for place in places for unit in self.occupants.get(place, ()))

    def occupied(self, places: Iterable[str]) -> bool:
        """Whether a unit is in one of some Locations."""
        return any(place in self.occupants for place in places)

    def on_map(self, unit: str) -> bool:
        """Whether a unit is in a Location."""
        return self.place[unit] in self.f.geometry.hex_at

    def followers(self, unit: str) -> tuple[str, ...]:
        """Who rides in a unit, or is guarded, towed or carried by it."""
        return () if unit == NONE else tuple(self._with[1].get(unit, ()))

    def held_by(self, unit: str) -> tuple[str, ...]:
        """Who is held in Melee by a unit, and the unit itself."""
        return (*self._melee[1].get(unit, ()), unit)

    @cached_property
    def burning(self) -> tuple[State, ...]:
        """The state of every Fire, its cause, and all Rubble."""
        families = (self.f.fire, self.f.cause, self.f.rubble)
        return tuple(self.now.numbers(family) for family in families if family)

    @cached_property
    def quiet(self) -> bool:
        """Whether there is neither Fire nor Rubble anywhere."""
        f = self.f
        burning = any(self.now(t) != NO_FIRE for t in f.fire.fluents.values()) if f.fire else False
        return not burning and not (f.rubble and any(self.now(t) for t in f.rubble.fluents.values()))
