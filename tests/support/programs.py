"""HiGHS inside the test's own process: the worker's own code, without the start of a process."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from vclogic.encode.affine import Program
from vclogic.solve import highs, highs_worker


def request_for(program: Program, settings: Mapping[str, Any] = highs.ATTEMPTS[0]) -> dict[str, Any]:
    """What the worker is asked about a program."""
    return {
        "id": 1,
        "columns": [list(c) for c in program.columns],
        "rows": [[list(row.weights), row.lo, row.hi] for row in program.rows],
        "objective": list(program.objective.weights.items()),
        "settings": dict(settings),
    }


def _ask(program: Program, settings: Mapping[str, Any], *ignored: object) -> dict[str, Any]:
    answer = highs_worker.solve(request_for(program, settings))
    if answer.get("bound") is not None:
        answer["bound"] += program.objective.constant
    return answer


@contextmanager
def local_highs() -> Iterator[None]:
    """HiGHS runs here."""
    with patch.object(highs, "_ask", _ask):
        yield
