"""The content of a position file as plain values, which JSON holds and a program can load again."""

from __future__ import annotations

from typing import Any

from vclogic.files.tree import Node, NotedText, Quoted, Tree


def noting(node: Node) -> Node:
    """The content of a file whose words without quotes note as what they are read: see `plain`."""
    return Node(_noting(node.tree), node.where)


def plain(node: Node) -> dict[str, Any]:
    """A position file as plain values: what `vclogic.load` makes the same game of.

    A word without quotes is a number, a truth value or a name by where it stands (`off` may be each of the last two),
    which only those know who read it. So it is what it was read as.

    Args:
        node: The content of the file, a mapping, made by `noting`, of which a game was loaded.
    """
    found: dict[str, Any] = _plain(node.tree)
    return found


def _noting(tree: Tree) -> Tree:
    if isinstance(tree, dict):
        return {key: _noting(part) for key, part in tree.items()}
    if isinstance(tree, list):
        return [_noting(part) for part in tree]
    return tree if tree is None or isinstance(tree, Quoted) else NotedText(tree)


def _plain(tree: Tree) -> Any:
    if isinstance(tree, dict):
        return {key: _plain(part) for key, part in tree.items()}
    if isinstance(tree, list):
        return [_plain(part) for part in tree]
    if isinstance(tree, NotedText) and tree.value is not None:
        return tree.value
    return tree if tree is None else str(tree)
