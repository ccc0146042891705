"""The parts that all demands share: games at their start, a random play of each, and how a fault is said."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from random import Random
from typing import Any, NoReturn

from vclogic.encode.python.evaluator import apply, failed
from vclogic.errors import shortened
from vclogic.game import Game
from vclogic.model.actions import Action, Event, Parameter, Schema
from vclogic.model.citation import CitedFunction
from vclogic.model.fluents import State, Value
from vclogic.model.rules import Observable, Outcome, Reading, Rule
from vclogic.model.system import System
from vclogic.terms.atoms import FALSE
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Term

SHOWN = 6
"""So many names of a longer list are said."""


class UnmetDemand(Exception):
    """A game does not do what every game has to do; the text says what is wrong, where, and what to do."""


class NotDecided(Exception):
    """It is not known if a game does so; the text says what was not found out."""


def fails(message: str) -> NoReturn:
    """End a test with what is wrong.

    Raises:
        Unmet: Always.
    """
    raise UnmetDemand(message)


def claim(holds: object, message: str) -> None:
    """End a test with a message unless something holds."""
    if not holds:
        fails(message)


def named(names: Iterable[object]) -> str:
    """Some names as in a sentence, the first few of many."""
    every = [shortened(str(n), 100) for n in names]
    more = len(every) - SHOWN
    return ", ".join(every[:SHOWN]) + (f" and {more} more" if more > 0 else "")


def at(thing: object) -> str:
    """The place where the game's code makes something, such as ` (rules.py:57)`; empty where it is not known.

    Args:
        thing: A rule, outcome, Reading, kind of event, observable, or function that cites clauses.
    """
    place: tuple[str, int] | None = None
    if isinstance(thing, Rule | Outcome | Reading):
        place = (thing.made[0].file, thing.made[0].line) if thing.made else None
    elif isinstance(thing, CitedFunction):
        place = thing.file, thing.line
    elif isinstance(thing, Schema):
        place = _in_rulebook(thing) or _of_function(thing.instantiate)
    elif isinstance(thing, Observable):
        place = _of_function(thing.term)
    if place is None:
        return ""
    file = os.path.relpath(place[0])
    return f" ({place[0] if file.startswith('..') else file}:{place[1]})"


def _in_rulebook(schema: Schema) -> tuple[str, int] | None:
    """File and line of a kind of event of a text; in Python its function is what a designer looks for."""
    return next(((p.file, p.line) for p in schema.made[:1] if not p.file.endswith(".py")), None)


def _of_function(made: Callable[..., Any]) -> tuple[str, int] | None:
    """File and line of a function of a game; None for one of vclogic's own."""
    while isinstance(made, partial):
        made = made.func
    code = getattr(inspect.unwrap(made), "__code__", None)
    return (code.co_filename, code.co_firstlineno) if code is not None else None


LARGE = 1_600  # members of all Enum fluents together; of a game with more only a short play is looked at
EVENTS = 20  # events of a random play
PLAYS = 120  # plays at the most, from one start
STATES = 10  # play must lead to more than so many

INSTANCES = 8  # ground actions of each schema that are looked at; as many again of those that happened


@cache
def loaded(game: str) -> Game:
    """A game at the start of its scenario: all tests look at the same one."""
    return Game.load(game)


@cache
def size(game: str) -> int:
    """The number of members of all Enum fluents together, each of which is a Boolean for z3."""
    fluents = loaded(game).setup.system.layout.fluents
    return sum(len(f.sort.members) for f in fluents if isinstance(f.sort, EnumSort))


@dataclass(frozen=True)
class RandomPlay:
    """The games along some random plays from one start, including the start."""

    games: tuple[Game, ...]

    @property
    def start(self) -> Game:
        """Before anything happened."""
        return self.games[0]

    @property
    def system(self) -> System:
        """The rule set."""
        return self.start.setup.system

    def sample(self, count: int) -> list[Game]:
        """Some of the games, evenly spread, including the first and the last."""
        last = len(self.games) - 1
        return [self.games[i] for i in sorted({round(k * last / (count - 1)) for k in range(count)})]


def random_play(game: Game, rng: Random) -> RandomPlay:
    """Play random legal events, repeatedly from the start, until there are enough and each kind has happened."""
    games, happened = [game], set[str]()
    for n in range(PLAYS):
        enough = len(games) > EVENTS and len({g.state for g in games}) > STATES
        if n > 1 and enough and happened == set(game.setup.system.schemas):
            break
        now = game
        for event, state in legal_play(game.setup.system, game.state, rng, EVENTS, happened):
            now.status()  # what the next game may then take over
            now = now.apply(event.name, **dict(event.args))
            differs = f"{event}: a game and the evaluator come to different states: this is a mistake in vclogic"
            claim(now.state == state, differs)
            games.append(now)
            happened.add(event.name)
    return RandomPlay(tuple(games))


@cache  # pytest makes a fixture anew whenever tests of another game came between
def random_play_of(name: str) -> RandomPlay:
    """The random play of a scenario that all tests look at."""
    return random_play(loaded(name), Random(f"play {name}"))


@lru_cache(maxsize=1)  # one game is tried after the other
def each_choice(start: Game) -> tuple[Game, ...]:
    """A game, then the same with each value of each option and Reading, one at a time."""
    encoding = start.setup.encoding
    choices: dict[str, tuple[int | str, ...]] = {r.name: tuple(r.values) for r in encoding.readings}
    for option in encoding.options:
        allowed = option.values
        choices[option.name] = (min(allowed), max(allowed)) if isinstance(allowed, range) else allowed
        claim(
            option.default in allowed,
            f"the default of the option {option.name}, {option.default}, is none of its values",
        )
    return (start, *(start.with_options(**{name: x}) for name, values in choices.items() for x in values))


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


# ---- random legal play


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
