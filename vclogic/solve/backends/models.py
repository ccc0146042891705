"""Models of solvers are checked without one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vclogic.encode.codegen import interpret
from vclogic.terms.term import Term


def is_model(values: Mapping[Term, int], claimed: Sequence[Term]) -> bool:
    """Check without a solver that values are within their variables' bounds and make Bool terms true."""
    if not all(v.lo <= n <= v.hi for v, n in values.items()):
        return False
    return all(interpret(claimed, {v: i for i, v in enumerate(values)}, list(values.values())))
