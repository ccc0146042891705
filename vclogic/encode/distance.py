"""The distance of a state from where a Bool term holds: the fewest changes, and a penalty for local search.

The penalty is itself a term, so it is compiled like any other. It is only a heuristic: a smaller penalty need not be
nearer to the goal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce

from vclogic.encode.python.codegen import interpret
from vclogic.terms.atoms import integer
from vclogic.terms.build import add, floordiv, ge, ite, linear, minimum, not_, or_, scale, sub
from vclogic.terms.term import Op, Term, postorder, variables

# ---- a lower bound on the number of variables that must change before a Bool term becomes true


def fewest_changes(term: Term, slot: Mapping[Term, int], state: Sequence[int]) -> int:
    """A lower bound on the number of variables that must change to make a Bool term true.

    It is exact for a sum of independent facts that must reach a threshold; otherwise it may be too small, but never
    too large. It is computed from the structure of the term, without a solver.

    Args:
        slot: Place of each variable in a state.
    """
    nodes = [t for t in postorder([term]) if t.op is not Op.FIX]
    values = dict(zip(nodes, map(int, interpret(nodes, slot, state)), strict=True))
    least: dict[Term, int] = {}  # to turn over each Bool term
    for t in nodes:
        if t.is_bool and not t.is_const:
            least[t] = _to_turn(t, values, least)
    return 0 if values[term] else least.get(term, 1)


def _to_turn(t: Term, values: Mapping[Term, int], least: Mapping[Term, int]) -> int:
    holds = bool(values[t])
    if t.op is Op.NOT:
        return least[t.args[0]]
    if t.op in (Op.AND, Op.OR):
        if holds is (t.op is Op.AND):
            return min(least[a] for a in t.args)  # one of them has to turn
        return max(least[a] for a in t.args if bool(values[a]) is holds)  # all of these have to, maybe by one fact
    if t.op is Op.GE and t.args[0].op is Op.LIN:
        missing = values[t.args[0]] - t.payload + 1 if holds else t.payload - values[t.args[0]]
        return _to_move(t.args[0], missing, values, up=not holds)
    return 1


def _to_move(total: Term, missing: int, values: Mapping[Term, int], *, up: bool) -> int:
    """The number of variables that must change to move a sum by `missing`, those with the largest change first."""
    gains: list[tuple[frozenset[Term], int]] = []
    for k, a in zip(total.payload[0], total.args, strict=True):
        best = a.hi if (k > 0) is up else a.lo
        gain, read = abs(k * (best - values[a])), frozenset(variables(a))
        for other in [g for g in gains if g[0] & read]:  # what one variable can move goes together
            gains.remove(other)
            read, gain = read | other[0], gain + other[1]
        gains.append((read, gain))
    changed = 0
    for _, gain in sorted(gains, key=lambda g: -g[1]):
        if missing <= 0:
            break
        missing -= gain
        changed += 1
    return max(changed, 1)


_FACT = 16  # one fact that is otherwise than it should be
_EACH = 4  # one that a number lacks, where all count alike
_ZERO = integer(0)
_Signed = tuple[Term, bool]


def penalty(term: Term, *, every: bool = False, even: bool = False) -> Term:
    """The penalty of a Bool term, an Int term over the same variables: 0 if it holds, otherwise positive.

    Args:
        term: The Bool term.
        every: Whether a disjunction that is false has the sum of its parts' penalties instead of their minimum, so
            that progress on any part shows, not only on the nearest.
        even: Whether each unit that a number lacks counts the same; otherwise the last few count most.
    """
    done: dict[_Signed, Term] = {}
    stack: list[_Signed] = [(term, True)]
    while stack:
        signed = stack[-1]
        if signed in done:
            stack.pop()
            continue
        parts = _parts(*signed)
        missing = [p for p in parts if p not in done]
        if missing:
            stack += missing
        else:
            stack.pop()
            if signed[0].op is Op.GE:
                done[signed] = _of_number(*signed, even=even)
            else:
                done[signed] = (_of_every if every else _of)(signed, [done[p] for p in parts])
    return done[term, True]


def _parts(t: Term, wanted: bool) -> Sequence[_Signed]:
    """The subterms whose penalties make up the penalty of a term (or of its negation)."""
    if t.op in (Op.AND, Op.OR, Op.NOT):
        return [(a, wanted is not (t.op is Op.NOT)) for a in t.args]
    if t.op is Op.ITE:
        condition, then, otherwise = t.args
        return [(condition, True), (then, wanted), (condition, False), (otherwise, wanted)]
    return ()


def _of(signed: _Signed, parts: Sequence[Term]) -> Term:
    t, wanted = signed
    if t.op is Op.NOT:
        return parts[0]
    if t.op is Op.ITE:
        return minimum(add(parts[0], parts[1]), add(parts[2], parts[3]))
    if t.op in (Op.AND, Op.OR):
        return linear((1, p) for p in parts) if wanted is (t.op is Op.AND) else _least(t, wanted, parts)
    return scale(not_(t) if wanted else t, _FACT)


def _of_number(t: Term, wanted: bool, *, even: bool) -> Term:
    missing = sub(t.payload, t.args[0]) if wanted else sub(t.args[0], t.payload - 1)
    missing = ite(ge(missing, 1), missing, _ZERO)
    return scale(missing, _EACH) if even else _graded(missing)


def _of_every(signed: _Signed, parts: Sequence[Term]) -> Term:
    t, wanted = signed
    if t.op is Op.ITE or (t.op in (Op.AND, Op.OR) and wanted is (t.op is Op.OR)):
        return ite(t if wanted else not_(t), _ZERO, linear((1, p) for p in parts))
    return _of(signed, parts)


def _least(t: Term, wanted: bool, parts: Sequence[Term]) -> Term:
    """The minimum of some penalties; atoms, of which there may be many, are handled together."""
    facts = [a if wanted else not_(a) for a, p in zip(t.args, parts, strict=True) if _is_fact(a)]
    others = [p for a, p in zip(t.args, parts, strict=True) if not _is_fact(a)]
    if facts:
        others.append(scale(not_(or_(*facts)), _FACT))
    return reduce(minimum, others)


def _is_fact(t: Term) -> bool:
    atom = t.args[0] if t.op is Op.NOT else t
    return atom.op in (Op.VAR, Op.IN, Op.REACH, Op.CONST)


def _graded(missing: Term) -> Term:
    """The penalty of a lacking number: its last few units count most, so that large sums do not drown atoms."""
    near = scale(minimum(missing, integer(2)), 8)
    middle = scale(minimum(missing, integer(32)), 2)
    return add(near, middle, floordiv(add(missing, 3), 4))
