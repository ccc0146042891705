"""A moment that a program made by `apply` or `at_state` is ruled on like a position file of the same moment."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import vclogic
from tests.fixtures.games import loaded
from tests.fixtures.pace import MORE, cases
from tests.oracles.rulings import boards_of, of_play
from vclogic.conformance.games import legal_play
from vclogic.game import Game
from vclogic.query.ask.answer import Because, OtherReadings

SMALL = ("asl", "axis_allies", "moscow/small", "napoleonics", "okinawa")
READ = ("asl", "napoleonics")
QUESTIONS = int(2 * (MORE or 1))
AT_ONCE = 1e-6


def told(game: Game, words: str) -> object:
    """What a ruling says, without other Readings."""
    answer = game.ask(words, timeout=AT_ONCE)
    said = (answer.question, answer.value, answer.text, answer.lacks, answer.clauses, answer.precedents)
    return (*said, tuple(map(reason, answer.because)), answer.places, answer.not_judged, answer.assumptions)


def reason(because: Because) -> object:
    """A reason, without who gives its facts."""
    facts = tuple((f.name, f.value, f.step, f.about, f.says) for f in because.facts)
    return (because.text, facts, because.clauses, because.step, because.event)


def readings(game: Game, words: str) -> OtherReadings:
    """What other Readings make of a question."""
    return game.ask(words, timeout=500).readings


def played(game: Game, rng: Random) -> Game:
    """A game after a random play."""
    for event, _ in legal_play(game.setup.system, game.state, rng, 6, set()):
        game = game.apply(event.name, **dict(event.args))
    return game


def file_of(game: Game, folder: Path) -> Game:
    """The game that is read from the position file of a moment."""
    file = folder / "moment.yaml"
    file.write_text(game.written(), encoding="utf-8")
    return vclogic.load(str(file))


@pytest.mark.parametrize("name", SMALL)
def test_moments_are_ruled_on_like_their_position_files(name: str, tmp_path: Path) -> None:
    rng = Random(f"moments of {name}" if not MORE else None)
    boards_of(name.partition("/")[0], tmp_path)
    for _ in range(QUESTIONS):
        game = played(loaded(name), rng)
        words = of_play(game, tmp_path, rng).words
        assert told(game, words) == told(file_of(game, tmp_path), words), words
        state = loaded(name).at_state(game.state_dict())
        assert (state.state, state.history) == (game.state, ())
        assert told(state, words) == told(file_of(state, tmp_path), words), words
        assert state.ask(words, timeout=AT_ONCE).value == game.ask(words, timeout=AT_ONCE).value


@pytest.mark.parametrize("name", cases(READ, "asl"))
def test_other_readings_make_the_same_of_moments_and_files(name: str, tmp_path: Path) -> None:
    """The games are loaded anew: how many sets of Readings are tried depends on what has been asked before."""
    rng = Random(f"readings of {name}" if not MORE else None)
    boards_of(name, tmp_path)
    game = played(vclogic.load(name), rng)
    words = of_play(game, tmp_path, rng).words
    assert readings(game, words) == readings(file_of(game, tmp_path), words), words
    state = vclogic.load(name).at_state(game.state_dict())
    assert readings(state, words) == readings(file_of(state, tmp_path), words), words
