"""Ways where what is gained can be lost: plans of all lengths in one session, with closed objectives assumed."""

from __future__ import annotations

import math
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace

from vclogic.clock import ANSWERING, TIME_UP, Deadline, TimeUp, grace_period, until
from vclogic.encode.unroll import Unrolling
from vclogic.query.objectives.request import ObjectivesQuestion
from vclogic.query.objectives.ways import ObjectiveWay, Sought, WaySearch
from vclogic.query.planner.cache import Built, Steps
from vclogic.query.replay import replay_plan
from vclogic.solve.backends.session import GIVEN_UP, Answer, Session
from vclogic.solve.problem import INEXACT, NOTHING, Problem, SearchResult
from vclogic.solve.searches.any_length import AnyLength
from vclogic.solve.searches.bmc import ENGINE, is_made
from vclogic.solve.searches.cost_bounds import halves, lexicographically_first, narrow, number
from vclogic.terms.build import add, count, le
from vclogic.terms.sorts import EnumSort, IntSort
from vclogic.terms.term import Op, Term


def session_search(built: Built, asked: ObjectivesQuestion) -> SessionSearch | None:
    """A search by a session of a solver; None where it does not know such steps, or without a limit of steps.

    Raises:
        TimeUp: The time is up while the steps are built.
    """
    if asked.resolved.within is None:
        return None
    found = SessionSearch(built, asked)
    problem = found.question
    return None if problem.transition.hints.lemmas or for_programs(problem) else found


def for_programs(problem: Problem) -> bool:
    """True if a step is a choice among numbers alone, which programs of whole numbers decide sooner."""
    unrolled = Unrolling(problem.transition, problem.start)
    while unrolled.depth <= (problem.within or 0):
        sorts = {type(c.sort) for c in unrolled.next_step().choices}
        if sorts:
            return IntSort in sorts and EnumSort not in sorts
        unrolled.extend()
    return False


@dataclass(frozen=True)
class _PlansUnder:
    """Plans under what one question asks, until a deadline."""

    plans: AnyLength
    closed: Sequence[Term]
    first: tuple[Term, Sequence[Term]] | None
    deadline: Deadline

    def check(self, *assumptions: Term, seconds: float = math.inf) -> Answer:
        """Ask for a plan of which something more holds."""
        return self.plans.check(self.closed, self.first, *assumptions, seconds=min(seconds, self.deadline.left))


def _canonical(under: _PlansUnder, cheap: Term) -> Answer | None:
    """The plan of the fewest choices and passes, as far as time allows, the first of its choices; None: none is."""
    chosen = (v for step in under.plans.unrolled.choices for v in step.values() if not v.is_const)
    named = [v for v in chosen if not isinstance(v.sort, IntSort)]
    made = add(count(map(is_made, named)), under.plans.passed)
    answer = under.check(cheap)
    if answer.verdict != "sat":
        return None
    fewest = narrow(lambda t, _: under.check(cheap, t), made, answer, number(made, answer), 0, by=halves, hard="stop")
    if not fewest.proved:
        return fewest.best
    few = le(made, fewest.paid)
    return lexicographically_first(
        named, fewest.best, lambda t, seconds: under.check(cheap, few, t, seconds=seconds), under.deadline.left
    )


