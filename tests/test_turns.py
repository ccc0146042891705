"""Games in turns: what may happen at a moment, against the same game looked at otherwise."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import vclogic
from tests.explore.graph_games import BLUE, RED, GraphGame, Way, random_dice_game, random_game
from tests.fixtures.in_memory import game_of
from tests.fixtures.pace import examples, seeds
from tests.rulebook.making_rulebooks import rulebooks
from tests.rulebook.random_rulebooks import Rulebook
from tests.rulebook.test_random_rulebooks import loaded
from tests.rulebook.test_secrets import GAME as SECRET
from vclogic.errors import InputError
from vclogic.explore.expansion import SEVERAL
from vclogic.game import Game
from vclogic.turns import GameTurns, Turn

BOOKS = Path(__file__).parents[1] / "examples/rulebooks"
SIDES = [RED, BLUE]


def book(name: str) -> Game:
    return vclogic.load(str(BOOKS / f"{name}.md"))


def compare(game: Game, steps: int, seed: int) -> None:
    """Play at random and ask many games the same after each step."""
    turns, games, random = GameTurns(game, drawn=True), game.many(), Random(seed)
    assert (turns.events, turns.sides) == (games.events, games.sides)
    at = turns.start
    for _ in range(steps):
        turn = turns.turn(at)
        assert at == tuple(games.states[0].tolist())
        assert turn.returns == tuple(games.returns[0].tolist())
        assert (turn.legal == ()) == bool(games.over[0])
        if not turn.legal:
            return
        weights = games.weights[0]
        happens = weights > 0 if weights.any() else games.legal[0]
        assert turn.legal == tuple(happens.nonzero()[0].tolist())
        assert turn.side == (int(games.mover[0]) if games.mover[0] >= 0 else None)
        if weights.any():
            assert turn.odds == tuple((weights[happens] / weights.sum()).tolist())
        number = random.choice(turn.legal)
        at = turns.after(at, number)
        games.apply(np.array([number]))


@examples(6)
@given(rulebooks(chance=True), st.integers(0, 9))
def test_random_rulebooks_are_the_same_as_many_games(book: Rulebook, seed: int) -> None:
    compare(loaded(book), 8, seed)


@pytest.mark.parametrize("name", ["race", "by_the_cards", "bridgehead"])
def test_examples_are_the_same_as_many_games(name: str) -> None:
    compare(book(name), 30, 1)


def of_graph(game: GraphGame, node: int) -> Turn:
    """What may happen on a node, by the graph alone; where nobody's turn is it, each way alike."""
    returns = (0, 0)
    held = [node in game.won[s] for s in SIDES]
    if sum(held) == 1:
        returns = (1, -1) if held[0] else (-1, 1)
    ways = [(i, w) for i, w in enumerate(game.ways) if w.source == node and not any(held) and node not in game.over]
    actors = {w.actor for _, w in ways}
    mover = next(iter(actors)) if len(actors) == 1 else None
    ways = [(i, w) for i, w in ways if w.agreed is None or (w.agreed == mover)]
    legal = tuple(i for i, _ in ways)
    if not legal or mover is not None:
        return Turn(SIDES.index(mover) if legal and mover else None, legal, (), returns)
    odds = [w.odds or 0 for _, w in ways] if len(actors) == 1 and all(w.odds for _, w in ways) else [1] * len(ways)
    return Turn(None, legal, tuple(x / sum(odds) for x in odds), returns)


@pytest.mark.parametrize("seed", seeds(range(12), range(400)))
def test_random_graphs_are_as_their_ways_say(seed: int) -> None:
    """With ways that the other side must agree to, that nobody takes, and that either side may take."""
    random = Random(seed)
    make = random_game(random, contested=0.3) if seed % 2 else random_dice_game(random, circles=True, contested=0.2)
    turns = GameTurns(game_of(make.system), drawn=True)
    for node in range(make.nodes):
        assert turns.turn((node,)) == of_graph(make, node), node
        for number in turns.turn((node,)).legal:
            assert turns.after((node,), number) == (make.ways[number].target,)


# ---- what is no game in turns


def graph(*ways: Way) -> Game:
    won = {RED: frozenset({3}), BLUE: frozenset({4})}
    return game_of(GraphGame(5, ways, won, frozenset()).system)


