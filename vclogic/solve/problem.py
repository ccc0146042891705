"""A planning question made ready for the solvers, and what they can answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from vclogic.encode.merge import Classes, merge
from vclogic.encode.tail import Tails, tails
from vclogic.encode.unroll import cone
from vclogic.model.actions import Action
from vclogic.model.transition import Transition
from vclogic.terms.build import any_of
from vclogic.terms.term import Term

Step = Mapping[Term, int]
"""The number of each choice that is not zero."""


@dataclass(frozen=True)
class Problem:
    """From a start to a goal by steps of a transition.

    Attributes:
        start: The constant value of each fluent that matters.
        transition: The steps, without what cannot bear on the goal.
        asked: The goal as asked, over the fluents after everything.
        tails: The goal, at once or after steps that cost nothing.
        metric: Name of the cost.
        within: The most steps that count, or None for no limit.
        classes: The actions that each choice stands for.
    """

    start: Mapping[Term, Term]
    transition: Transition
    asked: Term
    tails: Tails
    metric: str
    within: int | None = None
    classes: Classes = field(default_factory=dict)

    @property
    def goal(self) -> Term:
        """The goal over the fluents after the last step that is decided."""
        return any_of(self.tails.goals)


def prepare(
    transition: Transition,
    start: Mapping[Term, Term],
    goal: Term,
    *,
    tail: Action | None,
    metric: str,
    within: int | None,
    keep: tuple[Term, ...] = (),
) -> Problem:
    """A problem without what cannot bear on its goal.

    Args:
        transition: The steps.
        start: The constant value of every fluent.
        goal: Bool, over fluents.
        tail: An action without cost that may be repeated at the end.
        metric: Name of the cost.
        within: The most steps that count.
        keep: Other terms whose values are asked for.
    """
    later = tails(goal, tail, start, set(transition.next))
    needed, smaller = cone(transition, [*later.goals, *keep, *transition.reads(None)])
    merged, classes = (smaller, {}) if transition.scope else merge(smaller, [*later.goals, *keep], metric)
    return Problem({f: start[f] for f in needed}, merged, goal, later, metric, within, classes)


@dataclass(frozen=True)
class Search:
    """What a search for a plan found out.

    Attributes:
        steps: The best plan found, or None.
        cost: Its cost.
        lower_bound: No plan costs less; None: nothing is known, or there is no plan.
        exhausted: Whether it is proved that there is no plan (within the limit, if there is one).
        bound_by: Who proved the bound, or that there is none.
        reason: Why the search stopped, where it did not finish.
        depth: How many steps were looked at, where that matters for the proof.
        exact: Whether the bound, or that there is no plan, is proved in exact arithmetic.
    """

    steps: Sequence[Step] | None = None
    cost: int | None = None
    lower_bound: int | None = None
    exhausted: bool = False
    bound_by: str | None = None
    reason: str = ""
    depth: int | None = None
    exact: bool = True
