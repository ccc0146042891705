"""Mixed-integer programs: affine sums of columns, rows, and the sheet on which they are collected."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import gcd

from vclogic.encode.python.codegen import interpret
from vclogic.terms.term import Term

LARGEST = 100_000
"""Coefficients and bounds above this are refused: a solver's tolerance of 1e-6 times them is no longer small."""

_SUM = 1 << 50
"""Sums that may be further from 0 are refused: a double holds whole numbers up to 2^53 only."""


class Unsupported(Exception):
    """The terms cannot be encoded as a mixed-integer program whose numbers are safe in floating point."""


@dataclass(frozen=True)
class Affine:
    """Coefficients times columns, plus a constant.

    Attributes:
        weights: The coefficient of each column, none zero.
        constant: What is added.
    """

    weights: Mapping[int, int]
    constant: int = 0

    def plus(self, other: Affine, factor: int = 1) -> Affine:
        """This sum plus `factor` times another."""
        return combined([(1, self), (factor, other)])

    @property
    def negative(self) -> Affine:
        """The negated sum."""
        return Affine({c: -k for c, k in self.weights.items()}, -self.constant)

    @property
    def complement(self) -> Affine:
        """One minus this sum: the complement of a literal."""
        return Affine({c: -k for c, k in self.weights.items()}, 1 - self.constant)


def combined(parts: Iterable[tuple[int, Affine]], constant: int = 0) -> Affine:
    """A weighted sum of sums, plus a constant."""
    weights: dict[int, int] = {}
    for factor, part in parts:
        constant += factor * part.constant
        for c, k in part.weights.items():
            weights[c] = weights.get(c, 0) + factor * k
    if 0 in weights.values():
        weights = {c: k for c, k in weights.items() if k}
    return Affine(weights, constant)


@dataclass
class Row:
    """A constraint: bounds on a weighted sum of columns.

    Attributes:
        weights: The columns, in order, with their coefficients.
        lo: The lower bound; None: none.
        hi: The upper bound; None: none.
        argued: The families of argued cuts (`Cut`) that it rests on.
    """

    weights: tuple[tuple[int, int], ...]
    lo: int | None
    hi: int | None
    argued: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Program:
    """An integer program: all columns are whole numbers, and the objective is minimized.

    Attributes:
        columns: Least and largest value of each.
        rows: The constraints.
        objective: The sum to minimize.
        impossible: Whether it was found infeasible while it was written.
        places: The sum that gives each variable's value: one for an Int or Bool, one per member number for an Enum.
        defined: Variables without columns, each with a term over variables before it and variables with columns.
        argued: The families of argued cuts on which bounds of columns, or its infeasibility, rest.
    """

    columns: Sequence[tuple[int, int]]
    rows: Sequence[Row]
    objective: Affine
    impossible: bool = False
    places: Mapping[Term, Affine | Mapping[int, Affine]] = field(default_factory=dict)
    defined: Sequence[tuple[Term, Term]] = ()
    argued: frozenset[str] = frozenset()

    @property
    def families(self) -> frozenset[str]:
        """The families of argued cuts that its solutions or its infeasibility may rest on."""
        return self.argued.union(*(row.argued for row in self.rows))

    def values(self, solution: Sequence[int], free: Iterable[Term] = ()) -> dict[Term, int]:
        """The number of each variable in a solution.

        Args:
            solution: A value for each column.
            free: Other variables, which may have any value.
        """
        found: dict[Term, int] = {}
        for v, place in self.places.items():
            if isinstance(place, Affine):
                found[v] = _value(place, solution)
            else:
                found[v] = next((n for n, test in place.items() if _value(test, solution) == 1), v.mask.bit_length())
        defined = {v for v, _ in self.defined}
        for v in free:
            if v not in found and v not in defined:
                found[v] = any_value(v)
        slot = {v: i for i, v in enumerate(found)}
        state = list(found.values())
        for v, term in self.defined:
            found[v] = int(interpret([term], slot, state)[0])
            slot[v] = len(state)
            state.append(found[v])
        return found

    def cost(self, solution: Sequence[int]) -> int:
        """The objective's value in a solution."""
        return _value(self.objective, solution)


def any_value(v: Term) -> int:
    """The number closest to 0 that a variable can have."""
    return (v.mask & -v.mask).bit_length() - 1 if v.mask else min(max(0, v.lo), v.hi)


def _value(sum_: Affine, solution: Sequence[int]) -> int:
    return sum_.constant + sum(k * solution[c] for c, k in sum_.weights.items())


