"""The integer program of a task, with landmark cuts that are added once a relaxed solution violates them."""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from vclogic.clock import check_deadline
from vclogic.encode.linear.affine import Affine, Program, Row, Unsupported
from vclogic.encode.linear.network import Flags, flags, founded
from vclogic.encode.linear.terms import compile_program
from vclogic.solve.backends import highs_program
from vclogic.solve.backends.certificate import Certificate
from vclogic.solve.backends.claims import ProgramBound
from vclogic.solve.backends.highs_program import Array, Fixed, LpRelaxation, Relaxed, RowSpec
from vclogic.solve.backends.libraries import np
from vclogic.solve.backends.messages import SLACK
from vclogic.solve.backends.pricing import SharedBound
from vclogic.solve.landmarks.rounding import Rounding
from vclogic.solve.landmarks.separation import DisjunctiveLandmark, Separation, holds
from vclogic.solve.landmarks.task import Order, Task, never
from vclogic.terms.atoms import FALSE
from vclogic.terms.build import any_of, implies
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term

ROUNDING = 4  # relaxations after which a plan is looked for again
_IDLE = 5  # relaxations that gain little, after which it is better to branch
_LITTLE = 0.01
_SHARE = 0.03  # of what is missing for a proof; a relaxation that gains less gains little
_NIL = 1e-6
HALF = 0.5


class Lazy(highs_program.HighsProgram, ABC):
    """The program of a task, to which cuts are added once a relaxed solution violates them.

    Args:
        task: The task.
        exact: Its laws as a program.
        columned: The choices that have a column.

    Attributes:
        best: The least cost known, without the constant of the objective.
        certificate: The branch-and-bound tree so far.
        constant: The constant of the objective.
        impossible: Whether it was seen to have no solution before it was solved.
        scores: The columns of the choices, each with its greatest weight in a law.
    """

    impossible: bool
    scores: tuple[Array, Array]

    def __init__(self, task: Task, exact: Program, columned: Iterable[int]):
        self._task, self._exact = task, exact
        first = task.network.choices.start
        self._of_choice = {c: column_of(exact.places[task.choices[c - first]]) for c in columned}
        self._solutions = 0
        self.best = SharedBound()
        self.certificate = Certificate()
        self.constant = exact.objective.constant
        self._without_cuts()

    def _without_cuts(self) -> None:
        """Begin with the rows of the laws alone."""
        super().__init__(
            {
                "columns": self._exact.columns,
                "rows": written_as(self._exact.rows),
                "objective": list(self._exact.objective.weights.items()),
            }
        )

    def _ask(self, took: Callable[[Order], int], bounded: Callable[[float], None]) -> None:
        """Say who is told of plans, and answers the least cost known, and who is told of lower bounds."""
        self._took, self._told_bound = took, bounded

    @property
    @abstractmethod
    def rounding(self) -> Rounding:
        """Rounds relaxed solutions to plans."""

    @property
    def terms(self) -> Sequence[Term]:
        """The cuts that the proof uses, as terms over the choices, where they are to be confirmed."""
        return ()

    @property
    def bound(self) -> ProgramBound | None:
        """The proof by multipliers, with all cuts as rows; None where it is not kept."""
        return None

    @abstractmethod
    def proved(self) -> bool:
        """Check in whole numbers that the tree proves the best known cost optimal."""

    @abstractmethod
    def add_violated_cuts(self, solution: Array) -> list[RowSpec]:
        """Add the cuts that a solution violates to the program, and return them."""

    def plan(self, solution: Array | Sequence[float]) -> Order:
        """The choices of a solution in an order in which they can be made."""
        made = (c for c, column in self._of_choice.items() if solution[column] > HALF)
        on = founded(self._task.network, flags(self._task.network, made))
        return [c for c in on if c in self._task.network.choices]

    def round_to_plan(self, solution: Array) -> None:
        """Round a relaxed solution to a plan, from time to time."""
        self._solutions += 1
        if self._solutions % ROUNDING != 1:
            return
        prices = [1.0] * self._task.network.size
        first = self._task.prices
        for c, column in self._of_choice.items():
            prices[c] = (1.0 if first is None else first[c]) * (1.0 - float(solution[column]))
        plan = self.rounding.plan(prices)
        if plan is not None:
            self._take(plan)

    def _take(self, plan: Order) -> None:
        """Tell of a plan."""
        self.best.cost = min(self.best.cost, self._took(plan) - self.constant)

    def report_bound(self, value: float) -> None:
        """Report the bound of a relaxation at the root."""
        self._told_bound(value + self.constant)

    def _choice_values(self, solution: Array) -> list[float]:
        """The value of each choice in a relaxed solution, by node."""
        made = [0.0] * self._task.network.size
        for c, column in self._of_choice.items():
            made[c] = float(solution[column])
        return made

    def _scored(self, columns: Sequence[int]) -> tuple[Array, Array]:
        """Columns of choices, each with its greatest weight in a law."""
        weight = dict.fromkeys(columns, 0)
        for row in self._exact.rows:
            for c, k in row.weights:
                if c in weight:
                    weight[c] = max(weight[c], abs(k))
        return np.array(columns, dtype=np.int64), np.array([weight[c] for c in columns], dtype=float)


