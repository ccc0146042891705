"""A rulebook as it is read from its file: its blocks with their sentences, and the rulebooks that it includes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType, ModuleType

from vclogic.errors import Diagnostic, InputError
from vclogic.model.rules import Option, Reading
from vclogic.model.system import Flaw
from vclogic.rulebook.aims import PlanRule
from vclogic.rulebook.board.choices import choices_of
from vclogic.rulebook.board.given import BoardForm, GivenBoard
from vclogic.rulebook.board.world import World
from vclogic.rulebook.declarations import Include, MarkPlaces, PythonModule
from vclogic.rulebook.markdown.file import Block, Page, read_page
from vclogic.rulebook.meaning.names import Statements
from vclogic.rulebook.parser import parse_rules
from vclogic.rulebook.source import BOARD, RULES, RULINGS, RulesSource, Spot
from vclogic.rulebook.statements import Content, Statement
from vclogic.rulebook.table.entries import BOOK
from vclogic.terms.expressions.syntax import Word

BOARDS = (".yaml", ".yml", ".json")
"""The endings of files that are boards."""
MOST_CHARACTERS, MOST_BLOCKS = 2_000_000, 1_000
_NO_RULES = "a rulebook is Markdown with blocks that begin with ```vclogic"

Parsed = Mapping[tuple[str, str], tuple[Statement, ...]]
"""The statements of blocks, by their texts and labels."""


@dataclass(frozen=True)
class BoardBlock:
    """A board that stands in a rulebook.

    Attributes:
        file: The rulebook.
        text: The board, as a file of YAML would have it, on the same lines.
    """

    file: str
    text: str


@dataclass(frozen=True)
class Book:
    """A rulebook.

    Attributes:
        file: Its file.
        page: What the file holds.
        sources: Its blocks of rules, after those of the rulebooks that it includes.
        included: The files of those.
        board: The board that it includes: its file, or a block of a rulebook; None: it includes none.
    """

    file: str
    page: Page
    sources: tuple[RulesSource, ...]
    included: tuple[str, ...] = ()
    board: str | BoardBlock | None = None

    @cached_property
    def form(self) -> BoardForm:
        """The form of boards that it takes.

        Raises:
            InputError: All that is wrong with that.
        """
        return BoardForm(self.sources)

    def given(self, board: object) -> GivenBoard | None:
        """The content of a board that was read; None: it takes nothing from one, or there is none."""
        return None if self.form.is_empty or board is None else GivenBoard(self.form, board)

    @cached_property
    def world(self) -> World:
        """The world that it declares, where it takes nothing from a board.

        Raises:
            InputError: All that is wrong with the declarations.
        """
        return World(self.sources)

    def world_on(self, board: object) -> World:
        """The world that it declares, with a board that was read.

        Raises:
            InputError: All that is wrong with the declarations.
        """
        return self.world if self.form.is_empty else World(self.sources, self.given(board))

    def flaws(self, board: object) -> Sequence[Flaw]:
        """The flaws of a board that was read."""
        return () if self.form.is_empty else self.world_on(board).flaws

    @cached_property
    def choices(self) -> tuple[tuple[Reading, ...], tuple[Option, ...]]:
        """Its Readings and options.

        Raises:
            InputError: All that is wrong with them; with all declarations, where it takes nothing from a board.
        """
        if self.form.is_empty:
            return self.world.readings, self.world.options
        lines = Statements(self.sources)
        found = choices_of(lines)
        lines.check()
        return found

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
    board: Callable[[str], str],
    parsed: Parsed = MappingProxyType({}),
) -> Book:
    """Read a rulebook.

    Args:
        text: What its file holds.
        file: The file, for messages and citations.
        included: Reads another rulebook, named from this one.
        module: Loads a module of Python whose functions it names.
        board: Finds the file of a board, named from this one.
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
    boards: list[str | BoardBlock] = []
    own_boards = [b for b in page.blocks if b.kind == BOARD]
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
            word = _file_of(s.content)
            if word is not None:
                try:
                    if not isinstance(s.content, Include):
                        modules[word.text] = modules.get(word.text) or module(word.text)
                    elif word.text.endswith(BOARDS):
                        boards.append(board(word.text))
                    else:
                        books.append(included(word.text))
                except InputError as error:
                    here = source.placed(source.goal.error(word.at, "").diagnostics[0])
                    wrong += [_at(d, here) if d.line is None else d for d in error.diagnostics]
    if own_boards[1:]:
        message = f"a board stands in line {own_boards[0].line - 1}, too"
        wrong.append(Diagnostic("unreadable", message, file, own_boards[1].line - 1, 1, "a rulebook has one"))
    boards += [BoardBlock(file, "\n" * (b.line - 1) + b.text) for b in own_boards]
    if wrong:
        raise InputError(wrong)
    if not own:
        raise InputError(Diagnostic("unreadable", "there are no rules in it", file, help=_NO_RULES))
    sources = [*(s for book in books for s in book.sources), *own]
    files = tuple(f for book in books for f in (book.file, *book.included))
    boards = [*(b.board for b in books if b.board), *boards]
    return Book(file, page, tuple(sources), files, boards[-1] if boards else None)


def _file_of(content: Content) -> Word | None:
    """The file or package that a statement names; None: it names none."""
    if isinstance(content, Include):
        return content.file
    if isinstance(content, PlanRule):
        return None if content.python is None else content.python.module
    return content.module if isinstance(content, PythonModule) else None


def _at(wrong: Diagnostic, place: Diagnostic) -> Diagnostic:
    return replace(wrong, file=place.file, line=place.line, column=place.column)


def _placing(block: Block) -> Callable[[int, int], Spot]:
    """The lines and columns of a block in its file."""
    return lambda line, column: (block.line + line - 1, block.indent + column)
