"""Known ways to a goal within a limit; each part of a briefing adds to it and draws on it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from vclogic.clock import TIME_UP, Deadline
from vclogic.query.objectives.question import ObjectivesQuestion
from vclogic.query.objectives.ways import Way, Ways
from vclogic.solve.problem import Search

_SHARE = 0.5  # of the time left that one question may take


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
