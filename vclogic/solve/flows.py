"""The cheapest plan within a number of steps as one mixed-integer program: for steps that move numbers of things.

A plan may stop early, so the goal may hold at any depth. Steps after the end must not be asked for anything, since
there may be none that are allowed. Where staying idle is seen to be allowed and free, whatever the state, a shorter
plan is a longer one with idle steps at its end: those depths are one program, in which the goal holds at one of them
(at the last alone, where idling does not touch it). Other depths are programs of their own.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from vclogic.clock import ANSWERING, TIME_UP, TimeUp, granted
from vclogic.encode.affine import Program, Unsupported
from vclogic.encode.milp import compile_program
from vclogic.encode.unroll import Unrolling, wanted_after
from vclogic.model.transition import Scoped, Transition, Wanted, plain
from vclogic.progress import silent, untold
from vclogic.solve import budgets, exact
from vclogic.solve.fewest import number
from vclogic.solve.highs import Outcome, minimize
from vclogic.solve.problem import Problem, Search, Step
from vclogic.solve.session import Answer, Effort
from vclogic.terms.atoms import FALSE, TRUE, integer
from vclogic.terms.build import add, any_of, le
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import EnumSort, IntSort
from vclogic.terms.term import Term

ENGINE = "HiGHS"
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
    """

    unrolled: Unrolling
    depth: int
    terms: Sequence[Term]
    goals: Mapping[int, Term]
    cost: Term

    @property
    def claimed(self) -> list[Term]:
        """All that must hold of such a plan."""
        return [*self.terms, any_of(self.goals.values())]

    @cached_property
    def program(self) -> Program:
        """The same as a mixed-integer program."""
        return compile_program(self.claimed, self.cost)

    def cheaper(self, cost: int | None) -> list[Term]:
        """What must also hold of a plan that costs less; nothing where no cost is given."""
        return [] if cost is None else [le(self.cost, cost - 1)]


def search(problem: Problem, effort: Effort, *, certify: bool = False) -> Search:
    """The cheapest plan within the problem's limit.

    Args:
        problem: The problem; it has a limit.
        effort: What may be spent.
        certify: Whether z3 is to confirm what HiGHS says about cheaper plans.

    Raises:
        Unsupported: The problem is none for this method.
    """
    found = groups(problem)
    result = Search(reason="not asked yet")
    if problem.transition.hints.sketch is not None:  # an easy question needs none
        soon = min(effort.deadline.left * budgets.EASY_PROGRAM_SHARE, budgets.EASY_PROGRAM)
        result = _asked(found, result, problem, effort, most=soon)
    if result.reason:
        known = result.lower_bound or 0
        result = _asked(found, _cheaper(result, _sketched(problem, effort)), problem, effort)
        if result.reason:
            return replace(result, lower_bound=max(known, result.lower_bound or 0))
    if certify:
        return _certified(found, result, effort)
    if effort.transcript:
        for group in found:
            effort.transcript.begin()
            effort.transcript.add(group.claimed)
            effort.transcript.check(group.cheaper(result.cost), "unsat")
    return result


def _cheaper(a: Search, b: Search) -> Search:
    """The cheaper one of two plans, the first if both cost the same."""
    return b if b.cost is not None and (a.cost is None or b.cost < a.cost) else a


def _asked(found: Sequence[Group], best: Search, problem: Problem, effort: Effort, most: float = math.inf) -> Search:
    """What HiGHS says of each group, the longest plans first.

    Args:
        found: The groups.
        best: The cheapest plan that is known.
        problem: The problem.
        effort: What may be spent.
        most: Seconds that HiGHS gets for each group at the most.
    """
    low: int | None = None
    guesses = [_guess(group, best) for group in found]
    reasons = []
    for group, guess in zip(reversed(found), reversed(guesses), strict=True):
        effort.progress(f"asking HiGHS about {group.depth} steps", best.cost)
        cheaper = [] if guess else group.cheaper(best.cost)
        claimed = [*group.claimed, *cheaper]
        try:
            program = compile_program(claimed, group.cost) if cheaper else group.program
            tell = effort.progress if len(found) == 1 else untold  # a bound of one group is none of all
            outcome = minimize(program, claimed, effort.deadline.part(most=most), tell, guess)
        except TimeUp:
            outcome = Outcome("unknown", reason=TIME_UP)
        if outcome.cost is not None and (best.cost is None or outcome.cost < best.cost):
            best = _plan(group, Answer("sat", outcome.values))
        if outcome.status == "infeasible":
            continue
        bound = group.cost.lo if outcome.lower_bound is None else max(outcome.lower_bound, group.cost.lo)
        low = bound if low is None else min(low, bound)
        if outcome.status == "unknown":
            reasons.append(outcome.reason)
    return _result(best, low, "; ".join(dict.fromkeys(reasons)), problem.within)


