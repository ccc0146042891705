"""Terminal output: width, colours, encoding, and a progress line."""

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
    """Standard output cannot be written, for example because the disk is full."""


def rendered(report: RenderableType, stream: TextIO | None) -> str:
    """Render a report for a stream's width and colours."""
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
    """Write in UTF-8 and flush, so that errors are reported and not lost at the end of the process.

    A closed pipe is not an error.

    Raises:
        CannotWrite: The stream cannot be written.
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
    """Discard what a stream still buffers."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


@contextmanager
def progress_shown() -> Iterator[Listener]:
    """Show the progress of a question on a terminal; yields the function to report it."""
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
    """A line on the terminal that appears after a while and shows the latest progress."""

    def __init__(self) -> None:
        from vclogic.progress import Progress

        self._progress = Progress("thinking")
        self._lock = threading.Lock()
        self._status: Status | None = None
        self._timer = threading.Timer(_PATIENCE, self._show)
        self._timer.daemon = True
        self._timer.start()

    def tell(self, progress: Progress) -> None:
        """Update the line, if it is shown already."""
        with self._lock:
            self._progress = progress
            if self._status is not None:
                self._update()

    def stop(self) -> None:
        """Clear the line for good."""
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

        assert self._status is not None
        self._status.update(Text(line(self._progress)))  # a plain string would be read as markup


def line(progress: Progress) -> str:
    """The phase of the work and what is known of the cost, on one line."""
    return ": ".join(part for part in (progress.phase, progress.known) if part)
