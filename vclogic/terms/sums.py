"""Linear sums in normal form, and comparisons of them with a constant."""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter

from vclogic.terms.atoms import FALSE, TRUE, in_var, integer
from vclogic.terms.sorts import BOOL, between
from vclogic.terms.term import Op, Term, intern_term

Items = list[tuple[Term, int]]
"""Terms, none of them a sum or a constant, with coefficients that are not 0, in their order of creation."""
_SERIAL = attrgetter("serial")


def collect(pairs: Iterable[tuple[int, Term]], constant: int) -> tuple[Items, int]:
    """Collect a weighted sum into items, one per distinct term, and a constant.

    Raises:
        TypeError: An Enum term among the summands.
    """
    coefficients: dict[Term, int] = {}
    tests = False
    for k, t in pairs:
        op = t.op
        if op is Op.LIN:
            inner, c = t.payload
            constant += k * c
            for kk, tt in zip(inner, t.args, strict=True):
                coefficients[tt] = coefficients.get(tt, 0) + k * kk
                if tt.op is Op.IN:
                    tests = True
        elif t.mask:
            raise TypeError(f"{t.sort} {t} has no number")
        elif op is Op.CONST:
            constant += k * t.lo
        elif op is Op.NOT:
            constant += k
            tests = tests or t.args[0].op is Op.IN
            coefficients[t.args[0]] = coefficients.get(t.args[0], 0) - k
        else:
            tests = tests or op is Op.IN
            coefficients[t] = coefficients.get(t, 0) + k
    # Of tests of one variable exactly those of its value hold: together they are one item and a constant.
    if tests:
        constant += _merge_memberships(coefficients)
    if 0 in coefficients.values():
        coefficients = {t: k for t, k in coefficients.items() if k}
    if len(coefficients) <= 1:
        return list(coefficients.items()), constant
    return [(t, coefficients[t]) for t in sorted(coefficients, key=_SERIAL)], constant


def in_order(terms: Iterable[Term]) -> bool:
    """True if terms are distinct Int or Bool variables in order of creation, so no two of them can merge."""
    last = -1
    for t in terms:
        if t.op is not Op.VAR or t.serial <= last or t.mask:
            return False
        last = t.serial
    return True


def items_of(sum_: Term) -> Items:
    """The items of a term that is a sum already."""
    return list(zip(sum_.args, sum_.payload[0], strict=True))


def sum_term(items: Items, constant: int) -> Term:
    """The term of a sum in normal form."""
    if not items:
        return integer(constant)
    if constant == 0 and len(items) == 1 and items[0][1] == 1 and not items[0][0].is_bool:
        return items[0][0]
    lo = hi = constant
    for t, k in items:
        if k > 0:
            lo += k * t.lo
            hi += k * t.hi
        else:
            lo += k * t.hi
            hi += k * t.lo
    args, ks = zip(*items, strict=True)
    return intern_term(Op.LIN, args, (ks, constant), between(lo, hi), lo, hi)


def _merge_memberships(coefficients: dict[Term, int]) -> int:
    """Rewrite the membership tests of each Enum variable in a sum as tests of disjoint sets.

    So the sum of what the Axis and the Allies own becomes a constant, if they own everything.

    Returns:
        What moved into the sum's constant.
    """
    tests: dict[Term, list[Term]] = {}
    for t in coefficients:
        if t.op is Op.IN:
            tests.setdefault(t.args[0], []).append(t)
    moved = 0
    for v, atoms in tests.items():
        if len(atoms) == 1:
            if (test := atoms[0]).payload & v.mask & -v.mask:
                moved += (k := coefficients.pop(test))
                coefficients[in_var(v, ~test.payload)] = -k
            continue  # in normal form: a test that the first possible member fails
        masks = {0: v.mask}
        for atom in atoms:
            k = coefficients.pop(atom)
            split: dict[int, int] = {}
            for had, mask in masks.items():
                for worth, part in ((had + k, mask & atom.payload), (had, mask & ~atom.payload)):
                    if part:
                        split[worth] = split.get(worth, 0) | part
            masks = split
        masks = dict(sorted(masks.items(), key=lambda one: one[1] & -one[1]))  # by the first member
        base = next(iter(masks))
        moved += base
        for k, mask in masks.items():
            if k != base:
                atom = in_var(v, mask)
                coefficients[atom] = k - base
    return moved


def at_least(t: Term, k: int) -> Term:
    """A Bool term: a number is at least a constant."""
    if t.lo >= k:
        return TRUE
    if t.hi < k:
        return FALSE
    if t.op is Op.LIN and len(t.args) == 1 and t.args[0].is_bool:
        return t.args[0]  # undecided, so it is what decides
    return intern_term(Op.GE, (t,), k, BOOL, 0, 1)
