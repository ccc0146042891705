"""Read a board: of a position, or in a file beside it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from vclogic.errors import Diagnostic, InputError, quoted
from vclogic.files.blame import their_code
from vclogic.files.findings import Findings
from vclogic.files.hexes import HELP, UNQUOTED, message, split_in_list
from vclogic.files.nodes import parse, read_node
from vclogic.files.outcomes import OUTCOMES
from vclogic.files.overlay import overlaid
from vclogic.files.registry import data_source
from vclogic.files.scenario import default_scenario, load_scenario, split_game
from vclogic.files.schema import check_as
from vclogic.files.tree import Node, Path
from vclogic.model.system import Encoding, Flaw, Settings, System
from vclogic.terms.lexer import unwritable
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
            return node.part(first).diagnostic(UNQUOTED, message(found[1]), help=HELP)
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
        return parse(
            data_source(encoding, load_scenario(encoding, scenario or default_scenario(encoding)).content.board)
        )
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
        if package is not None:
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
