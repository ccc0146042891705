"""The term node: immutable, hash-consed, with the bounds of its value.

Terms are built by the constructors of `vclogic.terms.build`; this module only holds the node and its table.
Two terms of the same structure are the same object, so identity is equality and sharing is free.

A Bool term's bounds are 0..1, an Enum term's are the bit mask of the members it can take (`mask`).
"""

from __future__ import annotations

import itertools
import threading
import weakref
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Any

from vclogic.clock import OFTEN, look
from vclogic.terms.sorts import BoolSort, EnumSort, Sort


class Op(Enum):
    """The operator of a term."""

    CONST = "const"  # payload: bool, int, or a member's number
    VAR = "var"  # payload: name
    NOT = "not"
    AND = "and"
    OR = "or"
    ITE = "ite"  # args: condition, then, else
    LIN = "lin"  # payload: (coefficients, constant); args: Int or Bool (as 0 or 1) terms
    GE = "ge"  # args: (t,); payload k: t >= k
    IN = "in"  # args: (v,), an Enum variable; payload: mask of members
    DIV = "div"  # args: (t,); payload k > 0: floor(t / k)
    FIX = "fix"  # payload: Graph; args: sources then passables, per node: the set of reached nodes
    REACH = "reach"  # args: (fix,); payload: the node's number

    __hash__ = object.__hash__  # members are singletons: identity is the cheapest hash


class _Parts:
    """The fields of a term, still mutable while it is constructed."""

    __slots__ = ("__weakref__", "args", "hi", "lo", "mask", "op", "payload", "serial", "sort")

    def __init__(self, op: Op, args: tuple[Term, ...], payload: Any, sort: Sort, lo: int, hi: int, mask: int):
        self.op = op
        self.args = args
        self.payload = payload
        self.sort = sort
        self.lo = lo
        self.hi = hi
        self.mask = mask
        self.serial = next(_SERIAL)


class Term(_Parts):
    """A typed finite-domain expression. See `vclogic.terms.build` for the constructors.

    Attributes:
        op: The operator.
        args: Argument terms.
        payload: Further data of the operator, such as a name or coefficients; hashable.
        sort: The sort of the value.
        lo: Smallest value (Bool: 0 or 1; Enum: 0).
        hi: Largest value (Bool: 0 or 1; Enum: number of members less one).
        mask: Enum terms: members that the value can be, as a bit mask; else 0.
        serial: Order of creation; sums are sorted by it, so equal sums are the same term.
    """

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("terms are immutable")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("terms are immutable")

    def __reduce__(self) -> tuple[Any, ...]:
        return intern_term, (self.op, self.args, self.payload, self.sort, self.lo, self.hi, self.mask)

    def __copy__(self) -> Term:
        return self

    def __deepcopy__(self, memo: object) -> Term:
        return self

    def __bool__(self) -> bool:
        raise TypeError("a term has no truth value: write `t is TRUE`, or and_, or_, not_ to combine terms")

    @property
    def is_const(self) -> bool:
        """Whether the term is a constant."""
        return self.op is Op.CONST

    @property
    def is_bool(self) -> bool:
        """Whether the term is of sort Bool."""
        return isinstance(self.sort, BoolSort)

    @property
    def name(self) -> str:
        """A variable's name.

        Raises:
            TypeError: The term is no variable.
        """
        if self.op is not Op.VAR:
            raise TypeError(f"{self} is no variable")
        return str(self.payload)

    @property
    def value(self) -> bool | int | str:
        """A constant's value: bool, int, or a member's name.

        Raises:
            TypeError: The term is no constant.
        """
        if self.op is not Op.CONST:
            raise TypeError(f"{self} is no constant")
        if isinstance(self.sort, EnumSort):
            return self.sort.members[int(self.payload)]
        return bool(self.payload) if self.is_bool else int(self.payload)

    def __repr__(self) -> str:
        from vclogic.terms.show import show

        return show(self)


class _Entry(weakref.ref[Term]):
    """The table's weak reference to a term, with its key."""

    __slots__ = ("key",)
    key: tuple[Any, ...]


_TABLE: dict[tuple[Any, ...], _Entry] = {}
_LOCK = threading.RLock()  # a thread that makes a term may forget others: Python may look for cycles at any time
_SERIAL = itertools.count()
_CALLS = itertools.count()


def intern_term(op: Op, args: tuple[Term, ...], payload: Any, sort: Sort, lo: int, hi: int, mask: int = 0) -> Term:
    """The unique term of this structure. For constructors only: nothing is folded or checked here.

    The table holds terms weakly: a term lives as long as it is used elsewhere, and the table is a pure cache.
    """
    if not next(_CALLS) & OFTEN:  # a game builds its terms by calls of this
        look()
    # Sort and bounds follow from arguments, where there are any. True == 1, so the key of a constant has its kind.
    key = (op, args, payload) if args else (op, payload, sort if mask else type(sort), lo, hi, mask)
    entry = _TABLE.get(key)
    known = None if entry is None else entry()
    if known is not None:
        return known
    made: Any = _Parts(op, args, payload, sort, lo, hi, mask)
    made.__class__ = Term  # four times as fast as by the slots of what is immutable already
    new = _Entry(made, _forget)
    new.key = key
    with _LOCK:
        entry = _TABLE.setdefault(key, new)
        if entry is not new:
            known = entry()
            if known is not None:  # another thread was faster
                return known
            _TABLE[key] = new
    term: Term = made
    return term


def _forget(entry: weakref.ref[Term]) -> None:
    """Remove the table's entry of a term that is no longer used."""
    assert isinstance(entry, _Entry)
    with _LOCK:
        if _TABLE.get(entry.key) is entry:  # else the same term was made once more
            del _TABLE[entry.key]


def postorder(roots: Iterable[Term]) -> Iterator[Term]:
    """Every term below the roots once, arguments before the terms that use them; iterative, so depth is no limit."""
    seen: set[Term] = set()
    look()
    for root in roots:
        stack: list[tuple[Term, bool]] = [(root, False)]
        while stack:
            term, ready = stack.pop()
            if ready:
                yield term
            elif term not in seen:
                seen.add(term)
                if not len(seen) & OFTEN:
                    look()
                stack.append((term, True))
                stack.extend((a, False) for a in reversed(term.args) if a not in seen)


def variables(*roots: Term) -> tuple[Term, ...]:
    """The variables that occur in the terms, each once, in order of first occurrence."""
    found: list[Term] = []
    seen: set[Term] = set()
    stack = list(reversed(roots))
    look()
    while stack:
        term = stack.pop()
        if term in seen:
            continue
        seen.add(term)
        if not len(seen) & OFTEN:
            look()
        if term.op is Op.VAR:
            found.append(term)
        else:
            stack.extend(reversed(term.args))
    return tuple(found)
