"""The position files and rulebooks of a folder."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from vclogic.errors import InputError
from vclogic.files.boards import ENDINGS
from vclogic.files.registry import RULEBOOK
from vclogic.files.source import Source, Stamp, read_head, stamp
from vclogic.files.trees.nodes import parse
from vclogic.model.memoized import Latest

MOST = 200
"""So many files are listed."""
HEAD = 1 << 15
"""Bytes of a file within which it has to name its game."""
_DEEPEST = 3  # folders below the folder that are looked into
_MOST_LOOKED_AT = 2_000
_ENTRY = re.compile(r"""^(["']?)(game|title|rulings)\1[ \t]*:.*(?:\n(?:[ \t].*)?$)*""", re.MULTILINE)
_BLOCK = re.compile(r"^[ ]{0,3}```vclogic[ \t]*$", re.MULTILINE)
_TITLE = re.compile(r"^#[ \t]+(.*?)[ \t#]*$", re.MULTILINE)
_BLANK = re.compile(r"\s*")
_SEEN: Latest[str, tuple[Stamp, PositionFile | None]] = Latest(2 * _MOST_LOOKED_AT)


@dataclass(frozen=True)
class PositionFile:
    """A file with a position, or a rulebook.

    Attributes:
        path: The file, from the folder on; `game` of a described moment takes it.
        title: The title that it gives itself; empty without one.
        game: The game that it names.
    """

    path: str
    title: str
    game: str


def position_files(folder: str = ".", most: int = MOST) -> tuple[PositionFile, ...]:
    """The position files and rulebooks in a folder and in the folders below it.

    Args:
        folder: The folder; the working directory where it is left out.
        most: How many are listed at most.

    Returns:
        Each file that names a game in its first `HEAD` bytes, or has a rulebook's block there, `most` at the most;
        what cannot be read is left out.
    """
    found: list[PositionFile] = []
    for path in _candidates(folder):
        file = _seen(path)
        if file is not None:
            found.append(file)
        if len(found) == most:
            break
    return tuple(found)


def _candidates(top: str) -> Iterator[str]:
    looked = 0
    for folder, below, names in os.walk(top):
        deep = folder.removeprefix(top).count(os.sep)
        below[:] = [] if deep >= _DEEPEST else sorted(b for b in below if not b.startswith((".", "node_modules")))
        for name in sorted(names):
            if name.endswith((*ENDINGS, RULEBOOK)) and not name.startswith("."):
                looked += 1
                if looked > _MOST_LOOKED_AT:
                    return
                yield os.path.normpath(os.path.join(folder, name))


def _seen(path: str) -> PositionFile | None:
    """A file, if it is one with a position; one that was not saved since is not read again."""
    key, now = os.path.abspath(path), stamp(path)
    if now is None:
        return None
    seen = _SEEN.find(key)
    if seen is None or seen[0] != now:
        seen = _SEEN.put(key, (now, _position(path)))
    return seen[1]


def _position(path: str) -> PositionFile | None:
    if path.endswith(RULEBOOK):
        return _rulebook(path)
    try:
        entries = _entries(read_head(path, HEAD))
    except InputError:
        return None
    game, title = entries.get("game"), entries.get("title")
    if not isinstance(game, str) or "rulings" in entries:
        return None
    return PositionFile(path, str(title) if isinstance(title, str) else "", str(game))


def _rulebook(path: str) -> PositionFile | None:
    """A Markdown file, if it is a rulebook: its game begins as it says."""
    try:
        head = read_head(path, HEAD).text
    except InputError:
        return None
    if _BLOCK.search(head) is None:
        return None
    title = _TITLE.search(head)
    return PositionFile(path, title[1] if title else "", path)


def _entries(head: Source) -> Mapping[str, Any]:
    """The entries at the beginning of a file that name the game, and the key of rulings if it has them.

    Raises:
        InputError: It is neither YAML nor JSON.
    """
    if "game" not in head.text:
        return {}
    if head.text.lstrip().startswith("{"):
        return dict(_members(head.text)) or _mapping(head)
    entries = {found[2]: found[0] for found in _ENTRY.finditer(head.text)}
    if "game" not in entries or "rulings" in entries:
        return {}
    return _mapping(Source(head.name, "\n".join(entries.values())))


def _mapping(source: Source) -> Mapping[str, Any]:
    tree = parse(source).tree
    return tree if isinstance(tree, dict) else {}


def _members(text: str) -> Iterator[tuple[str, Any]]:
    """The members of a JSON object, as far as the text goes."""
    read = json.JSONDecoder().raw_decode
    at = text.index("{")
    try:
        while text[at] in "{,":
            name, at = read(text, _behind(text, at + 1))
            colon = _behind(text, at)
            if text[colon] != ":":
                return
            value, at = read(text, _behind(text, colon + 1))
            yield name, value
            at = _behind(text, at)
    except (ValueError, IndexError, RecursionError):
        return


def _behind(text: str, at: int) -> int:
    """The next place behind blanks."""
    found = _BLANK.match(text, at)
    return found.end() if found else at
