"""The delete relaxation of a planning problem (`gains.py`): a lower bound where gains can be lost."""

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
        gains: The needs and effects of each action.
        constraints: Constraints on the values at the end, over the choices and these values.
        final: A variable for each fluent's value at the end, which may be any value that it ever had.
        prices: The cost of each action, paid once.
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
    """The delete relaxation of planning with these actions.

    Args:
        actions: The choice and action.
        start: The constant value of each fluent that matters.
        metric: The metric that is the cost.
        most: For each fluent, a variable whose sort has all values that it can ever have; called where effects are
            not constants. None: any value of its sort.

    Raises:
        Unsupported: A guard cannot be encoded as a network.
    """
    gains = Gains(actions, start)
    bounds = most() if most and gains.wild else {}
    choices = list(actions)
    first = gains.network.choices.start
    constraints: list[Term] = []
    final: dict[Term, Term] = {}
    for fluent in start:
        # Effects on it are not constant: nothing but a bound is known of its last value.
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
