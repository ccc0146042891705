"""The games by name: those that are installed, with the files of their folders, and rulebooks in Markdown files.

An installed game is written in Python or, where its folder has `NAME.md`, as text.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from os.path import isfile
from typing import TYPE_CHECKING

from vclogic.errors import Diagnostic, InputError, RulesError, did_you_mean
from vclogic.files.blame import their_code
from vclogic.files.source import Source, decode, outside, receive
from vclogic.model.system import Encoding
from vclogic.triplea.naming import MAP

if TYPE_CHECKING:  # an installed game is played without the rulebooks
    from importlib.metadata import EntryPoint

    from vclogic.files.text_games.games import Rulebook
    from vclogic.files.trees.located import Node
    from vclogic.rulebook.markdown.book import BoardBlock

GROUP = "vclogic.encodings"
OWN = "vclogic_encodings"
"""The package of vclogic's own games; those of others are found by their entry points, of the group above."""
SCENARIOS = "scenarios"
CASES = "cases"
BOARD = "board.yaml"
"""The board of a scenario that names none."""
START = "start"
"""The scenario of a text that has no file of one."""
_BROKEN = "broken-encoding"
_YAML = ".yaml"
_INIT = "__init__.py"
RULEBOOK, ZIP = ".md", ".zip"
"""What the names of files end with that are rulebooks, and of zips of a map of TripleA, which becomes one."""
CODE = ("encoding", "rules")
"""The modules of which one holds a game that is written in Python."""


_elsewhere: dict[str, str] = {}


def is_file(name: str) -> bool:
    """True if the name of a game is that of a file, which is a rulebook or becomes one; it is not installed."""
    return name.endswith((RULEBOOK, MAP))


def rulebook_file(game: str) -> tuple[str, str] | None:
    """The file of a rulebook, and what stands behind it such as `/start`; None: it is the word for another game."""
    for ending in (RULEBOOK, MAP):
        book, found, inside = game.rpartition(ending)
        if found and (not inside or inside.startswith("/")):
            return book + found, inside
    if game.endswith(ZIP) or os.path.isdir(game):
        return _packed_map(game)
    return None


def _packed_map(game: str) -> tuple[str, str] | None:
    """The XML file of a map's folder or zip."""
    from vclogic.triplea.folder import map_in_folder, map_in_zip  # few games are maps

    if os.path.isdir(game):
        found = None if outside(game) else map_in_folder(game)
        return None if found is None else (found, "")
    packed = None if outside(game) or not os.path.isfile(game) else map_in_zip(game)
    if packed is None:
        return None
    for file, text in packed[1].items():
        receive(file, text)
    return packed[0], ""


def rulebook_of(name: str) -> Rulebook | None:
    """The text that a game is written as; None: it is written in Python.

    Raises:
        InputError: There is no such game, or everything that is wrong with its text.
    """
    if not is_text(name):
        return None
    from vclogic.files.text_games.games import Packaged, rulebook  # a game in Python is played without it

    if is_file(name):
        return rulebook(_elsewhere.get(name, name))
    return rulebook(_text_file(name), Packaged(name, _package(name)))


def is_text(name: str) -> bool:
    """True if a game is written as text: it is a rulebook's file, or an installed game with `NAME.md`.

    Raises:
        InputError: There is no such game, or its package cannot be loaded, or is written in both ways.
    """
    if is_file(name):
        return True
    if not is_packaged(name, f"{name}{RULEBOOK}"):
        return False
    text, code = _text_file(name), code_in(_folder(name))
    if code is not None and _has_rules(text):
        help = f"a game is written once: take {os.path.basename(text)} or {code} out of the folder"
        raise InputError(replace(_broken(name, f"{text} and {code} both hold its rules"), help=help))
    return code is None


def code_in(folder: str) -> str | None:
    """The name of the module in a folder that holds a game in Python; None: it has none."""
    files = ((m, os.path.join(folder, m)) for m in CODE)
    return next((f"{m}.py" for m, file in files if isfile(f"{file}.py") or isfile(os.path.join(file, _INIT))), None)


def _text_file(name: str) -> str:
    """The file that an installed game has if it is written as text."""
    return _shown(os.path.join(_folder(name), f"{name}{RULEBOOK}"))


def _has_rules(file: str) -> bool:
    """True if a file of Markdown has a block of rules; else it only tells of the game."""
    with open(file, "rb") as opened:
        return re.search(rb"(?m)^ {0,3}```vclogic\s*$", opened.read()) is not None


def texts_of(name: str) -> tuple[tuple[str, str], ...]:
    """The texts of a rulebook's files, by their names, for another process; none of an installed game."""
    book = rulebook_of(name) if is_file(name) else None
    return () if book is None else tuple(book.texts.items())


