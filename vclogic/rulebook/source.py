"""A text of rules with where it stands, so that mistakes and citations name the line of the user's file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import ModuleType

from vclogic.errors import Diagnostic
from vclogic.model.citation import Citation, CitedFunction, Cites
from vclogic.provenance import TYPED, CodePlace, Places
from vclogic.rulebook.declarations import Effect, EventRule, Need
from vclogic.rulebook.statements import Statement
from vclogic.terms.expressions.syntax import GoalSource

Spot = tuple[int | None, int | None]
RULES, RULINGS, BOARD = "vclogic", "ruling", "board"
"""What the fences of a rulebook's blocks are called."""


@dataclass(frozen=True)
class Cell:
    """A cell of a table: what it holds, and its line and column, counted from 1."""

    text: str
    line: int
    column: int | None = None


@dataclass(frozen=True)
class TextTable:
    """A table of a rulebook.

    Attributes:
        head: The headings of its columns.
        rows: Its rows, each with the cells that are written.
    """

    head: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True)
class Sentence:
    """A numbered part of a rulebook's text, up to the next number.

    Attributes:
        clause: Its number.
        text: Its words, without signs of emphasis.
        line: The line on which it begins.
        chapter: The number of the heading above it; empty without one.
    """

    clause: str
    text: str
    line: int
    chapter: str = ""


@dataclass(frozen=True)
class RulesSource:
    """The statements of a text.

    Attributes:
        statements: What it says.
        text: The text.
        label: What its diagnostics are told apart by, unlike that of any other text.
        file: The file that it stands in.
        place: Line and column of the file, for those of the text; all counted from 1.
        sentences: Of a block of a rulebook: the sentences that it belongs to.
        quoted: The text of each sentence of the rulebook.
        table: The last table above it; None: there is none.
        modules: The modules of Python whose functions it names.
    """

    statements: tuple[Statement, ...]
    text: str
    label: str
    file: str
    place: Callable[[int, int], Spot]
    sentences: tuple[Sentence, ...] = ()
    quoted: Mapping[str, str] = field(default_factory=dict)
    table: TextTable | None = None
    modules: Mapping[str, ModuleType] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The file's name without its folder."""
        return self.file.replace("\\", "/").rpartition("/")[2]

    @cached_property
    def goal(self) -> GoalSource:
        """The text as expressions of it are resolved."""
        return GoalSource(self.text, self.label)

    def placed(self, wrong: Diagnostic) -> Diagnostic:
        """A diagnostic of the text, at its place in the file."""
        line, column = self.place(wrong.line or 1, wrong.column or 1)
        if wrong.line and wrong.line > 1 and self.place(1, 1) == (line, column):  # all lines are one in the file
            wrong = replace(wrong, message=f"in line {wrong.line} of the text: {wrong.message}")
        return replace(wrong, file=self.file, line=line, column=column)

    def line(self, at: int) -> int:
        """The line of the file that a place in the text is in."""
        line = self.text.count("\n", 0, at) + 1
        return self.place(line, 1)[0] or line

    def line_of(self, at: int) -> str:
        """The line of the text that a place is in, with single spaces."""
        end = self.text.find("\n", at)
        return " ".join(self.text[at : len(self.text) if end < 0 else end].split())

    def clauses(self, statement: Statement) -> tuple[str, ...]:
        """The sentences of a line: those that it cites, or those of the lines below it, else those of its block."""
        rule, own = statement.content, statement.clauses
        if not own and self.sentences and isinstance(rule, EventRule):
            parts: list[Need | Effect] = [*rule.needs, *rule.effects]
            own = tuple(dict.fromkeys(c for part in parts for c in part.clauses))
        return own or tuple(s.clause for s in self.sentences)

    def cites(self, statement: Statement) -> Cites:
        """The citation of a line: the sentences that it belongs to, else the file and the number of the line."""
        clauses = self.clauses(statement)
        if clauses:
            return tuple(Citation(self.name, clause) for clause in clauses)
        return (Citation(self.name, f"{self.name}:{self.line(statement.at)}"),)

    def words(self, statement: Statement) -> str:
        """The words of a line for players: its sentences, else it itself."""
        said = [self.quoted[c] for c in self.clauses(statement) if c in self.quoted]
        return " ".join(said) or statement.text

    @cached_property
    def lines(self) -> tuple[Statement, ...]:
        """The statements, and behind each the lines below it that cite sentences of their own."""
        return tuple(line for s in self.statements for line in (s, *self._below(s)))

    @staticmethod
    def _below(statement: Statement) -> Iterator[Statement]:
        rule = statement.content
        if isinstance(rule, EventRule):
            parts: list[Need | Effect] = [*rule.needs, *rule.effects]
            begins = sorted((*(t.at for t in rule.takes), *(part.at for part in parts)))
            for part in parts:
                if part.clauses:
                    end = next((at for at in begins if at > part.at), statement.end)
                    yield replace(statement, at=part.at, end=end, clauses=part.clauses)

    def cited(self, statement: Statement) -> CitedFunction:
        """A line as what encodes itself; the same one each time."""
        if statement.at not in self._cited:
            line, cites = self.line(statement.at), self.cites(statement)
            name = f"{self.name}:{line}"
            self._cited[statement.at] = CitedFunction(name, self.words(statement), self.file, line, cites)
        return self._cited[statement.at]

    @cached_property
    def _cited(self) -> dict[int, CitedFunction]:
        return {}

    def made(self, at: int) -> Places:
        """The line, as findings name it."""
        return (CodePlace(self.file, self.line(at), "" if self.quoted else TYPED),)
