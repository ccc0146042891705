"""What goals can count, in each game: kinds, groups and properties as on the board, in terms that are as good."""

from __future__ import annotations

from itertools import permutations

import pytest

from tests.fixtures.games import loaded
from vclogic.errors import InputError
from vclogic.terms.expressions.names import written_name
from vclogic.terms.expressions.resolve import compile_value
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
            found = compile_value(f"count({name} in {written_name(group)})", words).partial.value
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


@pytest.mark.parametrize("game", GAMES)
def test_a_variable_is_the_group_of_what_it_stands_for(game: str) -> None:
    words = loaded(game).setup.system.vocabulary
    tried = 0
    for larger, kind in permutations(words.kinds.values(), 2):
        for member in [*larger.members][:: max(1, len(larger.members) // 9)]:
            named = next((n for n in (f"{larger.name} {member}", member) if n in kind.every_group), None)
            if named is not None:
                one = f"of_it {larger.name} where of_it == {written_name(member, beside=True)}"
                asked = f"sum(count(x {kind.name} in of_it) for {one})"
                found, out = (
                    compile_value(text, words).partial.value for text in (asked, f"count({kind.name} in '{named}')")
                )
                assert found is out, (asked, named)
                tried += 1
    assert tried > 0 or game == "axis_allies"  # whose powers are no groups of territories


@pytest.mark.parametrize(
    ("game", "variable", "members"),
    [
        ("moscow", "place", {"Moscow": "Moscow", "Riga": "Riga", "Leningrad": "Leningrad"}),
        ("asl/22u3", "building", {"22U3": "building 22U3"}),
        ("asl/22u3", "hex", {"22U3": "hex 22U3", "22V1": "hex 22V1"}),
        ("napoleonics/erlenbach", "objective", {"Mill": "Mill", "West Bridge": "West Bridge"}),
        ("okinawa", "zone", {"Northern": "Northern", "Southern": "Southern"}),
    ],
)
def test_a_unit_is_in_the_group_that_a_variable_is(game: str, variable: str, members: dict[str, str]) -> None:
    words = loaded(game).setup.system.vocabulary
    for member, group in members.items():
        out = compile_value(f"count(unit where at(unit) in '{group}')", words).partial.value
        one = f"some({variable} where {variable} == '{member}' and at(unit) in {variable})"
        assert compile_value(f"count(unit where {one})", words).partial.value is out


def test_a_path_begins_on_any_hex_of_a_place() -> None:
    words = loaded("moscow").setup.system.vocabulary
    paths = "connected({}, Riga through hex where not zoc(German, hex))"
    begins = " or ".join(paths.format(f"'{h}'") for h in words.kinds["hex"].every_group["Moscow"])
    asked = compile_value(begins, words).partial.value
    assert compile_value(paths.format("Moscow"), words).partial.value is asked
    of_it = f"some(place where place == Moscow and {paths.format('place')})"
    assert compile_value(of_it, words).partial.value is asked


@pytest.mark.parametrize(
    ("game", "goal", "message"),
    [
        ("moscow", "count(place where zoc(German, place))", "place is a place, which may be several of hex"),
        ("moscow", "some(place where at('I Corps') == place)", "place is a place, which may be several of hex"),
        ("moscow", "some(place where distance(place, '9,2') <= 2)", "place is a place, which may be several of hex"),
        ("moscow", "count(side where some(hex in side))", "side is a side, no group of hex"),
        ("moscow", "count(unit where at(unit) in unit)", "unit is a unit, no group of whereabouts"),
        (
            "asl/22u3",
            "some(building where controls_hex(German, building))",
            "building is a building, which may be several of hex",
        ),
        (
            "axis_allies",
            "count(power where some(territory in power))",
            "power is a power, no group of territory",
        ),
    ],
)
def test_a_group_where_one_is_needed_and_what_is_no_group_are_told(game: str, goal: str, message: str) -> None:
    words = loaded(game).setup.system.vocabulary
    with pytest.raises(InputError) as caught:
        compile_value(goal, words)
    assert caught.value.diagnostics[0].message == message
