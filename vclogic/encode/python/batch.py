"""Compile terms to NumPy code over an array of states, one in each row: straight-line code, shared subterms once.

Rows are worked off in blocks, so that what is computed in between stays in the processor's cache. Then an operation
costs 0.3 to 0.7 µs a block however simple, and hardly more for 8,192 rows of small integers: 0.05 ns a row.
Measured with NumPy 2.4 on such a block of bytes, in µs: `a & b`, `a + b` 0.4, `a == k` 0.5 (0.7 where k is a Python
int), a view as another type 0.15, another integer type 0.5, `a * b` 0.5, a table look-up `t.take(a)` 6, `np.where` 5
to 17 (it branches). So membership in a set is comparisons unless they are many, and "if" is a product.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from vclogic.clock import OFTEN, check_deadline
from vclogic.encode.python.codegen import only_variable, tabulate
from vclogic.terms.reach import Graph
from vclogic.terms.sorts import EnumSort, members_of
from vclogic.terms.term import Op, Term, variables

Array = Any
"""A NumPy array."""
ROWS = 8192
"""Rows of a block."""
_COMPARISONS = 4  # runs of members, beyond which membership is looked up in a table
_BYTE = np.dtype(np.int8)
_BOOL = np.dtype(np.bool_)


def smallest_type(lo: int, hi: int) -> np.dtype[Any]:
    """The smallest signed integer type that holds the numbers from `lo` to `hi`; Python's integers if none does."""
    most = max(hi, -1 - lo)
    for bits in 8, 16, 32, 64:
        if most < 1 << (bits - 1):
            return np.dtype(f"int{bits}")
    return np.dtype(object)


def type_of(term: Term) -> np.dtype[Any]:
    """The type of an array of a term's values."""
    return _BOOL if term.is_bool else smallest_type(term.lo, term.hi)


def batch_function(terms: Sequence[Term], slot: Mapping[Term, int]) -> BatchFunction:
    """Compile terms to one function of an array of states; shared subterms are computed once.

    Args:
        terms: Terms of any sort.
        slot: The column of each variable.

    Raises:
        KeyError: A variable without a column.
    """
    return BatchFunction(terms, slot)


class BatchFunction:
    """The values of some terms for each row of an array of states.

    Attributes:
        terms: The terms.
        columns: The columns of the array that they read, in ascending order.
    """

    def __init__(self, terms: Sequence[Term], slot: Mapping[Term, int]):
        self.terms = tuple(terms)
        read = {slot[v]: v for v in variables(*self.terms)}
        self.columns = tuple(sorted(read))
        self._types = [smallest_type(read[j].lo, read[j].hi) for j in self.columns]
        place = {read[j]: i for i, j in enumerate(self.columns)}
        self._block = _BatchWriter(self.terms, place).function()

    def __call__(self, states: Array) -> list[Array]:
        """The values of each term, as an array of one value per row.

        Args:
            states: Integers, a row for each state, a column for each fluent; each within its fluent's bounds.

        Returns:
            For each term an array: Bools, or the numbers that states hold, in the smallest signed type that fits the
            term's bounds.
        """
        n = len(states)
        if n <= ROWS:
            return [_own(x, states) for x in self.block(states)]
        found = [np.empty(n, type_of(t)) for t in self.terms]
        for first in range(0, n, ROWS):
            check_deadline()
            for whole, part in zip(found, self.block(states[first : first + ROWS]), strict=True):
                whole[first : first + ROWS] = part
        return found

    def block(self, states: Array) -> Sequence[Array]:
        """The same for a few rows at once; what is returned may share its memory with the states."""
        return self.of_columns([states[:, j] for j in self.columns], len(states))

    def of_columns(self, columns: Sequence[Array], n: int) -> Sequence[Array]:
        """The values of each term for n rows.

        Args:
            columns: Those that the terms read, in the order of the attribute `columns`.
            n: The number of rows.
        """
        fit = [np.ascontiguousarray(x, t) for x, t in zip(columns, self._types, strict=True)]
        found: Sequence[Array] = self._block(fit, n)
        return found


def _own(values: Array, states: Array) -> Array:
    return values.copy() if np.may_share_memory(values, states) else values


# ---- Writing the code

Key = object
"""The subject of a value: a term, or a part of one."""
Task = tuple[Key, Callable[[], int] | None]
"""A value to compute: by a function that gives its line; None: the value of a term, from the beginning."""


