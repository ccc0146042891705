"""vclogic in one Python process: a game loaded, a question asked, and asked again; positions judged; moves listed."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import vclogic
from benchmarks.race.peers.told import memory
from benchmarks.race.positions import positions
from vclogic.encode.python.evaluator import Evaluator
from vclogic.game import Game
from vclogic.model.system import System

_REPEATS = 200
_ASKING = ("vclogic.query.plan.cheapest", "highspy", "vclogic.rulebook.rules", "vclogic.query.legal.listed")
"""Loaded beforehand, as peers load theirs."""
_SHORT = 3.0  # seconds of a question that is not asked again


def main() -> None:
    """Answer the request that the command line names a file of, and say in one line of JSON what came of it."""
    request = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    for name in _ASKING:
        import_module(name)
    began = time.perf_counter()
    game = vclogic.load(request["game"], settings=request["settings"])
    loaded = time.perf_counter() - began
    if request["goal"] is not None:
        told = _planned(game, request)
    else:
        told = _listed(game, began) if request["command"] == "legal" else _judged(game)
    print(json.dumps({**told, "load": loaded, "memory": memory()}), flush=True)


def _planned(game: Game, request: Mapping[str, Any]) -> dict[str, Any]:
    times: list[float] = []
    while not times or (len(times) < 2 and times[0] < _SHORT):
        began = time.perf_counter()
        plan = game.plan(request["goal"], timeout=request["limit"], **request["asked"])
        times.append(time.perf_counter() - began)
    return {
        "cost": plan.cost,
        "proved": plan.status in ("optimal", "impossible"),
        "lower": plan.lower_bound,
        "solution": [s.args["territory"] for s in plan.steps if s.action == "capture"],
        "inside": times[0],
        "again": times[1] if len(times) > 1 else None,
    }


def judging(system: System) -> Evaluator:
    """What says who has won: the points of both sides, and whether each outcome's condition holds."""
    terms = {f"vcp({side})": system.vocabulary["vcp"].partial(side).value for side in system.sides}
    return Evaluator(system.layout, terms | {f"{o.name} {o.side}": o.condition.holds for o in system.outcomes})


def _judged(game: Game) -> dict[str, Any]:
    """The seconds of one status from a state's numbers, and all that was said."""
    system = game.setup.system
    evaluator = judging(system)
    states = positions(system, game.state)
    began = time.perf_counter()
    for _ in range(_REPEATS):
        for state in states:
            evaluator.evaluate(state)
    seconds = (time.perf_counter() - began) / _REPEATS / len(states)
    names = ("total_victory", "major_victory", "minor_victory")
    found = []
    for state in states:
        said = evaluator.evaluate(state)
        rows = [[said[f"vcp({side})"], *(said[f"{name} {side}"] for name in names)] for side in system.sides]
        found.append([[int(x or 0) for x in row] for row in rows])
    return {"cost": None, "proved": True, "lower": None, "solution": [seconds, found], "inside": seconds}


def _listed(game: Game, began: float) -> dict[str, Any]:
    """The legal moves, and the seconds for them with reading the rules, as peers read theirs."""
    moves = [a.args for kind in game.legal().kinds if kind.event == "move" for a in kind.allowed]
    seconds = time.perf_counter() - began
    found = sorted([str(given["unit"]), str(given["to"])] for given in moves)
    return {"cost": None, "proved": True, "lower": None, "solution": [seconds, found], "inside": seconds}


if __name__ == "__main__":
    main()
