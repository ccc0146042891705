"""The laws of positions of all games: each excludes something that no other one does; what breaks one is refused."""

from __future__ import annotations

from random import Random

import pytest

from tests.fixtures.efforts import effort
from tests.fixtures.games import loaded
from tests.fixtures.pace import MORE, cases
from vclogic.conformance.games import legal_play
from vclogic.conformance.meaning import random_state
from vclogic.encode.python.evaluator import interpret
from vclogic.errors import InputError
from vclogic.game import Game
from vclogic.model.fluents import State
from vclogic.model.rules import Rule
from vclogic.model.system import System
from vclogic.terms.build import and_, not_
from vclogic.terms.term import variables

GAMES = ("okinawa/small", "moscow/small", "napoleonics", "axis_allies", "asl", "asl/points")
BROKEN, TRIED = int(3 * (MORE or 1)), 300


def laws_of(system: System) -> list[Rule]:
    """The laws that exclude something on the board."""
    return [rule for rule in system.laws if not rule.kept.is_const]


def kind(rule: Rule) -> str:
    return rule.name.partition("[")[0]


@pytest.mark.parametrize("name", cases(GAMES, "okinawa/small", "axis_allies"))
def test_each_law_excludes_a_position_that_no_other_law_does(name: str) -> None:
    laws = laws_of(loaded(name).setup.system)
    with effort(600).session() as session:
        for rule in {kind(rule): rule for rule in laws}.values():
            others = [r.kept for r in laws if r is not rule]
            assert session.check(and_(*others), not_(rule.kept)).verdict == "sat", rule.name


def broken(system: System, rule: Rule, state: State, rng: Random) -> State | None:
    """A state that breaks a law: some of the facts that it is about are others; None if none is found."""
    places = [system.layout.slot[v] for v in variables(rule.kept)]
    for _ in range(TRIED):
        other, changed = random_state(system, rng), list(state)
        for place in rng.sample(places, rng.randint(1, min(3, len(places)))):
            changed[place] = other[place]
        if not interpret(rule.kept, system.layout.slot, changed):
            return tuple(changed)
    return None


@pytest.mark.parametrize("name", cases(GAMES, "okinawa/small", "moscow/small", "axis_allies"))
def test_states_that_break_a_law_are_refused(name: str) -> None:
    rng = Random(f"broken {name}" if not MORE else None)
    game = loaded(name)
    system = game.setup.system
    for event, _ in legal_play(system, game.state, rng, 4):
        game = game.apply(event.name, **dict(event.args))
    found = 0
    laws = laws_of(system)
    for rule in {kind(rule): rule for rule in rng.sample(laws, len(laws))}.values():
        for _ in range(BROKEN):
            state = broken(system, rule, game.state, rng)
            if state is not None:
                found += 1
                whole = game.loaded.form.mapping(state)
                with pytest.raises(InputError):
                    game.at_state(whole)
    assert found
    with pytest.raises(InputError):
        Game.load({"game": name, "state": whole})
