"""A game from a mapping, its state as plain values and back, and its way into another process."""

from __future__ import annotations

import gc
import json
import pickle
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from random import Random

import pytest
import yaml

import vclogic
from tests.fixtures.games import ROOT, loaded
from vclogic.conformance.games import legal_play
from vclogic.errors import InputError
from vclogic.game import Game

GAMES = (
    "asl/13cc5",
    "asl/22u3",
    "asl/points",
    "axis_allies",
    "moscow/small",
    "napoleonics/erlenbach",
    "okinawa/small",
)


def played(game: Game, seed: int, length: int) -> Iterator[Game]:
    """The game at its start, and after each of some random events."""
    yield game
    for event, _ in legal_play(game.setup.system, game.state, Random(seed), length):
        game = game.apply(event.name, **dict(event.args))
        yield game


@pytest.mark.parametrize("name", GAMES)
def test_a_state_as_plain_values_and_back_is_the_same(name: str) -> None:
    for game in played(loaded(name), 3, 6):
        given = json.loads(json.dumps(game.state_dict()))
        again = loaded(name).at_state(given)
        assert again.state == game.state
        assert again.state_dict() == given
        assert again.history == ()


@pytest.mark.parametrize("name", GAMES)
def test_what_is_written_at_a_state_is_loaded_as_that_state(name: str) -> None:
    game = list(played(loaded(name), 4, 5))[-1]
    moved = game.at_state(game.state_dict())
    position = yaml.safe_load(moved.written())
    assert "record" not in position
    assert vclogic.load(position).state == moved.state == moved.setup.initial == moved.with_options().state


@pytest.mark.parametrize("name", GAMES)
def test_a_pickled_game_is_the_same_game(name: str) -> None:
    games = list(played(loaded(name), 5, 5))
    for game in [*games, games[-1].at_state(games[-2].state_dict())]:
        again = pickle.loads(pickle.dumps(game))
        assert (again.state, again.history, again.status()) == (game.state, game.history, game.status())
        assert again.written() == game.written()
    first, last = (pickle.loads(pickle.dumps(g)) for g in (games[0], games[-1]))
    assert first.setup is last.setup, "one rule set for all"


def test_a_kept_moment_takes_little_memory() -> None:
    """One after one more event: its state, the event, and a link to what happened before."""
    game = loaded("axis_allies").apply("end_turn")
    assert len(game.state) > 1_000
    for _ in range(12):
        game.apply("end_turn")  # what is compiled once it is used often
    gc.collect()
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    kept = [game := game.apply("end_turn") for _ in range(200)]
    gc.collect()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (after - before) / len(kept) < 2_000
    assert len(game.history) == 201
    sent = [len(pickle.dumps(now)) for now in (kept[0], kept[-1])]
    assert sent[0] < 3_000
    assert sent[1] - sent[0] < 200 * 20
    assert len(pickle.dumps(kept[:20])) < 20 * 2_000, "what the game is made from is written once"


def test_part_of_a_state() -> None:
    game = loaded("axis_allies").apply("end_turn")
    changed = game.at_state({"owner": {"Karelia": "Germans"}, "round": 5})
    facts = changed.state_dict()
    assert facts["owner"]["Karelia S.S.R."] == "Germans"
    assert facts["round"] == 5
    assert facts["turn"] == game.state_dict()["turn"] != loaded("axis_allies").state_dict()["turn"]
    assert changed.value("owner(Karelia)") == "Germans"


def test_events_after_a_state_follow_it() -> None:
    start = loaded("axis_allies").at_state({"round": 3})
    later = start.apply("end_turn")
    assert [e.name for e in later.history] == ["end_turn"]
    assert vclogic.load(yaml.safe_load(later.written())).state == later.state
    shorter = later.with_options(sea_range=0)
    assert (shorter.state, shorter.history) == (later.state, later.history)
    assert pickle.loads(pickle.dumps(later)).setup.initial == start.state


def test_everything_wrong_with_a_state_is_in_one_report() -> None:
    with pytest.raises(InputError) as caught:
        loaded("axis_allies").at_state(
            {
                "ower": 1,
                "owner": {"Karelja": "Germans", "Caucasus": "Germns"},
                "treasury": {"Germans": "3"},
                "bid": {1},
            }
        )
    said = {(d.message, d.help) for d in caught.value.diagnostics}
    assert {d.file for d in caught.value.diagnostics} == {"<mapping>"}
    assert ("a position has no fact 'ower'", "did you mean 'winner'?") in said  # `owner` is there already
    assert ("unknown territory 'Karelja'", "did you mean 'Karelia'?") in said
    assert ("unknown power 'Germns'", "did you mean 'Germans' or 'Germany'?") in said
    quoted = "treasury: expected a whole number from 0 to 99999, found the quoted text '3'"
    assert (quoted, "write 3 without quotes") in said
    assert any("found a value of the type set" in message for message, _ in said)


