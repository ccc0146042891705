"""Read the text of a file or of standard input."""

from __future__ import annotations

import difflib
import io
import os
import stat
import sys
from codecs import utf_8_decode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import islice
from typing import NamedTuple

from vclogic.errors import Diagnostic, InputError, quoted

STDIN = "-"
STDIN_NAME = "<stdin>"
LIMIT = 10_000_000
"""The most bytes that a file may have."""
PATIENCE = 10.0
"""Seconds that an open pipe may take that is named as a file, as shells do for `<(...)`."""
_MOST_NAME = 250  # characters of a near file that are shown: who takes the hint needs all of them
_STREAMS = ("/dev/", "/proc/")
# Not every system has every flag; O_BINARY stands for Windows, where ends of lines would be changed.
_TO_READ = sum({getattr(os, flag, 0) for flag in ("O_RDONLY", "O_NOCTTY", "O_NONBLOCK", "O_BINARY")})
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_WAITING = "`-` reads standard input, and waits for it"


_confined = False  # whether this process reads files of its working directory alone


def confine() -> None:
    """From now on, this process reads the files of its working directory and below alone, those of games aside."""
    global _confined
    _confined = True


def outside(path: str) -> bool:
    """True if this process is confined to a folder and a path leads out of it."""
    name = os.path.normpath(path) if path else path
    return _confined and (os.path.isabs(name) or name.split(os.sep)[0] == os.pardir or path == STDIN)


Stamp = tuple[int, int]
"""The time and the size of a file: another one once it has been saved anew."""
_noted: ContextVar[dict[str, Stamp | None] | None] = ContextVar("_noted", default=None)


def stamp(path: str) -> Stamp | None:
    """The stamp of a file; None where there is none that this process reads."""
    other = _other_text(path)
    other = _received.get(os.path.abspath(path)) if other is None else other
    if other is not None:
        return hash(other), len(other)
    try:
        found = None if outside(path) and os.path.abspath(path) not in _packaged else os.stat(path)
    except (OSError, ValueError):  # ValueError: a name with a NUL
        return None
    return found and (found.st_mtime_ns, found.st_size)


_instead: ContextVar[Mapping[str, str] | None] = ContextVar("_instead", default=None)


@contextmanager
def instead(files: Mapping[str, str]) -> Iterator[None]:
    """Within the block some files hold other texts, to see what would be so if they did; nothing is written.

    Args:
        files: The text of each, by its path.
    """
    before = _instead.set({**(_instead.get() or {}), **{os.path.abspath(path): text for path, text in files.items()}})
    try:
        yield
    finally:
        _instead.reset(before)


def _other_text(path: str) -> str | None:
    """The text that stands in place of a file's own; None: its own."""
    others = _instead.get()
    return others.get(os.path.abspath(path)) if others else None


@contextmanager
def files_noted() -> Iterator[Mapping[str, Stamp | None]]:
    """Notes the files that are read within the block, each with its stamp before that."""
    found: dict[str, Stamp | None] = {}
    before = _noted.set(found)
    try:
        yield found
    finally:
        _noted.reset(before)


def note(path: str) -> None:
    """Note that a file is read, or that what was read from it is used again; see `files_noted`."""
    noted = _noted.get()
    if noted is not None:
        noted.setdefault(path, stamp(path))


_packaged: set[str] = set()  # absolute paths


def of_package(path: str) -> None:
    """From now on, this process reads a file of an installed package, whatever folder it is confined to."""
    _packaged.add(os.path.abspath(path))


_received: dict[str, str] = {}  # by absolute path


def receive(path: str, text: str) -> None:
    """From now on, this process reads a text that another one sent where a file is named."""
    _received[os.path.abspath(path)] = text


class Source(NamedTuple):
    """A text and what to call it.

    Attributes:
        name: The file as the user named it, or `<stdin>`.
        text: Its text.
    """

    name: str
    text: str


