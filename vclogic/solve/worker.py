"""The process that runs z3: reads requests from standard input, one JSON line each, and answers the same way.

It runs apart from vclogic so that it can be killed: z3 does not always listen to its own time-out. When standard
input closes, because the session is over or its owner has died, the process ends at once, whatever z3 is doing.

A request is `{"id", "text", "assume"}`: SMT-LIB to add for good, and names of Booleans to assume for this check. A
request `{"cancel"}` interrupts the check that is running.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
from typing import Any

ENGINES = {
    # Finite domains: a SAT solver, with sums as sorting networks or by cutting planes. Neither wins everywhere: on
    # one question about income one takes 0.5 s and the other over 40, on a mixed one it is over 40 against 0.01.
    "sorting": ("QF_FD", {"sat.pb.solver": "sorting"}),
    "cutting": ("QF_FD", {"sat.pb.solver": "solver", "sat.cardinality.solver": True}),
    # z3 as it comes, for checking the others.
    "plain": ("", {}),
}


def main() -> None:
    """Serve requests until standard input closes."""
    requests: queue.Queue[dict[str, Any]] = queue.Queue()
    import z3

    def read() -> None:
        for line in sys.stdin:
            request = json.loads(line)
            if "cancel" in request:
                z3.main_ctx().interrupt()
            else:
                requests.put(request)
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    logic, parameters = ENGINES[sys.argv[1]]
    for name, value in parameters.items():
        z3.set_param(name, value)
    solver = z3.SolverFor(logic) if logic else z3.Solver()
    while True:
        request = requests.get()
        try:
            answer = _serve(solver, request, z3)
        except (z3.Z3Exception, MemoryError) as error:
            answer = {"status": "unknown", "reason": str(error) or type(error).__name__}
        sys.stdout.write(json.dumps({"id": request["id"], **answer}) + "\n")
        sys.stdout.flush()


def _serve(solver: Any, request: dict[str, Any], z3: Any) -> dict[str, Any]:
    if request["text"]:
        solver.from_string(request["text"])
    status = solver.check(*(z3.Bool(a) for a in request["assume"]))
    if status == z3.sat:
        return {"status": "sat", "model": _model(solver.model(), z3)}
    if status == z3.unsat:
        return {"status": "unsat"}
    return {"status": "unknown", "reason": solver.reason_unknown()}


def _model(model: Any, z3: Any) -> dict[str, int]:
    """Every constant of the model as a number."""
    values = {}
    for d in model.decls():
        if d.arity() == 0:
            v = model[d]
            values[str(d.name())] = v.as_long() if z3.is_bv_value(v) else int(z3.is_true(v))
    return values


if __name__ == "__main__":
    main()
