"""Constants, variables, and the membership test of an Enum variable."""

from __future__ import annotations

from functools import lru_cache

from vclogic.terms.sorts import BOOL, BoolSort, EnumSort, IntSort, Sort
from vclogic.terms.term import Op, Term, intern_term

TRUE = intern_term(Op.CONST, (), True, BOOL, 1, 1)
FALSE = intern_term(Op.CONST, (), False, BOOL, 0, 0)


def boolean(value: bool) -> Term:
    """The constant true or false."""
    return TRUE if value else FALSE


@lru_cache(maxsize=1024)
def integer(value: int) -> Term:
    """A whole-number constant."""
    value = int(value)  # True is an int, and the first of equal constants is the one that stays
    return intern_term(Op.CONST, (), value, IntSort(value, value), value, value)


def member(sort: EnumSort, name: str) -> Term:
    """The constant member `name` of an enum.

    Raises:
        KeyError: The enum has no such member.
    """
    number = sort.index[name]
    return intern_term(Op.CONST, (), number, sort, 0, len(sort.members) - 1, 1 << number)


def number(sort: Sort, value: bool | int | str) -> int:
    """The number that a state holds for a value: an Enum member's index, 0 or 1 for a Bool, the Int itself.

    Raises:
        KeyError: No such member. ValueError: an Int outside its sort's bounds. TypeError: the value is of
            another sort.
    """
    if isinstance(sort, EnumSort):
        return sort.index[str(value)]
    if isinstance(sort, BoolSort):
        if not isinstance(value, bool):
            raise TypeError(f"{value!r} is no Bool")
    elif not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{value!r} is no Int")
    elif not sort.lo <= value <= sort.hi:
        raise ValueError(f"{value} is outside {sort}")
    return int(value)


def constant(sort: Sort, value: bool | int | str) -> Term:
    """The constant of a sort with a value as `Term.value` gives it.

    Raises:
        KeyError: No such member. ValueError: an Int outside its sort's bounds. TypeError: the value is of
            another sort.
    """
    if isinstance(sort, EnumSort):
        return member(sort, str(value))
    n = number(sort, value)
    return boolean(bool(n)) if isinstance(sort, BoolSort) else integer(n)


def var(name: str, sort: Sort, *, mask: int | None = None) -> Term:
    """A variable.

    Args:
        name: Its name; variables of one name but other bounds are different terms.
        sort: Its sort; an Int's bounds are the sort's.
        mask: Enum: the members that it can take (default all). A variable with a single possible value is
            that constant. Ignored for other sorts.
    """
    if isinstance(sort, EnumSort):
        mask = sort.full_mask if mask is None else mask
        if mask.bit_count() == 1:
            return member(sort, sort.members[mask.bit_length() - 1])
        return intern_term(Op.VAR, (), name, sort, 0, len(sort.members) - 1, mask)
    if isinstance(sort, IntSort):
        if sort.lo == sort.hi:
            return integer(sort.lo)
        return intern_term(Op.VAR, (), name, sort, sort.lo, sort.hi)
    return intern_term(Op.VAR, (), name, sort, 0, 1)


def in_var(v: Term, mask: int) -> Term:
    """A Bool term: an Enum variable is one of the members of a bit mask."""
    mask &= v.mask
    if not mask or mask == v.mask:
        return boolean(bool(mask))
    return intern_term(Op.IN, (v,), mask, BOOL, 0, 1)
