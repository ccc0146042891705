"""The moves of armies that a record may hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from vclogic_encodings.axis_allies.armies.field import Moving, field_of
from vclogic_encodings.axis_allies.armies.fights import clear
from vclogic_encodings.axis_allies.armies.moves import (
    CARGO,
    aboard_together,
    boarding,
    carry,
    carrying,
    elsewhere,
    from_port,
    going_ashore,
    march,
    marching,
    sail,
    sailing,
    to_port,
    way_by_land,
    way_by_sea,
)
from vclogic_encodings.axis_allies.armies.sorties import (
    battle_in,
    bombard,
    firing,
    fly,
    flying,
    in_range,
    land,
    landing,
    landing_place,
    shore,
)
from vclogic_encodings.axis_allies.board import MOST
from vclogic_encodings.axis_allies.game import Rules
from vclogic_encodings.axis_allies.names import NONE, ON_TURN
from vclogic_encodings.axis_allies.wording import in_words

from vclogic.model.actions import Action, Ask, Parameter, Schema, Touches
from vclogic.terms.term import Term

FieldAsks = Mapping[tuple[str, ...], Ask]
NUMBER = range(1, MOST + 1)
_STARTED = (("ended",), ("units", "from", "power", "unit"))
_SAILED = (*_STARTED, ("units", "to", "power", "unit"), ("moved", "to", "unit"))


def moves(game: Rules) -> Iterable[Schema]:
    """Every kind of move."""
    yield _march(game)
    if game.roles.ships and game.board.sea:
        yield from _at_sea(game)
    if game.roles.aircraft:
        yield from _in_the_air(game)


def _move(
    game: Rules,
    made: Callable[..., Moving],
    places: Iterable[Parameter],
    text: str,
    touches: Touches,
    asks: FieldAsks,
) -> Schema:
    """A kind of move: whose units of which kind, how many, then `places`; it is named as its function.

    Args:
        asks: As `Schema.asks`, of a power's field; which power is not among the names.
    """
    power, unit = Parameter("power", game.fluents.powers), Parameter("unit", game.fluents.forces)
    parameters = (power, unit, Parameter("count", NUMBER, 1, term=True), *places)

    def instantiate(power: str, unit: str, count: Term, **given: str) -> Action:
        field = field_of(game, power)
        move = made(field, unit, count, *(given[p.name] for p in parameters[3:]))
        return Action(
            made.__name__,
            (("power", power), ("unit", unit), ("count", in_words(count)), *given.items()),
            actor=power,
            requirements=(*game.on_turn(power), *move.requirements),
            effects=tuple(move.deltas.changes.items()),
            text=f"{power}: {field.named(count, unit)} {move.text}",
        )

    def asked(ask: Ask) -> Ask:
        return lambda power, *given: ask(field_of(game, power), *given)

    every: dict[str | tuple[str, ...], Ask] = {("power", *names): asked(ask) for names, ask in asks.items()}
    every["power"] = game.on_turn
    return Schema(made.__name__, parameters, instantiate, text, decided_by=ON_TURN, asks=every, touches=touches)


def _carried(cargo: str) -> Touches:
    """The fluents that a unit aboard a transport changes."""
    goal = f"{cargo}_to"
    ends = (("units", f"{cargo}_from", "power", cargo), ("units", goal, "power", cargo))
    return (*ends, ("moved", goal, cargo), ("entered", goal, cargo))


def _march(game: Rules) -> Schema:
    territory, via = game.fluents.territories, Parameter("via", game.fluents.places, NONE)
    return _move(
        game,
        march,
        (Parameter("from", territory), via, Parameter("to", territory)),
        "land units of the power on turn go to a territory, armour through another (`via`); one of the enemy's is "
        "entered for a battle, and then taken with `capture`",
        (*_SAILED, ("entered", "to", "unit"), ("passed", "via"), ("help", "via", "unit")),
        {("unit", "from"): marching, ("unit", "from", "via", "to"): way_by_land},
    )


def _at_sea(game: Rules) -> Iterable[Schema]:
    zone, territory, place = game.fluents.zones, game.fluents.territories, game.fluents.places
    yield _move(
        game,
        sail,
        (Parameter("from", zone), Parameter("to", zone)),
        "ships of the power on turn go to another sea zone; where enemy warships are they must `clear` it",
        _SAILED,
        {("unit", "from"): sailing, ("unit", "from", "to"): way_by_sea},
    )
    yield _move(
        game,
        carry,
        (
            *(Parameter(name, zone) for name in ("from", "via", "to")),
            Parameter("cargo", game.fluents.forces),
            *(Parameter(f"cargo_{end}", territory) for end in ("from", "to")),
            Parameter("second", game.fluents.forces_or_none, NONE),
            *(Parameter(f"second_{end}", place, NONE) for end in ("from", "to")),
        ),
        "transports go from a zone to the one where land units come aboard (`via`), and to the one from which these "
        "go ashore; each transport carries one unit (`cargo`) or two",
        (*_SAILED, *(t for k in CARGO for t in _carried(k)), ("ashore",)),
        {
            ("unit", "from"): carrying,
            ("unit", "from", "via"): to_port,
            ("unit", "from", "via", "to"): from_port,
            ("unit", *CARGO): aboard_together,
            **{(kind, f"{kind}_from", "via"): boarding for kind in CARGO},
            **{(kind, f"{kind}_to", "to"): going_ashore for kind in CARGO},
            **{(f"{kind}_from", f"{kind}_to"): elsewhere for kind in CARGO},
        },
    )
    yield Schema(
        "clear",
        (Parameter("power", game.fluents.powers), Parameter("zone", zone)),
        lambda power, zone: clear(game, power, zone),
        "the ships of the power on turn in a zone, with aircraft that flew there, beat the enemy's",
        decided_by=ON_TURN,
        touches=(*((name, "zone") for name in ("units", "moved", "help", "fought")), ("phase",), ("ended",)),
    )
    yield _move(
        game,
        bombard,
        (Parameter("from", zone), Parameter("to", territory)),
        "ships support the battle of land units that went ashore from their zone",
        (("ended",), ("help", "to", "unit"), ("fired", "from", "unit")),
        {("unit", "from"): firing, ("from", "to"): shore},
    )


def _in_the_air(game: Rules) -> Iterable[Schema]:
    regions = game.fluents.regions
    stop = Parameter("to", game.fluents.regions_or_none, NONE)
    yield _move(
        game,
        fly,
        (Parameter("from", regions), stop, Parameter("landing", regions)),
        "aircraft of the power on turn fly to a battle (`to`), if any, and on to where they will `land`",
        (*_STARTED, ("help", "to", "unit"), ("aloft", "landing", "unit")),
        {
            ("unit", "from"): flying,
            ("to",): battle_in,
            ("unit", "landing"): landing_place,
            ("unit", "from", "to", "landing"): in_range,
        },
    )
    yield _move(
        game,
        land,
        [Parameter("at", regions)],
        "aircraft that have flown land",
        (("ended",), ("units", "at", "power", "unit"), ("moved", "at", "unit"), ("aloft", "at", "unit")),
        {("unit", "at"): landing},
    )
