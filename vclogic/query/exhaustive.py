"""Questions over all events where play can reach few positions: all are looked at, before a solver is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vclogic.clock import TimeUp, until
from vclogic.encode.grounding import Admits, relevant
from vclogic.encode.influence import TooManyToBuild
from vclogic.missing_libraries import libraries_missing
from vclogic.model.actions import Event
from vclogic.model.grounded import Grounded, number_of
from vclogic.query.plan_request import Ask
from vclogic.solve import budgets
from vclogic.solve.problem import Proof
from vclogic.solve.searches import all_positions
from vclogic.terms.term import Term


@dataclass(frozen=True)
class Looked:
    """The result of a look at all positions.

    Attributes:
        events: The events that were looked at: those that bear on the goal.
        record: The fewest of them that lead to the goal; None: none do.
        proof: The proof that none do; None where only records of at most so many events were asked for.
    """

    events: Sequence[Grounded]
    record: tuple[Event, ...] | None
    proof: Proof | None


def positions_of(ask: Ask, goal: Term, admits: Admits) -> Looked | None:
    """Look at all positions that play can reach; None if there are too many of them, or too many events.

    Args:
        goal: Bool, over fluents.
        admits: Which events may happen.
    """
    most = all_positions.MOST_EVENTS
    if libraries_missing() or number_of(ask.system.events) > most:
        return None
    from vclogic.explore.events import TooManyEvents, each_number  # needs NumPy

    try:
        with until(ask.effort.deadline.part(1.0, budgets.GROUNDING)):
            bearing = relevant(ask.system, [goal], admits, start=ask.state, most=most)
            events = each_number(bearing, 2 * most)
    except (TooManyToBuild, TooManyEvents, TimeUp):
        return None
    asked = ask.system.layout, ask.state, goal, events
    found = all_positions.look_at_all(*asked, ask.effort, ask.within)
    if found is None:
        return None
    proof = None if found.record is not None else all_positions.proved(*asked, found, ask.effort)
    return Looked(bearing, found.record, proof)
