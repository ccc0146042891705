"""Notices when rules of installed games, or files of the folder, have changed."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterator, Mapping
from importlib.util import find_spec

from vclogic.files.registry import packages

_PAUSE = 1.0  # seconds between two looks
_ENDINGS = (".py", ".yaml", ".yml", ".json")
_MOST_FILES = 5_000
_DEEPEST = 4


class Changes:
    """Tells of changes.

    Args:
        folder: The folder whose files count, beside those of the installed games.

    Attributes:
        number: How many changes were noticed.
    """

    def __init__(self, folder: str):
        self._folders = [folder, *_folders()]
        self._condition = asyncio.Condition()
        self.number = 0

    async def watch(self, then: Callable[[], Awaitable[None]]) -> None:
        """Look for changes again and again, and do something after each, before anybody is told."""
        before = await asyncio.to_thread(self._stamps)
        while True:
            await asyncio.sleep(_PAUSE)
            now = await asyncio.to_thread(self._stamps)
            if now == before:
                continue
            before = now
            await then()
            async with self._condition:
                self.number += 1
                self._condition.notify_all()

    async def after(self, seen: int) -> None:
        """Wait until there are more changes than were seen."""
        async with self._condition:
            await self._condition.wait_for(lambda: self.number > seen)

    def _stamps(self) -> Mapping[str, tuple[int, int]]:
        found: dict[str, tuple[int, int]] = {}
        for folder in self._folders:
            for path in _files(folder):
                try:
                    file = os.stat(path)
                except OSError:
                    continue
                found[path] = file.st_mtime_ns, file.st_size
                if len(found) >= _MOST_FILES:
                    return found
        return found


def _folders() -> list[str]:
    """The folders of the installed games; their rules are not loaded."""
    found = []
    for package in packages():
        try:
            spec = find_spec(package)
        except (ImportError, ValueError):
            continue
        found += list(spec.submodule_search_locations or ()) if spec else []
    return found


def _files(folder: str) -> Iterator[str]:
    for here, below, names in os.walk(folder):
        deep = here[len(folder) :].count(os.sep)
        below[:] = [] if deep >= _DEEPEST else [b for b in below if not b.startswith((".", "__", "node_modules"))]
        yield from (os.path.join(here, n) for n in names if n.endswith(_ENDINGS))
