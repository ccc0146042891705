"""The command line's output: what is written, how wide, and the progress of what takes long."""

from __future__ import annotations

import io
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.status import Status

    from vclogic.progress import Listener, Progress

_PATIENCE = 1.0  # seconds before progress is shown


class CannotWrite(Exception):
    """Standard output does not take what is written, such as where a disk is full."""


def rendered(report: RenderableType, stream: TextIO | None) -> str:
    """A report in the width and with the colours that a stream takes."""
    from vclogic.report.text.page import PIPED_WIDTH, render

    if stream is None or not stream.isatty():
        return render(report, width=PIPED_WIDTH)
    try:
        width = os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):
        width = 0
    colour = "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    return render(report, width=width or 80, colour=colour)


def write(stream: TextIO | None, text: str) -> None:
    """Writes in UTF-8, to the end: what is held back until the process ends fails where nobody can report it.

    Nobody reading any longer is no failure.

    Raises:
        CannotWrite: The stream does not take it.
    """
    if stream is None:
        return
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError:
        discard(stream)
    except OSError as error:
        discard(stream)
        raise CannotWrite(error.strerror or str(error)) from error


def discard(stream: TextIO) -> None:
    """Lets what a stream still holds go nowhere."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


@contextmanager
def progress_shown() -> Iterator[Listener]:
    """Tells whoever waits at a terminal how far a question is; gives the function that is told."""
    from vclogic.progress import silent

    if sys.stderr is None or not sys.stderr.isatty():
        yield silent
        return
    spinner = _Spinner()
    try:
        yield spinner.tell
    finally:
        spinner.stop()


class _Spinner:
    """A line on the terminal that appears only after a while and shows what was told last."""

    def __init__(self) -> None:
        from vclogic.progress import Progress

        self._progress = Progress("thinking")
        self._lock = threading.Lock()
        self._status: Status | None = None
        self._timer = threading.Timer(_PATIENCE, self._show)
        self._timer.daemon = True
        self._timer.start()

    def tell(self, progress: Progress) -> None:
        """Shows something else, if anything is shown yet."""
        with self._lock:
            self._progress = progress
            if self._status is not None:
                self._update()

    def stop(self) -> None:
        """Clears the line, and keeps it from appearing."""
        self._timer.cancel()
        with self._lock:
            if self._status is not None:
                self._status.stop()
                self._status = None

    def _show(self) -> None:
        from rich.console import Console

        with self._lock:
            if not self._timer.finished.is_set():  # set by `stop`
                self._status = Console(stderr=True).status("")
                self._update()
                self._status.start()

    def _update(self) -> None:
        from rich.text import Text

        from vclogic.report.text.progress import line

        assert self._status is not None
        self._status.update(Text(line(self._progress)))  # a plain string would be read as markup