def test_a_state_that_no_position_may_have() -> None:
    game = loaded("moscow/small")
    with pytest.raises(InputError, match="the position cannot occur") as caught:
        game.at_state({"at": {"3rd Panzer": "4,4", "16th Army": "4,4"}})
    (found,) = caught.value.diagnostics
    assert found.code == "impossible-position"
    assert found.message == "the position cannot occur: units of one side only stand in 4,4"


def test_a_game_from_a_mapping() -> None:
    record = ["end_turn", {"capture": {"power": "Germans", "territory": "Karelia"}}]
    position = {"game": "axis_allies", "options": {"sea_range": 0}, "state": {"round": 2}, "record": record}
    game = vclogic.load(position)
    assert [str(e) for e in game.history] == ["end_turn()", "capture(Germans, Karelia S.S.R., no)"]
    assert game.setup.settings.options["sea_range"] == 0
    assert game.state == vclogic.load("axis_allies", at={**position}, settings={"sea_range": 0}).state
    assert vclogic.load({"game": "axis_allies", "state": {"round": 2}}, at=record).state == game.state
    assert vclogic.load(yaml.safe_load(game.written())).state == game.state
    assert pickle.loads(pickle.dumps(game)).history == game.history


def test_everything_wrong_with_a_mapping_is_in_one_report() -> None:
    with pytest.raises(InputError) as caught:
        vclogic.load({"game": "axis_allies", "sate": {}, "state": {"round": "x"}, "record": ["end_trn"]}, at=[3])
    files = {(d.file, d.message) for d in caught.value.diagnostics}
    assert ("<mapping>", "'sate' cannot stand here") in files
    assert ("<mapping>", "there is no event 'end_trn'") in files
    assert ("<at>", "there is no event '3'") in files


def test_a_board_is_sent_with_the_game(tmp_path: Path) -> None:
    file = tmp_path / "own.yaml"
    file.write_text((ROOT / "examples" / "two_islands.yaml").read_text())
    board = yaml.safe_load(file.read_text())["board"]
    (tmp_path / "board.yaml").write_text(yaml.safe_dump(board))
    (tmp_path / "beside.yaml").write_text("game: axis_allies\nboard: board.yaml\n")
    own, beside = vclogic.load(str(file)), vclogic.load(str(tmp_path / "beside.yaml"))
    for each in tmp_path.iterdir():
        each.unlink()
    for game in (own, beside):
        sent = pickle.dumps(game)
        loads = "import pickle, sys; print(len(pickle.loads(sys.stdin.buffer.read()).state))"
        done = subprocess.run([sys.executable, "-c", loads], input=sent, capture_output=True, check=True)
        assert int(done.stdout) == len(game.state)


def winner_after(game: Game, events: int) -> tuple[str, str | None]:
    """What a process that was started anew makes of a game."""
    end = list(played(game, events, events))[-1]
    return end.written(), end.status().winner


def test_games_are_sent_to_processes_that_were_spawned() -> None:
    games = [g for name in ("axis_allies", "moscow/small") for g in played(loaded(name), 1, 3)]
    code = "from tests.moment.test_bridge import by_spawned; by_spawned()"  # a pool leaves a process
    asked = [sys.executable, "-c", code]
    done = subprocess.run(asked, cwd=ROOT, input=pickle.dumps(games), capture_output=True, check=True)
    right = [winner_after(g, i) for i, g in enumerate(games)]
    assert pickle.loads(done.stdout) == right[::2] + right[1::2]


def by_spawned() -> None:
    """What processes that were started in either way make of the games on standard input, on standard output."""
    games: list[Game] = pickle.load(sys.stdin.buffer)
    found: list[tuple[str, str | None]] = []
    for i, way in enumerate(("spawn", "forkserver")):  # Python 3.14 has made the second one usual
        with ProcessPoolExecutor(1, mp_context=get_context(way)) as pool:
            found += pool.map(winner_after, games[i::2], range(i, len(games), 2))
    sys.stdout.buffer.write(pickle.dumps(found))


def test_a_game_says_who_has_won_and_who_acts_for_whom() -> None:
    game = loaded("axis_allies")
    assert game.winner is None
    assert game.sides["Axis"] == ("Germans", "Japanese")
    cities = dict.fromkeys(("Russia", "United Kingdom", "Eastern United States"), "Germans")
    assert game.at_state({"owner": cities, "turn": "Americans"}).apply("end_turn").winner == "Axis"
