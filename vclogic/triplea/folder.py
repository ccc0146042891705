"""The place of a map: its XML file alone, its folder, or a zip of it; and the keys of its notifications."""

from __future__ import annotations

import os
import re
import zipfile
from collections.abc import Iterable

from vclogic.errors import Diagnostic, InputError
from vclogic.triplea.elements import MOST_BYTES

NOTIFICATIONS = "notifications.properties"
_XML = ".xml"
_GAMES = ("games", "map/games")
_ENTRY = re.compile(r"\s*(?![#!])((?:\\.|[^\s=:\\])+)")


def map_in_folder(folder: str) -> str | None:
    """The XML file of a map's folder; None: the folder is none of a map.

    Raises:
        InputError: It has several games.
    """
    for games in _GAMES:
        inside = os.path.join(folder, games)
        if os.path.isdir(inside):
            files = [os.path.join(inside, n) for n in sorted(os.listdir(inside)) if n.endswith(_XML)]
            if files:
                return _only(files, folder)
    return None


def map_in_zip(path: str) -> tuple[str, dict[str, str]] | None:
    """The XML file of a map's zip, with the texts of it and of its notifications by names; None: there is no map.

    Raises:
        InputError: It cannot be read, is too large, or has several games.
    """
    try:
        with zipfile.ZipFile(path) as packed:
            names = {i.filename: i for i in packed.infolist()}
            games = [n for n in names if n.endswith(_XML) and "games" in n.split("/")[:-1]]
            if not games:
                return None
            game = _only(sorted(games), path)
            above = game.rsplit("/", 1)[0].rpartition("/")[0]
            wanted = [game, *(n for n in names if n in (NOTIFICATIONS, f"{above}/{NOTIFICATIONS}".lstrip("/")))]
            if sum(names[n].file_size for n in wanted) > MOST_BYTES:
                raise InputError(Diagnostic("limit", f"unpacked it has more than {MOST_BYTES:,} bytes", path))
            texts = {f"{path}/{n}": packed.open(n).read(MOST_BYTES).decode("utf-8-sig", "replace") for n in wanted}
    except (OSError, zipfile.BadZipFile, RuntimeError, NotImplementedError) as error:
        raise InputError(Diagnostic("unreadable", f"this is no zip of a map: {error}", path)) from error
    return f"{path}/{game}", texts


def _only(files: Iterable[str], where: str) -> str:
    first, *others = files
    if others:
        help = f"name one of them: {', '.join((first, *others[:5]))}"
        raise InputError(Diagnostic("wrong-value", f"{where} has {len(others) + 1} games", where, help=help))
    return first


def keys_of(content: str) -> frozenset[str]:
    """The keys of a properties file of Java.

    Args:
        content: What `notifications.properties` holds.
    """
    found = set()
    continued = False
    for line in content.splitlines():
        entry = None if continued else _ENTRY.match(line)
        if entry:
            found.add(re.sub(r"\\(.)", r"\1", entry[1]))
        continued = (len(line) - len(line.rstrip("\\"))) % 2 == 1
    return frozenset(found)
