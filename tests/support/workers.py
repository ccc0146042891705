"""Workers that do not do their work, folders full of hostile modules, and a process that may open little."""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from vclogic.solve.backends import process

_STDLIB = "json os queue threading typing selectors subprocess ctypes random logging runpy atexit math time io types"
_OURS = "vclogic networkx numpy highspy pydantic yaml click rich sitecustomize usercustomize"
_SOLVERS = "z3"


class Hostile:
    """A folder with a module for every name that a solver, vclogic or Python itself might import.

    Args:
        folder: Where to write them.
        stdlib: Whether names of the standard library are among them.
        ours: Whether names are that vclogic itself imports.
    """

    def __init__(self, folder: Path, *, stdlib: bool = True, ours: bool = True):
        self.folder = folder
        self._ran = folder / "ran"
        folder.mkdir()
        code = f"open({str(self._ran)!r}, 'a').write(__name__ + '\\n')\nraise SystemExit(66)\n"
        names = [
            *(_STDLIB.split() if stdlib else ()),
            *(_OURS.split() if ours else ()),
            *_SOLVERS.split(),
        ]
        for name in names:
            (folder / f"{name}.py").write_text(code)
        for name in set(names) & {"vclogic", "z3", "highspy"}:
            (folder / name).mkdir()
            (folder / name / "__init__.py").write_text(code)
        self.startup = folder / "startup.py"
        self.startup.write_text(code)

    @property
    def ran(self) -> str:
        """The modules that were run, each in a line."""
        return self._ran.read_text() if self._ran.exists() else ""


@contextmanager
def worker_that(does: str, engines: Callable[[str], bool] = lambda engine: True) -> Iterator[None]:
    """Workers replaced by processes that run a line of Python.

    Args:
        does: What they do; `n` is the number of the request, `say` writes objects as JSON lines.
        engines: Which workers are replaced, by the name of the engine.
    """
    code = (
        "import json, sys, time, os; n = json.loads(sys.stdin.readline())['id']\n"
        "def say(*found):\n"
        "    for f in found: print(json.dumps(f), flush=True)\n"
        f"{does}"
    )
    real = process.command

    def other(engine: str, module: str) -> list[str]:
        return [sys.executable, "-c", code] if engines(engine) else real(engine, module)

    with patch.object(process, "command", other):
        yield


def descriptors() -> set[int]:
    """The file descriptors that are open."""
    found = {int(name) for name in os.listdir("/proc/self/fd")}
    return {n for n in found if os.path.exists(f"/proc/self/fd/{n}")}  # without the one that listed them


@contextmanager
def few_descriptors(count: int) -> Iterator[None]:
    """Only so many more file descriptors can be opened."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    taken: list[int] = []
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(descriptors()) + 1 + count, hard))
    try:
        while True:
            try:
                taken.append(os.dup(0))
            except OSError:
                break
        for n in taken[len(taken) - count :]:
            os.close(n)
        del taken[len(taken) - count :]
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        for n in taken:
            os.close(n)
