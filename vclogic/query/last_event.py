"""Evaluate statements about the last event of a record in Python, from the states before and after it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from vclogic.clock import look
from vclogic.encode.evaluator import apply, failed, interpret
from vclogic.encode.grounding import Admits, changing, places
from vclogic.model.actions import Event
from vclogic.model.event_terms import Acting, Earlier, Happening, Meaning, Spoken
from vclogic.model.fluents import State, Value
from vclogic.model.grounded import Grounded, choices
from vclogic.model.step_text import decider
from vclogic.model.system import System
from vclogic.query.replay import ReplayError
from vclogic.terms.atoms import FALSE
from vclogic.terms.build import and_
from vclogic.terms.term import Term


class Judge:
    """Evaluates a statement for events; independent of the encoding for solvers.

    Args:
        system: The rule set.
        spoken: The statement.
    """

    def __init__(self, system: System, spoken: Spoken):
        self._system = system
        self._spoken = spoken
        places = {v: len(system.layout.fluents) + i for i, v in enumerate(spoken.meanings)}
        self._slot = {**system.layout.slot, **places}

    def at_start(self, state: State) -> bool:
        """True if the goal holds before any event."""
        values = [
            state[self._slot[m.fluent]] if isinstance(m, Earlier) else 0 for m in self._spoken.meanings.values()
        ]
        return bool(interpret(self._spoken.term, self._slot, (*state, *values)))

    def holds(self, before: State, event: Event, after: State) -> bool:
        """True if the goal holds after an event.

        Args:
            before: The state before the event.
            after: The state after it.
        """
        values = [self._value(m, before, event) for m in self._spoken.meanings.values()]
        return bool(interpret(self._spoken.term, self._slot, (*after, *values)))

    def until_shown(self, state: State, events: Iterable[Event]) -> tuple[Event, ...]:
        """The prefix of a record up to the first event that satisfies it.

        Args:
            state: The state before the record.
            events: The record.

        Raises:
            ReplayError: An event breaks a rule, or none satisfies it.
        """
        made: list[Event] = []
        for event in events:
            action = self._system.action_in(state, event)
            if failed(self._system, state, action):
                raise ReplayError(f"{event} is not legal")
            after = apply(self._system, state, action)
            made.append(event)
            if self.holds(state, event, after):
                return tuple(made)
            state = after
        raise ReplayError("no event of the record shows the goal")

    def _value(self, meaning: Meaning, before: State, event: Event) -> int:
        if isinstance(meaning, Earlier):
            return before[self._slot[meaning.fluent]]
        if isinstance(meaning, Happening):
            given = dict(event.args)
            return int(meaning.event in (None, event.name) and all(given[name] == x for name, x in meaning.given))
        return int(self._decided(meaning, before, event))

    def _decided(self, meaning: Acting, before: State, event: Event) -> bool:
        who = decider(self._system.action(event).actor, self._system.layout.values(before))
        powers = self._system.sides.get(meaning.name, ())
        return who is not None and (who == meaning.name or who in powers)


# ---- the events that may show it


@dataclass(frozen=True)
class Shown:
    """An event that may satisfy a statement.

    Attributes:
        event: The event.
        when: Bool, over the state before it and its open numbers: it is allowed and satisfies the statement.
    """

    event: Grounded
    when: Term


def showing(system: System, spoken: Spoken, admits: Admits, most: int) -> list[Shown] | None:
    """Every event that may satisfy a statement from some state.

    Args:
        spoken: The statement.
        admits: Which events may happen, and what they need.
        most: The largest number of events.

    Returns:
        The events; None if there are more.
    """
    where = places(system.layout)
    chosen: dict[tuple[str, tuple[Value, ...]], dict[str, Value]] = {}
    for schema in (s for s in system.events if spoken.may_be(s.name, {})):
        # A statement that may hold though nothing changes asks about every event; else about those of its facts.
        still = spoken.may_be(schema.name, {}, still=True)
        for given in [{}] if still else changing(schema, spoken.fluents, where):
            for args in choices(schema, given):
                look()
                if spoken.may_be(schema.name, args):
                    chosen[schema.name, tuple(args.values())] = args
                if len(chosen) > most:
                    return None
    found = []
    for (name, _), args in chosen.items():
        schema = system.schemas[name]
        g = system.opened(schema, args)
        says = spoken.of(schema.name, {**args, **g.numbers}, g.action)
        action = None if says is FALSE else admits(schema, g.action)
        when = FALSE if action is None else and_(action.guard, says)
        if action is not None and when is not FALSE:
            found.append(Shown(replace(g, action=action), when))
    return found
