"""Entries of statements, each told once, and what follows: how it is read, written and called in documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from vclogic.rulebook.statements import Content
from vclogic.rulebook.table.parts import StatementPart
from vclogic.rulebook.table.reader import Reader
from vclogic.rulebook.table.written import name


@dataclass(frozen=True)
class StatementEntry:
    """A statement.

    Attributes:
        words: What it begins with; empty: a name.
        kind: The class of what it says.
        label: What documents call it.
        parts: What follows.
        help: What it is for.
        example: One.
        once: Whether a rulebook says it once.
        write: What to write where the second word is missing.
        before: A word that may stand before it, and the field that tells so.
        within: Words one of which stands within it too; empty: none has to.
        told_by: Where it begins with a name: words within that tell it.
        fixed: Fields that its words decide.
        beside: Whether a text of rules beside a game can say it, too.
    """

    words: tuple[str, ...]
    kind: type[Content]
    label: str
    parts: tuple[StatementPart, ...]
    help: str
    example: str
    once: bool = False
    write: str = ""
    before: tuple[str, str] = ("", "")
    within: tuple[str, ...] = ()
    told_by: tuple[str, ...] = ()
    fixed: Mapping[str, Any] = field(default_factory=dict)
    beside: bool = False

    def read(self, r: Reader) -> Content:
        """The statement, of which a reader has read the first word."""
        for word in self.words[1:]:
            r.word(word, self.write)
        found = dict(self.fixed)
        for part in self.parts:
            found |= part.read(r)
        r.end()
        word, decided = self.before
        return self.kind(**found, **({decided: r.prefixed} if word else {}))

    def says(self, content: Content) -> bool:
        """True if it is this statement that says it."""
        return type(content) is self.kind and all(getattr(content, k) == v for k, v in self.fixed.items())

    def written(self, content: Any, beginnings: tuple[str, ...]) -> str:
        """It as a text, each line below without what stands before it."""
        word, decided = self.before
        found = " ".join([word] * (bool(word) and getattr(content, decided)) + [*self.words])
        for part in self.parts:
            if part.first:
                found += f" {name(getattr(content, part.first), (*beginnings, 'if', 'and'))}"
            found += part.written(content)
        return found.strip(" ")

    @property
    def grammar(self) -> str:
        """It as the grammar tells it."""
        word, _ = self.before
        begin = ([f'["{word}"]'] if word else []) + ([f'"{" ".join(self.words)}"'] if self.words else [])
        return " ".join((*begin, *(part.grammar for part in self.parts)))


@dataclass(frozen=True)
class StatementTable:
    """The statements of a text of some kind.

    Attributes:
        entries: Them, in the order in which people are told of them.
    """

    entries: tuple[StatementEntry, ...]

    @cached_property
    def beginnings(self) -> tuple[str, ...]:
        """The words that begin a statement."""
        found = (w for e in self.entries for w in (e.before[0], *e.words[:1]))
        return tuple(dict.fromkeys(filter(None, found)))

    @cached_property
    def lines(self) -> str:
        """The lines to write."""
        words = list(dict.fromkeys(" ".join(e.words) for e in self.entries if e.words))
        words += [e.before[0] for e in self.entries if e.told_by]
        begin = f"{', '.join(words[:-1])} or {words[-1]}"
        return f"a line begins with {begin}; or it says NAME(...) means VALUE, or SIDE wins NAME MOMENT if CONDITION"

    def beginning(self, word: str) -> tuple[StatementEntry, ...]:
        """The statements that begin with a word."""
        return tuple(e for e in self.entries if e.words[:1] == (word,))

    def of(self, content: Content) -> StatementEntry:
        """The statement that says something."""
        return next(e for e in self.entries if e.says(content))

    @cached_property
    def kinds(self) -> tuple[type[Content], ...]:
        """The classes of what they say."""
        return tuple(dict.fromkeys(e.kind for e in self.entries))

    def called(self) -> dict[str, type[Content]]:
        """The names in documents of each of these classes."""
        return {e.label: e.kind for e in self.entries}
