"""Ways to a goal that leave some objectives alone: the one question that everything about objectives is made of.

If there is a way that never has any of some objectives, there is one for every part of them. So the sets of
objectives that plans take (winning sets), and those whose loss leaves no plan (denial sets), follow from the answers.
For the same reason one answer decides many questions: a way that has none of some objectives is one for every
question that closes no others, and a proof holds for every question that closes more. All answers are kept in one
place, whatever search they are from, and a question that they decide is not asked again.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from typing import Literal

from vclogic.clock import ANSWERING, TIME_UP, Deadline, TimeUp, grace_period
from vclogic.encode.python.evaluator import interpret
from vclogic.query.answers import Horizon, Recorded
from vclogic.query.objectives.answer import Cost, Verdict
from vclogic.query.objectives.request import ObjectivesQuestion
from vclogic.query.plan.answer import OnePlan
from vclogic.query.plan.battles import battles_of
from vclogic.query.plan.planning import Planning
from vclogic.query.replay import Played, ReplayError, replay_plan
from vclogic.solve.problem import NOTHING, Problem, SearchResult
from vclogic.solve.strategy import BUILDING
from vclogic.terms.term import Op, Term


@dataclass(frozen=True)
class ObjectiveWay:
    """The answer.

    Attributes:
        status: `found`, `none` (proved) or `unknown`.
        search: The plan, its cost and bound, or the proof that there is none.
        problem: The problem in which the plan is replayed; None without a plan.
        takes: The names of the objectives that the plan takes.
        first: The objective that was asked to come first, and does; None: no order was asked for.
    """

    status: Literal["found", "none", "unknown"]
    search: SearchResult
    problem: Problem | None = None
    takes: frozenset[str] = frozenset()
    first: str | None = None

    @property
    def cost(self) -> int:
        """The plan's cost."""
        return self.search.cost or 0

    @property
    def cheapest(self) -> bool:
        """True if no way like it costs less."""
        return self.status == "found" and self.search.cost == self.search.lower_bound

    def with_proof(self, by: SearchResult, least: int | None, reason: str) -> ObjectiveWay:
        """The same plan, with what is proved of the cheapest way.

        Args:
            by: The search that proved it.
            least: The lower bound; None: none is proved.
            reason: Why no more is.
        """
        proved = replace(self.search, lower_bound=least, bound_by=by.bound_by, exact=by.exact, argued=by.argued)
        return replace(self, search=replace(proved, depth=by.depth, reason=reason))


@dataclass(frozen=True)
class Sought:
    """A request for a plan; see `ObjectiveWays.find`.

    Attributes:
        at_least: The plan is known to cost no less.
    """

    closed: frozenset[str]
    most: int | None = None
    cheapest: bool = False
    first: str | None = None
    at_least: int = 0


class WaySearch(ABC):
    """Answers for one goal from one start, under conditions and a horizon, without a memory."""

    ordered = True
    """True if questions about an order can be asked."""

    @abstractmethod
    def answer(self, sought: Sought, deadline: Deadline) -> ObjectiveWay:
        """See `ObjectiveWays.find`.

        Raises:
            TimeUp: The time was up before anything was known.
        """

    def tidied(self, way: ObjectiveWay, deadline: Deadline) -> ObjectiveWay:
        """See `ObjectiveWays.tidied`."""
        return way


@dataclass(frozen=True)
class Refutation:
    """A proof about ways that have none of some objectives, and take one before all others.

    Attributes:
        closed: The objectives.
        first: The one that comes first; None: any.
        most: The most that no such way costs; infinite: there is none.
        search: The search that proved it.
    """

    closed: frozenset[str]
    first: str | None
    most: float
    search: SearchResult

    def covers(self, closed: Set[str], first: str | None) -> bool:
        """True if it holds for other objectives, too."""
        return self.closed <= closed and self.first in (None, first)


