"""Fast Downward: A* with landmark cuts and stubborn sets.

A capture is an operator for each way; a counter adds up what was taken.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from benchmarks.race.peers.borders import Captures
from benchmarks.race.peers.told import Found, Instance, Timer, answer

_PLANNER = Path("downward", "builds", "release", "bin", "downward")  # within the package
_SEARCH = "astar(lmcut(),pruning=atom_centric_stubborn_sets())"


class Operator(NamedTuple):
    """A ground operator.

    Attributes:
        name: Its name.
        needs: Variables with the values that they must have.
        change: A variable, its value before and after.
        cost: What it costs.
    """

    name: str
    needs: list[tuple[int, int]]
    change: tuple[int, int, int]
    cost: int


def captures(instance: Instance, timer: Timer, variant: str) -> Found:
    """The fewest captures."""
    question = Captures(instance)
    if question.need > sum(question.value):
        return Found(proved=True)
    with tempfile.TemporaryDirectory() as folder:
        plan = Path(folder, "plan")
        package = find_spec("up_fast_downward")  # not imported: that would ask for a planning library
        assert package is not None
        assert package.origin is not None
        words = [str(Path(package.origin).parent / _PLANNER), "--search", _SEARCH, "--internal-plan-file", str(plan)]
        pipe = subprocess.PIPE
        with subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=subprocess.STDOUT, text=True) as planner:
            try:
                said, _ = planner.communicate(_task(question), timeout=timer.left)
            except subprocess.TimeoutExpired:
                planner.kill()
                said, _ = planner.communicate()
        bounds = [int(n) for n in re.findall(r"\bf = (\d+)", said)]
        if plan.exists():
            taken = [int(n) for n in re.findall(r"^\(take (\d+)", plan.read_text(encoding="utf-8"), re.M)]
            return Found(len(taken), True, len(taken), taken)
    closed = "Completely explored state space" in said or "unsolvable" in said
    return Found(proved=closed, lower=max(bounds, default=None))


def _task(question: Captures) -> str:
    """The task as the planner's own format has it (what its translator writes)."""
    areas = len(question.free)
    operators = []
    for i, sets in enumerate(question.supports):
        for others in [()] if sets is None else sets:
            operators.append(Operator(f"take {i}", [(j, 1) for j in others], (i, 0, 1), 1))
    sizes, goal = [2] * areas, []
    if question.need == sum(question.value):  # then all that counts is taken, and nothing need be added up
        goal = [(i, 1) for i, v in enumerate(question.value) if v]
    else:
        more, stages = _counter(question)
        operators += more
        sizes.append(stages)
        goal = [(areas, stages - 1)]
    lines = ["begin_version", "3", "end_version", "begin_metric", "1", "end_metric", str(len(sizes))]
    for i, size in enumerate(sizes):
        values = [f"Atom v{i}({n})" for n in range(size)]
        lines += ["begin_variable", f"var{i}", "-1", str(size), *values, "end_variable"]
    lines += ["0", "begin_state", *("0" for _ in sizes), "end_state"]
    lines += ["begin_goal", str(len(goal)), *(f"{i} {n}" for i, n in goal), "end_goal", str(len(operators))]
    for o in operators:
        needs = [f"{i} {n}" for i, n in o.needs]
        effect = f"0 {o.change[0]} {o.change[1]} {o.change[2]}"
        lines += ["begin_operator", o.name, str(len(needs)), *needs, "1", effect, str(o.cost), "end_operator"]
    return "\n".join([*lines, "0", ""])


def _counter(question: Captures) -> tuple[list[Operator], int]:
    """Operators without cost that look at the areas that count, one after the other, and how many values they use.

    A value of the counter is a place in that order with the sum so far; the last one is that the sum is reached.
    """
    counted = sorted((i for i, v in enumerate(question.value) if v), key=lambda i: -question.value[i])
    left = [0]
    for i in reversed(counted):
        left.insert(0, left[0] + question.value[i])
    number = {(0, 0): 0}
    moves: list[tuple[int, int, int | None, int]] = []
    layer = [(0, 0)]
    for k, i in enumerate(counted):
        following: dict[tuple[int, int], None] = {}
        for place in layer:
            for taken in (1, 0):
                total = min(question.need, place[1] + taken * question.value[i])
                if total + left[k + 1] < question.need:
                    continue
                to = None
                if total < question.need:
                    to = number.setdefault((k + 1, total), len(number))
                    following[k + 1, total] = None
                moves.append((i, number[place], to, taken))
        layer = list(following)
    counter, reached = len(question.free), len(number)
    found = [
        Operator(f"count {i} {a}", [(i, 1)] if taken else [], (counter, a, reached if b is None else b), 0)
        for i, a, b, taken in moves
    ]
    return found, reached + 1


if __name__ == "__main__":
    answer({"captures": captures})
