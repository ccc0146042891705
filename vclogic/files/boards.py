"""Read a board: of a position, or in a file beside it; of a faulty one, the rest, to find other faults on it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from vclogic.errors import Diagnostic, InputError, RulesError, quoted
from vclogic.files.blame import their_code
from vclogic.files.outcomes import OUTCOMES
from vclogic.files.registry import BOARD, board_of, data_source, is_file, is_packaged
from vclogic.files.scenario import default_scenario, load_scenario, split_game
from vclogic.files.source import Source
from vclogic.files.trees.findings import Findings
from vclogic.files.trees.located import Locator, Node, Path, Quoted, Tree
from vclogic.files.trees.nodes import parse, read_node
from vclogic.files.trees.overlay import overlaid
from vclogic.files.trees.scalars import UNQUOTED, UNQUOTED_HELP, split_in_list, unquoted_hex
from vclogic.files.trees.schema import check_as, faulty_parts
from vclogic.model.system import Encoding, Flaw, Settings, System
from vclogic.terms.expressions.lexer import unwritable
from vclogic.terms.sorts import NameTaken

ENDINGS = (".yaml", ".yml", ".json")
"""The endings of position and board files."""
_DEEPEST = 8
"""So many folders a board file may lie below the file that names it."""


def read_board(encoding: Encoding, node: Node) -> Any:
    """Read a board into the encoding's class.

    Raises:
        InputError: It does not fit the class, or the game's own check fails (`bad-board`).
    """
    board = check_as(encoding.board, _without_outcomes(node))
    findings = Findings()
    with their_code(encoding.name, "asked about its board"):
        _report_flaws(encoding.check_board(board), node, findings)
    findings.stop()
    return board


def _without_outcomes(node: Node) -> Node:
    """A board without its text of rules, which is no part of it that the game knows."""
    if not isinstance(node.tree, dict) or OUTCOMES not in node.tree:
        return node
    return Node({key: part for key, part in node.tree.items() if key != OUTCOMES}, node.where)


def check_chosen(encoding: Encoding, board: Any, settings: Settings, node: Node, findings: Findings) -> None:
    """Check a board under the settings; without one that is sound there is no rule set.

    Args:
        encoding: The game.
        node: The board in its file.

    Raises:
        InputError: Something is wrong.
    """
    with their_code(encoding.name, "asked about its board"):
        flaws = list(encoding.check_chosen(board, settings))
    if flaws:
        _report_flaws(flaws, node, findings)
        findings.stop()


def taken(error: NameTaken, board: Node) -> Diagnostic | None:
    """The report for a name that the game has a use of its own for; None if it does not stand on the board."""
    message = f"{quoted(error.name)} cannot be a name here: in this game it has a meaning of its own"
    return _at_name(board, error.name, message, "give it another name")


def check_names(system: System, board: Node, findings: Findings) -> None:
    """Report the names of a board that no goal could hold."""
    domains = [d for f in system.families for d in (*f.indices, f.values)]
    domains += [d for o in system.observables for d in o.parameters]
    for name in dict.fromkeys(m for sort in {d.sort for d in domains if d} for m in sort.members):
        problem = unwritable(name)
        if problem is not None:
            found = _at_name(board, name, f"{quoted(name)} cannot be written in a goal: {problem}")
            if found is not None:
                findings.add(found)


def _at_name(node: Node, name: str, message: str, help: str | None = None) -> Diagnostic | None:
    """A report at the first place where a name stands in a board, as a key or a value."""
    left = [node]
    while left:
        here = left.pop()
        if isinstance(here.tree, str) and here.tree == name:
            return here.diagnostic("bad-board", message, help=help)
        if isinstance(here.tree, dict) and name in here.tree:
            return here.part(name).diagnostic("bad-board", message, key=True, help=help)
        steps: Iterable[str | int] = here.tree if isinstance(here.tree, dict) else ()
        if isinstance(here.tree, list):
            steps = range(len(here.tree))
        left += [here.part(step) for step in reversed([*steps])]
    return None


def _report_flaws(flaws: Iterable[Flaw], node: Node, findings: Findings) -> None:
    """Report each flaw of a board at its place."""
    for flaw in flaws:
        place = node.where.find(flaw.path, key=flaw.key)
        found = Diagnostic("bad-board", flaw.message, node.where.file, *place, flaw.help)
        findings.add(("hex" in flaw.message and _half_hex(node, flaw.path)) or found)


def _half_hex(node: Node, path: Path) -> Diagnostic | None:
    """The message if a flaw is about half of an unquoted hex in a list."""
    for step in path[:-1]:
        node = node.part(step)
    last = path[-1] if path else None
    if not isinstance(last, int) or not isinstance(node.tree, list):
        return None
    for first in (last - last % 2, last - 1, last):
        found = split_in_list(node.tree[first : first + 2]) if first >= 0 else None
        if found:
            return node.part(first).diagnostic(UNQUOTED, unquoted_hex(found[1]), help=UNQUOTED_HELP)
    return None


def board_node(node: Node, folder: str, package: str | None) -> Node:
    """The board that a section `board` names or contains.

    Args:
        node: The section.
        folder: The folder of the file that it stands in.
        package: The encoding whose folder has the board's file; None: it lies below that folder.

    Raises:
        InputError: The name is none of a board's file, or the file cannot be read.
    """
    return overlaid(_named_board(node, folder, package), lambda named: _base(named, folder, package))


def scenario_board(name: str, file: str) -> Node:
    """The board of a scenario: a file in the game's folder, else that which its text includes.

    Args:
        name: The game.
        file: The file, as the scenario names it.

    Raises:
        InputError: There is none, or it cannot be read.
    """
    own = board_of(name) if file == BOARD and not is_packaged(name, file) else None
    if own is None:
        return parse(data_source(name, file))
    if not isinstance(own, str):
        node = parse(Source(own.file, own.text))
        return overlaid(node, lambda named: _base(named, os.path.dirname(own.file), None))
    folder, file = os.path.split(own)
    return board_node(Node(file, Locator(name, lambda: None)), folder, None)


def _base(named: Node, folder: str, package: str | None) -> Node:
    """The board that another one is based on: a file's, or that of a game's scenario.

    Raises:
        InputError: There is none.
    """
    name = named.tree
    if not isinstance(name, str) or name.endswith(ENDINGS):
        if not isinstance(name, str):
            message = "a board is based on a game, such as axis_allies/revised-1942, or on a board's file"
            raise InputError(named.diagnostic("wrong-value", message))
        return _named_board(named, folder, package)
    try:
        encoding, scenario = split_game(name)
        content = load_scenario(encoding, scenario or default_scenario(encoding)).content
        return scenario_board(encoding, content.board)
    except InputError as error:
        raise error.at(*named.spot) from error


def _named_board(node: Node, folder: str, package: str | None) -> Node:
    """The board that a name stands for; else what stands there."""
    name = node.tree
    if not isinstance(name, str):
        return node
    if not is_below(name):
        hint = "name a file beside this one or in a folder below, such as maps/village.yaml; it ends in "
        hint += " or ".join(ENDINGS)
        raise InputError(
            node.diagnostic("bad-value", f"board: {quoted(str(name))} is not the name of a board file", help=hint)
        )
    try:
        if package is not None and is_file(package):
            folder = os.path.dirname(package)
        elif package is not None:
            return parse(data_source(package, name))
        return read_node(os.path.join(folder, name), below=folder)
    except InputError as error:  # a file that cannot be read at all: the place is where it is named
        raise error.at(*node.spot) from error


def is_below(name: str) -> bool:
    """True if a name can be that of another file: beside the file that names it, or in a folder below."""
    *folders, file = name.split("/")
    parts = (*folders, file)
    out = any(part in ("", ".", "..") or part.startswith("~") for part in parts)
    return not out and "\\" not in name and file.endswith(ENDINGS) and len(folders) <= _DEEPEST


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