class ObjectiveWays:
    """The ways to a goal: what is known of them, and a search for more.

    Args:
        search: Answers what is not known; None: the time was up before it was there.

    Attributes:
        search: The same.
        reason: Why a question could not be decided; empty where all were.
    """

    def __init__(self, search: WaySearch | None):
        self.search = search
        self.reason = ""
        self._found: dict[tuple[frozenset[str], str | None], ObjectiveWay] = {}
        self._refuted: list[Refutation] = []

    def find(
        self,
        closed: Set[str],
        deadline: Deadline,
        *,
        most: int | None = None,
        cheapest: bool = False,
        first: str | None = None,
    ) -> ObjectiveWay:
        """A plan for the goal after no step of which the side has any of some objectives.

        Args:
            closed: The names of these objectives; none of them is held at the start.
            most: The most that the plan may cost; None: any cost.
            cheapest: Whether a cheapest plan is wanted, with a proof; else any plan is as good.
            first: An objective that the plan takes, and before which it takes none that the game is about; those
                taken in the same step count as taken together.

        Returns:
            What is known, if that decides the question; else the answer of the search, or a known way that is better.
        """
        sought = Sought(frozenset(closed), most, cheapest, first)
        known = self._known(sought)
        if known is not None and _decides(known, sought):
            return known
        way = self._searched(sought, deadline)
        known = self._known(sought)
        if known is None or (_decides(way, sought) and known.search.steps is way.search.steps):
            return way
        reason = known.search.reason or ("" if _decides(known, sought) else way.search.reason)
        return replace(known, search=replace(known.search, reason=reason))

    def tidied(self, way: ObjectiveWay, deadline: Deadline) -> ObjectiveWay:
        """A way that takes the same at the same cost, without choices that are of no use, as far as time allows.

        Args:
            way: A way that was found.
        """
        if self.search is None or way.problem is None or deadline.left <= 0:
            return way
        return self.search.tidied(way, deadline)

    def learn(self, way: ObjectiveWay, sought: Sought = Sought(frozenset())) -> None:
        """Keep an answer.

        Args:
            way: The answer.
            sought: The question; by default whether there is any way.
        """
        closed, first, bound = sought.closed, sought.first, way.search.lower_bound
        assert not way.takes & closed, "a way takes what is closed"
        refuted = -math.inf if bound is None else bound - 1
        if way.status == "none":
            refuted = math.inf if sought.most is None else max(sought.most, refuted)
        known = self.refuted(closed, first)
        if refuted > -math.inf and (known is None or known.most < refuted):
            self._refuted.append(Refutation(closed, first, refuted, way.search))
        if way.status == "found":
            key = way.takes, first
            before = self._found.get(key)
            if before is None or way.cost < before.cost:
                self._found[key] = way if first is None else replace(way, first=first)

    # ---- what is known

    def known(self, closed: Set[str] = frozenset()) -> ObjectiveWay | None:
        """The cheapest way known that has none of some objectives, or that there is none; None: nothing is known."""
        return self._known(Sought(frozenset(closed)))

    def refuted(self, closed: Set[str], first: str | None = None) -> Refutation | None:
        """Proof about the ways that have none of some objectives; see `find`."""
        proofs = (r for r in self._refuted if r.covers(closed, first))
        return max(proofs, key=lambda r: r.most, default=None)

    def taken(self, most: int | None = None) -> list[frozenset[str]]:
        """The sets of objectives that the known ways of at most such a cost take."""
        return [way.takes for way in self._found.values() if most is None or way.cost <= most]

    def denying(self, most: int | None = None) -> list[frozenset[str]]:
        """Sets of objectives without which no way costs at most so much; None: there is none at all."""
        least = math.inf if most is None else most
        return [r.closed for r in self._refuted if r.first is None and r.most >= least]

    def _known(self, sought: Sought) -> ObjectiveWay | None:
        """The cheapest known way that fits a question, with its proof; that there is none; None: neither is known."""
        closed, first, most = sought.closed, sought.first, math.inf if sought.most is None else sought.most
        proof = self.refuted(closed, first)
        if proof is not None and proof.most >= most:
            return ObjectiveWay("none", proof.search)
        fitting = (w for w in self._found.values() if first in (None, w.first) and w.takes.isdisjoint(closed))
        way = min(fitting, key=lambda w: w.cost, default=None)
        if way is None or way.cost > most:
            return None
        if proof is None:
            return way.with_proof(NOTHING, None, way.search.reason)
        by, least = proof.search, min(int(proof.most) + 1, way.cost)
        return way if by is way.search else way.with_proof(by, least, by.reason if least < way.cost else "")

    def _searched(self, sought: Sought, deadline: Deadline) -> ObjectiveWay:
        """The answer of the search."""
        proof, way = self.refuted(sought.closed, sought.first), _NOT_BUILT
        if self.search is not None:
            try:
                least = 0 if proof is None else int(proof.most) + 1
                way = self.search.answer(replace(sought, at_least=least), deadline)
            except TimeUp:
                way = _TIME_UP
        if way.status == "unknown":
            self.reason = way.search.reason or TIME_UP
        self.learn(way, sought)
        return way


_NOT_BUILT = ObjectiveWay("unknown", replace(NOTHING, reason=BUILDING))
_TIME_UP = ObjectiveWay("unknown", replace(NOTHING, reason=TIME_UP))


def _decides(way: ObjectiveWay, sought: Sought) -> bool:
    return way.status == "none" or (way.status == "found" and (way.cheapest or not sought.cheapest))


# ---- a goal that is one of several, such as one of the outcomes of a side: each is asked for by itself
#
# A program for all of them together has a relaxation that says little: four times as slow for the Axis of 1942.

_MOST = 4  # goals that have programs of their own


