"""Parse the formulas of Spacer's answers into terms."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from vclogic.terms.atoms import FALSE, TRUE, integer, member
from vclogic.terms.build import (
    add,
    all_of,
    any_of,
    eq,
    floordiv,
    ge,
    gt,
    iff,
    implies,
    is_in,
    ite,
    le,
    lt,
    not_,
    scale,
    sub,
)
from vclogic.terms.rewrite import substitute
from vclogic.terms.sorts import EnumSort, IntSort
from vclogic.terms.term import Term, variables

_TOKEN = re.compile(r"[()]|[^\s()]+")
_MOST = 300_000  # characters: more than anybody would want to read, or a solver to check
Expression = str | list["Expression"]


class Unreadable(Exception):
    """The text contains an expression that terms cannot represent."""


def read(text: str, arguments: Sequence[Term]) -> Term:
    """Parse a formula over the arguments of a predicate, as z3 prints it.

    Args:
        text: Booleans and linear arithmetic with constants, `ite` and `let`; argument `i` is written `(:var i)`.
        arguments: The term for each argument, Bool or Int.

    Raises:
        Unreadable: It contains anything else.
    """
    try:
        if len(text) > _MOST:
            raise Unreadable("it is too long")
        return _bool(_HornReader(arguments).term(_parsed(text), {}))
    except (RecursionError, ValueError, TypeError, IndexError) as error:
        raise Unreadable(str(error)) from error


def _parsed(text: str) -> Expression:
    stack: list[list[Expression]] = [[]]
    for token in _TOKEN.findall(text):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    (whole,) = stack
    (found,) = whole
    return found


def _bool(t: Term) -> Term:
    if not t.is_bool:
        raise Unreadable(f"{t} is no Bool")
    return t


def _int(t: Term) -> Term:
    if not isinstance(t.sort, IntSort):
        raise Unreadable(f"{t} is no Int")
    return t


def _by_member(t: Term) -> Term:
    """A comparison over one Enum variable only, as the set of members for which it is true."""
    found = variables(t)
    sort = found[0].sort if len(found) == 1 else None
    if not isinstance(sort, EnumSort):
        return t
    members = (m for m in sort.members if found[0].mask >> sort.index[m] & 1)
    return is_in(found[0], [m for m in members if substitute(t, {found[0]: member(sort, m)}) is TRUE])


def _times(args: Sequence[Term]) -> Term:
    a, b = map(_int, args)
    if not a.is_const:
        a, b = b, a
    if not a.is_const:
        raise Unreadable("a product of two unknowns")
    return scale(b, a.lo)


def _equal(args: Sequence[Term]) -> Term:
    a, b = args
    return iff(a, b) if a.is_bool and b.is_bool else _by_member(eq(_int(a), _int(b)))


def _minus(args: Sequence[Term]) -> Term:
    first, *rest = map(_int, args)
    return sub(first, add(*rest)) if rest else scale(first, -1)


def _divided(args: Sequence[Term]) -> Term:
    a, k = map(_int, args)
    if not k.is_const:
        raise Unreadable("a division by what is unknown")
    return floordiv(a, k.lo)  # raises for anything but a positive number


def _remainder(args: Sequence[Term]) -> Term:
    return sub(_int(args[0]), scale(_divided(args), args[1].lo))


def _compared(how: Callable[[Term, Term], Term]) -> Callable[[Sequence[Term]], Term]:
    def compare(args: Sequence[Term]) -> Term:
        a, b = map(_int, args)
        return _by_member(how(a, b))

    return compare


def _conditional(args: Sequence[Term]) -> Term:
    condition, then, otherwise = args
    return ite(_bool(condition), then, otherwise)


_OPERATORS: dict[str, Callable[[Sequence[Term]], Term]] = {
    "and": lambda args: all_of(map(_bool, args)),
    "or": lambda args: any_of(map(_bool, args)),
    "not": lambda args: not_(_bool(*args)),
    "=>": lambda args: implies(*map(_bool, args)),
    "ite": _conditional,
    "=": _equal,
    "<=": _compared(le),
    "<": _compared(lt),
    ">=": _compared(ge),
    ">": _compared(gt),
    "+": lambda args: add(*map(_int, args)),
    "-": _minus,
    "*": _times,
    "div": _divided,
    "mod": _remainder,
}
_ATOMS = {"true": TRUE, "false": FALSE}


class _HornReader:
    def __init__(self, arguments: Sequence[Term]):
        self._arguments = arguments

    def term(self, e: Expression, names: dict[str, Term]) -> Term:
        """The term of an expression, in the scope of some names."""
        if isinstance(e, str):
            if e in names:
                return names[e]
            return _ATOMS[e] if e in _ATOMS else integer(int(e))  # raises for anything but a number
        head, *rest = e
        if head == ":var":
            place = int(str(rest[0]))
            if place < 0:
                raise Unreadable("an argument before the first")
            return self._arguments[place]
        if head == "let":
            bindings, body = rest
            return self.term(body, {**names, **{str(n): self.term(v, names) for n, v in map(tuple, bindings)}})
        if not isinstance(head, str) or head not in _OPERATORS:
            raise Unreadable(f"{head} is no operator of terms")
        return _OPERATORS[head]([self.term(a, names) for a in rest])
