"""Questions about few positions: all that play can reach are looked at, before a solver is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from vclogic.clock import TimeUp, until
from vclogic.encode.grounding import Admits, relevant
from vclogic.encode.influence import TooMany
from vclogic.model.actions import Event
from vclogic.model.grounded import Grounded, number_of
from vclogic.query.plan_request import Ask
from vclogic.solve import budgets
from vclogic.solve.problem import Proof
from vclogic.terms.term import Term

if TYPE_CHECKING:
    from vclogic.explore.events import Possible

Array = Any
"""A NumPy array."""
EXHAUSTIVE = "exhaustive"
_EVENTS = 3_000  # of the rules, of which those that bear on a goal are soon built
_NUMBERED = 6_000  # of these with every number
_GLANCE = 200_000  # positions that are looked at in any case
_POSITIONS = 30_000_000  # that are looked at if there cannot be many more
_MEMORY = 1_500_000_000  # bytes


@dataclass(frozen=True)
class Looked:
    """What a look at all positions gave.

    Attributes:
        events: The events that were looked at: those that bear on the goal.
        record: The fewest of them that lead to the goal; None: none do.
        proof: The proof that none do; None where the search was ended by the largest number of events.
        depth: So many events were looked at.
    """

    events: Sequence[Grounded]
    record: tuple[Event, ...] | None
    proof: Proof | None
    depth: int


def look_at_all(ask: Ask, goal: Term, admits: Admits) -> Looked | None:
    """Look at all positions that play can reach; None if there are too many of them, or too many events.

    Args:
        ask: The question.
        goal: Bool, over fluents.
        admits: Which events may happen.
    """
    if number_of(ask.system.events) > _EVENTS:
        return None
    from vclogic.explore.events import TooManyEvents, possible_of  # needs NumPy

    ask.progress("looking at all positions")
    try:
        with until(ask.effort.deadline.part(1.0, budgets.GROUNDING)):
            events = relevant(ask.system, [goal], admits, start=ask.state, most=_EVENTS)
            plain, here = possible_of(ask.system, ask.state, events, _NUMBERED)
    except (TooMany, TooManyEvents, TimeUp):
        return None
    return _searched(ask, goal, events, plain, here)


def _searched(
    ask: Ask, goal: Term, events: Sequence[Grounded], plain: Sequence[Possible], here: Sequence[Possible]
) -> Looked | None:
    from vclogic.explore.shortest import shortest, size_of

    system, state = ask.system, ask.state
    limits = [(_GLANCE, budgets.GLANCE_AT_POSITIONS)]
    if size_of(system, state, here) <= _POSITIONS:
        limits.append((_POSITIONS, ask.effort.deadline.left * budgets.POSITIONS_SHARE))
    for most, seconds in limits:
        try:
            with until(ask.effort.deadline.part(1.0, seconds)):
                found = shortest(system, state, goal, here, most=most, memory=_MEMORY, within=ask.within)
        except TimeUp:
            continue
        if found.record is not None or found.exhausted or not found.reason:
            break
    else:
        return None
    proof = None
    if found.exhausted:
        proof = Proof(EXHAUSTIVE, positions=len(found.states), rechecked=_confirmed(ask, goal, plain, found.states))
    return Looked(events, found.record, proof, found.depth)


def _confirmed(ask: Ask, goal: Term, events: Sequence[Possible], states: Array) -> bool:
    """Whether a look at each position by itself, in the time that there is for it, confirms an exhausted set."""
    from vclogic.explore.recheck import closed

    ask.progress("looking at each position once more")
    try:
        with until(ask.effort.deadline.part(budgets.POSITIONS_SHARE, budgets.RECHECKED_POSITIONS)):
            confirmed = closed(ask.system.layout, ask.state, states, events, goal)
    except TimeUp:
        return False
    if not confirmed:
        raise AssertionError("an event leads out of all positions that play can reach")
    return True
