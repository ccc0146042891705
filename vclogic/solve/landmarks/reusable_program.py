"""A program of landmark cuts that is kept from question to question: a start and a goal are bounds of its columns.

The task is written for any start (`encode/linear/delete_free.py`). For a question the facts of the network are turned
on or off, the columns of the starting values and thresholds are fixed, and choices that cannot be made are held at 0.
HiGHS keeps its basis, and cuts that were found for other starts stay where they are valid.

**When a cut is valid.** A landmark says that a plan that makes a choice, the target, makes one of some others. It is
proved by a set U of choices with the target in it: the first choice of U in the order of any plan needs no other
choice of U, so it is one of those that can be made while no choice of U is made yet (`network.loop`). What is
outside U may all have been made, so nothing is assumed about it. Here U also takes in every choice that cannot be
made from the present start and that U could get something from; so nothing is assumed about what can be made either.
What is left to depend on the start is the facts that were off when the set was looked at. The cut is valid from each
start in which those of them that bear on U are still off: more of the other facts were counted as on already or do
not bear on it. Such a cut is in force exactly then; otherwise its row has no bound. `holds` shows it once more for
each cut that a proof uses, by a closure in which all other facts are on and all other choices allowed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from vclogic.clock import check_deadline
from vclogic.encode.linear.affine import Affine, Program, Row, Unsupported
from vclogic.encode.linear.network import OFF, Flags, flags, founded, loop
from vclogic.solve.backends.certificate import Certificate
from vclogic.solve.backends.highs_program import Array, Fixed, RowSpec
from vclogic.solve.backends.libraries import np
from vclogic.solve.backends.pricing import SharedBound
from vclogic.solve.landmarks.program import Cutting, Lazy, as_row, column_of, law_program, written_as
from vclogic.solve.landmarks.rounding import Rounding
from vclogic.solve.landmarks.separation import TOLERANCE, DisjunctiveLandmark, Separation
from vclogic.solve.landmarks.task import Order, Task
from vclogic.terms.term import Term

MOST_CUTS = 500
"""Cuts that a program holds; with more it begins again without any."""
_NIL = 1e-6


@dataclass(frozen=True)
class OpenTask:
    """A task from any start.

    Attributes:
        task: The task; what it says of the goal and of costs holds for the start that it was last turned to.
        facts: The gates of what holds at the start, in the order in which a start gives them.
        given: The variables that a start gives a value.
    """

    task: Task
    facts: Sequence[int]
    given: Sequence[Term]


@dataclass(frozen=True)
class Beginning:
    """A start, as a task needs it.

    Attributes:
        holds: Whether each fact holds.
        values: The number of each given variable.
    """

    holds: Sequence[int]
    values: Mapping[Term, int]


@dataclass(eq=False)
class ProgramCut:
    """A cut of the program.

    Attributes:
        landmark: What it says.
        off: The facts that are off where it is valid.
        checked: Whether a closure has shown that.
    """

    landmark: DisjunctiveLandmark
    off: frozenset[int]
    checked: bool = False


class ReusableProgram(Lazy):
    """The program of an open task, for one question after the other.

    Args:
        open_task: The task.

    Raises:
        Unsupported: It cannot be written as a program for any start.
    """

    def __init__(self, open_task: OpenTask):
        task, every = open_task.task, open_task.task.network.choices
        exact = law_program(task, flags(task.network, every))
        if exact.defined:
            raise Unsupported("laws by which one value at the start settles another")
        super().__init__(task, exact, every)
        self._open_task = open_task
        self._choice_columns: Array = np.array(list(self._of_choice.values()), dtype=np.int64)
        self._start_columns = _start_columns(self._exact, open_task.given)
        self._cuts: list[ProgramCut] = []
        self._known: set[tuple[int, frozenset[int], frozenset[int]]] = set()
        self._facts = frozenset(open_task.facts)
        self._valid: Valid | None = None
        self._rounding: Rounding | None = None
        self._base_lo, self._base_hi = self.lo.copy(), self.hi.copy()
        self._base_rows = len(self._exact.rows)
        self.scores = self._scored(list(self._of_choice.values()))
        self._whole = self._cutting()

    # ---- a question

    @property
    def task(self) -> Task:
        """The task."""
        return self._task

    def turn(
        self,
        start: Beginning,
        allowed: Flags,
        took: Callable[[Order], int],
        bounded: Callable[[float], None],
    ) -> None:
        """Turn to a question.

        Args:
            start: The start; the facts of the network are turned to it already.
            allowed: The choices that can be made.
            took: Called with each plan found; returns the least cost known.
            bounded: Called with lower bounds of the cost.
        """
        check_deadline()
        self.impossible = True  # unless the bounds of the columns allow a solution
        self._ask(took, bounded)
        self._allowed = allowed
        self._off = frozenset(f for f, on in zip(self._open_task.facts, start.holds, strict=True) if not on)
        self._valid = self._rounding = None
        self._targets = [c for c in self._task.named if allowed[c]]
        self.best, self.certificate = SharedBound(), Certificate()
        self._solutions = 0
        if len(self._cuts) > MOST_CUTS:
            self._begin_again()
        self.lo, self.hi = self._base_lo.copy(), self._base_hi.copy()
        for variable, places in self._start_columns.items():
            for column, number in places:
                self.lo[column] = self.hi[column] = _value_in(variable, number, start.values[variable])
        # The program was written for values within these bounds; a start outside needs another one.
        if (self.lo < self._base_lo).any() or (self.hi > self._base_hi).any():
            return
        kept = np.array([allowed[c] for c in self._of_choice], dtype=float)
        self.hi[self._choice_columns] = np.minimum(self.hi[self._choice_columns], kept)
        if (self.lo > self.hi).any():
            return
        # A cut argues with facts that were off: it holds from starts where they are off too, and is lifted elsewhere.
        in_force = np.array([cut.off <= self._off for cut in self._cuts], dtype=bool)
        self.row_lo[self._base_rows :] = np.where(in_force, 0.0, -math.inf)
        self._whole.take_rows(self._rows(self._cuts[self._whole.rows - self._base_rows :]))
        self._whole.take_bounds()
        self.impossible = False

    @property
    def relaxed(self) -> Cutting:
        """The relaxation over all columns; violated cuts are added to it."""
        return self._whole

    @property
    def rounding(self) -> Rounding:
        """Rounds relaxed solutions to plans of the question."""
        self._rounding = self._rounding or Rounding(self._task, self._allowed)
        return self._rounding

    def round_to_plan(self, solution: Array) -> None:
        """Take a relaxed solution that is a plan, or round it to one."""
        values = solution[self._choice_columns]
        if np.abs(values - np.round(values)).max(initial=0.0) < _NIL:
            plan = self.plan(solution)
            if len(plan) == round(float(values.sum())) and self._task.satisfied(plan):
                self._take(plan)
                return
        super().round_to_plan(solution)

    def add_violated_cuts(self, solution: Array) -> list[RowSpec]:
        """Add the cuts that a solution violates to the program, and return them."""
        self._valid = self._valid or Valid(self._task, self._allowed, self._off)
        found = [ProgramCut(m, off) for m, off in self._valid.found(self._choice_values(solution), self._targets)]
        new = [cut for cut in found if self._key(cut) not in self._known]
        self._known.update(map(self._key, new))
        self._cuts += new
        rows = self._rows(new)
        if rows:
            self.add(rows)
        return rows

    def _rows(self, cuts: Sequence[ProgramCut]) -> list[RowSpec]:
        return written_as([as_row(self._of_choice, cut.landmark) for cut in cuts])

    def proved(self) -> bool:
        """Check in whole numbers that the tree proves the best known cost optimal."""
        for r in sorted(self.certificate.rows):
            if r >= self._base_rows:
                cut = self._cuts[r - self._base_rows]
                if not cut.off <= self._off or not self._checked(cut):
                    return False
        columns = [(int(lo), int(hi)) for lo, hi in zip(self.lo, self.hi, strict=True)]
        of = self._of_choice
        rows = [*self._exact.rows, *(_in_force(of, cut, cut.off <= self._off) for cut in self._cuts)]
        return self.certificate.proves(replace(self._exact, columns=columns, rows=rows), self.best.cost)

    # ---- cuts

    def check_cuts(self) -> int:
        """Check each cut by a closure, as for a proof; returns how many there are.

        Raises:
            AssertionError: A cut does not hold from all starts from which it is in force.
        """
        assert all(map(self._checked, self._cuts))
        return len(self._cuts)

    @staticmethod
    def _key(cut: ProgramCut) -> tuple[int, frozenset[int], frozenset[int]]:
        return cut.landmark.target, cut.landmark.before, cut.off

    def _checked(self, cut: ProgramCut) -> bool:
        """Check a cut by a closure with all facts on that it does not need off, and all choices but its own."""
        if not cut.checked:
            check_deadline()
            network = self._task.network
            before = {f: network.need[f] for f in self._facts}
            try:
                for f in self._facts:
                    network.need[f] = 2 if f in cut.off else 1
                others = flags(network, (c for c in network.choices if c not in cut.landmark.before))
                cut.checked = cut.landmark.target not in founded(network, others)
            finally:
                for f, need in before.items():
                    network.need[f] = need
        return cut.checked

    def _begin_again(self) -> None:
        """Drop all cuts, so that the program stays small."""
        self._cuts, self._known = [], set()
        self._without_cuts()
        self._whole = self._cutting()

    def _cutting(self) -> Rebound:
        return Rebound(self, np.arange(len(self.lo)))


class Rebound(Cutting):
    """A relaxation over all columns of a program that changes its bounds from question to question."""

    def __init__(self, program: Lazy, kept: Array):
        super().__init__(program, kept)
        self._told = program.lo.copy(), program.hi.copy()

    @property
    def rows(self) -> int:
        """The number of rows of the program."""
        return int(self._highs.getNumRow())

    def take_rows(self, rows: Sequence[RowSpec]) -> None:
        """Add the rows that were added to the program while a relaxation over fewer columns was solved."""
        if rows:
            self.add(rows)

    def take_bounds(self) -> None:
        """Pass on the bounds of the program's columns and rows."""
        program, rows = self.program, len(self.program.row_lo)
        for c in self._fixed:
            self._told[0][c] = math.nan
        self._fixed: Fixed = {}
        columns: Array = np.flatnonzero((self._told[0] != program.lo) | (self._told[1] != program.hi))
        if len(columns):
            lo, hi = program.lo[columns], program.hi[columns]
            self._highs.changeColsBounds(len(columns), columns.astype(np.int32), lo, hi)
        self._told = program.lo.copy(), program.hi.copy()
        every: Array = np.arange(rows, dtype=np.int32)
        self._highs.changeRowsBounds(rows, every, program.row_lo, program.row_hi)


