"""Boards that lack something: every event on them, status, pictures and plans, without a failure inside the rules."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import pytest
from vclogic_encodings.asl.encoding import ENCODING

from tests.fixtures.pace import MORE
from tests.fixtures.positions import load
from vclogic.encode.python.evaluator import apply, failed
from vclogic.errors import InputError
from vclogic.model.actions import Event, Schema
from vclogic.model.fluents import State
from vclogic.model.system import System

HEADER = "game: asl\nboard:\n  sides: [Red, Blue]\n  victory: {Red: {all: [{cvp: 1}]}}\n"
TWO = "  hexes: {22U3: {}, 22V2: {}}\n"
HOUSE = "  buildings: {22U3: {hexes: [22U3, 22V2], levels: 1, stairs: [22U3]}}\n  flammable: [22U3/0, 22V2/1]\n"
AREAS = "  areas: {all: {side: Red, hexes: [22U3, 22V2]}}\n  exits: {east: {sides: [Red, Blue]}}\n"
TANK = "A: {side: Red, kind: vehicle, main_armament: true, inherent: crew, at: 22U3/0}"
FOE = ", B: {side: Blue, kind: squad, at: 22U3/0}"
ODD = {
    "only vehicles": (TWO + HOUSE + AREAS, TANK + ", B: {side: Blue, kind: vehicle}"),
    "only trucks of one side": (TWO, "A: {side: Red, kind: vehicle, at: 22V2/0}"),
    "only one side": (TWO + HOUSE + AREAS, TANK + ", B: {side: Red, kind: squad, at: 22U3/1}"),
    "only Infantry": (TWO + HOUSE, "A: {side: Red, kind: squad}" + FOE),
    "only leaders": (TWO + HOUSE, "A: {side: Red, kind: leader}, B: {side: Blue, kind: hero, at: 22U3/0}"),
    "only dummies": (TWO + HOUSE + AREAS, "A: {side: Red, kind: dummy, at: 22U3/0}"),
    "only Guns": (TWO + HOUSE + AREAS, "A: {side: Red, kind: gun, at: 22U3/0}, B: {side: Blue, kind: gun}"),
    "only equipment": (TWO, "A: {side: Red, kind: equipment, at: 22U3/0}"),
    "Guns and vehicles": (TWO + AREAS, TANK + ", B: {side: Red, kind: gun, at: 22U3/0}"),
    "Guns and squads": (TWO + HOUSE + AREAS, "A: {side: Red, kind: gun, at: 22U3/0}" + FOE),
    "only aircraft": (TWO + AREAS, "A: {side: Red, kind: aircraft}, B: {side: Blue, kind: glider}"),
    "no buildings": (TWO + AREAS, TANK + FOE),
    "one hex": ("  hexes: {22U3: {}}\n  flammable: [22U3/0]\n", TANK + FOE),
    "a bridge without ground": (
        "  hexes: {22U3: {locations: [bridge, depression, sewer, pillbox]}}\n  flammable: [22U3/bridge]\n",
        "A: {side: Blue, kind: squad, at: 22U3/sewer}",
    ),
    "all hexes closed": (
        "  hexes: {22U3: {closed: [Red, Blue]}, 22V2: {closed: [Blue]}}\n  flammable: [22U3/0]\n",
        TANK + FOE,
    ),
}
MOST, STEPS = (int(12 * MORE), int(8 * MORE)) if MORE else (6, 6)
"""So many instances of a kind of event are tried at most, after so many events."""
OTHERS = {r.name: list(r.values)[-1] for r in ENCODING.readings}
SETTINGS = {
    "": "",
    ", other Readings": f"options: {{rooftops: on, cellars: on}}\nreadings: {json.dumps(OTHERS)}\n",
}


def odd_board(name: str) -> str:
    """A position file with one of the boards."""
    places, units = ODD[name]
    return f"{HEADER}{places}  units: {{{units}}}\n"


def instances(schema: Schema, chance: random.Random) -> list[Event]:
    """Some events of a kind, or all of them where there are few."""
    names: list[Sequence[str | int]] = [
        p.domain if isinstance(p.domain, range) else p.domain.sort.members for p in schema.parameters
    ]
    every = [tuple(zip((p.name for p in schema.parameters), args, strict=True)) for args in product(*names)]
    return [Event(schema.name, args) for args in chance.sample(every, min(MOST, len(every)))]


def after(system: System, state: State, event: Event) -> State | None:
    """The state after an event, or None if it is not allowed; built for all states and for this one alike."""
    found = []
    for action in (system.action(event), system.action_in(state, event)):
        found.append(None if failed(system, state, action) else apply(system, state, action))
    assert found[0] == found[1], event
    return found[0]


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("odd", ODD)
def test_every_event_on_an_odd_board_is_judged(tmp_path: Path, odd: str, settings: str) -> None:
    game = load(tmp_path, odd_board(odd) + SETTINGS[settings])
    system, state, chance = game.setup.system, game.state, random.Random(26 + int(MORE))
    events = [e for s in system.schemas.values() for e in instances(s, chance)]
    happened = set()
    for _ in range(STEPS):
        allowed = {e: s for e in events if e.name != "end_game" and (s := after(system, state, e)) is not None}
        if not allowed:
            break
        event = chance.choice(sorted(allowed, key=str))
        happened.add(event.name)
        state = allowed[event]
    assert happened
    assert after(system, state, Event("end_game")) is not None


@pytest.mark.parametrize("odd", ODD)
def test_an_odd_board_has_status_picture_and_plans(tmp_path: Path, odd: str) -> None:
    game = load(tmp_path, odd_board(odd))
    for view in (None, "Red", "Blue"):
        assert game.status(view).outcomes
    assert game.svg()
    for side in ("Red", "Blue"):
        assert game.plan("controls_hex(Red, 22U3)", side=side, timeout=20).status != "unknown"


@pytest.mark.parametrize("name", ["none", "accident"])
def test_a_side_cannot_be_called_what_the_rules_call_something_else(tmp_path: Path, name: str) -> None:
    board = odd_board("one hex").replace("Red", name)
    with pytest.raises(InputError, match="two sides of different names"):
        load(tmp_path, board)
