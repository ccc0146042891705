"""Ways to a goal that leave some objectives alone: the one question that everything about objectives is made of.

If there is a way that never has any of some objectives, there is one for every part of them. So the sets of
objectives that plans take (winning sets), and those whose loss leaves no plan (denial sets), follow from the answers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace
from typing import Literal

from vclogic.clock import TIME_UP, Deadline, TimeUp, until
from vclogic.query.objectives.question import ObjectivesQuestion
from vclogic.solve.problem import NOTHING, Problem, Search
from vclogic.terms.term import Op, Term

_SHARE = 0.5  # of the time left that one question may take


@dataclass(frozen=True)
class Way:
    """The answer.

    Attributes:
        status: `found`, `none` (proved) or `unknown`.
        search: The plan, its cost and bound, or the proof that there is none.
        problem: The problem in which the plan is replayed; None without a plan.
        takes: The names of the objectives that the plan takes.
    """

    status: Literal["found", "none", "unknown"]
    search: Search
    problem: Problem | None = None
    takes: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Sought:
    """A request for a plan; see `Ways.find`."""

    closed: frozenset[str]
    most: int | None = None
    cheapest: bool = False
    first: str | None = None


class Ways(ABC):
    """Answers for one goal from one start, under conditions and a horizon."""

    def find(
        self,
        closed: Set[str],
        deadline: Deadline,
        *,
        most: int | None = None,
        cheapest: bool = False,
        first: str | None = None,
    ) -> Way:
        """A plan for the goal after no step of which the side has any of some objectives.

        Args:
            closed: The names of these objectives; none of them is held at the start.
            most: The most that the plan may cost; None: any cost.
            cheapest: Whether a cheapest plan is wanted, with a proof; else any plan is as good.
            first: An objective that the plan takes, and before which it takes none that the game is about; those
                taken in the same step count as taken together.
        """
        return self.answer(Sought(frozenset(closed), most, cheapest, first), deadline)

    def tidied(self, way: Way, deadline: Deadline) -> Way:
        """A way that takes the same at the same cost, without choices that are of no use, as far as time allows.

        Args:
            way: A way that was found.
        """
        return way

    @abstractmethod
    def answer(self, sought: Sought, deadline: Deadline) -> Way:
        """The same question as one object, so that it can be handed on."""


# ---- a goal that is one of several, such as one of the outcomes of a side: each is asked for by itself
#
# A program for all of them together has a relaxation that says little, and takes a hundred times as long.

_MOST = 4  # goals that have programs of their own


def either(goal: Term) -> Sequence[Term]:
    """The goals of which any one is enough, where they are a few; else the goal alone."""
    return goal.args if goal.op is Op.OR and len(goal.args) <= _MOST else (goal,)


class OrderedWays(Ways):
    """Ways of which it may be asked what comes first."""

    @property
    @abstractmethod
    def ordered(self) -> bool:
        """True if questions about an order can be asked."""


class EitherWays(OrderedWays):
    """Ways to any of several goals; see `ways.Ways`.

    Args:
        each: The ways to each goal.
    """

    def __init__(self, each: Sequence[OrderedWays]):
        self._each = each
        self._none: list[dict[frozenset[str], Way]] = [{} for _ in each]

    @property
    def ordered(self) -> bool:
        """True if questions about an order can be asked."""
        return all(ways.ordered for ways in self._each)

    def answer(self, sought: Sought, deadline: Deadline) -> Way:
        """The cheapest of the plans for each goal; see `ways.Ways`."""
        found: list[Way] = []
        for ways, none in zip(self._each, self._none, strict=True):
            known = next((way for without, way in none.items() if without <= sought.closed), None)
            way = known or ways.answer(sought, deadline)
            if way.status == "none" and sought.most is None and sought.first is None:
                none[sought.closed] = way
            found.append(way)
        return _together(found)


def _together(found: Sequence[Way]) -> Way:
    """The best of the answers, with what all of them together say of the least cost."""
    able = [way for way in found if way.status == "found"]
    undecided = [way for way in found if way.status == "unknown"]
    left = [way for way in found if not way.search.exhausted]
    bounds = [way.search.lower_bound for way in left]
    least = None if None in bounds else min((b for b in bounds if b is not None), default=None)
    best = min(able, key=_cost) if able else (undecided or left or found)[0]
    reason = undecided[0].search.reason if undecided else best.search.reason
    exact = all(way.search.exact for way in found)
    return replace(best, search=replace(best.search, lower_bound=least, exact=exact, reason=reason))


def _cost(way: Way) -> int:
    return way.search.cost or 0


# ---- ways that are remembered: the answer to one question answers others
#
# A way that has none of some objectives is one for every question that closes no others. What is proved while some
# objectives are closed holds while more are.


@dataclass(frozen=True)
class _Refuted:
    """A proof: without some objectives no plan costs at most so much; None: there is no plan."""

    closed: frozenset[str]
    most: int | None
    search: Search

    def says(self, closed: Set[str], most: int | None) -> bool:
        """True if it answers a question."""
        return self.closed <= closed and (self.most is None or (most is not None and most <= self.most))


class Remembering(Ways):
    """Answers that are asked for once."""

    def __init__(self) -> None:
        self._found: list[Way] = []
        self._refuted: list[_Refuted] = []

    def answer(self, sought: Sought, deadline: Deadline) -> Way:
        """See `Ways.find`."""
        closed, most, cheapest, first = sought.closed, sought.most, sought.cheapest, sought.first
        known = None if first is not None else self._known(closed, most, cheapest=cheapest)
        if known is not None:
            return known
        try:
            with until(deadline):
                way = self._ask(closed, deadline, most, cheapest=cheapest, first=first)
        except TimeUp:
            return Way("unknown", replace(NOTHING, reason=TIME_UP))
        if first is None:
            self._remember(closed, most, way)
        elif way.status == "found":
            self._found.append(way)
        return way

    @abstractmethod
    def _ask(
        self, closed: frozenset[str], deadline: Deadline, most: int | None, *, cheapest: bool, first: str | None
    ) -> Way:
        """The answer; may raise `TimeUp`."""

    def at_least(self, closed: Set[str]) -> int | None:
        """The proved lower bound of a plan's cost; None without one."""
        proof = self._bound(closed)
        return None if proof is None or proof.most is None else proof.most + 1

    def _bound(self, closed: Set[str]) -> _Refuted | None:
        """The proof of the greatest lower bound of a cost."""
        proofs = (r for r in self._refuted if r.most is not None and r.closed <= closed)
        return max(proofs, key=lambda r: r.most or 0, default=None)

    def _known(self, closed: Set[str], most: int | None, *, cheapest: bool) -> Way | None:
        for refuted in self._refuted:
            if refuted.says(closed, most):
                return Way("none", refuted.search)
        proof = self._bound(closed)
        for way in self._found:
            cost = way.search.cost
            assert cost is not None
            fits = way.takes.isdisjoint(closed) and (most is None or cost <= most)
            if fits and proof is not None and proof.most == cost - 1:
                by = proof.search
                said = replace(way.search, lower_bound=cost, bound_by=by.bound_by, exact=by.exact, argued=by.argued)
                return replace(way, search=replace(said, depth=by.depth, reason=""))
            if fits and not cheapest:
                return replace(way, search=replace(way.search, lower_bound=None, bound_by=None, argued=()))
        return None

    def _remember(self, closed: frozenset[str], most: int | None, way: Way) -> None:
        if way.status == "found":
            self._found.append(way)
            if way.search.lower_bound is not None and way.search.lower_bound > 0:
                self._refuted.append(_Refuted(closed, way.search.lower_bound - 1, way.search))
        elif way.status == "none":
            self._refuted.append(_Refuted(closed, most, way.search))


