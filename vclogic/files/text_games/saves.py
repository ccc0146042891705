"""Saved games of TripleA as positions of the rulebook that their map becomes."""

from __future__ import annotations

from typing import Any

from vclogic.errors import Diagnostic, InputError, quoted
from vclogic.files.source import read_bytes
from vclogic.files.text_games.games import map_book
from vclogic.triplea.book import MOST_ROUNDS, MOST_UNITS, MapBook
from vclogic.triplea.expressions import pair_name
from vclogic.triplea.naming import MAP
from vclogic.triplea.saves import MOST_BYTES, SavedGame, read_save


def saved_position(path: str, game: str) -> dict[str, Any]:
    """The position of a saved game: owners, round, and how many units stand where a condition asks for some.

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
    if book.expressions.relations_asked:
        known = {pair_name(*p): found for p, found in relations(book, save).items()}
        state["relation"] = {name: kind for name, (kind, _) in known.items()}
        state["since"] = {name: min(since, MOST_ROUNDS) for name, (_, since) in known.items()}
    turn = book.turn_of(save.step)
    options = book.options(save.properties)
    return {"state": state | ({"turn": turn} if turn else {})} | ({"options": options} if options else {})


def relations(book: MapBook, save: SavedGame) -> dict[tuple[str, str], tuple[str, int]]:
    """The relationships of a save that the rulebook tells: those of players, of types that the map has.

    Args:
        book: The map.
        save: The saved game.
    """
    game = book.game
    of_players = {p: found for p, found in save.relations.items() if {*p} <= {*game.players} and p[0] != p[1]}
    return {game.pair(*p): found for p, found in of_players.items() if found[0] in game.relations}
