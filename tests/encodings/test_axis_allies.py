"""The facts of the board that everything else rests on."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vclogic_encodings.axis_allies.rules.victory_cities import city_points

from tests.fixtures.games import loaded
from tests.fixtures.pace import examples
from tests.fixtures.positions import load
from vclogic.encode.python.evaluator import apply, failed
from vclogic.errors import InputError
from vclogic.files.setup import Setup
from vclogic.game import Game
from vclogic.model.actions import Event


@pytest.fixture(scope="module")
def setup() -> Setup:
    return Game.load("axis_allies/revised-1942").setup


def board(setup: Setup):  # type: ignore[no-untyped-def]
    """The board, through the observables' domains and the encoding's own reader."""
    from vclogic.files.boards import read_board
    from vclogic.files.registry import data_source
    from vclogic.files.trees.nodes import parse

    return read_board(setup.encoding, parse(data_source("axis_allies", "board.yaml")))


def test_the_board_has_its_regions_and_connections(setup: Setup) -> None:
    b = board(setup)
    assert len(b.territories) == 143
    assert len(b.connections) == len({frozenset(c) for c in b.connections}) == 348
    assert Counter(t.kind for t in b.territories.values()) == {"land": 63, "sea": 64, "impassable": 16}
    assert {n: set(c.land) for n, c in b.canals.items()} == {
        "Suez Canal": {"Anglo Egypt", "Trans-Jordan"},
        "Panama Canal": {"Panama"},
    }


def test_every_nation_has_five_cities_worth_thirteen(setup: Setup) -> None:
    b = board(setup)
    by_nation: dict[str, list[str]] = {}
    for territory, city in b.cities.items():
        by_nation.setdefault(city.nation, []).append(territory)
    assert {n: sum(city_points(b, t) for t in ts) for n, ts in by_nation.items()} == dict.fromkeys(
        ("Russia", "Germany", "UK", "Japan", "US"), 13
    )
    for territories in by_nation.values():
        ranks = Counter(b.cities[t].rank for t in territories)
        assert ranks == {"capital": 1, "major": 1, "moderate": 2, "minor": 1}


def test_the_incomes_at_the_start_are_the_printed_ones() -> None:
    game = loaded("axis_allies")
    incomes = {p: game.value(f"ipc({p})") for p in ("Russians", "Germans", "British", "Japanese", "Americans")}
    assert incomes == {"Russians": 24, "Germans": 40, "British": 30, "Japanese": 30, "Americans": 42}


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("Karelia", "Karelia S.S.R."),
        ("FIC", "French Indochina"),
        ("W. Europe", "Western Europe"),
        ("UK", "United Kingdom"),
    ],
)
def test_the_rule_texts_names_are_accepted(alias: str, name: str) -> None:
    game = loaded("axis_allies")
    assert game.value(f'owner("{alias}")') == game.value(f'owner("{name}")')


POWERS_NAMES = {
    "Russians": ("Russia", "Soviet Union", "USSR"),
    "Germans": ("Germany",),
    "British": ("UK", "United Kingdom", "Britain"),
    "Japanese": ("Japan",),
    "Americans": ("US", "USA", "America", "United States"),
}


@pytest.mark.parametrize(("power", "alias"), [(p, a) for p, names in POWERS_NAMES.items() for a in names])
def test_a_power_goes_by_its_other_names_everywhere(power: str, alias: str, tmp_path: Path) -> None:
    """In goals, positions, records and for `--side`; a territory of that name stays the territory."""
    game = loaded("axis_allies")
    assert game.value(f'vcp("{alias}")') == game.value(f"vcp({power})") == 13
    file = tmp_path / "position.yaml"
    state = f"{{turn: {alias}, treasury: {{{alias}: 77}}, owner: {{Kenya: {alias}}}, first_turn_done: [{alias}]}}"
    record = f"[{{purchase: {{power: {alias}, unit: infantry}}}}]"
    file.write_text(f"game: axis_allies\noptions: {{treasury: on}}\nstate: {state}\nrecord: {record}\n")
    said = Game.load(str(file))
    assert said.value("turn") == said.value("owner(Kenya)") == power
    assert said.value(f"treasury({power})") == 74
    assert said.history[0].args[0] == ("power", power)
    goal = "vcp(Allies) >= 41 or vcp(Axis) >= 28"
    assert game.plan(goal, side=alias).assumptions == game.plan(goal, side=power).assumptions


def test_a_goal_about_a_power_says_which_side_moves() -> None:
    plan = loaded("axis_allies").plan("vcp(Germany) >= 18 and cities(Axis) == cities(Germany) + 5")
    assert (plan.status, plan.cost) == ("optimal", 1)
    idle = "the opponent is idle: it does only what the rules force, and ends its turns"
    assert f"the Axis side moves; {idle}" in plan.assumptions
    assert loaded("axis_allies").reach("cities(Axis) + cities(Allies) != 25", opponent="any").status == "unreachable"


def small_board(powers: str) -> str:
    """Two lands, for powers A and B and whoever else is given; the file's text."""
    return f"""\
game: axis_allies
board:
  powers: {{A: {{side: Axis, nation: North}}, B: {{side: Allies, nation: South}}, {powers}}}
  turn_order: [A, B, C]
  judged_after: B
  ranks: {{capital: 5, major: 3, moderate: 2, minor: 1}}
  major_victory: {{Axis: 5, Allies: 5}}
  territories: {{North: {{owner: B}}, Hill: {{owner: A}}, Dale: {{owner: C}}}}
  connections: [[North, Hill], [Hill, Dale]]
state: {{}}
"""


