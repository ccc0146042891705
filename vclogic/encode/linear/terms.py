"""Terms as a mixed-integer program: sums stay sums, and conditions become 0/1 columns with implications.

The encoding is polarity-aware: a condition gets one column, with the implications of the directions in which it is
needed only. A condition that only helps when true must not be 1 where it is false, but may be 0 where it is true. So
the columns of such terms are bounds; the values of variables are exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from vclogic.clock import check_deadline
from vclogic.collector_paused import collector_paused
from vclogic.encode.linear.affine import Affine, Program, Sheet, Unsupported, combined
from vclogic.model.transition import Cut
from vclogic.terms.atoms import integer
from vclogic.terms.build import linear, not_
from vclogic.terms.rewrite import NEGATIVE, POSITIVE
from vclogic.terms.sorts import EnumSort, members_of
from vclogic.terms.term import Op, Term, conjuncts, variables

Guards = tuple[Affine, ...]
"""Relaxation literals, each 0 or 1: if any is 1, the guarded row need not hold."""
Claim = tuple[Term, bool]
"""A Bool term, and whether it is to be true."""


@collector_paused()
def compile_program(terms: Iterable[Term], objective: Term | None = None, cuts: Iterable[Cut] = ()) -> Program:
    """Compile Bool terms to a program whose solutions are their models.

    Args:
        terms: All must hold.
        objective: Int, to be minimized.
        cuts: Redundant constraints, which all models satisfy.

    Raises:
        Unsupported: A term cannot be encoded, or its numbers are too large for floating point.
    """
    objective = integer(0) if objective is None else objective
    kept, defined = definitions(list(terms))
    by_use = sorted(cuts, key=lambda cut: cut.argued)  # so that what no argument is needed for rests on none
    writer = _MilpWriter([*kept, *defined.values(), objective, *(cut.term for cut in by_use)], defined)
    return writer.program(kept, objective, by_use)


def definitions(terms: Sequence[Term]) -> tuple[list[Term], dict[Term, Term]]:
    """Split the definitions off a conjunction: conjuncts that equate a variable with a term within its bounds.

    Returns:
        The remaining terms, and each defined variable with its term, which contains only variables before it.
    """
    kept: list[Term] = []
    defined: dict[Term, Term] = {}
    used: set[Term] = set()
    for t in terms:
        for v, value in _readings(t):
            needed = variables(value)
            if v not in defined and v not in used and v not in needed:
                defined[v] = value
                used.update(needed)
                break
        else:
            kept.append(t)
    return kept, defined


def _readings(t: Term) -> Iterator[tuple[Term, Term]]:
    """The ways to solve a Bool term for a variable, the newest variable first."""
    if t.op is Op.ITE and t.args[0].op is Op.VAR and not_(t.args[1]) is t.args[2]:
        yield t.args[0], t.args[1]
    elif t.op is Op.AND and len(t.args) == 2:
        low, high = t.args if t.args[0].op is Op.GE else t.args[::-1]
        if low.op is Op.GE and high.op is Op.NOT and high.args[0].op is Op.GE:
            sum_, above = low.args[0], high.args[0]
            if above.args[0] is sum_ and above.payload == low.payload + 1 and sum_.op is Op.LIN:
                yield from _solved(sum_, low.payload)


def _solved(sum_: Term, total: int) -> Iterator[tuple[Term, Term]]:
    """Solve "sum equals total" for each of its variables, where the solution is within the variable's bounds."""
    ks, c = sum_.payload
    pairs = list(zip(ks, sum_.args, strict=True))
    least, most = sum_.lo - c, sum_.hi - c
    for k, v in reversed(pairs):  # a sum's terms stand in the order of making
        if v.op is Op.VAR and not v.is_bool and abs(k) == 1:
            lo, hi = (v.lo, v.hi) if k > 0 else (-v.hi, -v.lo)  # of k * v; what is left for it by the others:
            if lo <= total - c - most + hi and total - c - least + lo <= hi:
                yield v, linear(((-kk * k, t) for kk, t in pairs if t is not v), (total - c) * k)


