"""Games as environments of PettingZoo: its own tests, and that play there is play by the rules."""

from __future__ import annotations

import pickle
import warnings
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import vclogic
from tests.explore.graph_games import BLUE, RED, GraphGame, Way
from tests.fixtures.in_memory import game_of
from vclogic.errors import InputError
from vclogic.game import Game

pytest.importorskip("pettingzoo", reason="the extra `pettingzoo` is not installed")
from pettingzoo.test import api_test, seed_test

from vclogic.pettingzoo import GameEnv

BOOKS = Path(__file__).parents[2] / "examples/rulebooks"
NAMES = ["nim", "race", "by_the_cards", "skirmish"]
EXPECTED = (  # what `api_test` says of each environment that is none of its own, has a mask, or draws no picture
    "Observation space for each agent probably should be",
    "We recommend agents to be named",
    "Observation is not a NumPy array",
    "Environment has not defined a render",
)


def book(name: str) -> Game:
    return vclogic.load(str(BOOKS / f"{name}.md"))


@pytest.mark.parametrize("name", NAMES)
def test_it_passes_pettingzoos_own_tests(name: str) -> None:
    game = book(name)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        api_test(GameEnv(game), num_cycles=40)
        seed_test(lambda: GameEnv(game), num_cycles=40)
    assert [str(w.message) for w in told if not str(w.message).startswith(EXPECTED)] == []


def played(env: GameEnv, random: Random) -> dict[str, float]:
    """Plays to the end; what each agent has got."""
    got = dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        got[agent] += reward
        legal = seen["action_mask"].nonzero()[0].tolist()
        assert (not legal) == (terminated or truncated)
        env.step(random.choice(legal) if legal else None)
    return got


@pytest.mark.parametrize("name", ["nim", "by_the_cards", "skirmish"])
def test_agents_act_and_are_rewarded_as_the_rules_say(name: str) -> None:
    at, random, env = book(name), Random(4), GameEnv(book(name))
    env.reset(seed=1)
    while not at.over:
        assert env.agent_selection == at.mover
        seen: Any = env.observe(env.agent_selection)
        legal = seen["action_mask"].nonzero()[0].tolist()
        assert not any(env.observe(a)["action_mask"].any() for a in env.agents if a != env.agent_selection)
        event = env.turns.events[random.choice(legal)]
        env.step(env.turns.events.index(event))
        at = at.apply(event.name, **dict(event.args))
    assert all(env.terminations.values())
    assert env.rewards == at.returns
    assert played(env, random) == at.returns


def test_chance_draws_by_its_odds_and_from_the_seed() -> None:
    env = GameEnv(book("race"))
    ask = next(i for i, event in enumerate(env.turns.events) if str(event) == "ask(Hare)")
    places: list[Any] = []
    env.reset(seed=7)
    for _ in range(600):
        env.step(ask)
        places.append(env.turns.text(env.now).splitlines()[1])
        env.reset()
    share = [places.count(f"place[Hare]: {n}") / 600 for n in sorted({int(p[-1]) for p in places})]
    assert np.abs(np.sort(share) - [1 / 6, 2 / 6, 3 / 6]).max() < 0.07


def test_chance_draws_until_a_side_chooses_or_the_game_is_over() -> None:
    won = {RED: frozenset({4}), BLUE: frozenset({5})}
    first = (Way(0, 1, None, 1), Way(1, 2, None, 1))
    env = GameEnv(game_of(GraphGame(6, (*first, Way(2, 3, BLUE), Way(3, 5, None, 1)), won, frozenset()).system))
    env.reset(seed=1)
    assert (env.now, env.agent_selection) == ((2,), BLUE)
    env.step(2)
    assert (env.now, env.rewards, env.terminations) == ((5,), {RED: -1, BLUE: 1}, {RED: True, BLUE: True})
    over = GameEnv(game_of(GraphGame(6, (*first, Way(2, 4, None, 1)), won, frozenset()).system))
    over.reset(seed=1)
    assert played(over, Random(1)) == {RED: 1, BLUE: -1}


def test_a_long_game_is_truncated() -> None:
    env = GameEnv(book("skirmish"), longest=3)
    env.reset(seed=1)
    assert played(env, Random(1)) == {"Red": 0, "Blue": 0}
    env.reset(seed=1)
    for _ in range(3):
        assert not any(env.truncations.values())
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    assert all(env.truncations.values())
    assert not any(env.terminations.values())


def test_an_action_that_is_not_legal_is_refused_and_nothing_happens() -> None:
    env = GameEnv(book("nim"))
    env.reset(seed=1)
    before = env.observe("First")
    for action in (int((1 - before["action_mask"]).argmax()), None):
        with pytest.raises(ValueError, match=r"the event -?\d+ is not legal"):
            env.step(action)
    assert np.array_equal(env.observe("First")["observation"], before["observation"])
    assert env.agent_selection == "First"


def test_games_with_hidden_facts_are_refused() -> None:
    with pytest.raises(InputError, match="hide facts from a side"):
        GameEnv(vclogic.load("asl"), kinds=["end_turn"])


def test_a_game_that_is_none_in_turns_is_refused_before_its_first_event() -> None:
    with pytest.raises(InputError, match="more than one side may decide what comes next: order"):
        GameEnv(vclogic.load("napoleonics/erlenbach"))
    late = (Way(0, 1, RED), Way(0, 2, RED), Way(2, 1, BLUE), Way(1, 3, RED), Way(1, 4, BLUE))
    graph = game_of(GraphGame(5, late, {RED: frozenset({3}), BLUE: frozenset({4})}, frozenset()).system)
    with pytest.raises(InputError, match="that is no game in turns"):
        GameEnv(graph)
    assert GameEnv(graph, drawn=True).turns.chance


def test_an_environment_can_be_sent_in_the_middle_of_a_game() -> None:
    env = GameEnv(book("nim"))
    env.reset(seed=1)
    env.step(0)
    back = pickle.loads(pickle.dumps(env))
    assert (back.now, back.agent_selection, back.turns.events) == (env.now, env.agent_selection, env.turns.events)
    for one in (env, back):
        one.step(int(one.observe(one.agent_selection)["action_mask"].nonzero()[0][0]))
    assert back.now == env.now


@pytest.mark.parametrize("name", ["together", "last_one_left", "who_is_first"])
def test_games_of_three_sides_pass_pettingzoos_own_tests(name: str) -> None:
    game = vclogic.load(str(BOOKS.parents[1] / f"tests/rulebook/said/{name}.md"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(GameEnv(game, longest=60), num_cycles=40)
    for seed in range(20):
        env = GameEnv(game, longest=60)
        env.reset(seed)
        got, now = played(env, Random(seed)), game.at_state(env.now)
        assert len(got) == 3
        assert list(got.values()) == list(now.returns.values())
