"""Whether answers are right: each is checked against its instance, and all that are proved must agree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.race.instances import Instance
from benchmarks.race.peers.borders import Captures
from benchmarks.race.runs import Run

IMPOSSIBLE = "none"


def flaw(instance: Instance, run: Run) -> str | None:
    """What is wrong with a peer's answer; None if nothing is seen.

    Text for z3 and sets of events have no solution that is checked; what they prove must agree all the same.

    Args:
        instance: What it was asked.
        run: What it said.
    """
    solution = run.told.get("solution")
    if run.cost is None or solution is None:
        return None
    if instance["kind"] == "captures":
        return _captures(instance, run.cost, solution)
    if instance["kind"] == "programs":
        number, values = solution
        return None if values is None else _program(instance["programs"][number], run.cost, values)
    return None


def flaw_of_ours(instance: Instance, run: Run) -> str | None:
    """The same for a plan of captures by vclogic, which names areas."""
    if run.cost is None or instance["kind"] != "captures":
        return None
    number = {area: i for i, area in enumerate(Captures(instance).free)}
    return _captures(instance, run.cost, [number[area] for area in run.told["solution"]])


def _captures(instance: Instance, cost: int, taken: list[int]) -> str | None:
    if len(set(taken)) != cost:
        return f"{len(set(taken))} captures are said to cost {cost}"
    return None if Captures(instance).played(taken) else "the captures cannot be played"


def _program(program: Mapping[str, Any], cost: int, values: list[int]) -> str | None:
    """Each column within its bounds, each row within its limits, and the cost as it is said to be."""
    for column, (value, (lo, hi)) in enumerate(zip(values, program["columns"], strict=True)):
        if not lo <= value <= hi:
            return f"column {column} is {value}, outside of its bounds"
    for row, (weights, lo, hi) in enumerate(program["rows"]):
        total = sum(k * values[c] for c, k in weights)
        if (lo is not None and total < lo) or (hi is not None and total > hi):
            return f"row {row} does not hold"
    spent = program["constant"] + sum(k * values[c] for c, k in program["objective"])
    return None if spent == cost else f"the solution costs {spent}, not {cost}"


def disagreements(runs: Mapping[str, Run]) -> Iterator[str]:
    """What solvers say of one question that cannot all be so.

    Args:
        runs: The solvers by name.
    """
    proved = {name: _verdict(run) for name, run in runs.items() if run.proved}
    for name, verdict in proved.items():
        first, expected = next(iter(proved.items()))
        if verdict != expected:
            yield f"{first} proves {expected:.60}, {name} proves {verdict:.60}"
    least = next((run.cost for run in runs.values() if run.proved), None)
    for name, run in runs.items():
        if least is not None and not run.proved and run.cost is not None and run.cost < least:
            yield f"{next(iter(proved))} proves {least}, but {name} found {run.cost}"
    best = min((run.cost for run in runs.values() if run.cost is not None), default=None)
    for name, run in runs.items():
        lower = run.told.get("lower")
        if best is not None and lower is not None and lower > best:
            yield f"{name} says at least {lower}, but {best} was found"


def _verdict(run: Run) -> str:
    """What was proved: a cost, that there is no plan, or what was said of positions."""
    if run.cost is not None:
        return str(run.cost)
    solution = run.told.get("solution")
    return str(solution[1]) if isinstance(solution, list) and len(solution) == 2 else IMPOSSIBLE
