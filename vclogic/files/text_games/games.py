"""Rulebooks in Markdown as games: of a file, whose name stands for its game, or of an installed package."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from vclogic.errors import Diagnostic, InputError, quoted
from vclogic.files.source import Stamp, note, of_package, read_text, receive, stamp
from vclogic.files.text_games.functions import PYTHON, beside, installed, is_trusted, module_of
from vclogic.files.text_games.maps import as_map, read_map_book
from vclogic.model.citation import RuleText, is_watched
from vclogic.model.memoized import Latest
from vclogic.model.system import Encoding, Settings, System
from vclogic.rulebook.declarations import Choice, LeftOut
from vclogic.rulebook.markdown.book import Book, Parsed, read_book
from vclogic.triplea.naming import MAP

if TYPE_CHECKING:  # few rulebooks are maps, and of most no rule set is made
    from vclogic.rulebook.rules import Made
    from vclogic.triplea.book import MapBook

MOST_INCLUDED = 20
_SETTINGS = 4
Kept = Latest[tuple[object, ...], tuple[tuple[object, ...], "Made"]]
"""Rule sets by their settings, each with what its rules rest on."""
_READ: Latest[str, Rulebook]


@dataclass(frozen=True)
class NoBoard:
    """The board of a rulebook's game, which stands in the rulebook itself."""


class Packaged(NamedTuple):
    """The installed game whose text a rulebook is.

    Attributes:
        name: The game.
        package: Its package.
    """

    name: str
    package: str


@dataclass(frozen=True)
class Rulebook:
    """A rulebook as a game.

    Attributes:
        encoding: The game.
        book: What its file holds.
        stamps: The files that it was read from, with their times.
        texts: Their texts.
        map: The map of TripleA that it was made from; None: it is no map.
        made: The rule sets under its latest settings, each with what its rules rest on.
    """

    encoding: Encoding
    book: Book
    stamps: Mapping[str, Stamp | None]
    texts: Mapping[str, str]
    map: MapBook | None = None
    made: Kept = field(default_factory=lambda: Latest(_SETTINGS), compare=False, repr=False)

    @property
    def left_out(self) -> frozenset[str]:
        """The numbers of sentences that no line says, as a line tells: an example, or what a record says."""
        said, out = set[str](), set[str]()
        for source in self.book.sources:
            for line in source.lines:
                clauses = {c.clause for c in source.cites(line)}
                (out if isinstance(line.content, LeftOut) else said).update(clauses)
        return frozenset(out - said)

    @property
    def needs_a_board(self) -> bool:
        """True if it takes from a board what no board gives that it includes."""
        return self.book.board is None and any(not key.default for key in self.book.form.keys.values())


def rulebook(path: str, packaged: Packaged | None = None) -> Rulebook:
    """The rulebook in a file; read again when it, or one that it includes, has been saved anew.

    Args:
        path: The file.
        packaged: The installed game whose text it is; None: it is a game by itself.

    Raises:
        InputError: It cannot be read, or everything in its blocks that is wrong.
    """
    key = f"{os.path.abspath(path)} {packaged or is_trusted()}"
    known = _READ.find(key)
    if known is not None and known.book.file == path and all(stamp(f) == was for f, was in known.stamps.items()):
        for file in known.stamps:
            note(file)
        return known
    reading = _Reading(os.path.dirname(path), packaged, {} if known is None else known.book.parsed)
    book, maps = reading.book(path), reading.maps
    kept: Kept = Latest(_SETTINGS) if known is None else known.made
    text = RuleText(os.path.basename(path) if packaged else path, book.page.title or os.path.basename(path))
    text.functions = [s.cited(at) for s in book.sources for at in s.lines if not isinstance(at.content, Choice)]
    readings, options = book.choices

    def build(board: object, settings: Settings) -> System:
        system = _made(book, settings, kept, board)
        return as_map(system, maps[path]) if path in maps else system

    form = NoBoard if book.form.is_empty else book.form.board
    name = path if packaged is None else packaged.name
    encoding = Encoding(name, text.title, (text,), options, readings, form, book.flaws, build, version=reading.digest)
    if path in maps:  # what its conditions say is told by their own faults
        encoding = replace(encoding, codes=("VC9",))
    return _READ.put(key, Rulebook(encoding, book, reading.stamps, reading.texts, maps.get(path), kept))


def _made(book: Book, settings: Settings, kept: Kept, board: object) -> System:
    """The rule set of a rulebook: that of its last text, if no line has changed, with the sentences of this one."""
    from vclogic.rulebook.rules import made  # a list of games needs none of it

    if is_watched() or any(s.modules for s in book.sources):  # lines are looked at, or rest on what runs elsewhere
        return made(book, settings, board).system
    if book.choices[0]:  # it shows which Readings it looks up
        return _under_readings(book, settings, kept, board)
    key, said = (*settings.options.items(), settings.without), (*book.said, repr(board))
    before = kept.find(key)
    found = before[1].retold(book) if before is not None and before[0] == said else made(book, settings, board)
    kept.put(key, (said, found))
    return found.system


