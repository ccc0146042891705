"""Many games at once against the same games one by one."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import vclogic
from tests.explore.graph_games import BLUE, RED, GraphGame, Way
from tests.fixtures.in_memory import game_of
from tests.fixtures.pace import examples
from tests.rulebook.making_rulebooks import rulebooks
from tests.rulebook.random_rulebooks import Rulebook
from tests.rulebook.test_random_rulebooks import loaded
from vclogic.encode.python.evaluator import interpret
from vclogic.errors import InputError
from vclogic.game import Game
from vclogic.model.actions import Event

ROOT = Path(__file__).parents[2]
GAMES = 4


def legal_in(game: Game) -> set[str]:
    """The legal events, as their texts."""
    return {str(Event(name, tuple(sorted(given.items())))) for name, given in game.legal().events()}


def sorted_text(event: Event) -> str:
    return str(Event(event.name, tuple(sorted(event.args))))


def compare(game: Game, steps: int) -> None:
    """Play some games at random at once and one by one, and make sure that they are alike after each step."""
    many, single, random = game.many(GAMES), [game] * GAMES, np.random.default_rng(1)
    sides = list(game.sides)
    for _ in range(steps):
        assert many.states.tolist() == [list(g.state) for g in single]
        assert many.over.tolist() == [g.over for g in single]
        assert many.returns.tolist() == [[g.returns[s] for s in sides] for g in single]
        for row, g in enumerate(single):
            if g.over:
                assert not many.legal[row].any()
                continue
            assert {sorted_text(many.events[i]) for i in many.legal[row].nonzero()[0]} == legal_in(g)
            mover = int(many.mover[row])
            assert (sides[mover] if mover >= 0 else None) == g.mover
            check_weights(g, many.weights[row], many.legal[row], many.events)
        drawn = many.draw(random.random(GAMES))
        assert (drawn < 0).tolist() == many.over.tolist()
        single = [
            g if i < 0 else g.apply(many.events[i].name, **dict(many.events[i].args))
            for g, i in zip(single, drawn.tolist(), strict=True)
        ]
        many.apply(drawn)


def check_weights(game: Game, weights: Any, legal: Any, events: tuple[Event, ...]) -> None:
    """The weights of what is legal are those of the rules, where nobody decides and all of it has odds."""
    system = game.setup.system
    actions = [system.action(events[i]) for i in legal.nonzero()[0]]
    chance = bool(actions) and all(a.odds is not None and a.actor is None for a in actions)
    for i, action in zip(legal.nonzero()[0], actions, strict=True):
        odds = action.odds
        known = (
            odds if isinstance(odds, int) else 0 if odds is None else interpret(odds, system.layout.slot, game.state)
        )
        assert weights[i] == (known if chance else 0)
    assert weights[~legal].sum() == 0


@examples(3)
@given(rulebooks(chance=True))
def test_random_rulebooks_are_the_same_at_once_and_one_by_one(book: Rulebook) -> None:
    compare(loaded(book), steps=5)


@pytest.mark.parametrize("name", ["high_card", "mill", "race"])
def test_examples_are_the_same_at_once_and_one_by_one(name: str) -> None:
    compare(vclogic.load(str(ROOT / f"examples/rulebooks/{name}.md")), steps=8)


@pytest.fixture
def race() -> Game:
    return vclogic.load(str(ROOT / "examples/rulebooks/race.md"))


def test_chance_draws_by_weight(race: Game) -> None:
    one, random = race.many(), np.random.default_rng(3)
    while not one.weights.any():
        one.apply(one.draw(random.random(1)))
    assert sorted(one.weights[one.weights > 0]) == [1, 2, 3]
    games = one.take(np.zeros(6000, int))
    drawn = np.bincount(games.draw(random.random(6000)), minlength=len(games.events))
    assert np.abs(drawn / 6000 - one.weights[0] / 6).max() < 0.03


def test_what_is_legal_says_its_weight(race: Game) -> None:
    games, random = race.many(), np.random.default_rng(3)
    at = race
    while not games.weights.any():
        drawn = games.draw(random.random(1))
        assert {a.weight for k in at.legal().kinds for a in k.allowed} == {None}
        at = at.apply(games.events[drawn[0]].name, **dict(games.events[drawn[0]].args))
        games.apply(drawn)
    told = sorted(a.weight or 0 for k in at.legal().kinds for a in k.allowed for _ in a.choices())
    assert told == sorted(games.weights[games.weights > 0])


def test_what_is_not_legal_is_refused_and_nothing_happens(race: Game) -> None:
    games = race.many(2)
    numbers = np.array([games.legal[0].argmax(), (~games.legal[1]).argmax()])
    before = games.states
    with pytest.raises(ValueError, match=r"in game 1 the event .* is not legal"):
        games.apply(numbers)
    assert (games.states == before).all()


def test_some_are_taken_and_others_start_again(race: Game) -> None:
    games = race.many(3)
    first = games.legal[0].argmax()
    games.apply(np.array([first, -1, first]))
    taken = games.take(np.array([2, 2, 1]))
    games.restart(np.array([0]))
    assert (games.states[0] == games.states[1]).all()
    assert (taken.states[0] == games.states[2]).all()
    taken.apply(np.array([-1, -1, first]))
    assert (taken.states[0] == taken.states[2]).all()
    assert (games.states[1] != taken.states[2]).any()


def test_events_have_the_same_numbers_at_every_moment(race: Game) -> None:
    games = race.many()
    event = games.events[int(games.legal[0].argmax())]
    later = race.apply(event.name, **dict(event.args))
    assert later.many().events == games.events


def test_kinds_of_events_are_chosen_or_told(race: Game) -> None:
    kind = race.many().events[0].name
    assert {e.name for e in race.many(kinds=[kind]).events} == {kind}
    with pytest.raises(InputError, match="there is no event"):
        race.many(kinds=["fly"])
    with pytest.raises(InputError, match="name the `kinds` of events that may happen"):
        vclogic.load("axis_allies").many()


def test_games_are_equal_at_equal_states_under_equal_rules(race: Game) -> None:
    games = race.many()
    event = games.events[int(games.legal[0].argmax())]
    later = race.apply(event.name, **dict(event.args))
    again = vclogic.load(str(ROOT / "examples/rulebooks/race.md"))
    assert again == race
    assert hash(again) == hash(race)
    assert later != race
    assert later == again.apply(event.name, **dict(event.args))
    assert pickle.loads(pickle.dumps(later)) == later
    assert race != "race"


def test_planners_and_expressions_can_be_pickled() -> None:
    game = vclogic.load("axis_allies")
    points = pickle.loads(pickle.dumps(game.compile(["vcp(Axis)", "turn"])))
    assert points(game) == (26, "Russians")
    planner = pickle.loads(pickle.dumps(game.planner("Axis")))
    assert planner.plan("vcp(Axis) >= 28", budget_s=20).cost == 1


def test_somebody_of_no_side_agrees_for_nobody_however_many_sides_there_are() -> None:
    ways = (Way(0, 1, RED, agreed="Neutrals"), Way(0, 1, RED, agreed=BLUE))
    two = GraphGame(2, ways, {RED: frozenset({1}), BLUE: frozenset()}, frozenset()).system
    three = replace(two, sides={**two.sides, "Green": ("Green",)})
    for system in (two, three):
        assert game_of(system).many(2).agrees(np.array([0, 1])).tolist() == [-1, 1]
