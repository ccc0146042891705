"""Solve a mixed-integer program by z3: the same program that HiGHS gets, in exact arithmetic."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from vclogic.clock import TIME_UP, Deadline
from vclogic.encode.affine import Program
from vclogic.encode.smt import numeral
from vclogic.solve.backends.certificate import is_model
from vclogic.solve.backends.messages import Json
from vclogic.solve.backends.session import Answer
from vclogic.solve.backends.solvers import Solver, started
from vclogic.solve.backends.watch import Watch
from vclogic.terms.term import Term, variables


def solution(program: Program, most: int | None, claimed: Sequence[Term], deadline: Deadline) -> Answer:
    """Search for a solution of a program that costs at most a given amount.

    Args:
        most: The amount; None: any cost.
        claimed: The terms that it encodes; a solution is accepted only if all are true in it.

    Returns:
        `sat` with the values of the variables, `unsat`, or `unknown` with the reason.
    """
    if program.impossible:
        return Answer("unsat")
    if deadline.left <= 0:
        return Answer("unknown", reason=TIME_UP)
    process = started("plain")
    try:
        process.send({"id": 1, "text": as_smt(program, most), "assume": []})
        found = _answer(process, deadline)
    finally:
        process.close()
    if found["status"] != "sat":
        return Answer("unsat" if found["status"] == "unsat" else "unknown", reason=found.get("reason", ""))
    model = found["model"]
    values = program.values(
        [model.get(name(i), lo) for i, (lo, _) in enumerate(program.columns)], variables(*claimed)
    )
    if not is_model(values, claimed):
        return Answer("unknown", reason="z3 gave a solution that is none")
    return Answer("sat", values)


def _answer(process: Solver, deadline: Deadline) -> Json:
    """The answer of a process to its only request, or `unknown`."""
    with Watch() as watch:
        process.register(watch)
        while process.alive and deadline.left > 0:
            for _, events in watch.select(deadline.left):
                for line in process.handle(watch, events):
                    return line
    return {"status": "unknown", "reason": TIME_UP if process.alive else process.failure}


# ---- the program in SMT-LIB, over integers
#
# A solver of linear integer arithmetic refutes such rows in seconds where bit vectors take minutes.


def as_smt(program: Program, most: int | None = None) -> str:
    """The SMT-LIB text whose models are the solutions of a program.

    Args:
        most: An upper bound on the objective; None: none.
    """
    lines = []
    for i, (lo, hi) in enumerate(program.columns):
        lines.append(f"(declare-const {name(i)} Int)(assert (<= {numeral(lo)} {name(i)} {numeral(hi)}))")
    for row in program.rows:
        total = _sum(row.weights)
        if row.lo is not None:
            lines.append(f"(assert (>= {total} {numeral(row.lo)}))")
        if row.hi is not None:
            lines.append(f"(assert (<= {total} {numeral(row.hi)}))")
    if most is not None:
        cost = program.objective
        lines.append(f"(assert (<= {_sum(cost.weights.items())} {numeral(most - cost.constant)}))")
    return "\n".join(lines) + "\n"


def name(column: int) -> str:
    """The SMT-LIB constant of a column."""
    return f"x{column}"


def _sum(weights: Iterable[tuple[int, int]]) -> str:
    return f"(+ 0 0 {' '.join(f'(* {numeral(k)} {name(c)})' for c, k in weights)})"
