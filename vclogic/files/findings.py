"""Collecting everything that is wrong with an input, to raise it at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from vclogic.errors import Diagnostic, InputError

TOO_MANY = "too-many"
MOST = 100
"""So many diagnostics are collected; then reading stops."""


class Findings:
    """What is wrong so far.

    Every part of a reader gets the same object, adds to it and goes on; `stop` is called where that makes no
    sense.
    """

    def __init__(self) -> None:
        self._found: dict[Diagnostic, None] = {}

    def __bool__(self) -> bool:
        return bool(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def add(self, diagnostic: Diagnostic) -> None:
        """Adds one diagnostic; the same one twice counts once.

        Raises:
            InputError: There are `MOST` of them now.
        """
        self._found[diagnostic] = None
        if len(self._found) >= MOST:
            message = f"more than {MOST - 1} mistakes: only the first ones are listed"
            self._found[Diagnostic(TOO_MANY, message, diagnostic.file)] = None
            self.stop()

    def take(self, error: InputError) -> None:
        """Adds the diagnostics of an error.

        Raises:
            InputError: There are `MOST` of them now.
        """
        for diagnostic in error.diagnostics:
            self.add(diagnostic)

    @contextmanager
    def catch(self, file: str | None = None) -> Iterator[None]:
        """Adds what the block raises as InputError, in that file if it names none, and goes on after it."""
        try:
            yield
        except InputError as error:
            self.take(error.at(file))

    def stop(self) -> None:
        """Ends the reading if anything was found.

        Raises:
            InputError: All that was found, ordered by file (as first met), line and column.
        """
        if self._found:
            files = list(dict.fromkeys(d.file for d in self._found))
            raise InputError(sorted(self._found, key=lambda d: _rank(d, files)))


def _rank(d: Diagnostic, files: list[str | None]) -> tuple[bool, int, int, int]:
    return d.code == TOO_MANY, files.index(d.file), d.line or 0, d.column or 0
