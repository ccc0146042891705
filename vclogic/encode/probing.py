"""What follows once a condition is assumed, by bounds alone, and the stronger rows that this allows.

A row that holds only under a condition is weak where its columns could be anything else: half a condition then asks
for less than half of the row. Under the condition many of those columns may be fixed (who has just captured an area
cannot have held it before, so its defenders are all there), and a row that names them as numbers is stronger.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from vclogic.encode.affine import Affine, Row, Sheet, combined

_VISITS = 1500  # rows looked at for one assumption
Bounds = dict[int, tuple[int, int]]


def strengthen(sheet: Sheet) -> None:
    """Adds to a sheet the stronger forms of the rows that hold under conditions."""
    prober = _Prober(sheet.columns, sheet.rows)
    known: dict[tuple[tuple[int, int], ...], Bounds | None] = {}
    for guards, sum_, bound in list(sheet.guarded):
        assumed = _excluded(guards)
        if assumed is None:
            continue
        if assumed not in known:
            known[assumed] = prober.fixed(assumed)
        bounds = known[assumed]
        if bounds is None:  # the condition cannot hold at all
            sheet.at_least(combined((1, g) for g in guards), 1)
        elif any(lo == hi for lo, hi in (bounds.get(c, (0, 1)) for c in sum_.weights)):
            sheet.unless(guards, _with(sum_, bounds), bound)


def _excluded(guards: Iterable[Affine]) -> tuple[tuple[int, int], ...] | None:
    """The value of each column once no guard excuses; None if that cannot be told so."""
    values: dict[int, int] = {}
    for g in guards:
        if g.constant == 0 and all(k > 0 for k in g.weights.values()):
            values.update(dict.fromkeys(g.weights, 0))
        elif len(g.weights) == 1 and g.constant == 1:
            values.update(dict.fromkeys(g.weights, 1))
        else:
            return None
    return tuple(sorted(values.items()))


def _with(sum_: Affine, bounds: Bounds) -> Affine:
    """A sum with the columns that are fixed as numbers."""
    weights, constant = {}, sum_.constant
    for c, k in sum_.weights.items():
        lo, hi = bounds.get(c, (0, 1))
        if lo == hi:
            constant += k * lo
        else:
            weights[c] = k
    return Affine(weights, constant)


class _Prober:
    def __init__(self, columns: Sequence[tuple[int, int]], rows: Sequence[Row]):
        self._columns = columns
        self._rows = rows
        self._of: list[list[Row]] = [[] for _ in columns]
        for row in rows:
            for c, _ in row.weights:
                self._of[c].append(row)

    def fixed(self, assumed: Iterable[tuple[int, int]]) -> Bounds | None:
        """Narrower bounds of columns under an assumption; None if it cannot hold."""
        bounds: Bounds = {c: (value, value) for c, value in assumed}
        if any(not lo <= bounds[c][0] <= hi for c in bounds for lo, hi in (self._columns[c],)):
            return None
        queue = list(bounds)
        visits = 0
        while queue and visits < _VISITS:
            for row in self._of[queue.pop()]:
                visits += 1
                changed = self._narrow(row, bounds)
                if changed is None:
                    return None
                queue += changed
        return bounds

    def _narrow(self, row: Row, bounds: Bounds) -> list[int] | None:
        """Narrows the bounds of a row's columns by what the others leave; None if nothing is left."""
        columns = self._columns
        ranges = [bounds.get(c) or columns[c] for c, _ in row.weights]
        least = most = 0
        for (_, k), (lo, hi) in zip(row.weights, ranges, strict=True):
            least += k * (lo if k > 0 else hi)
            most += k * (hi if k > 0 else lo)
        if (row.hi is not None and least > row.hi) or (row.lo is not None and most < row.lo):
            return None
        changed = []
        for (c, k), (lo, hi) in zip(row.weights, ranges, strict=True):
            if lo == hi:
                continue
            new_lo, new_hi = lo, hi
            if row.hi is not None:  # k * x <= row.hi - (least of the others)
                left = row.hi - least + k * (lo if k > 0 else hi)
                new_lo, new_hi = (new_lo, min(new_hi, left // k)) if k > 0 else (max(new_lo, -(left // -k)), new_hi)
            if row.lo is not None:  # k * x >= row.lo - (most of the others)
                left = row.lo - most + k * (hi if k > 0 else lo)
                new_lo, new_hi = (max(new_lo, -(-left // k)), new_hi) if k > 0 else (new_lo, min(new_hi, left // k))
            if new_lo > new_hi:
                return None
            if (new_lo, new_hi) != (lo, hi):
                bounds[c] = (new_lo, new_hi)
                changed.append(c)
        return changed
