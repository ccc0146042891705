"""Small changes of the lines of rules: each number, comparison, side and connective, one at a time, as edits of them.

The parsed tree says where they stand; what is changed is the text there, so that a change is what a reader would see.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from vclogic.rulebook.declarations import EventRule, EveryEvent, Law, Rounds
from vclogic.rulebook.source import RulesSource
from vclogic.rulebook.statements import Definition, OutcomeTable, RememberedFact, Statement, TableRow, Win
from vclogic.terms.expressions.syntax import MAX, MIN, Call, Form, Node, Operation, Word

Edit = tuple[int, int, str]
"""Where it begins and ends, counted from 0, and what stands there instead."""


def edited(text: str, edits: Iterable[Edit]) -> str:
    """A text with some edits, none of which overlap."""
    for begin, end, new in sorted(edits, reverse=True):
        text = text[:begin] + new + text[end:]
    return text


_NUMBER = re.compile(r"(?<![\w:.-])\d{1,9}\b")
_NEXT = {">=": (">",), ">": (">=",), "<=": ("<",), "<": ("<=",), "==": (">=", "<="), "and": ("or",), "or": ("and",)}
_ENEMY = re.compile(r"enemy\(\s*(\w+)\s*\)")
_OTHER = {MAX: MIN, MIN: MAX}
_LONG = 20
_COMPARING = ("==", "!=", "<", "<=", ">", ">=")
_BELOW = re.compile(r"\n[ \t]*(?=(?:takes|needs|then|says|weight|not judged)\b)")
_PLAIN = ("says", "by", "name", "header", "phase", "weight", "message", "text")
"""Parts of events of which no change is made: what players read, what they are called, how often chance does what."""
JUDGED, DEFINED, DONE, GIVEN = range(4)
"""How telling a change is: of who wins, of what a word means, of an event, of a number that is given."""


@dataclass(frozen=True)
class RuleChange:
    """A small change of a line.

    Attributes:
        statement: The line.
        at: Where in the text it is changed, counted from 0.
        edits: What is written otherwise, from the front.
        now: What stands there.
        instead: What would.
        weight: How telling it is: the smaller, the sooner it is looked at.
    """

    statement: Statement
    at: int
    edits: tuple[Edit, ...]
    now: str
    instead: str
    weight: int


def changes_of(source: RulesSource, sides: Collection[str]) -> Iterator[RuleChange]:
    """The small changes of the lines of a text.

    Args:
        source: The text.
        sides: The sides of the game.
    """
    names = tuple(sides)
    for statement in source.statements:
        if isinstance(statement.content, Law):
            continue  # a ruling's position keeps the laws, so that none can tell of them
        yield from _Changes(source.text, statement, names).of(statement.content)


class _Changes:
    def __init__(self, text: str, statement: Statement, sides: tuple[str, ...]):
        self.text, self.statement, self.sides = text, statement, sides
        kinds = {Win: JUDGED, OutcomeTable: JUDGED, Definition: DEFINED, EventRule: DONE, EveryEvent: DONE}
        self.weight = kinds.get(type(statement.content), GIVEN)

    def of(self, part: Any) -> Iterator[RuleChange]:
        """The changes of a statement, or of a part of one."""
        if isinstance(part, Word | Call | Operation | Form):
            yield from self.node(part)
            return
        if isinstance(part, TableRow):
            said = part.who or part.value
            yield from self.numbers(part.at, said.at) if said is not None else ()
        if isinstance(part, Win):
            yield from self.side(part.who)
        if isinstance(part, Rounds):
            yield from self.numbers(self.statement.at, self.statement.end)
        if isinstance(part, RememberedFact) and part.range is not None:
            # The end of a long range is what nobody counts up to, and so is that of a fact that stays there.
            limits = not part.changes and part.range[1] - part.range[0] <= _LONG
            begin = self.text.index(":" if limits else "starts", part.name.at) if limits or part.starts else None
            end = min((c.at for c in part.changes), default=self.statement.end)
            yield from self.numbers(begin, end) if begin is not None else ()
        if isinstance(part, EventRule):
            yield from self.without(part)
        yield from self.inside(part)

    def inside(self, part: Any) -> Iterator[RuleChange]:
        """The changes of what a statement, a line below it, or a variable has."""
        for field in fields(part):
            found = getattr(part, field.name)
            for item in found if isinstance(found, tuple) else (found,):
                named = isinstance(item, Word) and isinstance(part, Definition | RememberedFact | Win)
                if field.name not in _PLAIN and is_dataclass(item) and (not named or field.name == "value"):
                    yield from self.of(item)

    def change(self, at: int, length: int, instead: str, now: str = "") -> RuleChange:
        """A change at one place."""
        now = now or self.text[at : at + length]
        return RuleChange(self.statement, at, ((at, at + length, instead),), now, instead, self.weight)

    # ---- expressions

    def node(self, node: Node) -> Iterator[RuleChange]:
        """The changes of an expression."""
        if isinstance(node, Word):
            yield from self.number(node.text, node.at) if node.literal else self.side(node)
            return
        if isinstance(node, Operation):
            yield from self.operation(node)
        elif isinstance(node, Form) and node.word in _OTHER:
            yield self.change(node.at, len(node.word), _OTHER[node.word])
        elif isinstance(node, Call):
            yield from self.enemy(node)
        if isinstance(node, Form) and node.binder is not None:
            yield from (c for n in (node.binder.owner, node.binder.where) if n is not None for c in self.node(n))
        for part in node.arguments if isinstance(node, Call) else node.parts:
            yield from self.node(part)

    def number(self, text: str, at: int) -> Iterator[RuleChange]:
        """One less and one more than a number."""
        if text.isdigit() and self.text.startswith(text, at):
            for other in (int(text) - 1, int(text) + 1):
                if other >= 0:
                    yield self.change(at, len(text), str(other))

    def numbers(self, begin: int, end: int) -> Iterator[RuleChange]:
        """The changes of all numbers between two places."""
        for found in _NUMBER.finditer(self.text, begin, end):
            yield from self.number(found[0], found.start())

    def side(self, word: Word) -> Iterator[RuleChange]:
        """Another side in place of one."""
        if word.text in self.sides and self.text.startswith(word.text, word.at):
            other = next((s for s in self.sides if s != word.text), word.text)
            yield self.change(word.at, len(word.text), other)

    def enemy(self, call: Call) -> Iterator[RuleChange]:
        """A side in place of its enemy."""
        found = _ENEMY.match(self.text, call.at)
        if found:
            yield self.change(call.at, len(found[0]), found[1])

    def operation(self, node: Operation) -> Iterator[RuleChange]:
        """Other comparisons and connectives; a comparison with a number is changed by its number."""
        word = node.operators[0]
        numbered = word in _COMPARING and any(isinstance(p, Word) and p.text.isdigit() for p in node.parts)
        for other in _NEXT.get(word, ()) if len(node.parts) > 1 and {*node.operators} == {word} else ():
            if numbered and word != "==":
                continue
            edits = tuple((at, at + len(word), other) for at in node.places)
            if all(self.text.startswith(word, at) for at in node.places):
                yield RuleChange(self.statement, node.places[0], edits, word, other, self.weight)

    # ---- events

    def without(self, event: EventRule) -> Iterator[RuleChange]:
        """An event without one of its needs or effects."""
        for at in (*(n.at for n in event.needs), *(e.at for e in event.effects)):
            end = _BELOW.search(self.text, at, self.statement.end)
            part = self.text[at : end.start() if end else self.statement.end].rstrip()
            yield self.change(at, len(part), "", " ".join(part.split()))
