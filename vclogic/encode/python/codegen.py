"""Compile terms to one Python function: straight-line code, shared subterms once, tables for single variables.

Terms can also be evaluated directly: for the entries of those tables, and where compiling would not pay.

Measured on CPython 3.11 to 3.13 (25 enum variables, weighted): a table look-up `T[s[i]]` takes 20 ns,
`w if s[i] in (..) else 0` 25 to 70, a bit mask 45 to 80; a single member is asked fastest by `s[i] == k`.
Whether the tables are globals, defaults or literals makes no difference.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from enum import Enum
from functools import partial
from itertools import compress
from operator import mul
from typing import Any

from vclogic.clock import OFTEN, check_deadline
from vclogic.encode.python.shared_sums import SharedSums
from vclogic.model.fluents import value
from vclogic.terms.reach import Graph
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Op, Term, postorder

_NESTING = 20  # levels of one expression; deeper ones are cut, since CPython's parser and compiler recurse
_ADDENDS = 32  # of one expression: `a + b + c` nests as deep as it is long
_ALIKE = 8  # sums that look up so many variables may share their look-ups,
_NEAR = 4  # with those of the last few groups that do
_IN_A_ROW = 4  # variables that are read at once

Addends = list[tuple[int, Term]]
Tables = dict[Term, Addends]
"""The addends of a sum that depend on one Enum variable alone, by that variable."""
Node = Term | SharedSums
"""The subject of generated statements."""


class ReturnForm(Enum):
    """The form in which a term's value is returned."""

    RAW = "raw"  # a state's number, or a bool
    NUMBER = "number"  # a state's number
    VALUE = "value"  # bool, int, or a member's name


def build_function(
    roots: Sequence[Term], slot: Mapping[Term, int], form: ReturnForm = ReturnForm.RAW, *, single: bool = False
) -> Callable[[Sequence[int]], Any]:
    """Compiles terms to one function of a state.

    Args:
        roots: The terms.
        slot: Place of each variable in a state.
        form: The form of the returned values.
        single: Whether to return the only root's value instead of a tuple.

    Raises:
        KeyError: A variable without a slot.
    """
    writer = _CodeWriter(roots, slot)
    results = [writer.result(t, form) for t in roots]
    result = results[0] if single else f"({''.join(r + ', ' for r in results)})"
    text = "\n ".join(["def f(s):", *writer.lines, f"return {result}"])
    # The text is made of operators, whole numbers, and names like v12 or t3 made by the writer. Names of
    # variables, members and nodes never enter it, so no input can inject code; there are no builtins either.
    exec(compile(text, "<terms>", "exec"), writer.namespace)
    function: Callable[[Sequence[int]], Any] = writer.namespace.pop("f")
    return function


