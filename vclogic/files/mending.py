"""The rest of a faulty board: enough to find other faults of a position on it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from vclogic.errors import Diagnostic, RulesError
from vclogic.files.blame import their_code
from vclogic.files.schema import check_as, faulty_parts
from vclogic.files.tree import Node, Path, Quoted, Tree
from vclogic.model.system import Encoding, Flaw

_ROUNDS = 8
"""The rounds of taking out faulty parts: those that rest on one taken out are faulty in turn."""
_ENTRY = 2
"""So many steps lead to an entry of a section of a board, such as a unit."""
_OF_NAMES = ("unknown-name", "wrong-kind")
_QUOTED = re.compile(r"'([^']*)'")
_NEAR = re.compile(r"did you mean '([^']*)'")
_GONE: Tree = Quoted("gone")


@dataclass(frozen=True)
class Mended:
    """A board without its faulty parts.

    Attributes:
        board: The board.
        lost: The names in the parts that were taken out or changed, and in the entries of the board around them.
        meant: The texts that were taken out or changed: other names may have been meant.
        blind: Whether a whole section was lost, of which nobody can tell what names it was to bring.
    """

    board: Any
    lost: frozenset[str]
    meant: frozenset[str]
    blind: bool

    def follows(self, found: Diagnostic, known: Iterable[str] = ()) -> bool:
        """True if a fault may only follow from a part that was taken out: it names something of that.

        Args:
            found: The fault.
            known: Names that a whole board may bring with it.
        """
        words = {word for said in _QUOTED.findall(found.message) for word in _names_in(said)}
        if not {*self.lost, *known}.isdisjoint(words):
            return True
        if found.code not in _OF_NAMES:
            return False
        return self.blind or any(get_close_matches(word, self.meant, n=1) for word in words)


def mended(encoding: Encoding, node: Node) -> Mended | None:
    """A faulty board without what is faulty; None if nothing is left that makes a board.

    Args:
        encoding: The game.
        node: The board.
    """
    lost: set[str] = set()
    meant: set[str] = set()
    tree, blind = node.tree, False
    try:
        for _ in range(_ROUNDS):
            faulty: dict[Path, Tree] = dict.fromkeys(faulty_parts(encoding.board, Node(tree, node.where)), _GONE)
            if not faulty:
                board = check_as(encoding.board, Node(tree, node.where))
                with their_code(encoding.name, "asked about its board"):
                    faulty = {flaw.path: _meant(flaw) for flaw in encoding.check_board(board)}
                if not faulty:
                    return Mended(board, frozenset(lost), frozenset(meant), blind)
            if () in faulty:
                return None
            for path in faulty:
                part = _part(tree, path)
                if isinstance(part, str) and part not in lost:  # else it is faulty since that was taken out
                    meant.add(str(part))
                lost |= {*map(str, path), *_texts(_part(tree, path[:_ENTRY])), *_texts(part)}
                blind |= len(path) == 1 and not isinstance(part, dict | list)
            tree = _changed(tree, faulty)
    except RulesError:
        return None  # the game's own check cannot stand what is left
    return None


def _meant(flaw: Flaw) -> Tree:
    """The probable meaning of a value; `_GONE`: nobody knows."""
    near = _NEAR.match(flaw.help or "")
    return near[1] if near and not flaw.key else _GONE


def _names_in(said: str) -> Iterator[str]:
    """The names within a name: a Location has its hex, a group the name of its kind."""
    for name in (said, said.partition(" ")[2]):
        yield name
        yield name.partition("/")[0]


def _part(tree: Tree, path: Path) -> Tree:
    for step in path:
        if isinstance(tree, dict):
            tree = tree.get(str(step))
        elif isinstance(tree, list) and isinstance(step, int) and step < len(tree):
            tree = tree[step]
        else:
            return None
    return tree


def _texts(tree: Tree) -> Iterator[str]:
    """All keys and texts of a part."""
    if isinstance(tree, str):
        yield str(tree)
    elif isinstance(tree, list):
        for part in tree:
            yield from _texts(part)
    elif tree is not None:
        for key, part in tree.items():
            yield key
            yield from _texts(part)


def _changed(tree: Tree, changes: Mapping[Path, Tree]) -> Tree:
    """A tree with other parts in some places; without those that are `_GONE`."""
    here: dict[str | int, dict[Path, Tree]] = {}
    for path, part in changes.items():
        here.setdefault(path[0], {})[path[1:]] = part
    if isinstance(tree, dict):
        kept = {key: _left(part, here.get(key)) for key, part in tree.items()}
        return {key: part for key, part in kept.items() if part is not _GONE}
    if isinstance(tree, list):
        parts = [_left(part, here.get(i)) for i, part in enumerate(tree)]
        return [part for part in parts if part is not _GONE]
    return tree


def _left(part: Tree, changes: Mapping[Path, Tree] | None) -> Tree:
    if changes is None:
        return part
    if () in changes:
        return changes[()] if isinstance(part, str) else _GONE
    return _changed(part, changes) if isinstance(part, dict | list) else _GONE
