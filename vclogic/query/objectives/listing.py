"""The winning and denial sets that are listed, each with its plan or its proof."""

from __future__ import annotations

from dataclasses import dataclass

from vclogic.clock import ANSWERING, TIME_UP, Deadline, TimeUp, granted, until
from vclogic.query.objectives.answer import LISTED, Cost, Denial, DenialSet, Leak, Winning, WinningSet
from vclogic.query.objectives.known_ways import KnownWays, proof_of
from vclogic.query.objectives.plans import PlayedWay, cost_of, play
from vclogic.query.objectives.sets import Dual
from vclogic.query.objectives.ways import Way

_FIRST = 3 * ANSWERING  # seconds that the first plan may take to play once the time of this part is up
_TIDYING = 0.15  # the share of the time left in which plans lose what they need not hold


@dataclass(frozen=True)
class Enumerated:
    """The winning and denial sets.

    Attributes:
        within: Those of all ways within the limit.
        cheapest: Those of the cheapest ways; None where the least cost is not known.
    """

    within: Dual
    cheapest: Dual | None


class ListedSets:
    """The sets in their order, with what each costs, its plan or its proof, as far as time allows.

    Args:
        known: What is known of the ways.
        sets: The sets.
        deadline: When to stop.

    Attributes:
        played: The plan of each winning set that is listed, by its number.
    """

    def __init__(self, known: KnownWays, sets: Enumerated, deadline: Deadline):
        self._known = known
        self._within, self._cheapest = sets.within, sets.cheapest
        self._deadline = deadline
        self._limit = known.asked.limit
        self.played: dict[int, PlayedWay] = {}
        self._settle(deadline.part(0.5))
        for taken in known.taken:  # the cheapest ways, and what every plan takes, have shown some as well
            self._within.learn(taken)
        self._now = cost_of(known.asked, known.best, None)
        self._ways = self._ordered()
        self._number = {taken: n for n, taken in enumerate(self._ways, 1)}
        self._tidying = deadline.part(_TIDYING)
        self._late = not self._play_first()

    # ---- what is not decided yet

    def _settle(self, deadline: Deadline) -> None:
        """Ask what the sets that are listed first cost, and whether they are smallest, where that is open."""
        known = self._known
        for taken in list(self._ordered())[: self._limit]:
            try:
                with until(deadline):
                    self._within.settle(taken)
            except TimeUp:
                break
            way = known.cheapest(taken)
            if deadline.left > 0 and way is not None and way.search.cost != way.search.lower_bound:
                others = frozenset(known.named(known.everything & ~taken))
                found = known.ask(others, deadline, cheapest=True)
                if found.status == "found":
                    self._within.learn(known.bits(found.takes))

    def _ordered(self) -> dict[int, Way]:
        """All winning sets, each with its way: the cheapest first, then the smallest, then in the game's order."""
        known = self._known
        least = known.least
        cheap = [] if least is None else known.cheap(least)
        last = [] if self._cheapest is None else self._cheapest.winning
        dearer = [taken for taken in last if not any(own & taken == own != taken for own in cheap)]
        ways = {taken: known.cheapest(taken) for taken in dict.fromkeys((*self._within.winning, *dearer))}
        found = {taken: way for taken, way in ways.items() if way is not None}
        return dict(
            sorted(found.items(), key=lambda f: (f[1].search.cost or 0, f[0].bit_count(), known.places(f[0])))
        )

    # ---- plans

    def _play_first(self) -> bool:
        """Play the plans of the sets that are listed first; returns whether time allowed it."""
        return all(self._play(taken) for taken in list(self._ways)[: self._limit])

    def _play(self, taken: int) -> bool:
        """Play the plan of a set, unless it was; returns whether time allowed it. There is time for at least one."""
        n = self._number[taken]
        if n not in self.played:
            more = 0.0 if self.played else _FIRST
            try:
                with until(self._deadline), granted(more):
                    way = self._known.tidied(self._ways[taken], self._tidying)
                    self.played[n] = play(self._known.asked, way)
            except TimeUp:
                return False
        return True

    # ---- the answer

    def denial(self) -> Denial:
        """The smallest denial sets. Winning sets that show what happens if one is not kept are listed as well."""
        order = sorted(self._within.denial, key=lambda d: (d.bit_count(), self._known.places(d)))
        found: list[DenialSet] = []
        for denied in order[: self._limit]:
            keeps = self._known.named(denied)
            leaks = [self._leak(name, denied) for name in keeps]
            proof = self._known.none[frozenset(keeps)]
            found.append(DenialSet(keeps, *proof_of(proof), tuple(leak for leak in leaks if leak is not None)))
        whole = len(found) == len(order)
        reason = "" if self._within.complete and whole else LISTED if self._within.complete else self._reason
        return Denial(tuple(found), self._within.complete and whole, reason, self._within.complete, len(order))

    def _leak(self, name: str, denied: int) -> Leak | None:
        """A winning set that has one objective of a denial set and no other; one that is listed, if any is."""
        bit = self._known.bits([name])
        fitting = [taken for taken in self._ways if taken & denied == bit]
        listed = next((taken for taken in fitting if self._number[taken] in self.played), None)
        if listed is None:
            listed = next((taken for taken in fitting if self._play(taken)), None)
        return None if listed is None else Leak(name, self._number[listed])

    def winning(self) -> Winning:
        """The winning sets that are listed."""
        within = self._within
        sets = tuple(self._set(taken) for taken, n in self._number.items() if n in self.played)
        least = self._least
        listed = {taken for taken, n in self._number.items() if n in self.played}
        complete = within.complete and listed.issuperset(within.winning)
        all_cheapest = self.all_cheapest and listed.issuperset(least)
        found, reason = within.complete and self.all_cheapest, ""
        if not complete or not all_cheapest:
            reason = LISTED if found and not self._late else self._reason
        return Winning(sets, complete, all_cheapest, reason, len(self._ways), len(least), all_found=found)

    @property
    def cheapest(self) -> frozenset[frozenset[str]]:
        """The cheapest winning sets that were found, listed or not."""
        return frozenset(frozenset(self._known.named(taken)) for taken in self._least)

    @property
    def all_cheapest(self) -> bool:
        """True if there is no other one."""
        return self._cheapest is not None and self._cheapest.complete

    @property
    def _least(self) -> list[int]:
        return [taken for taken in self._ways if self._is_cheapest(self._cost(taken))]

    @property
    def _reason(self) -> str:
        return self._known.reason or TIME_UP

    def _set(self, taken: int) -> WinningSet:
        n, cost = self._number[taken], self._cost(taken)
        smallest = self._within.is_smallest(taken)
        return WinningSet(n, self._known.named(taken), cost, smallest, self._is_cheapest(cost), self.played[n].plan)

    def _cost(self, taken: int) -> Cost:
        return cost_of(self._known.asked, self._ways[taken], self._now)

    def _is_cheapest(self, cost: Cost) -> bool:
        return self._now.status == "optimal" and cost.cost == self._now.cost
