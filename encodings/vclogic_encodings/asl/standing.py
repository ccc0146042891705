"""Position that `status` shows: units with their state, controllers, Fire; and the part that a side can know."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from vclogic_encodings.asl.board import INFANTRY
from vclogic_encodings.asl.citing import cite
from vclogic_encodings.asl.game import Rules
from vclogic_encodings.asl.geometry import hex_of
from vclogic_encodings.asl.names import (
    ACCIDENT,
    BUILDING,
    CONCEALED,
    ELIMINATED,
    EXITED,
    HEX,
    LOCATION,
    NO_FIRE,
    NONE,
    OFF,
    OPEN,
)
from vclogic_encodings.asl.rules.concealment import can_know
from vclogic_encodings.asl.rules.controllers import controller

from vclogic.model.position import Listing, Note, Thing
from vclogic.model.view import View
from vclogic.terms.atoms import TRUE, constant
from vclogic.terms.build import all_of, and_, eq, implies, ite, or_
from vclogic.terms.term import Term

_KINDS = {LOCATION: "Location", HEX: "hex", BUILDING: "building"}
_PLURALS = {"Location": "Locations", "hex": "hexes", "building": "buildings"}
_TROOPS = {"squad": "squads", "half-squad": "half-squads", "crew": "crews", "leader": "leaders", "hero": "heroes"}
_TROOPS |= {"armour-leader": "armour-leaders", "dummy": "dummies", "vehicle": "vehicles", "wagon": "wagons"}
_TROOPS |= {"motorcycle": "motorcycles", "boat": "boats", "glider": "gliders", "gun": "guns"}


def listings(every: Rules, now: View) -> Iterable[Listing]:
    """The parts of the position, with the fluents read by a view."""
    game = every.seen(now)
    sight = _Sight(game)
    units = tuple(_unit(game, sight, name) for name in game.board.units)
    yield Listing(
        "Units",
        "Where",
        "units",
        units,
        OFF,
        "off the map",
        words={OFF: "off the map", ELIMINATED: "eliminated", EXITED: "exited"},
        plurals=_TROOPS,
        hidden="what the other side has hidden is left out; what it has concealed is shown as ?",
    )
    yield Listing(
        "Who controls what",
        "Side",
        "Locations, hexes and buildings",
        tuple(_controlled(game)),
        NONE,
        "that nobody controls",
        words={NONE: "nobody"},
        plurals=_PLURALS,
        instead=tuple(f"{kind}_controller" for kind in _KINDS),
        cites=cite("26.12/1", "26.13/1", "26.14/1"),
    )
    if game.fluents.flammable:
        yield _fires(game)


def _fires(game: Rules) -> Listing:
    """Fire and rubble."""
    fluents, now, found = game.fluents, game.now, []
    for (name,) in fluents.fire.fluents:
        burns = now(fluents.fire[name])
        cause = now(fluents.cause[name])
        notes = (
            Note("rubble", now(fluents.rubble[name])),
            Note("started by the {} side", ite(eq(burns, NO_FIRE), constant(cause.sort, ACCIDENT), cause)),
        )
        found.append(Thing(name, burns, "Location", notes=notes))
    return Listing(
        "Fire and rubble",
        "Fire",
        "Locations",
        found,
        NO_FIRE,
        "without Fire and rubble",
        words={NO_FIRE: "none"},
        plurals=_PLURALS,
    )


# ---- control


def _controlled(game: Rules) -> Iterable[Thing]:
    """Everything that can be controlled, what is larger first."""
    for kind in (BUILDING, HEX, LOCATION):
        names = (name for k, name in game.fluents.areas if k == kind)
        for name in names:
            yield Thing(
                name,
                controller(game.units, kind, name),
                _KINDS[kind],
                parts=tuple(_parts(game, kind, name)),
                seen=partial(_control_known, game, kind, name),
            )


def _control_known(game: Rules, kind: str, name: str, view: str) -> Term:
    return can_know(game.units, view, kind, name)


def _parts(game: Rules, kind: str, name: str) -> Iterable[tuple[str, str]]:
    """The parts of an area that can be controlled."""
    if kind == LOCATION:
        return
    locations = game.fluents.parts(kind, name)
    if kind == BUILDING:
        yield from ((_KINDS[HEX], h) for h in dict.fromkeys(map(hex_of, locations)))
    yield from ((_KINDS[LOCATION], x) for x in locations)


# ---- units


def _unit(game: Rules, sight: _Sight, name: str) -> Thing:
    unit = game.board.units[name]
    there, named = partial(sight.there, name), partial(sight.named, name)
    at = game.now(game.fluents.at[name])
    return Thing(name, at, unit.kind, unit.side, notes=tuple(_notes(game, name)), there=there, named=named)


def _notes(game: Rules, name: str) -> Iterable[Note]:
    """The state of a unit."""
    fluents, now = game.fluents, game.now
    captured, companion = now(fluents.captured[name]), now(fluents.with_[name])
    nobody = constant(companion.sort, NONE)
    yield Note("{}", now(fluents.concealment[name]), OPEN)
    states = (fluents.reduced, fluents.broken, fluents.disrupted, fluents.wounded)
    for family in (*states, fluents.shocked, fluents.immobile, fluents.dismantled):
        yield Note(family.name, now(family[name]))
    yield Note("in bypass", now(fluents.bypass[name]))
    yield Note("{} main armament" if game.kind(name) != "gun" else "{}", now(fluents.armament[name]))
    if game.kind(name) in INFANTRY:
        yield Note("without weapons", now(fluents.unarmed[name]))
        yield Note("prisoner of {}", ite(captured, companion, nobody), NONE)
        yield Note("prisoner, unguarded", and_(captured, eq(companion, NONE)))
        yield Note("with {}", ite(captured, nobody, companion), NONE)
    else:
        yield Note("captured", captured)
        yield Note("with {}", companion, NONE)
    yield Note("in Melee with {}", now(fluents.melee[name]), NONE)
    yield Note("{} casualty points", now(fluents.scored[name]))
    yield Note("{} exit points", now(fluents.exit_points[name]))


class _Sight:
    """The facts that a side can know of the units of the other one."""

    def __init__(self, game: Rules):
        self._game = game

    def there(self, unit: str, view: str) -> Term:
        """True if a side can know that a unit is there: it is not hidden, nor with a unit that is."""
        return self._known(unit, view, self._shows)

    def named(self, unit: str, view: str) -> Term:
        """True if a side can know the kind of a unit: it is not concealed, nor with a unit that is."""
        return self._known(unit, view, self._open)

    def _known(self, unit: str, view: str, alone: Callable[[str], Term]) -> Term:
        game, fluents = self._game, self._game.fluents
        if game.side(unit) == view:
            return TRUE
        companion = game.now(fluents.with_[unit])
        sort = fluents.companions
        possible = (str(companion.value),) if companion.is_const else sort.members
        others = (u for u in possible if u in game.board.units and game.side(u) != view)
        goes = all_of(implies(eq(companion, u), alone(u)) for u in others)
        return or_(game.now(fluents.ended.fluent), and_(alone(unit), goes))

    def _shows(self, unit: str) -> Term:
        """True if a unit is seen by everybody, though perhaps not for what it is."""
        state = self._game.now(self._game.fluents.concealment[unit])
        return or_(eq(state, OPEN), and_(eq(state, CONCEALED), self._game.units.on_map(unit)))

    def _open(self, unit: str) -> Term:
        """True if everybody sees a unit for what it is."""
        return eq(self._game.now(self._game.fluents.concealment[unit]), OPEN)
