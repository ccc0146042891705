"""The facts of a position in the words of the game."""

from __future__ import annotations

from vclogic_encodings.moscow.board import ELIMINATED, OFF
from vclogic_encodings.moscow.fluents import NONE

from vclogic.model.sayings import Sayings

SAYINGS = {
    "at": Sayings("is in hex {value}", {OFF: "is off the map", ELIMINATED: "is eliminated"}),
    "owner": Sayings("is held by the {value} side", {NONE: "is held by nobody"}),
    "taken": Sayings("", {True: "has been captured by the {1} side", False: "has not been captured by the {1} side"}),
    "front": Sayings(
        "the {0} side has {value:point} for uncovered rows so far",
        {0: "the {0} side has no points for uncovered rows so far"},
        "",
    ),
    "held": Sayings(
        "the {0} side has {value:point} for places held so far",
        {0: "the {0} side has no points for places held so far"},
        "",
    ),
    "earlier": Sayings(
        "the {0} side has {value:point} that the position does not show",
        {0: "the {0} side has no points that the position does not show"},
        "",
    ),
    "turn": Sayings("it is the {value} player-turn"),
    "round": Sayings("it is turn {value}"),
    "over": Sayings("", {True: "the game has ended", False: "the game has not ended"}),
}
"""The wording of the facts of each kind."""
