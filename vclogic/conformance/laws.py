"""Ground actions of a game, and its invariants."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from vclogic.conformance.play import random_arguments
from vclogic.model.actions import Action, Event, Schema
from vclogic.model.system import System
from vclogic.terms.term import Term

INSTANCES = 8  # ground actions of each schema that are looked at; as many again of those that happened


def invariants(system: System) -> list[Term]:
    """The invariants by which position files are judged."""
    return [r.kept for r in system.invariants]


def instances(
    system: System, schema: Schema, rng: Random, happened: Iterable[Event] = (), most: int = INSTANCES
) -> list[Action]:
    """Some ground actions of a schema, including some that have happened."""
    events = {schema.event(random_arguments(schema, rng)) for _ in range(most)}
    possible = sorted((e for e in happened if e.name == schema.name), key=str)
    events |= set(rng.sample(possible, min(len(possible), INSTANCES)))
    return [system.action(e) for e in sorted(events, key=str)]
