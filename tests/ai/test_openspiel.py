"""Games as games of OpenSpiel: its own tests, its playthroughs, its searches and its bots in studies."""

from __future__ import annotations

import pickle
import re
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

import vclogic
from tests.explore.graph_games import BLUE, RED, GraphGame, Way
from tests.fixtures.in_memory import game_of
from vclogic.errors import InputError
from vclogic.explore.table import BestPlayTable
from vclogic.files.registry import named_here
from vclogic.game import Game
from vclogic.studies.playtest import Playtest, play

pytest.importorskip("pyspiel", reason="the extra `openspiel` is not installed")
import pyspiel
from absl import flags
from open_spiel.python.algorithms import minimax
from open_spiel.python.algorithms.generate_playthrough import playthrough, replay

from vclogic import openspiel
from vclogic.openspiel import OpenSpielGame, openspiel_game

PILES = ["left", "middle", "right"]
BOOKS = Path(__file__).parents[2] / "examples/rulebooks"


def book(name: str) -> Game:
    return vclogic.load(str(BOOKS / f"{name}.md"))


@pytest.fixture(scope="module")
def nim() -> Game:
    """Nim with few matches."""
    return book("nim").at_state({"matches": {"left": 1, "middle": 2, "right": 2}})


@pytest.fixture(scope="module")
def best(nim: Game) -> BestPlayTable:
    table = nim.solve().table
    assert table is not None
    return table


# ---- what OpenSpiel asks of a game


@pytest.mark.parametrize("name", ["nim", "race", "by_the_cards", "skirmish"])
def test_it_passes_openspiels_own_test(name: str) -> None:
    """Random play with all that is promised of states, among it that they can be copied, written and read."""
    pyspiel.random_sim_test(openspiel_game(book(name)), num_sims=2, serialize=name == "race", verbose=False)


def test_a_game_of_three_sides_and_one_of_chance_say_so() -> None:
    cards, race = openspiel_game(book("by_the_cards")), openspiel_game(book("race"))
    kinds = pyspiel.GameType
    assert (cards.num_players(), cards.get_type().utility) == (3, kinds.Utility.GENERAL_SUM)
    assert cards.get_type().chance_mode == kinds.ChanceMode.DETERMINISTIC
    assert (race.num_players(), race.get_type().utility) == (2, kinds.Utility.ZERO_SUM)
    assert race.get_type().chance_mode == kinds.ChanceMode.EXPLICIT_STOCHASTIC
    assert race.num_distinct_actions() == len(book("race").many().events)


def test_a_playthrough_is_the_same_when_it_is_played_again(tmp_path: Path) -> None:
    rules = tmp_path / "race.md"
    rules.write_text((BOOKS / "race.md").read_text())
    written = tmp_path / "playthrough.txt"
    written.write_text(playthrough(f"vclogic(game={rules})", [], seed=3))
    flags.FLAGS(["pytest"])
    before, again = replay(str(written))
    assert before == again
    assert 'StringLegalActions() = ["walk(Hare)", "ask(Hare)"]' in before
    assert "ChanceOutcomes() = [(4,0.166667), (5,0.5), (6,0.333333)]" in before
    assert "Returns() = [1, -1]" in before or "Returns() = [-1, 1]" in before


def test_a_moment_of_play_is_written_and_read_again() -> None:
    started = book("race").apply("walk", side="Hare")
    game = openspiel_game(started, longest=20)
    for again in (pyspiel.load_game(str(game)), pickle.loads(pickle.dumps(game))):
        state = again.new_initial_state()
        assert (str(again), str(state)) == (str(game), str(game.new_initial_state()))
        assert "place[Hare]: 1" in str(state)
    state = game.new_initial_state()
    state.apply_action(state.legal_actions()[0])
    _, there = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    assert (str(there), there.history(), there.left) == (str(state), state.history(), 19)


def test_rules_that_are_in_no_file_are_pickled_as_they_are() -> None:
    text = (BOOKS / "nim.md").read_text()
    sent = vclogic.load(named_here("sent.md", (("sent.md", text.replace("First", "Ann")),)))
    again = pickle.loads(pickle.dumps(openspiel_game(sent)))
    assert again.turns.sides == ("Ann", "Second")
    assert str(again.new_initial_state()).startswith("turn: Ann")


def test_a_long_game_is_broken_off_and_nobody_has_won() -> None:
    state = openspiel_game(book("skirmish"), longest=3).new_initial_state()
    for _ in range(3):
        assert not state.is_terminal()
        state.apply_action(state.legal_actions()[0])
    assert state.is_terminal()
    assert state.returns() == [0.0, 0.0]
    assert state.legal_actions() == []


