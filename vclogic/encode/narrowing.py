"""Conclusions from tests: the values that they leave, and what the parts of a conjunction tell of each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from vclogic.model.fluents import numbered
from vclogic.terms.atoms import FALSE, TRUE, integer, var
from vclogic.terms.build import and_, not_
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import IntSort
from vclogic.terms.term import Op, Term, conjuncts, postorder


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


def claims(term: Term) -> Iterator[Term]:
    """The parts of a conjunction, and those of "none of these"."""
    for t in conjuncts(term):
        if t.op is Op.NOT and t.args[0].op is Op.OR:
            for part in t.args[0].args:
                yield from claims(not_(part))
        else:
            yield t


def propagated(term: Term) -> Term:
    """An equivalent conjunction in which each part knows the tests that stand in it as parts (unit propagation)."""
    while True:
        parts = list(claims(term))
        known = {t: said for t in parts if (said := _said_by(t)) is not None}
        tests = [t for t in postorder(parts) if t.op in (Op.IN, Op.GE, Op.VAR) and t.is_bool]
        settled: dict[Term, Term] = {}
        for t in tests:
            found = next((x for said in known.values() if (x := said(t)) is not None), None)
            if found is not None:
                settled[t] = found
        at = Substitution(settled)
        # What tells it is not told by itself.
        after = and_(*(t if t in known else at(t) for t in parts))
        if after is term:
            return term
        term = after


def _said_by(part: Term) -> Callable[[Term], Term | None] | None:
    """Tells the value of other tests of the same variable or number; None for a part that is no test."""
    denied = part.op is Op.NOT
    t = part.args[0] if denied else part
    if t.op is Op.IN:
        mask = t.args[0].mask & (~t.payload if denied else t.payload)

        def of_members(test: Term) -> Term | None:
            if test.op is not Op.IN or test.args[0] is not t.args[0]:
                return None
            return TRUE if not mask & ~test.payload else FALSE if not mask & test.payload else None

        return of_members
    if t.op is Op.GE:
        number, k = t.args[0], t.payload

        def of_number(test: Term) -> Term | None:
            if test.op is not Op.GE or test.args[0] is not number:
                return None
            if denied:
                return FALSE if test.payload >= k else None
            return TRUE if test.payload <= k else None

        return of_number
    if t.op is Op.VAR:
        return lambda test: (FALSE if denied else TRUE) if test is t else None
    return None
