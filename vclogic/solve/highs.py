"""HiGHS, a solver of mixed-integer programs in floating point, in a process of its own that can be killed.

Its solutions are checked exactly, here, against the terms that they are to satisfy. Its bounds are not: what rests on
them alone is no proof in exact arithmetic.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from vclogic.clock import TIME_UP, Deadline
from vclogic.encode.affine import Affine, Program
from vclogic.progress import Tell
from vclogic.solve.answers import Json, of_highs
from vclogic.solve.highs_worker import whole
from vclogic.solve.process import Process, Watch
from vclogic.solve.session import is_model
from vclogic.terms.term import Term, variables

MODULE = "vclogic.solve.highs_worker"
_COMMON: Mapping[str, Any] = {
    "threads": 1,
    "random_seed": 1,
    "mip_rel_gap": 0.0,
    "mip_abs_gap": 0.99,  # all costs are whole: a cheaper solution is cheaper by 1
}
# The usual tolerance first: HiGHS has called programs infeasible that are not under tighter ones (its issue 3258).
# Should a solution only hold within that tolerance, a tight one may find a better.
ATTEMPTS: Sequence[Mapping[str, Any]] = (
    {**_COMMON, "mip_feasibility_tolerance": 1e-6},
    {**_COMMON, "mip_feasibility_tolerance": 1e-9, "random_seed": 2, "mip_heuristic_effort": 0.2},
)
_GRACE = 0.3  # seconds before the deadline in which HiGHS can still say how far it came
_CHECKING = 1e-4  # seconds for each row that are kept back for checking a solution


@dataclass(frozen=True)
class Outcome:
    """What HiGHS found out.

    Attributes:
        status: `optimal`, `infeasible`, or `unknown` where something is left open.
        values: The best solution, checked exactly; None without one.
        cost: What it costs.
        lower_bound: No solution costs less.
        reason: For `unknown`: why.
    """

    status: Literal["optimal", "infeasible", "unknown"]
    values: Mapping[Term, int] = field(default_factory=dict)
    cost: int | None = None
    lower_bound: int | None = None
    reason: str = ""


def minimize(
    program: Program,
    claimed: Sequence[Term],
    deadline: Deadline,
    progress: Tell,
    guess: Mapping[Term, int] | None = None,
) -> Outcome:
    """The cheapest solution of a program.

    Args:
        program: The program.
        claimed: The terms that it says; a solution is believed only if all are true in it.
        deadline: When to stop.
        progress: Told about bounds.
        guess: Values of some variables that a solution is likely to have, from which to begin.
    """
    if program.impossible:
        return Outcome("infeasible")
    bound: int | None = None
    reason = TIME_UP
    deadline = Deadline(deadline.left - min(_CHECKING * len(program.rows), deadline.left / 2))
    for settings in ATTEMPTS:
        answer = _ask(program, settings, deadline, progress, guess or {})
        if answer["status"] == "infeasible":
            return Outcome("infeasible")
        if "bound" in answer:
            told = whole(answer["bound"])
            bound = told if bound is None else max(bound, told)
        if "solution" not in answer:
            return Outcome("unknown", lower_bound=bound, reason=answer["reason"])
        solution = [round(x) for x in answer["solution"]]
        values = program.values(solution, variables(*claimed))
        if is_model(values, claimed):
            cost = program.cost(solution)
            low = cost if bound is None and answer["status"] == "optimal" else bound
            low = None if low is None else min(low, cost)
            proved = answer["status"] == "optimal" and low == cost
            return Outcome("optimal" if proved else "unknown", values, cost, low, "" if proved else answer["reason"])
        reason = "HiGHS gave a solution that is none"
    return Outcome("unknown", lower_bound=bound, reason=reason)


def _ask(
    program: Program,
    settings: Mapping[str, Any],
    deadline: Deadline,
    progress: Tell,
    guess: Mapping[Term, int],
) -> Json:
    """The answer of a fresh process, or `unknown` with the best bound and solution that it told before it ended."""
    if deadline.left <= 0:
        return {"status": "unknown", "reason": TIME_UP}
    request = {
        "id": 1,
        "columns": [list(c) for c in program.columns],
        "rows": [[row.weights, row.lo, row.hi] for row in program.rows],
        "objective": list(program.objective.weights.items()),
        "guess": _columns(program, guess),
        "settings": {**settings, "time_limit": max(deadline.left - _GRACE, deadline.left / 2)},
    }
    process = Process("highs", MODULE, of_highs(len(program.columns)))
    try:
        process.send(request)
        answer = wait(process, deadline, progress)
    finally:
        process.close()
    if answer.get("bound") is not None:
        answer["bound"] += program.objective.constant
    return answer


def _columns(program: Program, guess: Mapping[Term, int]) -> list[tuple[int, int]]:
    """The columns that are variables, with the values that a guess gives them."""
    found = []
    for v, n in guess.items():
        place = program.places.get(v)
        if isinstance(place, Affine) and list(place.weights.values()) == [1]:
            (column,) = place.weights
            found.append((column, n - place.constant))
    return found


def wait(process: Process, deadline: Deadline, progress: Tell) -> Json:
    """The answer of a process to the one question that it was sent, or `unknown` with the best that it told."""
    known: Json = {}
    with Watch() as watch:
        process.register(watch)
        while process.alive and deadline.left > 0:
            for _, events in watch.select(deadline.left):
                for line in process.handle(watch, events):
                    if "status" in line:
                        return {**known, **line}
                    _take_down(line, known, progress)
    return {**known, "status": "unknown", "reason": TIME_UP if process.alive else process.failure}


def _take_down(line: Json, known: Json, progress: Tell) -> None:
    if "solution" in line:
        known["solution"] = line["solution"]
    if "bound" in line:
        known["bound"] = max(line["bound"], known.get("bound", -math.inf))
        progress("HiGHS is looking for a cheaper plan", bound=whole(known["bound"]))
