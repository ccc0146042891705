"""Notices when rules of installed games, or files of the folder, have changed."""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import islice

from vclogic.files.registry import packages
from vclogic.files.source import Stamp, stamp
from vclogic.serve.web.guard import Busy

MOST_LISTENING = 50
"""So many pages may listen at once, so that connections are left for questions."""
_PAUSE = 1.0  # seconds between two looks
_ENDINGS = (".py", ".yaml", ".yml", ".json", ".md")
_MOST_FILES = 5_000  # that are looked at in a folder and below
_DEEPEST = 4
_VENV = "pyvenv.cfg"  # a file of each folder of installed packages


class Changes:
    """Tells of changes.

    Args:
        folder: The folder whose files count, beside those of the installed games.

    Attributes:
        number: How many changes were noticed.
        closed: Whether no more will be told.
    """

    def __init__(self, folder: str):
        self._folders = [*_folders(), folder]
        self._token = secrets.token_hex(8)
        self._news = asyncio.Event()
        self._listening = 0
        self.number = 0
        self.closed = False

    @property
    def id(self) -> str:
        """The name of the last change: another one after each, and in each server."""
        return f"{self._token}.{self.number}"

    async def watch(self, then: Callable[[], Awaitable[None]]) -> None:
        """Look for changes again and again, and do something after each, before anybody is told."""
        before = await asyncio.to_thread(self._stamps)
        while True:
            await asyncio.sleep(_PAUSE)
            now = await asyncio.to_thread(self._stamps)
            if now == before:
                continue
            try:
                await then()
            except Exception:  # such as a process that cannot be started: at the next look once more
                continue
            before = now
            self.number += 1
            self._tell()

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Within the block, one page more listens.

        Raises:
            Busy: Too many do.
        """
        if self._listening >= MOST_LISTENING:
            raise Busy("pages that listen for changes")
        self._listening += 1
        try:
            yield
        finally:
            self._listening -= 1

    async def after(self, seen: int) -> None:
        """Wait until there are more changes than were seen, or no more will be told."""
        while self.number <= seen and not self.closed:
            await self._news.wait()

    def close(self) -> None:
        """Tell no more."""
        self.closed = True
        self._tell()

    def _tell(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()

    def _stamps(self) -> Mapping[str, Stamp | None]:
        return {path: stamp(path) for folder in self._folders for path in islice(_files(folder), _MOST_FILES)}


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
    """The files of a folder and below that may matter; what is hidden or belongs to installed packages does not."""
    for here, below, names in os.walk(folder):
        deep = here[len(folder) :].count(os.sep)
        if _VENV in names and deep:
            below.clear()
            continue
        below[:] = [] if deep >= _DEEPEST else [b for b in below if not b.startswith((".", "__", "node_modules"))]
        yield from (os.path.join(here, n) for n in names if n.endswith(_ENDINGS) and not n.startswith("."))
