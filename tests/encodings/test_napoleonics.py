"""Victory banners of Napoleonics: against plain Python on random battles, the questions it answers, bad boards."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vclogic_encodings.napoleonics.planning.ways import Ways

from tests.support.banners import READINGS, TYPES, A, B, Battle, fewest, random_board, reachable, system_of
from tests.support.pace import examples
from vclogic.encode.python import apply, failed, interpret
from vclogic.model.actions import Event
from vclogic.model.fluents import State
from vclogic.model.system import System
from vclogic.query.ask import Ask
from vclogic.query.game import Game
from vclogic.query.plan import plan
from vclogic.query.test import test_game as run_rulings
from vclogic.terms.resolve import compile_goal

seeds = st.integers(0, 2**32 - 1)


def beginning(system: System) -> State:
    return system.layout.state(system.completed({}))


def events(battle: Battle, rng: Random) -> list[tuple[str, dict[str, str]]]:
    """Some events, allowed or not, most of them of kinds that change something."""
    board = battle.board
    side = B if battle.turn == A else A
    units = list(board.units)
    found: list[tuple[str, dict[str, str]]] = [("start_turn", {"side": rng.choice((side, side, battle.turn))})]
    found += [(e, {}) for e in ("end_movement", "end_turn")]
    for u in rng.sample(units, min(3, len(units))):
        to = rng.choice(board.hexes)
        found += [("order", {"units": u}), ("move", {"unit": u, "to": to}), ("retreat", {"unit": u, "to": to})]
        found += [("move", {"unit": u, "to": "off"}), ("eliminate", {"unit": u})]
    for o in board.objectives.values():
        for u in [u for u in units if u in battle.ordered] or units[:1]:
            found.append(("move", {"unit": u, "to": rng.choice(o.hexes)}))
    return rng.sample(found, len(found))


def differences(system: System, state: State, battle: Battle) -> dict[str, object]:
    """What the two say otherwise about a moment."""
    slot = system.layout.slot
    wrong: dict[str, object] = {}
    for side in (A, B):
        said = interpret(system.vocabulary["banners"].partial(side).value, slot, state)
        if said != battle.banners(side):
            wrong[f"banners of {side}"] = (said, battle.banners(side))
    for name in battle.board.objectives:
        term = system.vocabulary["objective"].partial(name).value
        said = term.sort.members[interpret(term, slot, state)]  # type: ignore[union-attr]
        if said != battle.has(name):
            wrong[name] = (said, battle.has(name), battle.board.objectives[name])
    winner = system.winner
    assert winner is not None
    said = winner.sort.members[interpret(winner, slot, state)]  # type: ignore[union-attr]
    if said != battle.winner():
        wrong["winner"] = (said, battle.winner())
    wrong |= {r.name: "broken" for r in system.invariants if not interpret(r.kept, slot, state)}
    return wrong


@examples(40)
@given(seeds)
def test_banners_are_those_of_plain_python(seed: int) -> None:
    rng = Random(seed)
    readings = {name: rng.choice(values) for name, values in READINGS.items()}
    board = random_board(rng, needed=rng.choice((3, 5)))
    system = system_of(board, **readings)
    battle, state = Battle.begin(board, readings), beginning(system)
    assert differences(system, state, battle) == {}
    for _ in range(25):
        done = None
        for name, args in events(battle, rng):
            action = system.action(Event(name, tuple(args.items())))
            legal = not failed(system, state, action)
            assert legal == battle.legal(name, **args), (name, args)
            if legal and done is None:
                done = name, args, action
        if done is None:
            break
        name, args, action = done
        before = battle
        state, battle = apply(system, state, action), battle.do(name, **args)
        assert differences(system, state, battle) == {}, (name, args, before)


@examples(40)
@given(seeds)
def test_ways_are_those_of_trying_every_way(seed: int) -> None:
    rng = Random(seed)
    board = random_board(rng, columns=5, rows=4)
    ways = Ways(board)
    for kind in TYPES:
        source = rng.choice(board.hexes)
        closed = frozenset(rng.sample(board.hexes, 3)) - {source}
        found = ways.from_hex(kind, source, closed)
        assert set(found) == reachable(board, kind, source, set(closed))
        for target, way in found.items():
            assert way[-1] == target
            assert not closed.intersection(way)


@examples(12)
@given(seeds, st.booleans(), st.booleans(), st.sampled_from(["moves", "turns"]))
def test_plans_are_those_of_breadth_first_search(seed: int, fights: bool, any_opponent: bool, metric: str) -> None:
    rng = Random(seed)
    readings = {name: rng.choice(values) for name, values in READINGS.items()} | {"note_kinds": "every"}
    board = random_board(rng, columns=3, rows=2, units=2, needed=3)
    orders, side, banners = rng.choice((1, 2)), rng.choice((A, B)), rng.choice((1, 2, 3, 3, 4))
    opponent = "any" if any_opponent else "idle"
    within = 2 if any_opponent else 3
    combat = "adjacent" if fights else "none"
    system = system_of(board, **readings, orders=orders, combat=combat)
    goal = f"banners({side}) >= {banners}"
    state = beginning(system)
    found_metric = system.metric(metric)
    assert found_metric is not None
    ask = Ask("x", system, state, (), side, opponent, found_metric, within=within)
    found = plan(ask, goal, compile_goal(goal, system.vocabulary, "goal").term)
    battle = Battle.begin(board, readings)
    cost = fewest(battle, side, banners, within, cost=metric, orders=orders, fights=fights, opponent=opponent)
    assert (found.status, found.cost) == (("impossible", None) if cost is None else ("optimal", cost))


def test_every_ruling_holds() -> None:
    failed_cases = [case for case in run_rulings("napoleonics").cases if case.status == "failed"]
    assert not failed_cases


@pytest.mark.parametrize(("name", "hexes"), [("napoleonics/erlenbach", 113), ("napoleonics/sankt-veit", 113)])
def test_the_standard_board_has_thirteen_and_twelve_hexes_in_turn(name: str, hexes: int) -> None:
    grid = Game.load(name).setup.system.vocabulary["occupies"].parameters[1]
    rows = [sum(h.endswith(f",{r}") for h in [*grid.sort.members, *grid.refused]) for r in range(9)]
    assert rows == [13, 12, 13, 12, 13, 12, 13, 12, 13]
    assert sum(rows) == hexes
