"""What an answer of a worker process looks like: anything else comes from a process that has gone wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

Json = dict[str, Any]
Form = Callable[[Json], bool]
_MOST = 1e15  # no cost and no number of a program is as large; nor is what is no number at all


def read(line: bytes) -> Json | None:
    """One line of a worker as a JSON object with a number as its `id`; None if it is anything else."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and type(found.get("id")) is int else None


def of_z3(answer: Json) -> bool:
    """Whether that is an answer of `solve.worker`."""
    match answer:
        case {"status": "unsat"} | {"status": "unknown", "reason": str()}:
            return True
        case {"status": "sat", "model": dict(model)}:
            return all(type(n) is int for n in model.values()) and isinstance(answer.get("functions", {}), dict)
    return False


def of_highs(columns: int) -> Form:
    """Tells whether something is an answer of `solve.highs_worker` about a program of so many columns."""

    def fits(answer: Json) -> bool:
        if "bound" in answer and not _is_number(answer["bound"]):
            return False
        if "solution" in answer and not _are_numbers(answer["solution"], columns):
            return False
        match answer:
            case {"status": "optimal", "solution": _, "reason": str()} | {"status": "unknown", "reason": str()}:
                return True
            case {"status": "infeasible"}:
                return True
        return "status" not in answer and bool({"bound", "solution"} & set(answer))

    return fits


def _is_number(x: object) -> bool:
    return isinstance(x, int | float) and not isinstance(x, bool) and abs(x) <= _MOST


def _are_numbers(xs: object, count: int) -> bool:
    return isinstance(xs, list) and len(xs) == count and all(map(_is_number, xs))
