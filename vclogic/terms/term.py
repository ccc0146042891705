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
    """What a term does with its arguments."""

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


class Term:
    """A typed finite-domain expression. See `vclogic.terms.build` for the constructors.

    Attributes:
        op: The operator.
        args: Argument terms.
        payload: What else the operator needs; hashable.
        sort: The sort of the value.
        lo: Smallest value (Bool: 0 or 1; Enum: 0).
        hi: Largest value (Bool: 0 or 1; Enum: number of members less one).
        mask: Enum terms: members that the value can be, as a bit mask; else 0.
        serial: Order of making; sums are sorted by it, so that equal sums are one term.
    """

    __slots__ = ("__weakref__", "args", "hi", "lo", "mask", "op", "payload", "serial", "sort")
    op: Op
    args: tuple[Term, ...]
    payload: Any
    sort: Sort
    lo: int
    hi: int
    mask: int
    serial: int

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


_TABLE: weakref.WeakValueDictionary[tuple[Any, ...], Term] = weakref.WeakValueDictionary()
_LOCK = threading.Lock()
_SLOTS = ("op", "args", "payload", "sort", "lo", "hi", "mask", "serial")
_SERIAL = itertools.count()


def intern_term(op: Op, args: tuple[Term, ...], payload: Any, sort: Sort, lo: int, hi: int, mask: int = 0) -> Term:
    """The one term of this structure. For constructors only: nothing is folded or checked here.

    The table holds terms weakly: a term lives as long as somebody uses it, and the table is a pure cache.
    """
    # Bounds follow from the arguments, but a variable's are its own. True == 1, so the sort is in the key.
    key = (op, payload, sort, lo, hi, mask) if op is Op.VAR else (op, payload, sort, args)
    serial = next(_SERIAL)
    if not serial & OFTEN:  # a game builds its terms by calls of this
        look()
    with _LOCK:
        term = _TABLE.get(key)
        if term is None:
            term = object.__new__(Term)
            for slot, value in zip(_SLOTS, (op, args, payload, sort, lo, hi, mask, serial), strict=True):
                object.__setattr__(term, slot, value)
            _TABLE[key] = term
    return term


def postorder(roots: Iterable[Term]) -> Iterator[Term]:
    """Every term below the roots once, arguments before the terms that use them; never recursive."""
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
    return tuple(t for t in postorder(roots) if t.op is Op.VAR)
