"""The rulings of a rulebook as a file of rulings holds them, with the lines of the rulebook as their places."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import partial
from typing import Any

from vclogic.files.boards import board_node, read_board, scenario_board
from vclogic.files.registry import is_file
from vclogic.files.scenario import default_scenario, load_scenario
from vclogic.files.text_games.games import Rulebook
from vclogic.files.trees.located import Locator, Node, NodePlace, Path
from vclogic.rulebook.board.world import World
from vclogic.rulebook.markdown.rulings import Mark, RulingText, rulings_of


def ruling_node(game: Rulebook) -> Node:
    """The rulings of a rulebook.

    Raises:
        InputError: Everything in them that cannot be read.
    """
    book = game.book
    found = list(rulings_of(book, partial(world_of, game)))
    place = NodePlace(Mark(0, 0))
    place.parts = {n: _place(ruling.tree, (), ruling, ruling.mark) for n, ruling in enumerate(found)}
    return Node([ruling.tree for ruling in found], Locator(book.file, lambda: place))


def world_of(game: Rulebook, board: str | None = None) -> World:
    """The world that a rulebook declares.

    Args:
        game: The rulebook.
        board: The file of the board that it is played on, as a ruling names it; None: its own.

    Raises:
        InputError: All that is wrong with the declarations and the board.
    """
    book, name = game.book, game.encoding.name
    package = None if is_file(name) else name
    if book.form.is_empty:
        return book.world
    if board is None:
        node = scenario_board(name, load_scenario(name, default_scenario(name)).content.board)
    else:
        node = board_node(Node(board, Locator(book.file, lambda: None)), os.path.dirname(book.file), package)
    return book.world_on(read_board(game.encoding, node))


def _place(tree: Any, path: Path, ruling: RulingText, around: Mark) -> NodePlace:
    """The place of a part: its own line, else that of the first part in it, else that of what is around it."""
    inside = (mark for p, mark in ruling.marks.items() if p[: len(path)] == path)
    mark = (ruling.marks.get(path) or next(inside, around)) if path else around
    found = NodePlace(mark)
    steps: Iterable[tuple[str | int, Any]] = tree.items() if isinstance(tree, dict) else ()
    steps = enumerate(tree) if isinstance(tree, list) else steps
    places = {step: _place(part, (*path, step), ruling, mark) for step, part in steps}
    found.parts = {**places}
    found.keys = {str(step): place.mark for step, place in places.items()}
    return found
