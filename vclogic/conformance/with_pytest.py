"""Demands on every game, as tests of a module that names its games."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

import pytest

from vclogic.conformance.demands import DEMANDS, SUBJECTS, chance_of, subjects
from vclogic.conformance.games import NotDecided, RandomPlay, UnmetDemand, random_play_of
from vclogic.errors import InputError


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrize each test by what it is about, of the games of its module's `GAMES`.

    Raises:
        UsageError: The module does not say which games, or one of them is not installed.
    """
    games: Sequence[str] = getattr(metafunc.module, "GAMES", ())
    name = metafunc.module.__name__
    if not games:
        raise pytest.UsageError(f"{name}: say which games, such as GAMES = ('my_game',)")
    for parameter in SUBJECTS:
        if parameter not in metafunc.fixturenames:
            continue
        try:
            about = subjects(parameter, games)
        except InputError as error:
            said = error.diagnostics[0].message
            raise pytest.UsageError(f"{name}: {said}; is it installed? (pip install -e .)") from None
        # A scope as wide as a module: all tests of one game, then those of the next.
        scope: Any = "module" if parameter in ("play", "encoding", "covered", "in_code") else None
        metafunc.parametrize(parameter, about, indirect=parameter == "play", scope=scope)
    if "portable" in metafunc.fixturenames:
        metafunc.parametrize("portable", [False, True], ids=["native", "portable"])


@pytest.fixture(scope="module")
def play(request: pytest.FixtureRequest) -> RandomPlay:
    """One play for all tests of a game."""
    name: str = request.param
    return random_play_of(name)


@pytest.fixture
def rng(play: RandomPlay) -> Random:
    """A random generator with the same seed in every run."""
    return chance_of(play)


@pytest.fixture
def never(request: pytest.FixtureRequest) -> Mapping[str, Mapping[str, str]]:
    """The events that the module says need not happen: `NEVER`."""
    found: Mapping[str, Mapping[str, str]] = getattr(request.module, "NEVER", {})
    return found


def _told(demand: Callable[..., None]) -> Callable[..., None]:
    """A test that says what is wrong, and shows no line of itself."""

    @functools.wraps(demand)
    def test(*args: Any, **named: Any) -> None:
        try:
            demand(*args, **named)
            return
        except UnmetDemand as unmet:
            said = str(unmet)
        except NotDecided as open_:
            pytest.skip(str(open_))
        pytest.fail(said, pytrace=False)  # out of the handler: or the other error would be shown, too

    return test


globals().update({demand.__name__: _told(demand) for demand in DEMANDS})
__all__ = ["never", "play", "pytest_generate_tests", "rng", *(demand.__name__ for demand in DEMANDS)]
