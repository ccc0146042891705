"""The games by name: installed encodings with the data files in their folders, and rulebooks in Markdown files."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from vclogic.errors import Diagnostic, InputError, RulesError, did_you_mean
from vclogic.files.blame import their_code
from vclogic.files.source import Source, decode, outside, receive
from vclogic.model.system import Encoding
from vclogic.triplea.naming import MAP

if TYPE_CHECKING:  # an installed game is played without the rulebooks
    from importlib.metadata import EntryPoint

    from vclogic.files.rulebook.games import Rulebook
    from vclogic.files.trees.located import Node
    from vclogic.rulebook.markdown.book import BoardBlock

GROUP = "vclogic.encodings"
OWN = "vclogic_encodings"
"""The package of vclogic's own games; those of others are found by their entry points, of the group above."""
SCENARIOS = "scenarios"
CASES = "cases"
_BROKEN = "broken-encoding"
_YAML = ".yaml"
RULEBOOK, ZIP = ".md", ".zip"
"""What the names of files end with that are rulebooks, and of zips of a map of TripleA, which becomes one."""


_elsewhere: dict[str, str] = {}


def is_rulebook(name: str) -> bool:
    """True if the name of a game is that of a file that is a rulebook, or becomes one."""
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


def rulebook_named(name: str) -> Rulebook:
    """The rulebook that is a game."""
    return _rulebook(name)


def _rulebook(name: str) -> Rulebook:
    from vclogic.files.rulebook.games import rulebook

    return rulebook(_elsewhere.get(name, name))


def texts_of(name: str) -> tuple[tuple[str, str], ...]:
    """The texts of a rulebook's files, by their names, for another process; none of an installed game."""
    return tuple(_rulebook(name).texts.items()) if is_rulebook(name) else ()


def named_here(name: str, texts: tuple[tuple[str, str], ...]) -> str:
    """The name in this process of a game that another process sent with its texts."""
    if not texts:
        return name
    from vclogic.files.rulebook.games import sent_rulebook

    return sent_rulebook(name, dict(texts))


def encoding_names() -> tuple[str, ...]:
    """The sorted names of the installed encodings, without loading them."""
    return tuple(sorted(_registered()))


def is_installed(name: str) -> bool:
    """True if there is an installed encoding of this name."""
    return _own(name) is not None or name in _registered()


def load_encoding(name: str) -> Encoding:
    """Load an installed encoding: `ENCODING` of the module `encoding` of its package, or else of the module `rules`.

    Raises:
        InputError: There is none of that name (with near names), or its package cannot be loaded (with the
            cause chained).
    """
    if is_rulebook(name):
        return _rulebook(name).encoding
    package = _package(name)
    module = f"{package}.rules"
    try:
        with their_code(name, f"loaded from {package}"):
            if find_spec(f"{package}.encoding"):
                module = f"{package}.encoding"
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
    if is_rulebook(name):
        files = _rulebook(name).files
        if path not in files:
            raise InputError(Diagnostic("no-such-file", f"a rulebook has no file {path!r}", name))
        return Source(name, files[path])
    file = os.path.join(_folder(name), *path.split("/"))
    shown = _shown(file)
    try:
        with open(file, "rb") as opened:
            return decode(shown, opened.read())
    except OSError as error:
        message = f"the game {name!r} has no file {path!r}"
        raise InputError(Diagnostic("no-such-file", message, shown)) from error


def lacks_board(name: str) -> bool:
    """True if a game is a rulebook that is played on a board and includes none."""
    return is_rulebook(name) and _rulebook(name).needs_a_board


def board_of(name: str) -> str | BoardBlock | None:
    """The board that a rulebook has, a file or a block; None: it has none, or it is an installed game.

    Raises:
        InputError: It cannot be played without a board, and has none.
    """
    if not is_rulebook(name):
        return None
    book = _rulebook(name)
    if lacks_board(name):
        keys = ", ".join(key for key, said in book.book.form.keys.items() if not said.default)
        help = f"name a board with {keys} in a position: game: {os.path.basename(name)}, board: FILE.yaml"
        raise InputError(
            Diagnostic("no-board", "this rulebook is played on a board, and has none of its own", name, help=help)
        )
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
    return path in _rulebook(name).files if is_rulebook(name) else os.path.isfile(os.path.join(_folder(name), path))


@contextmanager
def read_elsewhere(name: str, place: str) -> Iterator[None]:
    """Within the block, a game is read from another package, or a rulebook from another file: another version."""
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
    """The scenarios of an encoding, sorted: its files `scenarios/NAME.yaml`.

    Raises:
        InputError: There is no such encoding, or its package cannot be loaded.
    """
    if is_rulebook(name):
        files = _rulebook(name).files
        return tuple(f.removeprefix(f"{SCENARIOS}/").removesuffix(_YAML) for f in files if f.startswith(SCENARIOS))
    return _stems(name, SCENARIOS)


def case_sources(name: str) -> tuple[Callable[[], Node], ...]:
    """The readers of an encoding's files of rulings, or of the rulings of a rulebook.

    Raises:
        InputError: There is no such encoding, or its package cannot be loaded.
    """
    from vclogic.files.trees.nodes import parse  # a game is played without its rulings

    return tuple(lambda file=file: parse(data_source(name, file)) for file in case_files(name))


def case_files(name: str) -> tuple[str, ...]:
    """The files with an encoding's rulings, sorted, as paths for `data_source`.

    Raises:
        InputError: There is no such encoding, or its package cannot be loaded.
    """
    return tuple(f"{CASES}/{stem}{_YAML}" for stem in _stems(name, CASES))


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


def _broken(name: str, reason: str) -> Diagnostic:
    help = "this is a mistake in the installed package, not in your files"
    return Diagnostic(_BROKEN, f"the encoding {name!r} is broken: {reason}", help=help)