class _CodeWriter:
    """Generates the statements for some terms, and the expression of each."""

    def __init__(self, roots: Sequence[Term], slot: Mapping[Term, int]):
        self.lines: list[str] = []
        self.namespace: dict[str, Any] = {"__builtins__": {}}
        self._slot = slot
        self._names: dict[object, str] = {}  # of the objects in the namespace
        self._text: dict[Node, str] = {}
        self._depth: dict[Node, int] = {}
        self._only = only_variable(roots)
        self._sums: dict[Term, tuple[Tables, Addends]] = {}
        self._shared: dict[Term, SharedSums] = {}
        order, uses = self._plan(roots)
        if self._share():
            order, uses = self._plan(roots)
        self._load({t for t in order if isinstance(t, Term) and t.op is Op.VAR and uses[t] > 1})
        for n, t in enumerate(order):
            if not n & OFTEN:
                check_deadline()
            if t not in self._text:
                self._write(t, uses[t])

    def result(self, t: Term, form: ReturnForm) -> str:
        """The expression of a root."""
        text = self._text[t]
        if form is ReturnForm.VALUE and isinstance(t.sort, EnumSort):
            return f"{self._name('t', t.sort.members)}[{text}]"
        if form is ReturnForm.RAW or not t.is_bool:
            return text
        if form is ReturnForm.NUMBER:
            return f"(1 if {text} else 0)"
        exact = self._only[t] is not None or t.op in (Op.NOT, Op.GE, Op.CONST)
        return text if exact else f"(True if {text} else False)"

    def _plan(self, roots: Sequence[Term]) -> tuple[list[Node], dict[Node, int]]:
        """The terms to generate, operands first, with the number of uses of each."""
        order: list[Node] = []
        uses: dict[Node, int] = {}
        seen: set[Node] = set()
        for root in roots:
            uses[root] = uses.get(root, 0) + 1
            stack: list[tuple[Node, bool]] = [(root, False)]
            while stack:
                t, ready = stack.pop()
                if ready:
                    order.append(t)
                elif t not in seen:
                    seen.add(t)
                    stack.append((t, True))
                    for a in self._operands(t):
                        uses[a] = uses.get(a, 0) + 1
                        stack.append((a, False))
        return order, uses

    def _share(self) -> bool:
        """Put sums that look up much the same variables together; returns whether there are such."""
        groups: list[SharedSums] = []
        for t, (tables, _) in self._sums.items():
            check_deadline()
            if len(tables) < _ALIKE:
                continue
            sums = {v: _add_up(v, addends, 0, partial(tabulate, v)) for v, addends in tables.items()}
            group = next((g for g in groups[-_NEAR:] if g.fits(sums)), None)
            if group is None:
                groups.append(group := SharedSums())
            group.add(t, sums)
        for group in groups:
            if len(group.fields) > 1:
                self._shared |= dict.fromkeys(group.fields, group)
        return bool(self._shared)

    def _operands(self, t: Node) -> Sequence[Node]:
        """The operands of a term's expression; a term over a single Enum variable is looked up in a table by it."""
        if isinstance(t, SharedSums):
            return tuple(t.tables)
        v = self._only[t]
        if v is not None:
            return () if t is v else (v,)
        if t.op is not Op.LIN:
            return t.args
        if t not in self._sums:
            tables: dict[Term, Addends] = {}
            others: Addends = []
            for k, a in zip(t.payload[0], t.args, strict=True):
                one = self._only[a]
                (others if one is None else tables.setdefault(one, [])).append((k, a))
            self._sums[t] = tables, others
        tables, others = self._sums[t]
        first = [self._shared[t]] if t in self._shared else tables
        return [*first, *(a for _, a in others)]

    def _load(self, used: Collection[Term]) -> None:
        """Read variables that stand in a row at once, which takes half as long as one by one."""
        at = {self._slot[v]: v for v in used}
        runs: list[list[int]] = []
        for place in sorted(at):
            if runs and runs[-1][-1] == place - 1:
                runs[-1].append(place)
            else:
                runs.append([place])
        for run in runs:
            if len(run) >= _IN_A_ROW:
                self._text |= {at[place]: f"s{place}" for place in run}
                self._depth |= {at[place]: 0 for place in run}
                self.lines.append(f"{', '.join(f's{place}' for place in run)} = s[{run[0]}:{run[-1] + 1}]")

    def _write(self, t: Node, uses: int) -> None:
        operands = self._operands(t)
        if isinstance(t, SharedSums):
            parts = [f"+ {self._name('t', tuple(t.tables[v]))}[{self._text[v]}]" for v in t.tables]
            self._text[t], self._depth[t] = self._local(self._added(parts)), 0
            return
        depth = 1 + max((self._depth[a] for a in operands), default=-1)
        if t.op is Op.LIN:
            depth += min(len(operands), _ADDENDS) // 4
        text = self._expression(t) if self._only[t] in (None, t) else self._lookup(t)
        if depth >= _NESTING or (uses > 1 and t.op is not Op.CONST):
            text, depth = self._local(text), 0
        self._text[t], self._depth[t] = text, depth

    def _local(self, text: str) -> str:
        name = f"v{len(self.lines)}"
        self.lines.append(f"{name} = {text}")
        return name

    def _name(self, letter: str, value: object) -> str:
        """The name of an object in the namespace; equal tables share one."""
        key = repr(value) if isinstance(value, tuple) else value  # (True,) == (1,), but True + 1 is slow
        name = self._names.get(key)
        if name is None:
            name = self._names[key] = f"{letter}{len(self._names)}"
            self.namespace[name] = value
        return name

    def _lookup(self, t: Term) -> str:
        v = self._only[t]
        assert v is not None, "a term of one enum variable"
        if t.op is Op.IN:
            for sign, mask in ("==", t.payload), ("!=", v.mask & ~t.payload):
                if mask.bit_count() == 1:
                    return f"({self._text[v]} {sign} {mask.bit_length() - 1})"
        return f"{self._name('t', tuple(tabulate(v, t)))}[{self._text[v]}]"

    def _expression(self, t: Term) -> str:
        args = [] if t.op in (Op.LIN, Op.FIX) else [self._text[a] for a in t.args]
        match t.op:
            case Op.CONST:
                return f"({t.payload!r})"
            case Op.VAR:
                return f"s[{self._slot[t]}]"
            case Op.NOT:
                return f"(not {args[0]})"
            case Op.AND | Op.OR:
                return "(" + f" {t.op.value} ".join(sorted(args, key=len)) + ")"  # the cheap ones may decide
            case Op.ITE:
                return f"({args[1]} if {args[0]} else {args[2]})"
            case Op.LIN:
                return self._sum(t)
            case Op.GE:
                return f"({args[0]} >= {t.payload})"
            case Op.DIV:
                return f"({args[0]} // {t.payload})"
            case Op.FIX:
                return self._closure(t)
            case Op.REACH:
                return f"{args[0]}[{t.payload}]"
        raise AssertionError(f"{t.op} is asked of an enum variable only")

    def _sum(self, t: Term) -> str:
        tables, others = self._sums[t]
        constant = t.payload[1]
        parts = []
        shared = self._shared.get(t)
        if shared is not None:
            shift, bits, least = shared.fields[t]
            parts.append(f"+ ({self._text[shared]} >> {shift} & {(1 << bits) - 1})")
            constant += least
        for v, addends in tables.items() if shared is None else ():
            table = tuple(_add_up(v, addends, constant, partial(tabulate, v)))
            constant = 0  # the first table has it
            parts.append(f"+ {self._name('t', table)}[{self._text[v]}]")
        parts += [self._addend(k, a) for k, a in others]
        if constant:
            parts.append(f"+ ({constant})")
        return f"({self._added(parts)})"

    def _added(self, parts: Sequence[str]) -> str:
        """The sum of some addends, each with its sign."""
        text = parts[0].removeprefix("+ ")
        for i, part in enumerate(parts[1:], start=1):
            text = f"{text if i % _ADDENDS else self._local(text)} {part}"
        return text

    def _addend(self, k: int, a: Term) -> str:
        text = self._text[a]
        if a.is_bool and (a.op is not Op.VAR or abs(k) != 1):
            return f"+ ({k} if {text} else 0)"  # True + 1 leaves CPython's fast path for ints
        if abs(k) == 1:
            return f"{'+' if k > 0 else '-'} {text}"
        return f"+ ({k}) * {text}"

    def _closure(self, t: Term) -> str:
        half = len(t.args) // 2
        sources, free = t.args[:half], t.args[half:]
        certain = tuple(i for i, a in enumerate(sources) if a.is_const and a.payload)
        open_ = tuple(i for i, a in enumerate(sources) if not a.is_const)
        start = self._name("t", certain)
        if open_:
            tests = "".join(self._text[sources[i]] + ", " for i in open_)
            picked = f"{self._name('c', compress)}({self._name('t', open_)}, ({tests}))"
            start = f"(*{start}, *{picked})" if certain else picked
        passable = "".join(self._text[a] + ", " for a in free)
        return f"{self._name('c', t.payload.closure)}({start}, ({passable}))"


