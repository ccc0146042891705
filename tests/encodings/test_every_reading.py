"""Every value of every Reading and option makes a rule set in which each kind of event can be built."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.fixtures.games import loaded
from tests.fixtures.pace import cases
from vclogic.files.registry import load_encoding, scenario_names
from vclogic.model.grounded import some_choices

GAMES = ("asl", "axis_allies", "moscow", "napoleonics", "okinawa")


def values(game: str) -> Iterator[tuple[str, str]]:
    """Each Reading with each of its values that is not the default, and each option of words alike."""
    encoding = load_encoding(game)
    for reading in encoding.readings:
        yield from ((reading.name, value) for value in reading.values if value != reading.default)
    for option in encoding.options:
        if not isinstance(option.values, range):
            yield from ((option.name, value) for value in option.values if value != option.default)


def build(board: str, name: str, value: str, most: int) -> None:
    system = loaded(board, **{name: value}).setup.system
    for schema in system.events:
        for args in some_choices(schema, most=most):
            system.opened(schema, args)
    for observable in system.observables:
        observable.partial(*(d.sort.members[-1] for d in observable.parameters))


@pytest.mark.parametrize("game", cases(GAMES, "napoleonics"))
def test_a_few_events_of_each_kind_can_be_built_under_each_reading(game: str) -> None:
    """Once a retreat next to a brook, which nobody can be on, was an error under a Reading of napoleonics."""
    for name, value in values(game):
        build(game, name, value, 5)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("board", "name", "value"),
    [
        (f"{game}/{scenario}", *chosen)
        for game in GAMES
        for scenario in scenario_names(game)
        for chosen in values(game)
    ],
)
def test_many_events_of_each_kind_can_be_built_under_each_reading(board: str, name: str, value: str) -> None:
    build(board, name, value, 400)
