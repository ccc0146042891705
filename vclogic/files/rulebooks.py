"""Rulebooks in Markdown as games: a file's name stands for its game wherever the name of an installed one can."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from vclogic.errors import Diagnostic, InputError
from vclogic.files.source import Stamp, read_text, stamp
from vclogic.files.tree import Locator, Node, NodePlace
from vclogic.model.citation import RuleText
from vclogic.model.memoized import Latest
from vclogic.model.system import Encoding, Settings, System
from vclogic.rulebook.book import Book, read_book
from vclogic.rulebook.declarations import Choice
from vclogic.rulebook.rulings import Mark, RulingText, rulings_of

START = "start"
"""The scenario of a rulebook."""
MOST_INCLUDED = 20
_READ: Latest[str, Rulebook]


@dataclass(frozen=True)
class NoBoard:
    """The board of a rulebook's game, which stands in the rulebook itself."""


@dataclass(frozen=True)
class Rulebook:
    """A rulebook as a game.

    Attributes:
        encoding: The game.
        book: What its file holds.
        stamps: The files that it was read from, with their times.
    """

    encoding: Encoding
    book: Book
    stamps: Mapping[str, Stamp | None]

    @property
    def files(self) -> Mapping[str, str]:
        """What a folder of an installed game would hold: its scenario and its board."""
        title = " ".join(self.encoding.title.split()).replace('"', "'")
        return {f"scenarios/{START}.yaml": f'title: "{title}"\n', "board.yaml": "{}\n"}

    def rulings(self) -> Node:
        """Its rulings, as a file of rulings holds them.

        Raises:
            InputError: Everything in them that cannot be read.
        """
        found = list(rulings_of(self.book))
        place = NodePlace(Mark(0, 0))
        place.parts = {n: _place(ruling) for n, ruling in enumerate(found)}
        return Node([ruling.tree for ruling in found], Locator(self.book.file, lambda: place))


def _place(ruling: RulingText) -> NodePlace:
    """The places of the parts of a ruling."""
    return _places(ruling.tree, (), ruling, ruling.mark)


def _places(tree: Any, path: tuple[str | int, ...], ruling: RulingText, around: Mark) -> NodePlace:
    within = (m for p, m in ruling.marks.items() if p[: len(path)] == path)
    mark = (ruling.marks.get(path) or next(within, around)) if path else around
    found = NodePlace(mark)
    parts: Iterator[tuple[str | int, Any]] = iter(())
    if isinstance(tree, dict):
        parts = iter(tree.items())
    elif isinstance(tree, list):
        parts = iter(enumerate(tree))
    found.parts = {step: _places(part, (*path, step), ruling, mark) for step, part in parts}
    found.keys = {str(step): part.mark for step, part in found.parts.items()}  # type: ignore[union-attr]
    return found


def rulebook(path: str) -> Rulebook:
    """The rulebook in a file; read again when it, or one that it includes, has been saved anew.

    Raises:
        InputError: It cannot be read, or everything in its blocks that is wrong.
    """
    key = os.path.abspath(path)
    known = _READ.find(key)
    if known is not None and known.book.file == path and all(stamp(f) == was for f, was in known.stamps.items()):
        return known
    stamps: dict[str, Stamp | None] = {}
    book = _read(path, stamps, ())
    text = RuleText(path, book.page.title or os.path.basename(path))
    text.functions = [s.cited(at) for s in book.sources for at in s.statements if not isinstance(at.content, Choice)]
    world = book.world

    def build(board: object, settings: Settings) -> System:
        from vclogic.rulebook.rules import system_of  # a list of games needs none of it

        return system_of(book.sources, settings)

    encoding = Encoding(path, text.title, (text,), world.options, world.readings, NoBoard, lambda board: (), build)
    return _READ.put(key, Rulebook(encoding, book, stamps))


def _read(path: str, stamps: dict[str, Stamp | None], around: tuple[str, ...]) -> Book:
    name = os.path.normpath(path)
    if name in around or len(stamps) > MOST_INCLUDED:
        message = f"rulebooks include each other: {' includes '.join((*around, name))}"
        raise InputError(Diagnostic("circle", message, help="let one of them stand by itself"))
    stamps[path] = stamp(path)
    text = read_text(path).text
    folder = os.path.dirname(path)
    return read_book(text, path, lambda other: _read(os.path.join(folder, other), stamps, (*around, name)))


_READ = Latest(16)
