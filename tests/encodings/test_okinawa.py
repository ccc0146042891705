"""Okinawa: lines, points, retreats and exits against plain Python on random small boards; questions; bad boards."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from vclogic_encodings.okinawa.rules import ENCODING

from tests.support.okinawa_brute import JAPAN, READINGS, SIDES, US, Battle, random_board
from tests.support.pace import examples
from vclogic.encode.python import apply, failed, interpret
from vclogic.model.actions import Event
from vclogic.model.fluents import State
from vclogic.model.system import System
from vclogic.query.ask import Ask
from vclogic.query.plan import plan
from vclogic.terms.resolve import compile_goal

seeds = st.integers(0, 2**32 - 1)


def seen(system: System, state: State, name: str, *arguments: str) -> Any:
    """The value of an observable; None where it is undefined."""
    found = system.vocabulary[name].partial(*arguments)
    slot = system.layout.slot
    if not interpret(found.defined, slot, state):
        return None
    value = interpret(found.value, slot, state)
    members = getattr(found.value.sort, "members", None)
    return members[value] if members else int(value)


def differences(system: System, state: State, battle: Battle) -> dict[str, tuple[object, object]]:
    """What the two say otherwise of a moment."""
    expected: dict[tuple[str, ...], object] = {
        ("automatic",): battle.automatic(),
        ("holds", "automatic_victory", JAPAN): battle.over and battle.automatic(),
        ("without_loc", US): battle.cut_off(),
        ("cut_off_points",): 3 * battle.cut_off(),
        ("retreat_points", JAPAN): battle.points,
        ("removals",): battle.owed,
        ("turn",): battle.turn,
        ("round",): battle.round,
        ("over",): battle.over,
        ("margin", US): battle.final(US) - battle.final(JAPAN),
    }
    for side in SIDES:
        expected["vp", side] = battle.vp(side)
        expected["vp_at_end", side] = battle.final(side)
        expected["zone_points", side] = battle.zone_points(side)
        expected["holds", "victory", side] = battle.winner() == side
        for zone in battle.board.zones:
            expected["units_in", side, zone] = len(battle.inside(side, battle.area(zone)))
    for unit, at in battle.at.items():
        expected["at", unit] = at
        expected["value", unit] = battle.worth(unit)
        if battle.side(unit) == US:
            expected["loc", unit] = battle.traces(unit) if unit in battle.on_map(US) else None
    for h in battle.hexes():
        expected["usable", h] = h in battle.usable()
    found = {" ".join(key): (seen(system, state, *key), value) for key, value in expected.items()}
    wrong = {key: pair for key, pair in found.items() if pair[0] != pair[1]}
    slot = system.layout.slot
    broken = [r.name for r in (*system.invariants, *system.checked) if not interpret(r.kept, slot, state)]
    return {**wrong, **dict.fromkeys(broken, ("broken", "kept"))}


def system_of(battle: Battle) -> System:
    assert [*ENCODING.check_board(battle.board)] == []
    early = "allowed" if battle.early else "refused"
    return ENCODING.build(battle.board, ENCODING.settings({**battle.readings, "early_end": early}))


@examples(70)
@given(seeds)
def test_a_play_is_what_plain_python_says(seed: int) -> None:
    rng = Random(seed)
    readings = {name: rng.choice(values) for name, values in READINGS.items()}
    battle = Battle(random_board(rng), readings, early=rng.random() < 0.7)
    system = system_of(battle)
    state = system.layout.state(system.completed({}))
    assert differences(system, state, battle) == {}
    for _ in range(rng.randint(1, 25)):
        name, arguments = battle.next_event(rng)
        action = system.action(Event(name, tuple(arguments.items())))
        allowed = battle.may(name, arguments)
        assert (not failed(system, state, action)) == allowed, (name, arguments, battle)
        if allowed:
            battle.do(name, arguments)
            state = apply(system, state, action)
    assert differences(system, state, battle) == {}


@examples(40)
@given(seeds)
def test_lines_are_those_of_a_search_hex_by_hex(seed: int) -> None:
    rng = Random(seed)
    readings = {name: rng.choice(values) for name, values in READINGS.items()}
    battle = Battle(random_board(rng, units=10), readings)
    system = system_of(battle)
    for _ in range(5):
        for unit in battle.at:
            battle.at[unit] = "off"
            free = [h for h in battle.land() if battle.room(unit, h)]
            if free and rng.random() < 0.9:
                battle.at[unit] = rng.choice(free)
        at = system.layout.families["at"]
        values = {**system.completed({}), **{at[u]: h for u, h in battle.at.items()}}
        assert differences(system, system.layout.state(values), battle) == {}


# ---- plans


def fewest(battle: Battle, goal: str, number: int, turns: int) -> int | None:
    """The fewest moves of Japan after which a goal holds, with the US idle; every way to move is tried."""
    cost = {tuple(battle.at.items()): 0}
    for turn in range(turns + 1):
        holds = [n for at, n in cost.items() if met(battle, dict(at), goal, number)]
        if turn == turns:
            return min(holds, default=None)
        for at, n in list(cost.items()):
            battle.at = dict(at)
            for moved, after in [*battle.turns(JAPAN)]:
                key = tuple(after.items())
                cost[key] = min(cost.get(key, n + moved), n + moved)
    return None


def met(battle: Battle, at: dict[str, str], goal: str, number: int) -> bool:
    battle.at = at
    return battle.automatic() if goal == "automatic" else battle.cut_off() >= number


@examples(10)
@given(seeds)
def test_the_fewest_moves_are_those_of_every_way_to_move(seed: int) -> None:
    rng = Random(seed)
    board = random_board(rng, units=6, columns=5)
    while len(board.units[JAPAN]) > 2:
        board = random_board(rng, units=6, columns=5)
    battle = Battle(
        board, {**{r.name: r.default for r in ENCODING.readings}, "edge_hex": rng.choice(("free", "any"))}
    )
    system = system_of(battle)
    start, turns = dict(battle.at), min(rng.choice((1, 2)), board.turns or 2)
    state = system.layout.state(system.completed({}))
    for goal, number in (("automatic", 1), *((f"without_loc(US) >= {n}", n) for n in (1, 2, 3))):
        battle.at = dict(start)
        best = fewest(battle, goal, number, turns)
        ask = Ask("random", system, state, (), JAPAN, "idle", system.metric("moves"), within=turns)
        found = plan(ask, goal, compile_goal(goal, system.vocabulary, "goal").term)
        assert (found.status, found.cost) == (("impossible", None) if best is None else ("optimal", best)), goal
