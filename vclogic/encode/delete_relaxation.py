"""Plans in a world that forgets no gain (`gains.py`): a lower bound for systems that do lose."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from vclogic.encode.gains import Gains
from vclogic.encode.reachability_abstraction import widest
from vclogic.model.actions import Action
from vclogic.terms.build import any_of, eq, implies
from vclogic.terms.sorts import IntSort
from vclogic.terms.term import Term


@dataclass(frozen=True)
class Relaxation:
    """A relaxed planning problem.

    Attributes:
        gains: What each action needs and gives.
        constraints: What the values at the end must satisfy, over the choices and these values.
        final: A variable for the value of each fluent at the end, any of those that it ever had.
        prices: What each action costs; each counts once.
    """

    gains: Gains
    constraints: Sequence[Term]
    final: Mapping[Term, Term]
    prices: Mapping[Term, int]


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

    Raises:
        Unsupported: What an action needs cannot be said in a network.
    """
    gains = Gains(actions, start)
    bounds = most() if most and gains.wild else {}
    choices = list(actions)
    first = gains.network.choices.start
    constraints: list[Term] = []
    final: dict[Term, Term] = {}
    for fluent in start:
        if fluent in gains.wild:
            final[fluent] = bounds.get(fluent, fluent)
            continue
        given = gains.by.get(fluent, {})
        bound = final[fluent] = widest(fluent, [start[fluent], *given])
        if bound.is_const:
            continue
        for value, nodes in given.items():
            constraints.append(implies(eq(bound, value), any_of(choices[n - first] for n in nodes)))
        if isinstance(fluent.sort, IntSort):
            constraints.append(any_of(eq(bound, value) for value in (start[fluent], *given)))
    return Relaxation(gains, constraints, final, {t: a.costs.get(metric, 0) for t, a in actions.items()})
