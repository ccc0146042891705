"""A mixed-integer program as SMT-LIB over integers, for a solver with exact arithmetic.

A solver of linear integer arithmetic refutes such rows in seconds where bit vectors take minutes.
"""

from __future__ import annotations

from collections.abc import Iterable

from vclogic.encode.affine import Program
from vclogic.encode.smt import numeral


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