@dataclass
class _Statement:
    """A statement: a value made of others.

    Attributes:
        text: The expression, with `{0}`, `{1}` for its operands; a statement that changes the first, if `in_place`.
        operands: The numbers of other lines.
        in_place: Whether the first operand's array, which nothing else uses, is changed and becomes the value.
        last: The number of the last line that uses the value.
    """

    text: str
    operands: tuple[int, ...]
    in_place: bool = False
    last: int = -1


class _Statements:
    """The statements of a function, and the objects that they name."""

    def __init__(self) -> None:
        self._lines: list[_Statement] = []
        self._namespace: dict[str, Any] = {
            "__builtins__": {},
            "closure": _closure,
            "full": np.full,
            "look": check_deadline,
            "read": np.frombuffer,
        }
        self._names: dict[object, str] = {}

    def function(self, results: Sequence[int]) -> Callable[[Sequence[Array], int], Sequence[Array]]:
        """The function of a block's columns and its number of rows that returns the values of some lines."""
        for i, line in enumerate(self._lines):
            for operand in line.operands:
                self._lines[operand].last = i
        for i in results:
            self._lines[i].last = len(self._lines)
        register, statements = self._registers()
        returned = "".join(f"r{register[i]}, " for i in results)
        text = "\n ".join(["def f(s, n):", *statements, f"return ({returned})"])
        # The text is made of operators, numbers and names made here; see codegen.build_function.
        exec(compile(text, "<terms>", "exec"), self._namespace)
        function: Callable[[Sequence[Array], int], Sequence[Array]] = self._namespace.pop("f")
        return function

    def _registers(self) -> tuple[list[int], list[str]]:
        """The local variable of each line's value, and the statements; variables are used again as they get free."""
        register: list[int] = []
        statements: list[str] = []
        free: list[int] = []
        used = 0
        for i, line in enumerate(self._lines):
            text = line.text.format(*(f"r{register[x]}" for x in line.operands))
            over = {register[x] for x in line.operands if self._lines[x].last == i}
            if line.in_place:
                mine = register[line.operands[0]]
                over.discard(mine)
            free += sorted(over)
            if not line.in_place:
                mine = free.pop() if free else used
                used = max(used, mine + 1)
                text = f"r{mine} = {text}"
            register.append(mine)
            statements.append(text)
            if not len(statements) & OFTEN:
                check_deadline()
                statements.append("look()")
        return register, statements

    def add(self, text: str, *operands: int) -> int:
        """A line with a new value."""
        self._lines.append(_Statement(text, operands))
        return len(self._lines) - 1

    def into(self, text: str, *operands: int) -> int:
        """A line that changes the array of its first operand."""
        self._lines.append(_Statement(text, operands, in_place=True))
        return len(self._lines) - 1

    def name(self, letter: str, key: object, value: object) -> str:
        """The name of an object; objects of one key share it."""
        found = self._names.get((letter, key))
        if found is None:
            found = self._names[letter, key] = f"{letter}{len(self._names)}"
            self._namespace[found] = value
        return found

    def number(self, x: int, kind: np.dtype[Any]) -> str:
        """A number as an array without dimensions, which NumPy takes faster than Python's numbers."""
        return self.name("k", (x, kind), np.array(x, kind))

    def kind(self, kind: np.dtype[Any]) -> str:
        """The name of a type."""
        return self.name("t", kind, kind)

    def table(self, values: Sequence[int], kind: np.dtype[Any]) -> str:
        """The name of a table."""
        return self.name("a", (tuple(values), kind), np.array(values, kind))

    def cast(self, line: int, kind: np.dtype[Any], wanted: np.dtype[Any]) -> int:
        """A value in another type; the array may be the same."""
        if kind == wanted:
            return line
        if (kind, wanted) == (_BOOL, _BYTE):
            return self.add(f"{{0}}.view({self.kind(_BYTE)})", line)
        return self.add(f"{{0}}.astype({self.kind(wanted)})", line)


