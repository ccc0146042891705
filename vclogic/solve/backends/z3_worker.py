"""The process that runs z3: reads requests from standard input, one JSON line each, and answers in the same form.

It is separate from vclogic so that it can be killed: z3 does not always obey its own time-out. When standard input
closes, because the session is over or its owner has died, the process ends at once, whatever z3 is doing.

A request is `{"id", "text", "assume"}`: SMT-LIB to add permanently, and names of Booleans to assume for this check. A
request `{"cancel"}` interrupts the running check.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
import time
from collections.abc import Mapping
from typing import Any, NamedTuple, TextIO

_LONGEST_REASON = 200  # characters


class Engine(NamedTuple):
    """A configuration of z3.

    Attributes:
        logic: The SMT-LIB logic; empty for z3's own choice.
        parameters: Global parameters.
        afresh: Whether each check starts a new solver from all texts: slower to start, but with full preprocessing.
    """

    logic: str = ""
    parameters: Mapping[str, Any] = {}
    afresh: bool = False


# Finite domains go to a SAT solver, with sums as merging networks or by cutting planes. Neither wins everywhere, nor
# does starting afresh. z3's setting "sorting" is not used: of 1,500 random constraints
# it got 17 wrong (too strong or too weak an upper bound), which replay showed; the others had none in 20,000.
ENGINES = {
    "merging": Engine("QF_FD", {"sat.pb.solver": "binary_merge"}),
    "cutting": Engine("QF_FD", {"sat.pb.solver": "solver", "sat.cardinality.solver": True}, afresh=True),
    "plain": Engine(),  # z3 as it comes, for checking the others
}
PROVERS = {"spacer": Engine("HORN")}  # takes Horn clauses; `sat` means that a property separates start and goal


class Worker:
    """A solver and its current check.

    Args:
        engine: Name of the engine.
    """

    def __init__(self, engine: str):
        import z3

        self._z3 = z3
        self._engine = (ENGINES | PROVERS)[engine]
        for name, value in self._engine.parameters.items():
            z3.set_param(name, value)
        self._context = z3.Context()
        self._solver = self._new()
        self._texts: list[str] = []
        self._broken = False  # an interrupted context may hold constraints that are half translated: it is given up
        self._requests: queue.Queue[dict[str, Any]] = queue.Queue()
        self._lock = threading.Lock()
        self._checking: int | None = None
        self._cancelled = 0  # no answer is wanted to this request, or to any before it

    def _new(self) -> Any:
        logic, context = self._engine.logic, self._context
        return self._z3.SolverFor(logic, ctx=context) if logic else self._z3.Solver(ctx=context)

    def read(self) -> None:
        """Read requests until standard input closes; then end the process."""
        try:
            for line in sys.stdin:
                request = json.loads(line)
                if "cancel" in request:
                    with self._lock:
                        self._cancelled = request["cancel"]
                    threading.Thread(target=self._interrupt, args=(self._cancelled,), daemon=True).start()
                else:
                    self._requests.put(request)
        finally:
            os._exit(0)  # also after half a line, when the owner died while it wrote

    def _interrupt(self, number: int) -> None:
        """Interrupt a check repeatedly until it has ended: z3 ignores an interrupt just before the check begins.

        Only checks may be interrupted: interrupting the parser could lose a constraint.
        """
        while True:
            with self._lock:
                if self._checking != number:
                    return
                self._context.interrupt()
            time.sleep(0.02)

    def serve(self, answers: TextIO) -> None:
        """Answer requests forever. A text that cannot be parsed ends the process, since it must not be skipped."""
        while True:
            request = self._requests.get()
            self._add(request["text"], request["assume"])
            try:
                answer = self._check(request)
            except (self._z3.Z3Exception, MemoryError) as error:
                answer = {"status": "unknown", "reason": _said(error)}
            answers.write(json.dumps({"id": request["id"], **answer}) + "\n")
            answers.flush()

    def _add(self, text: str, assumed: list[str]) -> None:
        self._texts.append(text)
        if self._broken:
            self._broken = False
            self._context = self._z3.Context()
        if self._engine.afresh or self._context != self._solver.ctx:
            self._solver = self._new()
            text = "".join(self._texts)
        if text:
            self._solver.from_string(text)
        if self._engine.afresh:
            self._solver.add(*self._bools(assumed))

    def _bools(self, names: list[str]) -> list[Any]:
        return [self._z3.Bool(n, self._context) for n in names]

    def _check(self, request: dict[str, Any]) -> dict[str, Any]:
        with self._lock:
            if request["id"] <= self._cancelled:
                return {"status": "unknown", "reason": "canceled"}
            self._checking = request["id"]
        try:
            assumed = [] if self._engine.afresh else self._bools(request["assume"])
            status = self._solver.check(*assumed)
        finally:
            with self._lock:
                self._checking = None
                self._broken = self._cancelled >= request["id"]
        if status == self._z3.sat:
            return {"status": "sat", "model": self._model(), "functions": self._functions()}
        if status == self._z3.unsat:
            return {"status": "unsat", **({"core": [str(a) for a in self._solver.unsat_core()]} if assumed else {})}
        return {"status": "unknown", "reason": self._solver.reason_unknown()[:_LONGEST_REASON]}

    def _model(self) -> dict[str, int]:
        """The value of every constant of the model, as a number."""
        model, values = self._solver.model(), {}
        for d in model.decls():
            if d.arity() == 0:
                v = model[d]
                whole = self._z3.is_bv_value(v) or self._z3.is_int_value(v)
                number = v.as_long() if whole else int(self._z3.is_true(v))
                values[str(d.name())] = number
        return values

    def _functions(self) -> dict[str, str]:
        """Every predicate of the model as text, if its interpretation is a single formula over its arguments."""
        model = self._solver.model()
        found = {str(d.name()): model[d] for d in model.decls() if d.arity()}
        return {name: f.else_value().sexpr() for name, f in found.items() if not f.num_entries()}


def _said(error: Exception) -> str:
    said = getattr(error, "value", error)
    return said.decode(errors="replace") if isinstance(said, bytes) else str(said) or type(error).__name__


def main(engine: str, answers: TextIO) -> None:
    """Answer requests from standard input.

    Args:
        engine: Name of the engine to run.
        answers: The stream for the answers.
    """
    worker = Worker(engine)
    threading.Thread(target=worker.read, daemon=True).start()
    worker.serve(answers)
