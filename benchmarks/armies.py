"""The fewest moves of armies, with and without cuts: vclogic against HiGHS alone, z3's optimizer and CP-SAT."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from typing import Any

import vclogic
from benchmarks.questions import GAME
from benchmarks.runner import Answer, Comparison, within
from vclogic.clock import Deadline
from vclogic.encode.affine import Program
from vclogic.encode.milp import compile_program
from vclogic.model.system import IDLE
from vclogic.progress import untold
from vclogic.query.game import Game
from vclogic.solve.flows import Group, groups
from vclogic.solve.highs import Asked, Race, minimize
from vclogic.solve.problem import prepare
from vclogic.terms.resolve import compile_goal

AIM = "in the full theatre 33 and 36 points in 5 s, 38 and 40 within 3 rounds in 15 s, 50 of the Allies in 40 s"
QUESTIONS = (
    *(("land", "Axis", *q) for q in ((33, 1), (36, 2), (38, 3), (40, 3), (40, 6), (45, 6))),
    *(("full", "Axis", *q) for q in ((33, 1), (33, 2), (36, 2), (38, 3), (40, 3))),
    ("full", "Allies", 50, 2),
)
LIMIT = 60.0


def run() -> Iterator[Comparison]:
    """One comparison per theatre, number of points and number of rounds."""
    for theatre, side, points, rounds in QUESTIONS:
        settings = {"level": "armies", "theatre": theatre, "blitz": "off" if theatre == "land" else "on"}
        game = vclogic.load(GAME, settings=settings)
        goal = f"vcp({side}) >= {points}"
        group = _group(game, goal, side, rounds)
        calls: dict[str, Callable[[float], Answer]] = {
            "vclogic, the whole call": partial(_plan, game, goal, side, rounds),
            "the same search, from the terms": partial(_search, group),
            "HiGHS alone, with the cuts": partial(_highs, group, True),
            "HiGHS alone": partial(_highs, group, False),
            "z3's optimizer, from the terms": partial(_z3, group),
        }
        if find_spec("ortools"):
            calls["CP-SAT (OR-tools, 2 workers), from the terms"] = partial(_cp_sat, group)
        yield Comparison(f"{theatre} armies: fewest moves to {goal} within {rounds}", within(LIMIT, calls, runs=1))


def _group(game: Game, goal: str, side: str, rounds: int) -> Group:
    """The one mixed-integer program of a question; its last group holds the longest plans."""
    system = game.setup.system
    start = dict(system.layout.constants(game.state))
    transition = system.metrics[0].transition(side, IDLE, start)
    term = compile_goal(goal, system.vocabulary, "goal").term
    problem = prepare(transition, start, term, tail=None, metric="moves", within=rounds)
    return groups(problem)[-1]


def _told(cost: int | None, bound: int | None) -> Answer:
    if cost is not None and cost == bound:
        return Answer(f"{cost} moves")
    most = "no plan" if cost is None else f"at most {cost}"
    return Answer(f"{most}, at least {bound if bound is not None else 0}", finished=False)


def _plan(game: Game, goal: str, side: str, rounds: int, limit: float) -> Answer:
    plan = game.plan(goal, side=side, within=rounds, timeout=limit)
    if plan.status == "impossible":
        return Answer("impossible")
    return _told(plan.cost, plan.lower_bound)


def _program(group: Group, cuts: bool = False) -> Program:
    return compile_program(group.claimed, group.cost, group.cuts if cuts else ())


def _search(group: Group, limit: float) -> Answer:
    asked = Asked(_program(group, True), group.claimed, group.first)
    found = minimize(asked, Deadline(limit), untold)
    return Answer("impossible") if found.status == "infeasible" else _told(found.cost, found.lower_bound)


def _highs(group: Group, cuts: bool, limit: float) -> Answer:
    """HiGHS on one thread, its own search from start to end."""
    import numpy as np

    from vclogic.solve.linear import Program as Columns
    from vclogic.solve.linear import whole_numbers

    program = _program(group, cuts)
    if program.impossible:
        return Answer("impossible")
    asked = Columns(Race(Asked(program, ()), untold).request(Deadline(limit)))
    bounds = [0.0]
    everything = np.arange(len(program.columns))
    found = whole_numbers(asked, everything, math.inf, limit, lambda solution: None, bounds.append)
    cost = None if found.solution is None else program.cost([int(x) for x in found.solution])
    if cost is None and found.closed:
        return Answer("impossible")
    low = math.ceil(max(b for b in bounds if math.isfinite(b)) - 1e-3) + program.objective.constant
    return _told(cost, cost if found.closed else low)


def _z3(group: Group, limit: float) -> Answer:
    """Pseudo-Boolean optimization of the terms in the form in which z3 gets them for other questions."""
    import z3

    program = _program(group)
    if program.impossible:  # then its rows are not all there
        return Answer("impossible")
    optimizer = z3.Optimize()
    optimizer.set("timeout", int(limit * 1000))
    columns = [z3.Int(f"x{i}") for i in range(len(program.columns))]
    for x, (lo, hi) in zip(columns, program.columns, strict=True):
        optimizer.add(x >= lo, x <= hi)
    for row in program.rows:
        total = z3.Sum([k * columns[c] for c, k in row.weights])
        optimizer.add(
            *([total >= row.lo] if row.lo is not None else []), *([total <= row.hi] if row.hi is not None else [])
        )
    weights = program.objective.weights.items()
    handle = optimizer.minimize(z3.Sum([k * columns[c] for c, k in weights]) + program.objective.constant)
    status = optimizer.check()
    if status == z3.unsat:
        return Answer("impossible")
    if status == z3.sat:
        cost = optimizer.upper(handle).as_long()
        return _told(cost, cost)
    return _told(None, None)


def _cp_sat(group: Group, limit: float) -> Answer:
    from ortools.sat.python import cp_model  # type: ignore[import-not-found, import-untyped, unused-ignore]

    program = _program(group)
    if program.impossible:
        return Answer("impossible")
    model: Any = cp_model.CpModel()
    columns = [model.new_int_var(lo, hi, f"x{i}") for i, (lo, hi) in enumerate(program.columns)]
    for row in program.rows:
        total = sum(k * columns[c] for c, k in row.weights)
        if row.lo is not None:
            model.add(total >= row.lo)
        if row.hi is not None:
            model.add(total <= row.hi)
    model.minimize(sum(k * columns[c] for c, k in program.objective.weights.items()) + program.objective.constant)
    solver: Any = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = limit
    solver.parameters.num_workers = 2
    status = solver.solve(model)
    if status == cp_model.INFEASIBLE:
        return Answer("impossible")
    cost = int(solver.objective_value) if status in (cp_model.OPTIMAL, cp_model.FEASIBLE) else None
    return _told(cost, cost if status == cp_model.OPTIMAL else int(solver.best_objective_bound))
