"""The planning problem that all methods get, and the form of their results."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from vclogic.encode.dominance import Classes, without_dominated
from vclogic.encode.goal_regression import Regressions, after_each, regressions
from vclogic.encode.unroll import cone
from vclogic.model.actions import Action
from vclogic.model.transition import Scoped, Transition, actions_of
from vclogic.solve.backends.claims import Claims, ProgramBound
from vclogic.terms.atoms import TRUE
from vclogic.terms.build import any_of, not_
from vclogic.terms.rewrite import substitute
from vclogic.terms.term import Term

Step = Mapping[Term, int]
"""The number of each choice that is not zero."""

INEXACT = "steps of this metric are not single events, so other plans may meet the conditions"


class ProofMethod(StrEnum):
    """The ways to prove that something never holds, each with the sentences that say so to players.

    Attributes:
        goal: Why a goal never holds.
        plan: The same of a planning model; empty: that there is no plan is all that is said.
        difference: The same where the goal is a difference between two rule sets.
    """

    goal: str
    plan: str
    difference: str

    def __new__(cls, name: str, goal: str = "", plan: str = "", difference: str = "proved") -> ProofMethod:
        """A method and its sentences."""
        found = str.__new__(cls, name)
        found._value_, found.goal, found.plan, found.difference = name, goal, plan, difference
        return found

    POSITIONS = (
        "positions",
        "no position that could stand on the board satisfies the goal, whoever moves and however long",
        "no position that could stand on the board satisfies the goal (proved over all positions)",
        "they agree in every position that could stand on the board, and no step leads them apart",
    )
    ONE_STEP = "one-step", "no event does it, from any position that could stand on the board"
    EXHAUSTIVE = (
        "exhaustive",
        "all positions that play can reach were looked at, and the goal holds in none of them",
        "all positions that the steps lead to were looked at (proved by exhaustive search)",
        "all positions that play can reach were looked at, and they agree in each",
    )
    CLOSURE = (
        "closure",
        "even all possible gains together are not enough, however long play goes on",
        "even all possible gains together are not enough (proved by closure)",
        "even all possible gains together are not enough, however long play goes on",
    )
    TURNS = (
        "turn-closure",
        "even all that could be gained turn by turn is not enough by then, nor later",
        "",
        "even all that could be gained turn by turn does not lead them apart",
    )
    RELAXATION = (
        "relaxation",
        "impossible even if no gain were ever lost, however long play goes on",
        "impossible even if no gain were ever lost (proved by relaxation)",
        "impossible even if no gain were ever lost, however long play goes on",
    )
    INVARIANTS = (
        "invariants",
        "the goal contradicts what holds at the start and no event ends, however long play goes on",
        "the goal contradicts what holds at the start and no event ends (proved by invariants)",
        "a difference contradicts what holds at the start and no event ends, however long play goes on",
    )
    K_INDUCTION = (
        "k-induction",
        "the first steps do not lead there, and after that many without the goal no step ever does",
        "",
        "the first steps show no difference, and after that many without one no step ever does",
    )
    SPACER = (
        "spacer",
        "the goal contradicts what holds at the start and no step ends, however long play goes on",
        "",
        "a difference contradicts what holds at the start and no step ends, however long play goes on",
    )
    BOUNDED = (
        "bounded",
        "no steps lead there, however many (all were tried)",
        "",
        "all records were tried, however long",
    )
    IDENTICAL = "identical", "", "", "both say the same of everything that is compared, word for word"


@dataclass(frozen=True)
class Proof:
    """A proof that a goal can never hold.

    Attributes:
        method: How it is proved.
        invariant: Terms over fluents that hold in every reachable state. For `invariants`, `closure` and `spacer`
            they exclude the goal; for `k-induction` they are its assumptions.
        rechecked: Whether a fresh run of a solver confirmed it; for `exhaustive` a second look at each position.
        positions: For `exhaustive`: how many positions can be reached.
        k: For `k-induction`: the depth. After k states without the goal no step leads to it, and the first k states
            are without it.
        claims: What nothing satisfies, if the proof is right; empty where it does not rest on a solver.
        bounds: The bounds of programs that it rests on.
    """

    method: ProofMethod
    invariant: tuple[Term, ...] = ()
    rechecked: bool = True
    k: int | None = None
    positions: int | None = None
    claims: Claims = ()
    bounds: tuple[ProgramBound, ...] = ()


@dataclass(frozen=True)
class Problem:
    """A planning problem: reach a goal from a start by steps of a transition, and what its plans say of a question.

    Attributes:
        start: The constant value of each relevant fluent.
        transition: The step, reduced to what is relevant to the goal.
        goal_at_end: The goal, over the fluents at the very end.
        regressions: The goal, regressed through free steps at the end.
        metric: Name of the cost.
        within: The horizon: the most counted steps; None: no limit.
        whole_step: The unreduced step, in which plans are replayed.
        whole_start: The constant value of every fluent.
        laws: The invariants of well-formed positions.
        classes: The actions that each choice represents.
        parties: Sets of choices, such as the actions of one side, that may form a simpler problem alone.
        unconditioned: The problem without the conditions on its plans, in which they are replayed; None: it has none.
        complete: Whether it has all plans that meet the conditions. Otherwise some may be missing, and some of its
            plans may not meet them.
        loose: Whether a plan with a choice less meets the conditions too, if it leads to the goal.
    """

    start: Mapping[Term, Term]
    transition: Transition
    goal_at_end: Term
    regressions: Regressions
    metric: str
    within: int | None
    whole_step: Transition
    whole_start: Mapping[Term, Term]
    laws: Sequence[Term] = ()
    classes: Classes = field(default_factory=dict)
    parties: Sequence[Collection[Term]] = ()
    unconditioned: Problem | None = None
    complete: bool = True
    loose: bool = True

    @property
    def goal(self) -> Term:
        """The goal over the fluents after the last step that involves a decision."""
        return any_of(self.regressions.goals)

    @property
    def plain(self) -> Problem:
        """The problem in which its plans are replayed."""
        return self.unconditioned or self

    @property
    def single_actions(self) -> bool:
        """True if a step is at most one action."""
        return bool(actions_of(self.whole_step))

    @property
    def goal_at_start(self) -> bool:
        """True if the goal holds at the start."""
        return substitute(self.goal, self.start) is TRUE

    def lift_result(self, found: SearchResult) -> SearchResult:
        """The result of a search among its plans, as a statement on all that meet the conditions."""
        if self.complete:
            return found
        if found.exhausted:
            return replace(NOTHING, reason=INEXACT)
        return replace(found, lower_bound=None, bound_by=None, reason=found.reason or INEXACT)


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
    of_needed = {f: start[f] for f in needed}
    return Problem(of_needed, merged, goal, later, metric, within, transition, start, laws, classes)


@dataclass(frozen=True)
class SearchResult:
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
        claims: What nothing satisfies, if the bound is right, or if there is no plan.
        bounds: The bounds of programs that it rests on.
        rechecked: Whether a second look at each position that fewer steps lead to confirms the bound.
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
    claims: Claims = ()
    bounds: tuple[ProgramBound, ...] = ()
    rechecked: bool = False

    @property
    def proved_by(self) -> str | None:
        """The name of what proved the bound, or that there is no plan; None if nothing is proved."""
        return self.proof.method.value if self.proof else self.bound_by

    def settled(self, first: bool = False) -> bool:
        """True if it is final: an optimal plan, or a proof that there is none.

        Args:
            first: Whether any plan will do.
        """
        if self.cost is None:
            return self.exhausted
        return first or (self.cost == self.lower_bound and not self.raced)


NOTHING = SearchResult()
"""The result before any search."""


def join_results(found: SearchResult, known: SearchResult) -> SearchResult:
    """A result with what was known before it: the cheaper plan, of two that cost as much its own, and the best bound.

    Args:
        found: The result; that there is no plan stands as it is.
        known: The other one.
    """
    if found.exhausted:
        return found
    open_ = found.cost is None or found.cost != found.lower_bound
    if known.cost is not None and (found.cost is None or known.cost < found.cost):
        found = replace(found, steps=known.steps, cost=known.cost, raced=known.raced)
    if known.lower_bound is not None and known.lower_bound > (found.lower_bound or 0):
        bound, by = known.lower_bound, known.bound_by
        found = replace(found, lower_bound=bound, bound_by=by, exact=known.exact, argued=known.argued)
    if found.cost is not None and found.lower_bound is not None and found.lower_bound >= found.cost:
        return replace(found, lower_bound=found.cost, reason="" if open_ else found.reason)
    return found


class Incumbent:
    """The cheapest plan and the best bound so far, whatever becomes of the search that goes on.

    Args:
        known: The result so far.
        told: Called with the result at each cheaper plan.

    Attributes:
        known: The result so far.
    """

    def __init__(self, known: SearchResult = NOTHING, told: Callable[[SearchResult], None] = lambda found: None):
        self.known = known
        self._told = told

    def take(self, found: SearchResult) -> None:
        """Take a plan, with a bound if there is one."""
        before, self.known = self.known.cost, join_results(found, self.known)
        if self.known.cost is not None and (before is None or self.known.cost < before):
            self._told(self.known)

    def raise_bound(self, low: int, by: str, *, exact: bool) -> None:
        """Take a lower bound, proved by a method."""
        if not self.known.exhausted and low > (self.known.lower_bound or 0):
            self.known = join_results(
                replace(self.known, lower_bound=low, bound_by=by, exact=exact, argued=()), NOTHING
            )