class Sheet:
    """The columns and rows of a program under construction.

    Attributes:
        columns: Least and largest value of each column.
        impossible: Whether a row cannot hold.
        family: The family of the argued cut being written; None: what is being written is not argued.
        argued: The families of argued cuts on which bounds of columns, or an unsatisfiable row, rest.
    """

    def __init__(self) -> None:
        self.columns: list[tuple[int, int]] = []
        self.impossible = False
        self.family: str | None = None
        self.argued: frozenset[str] = frozenset()
        self._rows: dict[tuple[tuple[int, int], ...], Row] = {}

    @property
    def rows(self) -> list[Row]:
        """The rows so far."""
        return list(self._rows.values())

    def column(self, lo: int, hi: int) -> Affine:
        """A new column."""
        _small(lo, "a number as large as")
        _small(hi, "a number as large as")
        self.columns.append((lo, hi))
        return Affine({len(self.columns) - 1: 1})

    def check(self, objective: Affine) -> None:
        """Refuse numbers that floating point could get wrong in the objective, and in sums of the rows.

        Raises:
            Unsupported: There are such numbers.
        """
        _small(max(map(abs, objective.weights.values()), default=0), "a coefficient as large as")
        sums = (objective.weights.items(), *(row.weights for row in self._rows.values()))
        far = [max(abs(lo), abs(hi)) for lo, hi in self.columns]
        _small(max(sum(abs(k) * far[c] for c, k in weights) for weights in sums), "a sum as large as", _SUM)

    def between(self, sum_: Affine) -> tuple[int, int]:
        """The bounds of a sum that follow from the bounds of its columns."""
        columns = self.columns
        least = most = sum_.constant
        for c, k in sum_.weights.items():
            lo, hi = columns[c]
            if k > 0:
                least += k * lo
                most += k * hi
            else:
                least += k * hi
                most += k * lo
        return least, most

    def at_least(self, sum_: Affine, bound: int) -> None:
        """Require a sum to be at least a bound. Rows over the same columns are merged."""
        least, most = self.between(sum_)
        if least >= bound:
            return
        if most < bound:
            self.impossible = True
            self.argued |= self._written
            return
        items = sorted(sum_.weights.items())
        divisor = gcd(*sum_.weights.values())
        lo: int | None = -((sum_.constant - bound) // divisor)
        hi: int | None = None
        if items[0][1] < 0:
            divisor = -divisor
            lo, hi = None, -lo if lo is not None else None
        weights = tuple(items if divisor == 1 else [(c, k // divisor) for c, k in items])
        if len(weights) == 1:
            self._tighten(weights[0][0], lo, hi)
        else:
            self._join(weights, lo, hi)

    def unless(self, guards: Sequence[Affine], sum_: Affine, bound: int, least: int | None = None) -> None:
        """Require a sum to be at least a bound unless one of some literals is 1.

        Args:
            guards: Relaxation literals: if any is 1, the row need not hold.
            least: A lower bound of the sum in all solutions, if one is known beside the bounds of its columns.
        """
        by_columns, _ = self.between(sum_)
        short = bound - (by_columns if least is None else max(least, by_columns))
        if short > 0:
            self.at_least(combined([(1, sum_), *((short, g) for g in guards)]) if guards else sum_, bound)

    @property
    def _written(self) -> frozenset[str]:
        return frozenset() if self.family is None else frozenset([self.family])

    def _tighten(self, c: int, lo: int | None, hi: int | None) -> None:
        old = self.columns[c]
        self.argued |= self._written
        self.columns[c] = (old[0] if lo is None else max(lo, old[0]), old[1] if hi is None else min(hi, old[1]))

    def _join(self, weights: tuple[tuple[int, int], ...], lo: int | None, hi: int | None) -> None:
        _small(max(map(abs, dict(weights).values())), "a coefficient as large as")
        for bound in (lo, hi):
            if bound is not None:
                _small(bound, "a bound as large as")
        row = self._rows.get(weights)
        if row is None:
            self._rows[weights] = Row(weights, lo, hi, self._written)
            return
        before = row.lo, row.hi
        if lo is not None:
            row.lo = lo if row.lo is None else max(row.lo, lo)
        if hi is not None:
            row.hi = hi if row.hi is None else min(row.hi, hi)
        if (row.lo, row.hi) != before:
            row.argued |= self._written
        if row.lo is not None and row.hi is not None and row.lo > row.hi:
            self.impossible = True
            self.argued |= row.argued


def _small(n: int, what: str, most: int = LARGEST) -> None:
    if abs(n) > most:
        raise Unsupported(f"{what} {abs(n)}, which floating point could get wrong")