def test_where_either_side_may_act_it_is_refused_or_drawn() -> None:
    either = graph(Way(0, 1, RED), Way(1, 3, RED), Way(1, 4, BLUE))
    turns = GameTurns(either)
    there = turns.after(turns.start, 0)
    with pytest.raises(
        InputError, match=r"more than one side may decide .* way\(1\), way\(2\); that is no game in turns"
    ):
        turns.turn(there)
    games = either.many()
    games.apply(np.array([0]))
    assert games.mover[0] == SEVERAL
    assert GameTurns(either, drawn=True).turn(there).odds == (0.5, 0.5)


def test_where_nobody_decides_without_odds_it_is_refused_or_drawn_but_what_is_forced_happens() -> None:
    game = graph(Way(0, 1, None), Way(1, 3, None), Way(1, 4, None))
    turns = GameTurns(game)
    assert turns.turn(turns.start) == Turn(None, (0,), (1.0,), (0, 0))
    with pytest.raises(InputError, match="nobody decides what comes next, and the rules give no odds"):
        turns.turn(turns.after(turns.start, 0))
    assert GameTurns(game, drawn=True).turn((1,)).odds == (0.5, 0.5)


def test_what_has_no_weight_never_happens() -> None:
    assert GameTurns(graph(Way(0, 3, None, 0), Way(0, 4, None, 2))).turn((0,)) == Turn(None, (1,), (1.0,), (0, 0))


def test_where_either_side_may_act_one_event_that_needs_no_consent_is_not_forced() -> None:
    with pytest.raises(InputError, match=r"more than one side may decide what comes next: way\(0\); that is no game"):
        GameTurns(graph(Way(0, 3, RED), Way(0, 4, BLUE, agreed=RED)))


def test_an_event_with_the_other_sides_consent_is_left_out_and_ends_the_game_where_it_is_the_last() -> None:
    turns = GameTurns(graph(Way(0, 1, RED), Way(0, 3, RED, agreed=BLUE), Way(1, 3, RED, agreed=BLUE)))
    assert turns.turn(turns.start).legal == (0,)
    assert turns.turn(turns.after(turns.start, 0)) == Turn(None, (), (), (0, 0))
    with pytest.raises(ValueError, match="the event 1 is not legal"):
        turns.after(turns.start, 1)


def test_chance_is_told_from_games_without() -> None:
    assert not GameTurns(book("nim")).chance
    assert GameTurns(book("race")).chance
    assert GameTurns(book("nim"), drawn=True).chance


def test_hidden_facts_a_length_of_nothing_and_unknown_kinds_are_refused() -> None:
    with pytest.raises(InputError, match="hide facts from a side"):
        GameTurns(SECRET)
    with pytest.raises(InputError, match="hide facts from a side"):
        GameTurns(vclogic.load("asl"), kinds=["end_turn"])
    with pytest.raises(InputError, match="expected a whole number from 1 on, found 0"):
        GameTurns(book("nim"), longest=0)
    with pytest.raises(InputError, match="there is no event 'fly'"):
        GameTurns(book("nim"), kinds=["fly"])
    with pytest.raises(InputError, match="name the `kinds` of events"):
        GameTurns(vclogic.load("axis_allies"))


# ---- what is so


def test_the_tensor_has_a_cell_for_each_name_and_one_for_each_number() -> None:
    turns = GameTurns(book("race"))
    names = [name.partition(":")[0] for name in turns.text(turns.start).splitlines()]
    assert names == ["turn", "place[Hare]", "place[Tortoise]", "waiting", "next"]
    assert turns.tensor(turns.start).tolist() == [1, 0, 0, 0, 0, 1, 0]
    asked = turns.after(turns.start, next(i for i, e in enumerate(turns.events) if str(e) == "ask(Hare)"))
    assert turns.tensor(asked).tolist() == [1, 0, 0, 0, 1, 0, 0]
    assert turns.text(asked).endswith("waiting: True\nnext: chance")


def test_different_states_have_different_tensors_and_texts() -> None:
    turns, random = GameTurns(book("bridgehead")), Random(2)
    at, met = turns.start, {turns.start}
    while turns.turn(at).legal:
        at = turns.after(at, random.choice(turns.turn(at).legal))
        met.add(at)
    tensors = {tuple(turns.tensor(state).tolist()) for state in met}
    assert len(met) == len(tensors) == len({turns.text(state) for state in met})
    assert all(0 <= x <= 1 for tensor in tensors for x in tensor)
