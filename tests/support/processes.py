"""The processes there are, and what comes true before long."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

from tests.support.pace import BUSY


def children(owner: int | None = None) -> dict[int, list[str]]:
    """The processes that one (by default this one) has started and that have not ended, each with its command."""
    parent = str(os.getpid() if owner is None else owner)
    found = {}
    for pid in (int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()):
        try:
            stat, command = Path(f"/proc/{pid}/stat").read_text(), Path(f"/proc/{pid}/cmdline").read_bytes()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if command and stat.rpartition(")")[2].split()[1] == parent:  # one that has ended has no command
            found[pid] = command.decode(errors="replace").rstrip("\0").split("\0")
    return found


def workers(module: str, owner: int | None = None) -> dict[int, str]:
    """The workers of a process (this one by default) that run a module, each with its engine."""
    found = children(owner)
    return {pid: words[words.index(module) + 1] for pid, words in found.items() if module in words}


def runs(pid: int) -> bool:
    """Whether a process has not ended, whosever child it is."""
    try:
        return bool(Path(f"/proc/{pid}/cmdline").read_bytes())
    except (FileNotFoundError, ProcessLookupError):
        return False


def eventually(condition: Callable[[], object], seconds: float = BUSY) -> bool:
    """Whether something comes true before long."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True
