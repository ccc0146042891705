"""CP-SAT of OR-tools, with two workers: what supports a capture has a smaller rank; programs as they are."""

from __future__ import annotations

from typing import Any

from ortools.sat.python import cp_model

from benchmarks.race.peers.borders import Captures
from benchmarks.race.peers.told import Found, Instance, Timer, answer, cheapest

_WORKERS = 2


def captures(instance: Instance, timer: Timer, variant: str) -> Found:
    """The fewest captures."""
    question = Captures(instance)
    model: Any = cp_model.CpModel()
    soonest, last = question.soonest, len(question.free)
    take = [model.new_bool_var(f"t{i}") for i in range(last)]
    rank = [model.new_int_var(first or 1, last, f"r{i}") for i, first in enumerate(soonest)]
    for i, sets in enumerate(question.supports):
        if soonest[i] is None:
            model.add(take[i] == 0)
            continue
        if sets is None:
            continue
        chosen = []
        for others in sets:
            here = model.new_bool_var("")
            for j in others:
                model.add_implication(here, take[j])
                model.add(rank[i] >= rank[j] + 1).only_enforce_if(here)
            chosen.append(here)
        model.add_bool_or([*chosen, take[i].negated()])
    model.add(sum(v * take[i] for i, v in enumerate(question.value) if v) >= question.need)
    model.minimize(sum(take))
    found, solver = _solved(model, timer)
    if found.cost is None:
        return found
    return found._replace(solution=[i for i, t in enumerate(take) if solver.value(t)])


def programs(instance: Instance, timer: Timer, variant: str) -> Found:
    """The least cost of some mixed-integer programs."""
    return cheapest(instance["programs"], timer, _program)


def _program(instance: Instance, timer: Timer) -> Found:
    """The least cost of one."""
    model: Any = cp_model.CpModel()
    columns = [model.new_int_var(lo, hi, f"x{i}") for i, (lo, hi) in enumerate(instance["columns"])]
    for weights, lo, hi in instance["rows"]:
        total = cp_model.LinearExpr.weighted_sum([columns[c] for c, _ in weights], [k for _, k in weights])
        if lo is not None and hi is not None:
            model.add_linear_constraint(total, lo, hi)
        elif lo is not None:
            model.add(total >= lo)
        else:
            model.add(total <= hi)
    cost = instance["objective"]
    model.minimize(sum(k * columns[c] for c, k in cost) + instance["constant"])
    found, solver = _solved(model, timer)
    if found.cost is None:
        return found
    return found._replace(solution=[solver.value(x) for x in columns])


def _solved(model: Any, timer: Timer) -> tuple[Found, Any]:
    solver: Any = cp_model.CpSolver()
    solver.parameters.num_workers = _WORKERS
    solver.parameters.max_time_in_seconds = timer.left
    status = solver.solve(model)
    if status == cp_model.INFEASIBLE:
        return Found(proved=True), solver
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return Found(lower=round(solver.best_objective_bound)), solver
    cost, lower = round(solver.objective_value), round(solver.best_objective_bound)
    return Found(cost, status == cp_model.OPTIMAL, lower), solver


if __name__ == "__main__":
    answer({"captures": captures, "programs": programs})
