"""The sorts of parts that statements are made of: each is read, written and told in one place."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vclogic.rulebook.declarations import FromBoard
from vclogic.rulebook.table import written as text
from vclogic.rulebook.table.reader import HEADER_WORD, Reader
from vclogic.terms.expressions.syntax import Word

_FROM_TABLE = re.compile(r"from\s+the\s+table\b")


@dataclass(frozen=True)
class StatementPart:
    """A part of a statement.

    Attributes:
        read: Reads it, and says which fields of the statement have which values then.
        written: It as a text, with the space that stands before it; each line below begins with the end of one.
        grammar: It as the grammar tells it.
        first: Whether the statement begins with it: a name, which no word that begins another statement can be.
    """

    read: Callable[[Reader], Mapping[str, Any]]
    written: Callable[[Any], str]
    grammar: str
    first: str = ""


OR = "or"


def other_names(r: Reader, name: Word) -> list[tuple[Word, Word]]:
    """The other names behind one, `A or NAME`, each with it."""
    found: list[tuple[Word, Word]] = []
    while r.lexer.clause(OR):
        found.append((r.words("another name", OR), name))
    return found


def with_others(name: Word, also: Sequence[tuple[Word, Word]]) -> str:
    """A name with its other names."""
    named = (name, *(other for other, of in also if of.text == name.text))
    return f" {OR} ".join(text.name(w, (OR,)) for w in named)


def several(field: str, what: str, grammar: str, *ends: str) -> StatementPart:
    """Names with commas between them."""
    return StatementPart(
        lambda r: {field: r.names(what, *ends)}, lambda s: f" {text.names(getattr(s, field))}", grammar
    )


def quote(field: str, what: str) -> StatementPart:
    """A text in quotes."""
    return StatementPart(lambda r: {field: r.quoted(what)}, lambda s: f" {text.text(getattr(s, field))}", "text")


def whole(field: str, what: str, example: str) -> StatementPart:
    """A whole number from 1 on."""
    return StatementPart(lambda r: {field: r.whole(what, example)}, lambda s: f" {getattr(s, field)}", "number")


def expression(field: str) -> StatementPart:
    """An expression of the goal language."""
    return StatementPart(
        lambda r: {field: r.expression()}, lambda s: f" {text.expression(getattr(s, field))}", "expr"
    )


def fact(field: str) -> StatementPart:
    """A fact, with names in parentheses where it is asked of some."""
    return StatementPart(lambda r: {field: r.target()}, lambda s: f" {text.expression(getattr(s, field))}", "fact")


def word(said: str, help: str) -> StatementPart:
    """A word of the language."""

    def read(r: Reader) -> Mapping[str, Any]:
        r.word(said, help)
        return {}

    return StatementPart(read, lambda _: f" {said}", f'"{said}"')


def flag(field: str, *said: str, help: str) -> StatementPart:
    """Words that may stand there."""

    def read(r: Reader) -> Mapping[str, Any]:
        there = r.lexer.clause(said[0])
        for rest in said[1:] if there else ():
            r.word(rest, help)
        return {field: there}

    whole = " ".join(said)
    return StatementPart(read, lambda s: f" {whole}" if getattr(s, field) else "", f'["{whole}"]')


def members(field: str, help: str = "", *, several: bool = False) -> StatementPart:
    """`for KIND where CONDITION`.

    Args:
        field: The field that holds it.
        help: What to write where it is missing; empty: it may be missing.
        several: Whether it may be of several kinds.
    """

    def read(r: Reader) -> Mapping[str, Any]:
        if help:
            r.word("for", help)
        return {field: r.binder(several=several) if help or r.lexer.clause("for") else None}

    grammar = '"for" binder' + (' {"," binder}' if several else "")
    return StatementPart(read, lambda s: text.for_clause(getattr(s, field)), grammar if help else f"[{grammar}]")


def where(field: str) -> StatementPart:
    """`where CONDITION`, which may be missing."""

    def read(r: Reader) -> Mapping[str, Any]:
        return {field: r.expression() if r.lexer.clause("where") else None}

    def written(s: Any) -> str:
        condition = getattr(s, field)
        return "" if condition is None else f" where {text.expression(condition)}"

    return StatementPart(read, written, '["where" expr]')


def pattern(field: str, wanted: re.Pattern[str], missing: str, help: str, grammar: str) -> StatementPart:
    """A word that looks like this, as a name in quotes does where it is one."""

    def read(r: Reader) -> Mapping[str, Any]:
        found = r.match(wanted, missing, help)
        return {field: Word(found[0].strip("'\""), found.start())}

    return StatementPart(read, lambda s: f" {text.header(getattr(s, field))}", grammar)


def file(field: str, missing: str, help: str, grammar: str = "file") -> StatementPart:
    """The name of a file, in quotes where it has several words."""
    return pattern(field, HEADER_WORD, missing, help, grammar)


def from_the_table(missing: str, help: str) -> StatementPart:
    """`, from the table`."""

    def read(r: Reader) -> Mapping[str, Any]:
        r.lexer.skip(",")
        r.match(_FROM_TABLE, missing, help)
        return {}

    return StatementPart(read, lambda _: ", from the table", '", from the table"')


FROM_BOARD = re.compile(r",?\s*from\s+(?!the\s+table\b)")
_OF_THE_BOARD = re.compile(r"of\s+the\s+board\b")
_NUMBERED = re.compile(r",\s*numbered\b")
WRITE_BOARD = "write from KEY of the board, or from KEY in KEY of the board"


def from_board(r: Reader) -> FromBoard | None:
    """`, from KEY [in KEY] of the board [by COLUMN] [, numbered]`; None: it is not here."""
    r.lexer.char()
    begin = FROM_BOARD.match(r.text, r.lexer.at)
    if begin is None:
        return None
    r.lexer.at = begin.end()
    key = r.named("the key", "in", "of")
    within = r.named("the key", "of") if r.lexer.clause("in") else None
    r.match(_OF_THE_BOARD, "nothing says that it is on the board", WRITE_BOARD)
    by = r.named("a column") if r.lexer.clause("by") else None
    r.lexer.char()
    numbered = _NUMBERED.match(r.text, r.lexer.at)
    r.lexer.at = numbered.end() if numbered else r.lexer.at
    return FromBoard(key, within, by, numbered is not None)


def of_board(found: FromBoard | None) -> str:
    """It as a text."""
    if found is None:
        return ""
    within = f" in {found.within.text}" if found.within else ""
    by = f" by {found.by.text}" if found.by else ""
    return f", from {found.key.text}{within} of the board{by}{', numbered' if found.numbered else ''}"


BOARD = '", from" key ["in" key] "of the board" ["by" column] [", numbered"]'


def called(field: str, what: str) -> StatementPart:
    """A name, up to a sign or the end."""
    return StatementPart(
        lambda r: {field: r.words(what, "from")}, lambda s: f" {text.name(getattr(s, field), ('from',))}", "name"
    )
