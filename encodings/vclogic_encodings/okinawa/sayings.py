"""The facts of a position in the words of the game."""

from __future__ import annotations

from collections.abc import Mapping

from vclogic_encodings.okinawa.board import ELIMINATED, EXITED, LEFT, OFF, REMOVED, Board
from vclogic_encodings.okinawa.fluents import NONE

from vclogic.model.sayings import Sayings

_SAYINGS = {
    "retreats": Sayings("Japan has {value:point} for US retreats", {0: "Japan has no points for US retreats"}),
    "retreats_of": Sayings(
        "has brought Japan {value:point} by retreats", {0: "has brought Japan no points by retreats"}
    ),
    "retreated": Sayings("{value} has retreated just now", {NONE: "nobody has retreated just now"}),
    "retreated_for": Sayings(
        "the retreat just now brought Japan {value:point}", {0: "no retreat has just brought Japan points"}
    ),
    "removals": Sayings(
        "{value} US units are still to be removed",
        {0: "no US unit is to be removed", 1: "1 US unit is still to be removed"},
    ),
    "earlier": Sayings(
        "{0} has {value:point} that the position does not show",
        {0: "{0} has no points that the position does not show"},
        "",
    ),
    "round": Sayings("it is game turn {value}"),
    "turn": Sayings("it is the player-turn of {value}"),
    "over": Sayings("", {True: "the scenario has ended", False: "the scenario has not ended"}),
}
"""The wording of the facts of each kind."""


def sayings(board: Board) -> Mapping[str, Sayings]:
    """The wording of the facts of each kind, with that of where units of a board are."""
    gone: dict[int | str, str] = {p: f"has {p}" for p in board.elsewhere if p.startswith(f"{LEFT} ")}
    off: dict[int | str, str] = {
        OFF: "is off the map",
        ELIMINATED: "is eliminated",
        EXITED: "has exited",
        REMOVED: "is removed",
    }
    return {"at": Sayings("is in hex {value}", {**off, LEFT: "has left the map", **gone}), **_SAYINGS}
