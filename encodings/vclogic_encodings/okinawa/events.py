"""The events of a record."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.okinawa.board import OTHER
from vclogic_encodings.okinawa.citing import cite
from vclogic_encodings.okinawa.fluents import AUTO, LONGEST
from vclogic_encodings.okinawa.game import Rules
from vclogic_encodings.okinawa.rules.combat_results import eliminate, may_retreat, retreat
from vclogic_encodings.okinawa.rules.exits import exit_map, leave, remove
from vclogic_encodings.okinawa.turns import end_game, end_turn, may_move, move

from vclogic.model.actions import Parameter, Schema

ON_TURN = "the side on turn"
_PLACED = (("at", "unit"), ("retreated",), ("retreated_for",))
_RETREATS = (*_PLACED, ("retreats",), ("retreats_of", "unit"))


def schemas(game: Rules) -> Iterable[Schema]:
    """Every kind of event."""
    yield _move(game)
    yield from _combat_results(game)
    yield from _exits(game)
    yield Schema(
        "end_turn",
        (),
        lambda: end_turn(game),
        "a player-turn ends; after both a game turn",
        routine=True,
        decided_by=ON_TURN,
        obliged=True,
    )
    yield Schema(
        "end_game",
        (),
        lambda: end_game(game),
        "the scenario ends: its points are given and victory is judged",
        cite("17.0/1", "17.31/2", "17.51/2"),
        routine=True,
    )


def _move(game: Rules) -> Schema:
    return Schema(
        "move",
        (Parameter("unit", game.fluents.units), Parameter("to", game.fluents.hexes)),
        lambda unit, to: move(game, unit, to),
        "a unit of the side on turn is moved to a hex, or comes to the map; the text does not say how far",
        not_judged="how far a unit moves",
        decided_by=ON_TURN,
        asks={"unit": lambda unit: may_move(game, unit)},
        touches=_PLACED,
    )


def _combat_results(game: Rules) -> Iterable[Schema]:
    unit = Parameter("unit", game.fluents.units)
    yield Schema(
        "eliminate",
        (unit, Parameter("same_result", game.fluents.same_result, AUTO)),
        lambda unit, same_result: eliminate(game, unit, same_result),
        "a unit is eliminated; just after its own retreat by the same combat result, unless `same_result` is `no`; "
        "`yes` asks that it has retreated just now",
        cite("17.12/1", "17.22/2"),
        not_judged="the combat that eliminates a unit",
        touches=_RETREATS,
    )
    yield Schema(
        "retreat",
        (unit, Parameter("hexes", range(1, LONGEST + 1)), Parameter("to", game.fluents.hexes)),
        lambda unit, hexes, to: retreat(game, unit, hexes, to),
        "a unit retreats so many hexes and ends in a hex, by a combat result of either side's attack",
        cite("17.21/1", "17.21/2", "17.22/1"),
        not_judged="the combat that makes a unit retreat, and its way",
        asks={"unit": lambda unit: may_retreat(game, unit)},
        touches=_RETREATS,
    )


def _exits(game: Rules) -> Iterable[Schema]:
    unit = Parameter("unit", game.fluents.units)
    yield Schema(
        "exit",
        (unit,),
        lambda unit: exit_map(game, unit),
        "a Japanese unit leaves the map by the northeast edge, from a hex on it",
        cite("17.41/1", "17.41/2"),
        not_judged="whether a unit that leaves the map can still move",
        decided_by="the Japanese Player",
        touches=(*_RETREATS, ("removals",)),
    )
    named = bool(game.board.edges)
    text = "over another edge than the northeast one, from a hex on it: no points"
    yield Schema(
        "leave",
        (unit, *((Parameter("by", game.fluents.left_by, OTHER),) if named else ())),
        lambda unit, by=OTHER: leave(game, unit, by),
        f"a unit leaves the map {text}" if named else f"a Japanese unit leaves the map {text}",
        cite("17.41/1"),
        decided_by=ON_TURN if named else "the Japanese Player",
        touches=(*_PLACED, ("removals",)),
    )
    yield Schema(
        "remove",
        (unit,),
        lambda unit: remove(game, unit),
        "the US Player removes one of the three units for a Japanese exit",
        cite("17.41/2", "17.41/3"),
        decided_by="the US Player, who must remove one",
        obliged=True,
        touches=(*_RETREATS, ("removals",)),
    )
