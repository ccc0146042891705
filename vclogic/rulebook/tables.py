"""Tables by numbers or ratios: when each row applies.

Of rows that nest the innermost counts, as printed tables mean it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from vclogic.rulebook.statements import Row
from vclogic.terms.atoms import TRUE
from vclogic.terms.build import and_, any_of, ge, gt, le, lt, not_, scale
from vclogic.terms.partial import Partial
from vclogic.terms.term import Term

Line = tuple[int, int]


def applying(rows: Sequence[Row], value: Partial, to: Partial | None) -> Mapping[Row, Partial]:
    """When each row applies.

    Args:
        rows: The rows.
        value: The number by which the table is read.
        to: What it is compared with, of a ratio, by multiplication; to nothing there is no ratio.
    """
    defined = value.defined if to is None else and_(value.defined, to.defined, gt(to.value, 0))
    within = {row: and_(*_limits(row, value.value, None if to is None else to.value)) for row in rows}
    found = {}
    for row in rows:
        inner = [within[other] for other in rows if other is not row and _nested(other, row)]
        found[row] = Partial(and_(within[row], not_(any_of(inner))), defined)
    return found


def _limits(row: Row, value: Term, to: Term | None) -> tuple[Term, Term]:
    def sides(limit: Line) -> tuple[Term, Term | int]:
        return (value, limit[0]) if to is None else (scale(value, limit[1]), scale(to, limit[0]))

    low, high = TRUE, TRUE
    if row.least is not None:
        low = (gt if row.over else ge)(*sides(row.least))
    if row.most is not None:
        high = (lt if row.under else le)(*sides(row.most))
    return low, high


def _nested(inner: Row, outer: Row) -> bool:
    """True if a row is for less than another one."""
    a, b = _span(inner), _span(outer)
    return a != b and a[0] >= b[0] and a[1] <= b[1]


def _span(row: Row) -> tuple[tuple[Fraction | float, int], tuple[Fraction | float, int]]:
    least = float("-inf") if row.least is None else Fraction(*row.least)
    most = float("inf") if row.most is None else Fraction(*row.most)
    return (least, int(row.over)), (most, -int(row.under))
