"""The planning problem that all methods get, and the form of their results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from vclogic.encode.dominance import Classes, without_dominated
from vclogic.encode.goal_regression import Regressions, after_each, regressions
from vclogic.encode.unroll import cone
from vclogic.model.actions import Action
from vclogic.model.transition import Scoped, Transition
from vclogic.terms.build import any_of, not_
from vclogic.terms.term import Term

Step = Mapping[Term, int]
"""The number of each choice that is not zero."""


@dataclass(frozen=True)
class Proof:
    """A proof that a goal can never hold.

    Attributes:
        method: `positions`, `one-step`, `exhaustive`, `invariants`, `closure`, `relaxation`, `k-induction`, `spacer`.
        invariant: Terms over fluents that hold in every reachable state. For `invariants`, `closure` and `spacer`
            they exclude the goal; for `k-induction` they are its assumptions.
        rechecked: Whether a second, independent solver run confirmed it; for `exhaustive` a look at each position.
        positions: For `exhaustive`: how many positions can be reached.
        k: For `k-induction`: the depth. After k states without the goal no step leads to it, and the first k states
            are without it.
    """

    method: str
    invariant: tuple[Term, ...] = ()
    rechecked: bool = True
    k: int | None = None
    positions: int | None = None


@dataclass(frozen=True)
class Problem:
    """A planning problem: reach a goal from a start by steps of a transition.

    Attributes:
        start: The constant value of each relevant fluent.
        transition: The step, reduced to what is relevant to the goal.
        asked: The goal, over the fluents at the very end.
        regressions: The goal, regressed through free steps at the end.
        metric: Name of the cost.
        within: The horizon: the most counted steps; None: no limit.
        full: The unreduced step, in which plans are replayed.
        begin: The constant value of every fluent.
        laws: The invariants of well-formed positions.
        classes: The actions that each choice represents.
    """

    start: Mapping[Term, Term]
    transition: Transition
    asked: Term
    regressions: Regressions
    metric: str
    within: int | None
    full: Transition
    begin: Mapping[Term, Term]
    laws: Sequence[Term] = ()
    classes: Classes = field(default_factory=dict)

    @property
    def goal(self) -> Term:
        """The goal over the fluents after the last step that involves a decision."""
        return any_of(self.regressions.goals)


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
    watched: Sequence[Term] = (),
) -> Problem:
    """Build a problem, reduced to what is relevant to its goal.

    Args:
        transition: The step.
        start: The constant value of every fluent.
        goal: Bool, over fluents.
        tail: An action without cost that may be repeated at the end.
        metric: Name of the cost.
        within: The horizon: the most counted steps.
        laws: The invariants of well-formed positions.
        keep: Other terms whose values must stay right.
        watched: Bool terms over fluents of which it matters after each step, those of the tail too, whether they hold
            or not: neither is better than the other.
    """
    later = regressions(goal, tail, start, transition.touched)
    passing = after_each(watched, tail, max(later.goals.values())) if tail is not None else []
    seen = dict.fromkeys((*watched, *(t for after in passing for t in after.values())))
    keep = (*keep, *seen, *map(not_, seen))
    read = transition.reads(None) if isinstance(transition, Scoped) else ()
    needed, smaller = cone(transition, [*later.goals, *keep, *read])
    merged, classes = without_dominated(smaller, [*later.goals, *keep], metric)
    begin = {f: start[f] for f in needed}
    return Problem(begin, merged, goal, later, metric, within, transition, start, laws, classes)


@dataclass(frozen=True)
class Search:
    """The result of a search for a plan.

    Attributes:
        steps: The best plan found, or None.
        cost: Its cost.
        lower_bound: No plan costs less; None: nothing is known, or there is no plan.
        exhausted: Whether it is proved that there is no plan (within the horizon, if there is one).
        bound_by: The method that proved the bound, or that there is no plan.
        reason: Why the search stopped early, if it did.
        depth: The number of steps explored, if the proof depends on it.
        exact: Whether the proof is in exact arithmetic.
        argued: The families of argued cuts (`Cut`) that the proof uses.
        proof: The proof that there is no plan of any length, if there is one.
        final: Whether this method used all the time, so that no other is tried.
        raced: Whether the engine that was first decided which plan it is, so that one of its cost is looked for once
            more, the same in every run.
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
    raced: bool = False


NOTHING = Search()
"""The result before any search."""
