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

ENGINES: dict[str, tuple[str, dict[str, Any]]] = {
    # Finite domains: a SAT solver, with sums as sorting networks or by cutting planes. Neither wins everywhere: on
    # one question about income one takes 0.5 s and the other over 40, on a mixed one it is over 40 against 0.01.
    "sorting": ("QF_FD", {"sat.pb.solver": "sorting"}),
    "cutting": ("QF_FD", {"sat.pb.solver": "solver", "sat.cardinality.solver": True}),
    # z3 as it comes, for checking the others.
    "plain": ("", {}),
}


class Worker:
    """One solver and the check that it is at.

    Args:
        engine: Name of the engine.
    """

    def __init__(self, engine: str):
        import z3

        self._z3 = z3
        logic, parameters = ENGINES[engine]
        for name, value in parameters.items():
            z3.set_param(name, value)
        self._solver = z3.SolverFor(logic) if logic else z3.Solver()
        self._requests: queue.Queue[dict[str, Any]] = queue.Queue()
        self._lock = threading.Lock()
        self._checking: int | None = None

    def read(self) -> None:
        """Take requests in until standard input closes; then end the process."""
        for line in sys.stdin:
            request = json.loads(line)
            if "cancel" in request:
                # Only a check may be interrupted: text that was half read would be a constraint lost.
                with self._lock:
                    if self._checking == request["cancel"]:
                        self._z3.main_ctx().interrupt()
            else:
                self._requests.put(request)
        os._exit(0)

    def serve(self) -> None:
        """Answer requests for ever. A text that cannot be read ends the process: it must not be left out."""
        while True:
            request = self._requests.get()
            if request["text"]:
                self._solver.from_string(request["text"])
            try:
                answer = self._check(request)
            except (self._z3.Z3Exception, MemoryError) as error:
                answer = {"status": "unknown", "reason": str(error) or type(error).__name__}
            sys.stdout.write(json.dumps({"id": request["id"], **answer}) + "\n")
            sys.stdout.flush()

    def _check(self, request: dict[str, Any]) -> dict[str, Any]:
        with self._lock:
            self._checking = request["id"]
        try:
            status = self._solver.check(*(self._z3.Bool(a) for a in request["assume"]))
        finally:
            with self._lock:
                self._checking = None
        if status == self._z3.sat:
            return {"status": "sat", "model": self._model()}
        if status == self._z3.unsat:
            return {"status": "unsat"}
        return {"status": "unknown", "reason": self._solver.reason_unknown()}

    def _model(self) -> dict[str, int]:
        """Every constant of the model as a number."""
        model, values = self._solver.model(), {}
        for d in model.decls():
            if d.arity() == 0:
                v = model[d]
                number = v.as_long() if self._z3.is_bv_value(v) else int(self._z3.is_true(v))
                values[str(d.name())] = number
        return values


def main() -> None:
    """Run the engine that the command line names."""
    worker = Worker(sys.argv[1])
    threading.Thread(target=worker.read, daemon=True).start()
    worker.serve()


if __name__ == "__main__":
    main()
