"""What `ask` calls the deciding facts decides: as long as they stay, so does the answer, whatever else changes."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.fixtures.games import loaded
from tests.fixtures.pace import MORE, cases
from tests.oracles.rulings import Asked, boards_of, of_play, of_rulings
from vclogic.conformance.games import legal_play
from vclogic.encode.python.evaluator import failed, interpret
from vclogic.files.record import read_event
from vclogic.game import Game
from vclogic.model.fluents import State, Value
from vclogic.model.system import System
from vclogic.query.status.progress import value_of
from vclogic.terms.build import or_
from vclogic.terms.expressions.resolve import compile_value
from vclogic.terms.sorts import BoolSort, EnumSort, IntSort, Sort

GAMES = ("asl", "axis_allies", "moscow", "napoleonics", "okinawa")
SMALL = ("asl", "axis_allies", "moscow/small", "napoleonics", "okinawa")
QUESTIONS, CHANGES = int(2 * (MORE or 1)), int(20 * (MORE or 1))


def any_number(sort: Sort, rng: Random) -> int:
    """A value of a sort, as states hold it."""
    match sort:
        case BoolSort():
            return rng.randrange(2)
        case EnumSort():
            return rng.randrange(len(sort.members))
        case IntSort():
            return rng.choice((sort.lo, sort.hi, rng.randint(sort.lo, sort.hi)))


def answer(system: System, state: State, asked: Asked) -> Value | None:
    """The answer in any state, whether or not it could stand on the board; of an outcome: whether it is met."""
    if isinstance(asked.question, str):
        return value_of(system, state, compile_value(asked.question, system.vocabulary, "question").partial)
    name, rest = asked.question
    if not isinstance(rest, str):
        event = read_event(system, asked.words, "question")
        return not failed(system, state, system.action_in(state, event))
    [outcome] = [o for o in system.outcomes if (o.name, o.side) == (name, rest)]
    return bool(interpret(or_(outcome.won, outcome.now), system.layout.slot, state))


def stays(game: Game, asked: Asked, rng: Random) -> bool:
    """Changes all that does not decide; returns whether something else was there to be changed."""
    ruled = game.ask(asked.words, timeout=500)
    system, state = game.setup.system, game.state
    deciding = {f.name for b in ruled.because if b.step is None for f in b.facts}
    fluents = system.layout.fluents
    assert deciding <= {v.name for v in fluents}
    now = ruled.value is True if ruled.kind == "outcome" else ruled.value
    for _ in range(CHANGES):
        other = tuple(
            n if v.name in deciding else any_number(v.sort, rng) for v, n in zip(fluents, state, strict=True)
        )
        said = f"{asked.name}\n{asked.file.read_text()}\n{asked.words}\n{sorted(deciding)}"
        assert answer(system, other, asked) == now, said
    return len(deciding) < len(fluents)


@pytest.mark.parametrize("name", cases(GAMES, "moscow"))
def test_in_rulings(name: str, tmp_path: Path) -> None:
    rng = Random(f"rulings of {name}" if not MORE else None)
    boards_of(name, tmp_path)
    for (asked, readings), _ in zip(of_rulings(name, tmp_path, rng), range(QUESTIONS), strict=False):
        assert stays(asked.game(readings), asked, rng)


@pytest.mark.parametrize("name", cases(SMALL, "moscow/small"))
def test_in_random_plays(name: str, tmp_path: Path) -> None:
    rng = Random(f"plays of {name}" if not MORE else None)
    boards_of(name.partition("/")[0], tmp_path)
    for _ in range(QUESTIONS):
        game = loaded(name)
        for event, _ in legal_play(game.setup.system, game.state, rng, 8, set()):
            game = game.apply(event.name, **dict(event.args))
        assert stays(game, of_play(game, tmp_path, rng), rng)
