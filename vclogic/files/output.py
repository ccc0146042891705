"""Write files atomically, and never over a file that was read."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterable, Mapping

from vclogic.errors import Diagnostic, InputError, quoted
from vclogic.files.source import STDIN, STDIN_NAME
from vclogic.streams import as_started, is_output


def check_output(path: str, inputs: Iterable[str], option: str) -> None:
    """Check that a file can be written and is not one of those that are read.

    Symbolic and hard links and other spellings of a path are resolved.

    Args:
        path: The file to write.
        inputs: The files that are read; `-` or `<stdin>` for the source of standard input.
        option: The option that names the file, for the message.

    Raises:
        InputError: It may not be written.
    """
    reason = unwritable(path)
    if reason is not None:
        raise InputError(Diagnostic("bad-value", f"cannot write {quoted(path)}: {reason}", option))
    for name in inputs:
        if same_file(path, name):
            message = f"this command reads {quoted(path)}, and would overwrite it"
            raise InputError(Diagnostic("output-is-input", message, option, help="name another file to write"))


def check_outputs(outputs: Mapping[str, str | None], inputs: Iterable[str]) -> None:
    """Check that some files can be written by one command; see `check_output`.

    Args:
        outputs: The file of each option; None if it is not given.
        inputs: The files that are read.

    Raises:
        InputError: One of them may not be written, or two are the same.
    """
    read = tuple(inputs)
    given = [(option, path) for option, path in outputs.items() if path is not None]
    for i, (option, path) in enumerate(given):
        check_output(path, read, option)
        for other, before in given[:i]:
            if same_file(path, before):
                message = f"{other} and {option} both name {quoted(path)}"
                raise InputError(Diagnostic("usage", message, help="name two files"))


def unwritable(path: str) -> str | None:
    """Why no file can be written at a path; None if one can, as far as is known in advance."""
    path = as_started(path)
    try:
        try:
            mode = os.stat(path).st_mode
        except FileNotFoundError:
            return _no_room(path)
    except (OSError, ValueError) as error:
        return _reason(error)
    if stat.S_ISDIR(mode):
        return "it is a folder"
    if not (stat.S_ISREG(mode) or _takes_text(mode)):
        return "it is neither a file nor a pipe"
    return None if os.access(path, os.W_OK) else "it may not be written to"


def _no_room(path: str) -> str | None:
    """Why no new file can be created at a path, if so."""
    folder = os.path.dirname(os.path.realpath(path))
    if not os.path.basename(path) or not os.path.isdir(folder):
        return "there is no such folder"
    return None if os.access(folder, os.W_OK) else "its folder may not be written to"


def same_file(a: str, b: str) -> bool:
    """True if two paths lead to the same file through links, even one that does not exist yet."""
    try:
        try:
            there = os.fstat(0) if b in (STDIN, STDIN_NAME) else os.stat(as_started(b))
            return os.path.samestat(os.stat(as_started(a)), there)
        except FileNotFoundError:
            return os.path.realpath(a) == os.path.realpath(b)
    except (OSError, ValueError):
        return False


def write_text(path: str, text: str) -> None:
    """Write a text file atomically; see `write_bytes`.

    Raises:
        InputError: The file cannot be written.
    """
    write_bytes(path, text.encode("utf-8", "backslashreplace"))


def write_bytes(path: str, data: bytes) -> None:
    """Write a file atomically: it appears with all that it is to hold, or not at all.

    The target of a link is written, and the link stays. A replaced file keeps its permissions. Pipes, terminals and
    the file of standard output are written directly.

    Raises:
        InputError: The file cannot be written.
    """
    reason = unwritable(path)
    if reason is not None:
        raise _cannot_write(path, reason)
    place = as_started(path)
    try:
        there = os.stat(place) if os.path.exists(place) else None
        if there is not None and (_takes_text(there.st_mode) or is_output(there)):
            _append(place, data)
        else:
            _replace(os.path.realpath(place), data, there)
    except (OSError, ValueError) as error:
        raise _cannot_write(path, _reason(error)) from error


def _replace(target: str, data: bytes, there: os.stat_result | None) -> None:
    """Write a new file in the same folder, then rename it."""
    temporary = os.path.join(os.path.dirname(target), f".vclogic-{os.urandom(8).hex()}.tmp")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        with open(handle, "wb") as file:
            file.write(data)
        if there is not None:
            os.chmod(temporary, stat.S_IMODE(there.st_mode) & 0o777)
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.remove(temporary)
        raise


def _append(path: str, data: bytes) -> None:
    """Write to an open file or a device; does not wait for a pipe without a reader."""
    without_waiting = getattr(os, "O_NONBLOCK", 0)  # not every system has every flag
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | getattr(os, "O_NOCTTY", 0) | without_waiting)
    with open(handle, "wb") as file:
        if without_waiting:
            os.set_blocking(handle, True)
        file.write(data)


def _takes_text(mode: int) -> bool:
    """True if a path is a pipe, a terminal or the like."""
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)


def _cannot_write(path: str, reason: str) -> InputError:
    return InputError(Diagnostic("unwritable", f"cannot write {quoted(path)}: {reason}", path))


def _reason(error: Exception) -> str:
    if isinstance(error, OSError) and error.errno == errno.ENXIO:
        return "nobody reads that pipe"
    said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return said[:1].lower() + said[1:]