class _MilpWriter:
    """Encodes terms (parts of the roots) as columns and rows; defined variables get no columns."""

    def __init__(self, roots: list[Term], defined: dict[Term, Term]):
        self._sheet = Sheet()
        self._defined = defined
        self._sums: dict[Term, Affine] = {}
        self._members: dict[Term, dict[int, Affine]] = {}
        self._done: dict[Term, int] = {}
        self._todo: list[tuple[Term, int]] = []
        self._uses = _uses(roots)

    def program(self, terms: Sequence[Term], objective: Term, cuts: Sequence[Cut]) -> Program:
        """The program in which some terms and cuts hold."""
        for t in terms:
            self._demand((), (t, True))
            self._settle()
        cost = self._number(objective, NEGATIVE)
        self._settle()
        for cut in cuts:
            self._sheet.family = cut.family if cut.argued else None
            self._demand((), (cut.term, True))
            self._settle()
        places: dict[Term, Affine | dict[int, Affine]] = {
            t: s for t, s in self._sums.items() if t.op is Op.VAR and t not in self._defined
        }
        sheet = self._sheet
        if not sheet.impossible:
            sheet.check(cost)
        return Program(
            tuple(sheet.columns),
            sheet.rows,
            cost,
            sheet.impossible or any(lo > hi for lo, hi in sheet.columns),
            {**places, **self._members},
            tuple(self._defined.items()),
            sheet.argued,
        )

    # ---- values

    def _number(self, t: Term, directions: int) -> Affine:
        """The sum for a number or condition; its rows bound it from these directions."""
        self._need(t, directions)
        return self._sum(t)

    def _literal(self, claim: Claim) -> Affine:
        """A literal that is 1 only if the claim holds."""
        t, positive = claim
        found = self._number(t, POSITIVE if positive else NEGATIVE)
        return found if positive else found.complement

    def _need(self, t: Term, directions: int) -> None:
        missing = directions & ~self._done.get(t, 0)
        if missing:
            self._done[t] = self._done.get(t, 0) | missing
            self._todo.append((t, missing))

    def _sum(self, t: Term) -> Affine:
        found = self._sums.get(t)
        if found is None:
            found = self._sums[t] = self._made(t)
        return found

    def _made(self, t: Term) -> Affine:
        match t.op:
            case Op.CONST:
                return Affine({}, t.lo if not t.is_bool else int(t.payload))
            case Op.NOT:
                return self._sum(t.args[0]).complement
            case Op.LIN:
                ks, c = t.payload
                known = self._sums
                return combined([(k, known.get(a) or self._sum(a)) for k, a in zip(ks, t.args, strict=True)], c)
            case Op.IN:
                return self._membership(t.args[0], t.payload)
            case Op.VAR if t in self._defined:
                return self._sum(self._defined[t])
            case Op.VAR | Op.GE | Op.AND | Op.OR | Op.ITE | Op.DIV if not isinstance(t.sort, EnumSort):
                return self._sheet.column(t.lo, t.hi)
        raise Unsupported(f"the operator {t.op.value!r} of {t.sort} terms")

    def _membership(self, v: Term, mask: int) -> Affine:
        if v not in self._members:
            numbers = members_of(v.mask)
            tests = {n: self._sheet.column(0, 1) for n in numbers[1:]}
            if len(numbers) == 2:  # one column tells two members apart
                tests[numbers[0]] = tests[numbers[1]].complement
            else:
                tests[numbers[0]] = self._sheet.column(0, 1)
                self._equal(combined((1, test) for test in tests.values()), 1)
            self._members[v] = tests
        tests = self._members[v]
        inside = [test for n, test in tests.items() if mask >> n & 1]
        outside = [test for n, test in tests.items() if not mask >> n & 1]
        if len(outside) < len(inside):
            return combined((1, test) for test in outside).complement
        return combined((1, test) for test in inside)

    def _equal(self, sum_: Affine, total: int) -> None:
        self._sheet.at_least(sum_, total)
        self._sheet.at_least(sum_.negative, -total)

    # ---- what the values must satisfy

    def _settle(self) -> None:
        while self._todo:
            check_deadline()
            t, directions = self._todo.pop()
            self._define(t, directions)

    def _define(self, t: Term, directions: int) -> None:
        match t.op:
            case Op.VAR if t in self._defined:
                self._need(self._defined[t], directions)
            case Op.NOT:
                self._need(t.args[0], _swapped(directions))
            case Op.LIN:
                for k, a in zip(t.payload[0], t.args, strict=True):
                    if a.op is not Op.VAR or a in self._defined:  # else it is a column and needs nothing
                        self._need(a, directions if k > 0 else _swapped(directions))
            case Op.DIV:
                self._quotient(t, directions)
            case Op.ITE if not t.is_bool:
                self._choice(t, directions)
            case Op.GE | Op.AND | Op.OR | Op.ITE:
                if directions & POSITIVE:
                    self._demand((self._sum(t).complement,), (t, True))
                if directions & NEGATIVE:
                    self._demand((self._sum(t),), (t, False))

    def _quotient(self, t: Term, directions: int) -> None:
        """Rows of a floor division: 0 <= dividend - k * quotient <= k - 1, in the needed directions."""
        k, scaled = t.payload, combined([(t.payload, self._sum(t))])
        dividend = self._number(t.args[0], directions)
        if directions & POSITIVE:
            self._sheet.at_least(dividend.plus(scaled, -1), 0)
        if directions & NEGATIVE:
            self._sheet.at_least(scaled.plus(dividend, -1), 1 - k)

    def _choice(self, t: Term, directions: int) -> None:
        """Rows of an if-then-else: the number equals that of the taken branch, in the needed directions."""
        condition, then, otherwise = t.args
        value = self._sum(t)
        for positive, branch, opposite in ((True, then, otherwise), (False, otherwise, then)):
            number = self._number(branch, directions)
            excuse = self._literal((condition, not positive))
            if directions & POSITIVE:  # excused, it is at most as much as the opposite branch at most
                self._sheet.at_least(combined([(1, number), (-1, value), (opposite.hi - branch.lo, excuse)]), 0)
            if directions & NEGATIVE:
                self._sheet.at_least(combined([(1, value), (-1, number), (branch.hi - opposite.lo, excuse)]), 0)

    def _demand(self, guards: Guards, claim: Claim) -> None:
        """Require a claim unless one of the guards is 1."""
        stack = [(guards, claim)]
        while stack:
            guards, (t, positive) = stack.pop()
            if t.op is Op.NOT:
                stack.append((guards, (t.args[0], not positive)))
            elif t.op is Op.GE:
                number = self._number(t.args[0], POSITIVE if positive else NEGATIVE)
                if positive:
                    self._sheet.unless(guards, number, t.payload, t.args[0].lo)
                else:
                    self._sheet.unless(guards, number.negative, 1 - t.payload, -t.args[0].hi)
            elif t.op is Op.ITE and len(guards) < _NESTED:
                condition, then, otherwise = t.args
                stack.append(((*guards, self._literal((condition, False))), (then, positive)))
                stack.append(((*guards, self._literal((condition, True))), (otherwise, positive)))
            elif t.op is (Op.AND if positive else Op.OR):
                stack += [(guards, (a, positive)) for a in t.args]
            elif t.op is Op.OR and (cases := _by_member(t)):
                stack += self._each(guards, *cases)
            elif t.op in (Op.AND, Op.OR):
                stack += self._clause(guards, (t, positive))
            else:
                self._any((*guards, self._literal((t, positive))))

    def _any(self, literals: Guards) -> None:
        self._sheet.at_least(combined((1, x) for x in literals), 1)

    def _each(self, guards: Guards, v: Term, cases: list[tuple[int, list[Term]]]) -> list[tuple[Guards, Claim]]:
        """Require that a variable is in one of some sets, and the claim of that set; no case needs a column."""
        every = 0
        found: list[tuple[Guards, Claim]] = []
        for mask, rest in cases:
            every |= mask
            excuse = self._membership(v, mask).complement
            found += [((*guards, excuse), (t, True)) for t in rest]
        if every != v.mask:
            self._any((*guards, self._membership(v, every)))
        return found

    def _clause(self, guards: Guards, claim: Claim) -> list[tuple[Guards, Claim]]:
        """Encode a disjunction of claims: all become literals, except one that is used nowhere else.

        Returns that one, with the others as its guards.
        """
        leaves: list[Claim] = []
        stack = [claim]
        while stack:
            t, positive = stack.pop()
            if t.op is Op.NOT:
                stack.append((t.args[0], not positive))
            elif t.op is (Op.OR if positive else Op.AND) and (t is claim[0] or self._alone(t)):
                stack += [(a, positive) for a in t.args]
            else:
                leaves.append((t, positive))
        last = next((leaf for leaf in leaves if leaf[0].op in _LARGE and self._alone(leaf[0])), None)
        rest = tuple(self._literal(leaf) for leaf in leaves if leaf is not last)
        if last is None:
            self._any((*guards, *rest))
            return []
        return [((*guards, *rest), last)]

    def _alone(self, t: Term) -> bool:
        return self._uses.get(t, 0) <= 1 and t not in self._sums


