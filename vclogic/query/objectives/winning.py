"""Winning sets, landmarks and denial sets: each with its plan or its proof.

What one part asks serves the others: each way shows a winning set and bounds what others cost, and each proof that
there is no way shows what denies.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from vclogic.clock import ANSWERING, TIME_UP, Deadline, TimeUp, grace_period, until
from vclogic.query.objectives.answer import (
    LISTED,
    Cost,
    Denial,
    DenialSet,
    Landmark,
    Landmarks,
    Leak,
    Winning,
    WinningSet,
)
from vclogic.query.objectives.request import ObjectivesQuestion
from vclogic.query.objectives.sets import Answer, Dual, GroundSet, TakenSet
from vclogic.query.objectives.ways import ObjectiveWay, ObjectiveWays, PlayedWay, cost_of, play, proof_of


@dataclass(frozen=True)
class Parts:
    """The winning sets, landmarks and denial sets.

    Attributes:
        winning: The winning sets.
        landmarks: The landmarks.
        denial: The denial sets.
        played: The plan of each winning set that is listed, by its number.
        cheapest: The cheapest winning sets that were found, listed or not.
        all_cheapest: Whether there is no other one.
        best: The cheapest way of all that is known, or why there is none.
    """

    winning: Winning
    landmarks: Landmarks
    denial: Denial
    played: Mapping[int, PlayedWay]
    cheapest: frozenset[frozenset[str]]
    all_cheapest: bool
    best: ObjectiveWay


def parts(asked: ObjectivesQuestion, ways: ObjectiveWays, best: ObjectiveWay, deadline: Deadline) -> Parts:
    """Winning sets, landmarks and denial sets, as far as time allows.

    Args:
        asked: The question, with its horizon.
        ways: Answers it.
        best: The cheapest way of all, or why there is none.
    """
    if best.status != "found":
        return _without_plan(asked, best)
    ways.learn(best)
    needed = landmarks(asked, ways, deadline.part(0.4))
    sets = enumerated(asked, ways, deadline)
    if needed.open:  # the sets may have shown what was open
        needed = landmarks(asked, ways, deadline.part(0.4))
    listing = ListedSets(asked, ways, sets, deadline)
    denial = listing.denial()
    best = ways.known() or best
    return Parts(listing.winning(), needed, denial, listing.played, listing.cheapest, listing.all_cheapest, best)


def winning(asked: ObjectivesQuestion, ways: ObjectiveWays, deadline: Deadline) -> tuple[Cost, Winning]:
    """The cost of the cheapest plan, and the winning sets, as far as time allows.

    Args:
        asked: The question, with its horizon.
        ways: Answers it.
    """
    best = ways.find(frozenset(), deadline.part(0.6), cheapest=True)
    if best.status != "found":
        return cost_of(asked, best, None), _without_plan(asked, best).winning
    found = ListedSets(asked, ways, enumerated(asked, ways, deadline), deadline).winning()
    return cost_of(asked, ways.known() or best, None), found


def _without_plan(asked: ObjectivesQuestion, best: ObjectiveWay) -> Parts:
    """The parts where there is no plan, or none is known."""
    none, reason = best.status == "none", best.search.reason
    left = () if none else tuple(o.name for o in asked.new)
    sets, needed = Winning((), none, none, reason, all_found=none), Landmarks((), left, reason)
    return Parts(sets, needed, Denial((), none, reason, all_found=none), {}, frozenset(), none, best)


# ---- what every plan takes


def landmarks(asked: ObjectivesQuestion, ways: ObjectiveWays, deadline: Deadline) -> Landmarks:
    """The objectives that every plan takes.

    Args:
        asked: The question.
        ways: Answers it; one is known.
    """
    found: list[Landmark] = []
    left: list[str] = []
    for o in asked.new:
        way = ways.find({o.name}, deadline.part(_SHARE))
        if way.status == "none":
            found.append(Landmark(o.name, o.main, *proof_of(way.search)))
        elif way.status == "unknown":
            left.append(o.name)
    return Landmarks(tuple(found), tuple(left), ways.reason if left else "")


# ---- sets


def enumerated(asked: ObjectivesQuestion, ways: ObjectiveWays, deadline: Deadline) -> Enumerated:
    """The winning and denial sets, as far as time allows.

    Args:
        asked: The question.
        ways: Answers it; one is known.
    """
    members = GroundSet([o.name for o in asked.new if o.main])
    within = _run(asked, ways, members, None, deadline.part(0.7))
    best = ways.known()
    if best is None or not best.cheapest:
        return Enumerated(members, within, None)
    return Enumerated(members, within, _run(asked, ways, members, best.cost, deadline.part(0.7)))


def _run(
    asked: ObjectivesQuestion, ways: ObjectiveWays, members: GroundSet, most: int | None, deadline: Deadline
) -> Dual:
    def ask(closed: int) -> Answer:
        way = ways.find(frozenset(members.named(closed)), deadline.part(_SHARE), most=most)
        return TakenSet(members.bits(way.takes), lean=way.cheapest) if way.status == "found" else way.status

    none = [members.bits(closed) for closed in ways.denying(most) if closed <= asked.main]
    won = [members.bits(taken) for taken in ways.taken(most)]
    dual = Dual(len(members), ask, none, won)
    with suppress(TimeUp), until(deadline):
        dual.run()
        before = len(dual.open) + 1
        while 0 < len(dual.open) < before:  # some questions had little time
            before = len(dual.open)
            dual.reopen()
            dual.run()
    return dual


_SHARE = 0.5  # of the time left that one question may take
_FIRST = 3 * ANSWERING  # seconds that the first plan may take to play once the time of this part is up
_TIDYING = 0.15  # the share of the time left in which plans lose what they need not hold


@dataclass(frozen=True)
class Enumerated:
    """The winning and denial sets.

    Attributes:
        members: The main objectives that can be taken, in the order of the game.
        within: Those of all ways within the limit.
        cheapest: Those of the cheapest ways; None where the least cost is not known.
    """

    members: GroundSet
    within: Dual
    cheapest: Dual | None


class ListedSets:
    """The sets in their order, with what each costs, its plan or its proof, as far as time allows.

    Args:
        asked: The question.
        ways: Answers it.
        sets: The sets.
        deadline: When to stop.

    Attributes:
        played: The plan of each winning set that is listed, by its number.
    """

    def __init__(self, asked: ObjectivesQuestion, ways: ObjectiveWays, sets: Enumerated, deadline: Deadline):
        self._asked, self._known, self._members = asked, ways, sets.members
        self._within, self._cheapest = sets.within, sets.cheapest
        self._deadline = deadline
        self._limit = asked.limit
        self.played: dict[int, PlayedWay] = {}
        self._settle(deadline.part(0.5))
        for takes in ways.taken():  # the cheapest ways, and what every plan takes, have shown some as well
            self._within.learn(self._members.bits(takes))
        best = ways.known()
        assert best is not None
        self._now = cost_of(asked, best, None)
        self._ways = self._ordered()
        self._number = {taken: n for n, taken in enumerate(self._ways, 1)}
        self._tidying = deadline.part(_TIDYING)
        self._late = not self._play_first()

    # ---- what is not decided yet

    def _settle(self, deadline: Deadline) -> None:
        """Ask what the sets that are listed first cost, and whether they are smallest, where that is open."""
        for taken in list(self._ordered())[: self._limit]:
            try:
                with until(deadline):
                    self._within.settle(taken)
            except TimeUp:
                break
            if deadline.left > 0:
                way = self._known.find(self._members.others(taken), deadline.part(_SHARE), cheapest=True)
                if way.status == "found":
                    self._within.learn(self._members.bits(way.takes))

    def _ordered(self) -> dict[int, ObjectiveWay]:
        """All winning sets, each with its way: the cheapest first, then the smallest, then in the game's order."""
        ways, members = self._known, self._members
        best = ways.known()
        least = best.cost if best is not None and best.cheapest else None
        cheap = [] if least is None else [members.bits(takes) for takes in ways.taken(least)]
        last = [] if self._cheapest is None else self._cheapest.winning
        dearer = [taken for taken in last if not any(own & taken == own != taken for own in cheap)]
        known = {taken: ways.known(members.others(taken)) for taken in (*self._within.winning, *dearer)}
        found = {taken: way for taken, way in known.items() if way is not None and way.status == "found"}
        return dict(sorted(found.items(), key=lambda f: (f[1].cost, f[0].bit_count(), members.places(f[0]))))

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
                with until(self._deadline), grace_period(more):
                    way = self._known.tidied(self._ways[taken], self._tidying)
                    self.played[n] = play(self._asked, way)
            except TimeUp:
                return False
        return True

    # ---- the answer

    def denial(self) -> Denial:
        """The smallest denial sets. Winning sets that show what happens if one is not kept are listed as well."""
        order = sorted(self._within.denial, key=lambda d: (d.bit_count(), self._members.places(d)))
        found: list[DenialSet] = []
        for denied in order[: self._limit]:
            keeps = self._members.named(denied)
            leaks = [self._leak(name, denied) for name in keeps]
            proof = self._known.refuted(frozenset(keeps))
            assert proof is not None
            found.append(DenialSet(keeps, *proof_of(proof.search), tuple(leak for leak in leaks if leak is not None)))
        whole = len(found) == len(order)
        reason = "" if self._within.complete and whole else LISTED if self._within.complete else self._reason
        return Denial(tuple(found), self._within.complete and whole, reason, self._within.complete, len(order))

    def _leak(self, name: str, denied: int) -> Leak | None:
        """A winning set that has one objective of a denial set and no other; one that is listed, if any is."""
        bit = self._members.bits([name])
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
        return frozenset(frozenset(self._members.named(taken)) for taken in self._least)

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
        return WinningSet(n, self._members.named(taken), cost, smallest, self._is_cheapest(cost), self.played[n].plan)

    def _cost(self, taken: int) -> Cost:
        return cost_of(self._asked, self._ways[taken], self._now)

    def _is_cheapest(self, cost: Cost) -> bool:
        return self._now.status == "optimal" and cost.cost == self._now.cost
