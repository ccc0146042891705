"""The content of a position file as plain values, which JSON holds and a program can load again."""

from __future__ import annotations

import re
from typing import Any

from vclogic.files.scalars import TRUTH
from vclogic.files.tree import Node, Quoted, Tree

_NUMBER = re.compile(r"[-+]?\d+", re.ASCII)
_ONLY = ("true", "false")


def plain(node: Node) -> dict[str, Any]:
    """A position file as plain values: what `vclogic.load` makes the same game of.

    Args:
        node: The content of the file, a mapping; words without quotes may stand for numbers and truth values.
    """
    tree = node.tree if isinstance(node.tree, dict) else {}
    return {key: _plain(part, facts=key == "state") for key, part in tree.items()}


def _plain(tree: Tree, *, facts: bool) -> Any:
    """A part of it. `yes`, `on` and the like are truth values among facts, and names elsewhere."""
    if isinstance(tree, dict):
        return {key: _plain(part, facts=facts) for key, part in tree.items()}
    if isinstance(tree, list):
        return [_plain(part, facts=facts) for part in tree]
    if tree is None or isinstance(tree, Quoted):
        return tree if tree is None else str(tree)
    if _NUMBER.fullmatch(tree):
        return int(tree)
    word = tree.lower()
    return TRUTH[word] if word in (TRUTH if facts else _ONLY) else str(tree)