def named_here(name: str, texts: tuple[tuple[str, str], ...]) -> str:
    """The name in this process of a game that another process sent with its texts."""
    if not texts:
        return name
    from vclogic.files.text_games.games import sent_rulebook

    return sent_rulebook(name, dict(texts))


def encoding_names() -> tuple[str, ...]:
    """The sorted names of the installed encodings, without loading them."""
    return tuple(sorted(_registered()))


def is_installed(name: str) -> bool:
    """True if there is an installed encoding of this name."""
    return _own(name) is not None or name in _registered()


def load_encoding(name: str) -> Encoding:
    """Load a game: its text, or else `ENCODING` of the module `encoding` of its package, or of the module `rules`.

    Raises:
        InputError: There is none of that name (with near names), everything that is wrong with its text, or its
            package cannot be loaded (with the cause chained).
    """
    if (book := rulebook_of(name)) is not None:
        return book.encoding
    package = _package(name)
    module = f"{package}.{CODE[1]}"
    try:
        with their_code(name, f"loaded from {package}"):
            if find_spec(f"{package}.{CODE[0]}"):
                module = f"{package}.{CODE[0]}"
            elif not find_spec(module):
                raise InputError(_nothing(name, package))
            encoding = import_module(module).ENCODING
    except RulesError as error:
        raise InputError(replace(error.diagnostic, code=_BROKEN)) from error.__cause__
    if not isinstance(encoding, Encoding):
        raise InputError(_broken(name, f"'{module}.ENCODING' is no vclogic Encoding"))
    return encoding


def data_source(name: str, path: str) -> Source:
    """The text of a data file of an encoding.

    Args:
        name: The encoding.
        path: The file in its folder, with `/`, such as `scenarios/revised-1942.yaml`.

    Raises:
        InputError: There is no such file, or it is not UTF-8 text.
    """
    if is_file(name):
        made = _made(name, path)
        if made is None:
            raise InputError(Diagnostic("no-such-file", f"a rulebook has no file {path!r}", name))
        return Source(name, made)
    file = os.path.join(_folder(name), *path.split("/"))
    shown = _shown(file)
    try:
        with open(file, "rb") as opened:
            return decode(shown, opened.read())
    except OSError as error:
        made = _made(name, path)
        if made is not None:
            return Source(_text_file(name), made)
        message = f"the game {name!r} has no file {path!r}"
        raise InputError(Diagnostic("no-such-file", message, shown)) from error


def _made(name: str, path: str) -> str | None:
    """The content of a file that a text has without its being there: its only scenario, or an empty board."""
    scenario = f"{SCENARIOS}/{START}{_YAML}"
    if path not in (scenario, BOARD) or (book := rulebook_of(name)) is None:
        return None
    if path == BOARD:
        return "{}\n"
    title = " ".join(book.encoding.title.split()).replace('"', "'")
    return f'title: "{title}"\n' if START in scenario_names(name) else None


def lacks_board(name: str) -> bool:
    """True if a game is played on a board and comes with none: a text of rules alone."""
    book = rulebook_of(name)
    alone = is_file(name) or not (_stems(name, SCENARIOS) or is_packaged(name, BOARD))
    return book is not None and book.needs_a_board and alone


def board_of(name: str) -> str | BoardBlock | None:
    """The board that a text has, a file or a block; None: it has none, or the game is written in Python.

    Raises:
        InputError: It cannot be played without a board, and has none.
    """
    book = rulebook_of(name)
    if book is None:
        return None
    if book.needs_a_board:
        keys = ", ".join(key for key, said in book.book.form.keys.items() if not said.default)
        help = f"name a board with {keys} in a position: game: {os.path.basename(name)}, board: FILE.yaml"
        message = "this rulebook is played on a board, and has none of its own"
        raise InputError(Diagnostic("no-board", message, book.book.file, help=help))
    return book.book.board


def installed_files(name: str) -> Iterator[str]:
    """The files of an installed game's folder, in their order: code and data.

    Raises:
        InputError: There is no such encoding, or its package cannot be loaded.
    """
    for folder, inside, found in os.walk(_folder(name)):
        inside[:] = sorted(n for n in inside if n != "__pycache__")
        yield from (os.path.join(folder, n) for n in sorted(found))


def has_file(name: str, path: str) -> bool:
    """True if an encoding has a file in its folder.

    Raises:
        InputError: There is no such encoding, or its package cannot be loaded.
    """
    return is_packaged(name, path) or _made(name, path) is not None


def is_packaged(name: str, path: str) -> bool:
    """True if a file is in the folder of an installed game.

    Raises:
        InputError: There is no such game, or its package cannot be loaded.
    """
    return not is_file(name) and isfile(os.path.join(_folder(name), path))


