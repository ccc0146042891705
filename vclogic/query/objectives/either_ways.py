"""Ways to a goal that is one of several, such as one of the outcomes of a side: each is asked for by itself.

A program for all of them together has a relaxation that says little, and takes a hundred times as long.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace

from vclogic.clock import Deadline
from vclogic.query.objectives.ways import Sought, Way, Ways
from vclogic.terms.term import Op, Term

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
