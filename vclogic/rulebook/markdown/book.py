"""A rulebook as it is read from its file: its blocks with their sentences, and the rulebooks that it includes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType, ModuleType

from vclogic.errors import Diagnostic, InputError
from vclogic.rulebook.board.world import World
from vclogic.rulebook.declarations import Include, MarkPlaces, PythonModule
from vclogic.rulebook.markdown.file import Block, Page, read_page
from vclogic.rulebook.parser import parse_rules
from vclogic.rulebook.source import RULES, RULINGS, RulesSource, Spot
from vclogic.rulebook.statements import Statement
from vclogic.rulebook.table.entries import BOOK

MOST_CHARACTERS, MOST_BLOCKS = 2_000_000, 1_000
_NO_RULES = "a rulebook is Markdown with blocks that begin with ```vclogic"

Parsed = Mapping[tuple[str, str], tuple[Statement, ...]]
"""The statements of blocks, by their texts and labels."""


@dataclass(frozen=True)
class Book:
    """A rulebook.

    Attributes:
        file: Its file.
        page: What the file holds.
        sources: Its blocks of rules, after those of the rulebooks that it includes.
        included: The files of those.
    """

    file: str
    page: Page
    sources: tuple[RulesSource, ...]
    included: tuple[str, ...] = ()

    @cached_property
    def world(self) -> World:
        """What it declares.

        Raises:
            InputError: All that is wrong with the declarations.
        """
        return World(self.sources)

    @property
    def parsed(self) -> Parsed:
        """Its blocks, parsed."""
        return {(s.text, s.label): s.statements for s in self.sources}

    @property
    def said(self) -> tuple[object, ...]:
        """All that its rules rest on, but for the words of its sentences; those that are drawn count too."""
        return tuple(
            (
                *(s.text, s.label, s.file, s.place(1, 1), s.table, bool(s.quoted)),
                [c.clause for c in s.sentences],
                [s.words(at) for at in s.statements if isinstance(at.content, MarkPlaces)],
            )
            for s in self.sources
        )

    @property
    def rulings(self) -> tuple[Block, ...]:
        """Its blocks of rulings."""
        return tuple(b for b in self.page.blocks if b.kind == RULINGS)


def read_book(
    text: str,
    file: str,
    included: Callable[[str], Book],
    module: Callable[[str], ModuleType],
    parsed: Parsed = MappingProxyType({}),
) -> Book:
    """Read a rulebook.

    Args:
        text: What its file holds.
        file: The file, for messages and citations.
        included: Reads another rulebook, named from this one.
        module: Loads a module of Python whose functions it names.
        parsed: Blocks that were parsed before.

    Raises:
        InputError: Everything in its blocks that cannot be read, at lines of the file.
    """
    if len(text) > MOST_CHARACTERS:
        message = f"a rulebook has at most {MOST_CHARACTERS:,} characters"
        raise InputError(Diagnostic("limit", message, file, help="include a part of it from another file"))
    page = read_page(text)
    if len(page.blocks) > MOST_BLOCKS:
        message = f"a rulebook has at most {MOST_BLOCKS:,} blocks"
        raise InputError(Diagnostic("limit", message, file, page.blocks[MOST_BLOCKS].line))
    quoted = {s.clause: s.text for s in page.sentences}
    own: list[RulesSource] = []
    books: list[Book] = []
    wrong = [replace(d, file=file) for d in page.slips]
    for number, block in enumerate(b for b in page.blocks if b.kind == RULES):
        label = f"block {number + 1} of {file}"
        unread = RulesSource((), block.text, label, file, _placing(block), block.sentences, quoted, block.table)
        try:
            statements = parsed.get((block.text, label)) or parse_rules(block.text, label, (), BOOK)
        except InputError as error:
            wrong += map(unread.placed, error.diagnostics)
            continue
        modules: dict[str, ModuleType] = {}
        own.append(source := replace(unread, statements=statements, modules=modules))
        for s in statements:
            if isinstance(s.content, Include | PythonModule):
                word = s.content.file if isinstance(s.content, Include) else s.content.module
                try:
                    if isinstance(s.content, Include):
                        books.append(included(word.text))
                    else:
                        modules[word.text] = module(word.text)
                except InputError as error:
                    here = source.placed(source.goal.error(word.at, "").diagnostics[0])
                    wrong += [_at(d, here) if d.line is None else d for d in error.diagnostics]
    if wrong:
        raise InputError(wrong)
    if not own:
        raise InputError(Diagnostic("unreadable", "there are no rules in it", file, help=_NO_RULES))
    sources = [*(s for book in books for s in book.sources), *own]
    files = tuple(f for book in books for f in (book.file, *book.included))
    return Book(file, page, tuple(sources), files)


def _at(wrong: Diagnostic, place: Diagnostic) -> Diagnostic:
    return replace(wrong, file=place.file, line=place.line, column=place.column)


def _placing(block: Block) -> Callable[[int, int], Spot]:
    """Where lines and columns of a block stand in its file."""
    return lambda line, column: (block.line + line - 1, block.indent + column)