def only_variable(roots: Iterable[Term]) -> dict[Term, Term | None]:
    """For each term the single Enum variable that its value depends on, or None."""
    only: dict[Term, Term | None] = {}
    for t in postorder(roots):
        if t.op is Op.VAR:
            only[t] = t if isinstance(t.sort, EnumSort) else None
        else:
            read = {only[a] for a in t.args if not a.is_const}
            only[t] = read.pop() if len(read) == 1 else None
    return only


# ---- Direct evaluation


def interpret(
    terms: Sequence[Term], slot: Mapping[Term, int], state: Sequence[int], form: ReturnForm = ReturnForm.RAW
) -> tuple[Any, ...]:
    """The values of terms in a state, without compiling them.

    Raises:
        KeyError: A variable without a slot.
    """
    check_deadline()
    values: dict[Term, Any] = {}
    stack = list(terms)
    while stack:
        t = stack[-1]
        if t in values:
            stack.pop()
        elif t.op is Op.VAR:
            values[t] = state[slot[t]]
        elif t.op is Op.IN:
            values[t] = bool(t.payload >> state[slot[t.args[0]]] & 1)
        elif needed := _needed(t, values):
            stack.extend(needed)
        else:
            values[t] = _VALUE[t.op](t.payload, [values.get(a) for a in t.args])
            if not len(values) & OFTEN:
                check_deadline()
    return tuple([_SHAPE[form](t, values[t]) for t in terms])