class SessionSearch(WaySearch):
    """Answers from one session.

    Args:
        built: What was built.
        asked: The question.

    Attributes:
        question: The same as a problem, in which the objectives that can be taken are watched.

    Raises:
        TimeUp: The time is up while the steps are built.
    """

    def __init__(self, built: Built, asked: ObjectivesQuestion):
        self._built, self._asked = built, asked
        self._held = {o.name: o.held[asked.side] for o in asked.new}
        self._plans: AnyLength | None = None
        self._steps = built.steps(asked.side, asked.resolved.state)
        self.question = self._posed(self._steps)

    def _posed(self, steps: Steps) -> Problem:
        return self._asked.resolved.problem(step=steps.step, watched=tuple(self._held.values()))

    def answer(self, sought: Sought, deadline: Deadline) -> ObjectiveWay:
        """See `ways.WaySearch`."""

        def once(steps: Steps) -> ObjectiveWay:
            if steps is not self._steps:
                self.question, self._steps, self._plans = self._posed(steps), steps, None
            return self._decided(sought, deadline)

        resolved = self._asked.resolved
        with until(deadline):
            return self._built.cached_answer(resolved.side, resolved.state, deadline, once, self._steps)

    def _decided(self, sought: Sought, deadline: Deadline) -> ObjectiveWay:
        plans, first, most = self._plans or self._begun(), sought.first, sought.most
        main = sorted(self._asked.main - {first})
        order = None if first is None else (self._held[first], [self._held[name] for name in main])
        under = _PlansUnder(plans, self._closed(sought.closed), order, deadline)
        anything = not sought.closed and most is None and first is None
        while True:
            answer = under.check(*([] if most is None else [le(plans.cost, most)]))
            if answer.verdict == "unknown":
                reason = TIME_UP if answer.reason == GIVEN_UP else answer.reason
                return ObjectiveWay("unknown", replace(NOTHING, reason=reason))
            if answer.verdict == "unsat" and not plans.complete and anything:
                plans.no_shorter()
            if (answer.verdict == "sat" and not sought.cheapest) or not self._grown(plans):
                break
        if answer.verdict == "unsat":
            return self._none()
        low = max(sought.at_least, plans.cost.lo)
        if not sought.cheapest:
            return self._way(plans, answer, low, "")
        paid = number(plans.cost, answer)
        found = narrow(lambda t, seconds: under.check(t, seconds=seconds), plans.cost, answer, paid, low)
        return self._way(plans, found.best, found.low, found.reason)

    def _closed(self, names: frozenset[str]) -> list[Term]:
        """The closed objectives, and those that hold only where one of them does: solvers are slow to see that."""
        closed = [self._held[name] for name in sorted(names)]
        return [*closed, *(t for t in self._held.values() if any(_is_more(t, c) for c in closed))]

    def tidied(self, way: ObjectiveWay, deadline: Deadline) -> ObjectiveWay:
        """The canonical way that takes the same at the same cost, with the fewest choices, as far as time allows."""
        cost, main = way.search.cost, self._asked.main
        if cost is None:
            return way
        with suppress(TimeUp), until(deadline):
            plans = self._plans
            if plans is None:
                plans = self._begun()
                while self._grown(plans):
                    pass
            under = _PlansUnder(plans, self._closed(main - way.takes), None, deadline)
            best = _canonical(under, le(plans.cost, cost))
            found = way if best is None else self._way(plans, best, 0, "")
            if found.search.cost == cost and found.takes & main == way.takes & main:
                return replace(found, search=replace(way.search, steps=found.search.steps))
        return way

    # ---- the session

    def _begun(self) -> AnyLength:
        session = Session(Deadline(math.inf))
        weakref.finalize(self, session.close)
        with self._whole(session):
            self._plans = AnyLength(self.question, tuple(self._held.values()), session)
        return self._plans

    def _grown(self, plans: AnyLength) -> bool:
        if plans.complete:
            return False
        with self._whole(plans.session):
            return plans.grow()

    @contextmanager
    def _whole(self, session: Session) -> Iterator[None]:
        """Within the block, a session is told something; if that is cut short, it is forgotten."""
        try:
            yield
        except TimeUp:
            self._plans = None
            session.close()
            raise

    # ---- answers

    def _none(self) -> ObjectiveWay:
        found = self.question.lift_result(
            SearchResult(exhausted=True, bound_by=ENGINE, depth=self._asked.resolved.within)
        )
        return ObjectiveWay("none" if found.exhausted else "unknown", found)

    def _way(self, plans: AnyLength, answer: Answer, low: int, reason: str) -> ObjectiveWay:
        """The plan of an answer, with what is proved."""
        with grace_period(ANSWERING):
            found = plans.plan(answer)
            passes, plain = plans.passes(answer), self.question.plain
            if passes is not None:
                later = plain.regressions
                goals = {t: n for t, n in later.goals.items() if n == passes}
                plain = replace(plain, regressions=replace(later, goals=goals))
            ever = plans.ever(answer)
        takes = frozenset(name for name, held in self._held.items() if held in ever)
        assert found.cost is not None
        proved = replace(found, lower_bound=min(low, found.cost), bound_by=ENGINE, reason=reason)
        proved = self.question.lift_result(replace(proved, depth=self._asked.resolved.within))
        if not self.question.complete and not self._meets(plain, proved):
            return ObjectiveWay("unknown", replace(NOTHING, reason=INEXACT))
        return ObjectiveWay("found", proved, plain, takes)

    def _meets(self, problem: Problem, found: SearchResult) -> bool:
        """True if a plan holds all required events, and no avoided one."""
        resolved = self._asked.resolved
        with grace_period(ANSWERING):
            return self._asked.resolved.conditions.met(
                replay_plan(resolved.system, resolved.state, problem, found).events
            )


def _is_more(held: Term, other: Term) -> bool:
    """True if one objective implies another, such as a 3rd unit in a place the 2nd."""
    alike = held.op is Op.GE and other.op is Op.GE and held.args == other.args
    return alike and int(held.payload) > int(other.payload)
