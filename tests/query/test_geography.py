"""The real board: which captures are legal in random positions, against brute force from the issue's words."""

from __future__ import annotations

from random import Random

import pytest
from vclogic_encodings.axis_allies.encoding import ENCODING

from tests.oracles.captures import World
from tests.toys.small_maps import world_of
from vclogic.encode.python.evaluator import failed
from vclogic.files.boards import read_board
from vclogic.files.registry import data_source
from vclogic.files.trees.nodes import parse
from vclogic.model.actions import Action
from vclogic.model.fluents import State, Value
from vclogic.model.system import ANY, System
from vclogic.model.transition import actions_of
from vclogic.terms.term import Term

BOARD = read_board(ENCODING, parse(data_source("axis_allies", "board.yaml")))
TURNS = BOARD.turn_order


def games(sea_range: int) -> tuple[System, World]:
    chosen: dict[str, int | str] = {"sea_range": sea_range}
    return ENCODING.build(BOARD, ENCODING.settings(chosen)), world_of(BOARD, chosen, 0)


def position(system: System, world: World, rng: Random) -> tuple[State, tuple[str, ...], str]:
    """A position in which a few or many territories have changed hands."""
    share = rng.choice((0.05, 0.3, 0.6, 1))
    owner: dict[str, str] = {}
    for name in world.land:
        start = BOARD.territories[name].owner
        owner[name] = rng.choice(TURNS) if rng.random() < share else start
    turn = rng.choice(TURNS)
    fluents = system.layout.by_name
    given: dict[Term, Value] = {fluents[f"owner[{t}]"]: p for t, p in owner.items()}
    given[fluents["turn"]] = turn
    return system.layout.state(system.completed(given)), tuple(owner[t] for t in world.land), turn


@pytest.mark.parametrize("sea_range", [0, 1, 2, 3])
@pytest.mark.parametrize("metric", ["captures", "turns"])
def test_legal_captures(metric: str, sea_range: int) -> None:
    system, world = games(sea_range)
    found = system.metric(metric)
    assert found
    step = found.transition(None, ANY, {})
    actions = list(actions_of(step).values()) or every_capture(system, sea_range)
    assert len(actions) == len(TURNS) * len(world.land)
    in_turn = metric == "turns"
    rng = Random(sea_range)
    for _ in range(4):
        state, owners, turn = position(system, world, rng)
        legal = {(str(a.actor), str(dict(a.args)["territory"])) for a in actions if not failed(system, state, a)}
        powers = [turn] if in_turn else TURNS
        assert legal == {(p, t) for p in powers for t in world.captures(owners, p, own_only=in_turn)}


def every_capture(system: System, sea_range: int) -> list[Action]:
    """The captures of a step that may hold many of them."""
    from vclogic_encodings.axis_allies.encoding import game_of
    from vclogic_encodings.axis_allies.planning.captures import Captures

    captures = Captures(game_of(BOARD, ENCODING.settings({"sea_range": sea_range})), system.events)
    return list(captures.actions(None, ANY, "turns", own_turn=True))


@pytest.mark.parametrize(("canal", "zones"), [(name, c.zones) for name, c in BOARD.canals.items()])
def test_a_canal_of_the_board_opens_ways(canal: str, zones: tuple[str, str]) -> None:
    """With its land in one hand more can be reached than with one bank in the other's, and nothing less."""
    _, world = games(2)
    banks = BOARD.canals[canal].land
    shore = next(t for t, z in sorted(world.coasts) if z in zones and t not in banks)
    base = frozenset((shore,))
    open_, shut = world.reached(base, base | set(banks)), world.reached(base, base | set(banks[1:]))
    assert shut < open_
    system, _ = games(2)
    found = system.metric("captures")
    assert found
    for held in (True, False):
        owner = {
            t: "Russians" if t in base or (t in banks[1:] or (held and t in banks)) else "Germans" for t in world.land
        }
        values = system.completed({system.layout.by_name[f"owner[{t}]"]: p for t, p in owner.items()})
        state = system.layout.state(values)
        actions = actions_of(found.transition("Allies", ANY, {})).values()
        legal = {
            str(dict(a.args)["territory"]) for a in actions if a.actor == "Russians" and not failed(system, state, a)
        }
        assert legal == set(world.captures(tuple(owner[t] for t in world.land), "Russians", own_only=False))
