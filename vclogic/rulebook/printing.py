"""Statements as a text that says the same."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import singledispatch

from vclogic.rulebook.statements import (
    Content,
    Definition,
    FactChange,
    InsteadOf,
    NamedGroup,
    OutcomeTable,
    RememberedFact,
    TableRow,
    Win,
)
from vclogic.terms.lexer import CLAUSES, JOINING
from vclogic.terms.syntax import BEFORE, Binder, Call, Form, Node, Operation, Word

_BARE = re.compile(r"(?!\d)\w[\w.]*", re.ASCII)
_OWN = "if at or starts becomes rises falls means wins win loses lose by true false"
_WORDS = (*CLAUSES, *JOINING, *_OWN.split())


def printed(statements: Iterable[Content]) -> str:
    """The text of some statements, a line for each, with what belongs to it below."""
    return "".join(f"{_statement(s)}\n" for s in statements)


# ---- names and expressions


def name(word: Word) -> str:
    """A name, in quotes where it needs them."""
    plain = all(_BARE.fullmatch(part) and part not in _WORDS for part in word.text.split(" "))
    return word.text if word.literal or plain else _quoted(word.text)


def _quoted(text: str) -> str:
    return f'"{text}"' if "'" in text else f"'{text}'"


def expression(node: Node) -> str:
    """An expression; operations within others stand in parentheses."""
    if isinstance(node, Word):
        alone = node.literal or (_BARE.fullmatch(node.text) and node.text not in _WORDS)
        return node.text if alone else _quoted(node.text)
    if isinstance(node, Call):
        named = [f"{name(k)}={name(v)}" for k, v in node.named]
        inside = [name(a) if isinstance(a, Word) else expression(a) for a in node.arguments]
        called = node.text if _BARE.fullmatch(node.text) else _quoted(node.text)
        return f"{called}({', '.join((*inside, *named))})"
    return _operation(node) if isinstance(node, Operation) else _form(node)


def _inner(node: Node) -> str:
    return f"({expression(node)})" if isinstance(node, Operation) else expression(node)


def _operation(node: Operation) -> str:
    if len(node.parts) == 1:
        (operator,) = node.operators
        inside = expression(node.parts[0])
        return f"{BEFORE}({inside})" if operator == BEFORE else f"{operator} ({inside})"
    found = _inner(node.parts[0])
    for operator, part in zip(node.operators, node.parts[1:], strict=True):
        found += f" {operator} {_inner(part)}"
    return found


def _form(node: Form) -> str:
    parts = ", ".join(map(expression, node.parts))
    if node.binder is None:
        return f"{node.word}({parts})"
    over = _binder(node.binder)
    if node.group is not None:
        return f"{node.word}({parts}, {name(node.group)} through {over})"
    return f"{node.word}({f'{parts} for ' if parts else ''}{over})"


def _binder(binder: Binder) -> str:
    found = name(binder.kind)
    if binder.group is not None:
        found += f" in {name(binder.group)}"
    if binder.owner is not None:
        found += f" of {name(binder.owner) if isinstance(binder.owner, Word) else expression(binder.owner)}"
    return found if binder.where is None else f"{found} where {expression(binder.where)}"


# ---- statements


@singledispatch
def _statement(statement: object) -> str:
    raise TypeError(statement)


def _if(condition: Node | None) -> str:
    return "" if condition is None else f" if {expression(condition)}"


def _asked(of: tuple[Word, ...]) -> str:
    return f"({', '.join(map(name, of))})" if of else ""


@_statement.register
def _(s: Definition) -> str:
    head = f"{'except ' if s.exception else ''}{name(s.name)}{_asked(s.parameters)}"
    return f"{head} means {expression(s.value)}{_if(s.condition)}"


@_statement.register
def _(s: RememberedFact) -> str:
    values = f": {s.range[0]} to {s.range[1]}" if s.range else ""
    values = f": {' or '.join(map(name, s.names))}" if s.names else values
    starts = "" if s.starts is None else f", starts {_value(s.starts)}"
    secret = "secret " if s.secret else ""
    return "\n".join((f"{secret}fact {name(s.name)}{_asked(s.parameters)}{values}{starts}", *map(_change, s.changes)))


def _value(start: Word | Call) -> str:
    return expression(start) if isinstance(start, Call) else name(start)


def _change(c: FactChange) -> str:
    of = "" if c.moment.of is None else f" of {name(c.moment.of)}"
    return f"  {c.kind} {expression(c.value)} {c.moment.name}{of}{_if(c.condition)}"


@_statement.register
def _(s: NamedGroup) -> str:
    return f"group {name(s.name)}: {', '.join(map(name, s.members)) if s.binder is None else _binder(s.binder)}"


@_statement.register
def _(s: Win) -> str:
    head = f"{'otherwise ' if s.otherwise else ''}{name(s.who)} {'loses' if s.loses else 'wins'} {name(s.name)}"
    when = ""
    if s.moment is not None:
        when = f" {s.moment.name}" + ("" if s.moment.of is None else f" of {name(s.moment.of)}")
    return f"{head}{when}{_if(s.condition)}"


@_statement.register
def _(s: InsteadOf) -> str:
    return f"instead of {', '.join(map(name, s.names))}"


@_statement.register
def _(s: OutcomeTable) -> str:
    of = "" if s.moment.of is None else f" of {name(s.moment.of)}"
    to = "" if s.to is None else f" : {expression(s.to)}"
    head = f"table {name(s.name)} {s.moment.name}{of}, by {expression(s.value)}{to}"
    return "\n".join((head, *(f"  {_row(row)}" for row in s.rows)))


def _row(row: TableRow) -> str:
    def number(limit: tuple[int, int]) -> str:
        return f"{limit[0]}:{limit[1]}" if limit[1] != 1 else str(limit[0])

    if row.least is not None and row.most is not None:
        numbers = number(row.least) if row.least == row.most else f"{number(row.least)} to {number(row.most)}"
    elif row.least is not None:
        numbers = f"more than {number(row.least)}" if row.over else f"{number(row.least)} or more"
    else:
        assert row.most is not None, "a row has a limit"
        numbers = f"less than {number(row.most)}" if row.under else f"{number(row.most)} or less"
    verb = "loses" if row.loses else "wins"
    return f"{numbers}  {name(row.who)} {verb}" + ("" if row.name is None else f" {name(row.name)}")