class _BatchWriter:
    """Generates the statements for some terms.

    Args:
        roots: The terms.
        place: The number of each variable's column.
    """

    def __init__(self, roots: Sequence[Term], place: Mapping[Term, int]):
        self._roots = roots
        self._place = place
        self._only = only_variable(roots)
        self._lines = _Statements()
        self._add, self._into = self._lines.add, self._lines.into
        self._number = self._lines.number
        self._line: dict[Key, int] = {}
        self._work([(t, None) for t in roots])

    def function(self) -> Callable[[Sequence[Array], int], Sequence[Array]]:
        """The function of a block's columns and its number of rows."""
        return self._lines.function([self._line[t] for t in self._roots])

    def _work(self, tasks: Sequence[Task]) -> None:
        """Does tasks, each of which may put others before the rest: terms nest deeper than Python may recurse."""
        stack = list(reversed(tasks))
        while stack:
            key, make = stack.pop()
            if make is not None:
                self._line[key] = make()
            elif key not in self._line:
                if not len(self._line) & OFTEN:
                    check_deadline()
                assert isinstance(key, Term)
                stack += reversed(list(self._tasks(key)))

    def _tasks(self, t: Term) -> Iterator[Task]:
        """The tasks for a term, in order."""
        v = self._only[t]
        if v is not None and t is not v:
            yield v, None
            yield t, partial(self._of_one_variable, t, v)
        elif t.op in (Op.AND, Op.OR):
            yield from self._chain(t, "&" if t.op is Op.AND else "|")
        elif t.op is Op.LIN:
            yield from self._sum(t)
        else:
            yield from ((a, None) for a in t.args if not a.is_const)
            yield t, partial(self._node, t)

    # ---- operators

    def _node(self, t: Term) -> int:
        """The line of a term whose arguments, unless constant, have theirs."""
        args = [self._line.get(a, -1) for a in t.args]
        kind = type_of(t)
        match t.op:
            case Op.CONST:
                return self._add(f"full(n, {self._number(int(t.payload), kind)}, {self._lines.kind(kind)})")
            case Op.VAR:
                view = f".view({self._lines.kind(_BOOL)})" if t.is_bool else ""
                return self._add(f"s[{self._place[t]}]{view}")
            case Op.NOT:
                return self._add("~{0}", *args)
            case Op.ITE:
                return self._either(t) if t.is_bool else self._if(t)
            case Op.GE:
                return self._add(f"{{0}} >= {self._number(t.payload, type_of(t.args[0]))}", *args)
            case Op.DIV:
                (a,) = t.args
                wide = smallest_type(min(a.lo, -t.payload), max(a.hi, t.payload))
                x = self._lines.cast(args[0], type_of(a), wide)
                return self._lines.cast(self._add(f"{{0}} // {self._number(t.payload, wide)}", x), wide, kind)
            case Op.FIX:
                return self._fixpoint(t)
            case Op.REACH:
                return self._add(f"{{0}}[{t.payload}]", *args)
        raise AssertionError(f"{t.op} is asked of an enum variable only")

    def _chain(self, t: Term, sign: str) -> Iterator[Task]:
        """A conjunction or disjunction: each part is joined as soon as it is computed."""
        for i, a in enumerate(t.args):
            yield a, None
            if i:
                yield t, partial(self._joined, t.args[0] if i == 1 else t, a, sign, new=i == 1)

    def _joined(self, so_far: Key, more: Key, sign: str, *, new: bool) -> int:
        """Two values joined by an operator, in an array of its own or in the first one's."""
        lines = self._line[so_far], self._line[more]
        return self._add(f"{{0}} {sign} {{1}}", *lines) if new else self._into(f"{{0}} {sign}= {{1}}", *lines)

    def _either(self, t: Term) -> int:
        condition, then, otherwise = t.args
        c = self._line[condition]
        found = self._add("{0} & {1}", self._operand(then, _BOOL), c)
        return self._into("{0} |= {1}", found, self._add("{0} & ~{1}", self._operand(otherwise, _BOOL), c))

    def _if(self, t: Term) -> int:
        """The number `otherwise + condition * (then - otherwise)`."""
        condition, then, otherwise = t.args
        lo, hi = min(then.lo, otherwise.lo), max(then.hi, otherwise.hi)
        if isinstance(t.sort, EnumSort):
            lo, hi = 0, t.hi
        kind = smallest_type(min(lo, lo - hi), max(hi, hi - lo))
        wanted = self._lines.cast(self._line[condition], _BOOL, kind)
        if then.is_const and otherwise.is_const:
            most = self._number(int(then.payload) - int(otherwise.payload), kind)
            found = self._add(f"{{0}} * {most}", wanted)
        else:
            a, b = self._or_number(then, kind), self._or_number(otherwise, kind)
            lines = [x for x in (a, b) if isinstance(x, int)]
            shown = [f"{{{lines.index(x)}}}" if isinstance(x, int) else x for x in (a, b)]
            found = self._add(" - ".join(shown), *lines)
            found = self._into("{0} *= {1}", found, wanted)
        rest = self._or_number(otherwise, kind)
        if isinstance(rest, int):
            found = self._into("{0} += {1}", found, rest)
        elif otherwise.payload:
            found = self._into(f"{{0}} += {rest}", found)
        return self._lines.cast(found, kind, type_of(t))

    def _or_number(self, t: Term, kind: np.dtype[Any]) -> int | str:
        """An argument's line, or the name of a constant."""
        return self._number(int(t.payload), kind) if t.is_const else self._operand(t, kind)

    def _operand(self, t: Term, kind: np.dtype[Any]) -> int:
        """The line of an argument's value in a type."""
        if t not in self._line:  # a constant
            self._line[t] = self._node(t)
        return self._lines.cast(self._line[t], type_of(t), kind)

    def _fixpoint(self, t: Term) -> int:
        half = len(t.args) // 2
        lines = list(dict.fromkeys(self._line[a] for a in t.args if not a.is_const))
        place = {line: f"{{{i}}}" for i, line in enumerate(lines)}

        def listed(args: Sequence[Term]) -> str:
            shown = (("True" if a.payload else "None") if a.is_const else place[self._line[a]] for a in args)
            return "(" + "".join(x + ", " for x in shown) + ")"

        graph = self._lines.name("g", t.payload, t.payload)
        return self._add(f"closure({graph}, n, {listed(t.args[:half])}, {listed(t.args[half:])})", *lines)

    # ---- terms of one Enum variable

    def _of_one_variable(self, t: Term, v: Term) -> int:
        """A term's value from its table; few members are compared with."""
        if t.op is Op.IN:
            return self._among(v, t.payload)
        table = [int(x) for x in tabulate(v, t)]
        if t.is_bool:
            return self._among(v, sum(1 << i for i, x in enumerate(table) if x and v.mask >> i & 1))
        kind = smallest_type(min(*table, t.lo), max(*table, t.hi))
        return self._lines.cast(self._looked_up(v, table, kind), kind, type_of(t))

    def _looked_up(self, v: Term, table: Sequence[int], kind: np.dtype[Any]) -> int:
        """The entry of a table for a variable's number."""
        if type_of(v) == _BYTE and kind in (_BOOL, _BYTE):  # Python's bytes do that in half the time
            entries = np.array(table, kind).tobytes().ljust(256, b"\0")
            name = self._lines.name("b", entries, entries)
            return self._add(f"read({{0}}.tobytes().translate({name}), {self._lines.kind(kind)})", self._line[v])
        index = "index", v
        if index not in self._line:
            self._line[index] = self._lines.cast(self._line[v], type_of(v), np.dtype(np.intp))
        return self._add(f"{self._lines.table(table, kind)}.take({{0}}, None, None, 'clip')", self._line[index])

    def _among(self, v: Term, mask: int) -> int:
        """The line that tests whether a variable is one of some members."""
        inside, outside = _runs(mask & v.mask, v.mask), _runs(v.mask & ~mask, v.mask)
        runs = min(filter(None, (inside, outside)), key=len, default=[])
        if not runs:
            return self._looked_up(v, [mask >> i & 1 for i in range(v.hi + 1)], _BOOL)
        found = self._within(v, *runs[0])
        for i, (lo, hi) in enumerate(runs[1:]):
            part = self._within(v, lo, hi)
            found = self._into("{0} |= {1}", found, part) if i else self._add("{0} | {1}", found, part)
        return self._add("~{0}", found) if runs is outside else found

    def _within(self, v: Term, lo: int, hi: int) -> int:
        """The line that tests whether a variable's number lies in a range; the same comparison is made once."""
        key = v, lo, hi
        if key not in self._line:
            kind, line = type_of(v), self._line[v]
            tests = [f"{{0}} >= {self._number(lo, kind)}"] if v.mask & ((1 << lo) - 1) else []
            tests += [f"{{0}} <= {self._number(hi, kind)}"] if v.mask >> (hi + 1) else []
            if lo == hi:
                tests = [f"{{0}} == {self._number(lo, kind)}"]
            found = self._add(tests[0], line)
            self._line[key] = self._into("{0} &= {1}", found, self._add(tests[1], line)) if tests[1:] else found
        return self._line[key]

    # ---- sums

    def _sum(self, t: Term) -> Iterator[Task]:
        """A sum: what has the same factor is added up in a small type first, then multiplied once."""
        ks, constant = t.payload
        by_factor: dict[tuple[int, np.dtype[Any]], list[Term]] = {}
        for k, a in zip(ks, t.args, strict=True):
            by_factor.setdefault((k, _BYTE if a.is_bool else type_of(a)), []).append(a)
        most = abs(constant) + sum(abs(k) * max(abs(a.lo), abs(a.hi)) for k, a in zip(ks, t.args, strict=True))
        wide = smallest_type(-most, most)
        groups = [(k, kind, g) for (k, kind), addends in by_factor.items() for g in _groups(addends, kind)]
        part = "part", t
        for i, (k, kind, group) in enumerate(groups):
            for j, a in enumerate(group):
                yield a, None
                yield part, partial(self._added, part, a, kind, j)
            yield t, partial(self._plus, t if i else None, k, part, kind, wide, copy=len(group) == 1)
        yield t, partial(self._rounded_off, t, constant, wide)

    def _added(self, part: Key, a: Term, kind: np.dtype[Any], before: int) -> int:
        """The sum of some addends with one more."""
        more = self._lines.cast(self._line[a], type_of(a), kind)
        if not before:
            return more
        if before == 1:
            return self._add("{0} + {1}", self._line[part], more)
        return self._into("{0} += {1}", self._line[part], more)

    def _plus(
        self, so_far: Key | None, k: int, part: Key, kind: np.dtype[Any], wide: np.dtype[Any], *, copy: bool
    ) -> int:
        """A sum with `k` times a part added.

        Args:
            so_far: The sum without it; None: there is none yet.
            k: The factor.
            kind: Its type.
            wide: The type of the sum.
            copy: Whether the part's array is that of another value, and may not be changed.
        """
        x = self._lines.cast(self._line[part], kind, wide)
        if so_far is not None:
            if abs(k) == 1:
                return self._into(f"{{0}} {'+' if k > 0 else '-'}= {{1}}", self._line[so_far], x)
            return self._into("{0} += {1}", self._line[so_far], self._add(f"{{0}} * {self._number(k, wide)}", x))
        if k == 1:
            return self._add("+{0}", x) if copy and x == self._line[part] else x
        return self._add("-{0}" if k == -1 else f"{{0}} * {self._number(k, wide)}", x)

    def _rounded_off(self, t: Term, constant: int, wide: np.dtype[Any]) -> int:
        """A sum with its constant, in the type of its bounds."""
        found = self._line[t]
        if constant:
            found = self._into(f"{{0}} += {self._number(constant, wide)}", found)
        return self._lines.cast(found, wide, type_of(t))


