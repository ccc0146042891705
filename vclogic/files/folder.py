"""The position files of a folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from vclogic.errors import InputError
from vclogic.files.boards import ENDINGS
from vclogic.files.nodes import parse
from vclogic.files.source import read_text

MOST = 200
"""So many files are listed."""
_DEEPEST = 3  # folders below the folder that are looked into
_MOST_LOOKED_AT = 2_000


@dataclass(frozen=True)
class PositionFile:
    """A file with a position.

    Attributes:
        path: The file, from the folder on; `game` of a described moment takes it.
        title: The title that it gives itself; empty without one.
        game: The game that it names.
    """

    path: str
    title: str
    game: str


def position_files() -> tuple[PositionFile, ...]:
    """The position files in the working directory and in the folders below it.

    Returns:
        Each file that names a game, `MOST` at the most; what cannot be read is left out.
    """
    found: list[PositionFile] = []
    for path in _candidates():
        file = _position(path)
        if file is not None:
            found.append(file)
        if len(found) == MOST:
            break
    return tuple(found)


def _candidates() -> Iterator[str]:
    looked = 0
    for folder, below, names in os.walk("."):
        deep = folder.count(os.sep)
        below[:] = [] if deep >= _DEEPEST else sorted(b for b in below if not b.startswith((".", "node_modules")))
        for name in sorted(names):
            if name.endswith(ENDINGS) and not name.startswith("."):
                looked += 1
                if looked > _MOST_LOOKED_AT:
                    return
                yield os.path.normpath(os.path.join(folder, name))


def _position(path: str) -> PositionFile | None:
    """A file, if it is one with a position."""
    try:
        source = read_text(path)
        if "game" not in source.text:
            return None
        tree = parse(source).tree
    except InputError:
        return None
    if not isinstance(tree, dict) or not isinstance(tree.get("game"), str) or "rulings" in tree:
        return None
    title = tree.get("title")
    return PositionFile(path, str(title) if isinstance(title, str) else "", str(tree["game"]))
