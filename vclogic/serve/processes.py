"""A process and all that it has started: their memory, and their end."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator
from mmap import PAGESIZE


def with_all_below(pid: int) -> Iterator[int]:
    """A process and those that it has started, and they in turn; that one alone where the system does not tell."""
    yield pid
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", "rb") as stream:
                children = stream.read().split()
            for child in children:
                yield from with_all_below(int(child))
    except OSError:  # it has ended
        return


def memory(pid: int) -> int:
    """The bytes of memory that a process and all below it use; 0 where that cannot be told."""
    return sum(map(_memory, with_all_below(pid)))


def kill(pid: int) -> None:
    """End a process and all below it at once; it comes last, since it may be this one."""
    for one in reversed([*with_all_below(pid)]):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(one, signal.SIGKILL)


def _memory(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/statm", "rb") as stream:
            return int(stream.read().split()[1]) * PAGESIZE
    except (OSError, ValueError, IndexError):
        return 0
