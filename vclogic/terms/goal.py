"""The goal language: its grammar, and the parser from a text to a small tree.

From loose to tight: `or`, `and`, `not`, one comparison (`== != < <= > >=`, never chained), `+ -`, `*`, unary
`-`, then whole numbers, `true`, `false`, names, calls and parentheses. White space and line ends are free.

A bare name is made of letters, digits, `_` and `.`; it has no inner `-`, so `vcp(Axis)-3` subtracts. A name
with anything else in it stands in single or double quotes, without escapes. The arguments of a call are names
only; there a bare name may also hold `/`, and several words make one name: `owner(Karelia S.S.R.)`. Some may
be given by name: `happens(place, unit=infantry)`. In the parentheses of `before` stands any expression.

The parser keeps its own stack and takes linear time. `vclogic.terms.resolve` says what a name means.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from vclogic.errors import Diagnostic, InputError, quoted

MAX_LENGTH = 200_000
MAX_DEPTH = 100
MAX_DIGITS, MAX_NAME = 9, 200

_BOTTOM, _PAREN, _OR, _AND, _NOT, _COMPARE, _SUM, _PRODUCT, _NEGATE = range(9)
_INFIX = {"or": _OR, "and": _AND, "+": _SUM, "-": _SUM, "*": _PRODUCT}
_INFIX |= dict.fromkeys(("==", "!=", "<", "<=", ">", ">="), _COMPARE)
_SYMBOLS = {*_INFIX, "(", ")", ","}
BEFORE = "before"
_JOINING, _TRUTHS = ("and", "or", "not"), ("true", "false")
_MARKS = "\u0300-\u036f"  # combining accents, as some systems type them
_QUOTES = ("'", '"')
_DIGITS = re.compile(r"[0-9][0-9_.]*")
_SPACE = re.compile(r"[ \t\r\n]*")
_HEX = re.compile(r"([0-9]+)\s*,\s*([0-9]+)", re.ASCII)
_WORD = re.compile(rf"\w[\w.{_MARKS}]*")
_WORDS = re.compile(rf"[\w./][\w./{_MARKS}]*(?:[ \t\r\n]+[\w./][\w./{_MARKS}]*)*")
_SYMBOL = re.compile(r"===|!==|==|!=|<=|>=|=>|=<|<>|&&|\|\||\*\*|//|(?s:.)")

_SPELLINGS = "and && &;or || |;not ! ¬ ~;== = ===;!= !== <> ≠;>= => ≥;<= =< ≤;- − – —;* × ·;' ‘ ’;\" “ ” „"
_HELP = {w: f"write `{right}`" for right, *wrong in map(str.split, _SPELLINGS.split(";")) for w in wrong}
_HELP |= dict.fromkeys(("/", "//", "%"), "there is no division: multiply the other side by a constant")
_HELP |= dict.fromkeys(("**", "^"), "there are no powers: a value can be multiplied by a constant")
_HELP["["] = "what a name is asked of stands in parentheses: NAME(OF_WHAT)"
_HELP["\\"] = "a name is written as it is; put it in the other kind of quotes"
_QUOTE = "a name of several words, or with other characters, stands in quotes"


@dataclass(frozen=True, slots=True)
class Word:
    """A whole number, `true`, `false`, a member's name, or an observable without arguments.

    `text` is without quotes, `at` its place from 0; `literal` tells the first three from the names.
    """

    text: str
    at: int
    literal: bool = False


@dataclass(frozen=True, slots=True)
class Call:
    """An observable with its arguments; `named` are those that are given as `name=value`."""

    text: str
    arguments: tuple[Word, ...]
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


Node = Word | Call | Operation


@dataclass(frozen=True, slots=True)
class GoalSource:
    """A text and what to call it in a diagnostic."""

    text: str
    label: str = "goal"

    def error(self, at: int, message: str, help: str | None = None, code: str = "unreadable") -> InputError:
        """The error at a place, which is counted from 0."""
        line, column = self.text.count("\n", 0, at) + 1, at - self.text.rfind("\n", 0, at)
        return InputError(Diagnostic(code, message, self.label, line, column, help))


def parse(text: str, label: str = "goal") -> Node:
    """The tree of a goal or value.

    Args:
        label: What to call it in a diagnostic, such as `--goal`.

    Raises:
        InputError: The first thing wrong with the text, with line and column.
    """
    source = GoalSource(text, label)
    if len(text) > MAX_LENGTH:
        raise source.error(0, f"the text is longer than {MAX_LENGTH} characters", code="limit")
    if not text.strip(" \t\r\n"):
        raise source.error(0, "there is nothing here", "write a comparison, such as round >= 3")
    for at, char in enumerate(text):
        if not char.isprintable() and char not in "\t\r\n":
            name = unicodedata.name(char, "not printable").lower()
            raise source.error(at, f"a sign that nobody sees ({name})", "type a space, or nothing")
    return _Parser(source).run()


def unwritable(name: str) -> str | None:
    """Why a name cannot stand in a goal, not even in quotes; None if it can."""
    if not 0 < len(name) <= MAX_NAME:
        return f"a name has 1 to {MAX_NAME} characters"
    if "\\" in name or not name.isprintable():
        return "a name holds no \\ and no sign that nobody sees"
    return "a name holds one kind of quotes at most" if all(mark in name for mark in _QUOTES) else None


def is_hex(name: str) -> bool:
    """True if a name is a hex as players write it: `column,row`."""
    return _HEX.fullmatch(name) is not None


def check_hex(source: GoalSource, at: int) -> None:
    """Raise an error if a hex without quotes stands at a place: its comma would end the value.

    Raises:
        InputError: One does.
    """
    found = _HEX.match(source.text, at)
    if found:
        raise source.error(at, f"a hex wants quotes: '{found[1]},{found[2]}'", code="unquoted-hex")


class _Token(NamedTuple):
    """An operator, a parenthesis, a comma, the end (no text), or a value (with its node)."""

    text: str
    at: int
    node: Node | None = None

    def __str__(self) -> str:
        return quoted(self.text) if self.text else "the end"


class _Lexer:
    def __init__(self, source: GoalSource):
        self.error, self.text, self.at, self.opening = source.error, source.text, 0, 0

    def tokens(self) -> Iterator[_Token]:
        while self._peek():
            yield self._token()
        yield _Token("", self.at)

    def _peek(self) -> str:
        """The next character that is no white space, or nothing at the end."""
        self.at = self._match(_SPACE)
        return self.text[self.at : self.at + 1]

    def _match(self, pattern: re.Pattern[str]) -> int:
        match = pattern.match(self.text, self.at)
        return match.end() if match else self.at

    def _token(self) -> _Token:
        at, quoted = self.at, self.text[self.at] in _QUOTES
        text = self._quoted() if quoted else self.text[at : self._match(_WORD)]
        if not text:
            return self._symbol()
        if not quoted:
            self.at += len(text)
            if text in _JOINING:
                return _Token(text, at)
            if self._constant(text, at):
                return _Token(text, at, Word(text, at, True))
            if text == BEFORE and self._peek() == "(":
                self.at += 1
                return _Token(text, at)
            text = self._name(text, at)
        node = self._call(text, at) if self._peek() == "(" else Word(text, at)
        return _Token(text, at, node)

    def _symbol(self) -> _Token:
        at, text = self.at, self.text[self.at : self._match(_SYMBOL)]
        if text not in _SYMBOLS:
            raise self.error(at, f"{quoted(text)} cannot stand here", _HELP.get(text))
        self.at += len(text)
        return _Token(text, at)

    def _constant(self, text: str, at: int) -> bool:
        """True if a bare word is `true`, `false` or a number."""
        lower = text.casefold()
        if lower != text and lower in (*_JOINING, *_TRUTHS):
            raise self.error(at, f"{quoted(text)} cannot stand here", f"write `{lower}`")
        if not _DIGITS.fullmatch(text):
            return text in _TRUTHS
        if len(text) > MAX_DIGITS or not text.isdigit():
            raise self.error(at, f"a number is whole and has at most {MAX_DIGITS} digits", code="limit")
        return True

    def _name(self, name: str, at: int) -> str:
        if not 0 < len(name) <= MAX_NAME:
            raise self.error(at, f"a name has 1 to {MAX_NAME} characters", code="limit")
        return unicodedata.normalize("NFC", name)

    def _quoted(self) -> str:
        at, end = self.at, self.text.find(self.text[self.at], self.at + 1)
        name = self.text[at + 1 : end]
        if end < 0 or "\n" in name:
            raise self.error(
                at, "the quote is not closed in its line", "write the same quote again where the name ends"
            )
        if "\\" in name:
            raise self.error(at + 1 + name.index("\\"), "'\\\\' cannot stand here", _HELP["\\"])
        self.at = end + 1
        return self._name(name, at)

    def _call(self, text: str, at: int) -> Call:
        self.opening, found, named = self.at, list[Word](), list[tuple[Word, Word]]()
        self.at += 1
        more = self._peek() != ")"
        while more:
            word = self._argument()
            if self._peek() == "=" and self._match(_SYMBOL) == self.at + 1:
                self.at += 1
                named.append((word, self._argument()))
            else:
                found.append(word)
            more = self._peek() == ","
            self.at += more
        if self._peek() != ")":
            raise self._no_argument()
        self.at += 1
        return Call(text, tuple(found), at, tuple(named))

    def _argument(self) -> Word:
        char, at = self._peek(), self.at
        if char in _QUOTES:
            return Word(self._quoted(), at)
        self.at = self._match(_WORDS)
        if self.at == at:
            raise self._no_argument()
        return Word(self._name(" ".join(self.text[at : self.at].split()), at), at)

    def _no_argument(self) -> InputError:
        char = self._peek()
        if not char:
            return self.error(self.opening, "the '(' is never closed", "write ')' where it ends")
        help = "a name is missing before it" if char in ",)" else _HELP.get(char, _QUOTE)
        return self.error(self.at, f"{quoted(char)} cannot stand here", help)


class _Parser:
    def __init__(self, source: GoalSource):
        self.source, self.error = source, source.error
        self.tokens, self.depth = _Lexer(source).tokens(), 0
        self.operands: list[Node] = []
        # What waits for its last operand: a level, with its operators so far or its open parenthesis.
        self.waiting: list[tuple[int, list[_Token]]] = [(_BOTTOM, [])]

    def run(self) -> Node:
        wanted = True  # a value, or else an operator
        for token in self.tokens:
            wanted = self._operand(token) if wanted else self._operator(token)
        return self.operands.pop()

    def _operand(self, token: _Token) -> bool:
        if token.node is not None:
            self.operands.append(token.node)
            return False
        level = {"(": _PAREN, BEFORE: _PAREN, "not": _NOT, "-": _NEGATE}.get(token.text)
        if level is None:
            raise self.error(token.at, f"a name or a number is missing before {token}")
        if level == _NOT and self.waiting[-1][0] > _NOT:
            raise self.error(token.at, "'not' cannot stand here", "put it in parentheses: (not ...)")
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.error(token.at, f"nested deeper than {MAX_DEPTH}", code="limit")
        self.waiting.append((level, [token]))
        return True

    def _operator(self, token: _Token) -> bool:
        if token.node is None and token.text in (")", ""):
            self._close(token)
            return False
        if token.text == "," and isinstance(before := self.operands[-1], Word):
            check_hex(self.source, before.at)
        if token.node is not None or token.text not in _INFIX:
            words = isinstance(token.node, Word) and isinstance(self.operands[-1], Word)
            help = _QUOTE if words else "something is missing before it, such as 'and' or '=='"
            raise self.error(token.at, f"{token} cannot stand here", help)
        level = _INFIX[token.text]
        self._reduce(level)
        top, tokens = self.waiting[-1]
        if top < level:
            self.waiting.append((level, [token]))
        elif level == _COMPARE:
            help = "write two, with `and` between: 3 <= round and round <= 5"
            raise self.error(token.at, "two comparisons in one", help)
        else:
            tokens.append(token)
        return True

    def _close(self, token: _Token) -> None:
        self._reduce(_PAREN)
        level, tokens = self.waiting.pop()
        self.depth -= 1
        if token.text and level == _BOTTOM:
            raise self.error(token.at, "this ')' closes nothing", "take it out, or write '(' before it")
        if not token.text and level == _PAREN:
            raise self.error(tokens[0].at, "the '(' is never closed", "write ')' where it ends")
        if level == _PAREN and tokens[0].text == BEFORE:
            at = tokens[0].at
            self.operands[-1] = Operation((BEFORE,), (at,), (self.operands[-1],), at)

    def _reduce(self, level: int) -> None:
        """Builds the operations that bind tighter than a level."""
        while self.waiting[-1][0] > level:
            done, tokens = self.waiting.pop()
            prefix = done in (_NOT, _NEGATE)
            self.depth -= prefix
            first = len(self.operands) - len(tokens) - (not prefix)
            parts, places = tuple(self.operands[first:]), tuple(t.at for t in tokens)
            at = min(places[0], parts[0].at)
            self.operands[first:] = [Operation(tuple(t.text for t in tokens), places, parts, at)]


def conjuncts(text: str) -> tuple[str, ...]:
    """The parts of a goal that its outermost `and` joins, as texts; the goal itself where there is none.

    Raises:
        InputError: As in `parse`.
    """
    root = parse(text)
    if not isinstance(root, Operation) or root.operators[0] != "and":
        return (text,)
    ends = (*root.places, len(text))
    begins = (0, *(at + len("and") for at in root.places))
    parts = tuple(text[a:b].strip() for a, b in zip(begins, ends, strict=True))
    balanced = all(p.count("(") == p.count(")") for p in parts)  # else parentheses stand around the whole
    return parts if balanced else (text,)
