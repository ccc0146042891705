"""Several threads that ask games of one rule set at once get the answers that one gets alone."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from random import Random

import pytest

import vclogic
from vclogic.errors import InputError
from vclogic.game import Game
from vclogic.query.legal.answer import Legal
from vclogic.query.status.progress import expression

THREADS, EVENTS = 4, 5


@pytest.fixture
def hasty() -> Iterator[None]:
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def answers(start: Game, seed: int, kinds: int) -> list[object]:
    """What a random player of a game is told, event by event."""
    rng, game, told = Random(seed), start, list[object]()
    names = [expression(*parts) for parts in start.setup.system.overview]
    schemas = start.setup.system.events
    for _ in range(EVENTS):
        found: list[Legal] = [game.legal(event=s.name) for s in rng.sample(schemas, min(kinds, len(schemas)))]
        told += [found, game.status(), game.value(rng.choice(names)), game.state]
        choices = [(k.event, next(a.choices())) for legal in found for k in legal.kinds for a in k.allowed]
        if choices:
            name, arguments = rng.choice(choices)
            game = game.apply(name, **arguments)
        told.append(refusal(partial(game.apply, rng.choice(schemas).name)))
        game = start.at_state(game.state_dict()) if rng.random() < 0.3 else game
        told.append(game.history)
    return told


def begun(game: Game) -> Game:
    """A game in play: before it, bids may be very many numbers."""
    return game.apply("end_turn") if "bid" in game.setup.system.schemas else game


def refusal(call: Callable[[], object]) -> object:
    try:
        call()
    except InputError as error:
        return error.diagnostics
    return None


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        pytest.param("axis_allies", 1, marks=pytest.mark.slow),
        ("asl/13cc5", 5),
        pytest.param("moscow/small", 3, marks=pytest.mark.slow),
    ],
)
def test_threads_are_told_what_one_is_told_alone(name: str, kinds: int) -> None:
    alone, shared = (begun(vclogic.load(name)) for _ in range(2))
    expected = [answers(alone, seed, kinds) for seed in range(THREADS)]
    with ThreadPoolExecutor(THREADS) as pool:
        found = list(pool.map(lambda seed: answers(shared, seed, kinds), range(THREADS)))
    assert found == expected


@pytest.mark.usefixtures("hasty")
def test_what_is_kept_is_bounded_whoever_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vclogic.moment._EXPRESSIONS", 8)
    monkeypatch.setattr("vclogic.moment._STEPS", 8)
    game = begun(vclogic.load("axis_allies"))
    captures = [a for k in game.legal(event="capture").kinds for a in k.allowed]

    def work(seed: int) -> bool:
        rng = Random(seed)
        right = True
        for _ in range(60):
            number = rng.randrange(40)
            right &= game.value(f"{number} + 1") == number + 1
            chosen = next(rng.choice(captures).choices())
            right &= game.apply("capture", **chosen).history[-1].args[1] == ("territory", chosen["territory"])
        return right

    with ThreadPoolExecutor(THREADS) as pool:
        assert all(pool.map(work, range(THREADS)))
    assert len(game.loaded._expressions) <= 9 + THREADS
    assert len(game.loaded._steps) <= 9 + THREADS
