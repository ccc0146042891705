"""Saved games of TripleA as positions of the rulebook that their map becomes."""

from __future__ import annotations

from typing import Any

from vclogic.errors import Diagnostic, InputError, quoted
from vclogic.files.rulebooks import map_book
from vclogic.files.source import read_bytes
from vclogic.triplea.book import MOST_ROUNDS, MOST_UNITS
from vclogic.triplea.naming import MAP
from vclogic.triplea.saves import MOST_BYTES, read_save


def saved_position(path: str, game: str) -> dict[str, Any]:
    """What a saved game gives a position: owners, round, and how many units stand where a condition asks for some.

    Args:
        path: The saved game.
        game: The name of the game: the file of the map that it is played on.

    Raises:
        InputError: It cannot be read, the game is no map, or it is a save of another map.
    """
    if not game.endswith(MAP):
        message = "a saved game is laid over the map that it is played on"
        help = "name the map: vclogic status SAVE --map MAP.xml"
        raise InputError(Diagnostic("wrong-game", message, path, help=help))
    book = map_book(game)
    save = read_save(read_bytes(path, MOST_BYTES), path)
    strange = sorted(save.owners.keys() - book.game.territories.keys())
    if strange or not save.owners:
        lacks = f": {quoted(book.game.name)} has no {quoted(strange[0])}" if strange else ""
        message = f"this is a save of {quoted(save.name)}, not of this map{lacks}"
        raise InputError(Diagnostic("wrong-game", message, path, help="name the map that it is played on"))
    state: dict[str, Any] = {"owner": dict(save.owners)}
    if book.asks_rounds:
        state["round"] = min(save.round, MOST_ROUNDS)
    if book.expressions.stacks:
        units = list(save.units.items())
        state["units"] = {
            name: min(stack.amount(book.game, units), MOST_UNITS) for stack, name in book.expressions.stacks.items()
        }
    turn = book.turn_of(save.step)
    return {"state": state | ({"turn": turn} if turn else {})}
