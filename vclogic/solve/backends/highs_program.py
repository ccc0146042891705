"""Programs in the form of HiGHS, in the process that runs it: LP relaxations and integer programs."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from vclogic.clock import patience, stopped
from vclogic.solve.backends.libraries import highspy, np
from vclogic.solve.backends.messages import SCALE

Array = Any  # of numpy, which has no useful types for what is done here
Fixed = Mapping[int, tuple[int, int]]
"""Bounds that some columns have instead of their own."""
RowSpec = tuple[Sequence[tuple[int, int]], int | None, int | None]
"""Pairs of column and coefficient, what they add up to at least, and at most."""
USUAL: Mapping[str, Any] = {"mip_feasibility_tolerance": 1e-6}
TIGHT: Mapping[str, Any] = {"mip_feasibility_tolerance": 1e-9, "random_seed": 2, "mip_heuristic_effort": 0.2}
"""The usual tolerance first: HiGHS has called programs infeasible that are not under tighter ones (its issue 3258).
Should a solution only hold within that tolerance, a tight one may find a better."""


_SOLVED = (highspy.HighsModelStatus.kOptimal, highspy.HighsModelStatus.kModelEmpty)


class HighsProgram:
    """An integer program to minimize.

    Args:
        request: `columns` (bounds of each), `rows` (pairs of column and coefficient, least, most), `objective`
            (pairs of column and coefficient); all numbers whole.

    Attributes:
        lo: The lower bound of each column.
        hi: The upper bound of each column.
        cost: The cost of each column.
        row_lo: The lower bound of each row.
        row_hi: The upper bound of each row.
        open: Whether each column can be other than 0.
    """

    def __init__(self, request: Mapping[str, Any]):
        columns, rows = request["columns"], request["rows"]
        self.lo = np.array([lo for lo, _ in columns], dtype=float)
        self.hi = np.array([hi for _, hi in columns], dtype=float)
        self.cost = np.zeros(len(columns))
        for c, k in request["objective"]:
            self.cost[c] = k
        self.row_lo = np.array([-math.inf if lo is None else lo for _, lo, _ in rows], dtype=float)
        self.row_hi = np.array([math.inf if hi is None else hi for _, _, hi in rows], dtype=float)
        self.open = (self.lo != 0) | (self.hi != 0)
        self._row: Array = np.repeat(np.arange(len(rows)), [len(weights) for weights, _, _ in rows])
        self._column = np.array([c for weights, _, _ in rows for c, _ in weights], dtype=np.int64)
        self._value = np.array([k for weights, _, _ in rows for _, k in weights], dtype=float)

    def over(self, kept: Array) -> highspy.HighsLp:
        """The LP relaxation over some columns, with all others fixed to 0."""
        place = np.full(len(self.lo), -1)
        place[kept] = np.arange(len(kept))
        among = place[self._column] >= 0
        lp = highspy.HighsLp()
        lp.num_col_, lp.num_row_ = len(kept), len(self.row_lo)
        lp.col_cost_, lp.col_lower_, lp.col_upper_ = self.cost[kept], self.lo[kept], self.hi[kept]
        lp.row_lower_, lp.row_upper_ = self.row_lo, self.row_hi
        lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        starts = np.concatenate(([0], np.cumsum(np.bincount(self._row[among], minlength=len(self.row_lo)))))
        lp.a_matrix_.start_ = starts.astype(np.int32)
        lp.a_matrix_.index_ = place[self._column[among]].astype(np.int32)
        lp.a_matrix_.value_ = self._value[among]
        return lp

    def satisfied(self, solution: Array) -> bool:
        """True if whole numbers are a solution, in exact arithmetic (all numbers are small)."""
        sums = np.bincount(self._row, self._value * solution[self._column], minlength=len(self.row_lo))
        inside = (self.lo <= solution).all() and (solution <= self.hi).all()
        return bool(inside and (self.row_lo <= sums).all() and (sums <= self.row_hi).all())

    def sums(self, lo: Array, hi: Array) -> tuple[Array, Array]:
        """The least and greatest sum of each row under some bounds of the columns."""
        up = self._value > 0
        few = self._value * np.where(up, lo[self._column], hi[self._column])
        many = self._value * np.where(up, hi[self._column], lo[self._column])
        rows = len(self.row_lo)
        return np.bincount(self._row, few, minlength=rows), np.bincount(self._row, many, minlength=rows)

    def add(self, rows: Sequence[RowSpec]) -> None:
        """Add rows; existing relaxations must be updated by `LpRelaxation.add`."""
        first = len(self.row_lo)
        more = np.array([-math.inf if lo is None else lo for _, lo, _ in rows], dtype=float)
        self.row_lo = np.concatenate((self.row_lo, more))
        self.row_hi = np.concatenate((self.row_hi, [math.inf if hi is None else hi for _, _, hi in rows]))
        lengths = [len(weights) for weights, _, _ in rows]
        self._row = np.concatenate((self._row, np.repeat(np.arange(first, first + len(rows)), lengths)))
        columns = [c for weights, _, _ in rows for c, _ in weights]
        self._column = np.concatenate((self._column, np.array(columns, dtype=np.int64)))
        self._value = np.concatenate(
            (self._value, np.array([k for weights, _, _ in rows for _, k in weights], float))
        )

    @cached_property
    def relaxed(self) -> LpRelaxation:
        """The relaxation over all columns."""
        return LpRelaxation(self, np.flatnonzero(self.open))


@dataclass(frozen=True)
class Relaxed:
    """The solution of a relaxation.

    Attributes:
        value: The least cost; infinite if there is no solution.
        solution: A number for each column.
        reduced: The reduced cost of each column; infinite for columns left out.
        multipliers: The dual multiplier of each row, which prove the value or that there is no solution; None if
            HiGHS has none.
    """

    value: float
    solution: Array
    reduced: Array
    multipliers: Array | None


class LpRelaxation:
    """The LP relaxation of a program over some columns, solved repeatedly under different bounds.

    Args:
        program: The program.
        kept: The numbers of the columns; all others are 0.

    Attributes:
        program: The program.
        kept: The same.
        held: For each column of the program whether it is kept.
    """

    def __init__(self, program: HighsProgram, kept: Array):
        self.program, self.kept = program, kept
        self.held: Array = np.zeros(len(program.lo), dtype=bool)
        self.held[kept] = True
        self._place = np.full(len(program.lo), -1)
        self._place[kept] = np.arange(len(kept))
        self._highs = new_highs()
        self._highs.passModel(program.over(kept))
        self._fixed: Fixed = {}

    def solve(self, fixed: Fixed, seconds: float = math.inf) -> Relaxed | None:
        """Minimize under bounds of some columns; None if HiGHS does not finish in time."""
        program = self.program
        for c in {*self._fixed, *fixed}:
            lo, hi = fixed.get(c, (program.lo[c], program.hi[c]))
            if self.held[c] and (lo, hi) != self._fixed.get(c):
                self._highs.changeColBounds(int(self._place[c]), float(lo), float(hi))
        self._fixed = fixed
        end = time.monotonic() + seconds
        status = self._run(seconds)
        empty = status == highspy.HighsModelStatus.kModelEmpty  # HiGHS does not look at rows without columns then
        alone = self._row_alone() if empty else None
        if status == highspy.HighsModelStatus.kInfeasible or alone is not None:
            why = self._ray(end - time.monotonic()) if alone is None else alone
            return Relaxed(math.inf, np.zeros(len(program.lo)), np.zeros(len(program.lo)), why)
        if status not in _SOLVED:
            return None
        found = self._highs.getSolution()
        solution, reduced = np.zeros(len(program.lo)), np.full(len(program.lo), np.inf)
        solution[self.kept], reduced[self.kept] = found.col_value, found.col_dual
        value = self._highs.getInfo().objective_function_value
        return Relaxed(value, solution, reduced, np.array(found.row_dual))

    def _run(self, seconds: float) -> Any:
        """Run HiGHS; where another thread may stop this one, in short spells, each of which goes on from the last."""
        end = time.monotonic() + seconds
        while True:
            spell = patience(seconds)
            self._highs.setOptionValue("time_limit", self._highs.getRunTime() + spell)
            self._highs.run()
            status = self._highs.getModelStatus()
            seconds = end - time.monotonic()
            if status != highspy.HighsModelStatus.kTimeLimit or stopped() or seconds <= 0:
                return status

    def add(self, rows: Sequence[RowSpec]) -> None:
        """Add rows that were added to the program."""
        lo = np.array([-math.inf if lo is None else lo for _, lo, _ in rows], dtype=float)
        hi = np.array([math.inf if hi is None else hi for _, _, hi in rows], dtype=float)
        items = [[(self._place[c], k) for c, k in weights if self.held[c]] for weights, _, _ in rows]
        starts = np.cumsum([0, *map(len, items)])[:-1].astype(np.int32)
        index = np.array([c for row in items for c, _ in row], dtype=np.int32)
        value = np.array([k for row in items for _, k in row], dtype=float)
        self._highs.addRows(len(rows), lo, hi, len(index), starts, index, value)

    def _ray(self, seconds: float) -> Array | None:
        """The multipliers that prove infeasibility (a Farkas ray); None if HiGHS has none, or none in time."""
        _, there, ray = self._highs.getDualRay()
        if not there:  # presolve saw it
            self._highs.setOptionValue("presolve", "off")
            self._highs.clearSolver()  # from the last basis it may see it without saying why
            self._run(seconds)  # the limit that was set was that of the run before
            _, there, ray = self._highs.getDualRay()
        return np.array(ray) if there else self._row_alone()

    def _row_alone(self) -> Array | None:
        """Multipliers that select one row that the bounds of its columns make unsatisfiable; None without one."""
        lo, hi = self.program.lo * self.held, self.program.hi * self.held
        for c, (least, most) in self._fixed.items():
            lo[c], hi[c] = (least, most) if self.held[c] else (0, 0)
        few, many = self.program.sums(lo, hi)
        short, over = many < self.program.row_lo, few > self.program.row_hi
        multipliers = np.zeros(len(few))
        if (short | over).any():
            r = int(np.argmax(short | over))
            multipliers[r] = 1 if short[r] else -1
        return multipliers if multipliers.any() else None

    def without(self, columns: Array) -> LpRelaxation:
        """The relaxation over fewer columns, warm-started from this one.

        Args:
            columns: For each column of the program, whether it is left out.
        """
        basis = self._highs.getBasis()
        smaller = type(self)(self.program, self.kept[~columns[self.kept]])
        if basis.valid:
            status = basis.col_status
            basis.col_status = [status[p] for p in self._place[smaller.kept]]
            smaller._highs.setBasis(basis)
        return smaller


class _Silent(highspy.Highs):  # type: ignore[misc]
    """HiGHS that prints nothing: it is told so before it enables callbacks, with which its first one would greet."""

    def enableCallbacks(self) -> Any:
        self.silent()
        return super().enableCallbacks()


def new_highs() -> Any:
    """HiGHS on one thread, deterministic, that prints nothing."""
    highs = _Silent()
    for name, value in (("threads", 1), ("random_seed", 1), ("mip_rel_gap", 0.0), ("mip_abs_gap", 0.99)):
        if highs.setOptionValue(name, value) != highspy.HighsStatus.kOk:
            raise ValueError(f"HiGHS does not take {name}={value}")
    return highs


@dataclass(frozen=True)
class ProgramSolution:
    """The solution of an integer program over some columns.

    Attributes:
        solution: The best solution, a whole number for each column; None without one.
        closed: Whether it is optimal.
    """

    solution: Array | None
    closed: bool


def whole_numbers(
    program: HighsProgram,
    kept: Array,
    most: float,
    seconds: float,
    better: Callable[[Array], None],
    bound: Callable[[float], None],
) -> ProgramSolution:
    """Minimize an integer program over some columns, with all others fixed to 0.

    Args:
        kept: The numbers of the columns.
        most: The greatest cost of a solution.
        seconds: The time limit.
        better: Called with better solutions.
        bound: Called with bounds of the cost over these columns.
    """
    # Within the usual tolerances a rounded solution may break a row; then it is worth trying the tight ones.
    for settings in (USUAL, TIGHT):
        highs = new_highs()
        for name, value in {**settings, "time_limit": seconds}.items():
            highs.setOptionValue(name, value)
        lp = program.over(kept)
        lp.integrality_ = [highspy.HighsVarType.kInteger] * len(kept)
        highs.passModel(lp)
        priced: Array = np.flatnonzero(program.cost[kept]).astype(np.int32)
        if math.isfinite(most):
            highs.addRow(-math.inf, most, len(priced), priced, program.cost[kept][priced])

        def spread(values: Sequence[float]) -> Array:
            solution = np.zeros(len(program.lo))
            solution[kept] = np.round(values)
            return solution

        highs.cbMipInterrupt += lambda event: bound(event.data_out.mip_dual_bound)
        highs.cbMipImprovingSolution += lambda event: better(spread(event.data_out.mip_solution))
        highs.run()
        status = highs.getModelStatus()
        if status == highspy.HighsModelStatus.kInfeasible:
            return ProgramSolution(None, True)
        there = highs.getInfo().primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible
        if not there and len(kept):
            return ProgramSolution(None, False)
        solution = spread(highs.getSolution().col_value)
        if program.satisfied(solution):
            return ProgramSolution(solution, status in _SOLVED)
    return ProgramSolution(None, False)


def in_parts(multipliers: Array) -> list[tuple[int, int]]:
    """Multipliers rounded to whole numbers over `SCALE`, without zeros."""
    parts = np.round(multipliers * SCALE).astype(np.int64)
    return [(int(r), int(parts[r])) for r in np.flatnonzero(parts)]
