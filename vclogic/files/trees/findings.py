"""Collect everything that is wrong with an input, to raise it at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from vclogic.errors import Diagnostic, InputError

TOO_MANY = "too-many"
MOST = 100
"""So many diagnostics are collected; then reading stops."""


class Findings:
    """The diagnostics so far.

    All parts of a reader share one object, add to it and continue; `stop` ends the reading where that is useless.
    """

    def __init__(self) -> None:
        self._found: dict[Diagnostic, None] = {}

    def __bool__(self) -> bool:
        return bool(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def add(self, diagnostic: Diagnostic) -> None:
        """Add a diagnostic, unless it is already there.

        Raises:
            InputError: There are `MOST` of them now.
        """
        self._found[diagnostic] = None
        if len(self._found) >= MOST:
            message = f"more than {MOST - 1} mistakes: only the first ones are listed"
            self._found[Diagnostic(TOO_MANY, message, diagnostic.file)] = None
            self.stop()

    def take(self, error: InputError) -> None:
        """Add the diagnostics of an error.

        Raises:
            InputError: There are `MOST` of them now.
        """
        for diagnostic in error.diagnostics:
            self.add(diagnostic)

    @contextmanager
    def catch(self, file: str | None = None) -> Iterator[None]:
        """Add an InputError of the block, in this file if it names none, and continue after the block."""
        try:
            yield
        except InputError as error:
            self.take(error.at(file))

    def stop(self) -> None:
        """End the reading if there are diagnostics.

        Raises:
            InputError: All diagnostics, ordered by file (as first met), line and column.
        """
        if self._found:
            files = list(dict.fromkeys(d.file for d in self._found))
            ranks = {d: (d.code == TOO_MANY, files.index(d.file), d.line or 0, d.column or 0) for d in self._found}
            raise InputError(sorted(ranks, key=ranks.__getitem__))