def read_text(path: str, *, below: str | None = None) -> Source:
    """The text of a file, or what an open pipe delivers within `PATIENCE`.

    Args:
        path: The file, or `-` for standard input.
        below: A folder with which the path begins; behind it, nothing may be a symbolic link. None: anything may.

    Raises:
        InputError: It is missing, a directory, a pipe, a device, not readable, larger than `LIMIT`, or not UTF-8; or
            it lies outside of the folder to which this process is confined.
    """
    if path == STDIN and not outside(path):
        return decode(STDIN_NAME, _read_stdin())
    if (text := _received.get(os.path.abspath(path))) is not None:
        return Source(path, text)
    note(path)
    other = _other_text(path)
    if other is not None:
        return Source(path, other)
    return decode(path, _bytes(path, below, LIMIT + 1))


def read_head(path: str, most: int) -> Source:
    """The beginning of a file's text.

    Args:
        path: The file.
        most: How many bytes of it are read.

    Raises:
        InputError: As `read_text` does.
    """
    data = _bytes(path, None, most)
    _, whole = utf_8_decode(data, "replace", False)  # without a letter that was cut in two
    return decode(path, data[:whole])


def _bytes(path: str, below: str | None, most: int) -> bytes:
    """At most so many bytes of a file; see `read_text`."""
    packaged = os.path.abspath(path) in _packaged
    if outside(path) and not packaged:
        message = f"{quoted(path)} is not in the folder that is served"
        help = "put the file there, and name it from there on"
        raise InputError(Diagnostic("cannot-read", message, path, help=help))
    if _confined and not packaged:
        path, below = os.path.normpath(path), ""
    try:
        return _read(path, most) if below is None else _read_below(below, path[len(below) :], most)
    except (OSError, ValueError) as error:  # ValueError: a name with a NUL
        raise InputError(_unreadable(path, error)) from error


def read_bytes(path: str, most: int) -> bytes:
    """The content of a file.

    Args:
        path: The file.
        most: How many bytes it may have.

    Raises:
        InputError: As `read_text` does.
    """
    found = _bytes(path, None, most + 1)
    if len(found) > most:
        raise InputError(Diagnostic("too-big", f"the file is larger than {most // 1_000_000} MB", path))
    return found


def decode(name: str, data: bytes) -> Source:
    """The text of a file's bytes, without a byte order mark.

    Raises:
        InputError: Larger than `LIMIT`, or not UTF-8; with the line and column of the first wrong byte.
    """
    if len(data) > LIMIT:
        message = f"the file is larger than {LIMIT // 1_000_000} MB"
        raise InputError(Diagnostic("too-big", message, name, help="a board, position or record is far smaller"))
    try:
        return Source(name, data.decode("utf-8").removeprefix("\ufeff"))
    except UnicodeDecodeError as error:
        before = data[: error.start]
        start = before.rfind(b"\n") + 1
        column = len(before[start:].decode("utf-8").removeprefix("\ufeff" if start == 0 else "")) + 1
        message = "this is no text, or not saved as UTF-8"
        hint = "save it as UTF-8 text in your editor"
        raise InputError(Diagnostic("not-utf8", message, name, before.count(b"\n") + 1, column, hint)) from error


def near_files(path: str) -> list[str]:
    """Files in the path's folder with a name (but for the ending) near its own, at most three."""
    folder, name = os.path.split(path)
    if outside(path):
        return []
    try:
        with os.scandir(folder or ".") as entries:
            names = [e.name for e in islice(entries, 2000) if e.is_file()]
    except (OSError, ValueError):
        return []
    stems: dict[str, list[str]] = {}
    for known in sorted(names):
        stems.setdefault(os.path.splitext(known)[0], []).append(known)
    near = difflib.get_close_matches(os.path.splitext(name)[0], stems, n=3, cutoff=0.6)
    return [os.path.join(folder, n) for stem in near for n in stems[stem]][:3]


def _read_below(folder: str, path: str, most: int) -> bytes:
    """The bytes of a file below a folder.

    Where the system can, each folder on the way is held open, so that none is put in its place.
    """
    *folders, name = (part for part in path.split(os.sep) if part)
    if os.open not in os.supports_dir_fd:
        way = folder
        for part in folders:
            way = os.path.join(way, part)
            _check_no_link(part, os.stat(way, follow_symlinks=False).st_mode)
        return _read(os.path.join(way, name), most, follow=False)
    here = os.open(folder or os.curdir, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for part in folders:
            _check_no_link(part, os.stat(part, dir_fd=here, follow_symlinks=False).st_mode)
            above, here = here, os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=here)
            os.close(above)
        return _read(name, most, here, follow=False)
    finally:
        os.close(here)


