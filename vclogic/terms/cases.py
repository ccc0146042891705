"""Comparisons of sums with a conditional number, told apart by its condition."""

from __future__ import annotations

from collections.abc import Iterator

from vclogic.terms.build import add, ge, ite, linear, scale
from vclogic.terms.rewrite import substitute
from vclogic.terms.term import Op, Term


def told_apart(term: Term) -> Term:
    """The same Bool term, in which a comparison of a sum is one for each case where parts of the sum cancel then.

    By how much a capped number has risen, min(n + k, 99) - n, is k in one case and 99 - n in the other: a solver that
    is told so need not add up n.
    """
    new = {t: _by_case(t) for t in _comparisons(term)}
    return substitute(term, new) if any(t is not by_case for t, by_case in new.items()) else term


def _comparisons(term: Term) -> Iterator[Term]:
    """The comparisons of sums of which a Bool term is made, without those in numbers."""
    seen, queue = {term}, [term]
    while queue:
        t = queue.pop()
        if t.op is Op.GE and t.args[0].op is Op.LIN:
            yield t
        elif t.op in (Op.NOT, Op.AND, Op.OR, Op.ITE):
            new = [a for a in t.args if a not in seen]
            seen.update(new)
            queue += new


def _by_case(comparison: Term) -> Term:
    (number,), least = comparison.args, comparison.payload
    if number.op is not Op.LIN:
        return comparison
    weights, c = number.payload
    parts = list(zip(weights, number.args, strict=True))
    for i, (k, a) in enumerate(parts):
        if a.op is not Op.ITE or a.is_bool:
            continue
        rest = linear([*parts[:i], *parts[i + 1 :]], c)
        cases = [add(rest, scale(b, k)) for b in a.args[1:]]
        if any(not _addends(rest) <= _addends(x) for x in cases):
            then, otherwise = map(_told, cases, [least] * 2)
            return ite(a.args[0], then, otherwise)
    return comparison


def _told(number: Term, least: int) -> Term:
    found = ge(number, least)
    return _by_case(found) if found.op is Op.GE else found


def _addends(number: Term) -> set[Term]:
    return {*number.args} if number.op is Op.LIN else set() if number.is_const else {number}
