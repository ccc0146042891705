"""Tests that every kind of event occurs in a witness of `reach` for its own effect."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from vclogic.clock import Deadline
from vclogic.conformance.games import LARGE, Play, random_play_of, size
from vclogic.conformance.saying import at, claim, named
from vclogic.encode.evaluator import apply, interpret
from vclogic.encode.grounding import relevant
from vclogic.files.record import RecordStep
from vclogic.files.registry import scenario_names
from vclogic.model.fluents import State
from vclogic.query.record_search import of_given_events
from vclogic.query.replay import play_record
from vclogic.terms.build import all_of, eq
from vclogic.terms.term import Term, variables

TRIES = 4  # events of a kind, in each scenario
EXCEPTIONS = 3  # events of a game at the most that need not occur, each with the reason


@dataclass(frozen=True)
class Effect:
    """The effect of an event of a play, as a goal.

    Attributes:
        event: The event in words.
        before: The state before it.
        goal: The changed fluents have their new values.
    """

    event: str
    before: State
    goal: Term


def effects(play: Play, event: str) -> Iterator[Effect]:
    """The effects of the events of a kind in a play, the earliest first; events without effect are left out."""
    system = play.system
    happened = [g for g in play.games if g.history and g.history[-1].name == event]
    for game in sorted(happened, key=lambda g: len(g.history)):
        *earlier, last = game.history
        before = play.start.state
        for e in earlier:
            before = apply(system, before, system.action(e))
        now = system.layout.constants(game.state)
        was = system.layout.constants(before)
        changed = [f for f, _ in system.action(last).effects if now[f] is not was[f]]
        if changed:
            yield Effect(str(last), before, all_of(eq(f, now[f]) for f in changed))


def occurs(play: Play, event: str, effect: Effect, state: State, *, alone: bool = False) -> bool:
    """True if a kind of event occurs in the witness of `reach` for its effect, which must be a record.

    Args:
        play: A play of the game.
        event: The kind of event.
        effect: The goal.
        state: The start.
        alone: Whether other kinds of events that change the goal's fluents are excluded.
    """
    system = play.system
    events = relevant(system, [effect.goal], lambda schema, action: action.under_assumptions)
    if alone:
        spoken = set(variables(effect.goal))
        events = [g for g in events if g.schema.name == event or spoken.isdisjoint(f for f, _ in g.action.effects)]
    way = of_given_events(system, events, effect.goal).find(state, Deadline(math.inf))
    if way is None:
        return False
    end = play_record(system, state, [RecordStep(e) for e in way])
    message = f"what `reach` found for {effect.event} has not its effect when it is played: a mistake in vclogic"
    claim(interpret(effect.goal, system.layout.slot, end), message)
    return any(e.name == event for e in way)


def happens(play: Play, event: str) -> bool:
    """True if some event of a kind occurs in a witness for its effect.

    It is tried from the start of the scenario, then from the state before the event (the effect may hold at the
    start, such as a unit being unbroken), then without other kinds of events that have the same effect.
    """
    for effect in list(effects(play, event))[:TRIES]:
        for state in dict.fromkeys((play.start.state, effect.before)):
            if occurs(play, event, effect, state):
                return True
        if occurs(play, event, effect, effect.before, alone=True):
            return True
    return False


def test_every_event_occurs_in_a_witness(encoding: str, request: pytest.FixtureRequest) -> None:
    """Each event of a game occurs when its own effect is the goal, in one of its smaller scenarios.

    A module may name up to three events of a game that do not, with the reason:
    `NEVER = {"my_game": {"storm": "no scenario has a fortress"}}`.
    """
    never = getattr(request.module, "NEVER", {}).get(encoding, {})
    claim(
        len(never) <= EXCEPTIONS,
        f"NEVER names {len(never)} events of {encoding}; at most {EXCEPTIONS} may stand there",
    )
    claim(all(never.values()), "NEVER names events without the reason: say why no position brings them about")
    scenarios = [f"{encoding}/{s}" for s in scenario_names(encoding)]
    smallest = min(scenarios, key=size)
    plays = [random_play_of(s) for s in scenarios if s == smallest or size(s) <= LARGE]
    names = {name for play in plays for name in play.system.schemas}
    unknown = [name for name in never if name not in names]
    claim(not unknown, f"NEVER names {named(unknown)}, which is no event of {encoding}: take it out")
    missing = {n for n in names - set(never) if not any(n in p.system.schemas and happens(p, n) for p in plays)}
    help = "does a requirement never hold? if no scenario brings it about, list it under NEVER in the test file"
    schemas = {name: s for play in plays for name, s in play.system.schemas.items()}
    places = named(f"{name}{at(schemas[name])}" for name in sorted(missing))
    claim(not missing, f"no play leads to the effect of the event {places}: {help}")
