"""The process that runs HiGHS: reads mixed-integer programs from standard input, one JSON line each.

It runs apart from vclogic so that it can be killed. When standard input closes, because its owner has died or wants
no answer, the process ends at once, whatever HiGHS is doing.

A request is `{"id", "columns", "rows", "objective", "settings", "guess"}`. While HiGHS works, lines `{"id", "bound"}`
and `{"id", "solution"}` tell how far it is; the last line of an answer has a `"status"` as well.
"""

from __future__ import annotations

import json
import math
import os
import queue
import sys
import threading
from collections.abc import Mapping
from typing import Any, TextIO

Json = dict[str, Any]
_SLACK = 1e-3  # a bound so little above a whole number is not taken to exclude it


def read(requests: queue.Queue[Json]) -> None:
    """Take requests in until standard input closes; then end the process."""
    try:
        for line in sys.stdin:
            requests.put(json.loads(line))
    finally:
        os._exit(0)


def serve(requests: queue.Queue[Json], answers: TextIO) -> None:
    """Answer requests for ever."""
    while True:
        request = requests.get()

        def say(found: Json, n: int = request["id"]) -> None:
            answers.write(json.dumps({"id": n, **found}) + "\n")
            answers.flush()

        try:
            answer = solve(request, say)
        except Exception as error:  # whatever goes wrong, there is just no answer
            answer = {"status": "unknown", "reason": str(error) or type(error).__name__}
        say(answer)


def solve(request: Mapping[str, Any], tell: Any = None) -> Json:
    """Run HiGHS on one program.

    Args:
        request: The program and settings.
        tell: Told about better bounds of the objective and better solutions as they are found.

    Returns:
        `status` (`optimal`, `infeasible` or `unknown`), and what is known of `bound`, `solution` and `reason`.
    """
    import highspy

    highs = highspy.Highs()
    highs.silent()
    for name, value in request["settings"].items():
        if highs.setOptionValue(name, value) != highspy.HighsStatus.kOk:
            raise ValueError(f"HiGHS does not take {name}={value}")
    if highs.passModel(_model(highspy, request)) == highspy.HighsStatus.kError:
        raise ValueError("HiGHS does not take the program")
    if request.get("guess"):
        columns, values = zip(*sorted(request["guess"]), strict=True)
        highs.setSolution(len(columns), columns, values)  # a guess that is none is no harm
    if tell is not None:
        _report(highs, tell)
    highs.run()
    return _result(highspy, highs)


def whole(bound: float) -> int:
    """A bound of a whole number, rounded up where that is safe."""
    return math.ceil(bound - _SLACK)


def _report(highs: Any, tell: Any) -> None:
    """Tell about whole steps of the bound, and about solutions: of a process that is killed they are what is left."""
    told = -math.inf

    def bound(event: Any) -> None:
        nonlocal told
        found = event.data_out.mip_dual_bound
        if math.isfinite(found) and whole(found) > told:
            told = whole(found)
            tell({"bound": found})

    highs.cbMipInterrupt += bound
    highs.cbMipImprovingSolution += lambda event: tell({"solution": [float(x) for x in event.data_out.mip_solution]})


def _model(highspy: Any, request: Mapping[str, Any]) -> Any:
    import numpy as np

    columns, rows = request["columns"], request["rows"]
    inf = highspy.kHighsInf
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = len(columns), len(rows)
    cost = np.zeros(len(columns))
    for c, k in request["objective"]:
        cost[c] = k
    lp.col_cost_ = cost
    lp.col_lower_ = np.array([lo for lo, _ in columns], dtype=np.double)
    lp.col_upper_ = np.array([hi for _, hi in columns], dtype=np.double)
    lp.row_lower_ = np.array([-inf if lo is None else lo for _, lo, _ in rows], dtype=np.double)
    lp.row_upper_ = np.array([inf if hi is None else hi for _, _, hi in rows], dtype=np.double)
    lp.integrality_ = [highspy.HighsVarType.kInteger] * len(columns)
    starts = np.cumsum([0, *(len(weights) for weights, _, _ in rows)])
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_ = starts.astype(np.int32)
    lp.a_matrix_.index_ = np.array([c for weights, _, _ in rows for c, _ in weights], dtype=np.int32)
    lp.a_matrix_.value_ = np.array([k for weights, _, _ in rows for _, k in weights], dtype=np.double)
    return lp


def _result(highspy: Any, highs: Any) -> Json:
    status, info = highs.getModelStatus(), highs.getInfo()
    known = {
        highspy.HighsModelStatus.kOptimal: "optimal",
        highspy.HighsModelStatus.kInfeasible: "infeasible",
        highspy.HighsModelStatus.kUnboundedOrInfeasible: "infeasible",  # no column is unbounded
    }
    if status == highspy.HighsModelStatus.kModelEmpty:
        return {"status": "optimal", "bound": 0.0, "solution": [], "reason": ""}
    answer: Json = {"status": known.get(status, "unknown"), "reason": highs.modelStatusToString(status)}
    if answer["status"] != "infeasible":
        if math.isfinite(info.mip_dual_bound):
            answer["bound"] = info.mip_dual_bound
        solution = highs.getSolution()
        if solution.value_valid and info.primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible:
            answer["solution"] = [float(x) for x in solution.col_value]
    return answer


def main(engine: str, answers: TextIO) -> None:
    """Answer what comes on standard input.

    Args:
        engine: Name of the engine; there is one.
        answers: Where to write the answers.
    """
    requests: queue.Queue[Json] = queue.Queue()
    threading.Thread(target=read, args=(requests,), daemon=True).start()
    serve(requests, answers)
