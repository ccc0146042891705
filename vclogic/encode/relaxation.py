"""Plans in a world that forgets no gain: a lower bound for systems that do lose.

Every value that a fluent ever had counts as still there, so an action once possible stays possible and is needed at
most once. Each real plan gives a relaxed one of at most its cost: what no relaxed plan reaches, no plan reaches.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from vclogic.encode.relaxed import widest
from vclogic.model.actions import Action
from vclogic.terms.atoms import TRUE, var
from vclogic.terms.build import and_, any_of, eq, gt, implies, linear, not_
from vclogic.terms.rewrite import NEGATIVE, POSITIVE, polarities, substitute
from vclogic.terms.sorts import BoolSort, EnumSort, IntSort
from vclogic.terms.term import Op, Term, postorder


@dataclass(frozen=True)
class Relaxation:
    """A relaxed planning problem.

    Attributes:
        constraints: What the actions taken, and their ranks, must satisfy.
        final: A variable for the value of each fluent at the end, any of those that it ever had.
        cost: What the actions taken cost, each counted once.
    """

    constraints: Sequence[Term]
    final: Mapping[Term, Term]
    cost: Term


class _Gains:
    """Which actions give a fluent which value."""

    def __init__(self, actions: Mapping[Term, Action], start: Mapping[Term, Term]):
        self.start = start
        self.by: dict[Term, dict[Term, list[Term]]] = {}
        self.wild: set[Term] = set()  # may get values that are not constants: nothing is known of them
        for taken, action in actions.items():
            for fluent, value in action.effects:
                if fluent in start and not value.is_const:
                    self.wild.add(fluent)
                elif fluent in start:
                    self.by.setdefault(fluent, {}).setdefault(value, []).append(taken)
        rank = IntSort(0, max(len(actions) - 1, 1))
        self.rank = {taken: var(f"rank({taken.name})", rank) for taken in actions}

    def once(self, fluent: Term, wanted: Mapping[Term, bool], before: Term) -> Term:
        """Whether the fluent has had a wanted value before an action."""
        if fluent in self.wild or wanted.get(self.start[fluent]):
            return TRUE
        ways = (t for value, takens in self.by.get(fluent, {}).items() if wanted[value] for t in takens)
        return any_of(and_(t, gt(self.rank[before], self.rank[t])) for t in ways)

    def values(self, fluent: Term) -> list[Term]:
        return [self.start[fluent], *self.by.get(fluent, ())]


def relaxation(
    actions: Mapping[Term, Action],
    start: Mapping[Term, Term],
    metric: str,
    most: Callable[[], Mapping[Term, Term]] | None = None,
) -> Relaxation:
    """The relaxed problem of planning with these actions.

    Args:
        actions: The choice and action.
        start: The constant value of each fluent that matters.
        metric: What to count as cost.
        most: For each fluent a variable with all the values that it can ever have; asked for where actions give
            fluents values that are no constants. None: any.
    """
    gains = _Gains(actions, start)
    bounds = most() if most and gains.wild else {}
    constraints = [implies(taken, _relaxed(action.guard, gains, taken)) for taken, action in actions.items()]
    final: dict[Term, Term] = {}
    for fluent in start:
        if fluent in gains.wild:
            final[fluent] = bounds.get(fluent, fluent)
            continue
        bound = widest(fluent, gains.values(fluent))
        final[fluent] = bound
        for value, takens in gains.by.get(fluent, {}).items():
            if value is not start[fluent] and not bound.is_const:
                constraints.append(implies(eq(bound, value), any_of(takens)))
        if isinstance(fluent.sort, IntSort) and not bound.is_const:
            constraints.append(any_of(eq(bound, value) for value in gains.values(fluent)))
    cost = linear((action.costs.get(metric, 0), taken) for taken, action in actions.items())
    return Relaxation(constraints, final, cost)


def _relaxed(guard: Term, gains: _Gains, taken: Term) -> Term:
    """What must have been so at some time before the action, if its guard holds at its time."""
    signs = polarities([guard])
    mapping: dict[Term, Term] = {}
    for t in postorder([guard]):
        if t.op is Op.IN or (t.op is Op.VAR and isinstance(t.sort, BoolSort)):
            fluent = t.args[0] if t.op is Op.IN else t
            if signs[t] == POSITIVE | NEGATIVE or fluent not in gains.start:
                return TRUE
            passes = {v: _passes(t, v) for v in gains.values(fluent)}
            if signs[t] == NEGATIVE:
                fails = {v: not ok for v, ok in passes.items()}
                mapping[t] = not_(gains.once(fluent, fails, taken))
            else:
                mapping[t] = gains.once(fluent, passes, taken)
        elif t.op is Op.VAR and not isinstance(t.sort, EnumSort):
            return TRUE
    return substitute(guard, mapping)


def _passes(atom: Term, value: Term) -> bool:
    return bool(atom.payload >> value.payload & 1) if atom.op is Op.IN else bool(value.payload)
