"""Tests that `legal` lists exactly the events that a record accepts."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from vclogic.conformance.games import Play
from vclogic.conformance.play import legal_event, random_arguments
from vclogic.conformance.saying import at, claim
from vclogic.model.actions import Event, Schema
from vclogic.model.fluents import State
from vclogic.model.system import System
from vclogic.query.legality import LegalKind
from vclogic.query.replay import state_after

SAMPLED = 3  # moments of the play that are looked at
TRIED = 12  # random events of each kind at each of them
FOUND = 4  # and events that a search finds to be allowed
LISTED = 12  # events that are said to be allowed, of each kind


def test_what_may_be_done_is_what_a_record_accepts(play: Play, rng: Random) -> None:
    """An event is listed if and only if a record accepts it, for all numbers."""
    for game in play.sample(SAMPLED):
        kinds = {k.event: k for k in game.legal().kinds}
        for schema in play.system.events:
            kind = kinds[schema.name]
            claim(
                not kind.left_out,
                f"`legal` does not list the events {schema.name}{at(schema)}: there are too many of them",
            )
            for event in _tried(play.system, game.state, schema, rng):
                listed, accepted = is_listed(kind, event), is_accepted(play.system, game.state, event)
                one, other = ("lists", "refuses") if listed else ("leaves out", "accepts")
                message = f"`legal` {one} {event}{at(schema)}, which a record {other}"
                claim(listed == accepted, f"{message}: does `Schema.asks` ask for what the event does not?")
            for chosen in rng.sample(kind.allowed, min(len(kind.allowed), LISTED)):
                numbers = {n: rng.choice([x for r in ranges for x in r]) for n, ranges in chosen.numbers.items()}
                game.apply(kind.event, **{**chosen.args, **numbers})


def _tried(system: System, state: State, schema: Schema, rng: Random) -> Iterator[Event]:
    yield from (schema.event(random_arguments(schema, rng)) for _ in range(TRIED))
    for _ in range(FOUND):
        event = legal_event(system, state, schema, rng)
        if event is not None:
            yield event
            yield from _next_to(schema, event)


def _next_to(schema: Schema, event: Event) -> Iterator[Event]:
    """The same event with a number one higher and one lower."""
    given = dict(event.args)
    for p in schema.parameters:
        if isinstance(p.domain, range):
            near = (int(given[p.name]) + d for d in (-1, 1))
            yield from (schema.event({**given, p.name: n}) for n in near if n in p.domain)


def is_listed(kind: LegalKind, event: Event) -> bool:
    """True if an event is listed as allowed."""
    given = dict(event.args)
    return any(
        all(given[n] == v for n, v in a.args.items())
        and all(any(lo <= int(given[n]) <= hi for lo, hi in ranges) for n, ranges in a.numbers.items())
        for a in kind.allowed
    )


def is_accepted(system: System, state: State, event: Event) -> bool:
    """True if a record accepts an event."""
    return state_after(system, state, event) is not None
