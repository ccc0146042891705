"""z3 as an engine of a session: takes SMT-LIB and names to assume, and answers as the protocol of workers says it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

LIMIT = "the limit of effort is reached"
"""The reason of a check that had a limit of effort, and reached it."""
_REACHED = ("cancel", "resource", "no reason")  # words of z3 where a limit of effort was reached: its engines differ
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


class Solver:
    """A solver of z3 with a growing set of constraints.

    Args:
        engine: Name of the engine.

    Attributes:
        broken: Whether what it holds may be half translated, as after an interrupt; it is then made anew.
        failures: The exceptions by which z3 says that it cannot go on.
    """

    def __init__(self, engine: str):
        import z3

        self.failures: tuple[type[Exception], ...] = (z3.Z3Exception, MemoryError)
        self.broken = False
        self._z3 = z3
        self._engine = (ENGINES | PROVERS)[engine]
        self._context = z3.Context()
        self._solver = self._new()
        self._texts: list[str] = []
        self._assumed: list[Any] = []
        self._status: Any = None
        self._limited = False

    def _new(self) -> Any:
        logic, context = self._engine.logic, self._context
        solver = self._z3.SolverFor(logic, ctx=context) if logic else self._z3.Solver(ctx=context)
        for name, value in self._engine.parameters.items():
            solver.set(name.removeprefix("sat."), value)
        return solver

    def interrupt(self) -> None:
        """Interrupt a check that runs in another thread. z3 ignores it just before the check begins."""
        self._context.interrupt()

    def add(self, text: str, assumed: Sequence[str]) -> None:
        """Add constraints permanently, and prepare for a check.

        Args:
            text: SMT-LIB.
            assumed: The names of the Booleans that the next check assumes.
        """
        self._texts.append(text)
        if self.broken:
            self.broken = False
            self._context = self._z3.Context()
        if self._engine.afresh or self._context != self._solver.ctx:
            self._solver = self._new()
            text = "".join(self._texts)
        if text:
            self._solver.from_string(text)
        if self._engine.afresh:
            self._solver.add(*self._bools(assumed))

    def _bools(self, names: Sequence[str]) -> list[Any]:
        return [self._z3.Bool(n, self._context) for n in names]

    def check(self, names: Sequence[str], effort: int = 0) -> None:
        """Check the constraints under assumptions; `answer` says what came of it.

        Args:
            names: The names of the Booleans to assume, as given to `add`.
            effort: The limit of effort, in z3's unit of it; 0: none. Once it was reached, the solver is `broken`.
        """
        self._assumed = [] if self._engine.afresh else self._bools(names)
        if effort or self._limited:
            self._solver.set("rlimit", effort)
        self._limited = effort > 0
        self.broken = True  # so it is, too, where the check ends by an exception
        self._status = self._solver.check(*self._assumed)
        self.broken = self._limited and self._status == self._z3.unknown

    def answer(self) -> dict[str, Any]:
        """The result of the last check: `status`, and the keys that belong to it; see `messages.of_z3`."""
        if self._status == self._z3.sat:
            return {"status": "sat", "model": self._model(), "functions": self._functions()}
        if self._status == self._z3.unsat:
            core = {"core": [str(a) for a in self._solver.unsat_core()]} if self._assumed else {}
            return {"status": "unsat", **core}
        reason = self._solver.reason_unknown()
        reached = self._limited and any(word in reason for word in _REACHED)
        return {"status": "unknown", "reason": LIMIT if reached else reason[:_LONGEST_REASON]}

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


def said(error: Exception) -> str:
    """The words of an exception of z3."""
    said = getattr(error, "value", error)
    return said.decode(errors="replace") if isinstance(said, bytes) else str(said) or type(error).__name__
