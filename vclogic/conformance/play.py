"""Random legal play of any game: a local search finds events that the rules allow."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from random import Random

from vclogic.encode.evaluator import apply, failed
from vclogic.model.actions import Event, Parameter, Schema
from vclogic.model.fluents import State, Value
from vclogic.model.system import System
from vclogic.terms.atoms import FALSE

NEAR = 8  # numbers are drawn mostly from the first few of their range
WIDE = 6  # numbers tried for a parameter, beside the first ones
SWEEPS = 3  # rounds through the parameters
EAGER = 0.5  # how often a kind of event that has not happened yet is tried before the others
NEVER = 100  # how much worse a requirement that no state meets is than one that some state does


def random_value(parameter: Parameter, rng: Random) -> Value:
    """Any value for a parameter, a small number rather than a large one."""
    domain = parameter.domain
    if not isinstance(domain, range):
        return rng.choice(domain.sort.members)
    return rng.choice(domain[:NEAR] if rng.random() < 0.8 else domain)


def random_arguments(schema: Schema, rng: Random) -> dict[str, Value]:
    """A random value for each parameter; some optional ones are left out."""
    return {p.name: random_value(p, rng) for p in schema.parameters if p.default is None or rng.random() < 0.7}


def legal_event(
    system: System, state: State, schema: Schema, rng: Random, fixed: Mapping[str, Value] | None = None
) -> Event | None:
    """An event of a kind that is allowed in a state, or None if the search finds none.

    Args:
        rng: Chance.
        fixed: Arguments that it must have.
    """
    fixed = fixed or {}
    event = schema.event({**random_arguments(schema, rng), **fixed})
    event = _descend(system, state, schema, event, fixed, rng)
    return None if _wrong(system, state, event) else event


def _wrong(system: System, state: State, event: Event) -> int:
    """The penalty of an event: its failing requirements, with a large weight for those that can never hold."""
    return sum(NEVER if r.term is FALSE else 1 for r in failed(system, state, system.action(event)))


def _descend(
    system: System, state: State, schema: Schema, event: Event, fixed: Mapping[str, Value], rng: Random
) -> Event:
    """Change one argument after the other, each time to the first value that is better, or else as good.

    Equally good changes let the search leave plateaus.
    """
    free = [p for p in schema.parameters if p.name not in fixed]
    now = _wrong(system, state, event)
    for _ in range(SWEEPS):
        for p in rng.sample(free, len(free)):
            if not now:
                return event
            given = dict(event.args)
            for x in _values(p, rng):
                other = schema.event({**given, p.name: x})
                wrong = _wrong(system, state, other)
                if wrong <= now:
                    event = other
                if wrong < now:
                    now = wrong
                    break
    return event


def _values(parameter: Parameter, rng: Random) -> list[Value]:
    """The values to try for a parameter, shuffled: all names, or some numbers."""
    domain = parameter.domain
    if not isinstance(domain, range):
        return rng.sample(domain.sort.members, len(domain.sort.members))
    numbers = {*domain[:WIDE], *(rng.choice(domain) for _ in range(WIDE))}
    return rng.sample(sorted(numbers), len(numbers))


def next_event(system: System, state: State, rng: Random, happened: Collection[str] = ()) -> Event | None:
    """A legal event in a state, with a preference for kinds that have not happened yet."""
    schemas = rng.sample(system.events, len(system.events))
    if rng.random() < EAGER:
        schemas.sort(key=lambda s: s.name in happened)
    for schema in schemas:
        if event := legal_event(system, state, schema, rng):
            return event
    return None


def legal_play(
    system: System, state: State, rng: Random, length: int, happened: Collection[str] = ()
) -> list[tuple[Event, State]]:
    """Random events from a state on, each allowed, and the state after each.

    Args:
        state: The start.
        rng: Chance.
        length: The number of events; fewer where nothing is allowed any more.
        happened: Kinds of events that need not be preferred.
    """
    found: list[tuple[Event, State]] = []
    seen = set(happened)
    while len(found) < length and (event := next_event(system, state, rng, tuple(seen))):
        state = apply(system, state, system.action(event))
        found.append((event, state))
        seen.add(event.name)
    return found
