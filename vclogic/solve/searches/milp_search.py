"""The cheapest plan within a number of steps as one mixed-integer program: for steps that move numbers of things.

A plan may stop early, so the goal may hold at any depth. Steps after the end must not be asked for anything, since
there may be none that are allowed. Where staying idle is seen to be allowed and free, whatever the state, a shorter
plan is a longer one with idle steps at its end: those depths are one program, in which the goal holds at one of them
(at the last alone, where idling does not touch it). Other depths are programs of their own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property

from vclogic.clock import ANSWERING, TIME_UP, TimeUp, granted
from vclogic.encode.affine import Program, Unsupported
from vclogic.encode.cuts import cuts
from vclogic.encode.milp import compile_program
from vclogic.encode.unroll import Unrolling, wanted_after
from vclogic.lasting import lasting
from vclogic.model.transition import Cut, Scoped, Transition, Wanted, plain
from vclogic.progress import untold
from vclogic.solve import budgets
from vclogic.solve.backends import z3_milp
from vclogic.solve.backends.highs import Asked, Engines, Outcome, minimize
from vclogic.solve.backends.session import Answer, Effort
from vclogic.solve.problem import Problem, Search, Step
from vclogic.solve.searches.cost_bounds import number
from vclogic.terms.atoms import FALSE, TRUE, integer
from vclogic.terms.build import add, any_of, le
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import EnumSort, IntSort
from vclogic.terms.term import Op, Term, postorder, variables

ENGINE = "HiGHS"
VERIFIED = "HiGHS, checked in whole numbers"
CHECKED = "HiGHS, confirmed by z3"
_STANDSTILL = 60  # steps in a row that do not count, after which the horizon is taken to be out of sight


@dataclass(frozen=True)
class Group:
    """Plans of some lengths, said by one set of terms.

    Attributes:
        unrolled: The steps, perhaps with more after these.
        depth: The most steps.
        terms: What must hold of the steps.
        goals: For each depth at which the goal has to be looked for, the goal there.
        cost: What the plan costs.
        cuts: What holds of such plans without being asked for.
    """

    unrolled: Unrolling
    depth: int
    terms: Sequence[Term]
    goals: Mapping[int, Term]
    cost: Term
    cuts: Sequence[Cut] = ()

    @property
    def claimed(self) -> list[Term]:
        """All that must hold of such a plan."""
        return [*self.terms, any_of(self.goals.values())]

    @cached_property
    def program(self) -> Program:
        """The same as a mixed-integer program."""
        return compile_program(self.claimed, self.cost, self.cuts)

    @property
    def unargued(self) -> Program:
        """The same without what rests on an argument."""
        return compile_program(self.claimed, self.cost, [cut for cut in self.cuts if not cut.argued])

    @property
    def first(self) -> list[dict[Term, int]]:
        """The variables in which to branch first: those of the goal by their weight in it, then other conditions."""
        weights: dict[Term, int] = {}
        for goal in self.goals.values():
            for t in postorder([goal]):
                if t.op is Op.LIN:
                    for k, part in zip(t.payload[0], t.args, strict=True):
                        weights |= {v: max(abs(k), weights.get(v, 0)) for v in variables(part)}
        asked = dict.fromkeys(variables(*self.goals.values()), 1)
        flags = {v: 1 for chosen in self.unrolled.choices for v in chosen.values() if v.is_bool and not v.is_const}
        return [{**asked, **weights}, flags]

    def cheaper(self, cost: int | None) -> list[Term]:
        """What must also hold of a plan that costs less; nothing where no cost is given."""
        return [] if cost is None else [le(self.cost, cost - 1)]


def search(problem: Problem, effort: Effort, *, certify: bool = False) -> Search:
    """The cheapest plan within the problem's limit.

    Args:
        problem: The problem; it has a limit.
        effort: What may be spent.
        certify: Whether what is said about cheaper plans is to be proved exactly where it is not yet: in whole
            numbers without argued cuts, else by z3.

    Raises:
        Unsupported: The problem is none for this method.
    """
    with closing(Engines()) as engines:
        found = groups(problem, engines.start)
        before = effort.deadline.left
        result = _asked(found, effort, problem.within, engines)
        easy = before - effort.deadline.left < budgets.UNARGUED_SOON
        if easy and result.argued and not result.reason:  # it may need no arguments
            soon = effort.part(most=budgets.UNARGUED_SOON)
            if all(_closed(group, result.cost, soon, engines) for group in found):
                result = replace(result, exact=True, argued=())
        if certify and not result.reason and not result.exact:
            return _certified(found, result, effort, engines)
    if effort.transcript:
        for group in found:
            effort.transcript.begin()
            effort.transcript.add(group.claimed)
            effort.transcript.check(group.cheaper(result.cost), "unsat")
    return result


def _asked(found: Sequence[Group], effort: Effort, within: int | None, engines: Engines) -> Search:
    """What HiGHS says of each group, the longest plans first.

    Args:
        found: The groups.
        effort: What may be spent.
        within: The most steps that count.
        engines: The processes that HiGHS runs in.
    """
    best, low = Search(), math.inf
    reasons: list[str] = []
    verified, argued = True, set[str]()
    for group in reversed(found):
        effort.progress(f"asking HiGHS about {group.depth} steps", best.cost)
        outcome = _outcome(group, best.cost, effort, engines, only=len(found) == 1)
        if outcome.cost is not None and (best.cost is None or outcome.cost < best.cost):
            best = plan_of(group, Answer("sat", outcome.values))
        if outcome.status == "unknown":
            reasons.append(outcome.reason)
        if outcome.status != "infeasible":
            low = min(low, max(outcome.lower_bound or 0, group.cost.lo))
        verified &= outcome.verified
        argued |= {*outcome.argued}
    reason = "; ".join(dict.fromkeys(reasons))
    verified &= not reason
    settled = replace(
        best,
        bound_by=VERIFIED if verified else ENGINE,
        reason=reason,
        depth=within,
        exact=verified and not argued,
        argued=tuple(sorted(argued)),
    )
    known = None if math.isinf(low) else int(low)
    if best.cost is None:
        return replace(settled, lower_bound=known if reason else None, exhausted=not reason)
    return replace(settled, lower_bound=best.cost if not reason or known is None else min(known, best.cost))


def _outcome(group: Group, known: int | None, effort: Effort, engines: Engines, *, only: bool) -> Outcome:
    """What HiGHS says of plans of one group that are cheaper than one that is known."""

    def tell(phase: str, cost: int | None = None, bound: int | None = None) -> None:
        effort.progress(phase, cost, bound if only else None)  # a bound of one group is none of all

    try:
        asked = Asked(group.program, group.claimed, group.first, None if known is None else known - 1)
        return minimize(asked, effort.deadline, tell, engines)
    except TimeUp:
        return Outcome("unknown", reason=TIME_UP)


def _certified(found: Sequence[Group], result: Search, effort: Effort, engines: Engines) -> Search:
    """What HiGHS found, proved without arguments and in exact arithmetic where that can be done."""
    by_z3 = False
    for group in found:
        if result.argued and _closed(group, result.cost, effort.part(budgets.UNARGUED), engines):
            continue
        by_z3 = True
        effort.progress(f"asking z3 for a cheaper plan of {group.depth} steps")
        answer = _exactly(group, result.cost, effort)
        if answer.verdict == "unknown":
            return replace(result, reason=answer.reason)
        if answer.verdict == "sat":  # HiGHS was wrong: what z3 found is a plan, and nothing is known of better ones
            return replace(
                plan_of(group, answer), lower_bound=group.cost.lo, reason="z3 found a plan that HiGHS denied"
            )
    return replace(result, bound_by=CHECKED if by_z3 else VERIFIED, exact=True, argued=())


def _closed(group: Group, cost: int | None, effort: Effort, engines: Engines) -> bool:
    """Whether branch and bound without argued cuts proves, in whole numbers, that there is no cheaper plan."""
    effort.progress("looking for a proof without arguments", cost)
    asked = Asked(group.unargued, group.claimed, group.first, None if cost is None else cost - 1)
    outcome = minimize(asked, effort.deadline, untold, engines)
    return outcome.status == "infeasible" and outcome.verified


def _exactly(group: Group, cost: int | None, effort: Effort) -> Answer:
    """Whether there is a cheaper plan, as z3 has it by exact arithmetic on the rows of the program."""
    found = z3_milp.solution(group.unargued, None if cost is None else cost - 1, group.claimed, effort.deadline)
    if effort.transcript:
        effort.transcript.begin()
        effort.transcript.add(group.claimed)
        effort.transcript.check(group.cheaper(cost), found.verdict)
    return found


@granted(ANSWERING)
def plan_of(group: Group, answer: Answer) -> Search:
    """The plan of a solution, cut where the goal first holds, with what it costs exactly."""
    depth = next(d for d in sorted(group.goals) if number(group.goals[d], answer))
    steps: list[Step] = [
        {choice: answer.values.get(v, v.lo) for choice, v in chosen.items() if answer.values.get(v, v.lo)}
        for chosen in group.unrolled.choices[:depth]
    ]
    return Search(steps, number(add(integer(0), *group.unrolled.costs[:depth]), answer))


# ---- the terms


@lasting()
def groups(problem: Problem, ready: Callable[[], None] = lambda: None) -> list[Group]:
    """The plans within the limit, in as few groups as is seen to be right.

    Args:
        problem: The problem.
        ready: Called as soon as there is a step that moves numbers of things, while the others are still to be made.

    Raises:
        Unsupported: There are no numbers to decide, or no end is in sight.
    """
    transition, within = problem.transition, problem.within
    if within is None:
        raise Unsupported("no limit of steps")
    counts = _counts(problem, within)
    wanted: Sequence[Wanted | None] = [None] * len(counts)
    if isinstance(transition, Scoped):
        wanted = wanted_after(transition, problem.start, [problem.goal], len(counts))
    unrolled = Unrolling(transition, problem.start)
    found: list[Group] = []
    goals = {0: unrolled.holds(problem.goal, 0)}
    terms: dict[Term, None] = {}
    for depth, later in enumerate(wanted):
        state, step = unrolled.states[depth], unrolled.next_step(later)
        if any(isinstance(c.sort, EnumSort) for c in step.choices):
            raise Unsupported("places to choose, not numbers")
        if any(isinstance(c.sort, IntSort) for c in step.choices):
            ready()
        following = _idle(step, state, unrolled.meaning, terms)
        free = following is not None and add(integer(0), *counts[: depth + 1]).hi <= within
        if not free:
            found.append(_group(problem, unrolled, terms, goals))
            goals = {}
        elif Substitution(following or {})(problem.goal) is goals[depth]:
            del goals[depth]  # it still holds after an idle step
        terms |= dict.fromkeys(unrolled.extend(later))
        goals[depth + 1] = unrolled.holds(problem.goal, depth + 1)
    if unrolled.counts != counts:
        raise Unsupported("which steps count depends on what is chosen")
    found.append(_group(problem, unrolled, terms, goals))
    if not any(isinstance(c.sort, IntSort) for chosen in unrolled.choices for c in chosen):
        raise Unsupported("no numbers to decide")
    return found


def _counts(problem: Problem, within: int) -> list[Term]:
    """For each step that a plan may have whether it counts, as far as that is known beforehand."""
    unrolled = Unrolling(plain(problem.transition), problem.start)
    reached: list[int] = [0]
    while problem.transition.next:
        unrolled.extend()
        reached.append(add(integer(0), *unrolled.counts).lo)
        if reached[-1] > within:
            break
        if len(reached) > _STANDSTILL and reached[-1] == reached[-_STANDSTILL]:
            raise Unsupported("steps that need not count")
    return unrolled.counts[:-1]


def _group(problem: Problem, unrolled: Unrolling, terms: Iterable[Term], goals: Mapping[int, Term]) -> Group:
    counted = add(integer(0), *unrolled.counts)
    return Group(
        unrolled,
        unrolled.depth,
        (*terms, le(counted, problem.within or 0)),
        {d: goal for d, goal in goals.items() if goal is not FALSE},
        add(integer(0), *unrolled.costs),
        cuts(unrolled, problem.transition.hints),
    )


def _idle(
    step: Transition, state: Mapping[Term, Term], meaning: Mapping[Term, Term], asserted: Container[Term]
) -> dict[Term, Term] | None:
    """The state after a step in which nothing is done, if that is always allowed and free; else None.

    A law may be one that an earlier step was under, of things that have not changed since.

    Args:
        step: The step.
        state: The state before it.
        meaning: What the variables of the state stand for.
        asserted: What holds of the steps before.
    """
    if not all(c.lo <= 0 <= c.hi for c in step.choices):
        return None
    here = Substitution({**state, **{c: FALSE if c.is_bool else integer(0) for c in step.choices}})
    spelt_out = Substitution(meaning)
    asked = (law for law in map(here, step.legality) if law is not TRUE)
    if here(step.cost).hi > 0 or any(spelt_out(law) not in asserted for law in asked):
        return None
    return {f: here(step.next[f]) if f in step.next else t for f, t in state.items()}
