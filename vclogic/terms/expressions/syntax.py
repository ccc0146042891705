"""The tree of a text in the goal language, and the places of its mistakes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vclogic.errors import Diagnostic, InputError

BEFORE = "before"
COUNT, SOME, NO, SUM, MAX, MIN, IF, CONNECTED = "count", "some", "no", "sum", "max", "min", "if", "connected"
DOWN, UP = "down", "up"
IN, DIVIDE = "in", "/"
REACHES, CHEAPEST = "reaches", "cheapest"
WAYS = (REACHES, CHEAPEST)
FROM, WITHIN, UNTIL = "from", "within", "until"
"""Words between the parts of what is said of ways."""
TABLE = "table"
FORMS = (COUNT, SOME, NO, SUM, MAX, MIN, IF, CONNECTED, DOWN, UP, *WAYS)
"""Words that take expressions, or names with a variable, in their parentheses."""
SHARED = (DOWN, UP, *WAYS)
"""Those that a rulebook may call something, too: names alone in their parentheses are asked of that."""


@dataclass(frozen=True, slots=True)
class Word:
    """A whole number, `true`, `false`, a member's name, a variable, or an observable without arguments.

    `text` is without quotes, `at` its place from 0; `literal` tells the first three from the names.
    """

    text: str
    at: int
    literal: bool = False


_BRACES = re.compile(r"\{(\w+)\}")


def in_braces(name: str) -> tuple[str, ...]:
    """The names in the braces of a name such as `left by {edge}`: it is another one for each thing that they are."""
    return tuple(dict.fromkeys(_BRACES.findall(name)))


def spelled_out(name: str, members: Mapping[str, str]) -> str:
    """A name with those of members in its braces.

    Args:
        members: The member for each name in braces.
    """
    return _BRACES.sub(lambda found: members.get(found[1], found[0]), name)


@dataclass(frozen=True, slots=True)
class Call:
    """An observable with its arguments, names or calls that are worth one; `named` are given as `name=value`."""

    text: str
    arguments: tuple[Word | Call, ...]
    at: int
    named: tuple[tuple[Word, Word], ...] = ()


@dataclass(frozen=True, slots=True)
class Operation:
    """Operators of one level with all that they join: `a - b + c` is one operation of three parts.

    Attributes:
        operators: One less than the parts; one, before its only part, for `not`, the unary `-` and `before`.
        places: Where each operator stands, from 0.
        parts: What they join.
        at: Where the operation begins.
    """

    operators: tuple[str, ...]
    places: tuple[int, ...]
    parts: tuple[Node, ...]
    at: int


@dataclass(frozen=True, slots=True)
class Binder:
    """A variable and what it ranges over: `[NAME] KIND [in GROUP] [of OWNER] [where CONDITION]`.

    Attributes:
        kind: The kind, after the variable's name where that is another.
        group: The group whose members it ranges over, or what has several of them.
        owner: A side, or another value that its members have.
        where: What holds of those that count.
        more: Further variables, of which `where` speaks too: `for side, port of side where ...`.
    """

    kind: Word
    group: Word | Call | None = None
    owner: Word | Call | None = None
    where: Node | None = None
    more: tuple[Binder, ...] = ()

    @property
    def each(self) -> tuple[Binder, ...]:
        """A variable each, one within the other; the last has the condition."""
        if not self.more:
            return (self,)
        first = Binder(self.kind, self.group, self.owner)
        last = self.more[-1]
        return (first, *self.more[:-1], Binder(last.kind, last.group, last.owner, self.where))


@dataclass(frozen=True, slots=True)
class Form:
    """One of `FORMS` with what stands in its parentheses.

    Attributes:
        word: Which one.
        at: Where it stands.
        parts: The expressions: those that are listed, or the one that is worked out for each name.
        binder: The variable; None: the expressions are listed.
        group: Of `connected`: where its paths lead to.
        last: Of ways: the variable for the place before one that is entered.
        cost: What it costs to enter a place.
        stop: Where a way ends.
    """

    word: str
    at: int
    parts: tuple[Node, ...]
    binder: Binder | None = None
    group: Word | None = None
    last: Word | None = None
    cost: Node | None = None
    stop: Node | None = None


Node = Word | Call | Operation | Form


@dataclass(frozen=True, slots=True, eq=False)
class Tabled(Form):
    """A value read off a table: its parts are the number, what that is compared with, and the value of each row.

    Attributes:
        ratio: Whether it is read by a ratio, so that something is compared.
        applying: When each row applies, by the values of the first or the first two parts.
        lines: Where each row stands.
    """

    ratio: bool = False
    applying: Callable[[Any, Any], Sequence[Any]] = lambda value, to: ()
    lines: tuple[int, ...] = ()

    @property
    def read_by(self) -> tuple[Node, ...]:
        """The number, and what it is compared with."""
        return self.parts[: 1 + self.ratio]


def below(node: Node) -> Iterator[Node]:
    """The nodes right below a node, in their order."""
    if isinstance(node, Operation | Form):
        yield from node.parts
    if isinstance(node, Call):
        yield from node.arguments
    if isinstance(node, Form) and node.binder is not None:
        groups = (b.group if isinstance(b.group, Call) else None for b in (node.binder, *node.binder.more))
        owners = (b.owner for b in (node.binder, *node.binder.more))
        inside = (*groups, *owners, node.binder.where, node.cost, node.stop)
        yield from (n for n in inside if n is not None)


def summands(node: Node) -> list[Node]:
    """The summands of an expression; it alone where it is no sum."""
    if not isinstance(node, Operation) or len(node.parts) < 2 or not {"+", "-"}.issuperset(node.operators):
        return [node]
    added = [part for sign, part in zip(("+", *node.operators), node.parts, strict=True) if sign == "+"]
    return [n for part in added for n in summands(part)]


def free_words(node: Node, bound: frozenset[str] = frozenset(), *, groups: bool = False) -> Iterator[Word]:
    """The names without parentheses in an expression that no variable of it stands for.

    Args:
        bound: The variables around it.
        groups: Whether to give those of groups too, which may be variables around the expression.
    """
    if isinstance(node, Word):
        if not node.literal and node.text not in bound:
            yield node
        yield from (Word(name, node.at) for name in in_braces(node.text) if name not in bound)
        return
    if isinstance(node, Operation) and node.operators[0] == "in":
        part, group = node.parts
        yield from free_words(part, bound, groups=groups)
        if groups or isinstance(group, Call):
            yield from free_words(group, bound)
        return
    if isinstance(node, Form) and node.binder is not None:
        binder = node.binder
        named = (n for b in (binder, *binder.more) for n in (b.kind.text, b.kind.text.partition(" ")[0]))
        inside = bound | {*named}
        paths = node.word in (CONNECTED, *WAYS)
        inside |= {node.last.text} if node.last is not None else set()
        around = [n for n in (binder.owner, *(node.parts if paths else ())) if n is not None]
        for b in binder.more:
            for n in (b.owner, b.group if groups or isinstance(b.group, Call) else None):
                yield from () if n is None else free_words(n, inside, groups=groups)
        around += [n for n in (binder.group, node.group) if n is not None and (groups or isinstance(n, Call))]
        for part in around:
            yield from free_words(part, bound, groups=groups)
        within = [n for n in (binder.where, node.cost, node.stop, *(() if paths else node.parts)) if n is not None]
        for part in within:
            yield from free_words(part, inside, groups=groups)
        return
    for part in below(node):
        yield from free_words(part, bound, groups=groups)


@dataclass(frozen=True, slots=True)
class GoalSource:
    """A text and what to call it in a diagnostic."""

    text: str
    label: str = "goal"

    def error(self, at: int, message: str, help: str | None = None, code: str = "unreadable") -> InputError:
        """The error at a place, which is counted from 0."""
        line, column = self.text.count("\n", 0, at) + 1, at - self.text.rfind("\n", 0, at)
        return InputError(Diagnostic(code, message, self.label, line, column, help))
