"""The rulings of a rulebook as a file of rulings holds them, with the lines of the rulebook as their places."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from vclogic.files.trees.located import Locator, Node, NodePlace, Path
from vclogic.rulebook.board.world import World
from vclogic.rulebook.markdown.book import Book
from vclogic.rulebook.markdown.rulings import Mark, RulingText, rulings_of


def ruling_node(book: Book, worlds: Callable[[str | None], World]) -> Node:
    """The rulings of a rulebook.

    Args:
        book: The rulebook.
        worlds: What it declares, by the file of the board that a ruling is played on; None: its own.

    Raises:
        InputError: Everything in them that cannot be read.
    """
    found = list(rulings_of(book, worlds))
    place = NodePlace(Mark(0, 0))
    place.parts = {n: _place(ruling.tree, (), ruling, ruling.mark) for n, ruling in enumerate(found)}
    return Node([ruling.tree for ruling in found], Locator(book.file, lambda: place))


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