def _sketched(problem: Problem, effort: Effort) -> Search:
    """A plan of the simpler steps, where there are such; it is one of these steps too."""
    sketch = problem.transition.hints.sketch
    if sketch is None:
        return Search()
    effort.progress("asking HiGHS for a plan of simpler steps")
    deadline = effort.deadline.part(budgets.SKETCH_SHARE, budgets.SKETCH)
    alone = replace(effort, deadline=deadline, transcript=None, listener=silent)
    simpler = replace(problem, transition=sketch)
    found = _asked(groups(simpler), _sketched(simpler, alone), simpler, alone)
    if found.cost is not None:
        effort.progress("asking HiGHS for a plan of all steps", found.cost)
    return Search(found.steps, found.cost)


def _guess(group: Group, plan: Search) -> dict[Term, int]:
    """The choices of a plan as those of a group, all others nothing; none where the plan is too long for it."""
    if plan.steps is None or len(plan.steps) > group.depth:
        return {}
    steps = [{c.name: n for c, n in step.items()} for step in plan.steps]
    steps += [{} for _ in range(group.depth - len(steps))]
    return {
        v: min(max(step.get(choice.name, 0), v.lo), v.hi)
        for step, chosen in zip(steps, group.unrolled.choices, strict=False)
        for choice, v in chosen.items()
        if not v.is_const
    }


def _result(best: Search, low: int | None, reason: str, depth: int | None) -> Search:
    if best.cost is None:
        proved = not reason
        low = None if proved else low
        return Search(None, None, low, proved, bound_by=ENGINE, reason=reason, depth=depth, exact=False)
    bound = best.cost if not reason or low is None else min(low, best.cost)
    return replace(best, lower_bound=bound, bound_by=ENGINE, reason=reason, depth=depth, exact=False)


def _certified(found: Sequence[Group], result: Search, effort: Effort) -> Search:
    """What HiGHS found, with z3's word for it where z3 gives it."""
    for group in found:
        effort.progress(f"asking z3 for a cheaper plan of {group.depth} steps")
        answer = _exactly(group, result.cost, effort)
        if answer.verdict == "unknown":
            return replace(result, reason=answer.reason)
        if answer.verdict == "sat":  # HiGHS was wrong: what z3 found is a plan, and nothing is known of better ones
            return replace(
                _plan(group, answer), lower_bound=group.cost.lo, reason="z3 found a plan that HiGHS denied"
            )
    return replace(result, bound_by=CHECKED, exact=True)


def _exactly(group: Group, cost: int | None, effort: Effort) -> Answer:
    """Whether there is a cheaper plan, as z3 has it by exact arithmetic on the rows of the program."""
    found = exact.solution(group.program, None if cost is None else cost - 1, group.claimed, effort.deadline)
    if effort.transcript:
        effort.transcript.begin()
        effort.transcript.add(group.claimed)
        effort.transcript.check(group.cheaper(cost), found.verdict)
    return found


def _plan(group: Group, answer: Answer) -> Search:
    """The plan of a solution, cut where the goal first holds, with what it costs exactly."""
    with granted(ANSWERING):
        return _read(group, answer)


def _read(group: Group, answer: Answer) -> Search:
    depth = next(d for d in sorted(group.goals) if number(group.goals[d], answer))
    steps: list[Step] = [
        {choice: answer.values.get(v, v.lo) for choice, v in chosen.items() if answer.values.get(v, v.lo)}
        for chosen in group.unrolled.choices[:depth]
    ]
    return Search(steps, number(add(integer(0), *group.unrolled.costs[:depth]), answer))


# ---- the terms


def groups(problem: Problem) -> list[Group]:
    """The plans within the limit, in as few groups as is seen to be right.

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
        following = _idle(step, state, unrolled.meaning, terms)
        free = following is not None and add(integer(0), *counts[: depth + 1]).hi <= within
        if not free:
            found.append(_group(unrolled, terms, goals, within))
            goals = {}
        elif Substitution(following or {})(problem.goal) is goals[depth]:
            del goals[depth]  # it still holds after an idle step
        terms |= dict.fromkeys(unrolled.extend(later))
        goals[depth + 1] = unrolled.holds(problem.goal, depth + 1)
    if unrolled.counts != counts:
        raise Unsupported("which steps count depends on what is chosen")
    found.append(_group(unrolled, terms, goals, within))
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


def _group(unrolled: Unrolling, terms: Iterable[Term], goals: Mapping[int, Term], within: int) -> Group:
    counted = add(integer(0), *unrolled.counts)
    return Group(
        unrolled,
        unrolled.depth,
        (*terms, le(counted, within)),
        {d: goal for d, goal in goals.items() if goal is not FALSE},
        add(integer(0), *unrolled.costs),
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
