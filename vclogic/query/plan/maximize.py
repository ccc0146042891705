"""The largest value of an expression, and the cheapest plan that reaches it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from vclogic.clock import ANSWERING, TIME_UP, Deadline, TimeUp, check_deadline, grace_period, until
from vclogic.encode.abstractions import closure
from vclogic.encode.goal_regression import Regressions
from vclogic.encode.linear.affine import Unsupported
from vclogic.encode.linear.delete_free import DeleteFree, delete_free
from vclogic.encode.python.evaluator import interpret
from vclogic.encode.unroll import Unrolling
from vclogic.model.transition import actions_of
from vclogic.progress import Tell, untold
from vclogic.query.plan.answer import Maximum, Plan
from vclogic.query.plan.cheapest import plan
from vclogic.query.plan_search import holds
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.solve import budgets
from vclogic.solve.backends.claims import Claim, Claims, ProgramBound
from vclogic.solve.backends.session import Answer, Effort, Session
from vclogic.solve.landmarks.search import Cheapest, cheapest
from vclogic.solve.problem import NOTHING, Problem, SearchResult
from vclogic.solve.proofs.unreachability import by_closure
from vclogic.solve.searches.bmc import depths, plan_of
from vclogic.solve.searches.cost_bounds import leaps, narrow, number
from vclogic.solve.searches.delete_free_search import claim_of, known_plan, task_of_largest
from vclogic.solve.searches.lemmas import Settled, settle
from vclogic.solve.searches.plan_groups import Group, groups
from vclogic.solve.searches.plan_groups import plan_of as plan_of_group
from vclogic.solve.strategy import BUILDING, NO_LIMIT, NO_PROGRAM
from vclogic.terms.atoms import FALSE
from vclogic.terms.build import and_, ge, scale
from vclogic.terms.expressions.compiled import Goal
from vclogic.terms.partial import Partial
from vclogic.terms.rewrite import substitute
from vclogic.terms.term import Term


def maximize(resolved: ResolvedQuestion, objective: Partial) -> Plan:
    """The largest value of an expression and a cheapest plan for it.

    Args:
        text: The expression as the user wrote it.
        objective: Int, over fluents; it counts only where it is defined.

    Returns:
        The plan, `optimal` only if the value is proved to be the largest and the plan to be a cheapest for it.
    """
    problem, best = None, [Maximization(None, objective.value.hi, BUILDING)]  # ever better ones, each with its plan
    try:
        with until(resolved.effort.deadline.part(budgets.LARGEST)):  # the rest is for the plan
            problem = resolved.problem(objective.defined, keep=(objective.value,), tail=False)
            found = _highest(resolved, problem, objective, best.append)
    except TimeUp:
        found = best[-1]
    if found.value is None and found.reason:
        found = replace(found, value=_now(resolved, objective))
    said, goal, proved = f"{resolved.goal.text} is defined", objective.defined, not found.reason
    if found.value is not None:
        with grace_period(ANSWERING):
            goal = and_(goal, ge(objective.value, found.value))
        said, proved = f"{resolved.goal.text} >= {found.value}", found.value >= found.upper_bound
    # It is played at once, as it was found: to build the steps for its value once more may take too long.
    answer = plan(replace(resolved, goal=Goal(said, goal)), found.plan, of=problem)
    if answer.status == "optimal" and not proved:
        answer = replace(answer, status="feasible", reason=found.reason)
    by = _confirming_solvers(found, resolved.effort) if proved else ""
    return replace(answer, maximum=Maximum(resolved.goal.text, found.value, found.upper_bound, by))


def _confirming_solvers(found: Maximization, effort: Effort) -> str:
    """The solvers that confirm that no value is larger; empty: none."""
    if effort.opinion is None:
        return ""
    if found.bounds:
        effort.opinion.note(found.claims, found.bounds)
        return "whole numbers"
    return effort.agreeing(found.claims)


def _now(resolved: ResolvedQuestion, objective: Partial) -> int | None:
    """The present value, which an empty plan reaches; None if it is undefined."""
    with grace_period():
        slot = resolved.system.layout.slot
        return interpret(objective.value, slot, resolved.state) if holds(resolved, objective.defined) else None


Better = Callable[["Maximization"], object]


def _highest(resolved: ResolvedQuestion, problem: Problem, objective: Partial, better: Better) -> Maximization:
    actions = actions_of(problem.transition)
    free = delete_free(actions, problem.start, problem.metric)
    if free is not None and actions:
        with suppress(Unsupported):
            deadline = resolved.effort.deadline.part(budgets.LARGEST)
            return maximize_delete_free(problem, free, objective.value, deadline, resolved.progress, better)
    if not actions and problem.within is not None:
        try:
            return _by_horizons(resolved, problem, problem.within, objective.value, better)
        except Unsupported as reason:
            resolved.progress(f"HiGHS is not asked: {reason}")
    if problem.transition.hints.lemmas:
        return Maximization(None, objective.value.hi, NO_LIMIT if problem.within is None else NO_PROGRAM)
    # Time is kept for the plan, where the largest value turns out to be hard to prove.
    with resolved.effort.part(budgets.LARGEST).session() as session:
        start = {f: t for f, t in resolved.start.items() if f in problem.start}
        # A scoped step does not show what its choices change, so there no bound is known but that of the sorts.
        value = objective.value
        most = value.hi if problem.whole_step.scoped else substitute(value, closure(problem.whole_step, start)).hi
        found = maximize_bounded(problem, value, most, session, resolved.progress)
    if found.value == most and not found.reason:
        return replace(
            found, claims=_never_above(most, value, problem, start, resolved.effort.part(most=budgets.ONE_VALUE))
        )
    return found


def _never_above(most: int, value: Term, problem: Problem, start: Mapping[Term, Term], effort: Effort) -> Claims:
    """Claims that a value is at most a bound of all that can be gained, or of its parts."""
    if most < value.hi:
        with suppress(TimeUp), until(effort.deadline):
            proof = by_closure(ge(value, most + 1), problem.whole_step, start, (), effort)
            return () if proof is None else proof.claims
    return (Claim(f"never: the value is more than {most}", (), ((value, most + 1),)),)


def _by_horizons(
    resolved: ResolvedQuestion, problem: Problem, limit: int, value: Term, better: Better
) -> Maximization:
    """The largest value within a horizon, by programs; shorter horizons are looked at first, for any higher value."""
    within, effort = 1, resolved.effort.part(budgets.LARGEST)
    known: Maximization | None = None
    while within < limit and known is None:
        part = effort.part(budgets.SHORT_HORIZON_SHARE, budgets.SHORT_HORIZON)
        with suppress(TimeUp), until(part.deadline):
            found = maximize_milp(replace(problem, within=within), value, part, first=True)
            if found.plan.steps:
                known = replace(found, upper_bound=value.hi, reason=TIME_UP)
                better(known)
        within *= 2
    check_deadline()
    return maximize_milp(problem, value, effort, known)


# ---- the largest value that a plan can reach, by each method


@dataclass(frozen=True)
class Maximization:
    """The result of a maximization.

    Attributes:
        value: The largest value found; None if the problem's goal was not reached at all.
        upper_bound: A proved upper bound of the value.
        reason: Why the search stopped early, if it did.
        plan: A plan that reaches the value found, not necessarily a cheap one; None without a value.
        claims: What nothing satisfies, if no value is larger than the one found.
        bounds: The bounds of programs that it rests on, all of them checked in whole numbers.
    """

    value: int | None
    upper_bound: int
    reason: str = ""
    plan: SearchResult = NOTHING
    claims: Claims = ()
    bounds: tuple[ProgramBound, ...] = ()


def maximize_delete_free(
    problem: Problem,
    free: DeleteFree,
    objective: Term,
    deadline: Deadline,
    progress: Tell,
    better: Better = lambda found: None,
) -> Maximization:
    """The largest value at the end of a plan of a delete-free problem.

    Args:
        problem: Its goal must hold at the end.
        objective: Int, over the fluents after the plan.
        progress: Called with bounds.
        better: Called with each higher value.

    Raises:
        Unsupported: The goal or the objective cannot be encoded as a program.
        TimeUp: The deadline passed before anything was known.
    """

    def tell(phase: str, cost: int | None = None, bound: int | None = None) -> None:
        if cost is not None and bound is not None:
            progress(f"looking for a higher value: {-cost} found, at most {-bound}")

    def take(now: Cheapest) -> None:
        if now.cost is not None:
            better(Maximization(-now.cost, objective.hi, TIME_UP, known_plan(free, now)))

    task = task_of_largest(problem, free, objective)
    found = cheapest(task, deadline, tell, take)
    most = objective.hi if found.lower_bound is None else -found.lower_bound
    if found.cost is None:
        return Maximization(None, most, found.reason)
    claims = (claim_of(task, found, f" reaches more than {most}"),) if found.cost == found.lower_bound else ()
    bounds = () if found.bound is None or not claims else (found.bound,)
    return Maximization(-found.cost, most, found.reason, known_plan(free, found), claims, bounds)


def maximize_bounded(problem: Problem, objective: Term, most: int, session: Session, progress: Tell) -> Maximization:
    """The largest value within the problem's horizon, by ever longer unrollings.

    Args:
        problem: Its goal must hold where the value is taken.
        objective: Int, over fluents.
        most: An upper bound of the value for any number of steps.
        session: A new session.
        progress: Called with depth and value.
    """
    unrolled = Unrolling(problem.transition, problem.start)
    best: int | None = None
    plan = NOTHING
    looked: list[_Depth] = []
    steps: list[Term] = []

    def add(*laws: Term) -> None:
        steps.extend(laws)
        session.add(*laws)

    try:
        for depth in depths(problem, unrolled, add):
            progress(f"looking at {depth} steps" + (f", best value so far {best}" if best is not None else ""))
            goal, value = unrolled.holds(problem.goal, depth), unrolled.holds(objective, depth)
            looked.append(_Depth(goal, value, min(most, value.hi), unrolled, depth, len(steps)))
            best, reason = looked[-1].higher(best, session, budgets.ONE_VALUE)
            plan = looked[-1].plan or plan
            if reason:
                return Maximization(best, most, reason, plan)
            if best is not None and best >= most:
                return Maximization(best, best, plan=plan)
        for x in looked:  # what was too hard at first gets all the time that is left
            before = best
            best, reason = x.higher(best, session, math.inf)
            plan = x.plan if x.plan and best != before else plan
            if reason:
                return Maximization(best, max(x.high for x in looked), reason, plan)
    except TimeUp:
        last = max(looked, key=lambda x: -math.inf if x.found is None else x.found, default=None)
        if last is not None and last.found is not None and (best is None or last.found > best):
            best, plan = last.found, last.plan or plan
        return Maximization(best, most, TIME_UP, plan)
    if best is None:
        return Maximization(None, most, plan=plan)
    return Maximization(best, best, plan=plan, claims=tuple(x.claim(steps, best) for x in looked))


@dataclass
class _Depth:
    """The maximization at one depth.

    Attributes:
        goal: The goal at this depth.
        value: The objective at this depth.
        high: An upper bound of the objective.
        unrolled: The unrolling, possibly longer than this depth.
        depth: The depth.
        laws: How many constraints plans of this depth have.
        plan: A plan to the largest value found at this depth, if any,
        found: and that value.
    """

    goal: Term
    value: Term
    high: int
    unrolled: Unrolling
    depth: int
    laws: int
    plan: SearchResult | None = None
    found: int | None = None

    def claim(self, steps: Sequence[Term], most: int) -> Claim:
        """The claim that no plan of this depth reaches more than a value.

        Args:
            steps: The constraints of all depths.
        """
        about = f"never: after {self.depth} steps the value is more than {most}"
        return Claim(about, (*steps[: self.laws], self.goal), ((self.value, most + 1),))

    def higher(self, low: int | None, session: Session, patience: float) -> tuple[int | None, str]:
        """The largest value, or the largest found, and why the session ended early, if it did.

        Args:
            low: The largest value found so far.
            session: The session with the steps.
            patience: Seconds for each query.
        """
        if low is None:
            first = session.check(self.goal, ge(self.value, self.value.lo))
            if first.verdict != "sat":
                self.high = self.value.lo - 1 if first.verdict == "unsat" else self.high
                return None, first.reason
            low = self._take(first)
        found = narrow(
            lambda t, seconds: session.check(self.goal, t, seconds=seconds),
            scale(self.value, -1),
            None,
            -low,
            -self.high,
            by=leaps,
            hard="leave",
            patience=patience,
            found=self._take,
        )
        self.high = -found.low
        return low if self.found is None else max(low, self.found), found.reason

    def _take(self, answer: Answer) -> int:
        """The value in a model, whose plan is kept."""
        with grace_period(ANSWERING):
            plan, value = replace(plan_of(self.unrolled, answer, self.depth), raced=True), number(self.value, answer)
        self.plan, self.found = plan, value
        return value


def maximize_milp(
    problem: Problem, value: Term, effort: Effort, known: Maximization | None = None, *, first: bool = False
) -> Maximization:
    """The largest value within the problem's horizon.

    Args:
        problem: Its goal must hold where the value is taken.
        value: Int, over fluents.
        known: A value that is known already, with its plan.
        first: Whether any value that cannot soon be improved will do.

    Raises:
        Unsupported: This method does not apply to the problem.
        TimeUp: The time was up before anything was known.
    """
    begin = substitute(value, problem.start)
    if not begin.is_const or problem.within is None:
        raise Unsupported("a value that is open at the start")
    best = Maximization(begin.lo, begin.lo)
    more = and_(problem.goal, ge(value, begin.lo + 1))
    if more is FALSE:
        return best
    found = [
        g for g in groups(replace(problem, regressions=Regressions({more: 0}))) if g.goals
    ]  # else none is higher
    if any(len(group.goals) > 1 for group in found):
        raise Unsupported("a value that is lost where nothing is done")
    if known is not None and known.value is not None and known.value > begin.lo:
        best = replace(best, value=known.value, plan=known.plan)
    closed: list[Settled] = []
    for group in reversed(found):
        try:
            best, settled = _higher(group, problem, value, best, effort, first=first)
        except TimeUp:
            return replace(best, upper_bound=value.hi, reason=TIME_UP)
        closed.append(settled)
    if best.reason or best.value is None:
        return best
    claims = tuple(_none_higher(s.group, best.value) for s in closed)
    whole = all(s.outcome.verified and not s.outcome.argued for s in closed)
    bounds = tuple(s.outcome.bound for s in closed if s.outcome.bound is not None) if whole else ()
    return replace(best, claims=claims, bounds=bounds)


def _none_higher(group: Group, most: int) -> Claim:
    """The claim that no plan of some lengths, whose cost is the value's loss, reaches more than a value."""
    about = f"never: a plan of {group.depth} steps reaches more than {most}"
    return Claim(about, tuple(group.claimed), ((scale(group.cost, -1), most + 1),))


def _higher(
    group: Group, problem: Problem, value: Term, best: Maximization, effort: Effort, *, first: bool
) -> tuple[Maximization, Settled]:
    """The larger of the best value so far and the best of some plan lengths, and how that is known."""
    effort.progress(f"looking for the largest value after {group.depth} steps")
    (depth,) = group.goals
    then = group.unrolled.holds(value, depth)
    goal = group.unrolled.holds(problem.goal, depth)
    assert best.value is not None
    highest = replace(group, goals={depth: goal}, cost=scale(then, -1))
    settled = settle(highest, -best.value - 1, effort.deadline, untold, None, checked=not first, any_=first)
    outcome = settled.outcome
    value_now, plan, bound = best.value, best.plan, best.value
    if outcome.cost is not None:
        value_now, plan = -outcome.cost, plan_of_group(group, Answer("sat", outcome.values))
        bound = value_now
    if outcome.status == "unknown":
        bound = then.hi if outcome.lower_bound is None else min(then.hi, -outcome.lower_bound)
    return Maximization(value_now, max(best.upper_bound, bound), outcome.reason or best.reason, plan), settled