def test_what_cannot_be_played_is_refused_in_words() -> None:
    with pytest.raises(InputError, match="no game is named"):
        pyspiel.load_game("vclogic")
    with pytest.raises(InputError, match="nimm"):
        pyspiel.load_game("vclogic(game=nimm)")
    with pytest.raises(InputError, match="the text of the game is damaged"):
        pyspiel.load_game(str(openspiel_game(book("nim"))).replace("text:", "text:x"))
    with pytest.raises(InputError, match="hide facts from a side"):
        pyspiel.load_game("vclogic(game=asl,kinds=end_turn)")
    with pytest.raises(InputError, match="there is no event 'fly'"):
        pyspiel.load_game(f"vclogic(game={BOOKS / 'nim.md'},kinds=take+fly)")


def test_a_turn_of_both_sides_is_refused_when_play_comes_to_it() -> None:
    won = {RED: frozenset({3}), BLUE: frozenset({4})}
    either = game_of(GraphGame(5, (Way(0, 1, RED), Way(1, 3, RED), Way(1, 4, BLUE)), won, frozenset()).system)
    state = OpenSpielGame({}, either).new_initial_state()
    with pytest.raises(InputError, match="more than one side may decide what comes next"):
        state.child(0).is_terminal()
    drawn = OpenSpielGame({"drawn": True}, either).new_initial_state().child(0)
    assert drawn.chance_outcomes() == [(1, 0.5), (2, 0.5)]


# ---- its searches find what vclogic proves


def test_alpha_beta_finds_who_wins(nim: Game, best: BestPlayTable) -> None:
    game = openspiel_game(nim)
    worth, chosen = minimax.alpha_beta_search(game, maximizing_player_id=0)
    assert best[nim].winner == "First"
    assert worth == 1
    assert best[nim.at_state(game.new_initial_state().child(chosen).at)].winner == "First"


def test_its_tree_search_finds_the_move_that_wins(nim: Game, best: BestPlayTable) -> None:
    game = openspiel_game(nim)
    state = game.new_initial_state()
    good = [x for x in state.legal_actions() if best[nim.at_state(state.child(x).at)].winner == "First"]
    assert 0 < len(good) < len(state.legal_actions())
    assert openspiel.mcts(game, 0, 5, playouts=500).step(state) in good


def test_its_tree_search_is_the_same_as_in_openspiels_own_nim() -> None:
    """The same numbers are drawn, so each move is tried as often and worth as much, if states and results agree."""

    def searched(game: Any) -> list[tuple[str, int, float]]:
        state = game.new_initial_state()
        root = openspiel.mcts(game, 0, 1, playouts=300).mcts_search(state)
        return [(state.action_to_string(c.action), c.explore_count, float(c.total_reward)) for c in root.children]

    own = searched(openspiel_game(book("nim")))
    theirs = searched(pyspiel.load_game("nim(pile_sizes=3;4;5,is_misere=False)"))
    taken = [re.fullmatch(r"take\(First, (\d), (\w+)\)", text) for text, *_ in own]
    said = [f"pile:{PILES.index(m[2]) + 1}, take:{m[1]};" for m in taken if m]
    assert [(text, *found) for text, (_, *found) in zip(said, own, strict=True)] == theirs
    assert sum(count for _, count, _ in own) == 299


# ---- its bots in studies


PLAIN = Playtest({}, {}, {}, (), 100, {})


def test_a_bot_plays_a_study_and_its_games_depend_on_their_seeds_alone() -> None:
    game = book("skirmish")
    test = Playtest({"Red": "openspiel mcts 60"}, {}, {}, (), 100, {})
    rows = list(play(game, test, range(5)))
    won, at_random = (sum(r["winner"] == "Red" for r in of) for of in (rows, play(game, PLAIN, range(5))))
    assert won > at_random
    assert rows[2:4] == [row for seed in (2, 3) for row in play(game, test, [seed])]


def first_legal(game: Any, player: int, seed: int) -> Any:
    """A bot of one's own."""

    class First(pyspiel.Bot):  # type: ignore[misc]
        def step(self, state: Any) -> int:
            assert state.current_player() == player
            legal: list[int] = state.legal_actions()
            return legal[0]

    return First()


