"""The facts of a position in the words of the game."""

from __future__ import annotations

from vclogic_encodings.napoleonics.board import ELIMINATED, NONE, OFF, Board
from vclogic_encodings.napoleonics.fluents import BETWEEN, COMBAT, MOVEMENT

from vclogic.model.sayings import Sayings, flag

_SAYINGS = {
    "ordered": flag("is ordered this turn"),
    "moved": flag("has moved in the movement phase that goes on", "has not moved in a movement phase that goes on"),
    "turn": Sayings("it is, or was last, the turn of the {value} side"),
    "phase": Sayings(
        "",
        {BETWEEN: "no turn is under way", MOVEMENT: "it is the movement phase", COMBAT: "it is the combat phase"},
    ),
    "objective": Sayings("the {value} side has the banner of {{}}", {NONE: "nobody has the banner of {{}}"}),
    "vacated": Sayings("is being vacated by the {value} side", {NONE: "is being vacated by nobody"}, "hex {0}"),
    "gained": Sayings("was gained by the {value} side this turn", {NONE: "was gained by nobody this turn"}),
    "dropped": Sayings(
        "was gained and lost by the {value} side this turn", {NONE: "was gained and lost by nobody this turn"}
    ),
    "earlier": Sayings(
        "the {0} side has {value:Victory Banner} that the position does not show",
        {0: "the {0} side has no Victory Banners that the position does not show"},
        "",
    ),
    "scored": Sayings("was accomplished {value} times", {0: "was not accomplished", 1: "was accomplished once"}),
}


def sayings(board: Board) -> dict[str, Sayings]:
    """The wording of the facts of each kind."""
    words: dict[bool | int | str, str] = {OFF: "is off the map", ELIMINATED: "is eliminated"}
    words |= {name: f"has left by {name}" for name in board.exits}
    return {"at": Sayings("is in hex {value}", words), **_SAYINGS}
