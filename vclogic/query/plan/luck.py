"""Chance in a plan: how likely the events are that dice or cards have to bring as the plan has them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import prod

from vclogic.encode.python.evaluator import apply, failed, interpret
from vclogic.model.actions import Action, Event
from vclogic.model.fluents import State
from vclogic.model.grounded import events_of
from vclogic.model.system import System
from vclogic.terms.term import Term
from vclogic.words import amount, percent

MOST = 2_000
"""Kinds of events of more cases than so many are not counted out."""

NOT_COUNTED = "the time was up before it was seen whether chance decides events of the plan"


def said_of_chance(system: System, state: State, events: Sequence[Event]) -> str:
    """The events of a record that chance decides, with how likely they are; empty: there are none.

    Args:
        state: The state before the record.
        events: The record, each event of which the rules accept.
    """
    kinds = [name for name in dict.fromkeys(e.name for e in events) if _by_chance(system, name)]
    if not kinds:
        return ""
    found: list[Fraction | None] = []
    for event in events:
        action = system.action_in(state, event)
        if action.odds is not None:
            found.append(_chance(system, state, action))
        state = apply(system, state, action)
    begin = f"chance decides {amount(len(found), 'event')} of the plan as serves it"
    known = [chance for chance in found if chance is not None]
    if len(known) < len(found):
        return begin
    whole = prod(known, start=Fraction(1))
    together = "" if len(found) == 1 else "all of them together "
    return f"{begin}: {together}{_told(whole)}"


def _told(chance: Fraction) -> str:
    """A probability for players, such as `1 in 6`."""
    if chance.numerator == 1:
        return f"1 in {chance.denominator:,}"
    return f"{percent(chance)}"


def _by_chance(system: System, name: str) -> bool:
    """True if chance decides the events of a kind."""
    if system.schemas[name].viewed:
        return False
    return next((a.odds is not None for a in _each(system, name)), False)


def _each(system: System, name: str) -> Iterator[Action]:
    return map(system.action, events_of(system.schemas[name]))


def _chance(system: System, state: State, action: Action) -> Fraction | None:
    """The probability of an event where it happens; None: there are too many others."""
    whole = 0
    for schema in system.events:
        if not _by_chance(system, schema.name):
            continue
        if prod(len(p.values) for p in schema.parameters) > MOST:
            return None
        whole += sum(_weight(system, state, a) for a in _each(system, schema.name) if not failed(system, state, a))
    own = _weight(system, state, action)
    return Fraction(own, whole) if own and whole else None


def _weight(system: System, state: State, action: Action) -> int:
    """How often an event is drawn; 0 where its weight is not positive, as in play."""
    odds = action.odds
    return max(interpret(odds, system.layout.slot, state) if isinstance(odds, Term) else odds or 0, 0)
