"""Ways that are remembered: what one question has shown answers others.

A way that has none of some objectives is one for every question that closes no others. What is proved while some
objectives are closed holds while more are.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Set
from dataclasses import dataclass, replace

from vclogic.clock import TIME_UP, Deadline, TimeUp, until
from vclogic.query.objectives.ways import Sought, Way, Ways
from vclogic.solve.problem import NOTHING, Search


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
