"""HiGHS on a mixed-integer program, by its own search from start to end."""

from __future__ import annotations

import math
from typing import Any

import highspy
import numpy as np

from benchmarks.race.peers.told import Found, Instance, Timer, answer, cheapest

_THREADS = 2


def programs(instance: Instance, timer: Timer, variant: str) -> Found:
    """The least cost of some mixed-integer programs."""
    return cheapest(instance["programs"], timer, _program)


def _program(instance: Instance, timer: Timer) -> Found:
    """The least cost."""
    highs: Any = highspy.Highs()
    for option, value in (("output_flag", False), ("threads", _THREADS), ("mip_rel_gap", 0.0)):
        highs.setOptionValue(option, value)
    highs.passModel(_model(instance))
    highs.setOptionValue("time_limit", timer.left)
    highs.run()
    status, info = highs.getModelStatus(), highs.getInfo()
    if status == highspy.HighsModelStatus.kInfeasible:
        return Found(proved=True)
    low = info.mip_dual_bound + instance["constant"]
    lower = math.ceil(low - 1e-3) if math.isfinite(low) else None
    if info.primal_solution_status != 2:
        return Found(lower=lower)
    values = [round(v) for v in highs.getSolution().col_value]
    cost = instance["constant"] + sum(k * values[c] for c, k in instance["objective"])
    return Found(cost, status == highspy.HighsModelStatus.kOptimal, lower, values)


def _model(instance: Instance) -> Any:
    """The program as HiGHS takes it at once: columns, then rows one after the other."""
    columns, rows, infinite = instance["columns"], instance["rows"], highspy.kHighsInf
    made: Any = highspy.HighsLp()
    made.num_col_, made.num_row_ = len(columns), len(rows)
    costs = np.zeros(len(columns))
    for c, k in instance["objective"]:
        costs[c] = k
    made.col_cost_ = costs
    made.col_lower_ = np.array([lo for lo, _ in columns], dtype=float)
    made.col_upper_ = np.array([hi for _, hi in columns], dtype=float)
    made.row_lower_ = np.array([-infinite if lo is None else lo for _, lo, _ in rows], dtype=float)
    made.row_upper_ = np.array([infinite if hi is None else hi for _, _, hi in rows], dtype=float)
    made.integrality_ = [highspy.HighsVarType.kInteger] * len(columns)
    made.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    made.a_matrix_.start_ = np.cumsum([0, *(len(weights) for weights, _, _ in rows)], dtype=np.int32)
    made.a_matrix_.index_ = np.array([c for weights, _, _ in rows for c, _ in weights], dtype=np.int32)
    made.a_matrix_.value_ = np.array([k for weights, _, _ in rows for _, k in weights], dtype=float)
    return made


if __name__ == "__main__":
    answer({"programs": programs})