_LARGE = (Op.GE, Op.AND, Op.OR, Op.ITE)
_NESTED = 8  # guards of a choice, beyond which it gets a column: branches that choices share would be endlessly many


def _uses(roots: Iterable[Term]) -> dict[Term, int]:
    """The number of times each composite term occurs below the roots as an argument."""
    found: dict[Term, int] = {}
    stack = [*dict.fromkeys(roots)]
    known = set(stack)
    while stack:
        for a in stack.pop().args:
            if a.op is not Op.VAR:
                found[a] = found.get(a, 0) + 1
                if a not in known:
                    known.add(a)
                    stack.append(a)
    return found


def _swapped(directions: int) -> int:
    return (directions & POSITIVE) * 2 | (directions & NEGATIVE) // 2


def _by_member(t: Term) -> tuple[Term, list[tuple[int, list[Term]]]] | None:
    """Read a disjunction as a case split on one Enum variable, with a claim per case; None if it is not one."""
    disjuncts = [conjuncts(a) for a in t.args]
    for v in [a.args[0] for a in disjuncts[0] if a.op is Op.IN]:
        cases: list[tuple[int, list[Term]]] = []
        seen = 0
        for parts in disjuncts:
            tests = [a.payload for a in parts if a.op is Op.IN and a.args[0] is v]
            if len(tests) != 1 or tests[0] & seen:
                break
            seen |= tests[0]
            cases.append((tests[0], [a for a in parts if a.op is not Op.IN or a.args[0] is not v]))
        else:
            return v, cases
    return None
