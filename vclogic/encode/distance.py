"""A lower bound on the number of variables that must change before a Bool term becomes true."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vclogic.encode.codegen import interpret
from vclogic.terms.term import Op, Term, postorder, variables


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
