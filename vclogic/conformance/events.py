"""Tests of events: `legal` lists those that a record accepts, who decides them is declared, each kind can happen."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from vclogic.clock import Deadline
from vclogic.conformance.games import (
    EVENTS,
    LARGE,
    PLAYS,
    NotDecided,
    RandomPlay,
    at,
    claim,
    fails,
    instances,
    legal_event,
    named,
    random_arguments,
    random_play_of,
    size,
)
from vclogic.encode.grounding import relevant
from vclogic.encode.python.evaluator import apply, interpret
from vclogic.files.record import RecordStep
from vclogic.files.registry import scenario_names
from vclogic.model.actions import Action, Event, Schema
from vclogic.model.fluents import State
from vclogic.model.step_text import decider
from vclogic.model.system import System
from vclogic.query.legal.answer import LegalKind
from vclogic.query.reach.record_search import of_given_events
from vclogic.query.replay import play_record, state_after
from vclogic.terms.build import all_of, eq
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Term, variables

SAMPLED = 3  # moments of the play that are looked at
TRIED = 12  # random events of each kind at each of them
FOUND = 4  # and events that a search finds to be allowed
LISTED = 12  # events that are said to be allowed, of each kind


def test_play_goes_on(play: RandomPlay) -> None:
    """Something can be played from the start that changes the position."""
    reached = len({g.state for g in play.games})
    steps = f"of {PLAYS * EVENTS:,} steps from the start of {play.start.setup.game}"
    claim(reached > 1, f"no random play {steps} changes anything: do the needs of events refuse too much?")


def test_what_may_be_done_is_what_a_record_accepts(play: RandomPlay, rng: Random) -> None:
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


ON_TURN = ("the side on turn", "the power on turn")
UNDECIDED = ("nobody", "both")  # what a declaration says where some or all of its events have no one who decides


def test_who_decides_is_as_declared(play: RandomPlay, rng: Random) -> None:
    """Nobody decides events that are declared as forced, and somebody decides all others."""
    happened = {e for g in play.games for e in g.history}
    for schema in play.system.events:
        for action in instances(play.system, schema, rng, happened):
            if _as_declared(play.system, schema, action):
                continue
            said = f"is decided by {action.actor}" if action.actor is not None else "is decided by nobody"
            meant = f"decided_by={schema.decided_by!r}" if schema.decided_by else "no decided_by"
            help = "let `Action.actor` be a side or power, or None, as `Schema.decided_by` says"
            message = f"{action.key} {said}, but {schema.name}{at(schema)} has {meant}: {help}"
            fails(message)


def _as_declared(system: System, schema: Schema, action: Action) -> bool:
    if action.actor is None:
        return schema.forced or any(word in schema.decided_by for word in UNDECIDED)
    if isinstance(action.actor, Term):
        known = isinstance(action.actor.sort, EnumSort) and any(map(system.side_of, action.actor.sort.members))
    else:
        known = system.side_of(action.actor) is not None
    return known and not schema.forced


def test_what_is_decided_on_turn_happens_in_that_turn(play: RandomPlay) -> None:
    """If a schema says that the side or power on turn decides, the actor is on turn."""
    system = play.system
    clock = [*system.schedule, *(f for f in system.layout.fluents if f.name == "turn")]
    turns = [f for f in clock if isinstance(f.sort, EnumSort) and any(map(system.side_of, f.sort.members))]
    for earlier, later in pairwise(play.games):
        if later.history[:-1] != earlier.history:
            continue  # another play begins
        event, values = later.history[-1], system.layout.values(earlier.state)
        who = decider(system.action(event).actor, values)
        if system.schemas[event.name].decided_by.startswith(ON_TURN):
            now = named(values[t] for t in turns)
            help = "let a requirement ask whose turn it is, or declare another `decided_by`"
            place = at(system.schemas[event.name])
            message = f"{event} is decided by {who} in the turn of {now or 'nobody'}{place}: {help}"
            claim(who in [values[t] for t in turns], message)
        elif who is not None:
            message = f"{event} is decided by {who}, who is no side or power: {named(system.sides)} are"
            claim(system.side_of(who) is not None, message)


def test_what_a_value_asks_every_event_with_it_asks(play: RandomPlay, rng: Random) -> None:
    """`Schema.asks` refuses nothing that the requirements allow: it fails only where they do."""
    slot, states = play.system.layout.slot, [game.state for game in play.sample(SAMPLED)]
    happened = {e for g in play.games for e in g.history}

    def refuses(asked: Term, needed: Set[Term]) -> bool:
        """True if it refuses what the requirements allow in some position that was played."""
        return any(interpret(all_of(needed), slot, s) and not interpret(asked, slot, s) for s in states)

    for schema in play.system.events:
        for action in instances(play.system, schema, rng, happened):
            needed, given = {r.term for r in action.requirements}, dict(action.args)
            for names, asks in schema.asks.items():
                values = [str(given[n]) for n in ((names,) if isinstance(names, str) else names)]
                more = [
                    r.name or r.message for r in asks(*values) if r.term not in needed and refuses(r.term, needed)
                ]
                if more:
                    said = f"`Schema.asks` of {schema.name}{at(schema)} asks for more than {action.key} does"
                    fails(
                        f"{said}: {named(more)}; put it among the requirements of the event, or take it out of `asks`"
                    )


TRIES = 4  # events of a kind, in each scenario
EXCEPTIONS = 3  # events of a game at the most that need not happen, each with the reason
CANNOT_HAPPEN = "VC206"
LOOKING = 20.0  # seconds to look for play to events that random play did not use, in each scenario


@dataclass(frozen=True)
class SeenEffect:
    """The effect of an event of a play, as a goal.

    Attributes:
        event: The event in words.
        before: The state before it.
        goal: The changed fluents have their new values.
    """

    event: str
    before: State
    goal: Term


def effects(play: RandomPlay, event: str) -> Iterator[SeenEffect]:
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
            yield SeenEffect(str(last), before, all_of(eq(f, now[f]) for f in changed))


def occurs(play: RandomPlay, event: str, effect: SeenEffect, state: State, *, alone: bool = False) -> bool:
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


def happens(play: RandomPlay, event: str) -> bool:
    """True if some event of a kind occurs in a witness for its effect.

    It is tried from the start of the scenario, then from the state before the event (the effect may hold at the
    start, such as a unit being unbroken), then without other kinds of events that have the same effect.
    """
    tried = list(effects(play, event))[:TRIES]
    for effect in tried:
        for state in dict.fromkeys((play.start.state, effect.before)):
            if occurs(play, event, effect, state):
                return True
        if occurs(play, event, effect, effect.before, alone=True):
            return True
    return not tried  # it changes nothing that could be a goal


def test_every_event_can_happen(encoding: str, never: Mapping[str, Mapping[str, str]]) -> None:
    """Every kind of event can happen in some play.

    Where no random play used it, `check` looks for one (VC206). A module may name up to three events of a game that
    cannot happen, with the reason: `NEVER = {"my_game": {"storm": "no scenario has a fortress"}}`.
    """
    spared, plays = never.get(encoding, {}), _plays(encoding)
    claim(
        len(spared) <= EXCEPTIONS,
        f"NEVER names {len(spared)} events of {encoding}; at most {EXCEPTIONS} may stand there",
    )
    claim(all(spared.values()), "NEVER names events without the reason: say why no position brings them about")
    names = {name: schema for play in plays for name, schema in play.system.schemas.items()}
    unknown = [name for name in spared if name not in names]
    claim(not unknown, f"NEVER names {named(unknown)}, which is no event of {encoding}: take it out")
    asked = {n: s for n, s in names.items() if s.made and n not in spared and not any(n in used(p) for p in plays)}
    looked = [(p, p.start.check(select=[CANNOT_HAPPEN], timeout=LOOKING)) for p in plays] if asked else []
    found = {n: [f for _, checked in looked for f in checked.open if f.rule == n] for n in asked}
    lacking = [n for n in asked if len(found[n]) == sum(n in p.system.schemas for p in plays)]
    said = "; ".join(f"{found[n][0].message}{at(names[n])}" for n in lacking)
    claim(not lacking, f"{said}: let it need less, or take it out")
    open_ = [said for _, checked in looked if (said := checked.play.partition("; not decided: ")[2])]
    if open_:
        raise NotDecided(named(dict.fromkeys(open_)))


def _plays(encoding: str) -> list[RandomPlay]:
    """Random plays of the smaller scenarios of a game."""
    scenarios = [f"{encoding}/{s}" for s in scenario_names(encoding)]
    smallest = min(scenarios, key=size)
    return [random_play_of(s) for s in scenarios if s == smallest or size(s) <= LARGE]


def used(play: RandomPlay) -> set[str]:
    """The kinds of events that happen in a play."""
    return {e.name for g in play.games for e in g.history}


def test_every_event_occurs_in_a_witness(encoding: str) -> None:
    """Each kind of event that random play uses is found when its effect is the goal."""
    plays = _plays(encoding)
    schemas = {name: s for play in plays for name, s in play.system.schemas.items()}
    played = [n for n in schemas if any(n in used(p) for p in plays)]
    missing = [n for n in played if not any(n in used(p) and happens(p, n) for p in plays)]
    places = named(f"{name}{at(schemas[name])}" for name in missing)
    help = "does `Schema.touches` or `Schema.asks` leave something out? if not, it is a mistake in vclogic"
    claim(not missing, f"no play to the effect of the event {places} is found, but random play comes to it: {help}")
