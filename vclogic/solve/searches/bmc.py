"""Bounded model checking: unroll one step at a time in an incremental session, with the goal as an assumption."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from vclogic.clock import ANSWERING, TIME_UP, Deadline, TimeUp, grace_period
from vclogic.encode.unroll import Unrolling
from vclogic.progress import Tell
from vclogic.solve import budgets
from vclogic.solve.backends.claims import Claim, Claims
from vclogic.solve.backends.session import GIVEN_UP, Answer, Session
from vclogic.solve.problem import Problem, SearchResult, Step
from vclogic.solve.searches.cost_bounds import halves, lexicographically_first, narrow, number
from vclogic.solve.searches.rest import FEWEST, Rest
from vclogic.terms.atoms import FALSE, integer
from vclogic.terms.build import add, count, in_mask, le, scale
from vclogic.terms.sorts import IntSort
from vclogic.terms.term import Op, Term

ENGINE = "z3, bounded model checking"
Resting = Callable[[Iterable[Mapping[Term, Term]]], Rest | None]


def search(
    problem: Problem,
    session: Session,
    progress: Tell,
    *,
    known: SearchResult | None = None,
    first: bool = False,
    pause: float = math.inf,
    better: Callable[[SearchResult], None] = lambda found: None,
    resting: Resting = lambda states: None,
) -> Iterator[SearchResult | None]:
    """Search for the cheapest plan by ever longer unrollings.

    Plans of `d` steps are searched only after all shorter ones are refuted, so the least cost of `d` steps is a lower
    bound. If steps can be free, that bound does not rise, and the search ends only when a plan as cheap as the known
    bound is found, at the problem's horizon, or at the deadline.

    Args:
        session: A fresh session.
        progress: Called with the depth.
        known: A plan and a lower bound that are already known.
        first: Stop at the first plan.
        pause: Seconds without a plan after which the search pauses, once.
        better: Called with each better plan.
        resting: How long nothing has to be done until nothing changes any more, given states between its steps.

    Yields:
        None at the pause, after which the caller may abandon the search; finally the result.
    """
    search = _Deepening(problem, session, progress, known or SearchResult(), first=first, pause=pause)
    search.better, search.resting = better, resting
    yield from search.run()


class _Looked(NamedTuple):
    """A length that was looked at: how many constraints were asserted before, and what its steps cost."""

    steps: int
    paid: Term


class _Deepening:
    """One search: the steps so far, the best plan, and the bound that the refuted lengths prove."""

    def __init__(
        self, problem: Problem, session: Session, progress: Tell, best: SearchResult, *, first: bool, pause: float
    ):
        self.problem, self.session, self.progress, self.best = problem, session, progress, best
        self.first, self.due = first, Deadline(pause)
        self.unrolled = Unrolling(problem.transition, problem.start)
        self.low = self.refuted = best.lower_bound or 0
        self.depth = 0
        self.paid, self.goal = integer(0), FALSE
        self.better: Callable[[SearchResult], None] = lambda found: None
        self.resting: Resting = lambda states: None
        self._rest: Rest | None = None
        self._rest_asked = False
        self._steps: list[Term] = []  # what was asserted so far
        self._looked: list[_Looked] = []

    def _add(self, *laws: Term) -> None:
        self._steps += laws
        self.session.add(*laws)

    def _claims(self) -> Claims:
        """The claims that no plan of the lengths looked at is cheaper than the best, or that there is none."""
        cost = self.best.cost
        said = "" if cost is None else f" at less than {cost}"
        found = []
        for depth, look in enumerate(self._looked):
            goal, reached = goal_parts(self.problem.goal, partial(self.unrolled.holds, step=depth))
            cheaper = () if cost is None else ((scale(look.paid, -1), 1 - cost),)
            terms = (*self._steps[: look.steps], *goal)
            if reached or FALSE in goal:  # whatever the steps are
                terms, cheaper = tuple(t for t in goal if t is FALSE), ()
            elif cost is not None and look.paid.lo >= cost:
                terms = ()
            found.append(Claim(f"never: the goal holds after {depth} steps{said}", terms, (*reached, *cheaper)))
        return (*found, *(self._rest.claims if self._rest is not None else ()))

    def run(self) -> Iterator[SearchResult | None]:
        """All lengths in turn; yields as `search` does."""
        try:
            for depth in depths(self.problem, self.unrolled, self._add):
                self.depth = depth
                self.paid = add(integer(0), *self.unrolled.costs)
                self.refuted = self._refuted_bound()
                best = self.best
                if best.cost is not None and (self.refuted >= best.cost + self._once_more() or self.first):
                    yield self._ended(min(self.refuted, best.cost))
                    return
                self.progress(f"looking at {self.depth} steps", best.cost, self.refuted)
                self.goal = self.unrolled.holds(self.problem.goal, self.depth)
                self._looked.append(_Looked(len(self._steps), self.paid))
                reason = yield from self._cheaper()
                if reason is not None:
                    yield self._cut_short(reason)
                    return
                if self.best is not best:
                    with suppress(TimeUp):
                        self.best = self._canonical_plan()
        except TimeUp:
            yield self._cut_short(TIME_UP)
            return
        yield self._at_limit()

    def _refuted_bound(self) -> int:
        """The bound: all shorter plans are refuted, and so are all as cheap as those that need fewer steps."""
        best, hints = self.best, self.problem.transition.hints
        if best.cost is not None and self.low < best.cost:
            enough = hints.step_bound(best.cost - 1) if hints.step_bound is not None else self._enough(best.cost - 1)
            if enough is not None and self.depth > enough:
                return best.cost
        return max(self.low, self.paid.lo, self.depth * hints.cheapest)

    def _enough(self, cost: int) -> int | None:
        """A number of steps in which every plan of at most this cost can be made; None: none is known so far."""
        between = self.unrolled.states[1:]
        if self.depth <= FEWEST.most(cost):
            return None
        if self._rest is None and not self._rest_asked:
            self._rest, self._rest_asked = self.resting(between), True
        return None if self._rest is None or not self._rest.covers(between) else self._rest.most(cost)

    def _once_more(self) -> int:
        """1 where plans as cheap as the known one are looked for too, since engines raced for that one; else 0."""
        return int(self.best.raced and self.depth <= len(self.best.steps or ()))

    def _cheaper(self) -> Generator[None, None, str | None]:
        """Look for plans of this length, each cheaper than the last; returns why that was cut short, if it was."""
        while self.best.cost is None:
            if self.due.left <= 0:
                self.due = Deadline(math.inf)
                yield None
            answer = self.session.check(self.goal, seconds=self.due.left)
            if answer.verdict == "unsat":
                return None
            if answer.verdict == "sat":
                self._take(answer)
                if self.first:
                    return None
            elif answer.reason != GIVEN_UP:
                return answer.reason
        known = self.best.cost + self._once_more()
        check = partial(self.session.check, self.goal)
        found = narrow(lambda t, s: check(t, seconds=s), self.paid, None, known, self.refuted, found=self._take)
        return None if found.proved else found.reason

    def _take(self, answer: Answer) -> None:
        """Keep a better plan, and tell of it."""
        self.best = plan_of(self.unrolled, answer)
        self.better(replace(self.best, lower_bound=min(self.refuted, self.best.cost or 0)))
        self.progress(f"looking for cheaper plans of {self.depth} steps", self.best.cost, self.refuted)

    def _canonical_plan(self) -> SearchResult:
        """The canonical plan of this length and cost, with the fewest choices if the problem asks for it.

        If choices are numbers, the plan is left as it is.
        """
        best, unrolled, tidy = self.best, self.unrolled, self.problem.transition.hints.fewest_choices
        assert best.cost is not None
        choices = [v for chosen in unrolled.choices for v in chosen.values() if not v.is_const]
        seconds = budgets.CHOOSING if all(v.is_bool for v in choices) else budgets.SHORTER
        as_good = [self.goal] if self.first and not tidy else [self.goal, le(self.paid, best.cost)]
        if tidy:
            made = count(is_made(v) for v in choices if not isinstance(v.sort, IntSort))
            # As few as are found fast: what takes too long is left.
            check = partial(self.session.check, *as_good, seconds=seconds)
            fewer = narrow(lambda t, _: check(t), made, None, made.hi, 0, by=halves, hard="skip")
            best = best if fewer.best is None else plan_of(unrolled, fewer.best)
            as_good.append(le(made, fewer.paid))
        if any(isinstance(v.sort, IntSort) for v in choices):
            return best
        values = {unrolled.choices[i][c]: n for i, step in enumerate(best.steps or ()) for c, n in step.items()}
        start = Answer("sat", values)
        answer = lexicographically_first(
            choices, start, lambda t, s: self.session.check(*as_good, t, seconds=s), max(seconds, budgets.AMONG_NAMES)
        )
        return best if answer.values is values else plan_of(unrolled, answer)

    def _cut_short(self, reason: str) -> SearchResult:
        best = self.best
        if best.cost is not None and self.refuted >= best.cost:
            return self._ended(best.cost)
        return SearchResult(best.steps, best.cost, self.refuted, reason=reason, depth=self.depth)

    def _ended(self, low: int) -> SearchResult:
        return SearchResult(
            self.best.steps, self.best.cost, low, bound_by=ENGINE, depth=self.depth, claims=self._claims()
        )

    def _at_limit(self) -> SearchResult:
        """The result once every length within the horizon has been searched: the best plan found is optimal."""
        best, depth = self.best, self.problem.within
        if best.cost is None:
            return SearchResult(exhausted=True, bound_by=ENGINE, depth=depth, claims=self._claims())
        return SearchResult(best.steps, best.cost, best.cost, bound_by=ENGINE, depth=depth, claims=self._claims())


def depths(problem: Problem, unrolled: Unrolling, add_laws: Callable[..., None]) -> Iterator[int]:
    """The depths to search; ends once no further step is useful.

    Args:
        unrolled: No steps yet; they are added to it.
        add_laws: Called with what holds in all plans that take the last step of the unrolling.
    """
    depth = 0
    while True:
        counted = add(integer(0), *unrolled.counts)
        if problem.within is not None and counted.lo > problem.within:
            return
        if problem.within is not None and counted.hi > problem.within:
            add_laws(le(counted, problem.within))
        yield depth
        if not problem.transition.next:
            return  # no step changes anything that matters
        laws = unrolled.extend()
        if FALSE in laws:
            return  # no step more is possible, such as after the last turn
        if not unrolled.choices[-1] and unrolled.states[-1] == unrolled.states[-2]:
            return  # there is nothing left to decide, and nothing changes by itself
        add_laws(*laws)
        depth += 1


def is_made(choice: Term) -> Term:
    """A Bool term: something is chosen."""
    return choice if choice.is_bool else in_mask(choice, choice.mask & ~1)


def plan_of(unrolled: Unrolling, answer: Answer, depth: int | None = None) -> SearchResult:
    """The plan of a model: all steps, or the first `depth`."""
    with grace_period(ANSWERING):
        steps: list[Step] = [
            {choice: answer.values.get(v, v.lo) for choice, v in chosen.items() if answer.values.get(v, v.lo)}
            for chosen in unrolled.choices[:depth]
        ]
        return SearchResult(steps, number(add(integer(0), *unrolled.costs[:depth]), answer))


def goal_parts(goal: Term, here: Callable[[Term], Term]) -> tuple[list[Term], list[tuple[Term, int]]]:
    """A goal in some state in parts, of which comparisons that are false there stand as they are, for a claim.

    Args:
        goal: Bool, over fluents.
        here: A term's value in the state.

    Returns:
        The other parts, and numbers with what they have to reach.
    """
    terms, reached = list[Term](), list[tuple[Term, int]]()
    for part in goal.args if goal.op is Op.AND else (goal,):
        now, negated = here(part), part.op is Op.NOT
        compared = part.args[0] if negated else part
        if now is FALSE and compared.op is Op.GE:
            value, least = here(compared.args[0]), int(compared.payload)
            reached.append((scale(value, -1), 1 - least) if negated else (value, least))
        else:
            terms.append(now)
    return terms, reached
