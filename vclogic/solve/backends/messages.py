"""The answers of a worker: only they reach its standard output, and their form is checked."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

from vclogic.streams import own_output

Json = dict[str, Any]
Form = Callable[[Json], bool]
SCALE = 1 << 30
"""Multipliers of rows are told as whole multiples of one part in so many."""
SLACK = 1e-3
"""A bound so little above a whole number is not taken to exclude it."""
_MOST = 1e15  # no cost and no number of a program is as large; nor is what is no number at all


def read(line: bytes) -> Json | None:
    """Parse a line of a worker as a JSON object with a number as its `id`; None if it is anything else."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and type(found.get("id")) is int else None


def of_z3(answer: Json) -> bool:
    """True if a message is an answer of `solve.worker`."""
    match answer:
        case {"status": "unsat"}:
            core = answer.get("core", [])
            return isinstance(core, list) and all(isinstance(name, str) for name in core)
        case {"status": "unknown", "reason": str()}:
            return True
        case {"status": "sat", "model": dict(model)}:
            return all(type(n) is int for n in model.values()) and isinstance(answer.get("functions", {}), dict)
    return False


def of_highs(columns: int, rows: int) -> Form:
    """Tells whether something is an answer of `solve.highs_worker` about a program of so many columns and rows."""

    def fits(answer: Json) -> bool:
        parts = answer.get("parts", [])
        if not isinstance(parts, list) or not all(_is_part(p, rows) for p in parts):
            return False
        if "status" in answer:
            return not answer.keys() - {"id", "status", "reason"} and _is_end(answer)
        match answer:
            case {"bound": bound}:
                return _is_number(bound)
            case {"solution": list(solution)}:
                return len(solution) == columns and all(map(_is_whole, solution))
            case {"split": int(), "column": int(c), "value": int(), "below": int(), "above": int()}:
                return 0 <= c < columns
            case {"closed": int(), "parts": _}:
                return isinstance(answer.get("ray", False), bool)
            case {"dropped": list(dropped), "parts": _}:
                return all(_is_whole(c) and 0 <= c < columns for c in dropped)
        return False

    return fits


def _is_end(answer: Json) -> bool:
    match answer:
        case {"status": "optimal"} | {"status": "closed"} | {"status": "unknown", "reason": str()}:
            return True
    return False


def _is_part(part: object, rows: int) -> bool:
    match part:
        case [int(row), int()]:
            return 0 <= row < rows
    return False


def _is_whole(x: object) -> bool:
    return type(x) is int and abs(x) <= _MOST


def _is_number(x: object) -> bool:
    return isinstance(x, int | float) and not isinstance(x, bool) and abs(x) <= _MOST


def main() -> None:
    """Run the module and engine that the command line names."""
    module, engine = sys.argv[1:3]
    import_module(module).main(engine, os.fdopen(own_output(), "w"))