def either(goal: Term) -> Sequence[Term]:
    """The goals of which any one is enough, where they are a few; else the goal alone."""
    return goal.args if goal.op is Op.OR and len(goal.args) <= _MOST else (goal,)


class SearchPerGoal(WaySearch):
    """A search for ways to any of several goals.

    Args:
        each: The ways to each goal; their searches always look for the cheapest.
    """

    def __init__(self, each: Sequence[WaySearch]):
        self.ordered = all(search.ordered for search in each)
        self._each = [ObjectiveWays(search) for search in each]

    def answer(self, sought: Sought, deadline: Deadline) -> ObjectiveWay:
        """The cheapest of the plans for each goal, with what all answers together say of the least cost."""
        closed, most, first = sought.closed, sought.most, sought.first
        found = [ways.find(closed, deadline, most=most, cheapest=True, first=first) for ways in self._each]
        able = [way for way in found if way.status == "found"]
        undecided = [way for way in found if way.status == "unknown"]
        left = [way for way in found if not way.search.exhausted]
        proofs = [ways.refuted(closed, first) for ways in self._each]
        least = min(-math.inf if proof is None else proof.most for proof in proofs)
        best = min(able, key=lambda w: w.cost) if able else (undecided or left or found)[0]
        reason = [*undecided, *(way for way in able if not way.cheapest), best][0].search.reason
        exact = all(way.search.exact for way in found)
        bound = None if math.isinf(least) else int(least) + 1
        return replace(best, search=replace(best.search, lower_bound=bound, exact=exact, reason=reason))


def proof_of(search: SearchResult) -> tuple[str, bool]:
    """The proof that there is no way, and whether it is in exact arithmetic."""
    return search.proved_by or "", search.exact or search.proof is not None


# ---- ways as plans of answers: played in Python, checked, with their record, their battles and their cost


@dataclass(frozen=True)
class PlayedWay:
    """A way that was played.

    Attributes:
        way: The way.
        made: Its steps, events and states.
        plan: The plan.
    """

    way: ObjectiveWay
    made: Played
    plan: OnePlan


def play(asked: ObjectivesQuestion, way: ObjectiveWay) -> PlayedWay:
    """Play a way.

    Args:
        way: A way that was found.

    Raises:
        ReplayError: The plan is illegal, does not reach the goal, breaks a condition, or takes other objectives than
            the way says.
        TimeUp: The time was up before it was played.
    """
    resolved = asked.resolved
    if way.problem is None:
        return PlayedWay(way, Played((), (), ()), OnePlan((), Recorded(())))
    made = replay_plan(resolved.system, resolved.state, way.problem, way.search)
    taken = frozenset(asked.taken(made.states))
    if taken != way.takes:
        raise ReplayError(f"the plan takes {sorted(taken)}, not {sorted(way.takes)}")
    record = Planning(resolved).record_of(made, way.problem)
    return PlayedWay(way, made, OnePlan(made.steps, record, battles_of(resolved, record)))


def counted_steps(asked: ObjectivesQuestion, done: PlayedWay) -> int:
    """The number of steps of a plan that count towards the horizon, those in which turns pass at its end left out."""
    if done.way.problem is None:
        return 0
    slot, counts = asked.resolved.system.layout.slot, done.way.problem.whole_step.counts
    before = (asked.resolved.state, *done.made.states)[: len(done.way.search.steps or ())]
    return sum(bool(interpret(counts, slot, state)) for state in before)


def limited(asked: ObjectivesQuestion, best: ObjectiveWay) -> ObjectivesQuestion:
    """A question with a horizon: where none was asked for, as many counted steps as the best plan takes."""
    if asked.resolved.within is not None or best.status != "found":
        return asked
    with grace_period(ANSWERING):
        steps = counted_steps(asked, play(asked, best))
    return replace(asked, resolved=replace(asked.resolved, within=steps))


def cost_of(asked: ObjectivesQuestion, way: ObjectiveWay, now: Cost | None) -> Cost:
    """The cost of a way, as far as it is known.

    Args:
        asked: The question, with its horizon.
        way: The answer about the cheapest way of some kind.
        now: What the cheapest plan of all costs; None: that is not known, or not to be compared with.
    """
    found = way.search
    horizon = Horizon(asked.resolved.within, asked.resolved.metric.unit)
    by = found.proved_by
    exact = (found.bound_by is not None and found.exact) or found.proof is not None
    if way.status != "found" or found.cost is None:
        nothing: Verdict = "impossible" if way.status == "none" else "unknown"
        bound = None if way.status == "none" else found.lower_bound
        return Cost(nothing, None, bound, None, by, exact, horizon, found.reason)
    proved = found.cost == found.lower_bound
    least = None if now is None or now.status != "optimal" or not proved else now.cost
    difference = None if least is None else found.cost - least
    status: Verdict = "optimal" if proved else "feasible"
    return Cost(status, found.cost, found.lower_bound, difference, by, exact, horizon, found.reason)
