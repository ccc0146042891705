"""The term node: immutable, hash-consed, with the bounds of its value.

Terms are built by the constructors of `vclogic.terms.build`; this module holds the node, its table, and its text.
Two terms of the same structure are the same object, so identity is equality and sharing is free.

A Bool term's bounds are 0..1, an Enum term's are the bit mask of the members it can take (`mask`).
"""

from __future__ import annotations

import itertools
import threading
import weakref
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from enum import Enum
from typing import Any, TypeVar

from vclogic.clock import OFTEN, check_deadline
from vclogic.terms.sorts import BoolSort, EnumSort, Sort

_FEW = 8  # members that are named, however few the others are
_MOST = 400  # characters of one subterm; deep terms are cut, since they are shown to be skimmed
T = TypeVar("T")
Walk = Generator[Any, Any, T]
"""A recursive function that yields the walks which it waits for, and is sent what they return; see `run_walk`."""


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


class _TermFields:
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


class Term(_TermFields):
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
        """True if the term is a constant."""
        return self.op is Op.CONST

    @property
    def is_bool(self) -> bool:
        """True if the term is of sort Bool."""
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
        return show(self)


class _WeakTerm(weakref.ref[Term]):
    """The table's weak reference to a term, with its key."""

    __slots__ = ("key",)
    key: tuple[Any, ...]


_TABLE: dict[tuple[Any, ...], _WeakTerm] = {}
_LOCK = threading.RLock()  # a thread that makes a term may forget others: Python may look for cycles at any time
_SERIAL = itertools.count()
_CALLS = itertools.count()


def intern_term(op: Op, args: tuple[Term, ...], payload: Any, sort: Sort, lo: int, hi: int, mask: int = 0) -> Term:
    """The unique term of this structure. For constructors only: nothing is folded or checked here.

    The table holds terms weakly: a term lives as long as it is used elsewhere, and the table is a pure cache.
    """
    if not next(_CALLS) & OFTEN:  # a game builds its terms by calls of this
        check_deadline()
    # Sort and bounds follow from arguments, where there are any. True == 1, so the key of a constant has its kind.
    key = (op, args, payload) if args else (op, payload, sort if mask else type(sort), lo, hi, mask)
    entry = _TABLE.get(key)
    known = None if entry is None else entry()
    if known is not None:
        return known
    made: Any = _TermFields(op, args, payload, sort, lo, hi, mask)
    made.__class__ = Term  # four times as fast as by the slots of what is immutable already
    new = _WeakTerm(made, _forget)
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
    assert isinstance(entry, _WeakTerm)
    with _LOCK:
        if _TABLE.get(entry.key) is entry:  # else the same term was made once more
            del _TABLE[entry.key]


def conjuncts(term: Term) -> tuple[Term, ...]:
    """The terms of which a Bool term is the conjunction; the term itself if it is none."""
    return term.args if term.op is Op.AND else (term,)


def postorder(roots: Iterable[Term]) -> Iterator[Term]:
    """Every term below the roots once, arguments before the terms that use them; iterative, so depth is no limit."""
    seen: set[Term] = set()
    check_deadline()
    for root in roots:
        stack: list[tuple[Term, bool]] = [(root, False)]
        while stack:
            term, ready = stack.pop()
            if ready:
                yield term
            elif term not in seen:
                seen.add(term)
                if not len(seen) & OFTEN:
                    check_deadline()
                stack.append((term, True))
                stack.extend((a, False) for a in reversed(term.args) if a not in seen)


def run_walk(walk: Walk[T]) -> T:
    """Run a recursive walk and return its result; walks that wait stand in a list, so depth is no limit."""
    waiting: list[Walk[Any]] = [walk]
    found: Any = None
    while waiting:
        try:
            waiting.append(waiting[-1].send(found))
            found = None
        except StopIteration as end:
            found = end.value
            waiting.pop()
    result: T = found
    return result


def each(walks: Iterable[Walk[T]]) -> Walk[list[T]]:
    """The results of several walks, one after the other."""
    found: list[T] = []
    for walk in walks:
        found.append((yield walk))
    return found