class Valid:
    """Finds violated landmarks, each with the facts that have to be off for it.

    Args:
        task: The task.
        allowed: The choices that can be made.
        off: The facts that are off.
    """

    def __init__(self, task: Task, allowed: Flags, off: frozenset[int]):
        self._network = task.network
        self._allowed = allowed
        self._off = off
        self._separation = Separation(task.network, allowed)

    def found(
        self, made: Sequence[float], targets: Sequence[int]
    ) -> list[tuple[DisjunctiveLandmark, frozenset[int]]]:
        """The landmarks that a solution violates; empty if none is violated by more than a tolerance.

        Args:
            made: The value of each choice, by node, from 0 to 1.
            targets: The choices to look at.
        """
        found = []
        for seen in self._separation.cuts(made, targets):
            check_deadline()
            around, off = self._widened(seen.around)
            before = frozenset(loop(self._network, flags(self._network, (OFF, *around)), around))
            if seen.target in before or sum(made[c] for c in before) > made[seen.target] - TOLERANCE / 2:
                continue
            found.append((DisjunctiveLandmark(seen.target, before, around), off))
        return found

    def _widened(self, around: frozenset[int]) -> tuple[frozenset[int], frozenset[int]]:
        """The set with all that bears on it and cannot be made now; and the facts that bear on it and are off."""
        network, stop = self._network, self._network.choices.stop
        inside, off = set(around), set()
        stack = [network.condition[c] for c in around]
        seen = set(stack)
        while stack:
            node = stack.pop()
            if node < stop:
                if node in network.choices and not self._allowed[node] and node not in inside:
                    inside.add(node)
                    following = [network.condition[node]]
                else:
                    continue
            elif node in self._off:
                off.add(node)
                continue
            else:
                following = [before for before, _ in network.inputs[node]]
            for before in following:
                if before not in seen:
                    seen.add(before)
                    stack.append(before)
        return frozenset(inside), frozenset(off)


def _in_force(of: Mapping[int, int], cut: ProgramCut, valid: bool) -> Row:
    row = as_row(of, cut.landmark)
    return row if valid else Row(row.weights, None, None)


def _start_columns(program: Program, given: Sequence[Term]) -> dict[Term, list[tuple[int, int | None]]]:
    """For each variable of the start its columns, each with the member that it stands for (None: with its number).

    Raises:
        Unsupported: A variable has no columns of its own.
    """
    found: dict[Term, list[tuple[int, int | None]]] = {}
    for variable in given:
        place = program.places.get(variable)
        if place is None:
            continue  # nothing is asked of it
        if isinstance(place, Affine):
            found[variable] = [(column_of(place), None)]
        else:
            own = [(n, test) for n, test in place.items() if list(test.weights.values()) == [1] and not test.constant]
            found[variable] = [(column_of(test), n) for n, test in own]
    return found


def _value_in(variable: Term, member: int | None, number: int) -> int:
    return number if member is None else int(number == member)
