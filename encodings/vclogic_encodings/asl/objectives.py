"""What the game is about: the Locations, hexes and buildings whose Control decides."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.asl.fluents import LOCATION, Area
from vclogic_encodings.asl.game import Game
from vclogic_encodings.asl.geometry import hex_of
from vclogic_encodings.asl.rules.controllers import controls
from vclogic_encodings.asl.rules.victory import in_question

from vclogic.model.objectives import Objective


def objectives(game: Game) -> Iterable[Objective]:
    """What the victory conditions name, then all else that can be controlled.

    Where they name one thing alone, each of its Locations is an objective: one of them may do for all of it.
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
        )


def called(area: Area) -> str:
    """A Location by its name; a hex and a building, which may have one name, with what they are."""
    kind, name = area
    return name if kind == LOCATION else f"{kind} {name}"