@contextmanager
def read_elsewhere(name: str, place: str) -> Iterator[None]:
    """Within the block, an installed game is read from another package, a rulebook's file from another one."""
    _elsewhere[name] = place
    try:
        yield
    finally:
        del _elsewhere[name]


def package_of(name: str) -> str:
    """The package of an installed game.

    Raises:
        InputError: There is no such game.
    """
    return _package(name)


def folder_of(name: str) -> str:
    """The folder of an installed game.

    Raises:
        InputError: There is no such game, or its package cannot be loaded.
    """
    return _folder(name)


def packages() -> tuple[str, ...]:
    """The packages of the installed encodings."""
    return tuple(point.module for point in _registered().values())


def scenario_names(name: str) -> tuple[str, ...]:
    """The scenarios of a game, sorted: its files `scenarios/NAME.yaml`; a text without one has the scenario `start`.

    Raises:
        InputError: There is no such encoding, or its package cannot be loaded.
    """
    own = () if is_file(name) else _stems(name, SCENARIOS)
    return own or ((START,) if is_text(name) else ())


def case_sources(name: str) -> tuple[Callable[[], Node], ...]:
    """The readers of a game's files of rulings.

    Raises:
        InputError: There is no such encoding, or its package cannot be loaded.
    """
    from vclogic.files.trees.nodes import parse  # a game is played without its rulings

    return tuple(lambda file=file: parse(data_source(name, file)) for file in case_files(name))


def case_files(name: str) -> tuple[str, ...]:
    """The files with a game's rulings, sorted, as paths for `data_source`; a rulebook's file has none beside it.

    Raises:
        InputError: There is no such encoding, or its package cannot be loaded.
    """
    return () if is_file(name) else tuple(f"{CASES}/{stem}{_YAML}" for stem in _stems(name, CASES))


def owner_of(file: str) -> str | None:
    """The installed encoding among whose rulings a file is; None: it is nobody's."""
    folder = os.path.realpath(os.path.dirname(file) or ".")
    if os.path.basename(folder) != CASES:
        return None
    found = (name for name in encoding_names() if os.path.realpath(os.path.join(_folder(name), CASES)) == folder)
    return next(found, None)


@functools.cache
def _registered() -> Mapping[str, EntryPoint]:
    """The installed games. One of our own is found without what reads metadata of packages, a tenth of `status`."""
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=GROUP)}


def _package(name: str) -> str:
    if not is_installed(name):
        near = did_you_mean(name, encoding_names()) or "no encoding is installed"
        raise InputError(Diagnostic("unknown-game", f"there is no game {name!r}", help=near))
    return _elsewhere.get(name) or _own(name) or _registered()[name].module


@functools.cache
def _own(name: str) -> str | None:
    """The package of one of vclogic's own games; None: it is none of them."""
    package = f"{OWN}.{name}"
    found = find_spec(package) if name.isidentifier() and find_spec(OWN) else None
    return package if found is not None and found.origin is not None else None


def _folder(name: str) -> str:
    package = _package(name)
    try:
        return os.path.abspath(next(iter(import_module(package).__path__)))
    except (Exception, SystemExit) as error:
        reason = f"{type(error).__name__}: {error}"
        raise InputError(_broken(name, f"its package {package!r} cannot be loaded ({reason})")) from error


def _stems(name: str, folder: str) -> tuple[str, ...]:
    inside = os.path.join(_folder(name), folder)
    names = os.listdir(inside) if os.path.isdir(inside) else ()
    return tuple(sorted(n.removesuffix(_YAML) for n in names if n.endswith(_YAML)))


def _shown(file: str) -> str:
    """A file's name for messages: relative to the working directory if it is below it."""
    try:
        return file.removeprefix(os.path.join(os.getcwd(), ""))
    except OSError:  # the working directory is gone
        return file


def _nothing(name: str, package: str) -> Diagnostic:
    """The report for a package without rules, with the text in it that may be meant."""
    folder = _folder(name)
    texts = [f for f in sorted(os.listdir(folder)) if f.endswith(RULEBOOK) and f != f"README{RULEBOOK}"]
    found = (f for f in texts if isfile(os.path.join(folder, f)) and _has_rules(os.path.join(folder, f)))
    other = next(found, None)
    rules = f"{name}{RULEBOOK}, {CODE[0]}.py or {CODE[1]}.py"
    help = f"rename {other} to {name}{RULEBOOK}" if other else "is it left out of what its project installs?"
    return replace(_broken(name, f"its package {package!r} has no {rules}"), help=help)


def _broken(name: str, reason: str) -> Diagnostic:
    help = "this is a mistake in the installed package, not in your files"
    return Diagnostic(_BROKEN, f"the encoding {name!r} is broken: {reason}", help=help)