def _under_readings(book: Book, settings: Settings, kept: Kept, board: object) -> System:
    """The rule set of a rulebook under some Readings: what is the same under those before is not made once more."""
    from vclogic.rulebook.rules import made

    key = (*settings.options.items(), settings.without)
    before = kept.find(key)
    if before is not None and before[0][0] is book and before[0][1] == board:
        return made(book, settings, board, before[1].base).system
    found = made(book, settings, board)
    if found.base is not None:
        kept.put(key, ((book, board), found))
    return found.system


def forget() -> None:
    """Read rulebooks anew, also where their files have not changed."""
    global _READ
    _READ = Latest(_KEPT)


def sent_rulebook(name: str, texts: Mapping[str, str]) -> str:
    """The name in this process of a rulebook that another process sent: its own where the same file is here.

    Args:
        name: Its name there.
        texts: The texts of its files there, by their names.
    """
    folder = os.path.dirname(name)
    if all(stamp(file) and read_text(file).text == text for file, text in texts.items()):
        return name
    digest = sha256(repr(sorted(texts.items())).encode()).hexdigest()[:12]
    here = os.path.join(folder, f"sent-{digest}")
    for file, text in texts.items():
        receive(os.path.join(here, os.path.relpath(file, folder or os.curdir)), text)
    return os.path.join(here, os.path.basename(name))


class _Reading:
    """Reads a rulebook with all that it includes.

    Args:
        folder: The folder of its file.
        packaged: The installed game whose text it is, or None.
        parsed: Blocks that were parsed before.

    Attributes:
        stamps: The files that were read, with their times.
        texts: Their texts.
        maps: The maps of TripleA among them.
    """

    def __init__(self, folder: str, packaged: Packaged | None, parsed: Parsed):
        self._folder, self._packaged, self._parsed = folder, packaged, parsed
        self.stamps: dict[str, Stamp | None] = {}
        self.texts: dict[str, str] = {}
        self.maps: dict[str, MapBook] = {}

    @property
    def digest(self) -> str:
        """A digest of the texts, the same wherever their folder is."""
        here = self._folder or os.curdir
        texts = sorted((os.path.relpath(f, here).replace(os.sep, "/"), text) for f, text in self.texts.items())
        return sha256(repr(texts).encode()).hexdigest()

    def book(self, path: str, around: tuple[str, ...] = ()) -> Book:
        """The rulebook in a file.

        Args:
            path: The file.
            around: The files that include it, the outermost first.

        Raises:
            InputError: It cannot be read, or everything in its blocks that is wrong.
        """
        name = os.path.normpath(path)
        if name in around or len(self.stamps) > MOST_INCLUDED:
            message = f"rulebooks include each other: {' includes '.join((*around, name))}"
            raise InputError(Diagnostic("circle", message, help="let one of them stand by itself"))
        text = self._text(path)
        if path.endswith(MAP):
            self.maps[path] = read_map_book(path, text, self.stamps, self.texts)
            text = self.maps[path].text()
        folder = os.path.dirname(path)

        def include(other: str) -> Book:
            return self.book(_beside(folder, other), (*around, name))

        def board(other: str) -> str:
            file = _beside(folder, other)
            self._text(file)
            return file

        return read_book(text, path, include, lambda named: self._module(folder, named), board, self._parsed)

    def _text(self, path: str) -> str:
        """The text of a file, which is noted.

        Raises:
            InputError: It cannot be read.
        """
        if self._packaged is not None:
            if not os.path.isfile(path):
                message = f"the package {self._packaged.package} has no file {quoted(path)}"
                raise InputError(Diagnostic("no-such-file", message, help=_LEFT_OUT))
            of_package(path)
        self.stamps[path] = stamp(path)
        self.texts[path] = read_text(path).text
        return self.texts[path]

    def _module(self, folder: str, named: str) -> ModuleType:
        """A module of Python that a rulebook names.

        Raises:
            InputError: It may not be run, or cannot be.
        """
        if not named.endswith(PYTHON):
            return installed(named)
        file = _beside(folder, named)
        if self._packaged is not None:  # whoever installed the package trusts it
            steps = os.path.relpath(file, self._folder or os.curdir).removesuffix(PYTHON).split(os.sep)
            return module_of(".".join((self._packaged.package, *steps)))
        found = beside(file)
        self.stamps[file] = stamp(file)
        return found


_LEFT_OUT = "see that the project of the game installs it, as it installs the text that includes it"


def map_book(path: str) -> MapBook:
    """A map of TripleA as a rulebook.

    Raises:
        InputError: It cannot be read, or everything in it that the engine refuses.
    """
    found = rulebook(path).map
    assert found is not None, f"{path} is a map"
    return found


def _beside(folder: str, other: str) -> str:
    """The path of a file that a rulebook names.

    Raises:
        InputError: It lies elsewhere than in the folder, or below it.
    """
    path = os.path.join(folder, other)
    inside, here = (os.path.realpath(p) for p in (path, folder or os.curdir))
    if os.path.isabs(other) or os.path.commonpath((inside, here)) != here:
        help = "keep both in one folder: a rulebook reads no file of another"
        raise InputError(
            Diagnostic("no-such-file", f"{quoted(other)} is not in the folder of the rulebook", help=help)
        )
    return path


_KEPT = 16
_READ = Latest(_KEPT)
