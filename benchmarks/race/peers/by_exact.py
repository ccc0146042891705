"""Exact, which works with cutting planes: what supports a capture has a smaller rank; programs as they are."""

from __future__ import annotations

from typing import Any

import exact

from benchmarks.race.peers.borders import Captures
from benchmarks.race.peers.told import Found, Instance, Timer, answer, cheapest


def captures(instance: Instance, timer: Timer, variant: str) -> Found:
    """The fewest captures; ranks are whole numbers of the solver's own."""
    question = Captures(instance)
    solver: Any = exact.Exact()
    soonest, last = question.soonest, len(question.free)
    for i, first in enumerate(soonest):
        solver.addVariable(f"t{i}", 0, 0 if first is None else 1)
        solver.addVariable(f"r{i}", first or 1, last)
    for i, sets in enumerate(question.supports):
        if sets is None or soonest[i] is None:
            continue
        chosen = []
        for n, others in enumerate(sets):
            here = f"s{i}.{n}"
            solver.addVariable(here)
            chosen.append((1, here))
            for j in others:
                solver.addConstraint([(1, f"t{j}"), (-1, here)], True, 0)
                solver.addRightReification(here, True, [(1, f"r{i}"), (-1, f"r{j}")], 1)
        solver.addConstraint([*chosen, (-1, f"t{i}")], True, 0)
    solver.addConstraint([(v, f"t{i}") for i, v in enumerate(question.value) if v], True, question.need)
    names = [f"t{i}" for i in range(last)]
    solver.setObjective([(1, name) for name in names], True, 0)
    found, values = _solved(solver, names, timer)
    return found if found.cost is None else found._replace(solution=[i for i, taken in enumerate(values) if taken])


def programs(instance: Instance, timer: Timer, variant: str) -> Found:
    """The least cost of some mixed-integer programs."""
    return cheapest(instance["programs"], timer, _program)


def _program(instance: Instance, timer: Timer) -> Found:
    """The least cost of one."""
    solver: Any = exact.Exact()
    names = [f"x{i}" for i in range(len(instance["columns"]))]
    for name, (lo, hi) in zip(names, instance["columns"], strict=True):
        solver.addVariable(name, lo, hi)
    for weights, lo, hi in instance["rows"]:
        solver.addConstraint([(k, names[c]) for c, k in weights], lo is not None, lo or 0, hi is not None, hi or 0)
    solver.setObjective([(k, names[c]) for c, k in instance["objective"]], True, instance["constant"])
    found, values = _solved(solver, names, timer)
    return found if found.cost is None else found._replace(solution=values)


def _solved(solver: Any, names: list[str], timer: Timer) -> tuple[Found, list[int]]:
    status = solver.runFull(True, timer.left)
    if not solver.hasSolution():
        closed = status in ("UNSAT", "INCONSISTENT")
        return Found(proved=closed, lower=None if closed else int(solver.getDualBound())), []
    low, best = (int(x) for x in (solver.getDualBound(), solver.getBestSoFar()))
    return Found(best, low >= best, min(low, best)), [int(x) for x in solver.getLastSolutionFor(names)]


if __name__ == "__main__":
    answer({"captures": captures, "programs": programs})
