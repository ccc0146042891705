"""Objectives of the game: the Locations, hexes and buildings whose Control decides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from vclogic_encodings.asl.game import Rules
from vclogic_encodings.asl.geometry import hex_of
from vclogic_encodings.asl.names import LOCATION, Area
from vclogic_encodings.asl.rules.controllers import controls
from vclogic_encodings.asl.rules.victory import in_question

from vclogic.model.fluents import Value
from vclogic.model.objectives import Objective, changes
from vclogic.model.picture import Known, Values
from vclogic.terms.term import Term


def objectives(game: Rules) -> Iterable[Objective]:
    """The areas that the victory conditions name, then all others that can be controlled.

    Where they name one thing alone, its Locations are what the game is about: to say that a plan for a building takes
    the building tells nobody anything, and which of its Locations will do is the question.
    """
    named = in_question(game)
    main = [(LOCATION, x) for x in game.fluents.parts(*named[0])] if len(named) == 1 else named
    for area in dict.fromkeys((*main, *named, *game.fluents.areas)):
        kind, name = area
        yield Objective(
            name=called(area),
            kind="Location" if kind == LOCATION else kind,
            held={side: controls(game.units, side, kind, name) for side in game.board.sides},
            places=tuple(dict.fromkeys(map(hex_of, game.fluents.parts(kind, name)))),
            main=area in main,
            lost=partial(_lost, game, area),
        )


def called(area: Area) -> str:
    """A Location by its name; a hex and a building, which may have one name, with what they are."""
    kind, name = area
    return name if kind == LOCATION else f"{kind} {name}"


def _lost(game: Rules, area: Area, side: str, values: Values) -> Mapping[Term, Value] | None:
    """The enemy has gained it; with a Location also its hex and building, where none of the side's units is.

    Where units of the side are in it, nobody can tell what becomes of them and of those who go with them.
    """
    fluents = game.fluents
    gained = [x for x in dict.fromkeys((area, *_with(game, area))) if not _inside(game, x, side, values)]
    if area not in gained:
        return None
    after = {**values, **dict.fromkeys((fluents.stored(*x) for x in gained), game.board.enemy(side))}
    if fluents.controllable.sort.members and not fluents.undeclared.empty:
        after |= dict.fromkeys((fluents.undeclared[f"{kind} {name}"] for kind, name in gained), False)
    return None if Known(after)(controls(game.units, side, *area)) else changes(values, after)


def _with(game: Rules, area: Area) -> Iterable[Area]:
    """The areas that an enemy gains beside a Location when he enters it."""
    kind, name = area
    return game.fluents.around(name) if kind == LOCATION else ()


def _inside(game: Rules, area: Area, side: str, values: Values) -> bool:
    """True if a unit of a side is in it."""
    there = game.fluents.parts(*area)
    return any(values[game.fluents.at[u]] in there for u in game.board.units if game.side(u) == side)
