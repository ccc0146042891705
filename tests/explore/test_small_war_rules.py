"""The rule sets of random small games against plain Python: what is legal, what it does, who wins."""

from __future__ import annotations

from random import Random

import pytest

from tests.oracles.best_play import positions
from tests.oracles.small_wars import Position, Rules
from tests.toys.small_war_rules import rules
from tests.toys.small_wars import war
from vclogic.encode.python.evaluator import interpret
from vclogic.model.actions import Event
from vclogic.model.fluents import State, Value
from vclogic.model.system import System
from vclogic.query.legal.events import Legality
from vclogic.query.replay import state_after

Happened = dict[tuple[Value, ...], tuple[str | None, State | None]]
"""By event: who decides it, and the state after it."""


def state_of(system: System, game: Rules, at: Position) -> State:
    """A position as a state."""
    values = game.values(at)
    return system.layout.state({f: values[f.name] for f in system.layout.fluents})


def legal(system: System, state: State) -> Happened:
    """What is legal, and what it does."""
    found: Happened = {}
    judge = Legality(system, state, None)
    for schema in system.events:
        for allowed in judge.kind(schema, {}).allowed:
            event = Event(schema.name, tuple(allowed.args.items()))
            found[schema.name, *allowed.args.values()] = allowed.actor, state_after(system, state, event)
    return found


def agree(seed: int, *, dice: bool, turns: bool) -> None:
    """Some positions of a game are the same in both."""
    facts = war(seed, dice=dice, turns=turns)
    game, system = Rules(facts), rules(facts)
    found = positions(game.start, game.result, game.events, most=2_000)
    assert found
    for at in Random(seed).sample(list(found.edges), min(6, len(found.edges))):
        state = state_of(system, game, at)
        expected = {event: (who, state_of(system, game, after)) for who, event, after in game.events(at)}
        assert legal(system, state) == expected
        won = {o.side for o in system.outcomes if interpret(o.now, system.layout.slot, state)}
        assert won == {game.won(at)} - {None}


@pytest.mark.parametrize("seed", range(12))
def test_events_and_results_are_those_of_plain_python(seed: int) -> None:
    agree(seed, dice=seed % 3 == 0, turns=seed % 4 != 0)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(12, 400, 97))
def test_events_and_results_are_those_of_plain_python_in_many_games(first: int) -> None:
    for seed in range(first, first + 97):
        agree(seed, dice=seed % 3 == 0, turns=seed % 4 != 0)
