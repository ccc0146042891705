"""How time and memory grow with a board: areas, units, steps; and what happens where all events are too many."""

from __future__ import annotations

import resource
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import yaml

import vclogic
from benchmarks.large_boards import random_areas, two_asl_boards, written
from benchmarks.runner import Answer, Comparison, Timing, within
from vclogic.game import Game
from vclogic.query.plan.answer import Plan

AIM = "1,000 areas loaded in 1 s, 5,000 in 2 s; on two ASL boards Control of a building in 10 s, what holds in 2 s"
LIMIT = 60.0
AREAS = (100, 300, 1_000, 3_000, 5_000, 10_000)
FEWER = (100, 300, 1_000, 5_000)
UNITS = (20, 100, 400)
STEPS = (1, 2, 3)
_WHOLE_BOARD = Path(__file__).parents[1] / "examples" / "asl_whole_board.yaml"
Question = Callable[[Game, float], Answer]


def run() -> Iterator[Comparison]:
    """One table for each question; the ratios are to the smallest board."""
    with tempfile.TemporaryDirectory() as folder:
        boards = {n: written(random_areas(n), str(Path(folder, f"{n}.yaml"))) for n in AREAS}
        for title, sizes, ask in (
            ("read and checked (`vclogic.load`)", AREAS, _loaded),
            ("the same, and the whole status with its tables", AREAS, _status),
            ("one more territory, over all events (`reach`)", FEWER, _near),
        ):
            calls = {f"{n:,} areas": partial(_asked, boards[n], ask, {}) for n in sizes}
            yield Comparison(title, _measured(calls))
        yield Comparison("one more territory with armies (`plan`, two rounds)", _measured(_by_units(folder)))
        yield Comparison("two more with 100 infantry each on 100 areas (`plan`)", _measured(_by_steps(folder)))
        yield Comparison("two ASL boards with 60 units, over all events (`reach`)", _measured(_two_boards(folder)))


def _measured(calls: Mapping[str, Callable[[float], Answer]]) -> dict[str, Timing]:
    return within(LIMIT, calls, runs=1)


def _asked(file: str, ask: Question, settings: dict[str, str], limit: float) -> Answer:
    """Loads a board and asks; says what came of it, and what processor time and memory it took."""
    before = _processor()
    found = ask(vclogic.load(file, settings=settings), limit)
    memory = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) / 1024
    cost = f"{_processor() - before:.1f} s of processor time, {memory:.0f} MB"
    return Answer(f"{found.text}; {cost}" if found.text else cost, found.finished)


def _processor() -> float:
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in both)


# ---- questions


def _loaded(game: Game, limit: float) -> Answer:
    return Answer("")


def _status(game: Game, limit: float) -> Answer:
    return Answer("" if game.status(tables=True).outcomes else "no outcomes")


def _near(game: Game, limit: float) -> Answer:
    answer = game.reach(_more(game, "territories(Axis)", 1), side="Axis", timeout=limit)
    return Answer(_cut(answer.status, answer.reason), answer.status != "unknown")


def _moves(more: int, turns: int, game: Game, limit: float) -> Answer:
    goal = _more(game, "territories(Axis)", more)
    plan = game.plan(goal, side="Axis", within=turns, timeout=limit)
    return Answer(_cut(_cost(plan), plan.reason), plan.status == "optimal")


def _reach(goal: str, game: Game, limit: float) -> Answer:
    answer = game.reach(goal, side="Russian", within=3, timeout=limit)
    return Answer(f"{answer.status}, depth {answer.depth}", answer.status != "unknown")


def _more(game: Game, what: str, more: int) -> str:
    have = game.value(what)
    assert isinstance(have, int)
    return f"{what} >= {have + more}"


def _cost(plan: Plan) -> str:
    return "no plan" if plan.cost is None else f"cost {plan.cost}"


def _cut(text: str, reason: str) -> str:
    return f"{text} ({reason})" if reason else text


# ---- boards with units


def _by_units(folder: str) -> Mapping[str, Callable[[float], Answer]]:
    found = {}
    moved = partial(_moves, 1, 2)
    for units in UNITS:
        file = written(random_areas(100, units=units), str(Path(folder, f"units {units}.yaml")))
        found[f"{units} infantry each on 100 areas"] = partial(_asked, file, moved, {"level": "armies"})
    return found


def _by_steps(folder: str) -> dict[str, Callable[[float], Answer]]:
    file = written(random_areas(100, units=100), str(Path(folder, "steps.yaml")))
    return {f"within {n}": partial(_asked, file, partial(_moves, 2, n), {"level": "armies"}) for n in STEPS}


def _two_boards(folder: str) -> dict[str, Callable[[float], Answer]]:
    one: dict[str, Any] = yaml.safe_load(_WHOLE_BOARD.read_text(encoding="utf-8"))
    file = written(two_asl_boards(one), str(Path(folder, "two.yaml")))
    goals = {
        "what holds already": "cvp(Russian) >= 0",
        "Control of an empty building": "controls_building(Russian, 23U3)",
        "Control of a building with two enemies in it": "controls_building(Russian, 22U3)",
    }
    return {name: partial(_asked, file, partial(_reach, goal), {}) for name, goal in goals.items()}
