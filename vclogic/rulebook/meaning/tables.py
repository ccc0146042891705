"""Tables by numbers or ratios: when each row applies.

Of rows that nest the innermost counts, as printed tables mean it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from vclogic.model.citation import Cites
from vclogic.model.rules import LevelTable
from vclogic.provenance import Places
from vclogic.rulebook.statements import OutcomeTable, TableRow
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.build import all_of, and_, any_of, eq, ge, gt, implies, ite, le, lt, not_, or_, scale
from vclogic.terms.expressions.syntax import TABLE, Tabled
from vclogic.terms.partial import Partial
from vclogic.terms.term import Term

Limit = tuple[int, int]
Line = tuple[str, Term, Partial]
"""A line as it stands, when it applies, and what it says."""


def applying(rows: Sequence[TableRow], value: Partial, to: Partial | None) -> Mapping[TableRow, Partial]:
    """When each row applies; `otherwise` where no other does.

    Args:
        rows: The rows.
        value: The number by which the table is read.
        to: What it is compared with, of a ratio, by multiplication; to nothing there is no ratio, unless rows say so.
    """
    some = TRUE if to is None else gt(to.value, 0)
    noughts = {} if to is None else {1: and_(eq(to.value, 0), gt(value.value, 0)), 0: _nothing(value, to)}
    known = any_of((some, *(noughts[n] for row in rows for n in row.noughts)))
    defined = value.defined if to is None else all_of((value.defined, to.defined, known))
    bounded = [row for row in rows if row.bounded]
    within = {row: and_(some, *_limits(row, value.value, None if to is None else to.value)) for row in bounded}
    found = {}
    for row in rows:
        inner = [within[other] for other in bounded if other is not row and row.bounded and _nested(other, row)]
        beside = any_of(noughts[n] for n in row.noughts)
        found[row] = or_(and_(within[row], not_(any_of(inner))) if row.bounded else FALSE, beside)
    for row in rows:
        if row.rest:
            found[row] = not_(any_of(found[other] for other in rows if other is not row))
    return {row: Partial(when, defined) for row, when in found.items()}


def tabled(table: OutcomeTable) -> Tabled:
    """The value read off a table that says values."""
    by = (table.value,) if table.to is None else (table.value, table.to)
    said = tuple(row.value for row in table.rows if row.value is not None)

    def found(value: Partial, to: Partial | None) -> Sequence[Partial]:
        return [*applying(table.rows, value, to).values()]

    lines = tuple(row.at for row in table.rows)
    return Tabled(TABLE, table.name.at, (*by, *said), ratio=table.to is not None, applying=found, lines=lines)


def _nothing(value: Partial, to: Partial) -> Term:
    """A Bool term: both are nought."""
    return and_(eq(value.value, 0), eq(to.value, 0))


def _limits(row: TableRow, value: Term, to: Term | None) -> tuple[Term, Term]:
    def sides(limit: Limit) -> tuple[Term, Term | int]:
        return (value, limit[0]) if to is None else (scale(value, limit[1]), scale(to, limit[0]))

    low, high = TRUE, TRUE
    if row.least is not None:
        low = (gt if row.over else ge)(*sides(row.least))
    if row.most is not None:
        high = (lt if row.under else le)(*sides(row.most))
    return low, high


def _nested(inner: TableRow, outer: TableRow) -> bool:
    """True if a row is for less than another one."""
    a, b = _span(inner), _span(outer)
    return a != b and a[0] >= b[0] and a[1] <= b[1]


def _span(row: TableRow) -> tuple[tuple[Fraction | float, int], tuple[Fraction | float, int]]:
    least = float("-inf") if row.least is None else Fraction(*row.least)
    most = float("inf") if row.most is None else Fraction(*row.most)
    return (least, int(row.over)), (most, -int(row.under))


def one_at_most(name: str, lines: Sequence[Line], cites: Cites, made: Places) -> Iterator[LevelTable]:
    """Lines of which one applies at most, unless they say the same, as a table; none where there are not several.

    Args:
        name: What the table is called.
        lines: The lines.
        cites: Where they stand.
        made: Where the first of them does.
    """
    rows: dict[str, Term] = {}
    for i, (text, when, value) in enumerate(lines):
        agree = [and_(other, same(value, v)) for _, other, v in lines[:i]]
        again = sum(other == text for other, _, _ in lines[:i])  # of a line that stands for several members
        rows[f"'{text}'" + (f" ({again + 1})" if again else "")] = and_(when, not_(any_of(agree)))
    if len(rows) > 1:
        rows["otherwise"] = not_(any_of(rows.values()))
        yield LevelTable(name, {row: Partial(t) for row, t in rows.items()}, f"one of {name}", cites, made=made)


def same(a: Partial, b: Partial) -> Term:
    """A Bool term: two values are the same; so are two that are not defined."""
    x, y = a.value, b.value
    equal = and_(implies(x, y), implies(y, x)) if x.is_bool else eq(x, y)
    return ite(a.defined, and_(b.defined, equal), not_(b.defined))
