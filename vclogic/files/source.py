"""Getting at the text of a file or of standard input."""

from __future__ import annotations

import contextlib
import difflib
import os
import sys
from itertools import islice
from typing import NamedTuple

from vclogic.errors import Diagnostic, InputError

STDIN = "-"
STDIN_NAME = "<stdin>"
LIMIT = 10_000_000
"""The most bytes that a file may have."""


class Source(NamedTuple):
    """A text and what to call it.

    Attributes:
        name: The file as the user named it, or `<stdin>`.
        text: Its text.
    """

    name: str
    text: str


def read_text(path: str) -> Source:
    """The text of a file.

    Args:
        path: The file, or `-` for standard input.

    Raises:
        InputError: It is missing, a directory, not readable, larger than `LIMIT`, or not UTF-8.
    """
    if path == STDIN:
        return decode(STDIN_NAME, _read_stdin())
    try:
        with open(path, "rb") as file:
            too_big = os.fstat(file.fileno()).st_size > LIMIT  # a pipe has size 0: see `decode`
            data = b"" if too_big else file.read(LIMIT + 1)
    except (OSError, ValueError) as error:  # ValueError: a name with a NUL
        raise InputError(_unreadable(path, error)) from error
    if too_big:
        raise _too_big(path)
    return decode(path, data)


def write_text(path: str, text: str) -> None:
    """Write a file whole: it appears with all of its text, or not at all.

    What is no regular file, such as a device or a pipe, is written to as it is.

    Raises:
        InputError: It cannot be written there.
    """
    special = os.path.exists(path) and not os.path.isfile(path)
    unfinished = path if special else f"{path}.unfinished"
    try:
        with open(unfinished, "w", encoding="utf-8") as file:
            file.write(text)
        if not special:
            os.replace(unfinished, path)
    except OSError as error:
        if not special:
            with contextlib.suppress(OSError):
                os.remove(unfinished)
        message = f"cannot write {path!r}: {error.strerror or error}"
        raise InputError(Diagnostic("unwritable", message, path)) from error


def decode(name: str, data: bytes) -> Source:
    """The text of a file's bytes, without a byte order mark.

    Raises:
        InputError: Larger than `LIMIT`, or not UTF-8; with the line and column of the first wrong byte.
    """
    if len(data) > LIMIT:
        raise _too_big(name)
    try:
        return Source(name, data.decode("utf-8").removeprefix("\ufeff"))
    except UnicodeDecodeError as error:
        before = data[: error.start]
        start = before.rfind(b"\n") + 1
        column = len(before[start:].decode("utf-8").removeprefix("\ufeff" if start == 0 else "")) + 1
        message = f"the file is not UTF-8 text: byte 0x{data[error.start]:02x}"
        hint = "save it as UTF-8 in your editor"
        raise InputError(Diagnostic("not-utf8", message, name, before.count(b"\n") + 1, column, hint)) from error


def near_files(path: str) -> list[str]:
    """Files in the path's folder with a name (but for the ending) near its own, at most three."""
    folder, name = os.path.split(path)
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


def _too_big(name: str) -> InputError:
    message = f"the file is larger than {LIMIT // 1_000_000} MB"
    return InputError(Diagnostic("too-big", message, name, help="a board, position or record is far smaller"))


def _unreadable(path: str, error: Exception) -> Diagnostic:
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        near = near_files(path)
        hint = "did you mean " + " or ".join(repr(n) for n in near) + "?" if near else None
        return Diagnostic("no-such-file", f"there is no file {path!r}", path, help=hint)
    if isinstance(error, IsADirectoryError):
        project = os.path.exists(os.path.join(path, "pyproject.toml"))
        hint = f"the project of a game has to be installed first: pip install -e {path}" if project else None
        return Diagnostic("is-a-directory", f"{path!r} is a directory, not a file", path, help=hint)
    if isinstance(error, PermissionError):
        return Diagnostic("no-permission", f"no permission to read {path!r}", path)
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return Diagnostic("cannot-read", f"cannot read {path!r}: {reason}", path)
