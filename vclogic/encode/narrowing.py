"""Variables with the values that a test of them leaves."""

from __future__ import annotations

from collections.abc import Mapping

from vclogic.model.fluents import numbered
from vclogic.terms.atoms import FALSE, TRUE, integer, var
from vclogic.terms.sorts import IntSort
from vclogic.terms.term import Op, Term


def narrowed_by(test: Term) -> Mapping[Term, Term]:
    """A variable with the values that a test of it leaves, a constant where that is one; empty for anything else."""
    denied = test.op is Op.NOT
    t = test.args[0] if denied else test
    if t.op is Op.VAR and t.is_bool:
        return {t: FALSE if denied else TRUE}
    v = t.args[0] if t.op in (Op.IN, Op.GE) else t
    if v.op is not Op.VAR:
        return {}
    if t.op is Op.IN:
        mask = v.mask & (~t.payload if denied else t.payload)
        one = mask.bit_count() == 1
        return {v: numbered(v, mask.bit_length() - 1) if one else var(v.name, v.sort, mask=mask)}
    lo, hi = (v.lo, t.payload - 1) if denied else (t.payload, v.hi)
    return {v: integer(lo) if lo == hi else var(v.name, IntSort(lo, hi))}
