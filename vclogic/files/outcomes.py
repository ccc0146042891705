"""The section `outcomes:` of a scenario, board or position: a text of rules or the document of one; its place."""

from __future__ import annotations

from typing import Any

from vclogic.errors import InputError
from vclogic.files.trees.located import BlockText, Locator, Node, Tree, describe

OUTCOMES = "outcomes"
"""The key of the section."""
Spot = tuple[int | None, int | None]


class PlacedText(str):
    """A text of rules with its place, for when it is read without its file.

    Attributes:
        file: The file.
        spot: Line and column where it begins.
        block: Whether its lines are lines of the file.
    """

    file: str
    spot: Spot
    block: bool

    def __reduce__(self) -> tuple[Any, ...]:
        return PlacedText.at, (str(self), self.file, self.spot, self.block)

    @classmethod
    def at(cls, text: str, file: str, spot: Spot, block: bool) -> PlacedText:
        """A text with its place."""
        found = cls(text)
        found.file, found.spot, found.block = file, spot, block
        return found


def placed(tree: Tree, where: Locator) -> Tree:
    """The content of a file, with the place of its text of rules.

    Args:
        where: Finds the places of its parts.
    """
    text = tree.get(OUTCOMES) if isinstance(tree, dict) else None
    if not isinstance(tree, dict) or not isinstance(text, str) or isinstance(text, PlacedText):
        return tree
    return {**tree, OUTCOMES: with_place(text, where.under(OUTCOMES))}


def with_place(text: str, where: Locator) -> PlacedText:
    """A text with its place, which it may have already."""
    if isinstance(text, PlacedText):
        return text
    return PlacedText.at(text, where.file, where.find(), isinstance(text, BlockText))


def text_node(node: Node) -> Node:
    """A section `outcomes:` with its text, also where it holds the document of one.

    Raises:
        InputError: It holds something else, or a document that stands for no text.
    """
    if isinstance(node.tree, dict):
        from vclogic.rulebook.document import text_of  # most files hold a text

        try:
            return Node(text_of(node.tree), node.where)
        except InputError as error:
            raise error.at(*node.spot) from error
    if not isinstance(node.tree, str):
        help = "write `outcomes: |` and the lines below it, further right"
        message = f"expected a text of rules, found {describe(node.tree)}"
        raise InputError(node.diagnostic("wrong-value", message, help=help))
    return node