def _runs(mask: int, possible: int) -> list[tuple[int, int]]:
    """The members of a set as ranges of numbers that hold no other possible member; none if that would not help."""
    if not mask or mask == possible:
        return []
    unused = ((1 << possible.bit_length()) - 1) & ~possible
    while unused & (mask << 1) & ~mask:  # what cannot be may count as in the set, which makes ranges longer
        mask |= unused & (mask << 1)
    first, last = mask & ~(mask << 1), mask & ~(mask >> 1)
    if first.bit_count() > _COMPARISONS:
        return []
    return list(zip(members_of(first), members_of(last), strict=True))


def _groups(addends: Sequence[Term], kind: np.dtype[Any]) -> Iterator[list[Term]]:
    """Addends in groups whose sums a type holds."""
    if kind.hasobject:
        yield list(addends)
        return
    lo, hi = int(np.iinfo(kind).min), int(np.iinfo(kind).max)
    group: list[Term] = []
    least = most = 0
    for a in addends:
        down, up = min(a.lo, 0), max(a.hi, 0)
        if group and (least + down < lo or most + up > hi):
            yield group
            group, least, most = [], 0, 0
        group.append(a)
        least, most = least + down, most + up
    if group:
        yield group


# ---- Graphs


def _closure(
    graph: Graph[Any], n: int, sources: Sequence[Array | bool | None], free: Sequence[Array | bool | None]
) -> list[Array]:
    """For each node and each of n rows, whether it is reached; see `vclogic.terms.reach`.

    Args:
        n: The number of rows.
        sources: For each node whether it is a source: of each row, or True or None for all of them.
        free: The same for whether it is passable.
    """
    nobody: Array = np.zeros(n, np.bool_)
    reached = [nobody if x is None else np.ones(n, np.bool_) if x is True else x for x in sources]
    size = [int(np.count_nonzero(x)) for x in reached]
    queue = [u for u, x in enumerate(size) if x]
    waiting = set(queue)
    for u in queue:  # which grows
        waiting.discard(u)
        here = reached[u]
        for v in graph.successors[u]:
            open_ = free[v]
            if open_ is None or size[v] == n:
                continue
            entered = here if open_ is True else here & open_
            both = reached[v] | entered
            count = int(np.count_nonzero(both))
            if count > size[v]:  # nothing is ever lost, so as many are the same ones
                reached[v], size[v] = both, count
                if v not in waiting:
                    waiting.add(v)
                    queue.append(v)
    return reached
