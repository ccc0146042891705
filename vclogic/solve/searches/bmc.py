"""Bounded model checking: one step more at a time, in one incremental session, the goal as an assumption."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress

from vclogic.clock import ANSWERING, TIME_UP, Deadline, TimeUp, granted
from vclogic.encode.unroll import Unrolling
from vclogic.progress import Tell
from vclogic.solve import budgets
from vclogic.solve.backends.session import GIVEN_UP, Answer, Session
from vclogic.solve.problem import Problem, Search, Step
from vclogic.solve.searches.canonical_plan import foremost
from vclogic.solve.searches.cost_bounds import number
from vclogic.terms.atoms import FALSE, integer
from vclogic.terms.build import add, count, in_mask, le
from vclogic.terms.sorts import IntSort
from vclogic.terms.term import Term

ENGINE = "z3, bounded model checking"


def search(
    problem: Problem,
    session: Session,
    progress: Tell,
    *,
    known: Search | None = None,
    first: bool = False,
    pause: float = math.inf,
) -> Iterator[Search | None]:
    """The cheapest plan by looking at one step more at a time.

    A plan of `d` steps is looked for only after shorter ones are refuted, so a plan costs at least what `d` steps
    cost at least. Where steps can be free that bound stands still, and the search ends only when a plan as cheap as
    the known bound is found, at the problem's limit, or when the time is up.

    Args:
        problem: The problem.
        session: A fresh session.
        progress: Told about the depth.
        known: A plan, and a lower bound of the cost, that are already known.
        first: Stop at the first plan.
        pause: Seconds without a plan after which there is a pause, once.

    Yields:
        None at the pause, where what goes on may be given up for something else; at the end what was found.
    """
    low, due = (known and known.lower_bound) or 0, Deadline(pause)
    unrolled = Unrolling(problem.transition, problem.start)
    best, refuted, depth = known or Search(), low, 0
    try:
        for depth in depths(problem, unrolled, session):
            paid = add(integer(0), *unrolled.costs)
            refuted = max(low, paid.lo, depth * problem.transition.hints.cheapest)
            if best.cost is not None and _all_seen(problem, best.cost - 1, depth):
                refuted = best.cost
            if best.cost is not None and (refuted >= best.cost or first):
                yield _ended(best, min(refuted, best.cost), depth)
                return
            progress(f"looking at {depth} steps", best.cost, refuted)
            goal = unrolled.holds(problem.goal, depth)
            before, low_here, stride = best, refuted, 1
            while best.cost is None or low_here < best.cost:
                if best.cost is None and due.left <= 0:
                    due = Deadline(math.inf)
                    yield None
                # Small costs are refuted fast, and most optima are small; a first plan may be far from the best.
                limit = None if best.cost is None else min(low_here + stride - 1, best.cost - 1)
                patience = due.left if best.cost is None else math.inf
                answer = session.check(goal, *([] if limit is None else [le(paid, limit)]), seconds=patience)
                if answer.reason == GIVEN_UP:
                    continue
                if answer.verdict == "unknown":
                    yield _cut_short(best, refuted, answer.reason, depth)
                    return
                if answer.verdict == "sat":
                    best, stride = plan_of(unrolled, answer), 1
                    progress(f"looking for cheaper plans of {depth} steps", best.cost, refuted)
                    if first:
                        break
                elif limit is None:
                    break
                else:
                    low_here, stride = limit + 1, stride * 2
            if best is not before:
                best = _settled(problem, best, goal, paid, unrolled, session, first=first)
    except TimeUp:
        yield _cut_short(best, refuted, TIME_UP, depth)
        return
    yield _at_limit(problem, best, low)


def depths(problem: Problem, unrolled: Unrolling, session: Session) -> Iterator[int]:
    """Depths to look at, the session holding the steps to each; ends when no step more can count, matter or be."""
    depth = 0
    while True:
        counted = add(integer(0), *unrolled.counts)
        if problem.within is not None and counted.lo > problem.within:
            return
        if problem.within is not None and counted.hi > problem.within:
            session.add(le(counted, problem.within))
        yield depth
        if not problem.transition.next:
            return  # no step changes anything that matters
        laws = unrolled.extend()
        if FALSE in laws:
            return  # no step more is possible, such as after the last turn
        if not unrolled.choices[-1] and unrolled.states[-1] == unrolled.states[-2]:
            return  # there is nothing left to decide, and nothing changes by itself
        session.add(*laws)
        depth += 1


def _settled(
    problem: Problem, best: Search, goal: Term, paid: Term, unrolled: Unrolling, session: Session, *, first: bool
) -> Search:
    """A plan of the same length and cost: where asked for with the fewest choices, and of those the foremost.

    Where choices are numbers, the plan stays.
    """
    with suppress(TimeUp):
        return _shown(problem, best, goal, paid, unrolled, session, first=first)
    return best


def _shown(
    problem: Problem, best: Search, goal: Term, paid: Term, unrolled: Unrolling, session: Session, *, first: bool
) -> Search:
    assert best.cost is not None
    choices = [v for chosen in unrolled.choices for v in chosen.values() if not v.is_const]
    seconds = budgets.CHOOSING if all(v.is_bool for v in choices) else budgets.SHORTER
    as_good = [goal] if first and not problem.transition.hints.tidy else [goal, le(paid, best.cost)]
    if problem.transition.hints.tidy:
        made = count(_is_made(v) for v in choices if not isinstance(v.sort, IntSort))
        best, least = _tidied(best, as_good, made, paid, unrolled, session, seconds)
        as_good.append(le(made, least))
    if any(isinstance(v.sort, IntSort) for v in choices):
        return best
    values = {unrolled.choices[i][c]: n for i, step in enumerate(best.steps or ()) for c, n in step.items()}
    answer = foremost(choices, Answer("sat", values), lambda t, s: session.check(*as_good, t, seconds=s), seconds)
    return best if answer.values is values else plan_of(unrolled, answer)


def _tidied(
    best: Search,
    as_good: Sequence[Term],
    made: Term,
    paid: Term,
    unrolled: Unrolling,
    session: Session,
    seconds: float,
) -> tuple[Search, int]:
    """A plan that is as good with the fewest choices, as far as that is found fast, and how many are allowed it."""
    least, most = 0, made.hi
    while least < most:
        middle = (least + most) // 2
        answer = session.check(*as_good, le(made, middle), seconds=seconds)
        if answer.verdict == "sat":
            most = number(made, answer)
            best = plan_of(unrolled, answer)
        else:
            least = middle + 1
    return best, most


def _is_made(choice: Term) -> Term:
    """Whether something is chosen."""
    return choice if choice.is_bool else in_mask(choice, choice.mask & ~1)


def _all_seen(problem: Problem, cost: int, depth: int) -> bool:
    """Whether every plan of at most some cost would have been found in fewer steps than these."""
    suffices = problem.transition.hints.suffices
    return suffices is not None and depth > suffices(cost)


def _cut_short(best: Search, low: int, reason: str, depth: int) -> Search:
    if best.cost is not None and low >= best.cost:
        return _ended(best, best.cost, depth)
    return Search(best.steps, best.cost, low, reason=reason, depth=depth)


def _ended(best: Search, low: int, depth: int) -> Search:
    return Search(best.steps, best.cost, low, bound_by=ENGINE, depth=depth)


def _at_limit(problem: Problem, best: Search, low: int) -> Search:
    """Every length within the limit has been looked at, so what was found is the best of them."""
    if best.cost is None:
        return Search(exhausted=True, bound_by=ENGINE, depth=problem.within)
    return Search(best.steps, best.cost, best.cost, bound_by=ENGINE, depth=problem.within)


def plan_of(unrolled: Unrolling, answer: Answer, depth: int | None = None) -> Search:
    """The plan that an answer describes: all steps, or the first few."""
    with granted(ANSWERING):
        steps: list[Step] = [
            {choice: answer.values.get(v, v.lo) for choice, v in chosen.items() if answer.values.get(v, v.lo)}
            for chosen in unrolled.choices[:depth]
        ]
        return Search(steps, number(add(integer(0), *unrolled.costs[:depth]), answer))
