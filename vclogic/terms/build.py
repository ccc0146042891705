"""Constructors of terms. Each folds constants and propagates bounds, so a decided subterm becomes a constant.

Numbers in linear sums may be Bool terms: they count as 0 or 1. Everything comes out in a small normal form
that the encoders rely on: comparisons are `t >= k`; membership of an enum is asked of variables only; there
are no nested sums, conjunctions or disjunctions; `implies`, `iff`, `eq` and the rest are spelled with these.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import gcd

from vclogic.terms.atoms import FALSE, TRUE, boolean, in_var, integer
from vclogic.terms.sorts import BOOL, EnumSort, IntSort, members_of
from vclogic.terms.sums import Items, at_least, collect, items_of, sum_term
from vclogic.terms.term import Op, Term, intern_term

# ---- Bool


def not_(a: Term) -> Term:
    """Negation."""
    if a is TRUE or a is FALSE:
        return FALSE if a is TRUE else TRUE
    if a.op is Op.NOT:
        return a.args[0]
    if a.op is Op.IN:
        return in_var(a.args[0], a.args[0].mask & ~a.payload)
    _require_bool(a)
    return intern_term(Op.NOT, (a,), None, BOOL, 0, 1)


def and_(*terms: Term) -> Term:
    """Conjunction; of nothing: true."""
    return _junction(Op.AND, terms, TRUE, FALSE)


def or_(*terms: Term) -> Term:
    """Disjunction; of nothing: false."""
    return _junction(Op.OR, terms, FALSE, TRUE)


def all_of(terms: Iterable[Term]) -> Term:
    """`and_` over an iterable."""
    return _junction(Op.AND, terms, TRUE, FALSE)


def any_of(terms: Iterable[Term]) -> Term:
    """`or_` over an iterable."""
    return _junction(Op.OR, terms, FALSE, TRUE)


def _junction(op: Op, terms: Iterable[Term], unit: Term, zero: Term) -> Term:
    """A conjunction (unit true, zero false) or disjunction (unit false, zero true) in normal form.

    Membership tests of one variable become one; of comparisons of one number the strongest (or weakest) is kept.
    """
    both = op is Op.AND
    parts: dict[Term, Term | None] = {}  # what is joined, or the variable or number that it is about: keeps the order
    sets: dict[Term, int] = {}
    bounds: dict[tuple[Term, bool], int] = {}
    alone = True  # no two parts are about the same, and none is a negation
    for t in terms:
        for part in t.args if t.op is op else (t,):
            if part is zero:
                return zero
            if part is unit:
                continue
            subject, kind = part, part.op
            if kind is Op.IN:
                subject = part.args[0]
                known = sets.get(subject, part.payload)
                sets[subject] = known & part.payload if both else known | part.payload
            elif kind is Op.GE or (kind is Op.NOT and part.args[0].op is Op.GE):
                below = kind is Op.NOT
                atom = part.args[0] if below else part
                subject, k = atom.args[0], atom.payload
                known = bounds.get((subject, below), k)
                # "not at least k" is the stronger the smaller k is.
                bounds[subject, below] = max(known, k) if both != below else min(known, k)
            elif part.sort is not BOOL:
                _require_bool(part)
            elif kind is Op.NOT:
                alone = False
            if subject in parts:
                alone, parts[subject] = False, None
            else:
                parts[subject] = part
    out = [p for p in parts.values() if p is not None] if alone else _without_pairs(parts, both, sets, bounds)
    if out is None:
        return zero
    if not out:
        return unit
    return out[0] if len(out) == 1 else intern_term(op, tuple(out), None, BOOL, 0, 1)


def _without_pairs(
    parts: dict[Term, Term | None], both: bool, sets: dict[Term, int], bounds: dict[tuple[Term, bool], int]
) -> list[Term] | None:
    """The parts of a junction, those about the same joined; None: two of them, or one, decide it."""
    unit, zero = boolean(both), boolean(not both)
    out: dict[Term, None] = {}
    negated: set[Term] = set()
    for subject, only in parts.items():
        for part in _joined(subject, both, sets, bounds) if only is None else (only,):
            if part.op is Op.NOT:
                negated.add(part.args[0])
            if part is zero or part in negated or (part.op is Op.NOT and part.args[0] in out):
                return None
            if part is not unit:
                out[part] = None
    return [*out]


def _joined(subject: Term, both: bool, sets: dict[Term, int], bounds: dict[tuple[Term, bool], int]) -> Iterable[Term]:
    """Combine the parts of a junction that share a subject: a Bool term, a variable with tests, a number."""
    if subject in sets:
        return (in_var(subject, sets[subject]),)
    if subject.is_bool:
        return (subject,)
    least, below = bounds.get((subject, False)), bounds.get((subject, True))
    if least is not None and below is not None and (least >= below if both else least <= below):
        return (boolean(not both),)
    found = [] if least is None else [at_least(subject, least)]
    return found if below is None else [*found, not_(at_least(subject, below))]


def implies(a: Term, b: Term) -> Term:
    """Implication: `a` implies `b`."""
    return or_(not_(a), b)


def iff(a: Term, b: Term) -> Term:
    """Equivalence of two Bool terms."""
    return ite(a, b, not_(b))


def xor(a: Term, b: Term) -> Term:
    """Exclusive or of two Bool terms."""
    return ite(a, not_(b), b)


def ite(condition: Term, then: Term, otherwise: Term) -> Term:
    """`then` where the condition holds, else `otherwise`; both of one kind of sort."""
    _require_bool(condition)
    if condition is TRUE or then is otherwise:
        return then
    if condition is FALSE:
        return otherwise
    if condition.op is Op.NOT:
        return ite(condition.args[0], otherwise, then)
    if then.is_bool != otherwise.is_bool or isinstance(then.sort, EnumSort) != isinstance(otherwise.sort, EnumSort):
        raise TypeError(f"the branches of ite differ in sort: {then.sort} and {otherwise.sort}")
    if isinstance(then.sort, EnumSort):
        if then.sort != otherwise.sort:
            raise TypeError(f"the branches of ite differ in sort: {then.sort} and {otherwise.sort}")
        args = (condition, then, otherwise)
        return intern_term(Op.ITE, args, None, then.sort, 0, then.hi, then.mask | otherwise.mask)
    if then.is_bool:
        return _ite_bool(condition, then, otherwise)
    if then.is_const and otherwise.is_const:
        return linear([(then.lo - otherwise.lo, condition)], otherwise.lo)
    lo, hi = min(then.lo, otherwise.lo), max(then.hi, otherwise.hi)
    return intern_term(Op.ITE, (condition, then, otherwise), None, IntSort(lo, hi), lo, hi)


def _ite_bool(condition: Term, then: Term, otherwise: Term) -> Term:
    if then is TRUE or then is condition:
        return or_(condition, otherwise)
    if then is FALSE:
        return and_(not_(condition), otherwise)
    if otherwise is TRUE:
        return or_(not_(condition), then)
    if otherwise is FALSE or otherwise is condition:
        return and_(condition, then)
    return intern_term(Op.ITE, (condition, then, otherwise), None, BOOL, 0, 1)


# ---- Int


def linear(pairs: Iterable[tuple[int, Term]], constant: int = 0) -> Term:
    """The sum of coefficient times term, plus a constant; Bool terms count as 0 or 1.

    Raises:
        TypeError: An Enum term among the summands.
    """
    return sum_term(*collect(pairs, constant))


def add(*terms: Term | int) -> Term:
    """The sum."""
    return linear([(1, _number(t)) for t in terms])


def sub(a: Term | int, b: Term | int) -> Term:
    """The difference."""
    return linear([(1, _number(a)), (-1, _number(b))])


def scale(a: Term, factor: int) -> Term:
    """The term times a whole-number constant."""
    return linear([(factor, a)])


def count(terms: Iterable[Term]) -> Term:
    """The number of the Bool terms that hold."""
    return linear((1, t) for t in terms)


def total(weighted: Iterable[tuple[int, Term]]) -> Term:
    """The sum of the weights of those Bool terms that hold."""
    return linear(weighted)


def floordiv(a: Term | int, k: int) -> Term:
    """Division by a positive constant, rounded down (also below zero: -1 // 2 is -1).

    Raises:
        ValueError: `k` is not positive. TypeError: `a` is an Enum term.
    """
    if k <= 0:
        raise ValueError(f"division by {k}: the divisor is a positive constant")
    a = _number(a)
    if isinstance(a.sort, EnumSort):
        raise TypeError(f"{a.sort} {a} has no number")
    lo, hi = a.lo // k, a.hi // k
    if k == 1:
        return linear([(1, a)])
    if lo == hi:
        return integer(lo)
    return intern_term(Op.DIV, (a,), k, IntSort(lo, hi), lo, hi)


def ceildiv(a: Term | int, k: int) -> Term:
    """Division by a positive constant, rounded up."""
    return scale(floordiv(scale(_number(a), -1), k), -1)


def ge(a: Term | int, b: Term | int) -> Term:
    """At least."""
    a, b = _number(a), _number(b)
    if _is_known(b):
        return _at_least_known(a, b.lo)
    if _is_known(a):
        return not_(_at_least_known(b, a.lo + 1))
    return _weighed(*collect(((1, a), (-1, b)), 0))


def _is_known(a: Term) -> bool:
    """True if a number is a constant."""
    return a.op is Op.CONST and not isinstance(a.sort, EnumSort)


def _at_least_known(a: Term, k: int) -> Term:
    """A Bool term: a number is at least a constant."""
    if a.op is Op.LIN:
        ks, c = a.payload
        return at_least(a, k) if c == 0 and ks[0] == 1 else _weighed(items_of(a), c - k)
    if a.is_bool:
        return boolean(k <= 0) if k != 1 else a
    if isinstance(a.sort, EnumSort):
        raise TypeError(f"{a.sort} {a} has no number")
    return at_least(a, k)


def _weighed(items: Items, c: int) -> Term:
    """The term that says a sum is at least 0."""
    sum_, divisor, turned = _reduced(items)
    least = -(c // divisor)
    return not_(at_least(sum_, 1 - least)) if turned else at_least(sum_, least)


def _reduced(items: Items) -> tuple[Term, int, bool]:
    """Bring a comparison and its negation into one form: the sum, its divisor, and whether its sign was turned."""
    divisor = gcd(*(k for _, k in items)) or 1
    turned = bool(items) and items[0][1] < 0
    factor = -divisor if turned else divisor
    return sum_term(items if factor == 1 else [(t, k // factor) for t, k in items], 0), divisor, turned


def le(a: Term | int, b: Term | int) -> Term:
    """At most."""
    return ge(b, a)


def gt(a: Term | int, b: Term | int) -> Term:
    """More than."""
    return ge(a, add(b, 1))


def lt(a: Term | int, b: Term | int) -> Term:
    """Less than."""
    return gt(b, a)


def minimum(a: Term, b: Term) -> Term:
    """The smaller number."""
    return ite(le(a, b), a, b)


# ---- Enum, and equality of any sort


def is_in(a: Term, members: Iterable[str]) -> Term:
    """A Bool term: the Enum term is one of the members.

    Raises:
        KeyError: A name that is no member. TypeError: `a` is no Enum term.
    """
    if not isinstance(a.sort, EnumSort):
        raise TypeError(f"{a} is no Enum")
    mask = 0
    for m in members:
        mask |= 1 << a.sort.index[m]
    return in_mask(a, mask)


def in_mask(a: Term, mask: int) -> Term:
    """A Bool term: the Enum term is one of the members of a bit mask.

    Raises:
        TypeError: `a` is no Enum term.
    """
    if not isinstance(a.sort, EnumSort):
        raise TypeError(f"{a} is no Enum")
    if a.op is Op.CONST:
        return boolean(bool(mask & a.mask))
    if a.op is Op.VAR:
        return in_var(a, mask)
    # Membership of an ite goes into its branches, into each once: they may be many, deep and shared.
    done: dict[Term, Term] = {}
    stack = [a]
    while stack:
        t = stack[-1]
        within = mask & t.mask
        if not within or within == t.mask:
            done[t] = boolean(bool(within))
        elif t.op is Op.VAR:
            done[t] = in_var(t, within)
        elif missing := [branch for branch in t.args[1:] if branch not in done]:
            stack.extend(missing)
            continue
        else:
            done[t] = ite(t.args[0], done[t.args[1]], done[t.args[2]])
        stack.pop()
    return done[a]


def eq(a: Term | int, b: Term | int | str) -> Term:
    """Equality of two terms of one sort; an Enum term may be compared with a member's name.

    Raises:
        TypeError: The sorts differ. KeyError: no such member.
    """
    if isinstance(b, str):
        return is_in(_number(a), [b])
    a, b = _number(a), _number(b)
    if isinstance(a.sort, EnumSort) or isinstance(b.sort, EnumSort):
        if a.sort != b.sort:
            raise TypeError(f"{a.sort} and {b.sort} cannot be equal")
        if a.op is Op.CONST or b.op is Op.CONST:
            return in_mask(b, a.mask) if a.op is Op.CONST else in_mask(a, b.mask)
        return any_of(and_(in_mask(a, 1 << i), in_mask(b, 1 << i)) for i in members_of(a.mask & b.mask))
    if a.is_bool and b.is_bool:
        return iff(a, b)
    if _is_known(a) or _is_known(b):
        return and_(ge(a, b), ge(b, a))
    items, c = collect(((1, a), (-1, b)), 0)
    sum_, divisor, turned = _reduced(items)
    most, least = c // divisor, -(-c // divisor)
    if turned:
        return and_(not_(at_least(sum_, 1 + most)), at_least(sum_, least))
    return and_(at_least(sum_, -most), not_(at_least(sum_, 1 - least)))


def ne(a: Term | int, b: Term | int | str) -> Term:
    """Inequality; see `eq`."""
    return not_(eq(a, b))


def _number(t: Term | int) -> Term:
    return integer(t) if isinstance(t, int) else t


def _require_bool(t: Term) -> None:
    if not t.is_bool:
        raise TypeError(f"{t} is {t.sort}, not Bool")
