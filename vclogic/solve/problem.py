"""A planning question made ready for the solvers, and what they can answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from vclogic.encode.dominance import Classes, merge
from vclogic.encode.goal_regression import Tails, tails
from vclogic.encode.unroll import cone
from vclogic.model.actions import Action
from vclogic.model.transition import Scoped, Transition
from vclogic.terms.build import any_of
from vclogic.terms.term import Term

Step = Mapping[Term, int]
"""The number of each choice that is not zero."""


@dataclass(frozen=True)
class Proof:
    """Why a goal can never hold.

    Attributes:
        method: `positions`, `one-step`, `invariants`, `closure`, `relaxation`, `k-induction` or `spacer`.
        invariant: Terms over fluents that hold in every state that can be reached: for `invariants`, `closure` and
            `spacer` they exclude the goal, for `k-induction` they are what it takes for granted.
        rechecked: Whether a fresh plain solver confirmed it.
        k: For `k-induction`: after so many states in a row without the goal no step leads to it, and the first so
            many states are without it.
    """

    method: str
    invariant: tuple[Term, ...] = ()
    rechecked: bool = True
    k: int | None = None


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
        full: The steps before anything was cut away; a plan is played in them.
        begin: The constant value of every fluent.
        laws: What every well-formed position satisfies.
        classes: The actions that each choice stands for.
    """

    start: Mapping[Term, Term]
    transition: Transition
    asked: Term
    tails: Tails
    metric: str
    within: int | None
    full: Transition
    begin: Mapping[Term, Term]
    laws: Sequence[Term] = ()
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
    laws: Sequence[Term] = (),
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
        laws: What every well-formed position satisfies.
        keep: Other terms whose values are asked for.
    """
    later = tails(goal, tail, start, transition.touched)
    read = transition.reads(None) if isinstance(transition, Scoped) else ()
    needed, smaller = cone(transition, [*later.goals, *keep, *read])
    merged, classes = merge(smaller, [*later.goals, *keep], metric)
    begin = {f: start[f] for f in needed}
    return Problem(begin, merged, goal, later, metric, within, transition, start, laws, classes)


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
        argued: The families of cuts (`Cut`) that the proof takes on their argument.
        proof: Why there is no plan of any length, where that is proved.
        final: Whether other methods are not worth asking: this one had all the time that there was.
    """

    steps: Sequence[Step] | None = None
    cost: int | None = None
    lower_bound: int | None = None
    exhausted: bool = False
    bound_by: str | None = None
    reason: str = ""
    depth: int | None = None
    exact: bool = True
    argued: tuple[str, ...] = ()
    proof: Proof | None = None
    final: bool = False


NOTHING = Search()
"""That nothing is known yet."""
