"""Tests of who decides what happens: what schemas declare is what their ground actions say."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from vclogic.conformance.games import Play
from vclogic.conformance.laws import instances
from vclogic.conformance.saying import at, claim, fails, named
from vclogic.model.actions import Action, Schema
from vclogic.model.step_text import decider
from vclogic.model.system import System
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Term

ON_TURN = ("the side on turn", "the power on turn")
UNDECIDED = ("nobody", "both")  # what a declaration says where some or all of its events have no one who decides


def test_who_decides_is_as_declared(play: Play, rng: Random) -> None:
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


def test_what_is_decided_on_turn_happens_in_that_turn(play: Play) -> None:
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


def test_what_a_value_asks_every_event_with_it_asks(play: Play, rng: Random) -> None:
    """`Schema.asks` refuses nothing that the requirements allow."""
    happened = {e for g in play.games for e in g.history}
    for schema in play.system.events:
        for action in instances(play.system, schema, rng, happened):
            needed, given = {r.term for r in action.requirements}, dict(action.args)
            for name, asks in schema.asks.items():
                more = [r.name or r.message for r in asks(str(given[name])) if r.term not in needed]
                if more:
                    said = f"`Schema.asks` of {schema.name}{at(schema)} asks for more than {action.key} does"
                    fails(
                        f"{said}: {named(more)}; put it among the requirements of the event, or take it out of `asks`"
                    )