class KnownWays:
    """The ways that were found, the proofs that there is none, and what both say of costs.

    Sets of main objectives are numbers, one bit for each.

    Args:
        asked: The question, with its horizon.
        ways: Answers the question.
        best: The cheapest way of all.

    Attributes:
        asked: The same.
        best: The cheapest way known.
        names: The main objectives that can be taken, in the order of the game.
        found: The ways found.
        none: Why there is no way without some objectives.
        reason: Why something could not be decided; empty where everything was.
    """

    def __init__(self, asked: ObjectivesQuestion, ways: Ways, best: Way):
        self.asked = asked
        self.best = best
        self.names = tuple(o.name for o in asked.new if o.main)
        self.found: list[Way] = []
        self.none: dict[frozenset[str], Search] = {}
        self.reason = ""
        self._ways = ways
        self._bit = {name: 1 << i for i, name in enumerate(self.names)}
        self._bounds: list[tuple[int, Search]] = []  # what is closed, and what any way around it costs at least
        self._least: dict[int, Way] = {}  # the cheapest way known for what it takes
        self._learn(best, frozenset(), None)

    # ---- sets

    @property
    def everything(self) -> int:
        """All main objectives that can be taken."""
        return (1 << len(self.names)) - 1

    def bits(self, names: Iterable[str]) -> int:
        """A set of main objectives; other names are left out."""
        return sum(self._bit.get(name, 0) for name in names)

    def named(self, bits: int) -> tuple[str, ...]:
        """The names of a set, in the order of the game."""
        return tuple(name for i, name in enumerate(self.names) if bits >> i & 1)

    def places(self, bits: int) -> tuple[int, ...]:
        """The places of a set's members in the order of the game."""
        return tuple(i for i in range(len(self.names)) if bits >> i & 1)

    # ---- questions

    def tidied(self, way: Way, deadline: Deadline) -> Way:
        """A way that takes the same at the same cost, without choices that are of no use, where time allows it."""
        return self._ways.tidied(way, deadline) if deadline.left > 0 else way

    def ask(
        self, closed: frozenset[str], deadline: Deadline, *, most: int | None = None, cheapest: bool = False
    ) -> Way:
        """Ask for a way, and remember what that shows; see `ways.Ways`."""
        way = self._ways.find(closed, deadline.part(_SHARE), most=most, cheapest=cheapest)
        if way.status == "unknown":
            self.reason = way.search.reason or TIME_UP
        assert not way.takes & closed, "a way takes what is closed"
        self._learn(way, closed, most)
        return way

    def _learn(self, way: Way, closed: frozenset[str], most: int | None) -> None:
        found = way.search
        if way.status == "none" and most is None:
            self.none[closed] = found
        elif way.status == "none" and most is not None:
            found = replace(found, lower_bound=max(most + 1, found.lower_bound or 0))
        if found.lower_bound is not None and all(name in self._bit for name in closed):
            self._bounds.append((self.bits(closed), found))
        if way.status == "found" and found.cost is not None:
            self.found.append(way)
            self.best = _cheaper(self.best, way)
            taken = self.bits(way.takes)
            known = self._least.get(taken)
            if known is None or (known.search.cost or 0) > found.cost:
                self._least[taken] = way

    @property
    def taken(self) -> list[int]:
        """The sets of objectives that the ways take."""
        return [*self._least]

    # ---- costs

    @property
    def least(self) -> int | None:
        """The proved least cost of all ways; None: not known."""
        found = self.best.search
        return found.cost if found.cost == found.lower_bound else None

    def dearer(self, cost: int) -> list[int]:
        """Sets without which each way is known to cost more than so much."""
        return [closed for closed, search in self._bounds if (search.lower_bound or 0) > cost]

    def cheap(self, cost: int) -> list[int]:
        """Sets that ways of at most such a cost take."""
        return [taken for taken, way in self._least.items() if (way.search.cost or 0) <= cost]

    def denying(self) -> list[int]:
        """Sets of main objectives without which there is no way."""
        return [self.bits(closed) for closed in self.none if all(name in self._bit for name in closed)]

    def cheapest(self, taken: int) -> Way | None:
        """The cheapest way known that takes no others than some, with what is known of its cost; None: none is."""
        some = [way for own, way in self._least.items() if own & taken == own]
        way = min(some, key=lambda w: w.search.cost or 0, default=None)
        if way is None or way.search.cost is None:
            return None
        bounds = [search for closed, search in self._bounds if not closed & taken]
        best = max(bounds, key=lambda s: s.lower_bound or 0, default=None)
        if best is None or best.lower_bound is None:
            return way
        bound = min(best.lower_bound, way.search.cost)
        told = replace(way.search, lower_bound=bound, bound_by=best.bound_by, exact=best.exact, reason=best.reason)
        return replace(way, search=told)


def _cheaper(best: Way, way: Way) -> Way:
    """The cheaper one of two ways, with what is proved of the cheapest one."""
    proof, cost = best.search, way.search.cost
    if cost is None or proof.cost is None or cost >= proof.cost:
        return best
    bound = proof.lower_bound
    told = replace(way.search, lower_bound=bound, bound_by=proof.bound_by, exact=proof.exact, reason=proof.reason)
    return replace(way, search=told)


def proof_of(search: Search) -> tuple[str, bool]:
    """The proof that there is no way, and whether it is in exact arithmetic."""
    return search.proved_by or "", search.exact or search.proof is not None