def _needed(t: Term, values: Mapping[Term, Any]) -> Sequence[Term]:
    """The arguments to evaluate next; none if the known ones decide the value."""
    if t.op is Op.ITE:
        condition, then, otherwise = t.args
        needed = [condition] if condition not in values else [then if values[condition] else otherwise]
        return needed if needed[0] not in values else ()
    if t.op is not Op.AND and t.op is not Op.OR:
        return [a for a in t.args if a not in values]
    unknown = []
    for a in t.args:
        x = values.get(a)
        if x is None:
            unknown.append(a)
        elif bool(x) is (t.op is Op.OR):
            return ()
    return unknown[:1] if len(unknown) < 5 else unknown  # one by one would be quadratic in long ones


_SHAPE: dict[ReturnForm, Callable[[Term, int], Any]] = {
    ReturnForm.RAW: lambda t, x: x,
    ReturnForm.NUMBER: lambda t, x: int(x),
    ReturnForm.VALUE: lambda t, x: value(t.sort, x),
}


def _closure(graph: Graph[Any], args: Sequence[Any]) -> bytes:
    half = len(args) // 2
    return graph.closure([i for i, x in enumerate(args[:half]) if x], args[half:])


# The value of each operator from its payload and its arguments' values.
_VALUE: dict[Op, Callable[[Any, Sequence[Any]], Any]] = {
    Op.CONST: lambda value, args: value,
    Op.NOT: lambda _, args: not args[0],
    Op.AND: lambda _, args: all(args),
    Op.OR: lambda _, args: any(args),
    Op.ITE: lambda _, args: args[1] if args[0] else args[2],
    Op.LIN: lambda sum_, args: sum(map(mul, sum_[0], args), sum_[1]),
    Op.GE: lambda k, args: args[0] >= k,
    Op.IN: lambda mask, args: bool(mask >> args[0] & 1),
    Op.DIV: lambda k, args: args[0] // k,
    Op.FIX: _closure,
    Op.REACH: lambda node, args: bool(args[0][node]),
}


def tabulate(v: Term, root: Term) -> Sequence[Any]:
    """The value of a term of one enum variable for each member."""
    columns: dict[Term, Sequence[Any]] = {v: range(v.hi + 1)}

    def column(t: Term) -> Sequence[Any]:
        return [bool(t.payload >> m & 1) for m in columns[v]] if t.op is Op.IN else columns[t]

    for t in postorder([root]):
        if t.op is Op.CONST:
            columns[t] = [t.payload] * len(columns[v])
        elif t.op is Op.LIN:
            columns[t] = _add_up(v, zip(t.payload[0], t.args, strict=True), t.payload[1], column)
        elif t.op not in (Op.VAR, Op.IN):
            columns[t] = [_VALUE[t.op](t.payload, xs) for xs in zip(*map(column, t.args), strict=True)]
    return column(root)


def _add_up(
    v: Term, addends: Iterable[tuple[int, Term]], constant: int, column: Callable[[Term], Sequence[int]]
) -> list[int]:
    """The sum of addends of one enum variable for each member."""
    sums = [constant] * (v.hi + 1)
    for k, a in addends:
        if a.op is Op.IN:  # bit by bit: one test for each of a thousand hexes is a thousand single bits
            mask = a.payload
            while mask:
                m = mask.bit_length() - 1
                sums[m] += k
                mask ^= 1 << m
        else:
            for m, x in enumerate(column(a)):
                sums[m] += k * x
    return sums