def variables(*roots: Term, beside: AbstractSet[Term] = frozenset()) -> tuple[Term, ...]:
    """The variables that occur in the terms, each once, in order of first occurrence.

    Args:
        roots: The terms.
        beside: Terms that are not looked into.
    """
    found: list[Term] = []
    seen: set[Term] = set()
    stack = list(reversed(roots))
    check_deadline()
    while stack:
        term = stack.pop()
        if term in seen or term in beside:
            continue
        seen.add(term)
        if not len(seen) & OFTEN:
            check_deadline()
        if term.op is Op.VAR:
            found.append(term)
        else:
            stack.extend(reversed(term.args))
    return tuple(found)


# ---- as text, in the words of the goal language


def show(term: Term) -> str:
    """The term in infix notation, cut with `...` where it is long."""
    text: dict[Term, str] = {}
    for t in postorder([term]):
        shown = _node(t, text)
        text[t] = shown if len(shown) <= _MOST else shown[: _MOST - 3] + "..."
    return text[term]


def _node(t: Term, text: Mapping[Term, str]) -> str:
    args = [text[a] for a in t.args]
    match t.op:
        case Op.CONST:
            return str(t.value).lower() if t.is_bool else str(t.value)
        case Op.VAR:
            return t.name
        case Op.NOT:
            denied = t.args[0]
            return _compared(denied, "<=", denied.payload - 1, text) if denied.op is Op.GE else f"not {args[0]}"
        case Op.AND | Op.OR:
            return "(" + f" {t.op.value} ".join(args) + ")"
        case Op.ITE:
            return f"(if {args[0]} then {args[1]} else {args[2]})"
        case Op.LIN:
            return _sum(*_parts(t), text)
        case Op.GE:
            return _compared(t, ">=", t.payload, text)
        case Op.IN:
            return f"({args[0]} {_members(t)})"
        case Op.DIV:
            return f"({args[0]} div {t.payload})"
        case Op.FIX:
            return "reached"
        case Op.REACH:
            return f"reach({t.args[0].payload.nodes[t.payload]})"


def _members(t: Term) -> str:
    """Membership in a set; where the set has most members, as not being one of the others."""
    sort = t.args[0].sort
    assert isinstance(sort, EnumSort)
    others = t.args[0].mask & ~t.payload
    few = t.payload.bit_count() <= max(_FEW, others.bit_count())
    word, mask = ("in", t.payload) if few else ("not in", others)
    return f"{word} {{" + ", ".join(m for i, m in enumerate(sort.members) if mask >> i & 1) + "}"


def _parts(t: Term) -> tuple[list[tuple[int, Term]], int]:
    """The summands of a sum, and its constant."""
    ks, c = t.payload
    return list(zip(ks, t.args, strict=True)), c


def _compared(t: Term, sign: str, k: int, text: Mapping[Term, str]) -> str:
    """A comparison, with negative summands moved to the other side."""
    subject = t.args[0]
    if subject.op is not Op.LIN:
        return f"({text[subject]} {sign} {k})"
    parts, c = _parts(subject)
    left, right = [(n, a) for n, a in parts if n > 0], [(-n, a) for n, a in parts if n < 0]
    if not left:
        return f"({_sum(right, 0, text)} {'<=' if sign == '>=' else '>='} {c - k})"
    more = k - c
    if right and more == (-1 if sign == "<=" else 1):
        sign, more = sign[0], 0
    return f"({_sum(left, 0, text)} {sign} {_sum(right, more, text)})"


def _sum(parts: Sequence[tuple[int, Term]], c: int, text: Mapping[Term, str]) -> str:
    shown = [text[a] if k == 1 else f"{k}*{text[a]}" for k, a in parts]
    if not shown:
        return str(c)
    whole = " + ".join(shown) + (f" + {c}" if c > 0 else f" - {-c}" if c < 0 else "")
    return whole if len(shown) == 1 and not c else f"({whole})"
