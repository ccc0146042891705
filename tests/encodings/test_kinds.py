"""What goals can count, in each game: kinds, groups and properties as on the board, in terms that are as good."""

from __future__ import annotations

import pytest

from tests.fixtures.games import loaded
from vclogic.terms.names import written
from vclogic.terms.resolve import compile_value
from vclogic.terms.term import Op

GAMES = ("asl", "axis_allies", "moscow/small", "napoleonics", "okinawa")


@pytest.mark.parametrize("game", GAMES)
def test_kinds_groups_and_properties_count_what_the_board_has(game: str) -> None:
    words = loaded(game).setup.system.vocabulary
    for kind in words.kinds.values():
        name = f"x {kind.name}"
        assert compile_value(f"count({name} where true)", words).partial.value.lo == len(kind.members)
        every = max(1, len(kind.every_group) // 12)
        for group, members in [*kind.every_group.items()][::every]:
            found = compile_value(f"count({name} in {written(group)})", words).partial.value
            assert (found.op, found.lo) == (Op.CONST, len({*members} & {*kind.members})), group
        for called, values in kind.properties.items():
            for value in [*dict.fromkeys(values.values())][:4]:
                asked = f"'{value}'" if isinstance(value, str) else str(value).lower()
                found = compile_value(f"count({name} where {called}(x) == {asked})", words).partial.value
                assert found.lo == sum(m in kind.domain.sort.index and v == value for m, v in values.items())


@pytest.mark.parametrize(
    ("game", "counted", "observable"),
    [
        ("axis_allies", "count(territory where controls(Axis, territory))", "territories(Axis)"),
        ("okinawa", "count(unit of US where at(unit) in Northern)", "units_in(US, Northern)"),
        ("okinawa", "count(unit of Japan where on_map(unit))", "units_on_map(Japan)"),
        ("moscow", "count(u unit of Soviet where at(u) != off and at(u) != eliminated)", "units(Soviet)"),
        ("napoleonics", "count(hex in Heights where occupies(French, hex))", "objective_hexes(French, Heights)"),
    ],
)
def test_a_count_is_the_same_term_as_an_observable_of_the_game(game: str, counted: str, observable: str) -> None:
    words = loaded(game).setup.system.vocabulary
    assert compile_value(counted, words).partial.value is compile_value(observable, words).partial.value


@pytest.mark.parametrize(
    ("game", "goal"),
    [
        ("napoleonics/erlenbach", "count(hex in Heights where occupies(French, hex)) == 0"),
        ("napoleonics/erlenbach", "no(hex where column(hex) <= 4 and row(hex) <= 3 and occupies(French, hex))"),
        (
            "napoleonics/erlenbach",
            "some(u unit of French where kind(u) == leader and distance(at(u), '6,6') <= 2)",
        ),
        ("napoleonics/erlenbach", "connected('3,6', '3,5' through hex where true)"),
        ("asl/22u3", "no(man Infantry unit of German where good_order(man) and distance(hex(at(man)), '22U3') <= 1)"),
        ("okinawa", "count(hex in Central where land(hex)) > count(hex in Central where usable(hex))"),
        ("axis_allies", "sum(ipc(power) for power of Axis) < 84"),
        ("axis_allies", "count(territory of Allies where controls(Axis, territory)) == 0"),
        ("axis_allies", "count(power where owner(Karelia S.S.R.) == power) == 1"),
        ("axis_allies", "max(ipc(power) for power) == ipc(Americans)"),
        ("moscow/small", "count(place where holding(German, place)) < count(place)"),
    ],
)
def test_at_the_start_it_is_so(game: str, goal: str) -> None:
    assert loaded(game).value(goal) is True
    assert loaded(game).value(f"not ({goal})") is False
