"""A board in YAML as a rulebook in Markdown, over the rulebook that it fills."""

from __future__ import annotations

import os
from dataclasses import replace
from itertools import takewhile

from vclogic.errors import Diagnostic, InputError, quoted
from vclogic.files.boards import board_node, read_board
from vclogic.files.registry import RULEBOOK
from vclogic.files.source import read_text
from vclogic.files.text_games.games import Rulebook, rulebook
from vclogic.files.trees.located import Locator, Node
from vclogic.files.trees.nodes import read_node
from vclogic.rulebook.board.scenario import scenario
from vclogic.rulebook.markdown.formatted import formatted

_OWN = ("game", "title", "board")
_WRITE = "write vclogic format RULES.md BOARD.yaml -o SCENARIO.md"


def as_scenario(file: str, text: str | None, folder: str) -> str:
    """The rulebook in Markdown.

    Args:
        file: A board, or a position that names a rulebook and a board.
        text: The rulebook that it fills; None: the one that the position names, or that stands beside the board.
        folder: The folder in which it will stand.

    Raises:
        InputError: All that is wrong with the board, or no rulebook is found.
    """
    node = read_node(file, below=os.path.dirname(file))
    title = os.path.splitext(os.path.basename(file))[0].replace("_", " ")
    if isinstance(node.tree, dict) and "game" in node.tree:
        more = next((key for key in node.tree if key not in _OWN), None)
        if more is not None:
            message = f"a scenario in Markdown has a board alone, and here stands {quoted(more)}"
            raise InputError(node.part(more).diagnostic("wrong-value", message, key=True, help="take it out"))
        title = str(node.tree.get("title") or title)
        named = str(node.tree["game"])
        text = text or os.path.join(os.path.dirname(file), named)
        node = node.section("board")
    here = os.path.dirname(file)
    node = board_node(node, here, None)
    book = _book(file, node, text)
    board = read_board(book.encoding, node)
    name = os.path.relpath(book.book.file, folder or os.curdir).replace(os.sep, "/")
    if name.startswith(".."):
        message = f"a rulebook includes what stands beside it or below, and {quoted(book.book.file)} does not"
        raise InputError(
            Diagnostic("usage", message, file, help="write the scenario into the folder of the rulebook")
        )
    try:
        found = scenario(book.book.form, board, name, title, _about(node.where.file))
    except InputError as error:
        raise InputError(replace(d, file=d.file or file) for d in error.diagnostics) from error
    return formatted(found, file)


def _about(file: str) -> str:
    """The comment at the head of a board."""
    head = takewhile(lambda line: line.startswith("#"), read_text(file).text.splitlines())
    return " ".join(" ".join(line.lstrip("#").strip() for line in head).split())


def _book(file: str, node: Node, text: str | None) -> Rulebook:
    """The rulebook that a board fills.

    Raises:
        InputError: There is none, or several may be meant.
    """
    if text is not None:
        book = rulebook(text)
        if book.book.form.is_empty:
            raise InputError(Diagnostic("usage", "this rulebook takes nothing from a board", text, help=_WRITE))
        return book
    folder = os.path.dirname(file)
    found: list[Rulebook] = []
    for name in sorted(os.listdir(folder or os.curdir)):
        if name.endswith(RULEBOOK):
            try:
                book = rulebook(os.path.join(folder, name))
                if not book.book.form.is_empty and book.book.board is None:
                    read_board(book.encoding, Node(node.tree, Locator(file, lambda: None)))
                    found.append(book)
            except InputError:
                continue
    if len(found) != 1:
        said = (
            "no rulebook beside it takes this board" if not found else "several rulebooks beside it take this board"
        )
        raise InputError(Diagnostic("usage", said, file, help=_WRITE))
    return found[0]
