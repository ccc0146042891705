"""Find files of rulings: one that is named, or those of a folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from vclogic.errors import Diagnostic, InputError, quoted
from vclogic.files.boards import ENDINGS
from vclogic.files.findings import Findings
from vclogic.files.nodes import read_node
from vclogic.files.registry import owner_of
from vclogic.files.rulings.case_files import no_rulings
from vclogic.files.source import STDIN
from vclogic.files.tree import Node

_MOST_FILES = 10_000
_NOT_LOOKED_INTO = ("__pycache__", "node_modules")


@dataclass(frozen=True)
class CaseFile:
    """A file of rulings.

    Attributes:
        node: What it holds.
        encoding: The game whose own file it is, or None.
    """

    node: Node
    encoding: str | None


@dataclass(frozen=True)
class Skipped:
    """A file that holds no rulings.

    Attributes:
        file: Its path.
        reason: What it is, in a few words.
    """

    file: str
    reason: str


def find_case_files(path: str, findings: Findings) -> Iterator[CaseFile | Skipped]:
    """The file that a path names; or the files of rulings in that folder and in the folders below it.

    Args:
        path: The file, the folder, or `-` for standard input.
        findings: Takes what is wrong with a file.
    """
    if os.path.isdir(path):
        yield from _in_folder(path, findings)
        return
    with findings.catch():
        node = read_node(path)
        wrong = no_rulings(node)
        if wrong is None:
            yield CaseFile(node, None if path == STDIN else owner_of(path))
            return
        message = f"the file holds no rulings: it is {wrong}"
        help = (
            "rulings are a list of `- name: ...` with `expect:`, or `rulings:` with such a list; a position becomes "
            "one with `- expect: ...` in its record"
        )
        findings.add(node.diagnostic("no-rulings", message, help=help))


def _in_folder(folder: str, findings: Findings) -> Iterator[CaseFile | Skipped]:
    there = False
    for file in _files(folder):
        with findings.catch():
            node = read_node(file)
            reason = no_rulings(node)
            there = there or reason is None
            yield CaseFile(node, owner_of(file)) if reason is None else Skipped(file, reason)
    if not there and not findings:
        help = "`vclogic new --case GAME` writes a file of rulings to begin with"
        message = f"there is no file of rulings in the folder {quoted(folder)}"
        findings.add(Diagnostic("no-rulings", message, help=help))


def _files(folder: str) -> list[str]:
    """The files of a folder, and of those below it, that may hold rulings; in the order of their names.

    Raises:
        InputError: There are too many.
    """
    found: list[str] = []
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(f for f in folders if not f.startswith(".") and f not in _NOT_LOOKED_INTO)
        found += [
            os.path.normpath(os.path.join(here, name))
            for name in sorted(names)
            if name.endswith(ENDINGS) and name[0] != "."
        ]
        if len(found) > _MOST_FILES:
            help = "name the folder that holds your rulings"
            message = f"more than {_MOST_FILES:,} files are in the folder {quoted(folder)}"
            raise InputError(Diagnostic("too-big", message, help=help))
    return found