def test_a_nation_of_two_powers_names_neither(tmp_path: Path) -> None:
    """The territory of that name is still the territory."""
    file = tmp_path / "board.yaml"
    file.write_text(small_board("C: {side: Axis, nation: North}"))
    game = Game.load(str(file))
    assert game.value("owner(North)") == "B"
    assert game.value("territories(South)") == 1
    for goal in ("owner(North) == North", "territories(North) >= 1", "turn == North"):
        with pytest.raises(InputError, match=r"'North' is no .*: it could be the A or the C"):
            game.value(goal)
    with pytest.raises(InputError, match="unknown side 'North'"):
        game.plan("territories(Axis) >= 2", side="North")


@pytest.mark.parametrize(
    ("power", "flaw"),
    [
        ("C: {side: Axis, nation: East, aliases: [A]}", "'A' is already a power"),
        ("C: {side: Axis, nation: East, aliases: [Allies]}", "'Allies' is already a side"),
        ("C: {side: Axis, nation: East, aliases: [Orient, Orient]}", "'Orient' is already another name of the C"),
        ("C: {side: A, nation: East}", "A is a side too, and not this power alone"),
    ],
)
def test_a_name_of_two_meanings_is_refused(power: str, flaw: str, tmp_path: Path) -> None:
    file = tmp_path / "board.yaml"
    file.write_text(small_board(power))
    with pytest.raises(InputError, match=flaw):
        Game.load(str(file))


@pytest.mark.parametrize(
    ("expression", "reason"),
    [('owner("5 Sea Zone")', "a sea zone has no owner"), ("owner(Turkey)", "nobody can enter or own it")],
)
def test_what_nobody_can_own_has_no_owner(expression: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        loaded("axis_allies").value(expression)


def test_the_winner_is_whoever_was_first() -> None:
    game = Game.load("axis_allies", settings=[("victory", "major")])
    for _ in range(1):
        game = game.apply("end_turn")
    for territory in ("UK", "Russia", "India", "China"):
        game = game.apply("capture", power="Germans", territory=territory)
    assert game.status().winner is None
    for _ in range(4):
        game = game.apply("end_turn")
    status = game.status()
    assert status.winner == "Axis"
    assert {(o.rule, o.side): o.status for o in status.outcomes} == {
        ("major_victory", "Axis"): "met",
        ("major_victory", "Allies"): "unmet",
    }
    with pytest.raises(InputError, match="the game is over: the Axis have won"):
        game.apply("capture", power="Russians", territory="Russia")
    assert list(game.legal().events()) == []
    stopped = game.plan("vcp(Allies) >= 45", side="Allies", minimize="turns", within=1)
    assert (stopped.status, "the Axis have won already" in " ".join(stopped.assumptions)) == ("impossible", True)
    every = game.with_options(victory="all")
    assert every.apply("capture", power="Russians", territory="Russia").status().winner == "Axis"


@pytest.mark.parametrize("metric", [pytest.param("turns", marks=pytest.mark.slow), "captures"])
def test_a_plan_that_frees_a_capital_gives_its_lands_back(tmp_path: Path, metric: str) -> None:
    """Both what an ally held already and what it takes in the same turn, before the capital or after it."""
    owners = "{Caucasus: British, Russia: Germans, Karelia: Germans, West Russia: British}"
    text = f"readings: {{liberated_territory: first_owner}}\nstate: {{turn: British, owner: {owners}}}"
    game = load(tmp_path, f"game: axis_allies\n{text}")
    goal = "owner(Caucasus) == Russians and owner(Karelia) == Russians"
    plan = game.plan(goal, side="Allies", minimize=metric, within=1 if metric == "turns" else 2)
    assert plan.cost == (1 if metric == "turns" else 2)


CAPITALS = {
    "Russians": "Russia",
    "Germans": "Germany",
    "British": "United Kingdom",
    "Japanese": "Japan",
    "Americans": "Eastern United States",
}
AXIS = {"Germans", "Japanese"}


@examples(40)
@given(st.integers(0, 2**32 - 1))
def test_what_is_liberated_goes_back_as_in_plain_python(seed: int) -> None:
    """Captures by anybody, within one nation's lands, many of its capital; what follows by a loop over all lands."""
    rng, game = Random(seed), loaded("axis_allies", liberated_territory="first_owner")
    system = game.setup.system
    layout, state = system.layout, game.state
    lands = tuple(t for (t,) in layout.families["owner"].fluents)
    owner = {t: str(layout.values(state)[layout.by_name[f"owner[{t}]"]]) for t in lands}
    first, nation = dict(owner), rng.choice(list(CAPITALS))
    within = [*[CAPITALS[nation]] * 2, *(t for t in lands if first[t] == nation)]
    for _ in range(60):
        power, land = rng.choice(list(CAPITALS)), rng.choice(within)
        state = layout.state({**layout.values(state), layout.by_name["turn"]: power})
        event = system.action(Event("capture", (("power", power), ("territory", land), ("destroy_complex", "no"))))
        side = AXIS if power in AXIS else {*CAPITALS} - AXIS
        assert bool(failed(system, state, event)) is (owner[land] in side)
        if owner[land] in side:
            continue
        state = apply(system, state, event)
        home = first[land]
        free = home in side and (CAPITALS[home] == land or owner[CAPITALS[home]] == home)
        owner[land] = home if free else power
        if CAPITALS[home] == land and home in side:
            owner |= {t: home for t in lands if first[t] == home and owner[t] in side}
        assert {t: str(layout.values(state)[layout.by_name[f"owner[{t}]"]]) for t in lands} == owner
