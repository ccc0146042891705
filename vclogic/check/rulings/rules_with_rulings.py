"""A file of rules with the rulings about it, and what may be written otherwise in it."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from vclogic.check.catalogue import UNTOLD
from vclogic.check.findings import FindingKey
from vclogic.check.rulings.suggested_rulings import (
    PastedRuling,
    PastePlace,
    below_sentence,
    end_of_list,
    ruling_files,
)
from vclogic.errors import Diagnostic, InputError, quoted, shortened
from vclogic.files.position import is_path, load_setup
from vclogic.files.registry import rulebook_of
from vclogic.files.rulings.case_files import Skipped, cases_of, find_case_files, load_cases, no_rulings
from vclogic.files.rulings.cases import Case
from vclogic.files.rulings.in_rulebook import world_of
from vclogic.files.setup import Memo, Setup
from vclogic.files.source import read_text, stamp
from vclogic.files.text_games.games import Rulebook
from vclogic.files.trees.findings import Findings
from vclogic.files.trees.located import Quoted
from vclogic.files.typed import sources_of
from vclogic.provenance import CodePlace
from vclogic.rulebook.board.world import World
from vclogic.rulebook.changes import DEFINED, GIVEN, Edit, RuleChange, changes_of, edited
from vclogic.rulebook.source import RulesSource
from vclogic.words import ordinal

READING, CHANGE = UNTOLD
_LONG, _SHORT = 110, 72
_WORDS = {"==": "exactly", ">=": "at least", ">": "more than", "<=": "at most", "<": "less than"}


@dataclass(frozen=True)
class Variant:
    """The rules with one thing otherwise.

    Attributes:
        id: What it is called, to accept it.
        key: The finding that it would be.
        line: Its line in the file.
        said: The line as a reader is asked about it.
        now: What stands there, or the value of the Reading.
        instead: What would.
        file: The file that is changed.
        edits: What is changed in it.
        reading: The Reading that it is about; empty: a line is changed.
        focus: The name of the definition or event whose line it is.
        weight: The smaller, the sooner it is looked at.
    """

    id: str
    key: FindingKey
    line: int
    said: str
    now: str
    instead: str
    file: str = ""
    edits: tuple[Edit, ...] = ()
    reading: str = ""
    focus: str = ""
    weight: int = 0

    @property
    def title(self) -> str:
        """The title of a ruling that tells it."""
        if self.reading:
            return f"The Reading {self.reading}: {self.now}, not {self.instead}"
        if not self.instead:
            return f"Not without: {shortened(self.now, _SHORT)}"
        return f"With {self.now}, not {self.instead}: {shortened(self.said, _SHORT)}"

    @property
    def told(self) -> str:
        """The changes that no ruling tells from what is written."""
        if self.reading:
            return f"no ruling tells the Reading {self.reading}={self.now} from {self.reading}={self.instead}"
        if not self.instead:
            return f"no ruling tells whether this is needed: {self.now}"
        now, instead = (f"{text} ({_WORDS[text]})" if text in _WORDS else text for text in (self.now, self.instead))
        return f"no ruling tells {now} from {instead} in: {self.said}"

    @property
    def otherwise(self) -> str:
        """The changed line, before an answer."""
        if self.reading:
            return f"with {self.reading}={self.instead}"
        return f"with {self.instead}" if self.instead else "without it"


@dataclass
class RuledText:
    """A rulebook, or a position file with rules as text, with the rulings about it.

    Attributes:
        setup: It at the start.
        file: The file whose lines are changed.
        text: What it holds.
        listed: The files with rulings about a position file, and the first of them, which may not be there yet.
        added: Rulings that are taken as given from now on.
        places: Where rulings about each line are written, as far as somebody asked.
    """

    setup: Setup
    file: str
    text: str
    listed: tuple[str, ...] = ()
    added: list[tuple[Variant, PastedRuling]] = field(default_factory=list)
    places: dict[int, PastePlace] = field(default_factory=dict)

    @staticmethod
    def of(setup: Setup) -> RuledText:
        """A game's file.

        Raises:
            InputError: It has no file of one's own, or more than the start is given.
        """
        files = [layer.node.where.file for layer in setup.request.layers]
        if len(files) > 1 or (files and not is_path(files[0])):
            message = "rulings are looked at from the start of a game: leave --at out"
            raise InputError(Diagnostic("usage", message))
        if not files:
            book = rulebook_of(name := setup.request.name)
            if book is None:
                help = "name a rulebook, or a position file with rules under `outcomes:`"
                message = f"{quoted(name)} is written in Python: it has no lines that could be changed"
                raise InputError(Diagnostic("usage", message, help=help))
            return RuledText(setup, book.book.file, read_text(book.book.file).text)
        stem, ending = os.path.splitext(files[0])
        listed = ruling_files(files[0]) or [f"{stem}_rulings{ending}"]
        return RuledText(setup, files[0], read_text(files[0]).text, tuple(listed))

    def offset(self, file: str, line: int | None, column: int | None) -> int | None:
        """The place in a file of a line and column, counted from 1; None where they are not known."""
        if line is None or column is None:
            return None
        return sum(map(len, self.now(file).splitlines(keepends=True)[: line - 1])) + column - 1

    @property
    def book(self) -> Rulebook | None:
        """The rulebook that it is, as its file is now; None: it is a position file."""
        return None if self.setup.request.layers else rulebook_of(self.setup.request.name)

    @property
    def sources(self) -> list[RulesSource]:
        """Its lines of rules."""
        if (book := self.book) is not None:
            return [s for s in book.book.sources if s.file == self.file]
        board = self.setup.board
        files = (self.file, *(() if board is None else (board.where.file,)))
        return [s for s in sources_of(self.setup.system, self.setup.texts) if s.file in files]

    def loaded(self, memo: Memo, reading: Sequence[tuple[str, str]] = ()) -> Setup:
        """It as its files are now."""
        overrides = (*self.setup.request.overrides, *reading)
        game = self.file if self.book is None else self.setup.reference
        return load_setup(game, overrides=overrides, memo=memo)

    def cases(self, memo: Memo | None = None) -> tuple[Case, ...]:
        """The rulings about it, as its files are now.

        Args:
            memo: What they share with it.
        """
        if self.book is not None:
            found_there = load_cases(self.setup.request.name)
            return found_there if memo is None else tuple(replace(c, memo=memo) for c in found_there)
        found: list[Case] = []
        findings = Findings()
        own = no_rulings(self.setup.request.layers[0].node) is None  # its record expects something itself
        for file in (f for f in (*((self.file,) if own else ()), *self.listed) if stamp(f) is not None):
            for each in find_case_files(file, findings):
                if not isinstance(each, Skipped):
                    found += cases_of(each.node, each.encoding, memo or Memo())
        findings.stop()
        return tuple(found)

    def place(self, variant: Variant) -> PastePlace:
        """The place where a ruling about a change is written."""
        if variant.line not in self.places:
            found = self._place(variant)
            end = "\r\n" if "\r\n" in self.now(found.file) else "\n"
            self.places[variant.line] = found._replace(end=end)
        return self.places[variant.line]

    def _place(self, variant: Variant) -> PastePlace:
        if self.book is not None:
            return below_sentence(self.text, self.file, variant.line)
        return end_of_list(self.listed[0], self.file)

    def lines(self, ruling: PastedRuling) -> list[str]:
        """A ruling as the file has it."""
        book = self.book
        return ruling.listed() if book is None else ruling.lines(book.book, self._world)

    @cached_property
    def _world(self) -> World:
        """What the rulebook declares, on the board that its rulings are played on."""
        assert self.book is not None, "a position file has none"
        return world_of(self.book)

    def texts(
        self, rulings: Iterable[tuple[Variant, PastedRuling]] = (), variant: Variant | None = None
    ) -> dict[str, str]:
        """The content of its files with some more rulings, each of which is about a change, and with one change."""
        lines: dict[PastePlace, list[str]] = {}
        for about, ruling in rulings:
            lines.setdefault(self.place(about), []).extend(self.lines(ruling))
        found: dict[str, list[Edit]] = {} if variant is None else {variant.file: [*variant.edits]}
        for place, added in lines.items():
            found.setdefault(place.file, []).append(place.edit(added))
        return {f: edited(self.now(f), made) for f, made in found.items() if made}

    def now(self, file: str) -> str:
        """The content of a file; empty where it is not there."""
        return self.text if file == self.file else read_text(file).text if os.path.exists(file) else ""


# ---- what may be otherwise


def variants_of(ruled: RuledText) -> list[Variant]:
    """The changes of the lines of a file, and the other values of its Readings, the most telling first."""
    found = [v for source in ruled.sources for v in _lines(ruled, source)]
    found += _data(ruled)
    found += _readings(ruled)
    return sorted(found, key=lambda v: v.weight)


def _lines(ruled: RuledText, source: RulesSource) -> Iterator[Variant]:
    """The changes of the lines of a block or text."""
    numbers: Counter[int] = Counter()

    def place(at: int) -> int | None:
        before = source.text[:at]
        return ruled.offset(source.file, *source.place(before.count("\n") + 1, at - before.rfind("\n")))

    for c in changes_of(source, ruled.setup.system.sides):
        line = source.line(c.at)
        numbers[line] += 1
        edits = [(place(a), place(b), new, source.text[a:b].split()) for a, b, new in c.edits]
        text = ruled.now(source.file)
        known = [(a, b, new) for a, b, new, old in edits if a and b and text[a:b].split() == old]
        name = f"{line}.{numbers[line]}"
        key = FindingKey(CHANGE, name, source.cites(c.statement), source.made(c.at))
        begin = source.text.rfind("\n", 0, c.at) + 1
        now, said = _which(source.line_of(begin), source.text[begin : c.at], c.now)
        there = tuple(known) if len(known) == len(edits) else ()
        yield Variant(name, key, line, said, now, c.instead, source.file, there, focus=_focus(c), weight=c.weight)


def _which(line: str, before: str, now: str) -> tuple[str, str]:
    """The change of a line, with which one it is where it stands there more than once; and the line around it."""
    pattern = rf"(?<!\w){re.escape(now)}(?!\w)"
    if now not in _WORDS and len(re.findall(pattern, line)) > 1:
        now = f"{now} (the {ordinal(len(re.findall(pattern, before)) + 1)} there)"
    at = max(0, min(len(before.strip()) - _LONG // 2, len(line) - _LONG))
    cut = line[at : at + _LONG]
    return now, f"{'...' if at else ''}{cut}{'...' if at + _LONG < len(line) else ''}"


def _focus(change: RuleChange) -> str:
    """The name of the definition or event that a line is about; empty: it is about neither."""
    content = change.statement.content
    return getattr(getattr(content, "name", None), "text", "") if change.weight != GIVEN else ""


def _data(ruled: RuledText) -> Iterator[Variant]:
    """The numbers in the board that a file brings."""
    board = ruled.setup.board
    if board is None:
        return
    file, text = board.where.file, ruled.now(board.where.file)
    for path, number in _numbers(board.tree, ()):
        line, column = board.where.find(path)
        at = ruled.offset(file, line, column)
        if line is None or at is None or not text.startswith(number, at):
            continue
        for other in (str(n) for n in (int(number) - 1, int(number) + 1) if n >= 0):
            name, said = f"{line}.{column}.{other}", " ".join(map(str, path))
            key = FindingKey(CHANGE, name, (), (CodePlace(file, line, ""),))
            edit = (at, at + len(number), other)
            yield Variant(name, key, line, said, number, other, file, (edit,), weight=GIVEN)


def _numbers(tree: object, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """The numbers without quotes in what a file holds, each with the way to it."""
    if isinstance(tree, dict | list):
        for step, part in tree.items() if isinstance(tree, dict) else enumerate(tree):
            yield from _numbers(part, (*path, step))
    elif isinstance(tree, str) and tree.isdigit() and not isinstance(tree, Quoted):
        yield path, tree


def _readings(ruled: RuledText) -> Iterator[Variant]:
    settings = ruled.setup.settings
    for reading in ruled.setup.encoding.readings:
        now = settings.readings[reading.name]
        place = reading.made[0] if reading.made else None
        for other in reading.values:
            if other != now and place is not None and place.file == ruled.file:
                name = f"{reading.name}={other}"
                key = FindingKey(READING, name, reading.cites, reading.made)
                yield Variant(name, key, place.line, "", now, other, reading=reading.name, weight=DEFINED)