class Cuts(Lazy):
    """The program of a task with lazily added cuts.

    Args:
        task: The task.
        allowed: The choices that may be made.
        took: Called with each plan found; returns the least cost known.
        bounded: Called with lower bounds of the cost.

    Attributes:
        rounding: Rounds relaxed solutions to plans.
    """

    def __init__(self, task: Task, allowed: Flags, took: Callable[[Order], int], bounded: Callable[[float], None]):
        super().__init__(task, law_program(task, allowed), [c for c in task.network.choices if allowed[c]])
        self._ask(took, bounded)
        self._allowed = allowed
        self._landmarks: list[DisjunctiveLandmark] = []
        self._base = len(self._exact.rows)
        self._written_rows = list(self._exact.rows)
        self._separation = Separation(task.network, allowed)
        self._targets = [c for c in task.named if allowed[c]]
        self.impossible = self._exact.impossible
        self.scores = self._scored(sorted(self._of_choice.values()))

    @cached_property
    def rounding(self) -> Rounding:
        """Rounds relaxed solutions to plans."""
        return Rounding(self._task, self._allowed)

    @cached_property
    def relaxed(self) -> LpRelaxation:
        """The relaxation over all columns; violated cuts are added to it."""
        return Cutting(self, np.flatnonzero(self.open))

    def add_violated_cuts(self, solution: Array) -> list[RowSpec]:
        """Add the cuts that a solution violates to the program, and return them."""
        found = self._separation.cuts(self._choice_values(solution), self._targets)
        rows = [as_row(self._of_choice, m) for m in found]
        self._landmarks += found
        self._written_rows += rows
        specs = written_as(rows)
        self.add(specs)
        return specs

    @property
    def _used(self) -> list[DisjunctiveLandmark]:
        """The landmarks that the proof uses."""
        return [self._landmarks[r - self._base] for r in sorted(self.certificate.rows) if r >= self._base]

    @property
    def terms(self) -> list[Term]:
        """The cuts that the proof uses, as terms over the choices."""
        of = dict(zip(self._task.network.choices, self._task.choices, strict=True))
        cuts = [implies(of[m.target], any_of(of[c] for c in sorted(m.before))) for m in self._used]
        return [*never(self._task, self._allowed), *cuts]

    @property
    def bound(self) -> ProgramBound:
        """The proof by multipliers, with all cuts as rows."""
        return ProgramBound(replace(self._exact, rows=self._written_rows), self.certificate, self.best.cost)

    def proved(self) -> bool:
        """Check in whole numbers that the tree proves the best known cost optimal."""
        for landmark in self._used:
            check_deadline()
            if not holds(self._task.network, self._allowed, landmark):
                return False
        return self.certificate.proves(self.bound.program, self.best.cost)


class Cutting(LpRelaxation):
    """A relaxation that is solved again until its solution violates no cut, or costs too much."""

    program: Lazy

    def solve(self, fixed: Fixed, seconds: float = math.inf) -> Relaxed | None:
        """Minimize under bounds of some columns; None if HiGHS does not finish in time."""
        end = time.monotonic() + seconds
        program = self.program
        value, idle = -math.inf, 0
        while True:
            found = super().solve(fixed, end - time.monotonic())
            if found is None or self._too_dear(found):
                return found
            program.round_to_plan(found.solution)
            if self._too_dear(found):
                return found
            if not fixed:
                program.report_bound(found.value)
            room = program.best.cost - found.value
            idle = idle + 1 if found.value < value + max(_LITTLE, _SHARE * room if math.isfinite(room) else 0) else 0
            value = max(value, found.value)
            whole = np.abs(found.solution - np.round(found.solution)).max(initial=0.0) < _NIL
            if idle > _IDLE and not whole:
                return found
            rows = program.add_violated_cuts(found.solution)
            if not rows:
                return found
            self.add(rows)

    def _too_dear(self, found: Relaxed) -> bool:
        return found.value > self.program.best.cost - 1 + SLACK


def as_row(of: Mapping[int, int], landmark: DisjunctiveLandmark) -> Row:
    """The row of a cut, given the column of each choice."""
    return Row(((of[landmark.target], -1), *((of[c], 1) for c in sorted(landmark.before))), 0, None)


def written_as(rows: Sequence[Row]) -> list[RowSpec]:
    """Rows in the form of HiGHS."""
    return [(row.weights, row.lo, row.hi) for row in rows]


def law_program(task: Task, allowed: Flags) -> Program:
    """The program of the laws, with a column for each allowed choice.

    Raises:
        Unsupported: The laws cannot be encoded as a program.
    """
    pairs = list(zip(task.network.choices, task.choices, strict=True))
    never = Substitution({v: FALSE for c, v in pairs if not allowed[c]})
    program = compile_program([never(law) for law in task.laws], never(task.cost))
    columns, places = list(program.columns), dict(program.places)
    if any(v in task.choices for v, _ in program.defined):
        raise Unsupported("laws by which one choice settles another")
    for c, v in pairs:
        if allowed[c] and v not in places:
            places[v] = Affine({len(columns): 1})
            columns.append((0, 1))
    return replace(program, columns=columns, places=places)


def column_of(place: Affine | Mapping[int, Affine]) -> int:
    """The column of a choice."""
    if not isinstance(place, Affine) or list(place.weights.values()) != [1] or place.constant:
        raise Unsupported("a choice without a column of its own")
    return next(iter(place.weights))