def _check_no_link(folder: str, mode: int) -> None:
    if stat.S_ISLNK(mode):
        raise _NoFile(f"{quoted(folder)} is a symbolic link", "put the folder itself here")


def _read(path: str, most: int, folder: int | None = None, *, follow: bool = True) -> bytes:
    """The bytes of a regular file or an open pipe; nothing else is opened.

    Args:
        path: The file.
        most: At most so many of them.
        folder: The open folder that it lies in; None: the working directory.
        follow: Whether it may be a symbolic link.
    """
    opened = path.startswith(_STREAMS)
    _check_kind(os.stat(path, dir_fd=folder, follow_symlinks=follow).st_mode, opened=opened)
    handle = os.open(path, _TO_READ | (0 if follow else _NO_LINK), dir_fd=folder)
    with open(handle, "rb", buffering=0) as file:
        mode = os.fstat(handle).st_mode  # once more: it may be another file by now
        _check_kind(mode, opened=opened)
        if stat.S_ISFIFO(mode):
            return _through_pipe(handle)
        with io.BufferedReader(file) as reader:
            return reader.read(most)


def _check_kind(mode: int, *, opened: bool) -> None:
    if stat.S_ISDIR(mode):
        raise IsADirectoryError
    if stat.S_ISLNK(mode):
        raise _NoFile("it is a symbolic link", "put the file itself here")
    if stat.S_ISFIFO(mode) and not opened:
        raise _NoFile("it is a pipe", _WAITING)
    if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):
        raise _NoFile("it is no file", _WAITING)


def _through_pipe(handle: int) -> bytes:
    """Read a pipe to its end."""
    import select
    import time

    found, end = bytearray(), time.monotonic() + PATIENCE
    while len(found) <= LIMIT:
        left = max(0.0, end - time.monotonic())
        if not select.select([handle], [], [], left)[0]:
            raise _NoFile(f"the pipe has not come to its end in {PATIENCE:g} s", _WAITING)
        part = os.read(handle, LIMIT)
        if not part:
            break
        found += part
    return bytes(found)


class _NoFile(OSError):
    """The named file cannot be read; with the reason and what to do about it."""


def _read_stdin() -> bytes:
    if sys.stdin is None:
        raise InputError(Diagnostic("cannot-read", "there is no standard input", STDIN_NAME))
    try:
        stream = getattr(sys.stdin, "buffer", None)
        if stream is None:  # a stand-in that holds text only
            return sys.stdin.read(LIMIT + 1).encode("utf-8", "surrogatepass")
        data: bytes = stream.read(LIMIT + 1)
    except (OSError, ValueError) as error:
        raise InputError(Diagnostic("cannot-read", f"cannot read standard input: {error}", STDIN_NAME)) from error
    return data


def _unreadable(path: str, error: Exception) -> Diagnostic:
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        near = near_files(path)
        hint = "did you mean " + " or ".join(quoted(n, _MOST_NAME) for n in near) + "?" if near else None
        return Diagnostic("no-such-file", f"there is no file {quoted(path)}", path, help=hint)
    if isinstance(error, IsADirectoryError):
        project = os.path.exists(os.path.join(path, "pyproject.toml"))
        hint = f"the project of a game has to be installed first: pip install -e {path}" if project else None
        return Diagnostic("is-a-directory", f"{quoted(path)} is a folder, not a file", path, help=hint)
    if isinstance(error, PermissionError):
        return Diagnostic("no-permission", f"no permission to read {quoted(path)}", path)
    if isinstance(error, _NoFile):
        reason, hint = error.args
        return Diagnostic("cannot-read", f"cannot read {quoted(path)}: {reason}", path, help=hint)
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return Diagnostic("cannot-read", f"cannot read {quoted(path)}: {reason}", path)
