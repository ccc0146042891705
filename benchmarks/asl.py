"""Advanced Squad Leader: records on a whole board, the start of a status, plans for a building."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from vclogic_encodings.asl.geometry import is_half, whole_board

import vclogic
from benchmarks.runner import Answer, Comparison, side_by_side, within
from vclogic.game import Game
from vclogic.query.replay import play_record

AIM = "1,000 events on a whole board with 60 units in a second, `status asl` in 0.5 s, a plan for 22U3 in 10 s"
_VCLOGIC = str(Path(sys.executable).with_name("vclogic"))
_KINDS = ("squad", "squad", "squad", "half-squad", "leader", "vehicle")
_UNITS, _EVENTS, _BUILDINGS = 60, 1000, 30
_LIMIT = 30.0
_BURNING = ["22U3/0", "22U3/1", "22V2/0", "22V2/1", "22V3/0"]
_ALL_SIX = " and ".join(f"controls_location(Russian, 22{h}/{level})" for h in ("U3", "V2", "V3") for level in (0, 1))
GOALS = {
    "the building, nobody in it": ("", "controls_building(Russian, 22U3)"),
    "the building, a squad hidden in it": ("5-4-8: 22V3/0", "controls_building(Russian, 22U3)"),
    "the building and its three hexes, two squads in it": (
        "5-4-8: 22V3/0, 8-3-8: 22U3/1",
        "controls_building(Russian, 22U3) and controls_hex(Russian, 22U3) and controls_hex(Russian, 22V2) "
        "and controls_hex(Russian, 22V3)",
    ),
    "all six Locations": ("", _ALL_SIX),
}


def run() -> Iterator[Comparison]:
    """Records, processes, plans."""
    with tempfile.TemporaryDirectory() as folder:
        quiet = _written(Path(folder) / "quiet.json", position())
        burning = _written(Path(folder) / "burning.json", position(burning=True))
        loaded = {name: vclogic.load(file) for name, file in (("no fire", quiet), ("fire in a building", burning))}
        calls: dict[str, Callable[[], object]] = {
            f"played, {name}": partial(_replay, game) for name, game in loaded.items()
        }
        calls["file to status, no fire"] = partial(_judge, quiet)
        calls["file to status, fire in a building"] = partial(_judge, burning)
        yield Comparison(f"{_EVENTS:,} events, {_UNITS} units, 346 hexes", side_by_side(calls, rounds=5, share=0))
        commands = {
            "vclogic status asl": (_VCLOGIC, "status", "asl"),
            "vclogic status of the whole record": (_VCLOGIC, "status", quiet),
            "python -c pass": (sys.executable, "-c", "pass"),
        }
        starts = {name: partial(_start, words) for name, words in commands.items()}
        yield Comparison("a process, from start to end", side_by_side(starts, rounds=5, share=0))
        plans = {
            name: partial(_plan, _written(Path(folder) / f"{i}.json", _six(state)), goal)
            for i, (name, (state, goal)) in enumerate(GOALS.items())
        }
        yield Comparison("the fewest events on 22U3 with six units", within(_LIMIT, plans))


def position(*, burning: bool = False) -> dict[str, Any]:
    """A whole board with buildings and units, and a random record that the rules allow.

    Args:
        burning: Whether Fire breaks out by accident and by Kindling early on.
    """
    chance = random.Random(26)
    hexes = [h for h in whole_board("22") if not is_half(h)]
    buildings: dict[str, dict[str, Any]] = {
        h: {"hexes": [h], "levels": 1, "stairs": [h]} for h in hexes[3::9][:_BUILDINGS]
    }
    large = ["22U3", "22V2", "22V3"]
    buildings = {h: b for h, b in buildings.items() if h not in large}
    buildings["22U3"] = {"hexes": large, "levels": 1, "stairs": large}
    tall = {h for b in buildings.values() for h in b["hexes"]}
    units = {f"u{i}": _unit(i) for i in range(_UNITS)}
    board = {
        "sides": ["Russian", "German"],
        "whole": ["22"],
        "buildings": buildings,
        "units": units,
        "flammable": _BURNING if burning else [],
        "victory": {"Russian": {"all": [{"building": "22U3"}, {"cvp": 10}]}},
    }
    record: list[dict[str, Any]] = []
    if burning:
        record += [{"fire": {"location": "22U3/0"}}, {"blaze": {"location": "22U3/0"}}]
        record += [{"kindle": {"side": "German", "location": "22V3/0"}}]
    broken: dict[str, bool] = {}
    while len(record) < _EVENTS:
        record.append(_event(chance, units, hexes, tall, broken))
    return {"game": "asl", "board": board, "record": record}


def _unit(i: int) -> dict[str, Any]:
    unit: dict[str, Any] = {"side": ("Russian", "German")[i % 2], "kind": _KINDS[i // 2 % len(_KINDS)]}
    if unit["kind"] == "vehicle":
        unit |= {"armour": 8, "main_armament": True, "other_weapons": True, "inherent": "crew"}
    return unit


def _event(
    chance: random.Random, units: dict[str, Any], hexes: list[str], tall: set[str], broken: dict[str, bool]
) -> dict[str, Any]:
    """A move, or that a unit on the map breaks or rallies."""
    unit = chance.choice(list(units))
    vehicle = units[unit]["kind"] == "vehicle"
    if unit in broken and not vehicle and chance.random() < 0.15:
        broken[unit] = not broken[unit]
        return {"break" if broken[unit] else "rally": {"unit": unit}}
    broken.setdefault(unit, False)
    to = chance.choice([h for h in hexes if h != "22U3"])  # that one may burn
    level = chance.choice("01") if to in tall and not vehicle else "0"
    return {"enter": {"unit": unit, "to": f"{to}/{level}"}}


def _six(state: str) -> dict[str, Any]:
    """22U3 with six units: two squads and a tank against three squads and leaders."""
    gone = dict.fromkeys(("Commissar", "dummy", "Pz IVH"), "eliminated")
    at = {**gone, **dict(part.split(": ") for part in state.split(", ") if part)}
    return {"game": "asl/22u3", "state": {"at": at}}


def _written(file: Path, content: dict[str, Any]) -> str:
    file.write_text(json.dumps(content))
    return str(file)


def _replay(game: Game) -> object:
    setup = game.setup
    state = play_record(setup.system, setup.initial, setup.record)
    assert state == game.state
    return state


def _judge(file: str) -> object:
    return vclogic.load(file).status()


def _start(words: tuple[str, ...]) -> None:
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)


def _plan(file: str, goal: str, limit: float) -> Answer:
    plan = vclogic.load(file).plan(goal, side="Russian", timeout=limit)
    return Answer(f"{plan.cost} events", finished=plan.status == "optimal")
