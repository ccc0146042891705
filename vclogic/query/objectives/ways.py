"""Ways to a goal that leave some objectives alone: the one question that everything about objectives is made of.

If there is a way that never has any of some objectives, there is one for every part of them. So the sets of
objectives that plans take (winning sets), and those whose loss leaves no plan (denial sets), follow from the answers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from typing import Literal

from vclogic.clock import TIME_UP, Deadline, TimeUp, until
from vclogic.solve.problem import NOTHING, Problem, Search
from vclogic.terms.term import Op, Term


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
