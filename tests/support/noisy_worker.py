"""The worker that runs z3, where everything prints: Python, the operating system's calls, and the C library."""

from __future__ import annotations

import ctypes
import json
import os
import sys
from typing import Any, TextIO

from vclogic.solve.backends import z3_worker


def _noise() -> None:
    line = json.dumps({"id": 1, "status": "unsat"})
    print(line, "in Python", flush=True)
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
    os.write(1, f"{line}\n".encode())
    libc = ctypes.CDLL(None)
    libc.puts(line.encode())
    libc.fflush(None)
    print("a warning", file=sys.stderr, flush=True)


class _Noisy(z3_worker.Worker):
    def _check(self, request: dict[str, Any]) -> dict[str, Any]:
        _noise()
        return super()._check(request)


def main(engine: str, answers: TextIO) -> None:
    """Answer as the real one does, with noise before and between the answers."""
    _noise()
    z3_worker.Worker = _Noisy  # type: ignore[misc]
    z3_worker.main(engine, answers)
