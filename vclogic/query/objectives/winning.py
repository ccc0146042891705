"""Winning sets, landmarks and denial sets: each with its plan or its proof.

What one part asks serves the others: each way shows a winning set and bounds what others cost, and each proof that
there is no way shows what denies.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from vclogic.clock import Deadline, TimeUp, until
from vclogic.query.objectives.answer import Cost, Denial, Landmark, Landmarks, Winning
from vclogic.query.objectives.known_ways import KnownWays, proof_of
from vclogic.query.objectives.listing import Enumerated, ListedSets
from vclogic.query.objectives.plans import PlayedWay, cost_of
from vclogic.query.objectives.question import ObjectivesQuestion
from vclogic.query.objectives.sets import Answer, Dual, Taken
from vclogic.query.objectives.ways import Way, Ways


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
    best: Way


def parts(asked: ObjectivesQuestion, ways: Ways, best: Way, deadline: Deadline) -> Parts:
    """Winning sets, landmarks and denial sets, as far as time allows.

    Args:
        asked: The question, with its horizon.
        ways: Answers it.
        best: The cheapest way of all, or why there is none.
    """
    if best.status != "found":
        return _without_plan(asked, best)
    known = KnownWays(asked, ways, best)
    needed = landmarks(known, deadline.part(0.4))
    sets = enumerated(known, deadline)
    if needed.open:  # the sets may have shown what was open
        needed = landmarks(known, deadline.part(0.4))
    listing = ListedSets(known, sets, deadline)
    denial = listing.denial()
    return Parts(
        listing.winning(), needed, denial, listing.played, listing.cheapest, listing.all_cheapest, known.best
    )


def winning(asked: ObjectivesQuestion, ways: Ways, deadline: Deadline) -> tuple[Cost, Winning]:
    """The cost of the cheapest plan, and the winning sets, as far as time allows.

    Args:
        asked: The question, with its horizon.
        ways: Answers it.
    """
    best = ways.find(frozenset(), deadline.part(0.6), cheapest=True)
    if best.status != "found":
        return cost_of(asked, best, None), _without_plan(asked, best).winning
    known = KnownWays(asked, ways, best)
    found = ListedSets(known, enumerated(known, deadline), deadline).winning()
    return cost_of(asked, known.best, None), found


def _without_plan(asked: ObjectivesQuestion, best: Way) -> Parts:
    """The parts where there is no plan, or none is known."""
    none, reason = best.status == "none", best.search.reason
    left = () if none else tuple(o.name for o in asked.new)
    sets, needed = Winning((), none, none, reason, all_found=none), Landmarks((), left, reason)
    return Parts(sets, needed, Denial((), none, reason, all_found=none), {}, frozenset(), none, best)


# ---- what every plan takes


def landmarks(known: KnownWays, deadline: Deadline) -> Landmarks:
    """The objectives that every plan takes.

    Args:
        known: What is known; a way is.
    """
    found: list[Landmark] = []
    left: list[str] = []
    for o in known.asked.new:
        if any(o.name not in way.takes for way in known.found):
            continue
        proof = known.none.get(frozenset({o.name}))
        way = known.ask(frozenset({o.name}), deadline) if proof is None else Way("none", proof)
        if way.status == "none":
            found.append(Landmark(o.name, o.main, *proof_of(way.search)))
        elif way.status == "unknown":
            left.append(o.name)
    return Landmarks(tuple(found), tuple(left), known.reason if left else "")


# ---- sets


def enumerated(known: KnownWays, deadline: Deadline) -> Enumerated:
    """The winning and denial sets, as far as time allows.

    Args:
        known: What is known; a way is.
    """
    within = _run(known, None, known.denying(), [known.bits(w.takes) for w in known.found], deadline.part(0.7))
    least = known.least
    if least is None:
        return Enumerated(within, None)
    none = [*known.denying(), *known.dearer(least)]
    return Enumerated(within, _run(known, least, none, known.cheap(least), deadline.part(0.7)))


def _run(known: KnownWays, most: int | None, none: list[int], won: list[int], deadline: Deadline) -> Dual:
    def ask(closed: int) -> Answer:
        way = known.ask(frozenset(known.named(closed)), deadline, most=most)
        if way.status != "found":
            return way.status
        return Taken(known.bits(way.takes), lean=way.search.cost == way.search.lower_bound)

    dual = Dual(len(known.names), ask, none, won)
    with suppress(TimeUp), until(deadline):
        dual.run()
        before = len(dual.open) + 1
        while 0 < len(dual.open) < before:  # some questions had little time
            before = len(dual.open)
            dual.reopen()
            dual.run()
    return dual