def test_a_bot_of_ones_own_plays_a_study() -> None:
    game = book("nim")
    name = f"openspiel {__name__}:first_legal"
    (row,) = play(game, Playtest(dict.fromkeys(game.sides, name), {}, {}, (), 100, {}), [1])
    state = openspiel_game(game).new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert row["events"] == len(state.history())


def walking(game: OpenSpielGame, player: int, seed: int) -> Any:
    """A bot that looks at what it is told of the game."""
    assert {event.name for event in game.turns.events} == {"walk"}
    return first_legal(game, player, seed)


def test_a_bot_is_told_of_the_kinds_of_events_that_may_happen() -> None:
    (row,) = play(book("race"), Playtest({"Hare": f"openspiel {__name__}:walking"}, {}, {}, ("walk",), 100, {}), [1])
    assert row["used"] == ["walk"]


def test_a_bot_that_may_only_do_what_needs_consent_draws() -> None:
    won = {RED: frozenset({3}), BLUE: frozenset()}
    game = game_of(GraphGame(4, (Way(0, 3, RED, agreed=BLUE),), won, frozenset()).system)
    player = openspiel.BotPlayer(OpenSpielGame({}, game), partial(first_legal, None, 0))
    rng = Random(1)
    (event,) = game.many().events
    assert player.choose(game, [event], rng) == event


@pytest.mark.parametrize("name", ["mtcs", "mcts none", "mcts 0", ""])
def test_an_unknown_bot_is_told(name: str) -> None:
    with pytest.raises(InputError, match="there is no bot"):
        list(play(book("nim"), Playtest({"First": f"openspiel {name}"}, {}, {}, (), 100, {}), [1]))


def test_value_iteration_finds_what_best_play_says(nim: Game) -> None:
    """It imports a solver for turns of all players at once, which the extra brings along."""
    from open_spiel.python.algorithms import value_iteration

    found = value_iteration.value_iteration(openspiel_game(nim), depth_limit=-1, threshold=1e-6)
    assert max(found.values()) == 1
    assert found[str(openspiel_game(nim).new_initial_state())] == 1
    assert value_iteration.value_iteration(pyspiel.load_game("oshi_zumo(coins=3,size=1,horizon=3)"), -1, 1e-6)


# ---- more than two sides


SAID = Path(__file__).parents[1] / "rulebook/said"


@pytest.mark.parametrize("name", ["together", "last_one_left", "who_is_first"])
def test_games_of_three_sides_pass_openspiels_own_test(name: str) -> None:
    game = openspiel_game(vclogic.load(str(SAID / f"{name}.md")), longest=60)
    assert game.num_players() == 3
    assert game.get_type().utility == pyspiel.GameType.Utility.GENERAL_SUM
    pyspiel.random_sim_test(game, num_sims=2, serialize=False, verbose=False)


@pytest.mark.parametrize("name", ["auction", "cure", "eligible", "fate", "interrupt"])
def test_odd_orders_of_play_pass_openspiels_own_test(name: str) -> None:
    game = openspiel_game(vclogic.load(str(SAID.parent / f"orders/{name}.md")), longest=60, drawn=name == "interrupt")
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


def test_two_who_may_win_or_lose_together_play_for_no_sum(tmp_path: Path) -> None:
    file = tmp_path / "raft.md"
    lines = (
        "sides Red, Blue",
        "turn is one event",
        "fact water: 0 to 2, starts 1",
        "event bail by side\n  then water falls by 1",
        "event leak by side\n  then water rises by 1",
        "all win dry at once if water == 0",
        "all lose sunk at once if water == 2",
    )
    file.write_text("\n".join(["# Raft", "", "```vclogic", *lines, "```", ""]))
    game = openspiel_game(vclogic.load(str(file)))
    assert game.get_type().utility == pyspiel.GameType.Utility.GENERAL_SUM
    for name, got in (("bail", [1, 1]), ("leak", [-1, -1])):
        state = game.new_initial_state()
        (action,) = (a for a in state.legal_actions() if name in state.action_to_string(0, a))
        state.apply_action(action)
        assert state.is_terminal()
        assert state.returns() == got
    pyspiel.random_sim_test(game, num_sims=2, serialize=False, verbose=False)


def test_who_is_out_of_three_moves_no_more(tmp_path: Path) -> None:
    game = openspiel_game(vclogic.load(str(SAID / "last_one_left.md")).at_state({"armies": {"Blue": 1}}))
    state = game.new_initial_state()
    (hit,) = (a for a in state.legal_actions() if "Blue" in state.action_to_string(0, a))
    state.apply_action(hit)
    assert state.current_player() == 2
    assert state.returns() == [0, 0, 0]
