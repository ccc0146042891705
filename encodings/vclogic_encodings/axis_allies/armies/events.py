"""The moves of armies that a record may hold."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from vclogic_encodings.axis_allies.armies.fights import aircraft, clear
from vclogic_encodings.axis_allies.armies.moves import CARGO, carry, march, sail
from vclogic_encodings.axis_allies.armies.sorties import bombard, fly, land
from vclogic_encodings.axis_allies.board import MOST
from vclogic_encodings.axis_allies.game import Game
from vclogic_encodings.axis_allies.names import NONE, ON_TURN

from vclogic.model.actions import Action, Parameter, Schema, Touches

NUMBER = range(1, MOST + 1)
_STARTED = (("ended",), ("units", "from", "power", "unit"))
_SAILED = (*_STARTED, ("units", "to", "power", "unit"), ("moved", "to", "unit"))


def moves(game: Game) -> Iterable[Schema]:
    """Every kind of move; none where units are not on the board."""
    if not game.fluents.armies:
        return
    yield _march(game)
    if not game.on("theatre", "full"):
        return
    if afloat(game):
        yield from _at_sea(game)
    if aircraft(game):
        yield from _in_the_air(game)


def afloat(game: Game) -> bool:
    """Whether there are sea zones and ships on this board."""
    return bool(game.board.sea and game.board.kinds("sea"))


def _some(game: Game) -> tuple[Parameter, ...]:
    """Whose units of which kind, and how many."""
    power, unit = Parameter("power", game.fluents.powers), Parameter("unit", game.fluents.forces)
    return power, unit, Parameter("count", NUMBER, 1, term=True)


def _carried(cargo: str) -> Touches:
    """The fluents that a unit aboard a transport changes."""
    goal = f"{cargo}_to"
    ends = (("units", f"{cargo}_from", "power", cargo), ("units", goal, "power", cargo))
    return (*ends, ("moved", goal, cargo), ("entered", goal, cargo))


def _march(game: Game) -> Schema:
    def made(**given: Any) -> Action:
        return march(game, *(given[name] for name in ("power", "unit", "count", "from", "via", "to")))

    territory, via = game.fluents.territories, Parameter("via", game.fluents.places, NONE)
    return Schema(
        "march",
        (*_some(game), Parameter("from", territory), via, Parameter("to", territory)),
        made,
        "land units of the power on turn go to a territory, armour through another (`via`); one of the enemy's is "
        "entered for a battle, and then taken with `capture`",
        decided_by=ON_TURN,
        touches=(*_SAILED, ("entered", "to", "unit"), ("passed", "via"), ("help", "via")),
    )


def _at_sea(game: Game) -> Iterable[Schema]:
    def sailed(**given: Any) -> Action:
        return sail(game, *(given[name] for name in ("power", "unit", "count", "from", "to")))

    def carried(**given: Any) -> Action:
        aboard = tuple((given[k], given[f"{k}_from"], given[f"{k}_to"]) for k in CARGO)
        start, port, goal = (given[name] for name in ("from", "via", "to"))
        return carry(game, given["power"], given["unit"], given["count"], start, port, goal, aboard)

    def fired(**given: Any) -> Action:
        return bombard(game, *(given[name] for name in ("power", "unit", "count", "from", "to")))

    zone, territory, place = game.fluents.zones, game.fluents.territories, game.fluents.places
    yield Schema(
        "sail",
        (*_some(game), Parameter("from", zone), Parameter("to", zone)),
        sailed,
        "ships of the power on turn go to another sea zone; where enemy warships are they must `clear` it",
        decided_by=ON_TURN,
        touches=_SAILED,
    )
    yield Schema(
        "carry",
        (
            *_some(game),
            *(Parameter(name, zone) for name in ("from", "via", "to")),
            *(
                Parameter("cargo", game.fluents.forces),
                Parameter("cargo_from", territory),
                Parameter("cargo_to", territory),
            ),
            Parameter("second", game.fluents.forces_or_none, NONE),
            *(Parameter(f"second_{end}", place, NONE) for end in ("from", "to")),
        ),
        carried,
        "transports go from a zone to the one where land units come aboard (`via`), and to the one from which these "
        "go ashore; each transport carries one unit (`cargo`) or two",
        decided_by=ON_TURN,
        touches=(*_SAILED, *(t for k in CARGO for t in _carried(k)), ("ashore",)),
    )
    yield Schema(
        "clear",
        (Parameter("power", game.fluents.powers), Parameter("zone", zone)),
        lambda power, zone: clear(game, power, zone),
        "the ships of the power on turn in a zone, with aircraft that flew there, beat the enemy's",
        decided_by=ON_TURN,
        touches=(*((name, "zone") for name in ("units", "moved", "help", "fought")), ("phase",), ("ended",)),
    )
    yield Schema(
        "bombard",
        (*_some(game), Parameter("from", zone), Parameter("to", territory)),
        fired,
        "ships support the battle of land units that went ashore from their zone",
        decided_by=ON_TURN,
        touches=(("ended",), ("help", "to"), ("fired", "from", "unit")),
    )


def _in_the_air(game: Game) -> Iterable[Schema]:
    def flown(**given: Any) -> Action:
        return fly(game, *(given[name] for name in ("power", "unit", "count", "from", "to", "landing")))

    regions = game.fluents.regions
    stop = Parameter("to", game.fluents.regions_or_none, NONE)
    yield Schema(
        "fly",
        (*_some(game), Parameter("from", regions), stop, Parameter("landing", regions)),
        flown,
        "aircraft of the power on turn fly to a battle (`to`), if any, and on to where they will `land`",
        decided_by=ON_TURN,
        touches=(*_STARTED, ("help", "to"), ("aloft", "landing", "unit")),
    )
    yield Schema(
        "land",
        (*_some(game), Parameter("at", regions)),
        lambda power, unit, count, at: land(game, power, unit, count, at),
        "aircraft that have flown land",
        decided_by=ON_TURN,
        touches=(("ended",), ("units", "at", "power", "unit"), ("moved", "at", "unit"), ("aloft", "at", "unit")),
    )
