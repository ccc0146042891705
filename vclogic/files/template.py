"""Write a small complete game for a designer's own: a rulebook, or a project of one that is text or Python."""

from __future__ import annotations

import keyword
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec

from vclogic.errors import Diagnostic, InputError, quoted, shortened
from vclogic.files.output import unwritable, write_text
from vclogic.files.registry import encoding_names

_NAME, _TITLE = "my_game", "My game"  # as the template has them
_VALID = re.compile(r"[a-z][a-z0-9_]*", re.ASCII)
_SHARED = ("pyproject.toml", "__init__.py", "test_my_game.py")
"""The files that a project has, however its rules are written."""
_FILE = re.compile(r"\w[\w -]*")


@dataclass(frozen=True)
class NewGame:
    """A game that was written.

    Attributes:
        name: Its name.
        folder: The folder of the project, or the one that holds the rulebook; empty: the working directory.
        files: Its files, as paths in it.
    """

    name: str
    folder: str
    files: tuple[str, ...]

    @property
    def rulebook(self) -> str | None:
        """The file of the rulebook; None: the game is a project."""
        return os.path.join(self.folder, self.files[0]) if len(self.files) == 1 else None


def write_rulebook(name: str, folder: str | None = None) -> NewGame:
    """Writes a small complete rulebook, to be changed into a game of one's own; nothing is overwritten.

    Args:
        name: The game's name; its file is called so, with `.md`.
        folder: The folder to write into; None: the working directory.

    Raises:
        InputError: The name is none for a file, or the file cannot be written.
    """
    name = name.removesuffix(".md")
    if not _FILE.fullmatch(name):
        help = "write letters, digits, blanks, - and _, such as my_game; --folder PATH says where"
        raise InputError(Diagnostic("bad-name", f"{quoted(name)} is no name for a game", help=help))
    found = NewGame(name, folder or "", (f"{name}.md",))
    path = os.path.join(found.folder, *found.files)
    reason = "it is there already" if os.path.lexists(path) else unwritable(path)
    if reason is not None:
        help = "choose another name, or another folder: vclogic new NAME --folder PATH"
        raise InputError(Diagnostic("cannot-write", f"{quoted(path)} is not written: {reason}", help=help))
    write_text(path, _with_title(files("vclogic") / "templates" / "rulebook.md", name))
    return found


def write_game(name: str, folder: str | None = None, *, text: bool = False) -> NewGame:
    """Writes the project of a small complete game, to be changed into one's own.

    Either the folder is there with all its files, or nothing is.

    Args:
        name: The game's name, which is also that of its package.
        folder: The folder to make; None: the name, in the working directory.
        text: Whether its rules are text, a rulebook; else they are in Python.

    Raises:
        InputError: All that is wrong with the name and the folder, or the folder cannot be written.
    """
    folder = os.path.normpath(name if folder is None else folder)
    wrong = [*_wrong_name(name), *_wrong_folder(folder, f"vclogic new {'--package' if text else '--python'} {name}")]
    if wrong:
        raise InputError(wrong)
    contents = dict(_filled(name, text=text))
    try:
        _write(folder, contents)
    except (OSError, ValueError) as error:  # ValueError: a name with a NUL
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        help = (
            f"name another folder: vclogic new {'--package' if text else '--python'} {shortened(name)} --folder PATH"
        )
        raise InputError(
            Diagnostic("cannot-write", f"{quoted(folder)} cannot be written: {reason}", help=help)
        ) from error
    return NewGame(name, folder, tuple(contents))


def _wrong_name(name: str) -> Iterator[Diagnostic]:
    if not _VALID.fullmatch(name) or keyword.iskeyword(name):
        help = "write small letters, digits and _, a letter first, such as my_game; no word of Python itself"
        yield Diagnostic("bad-name", f"{quoted(name)} is no name for a game", help=help)
    elif name in encoding_names():
        yield Diagnostic("bad-name", f"there is a game {quoted(name)} already", help="`vclogic games` lists them")
    elif find_spec(name) is not None:
        help = "choose another name: Python could not tell the two apart"
        yield Diagnostic("bad-name", f"{quoted(name)} is the name of something else in Python already", help=help)


def _wrong_folder(folder: str, command: str) -> Iterator[Diagnostic]:
    above = os.path.dirname(folder) or "."
    if os.path.lexists(folder):
        help = f"name another one: {command} --folder PATH"
        yield Diagnostic("folder-exists", f"{quoted(folder)} is there already; nothing was written", help=help)
    elif not os.path.isdir(above):
        help = f"make it first, or name another one: {command} --folder PATH"
        yield Diagnostic("no-such-folder", f"there is no folder {quoted(above)} to write into", help=help)


def _filled(name: str, *, text: bool) -> Iterator[tuple[str, str]]:
    """Path and text of each file of the template, with the game's own name in both."""
    templates = files("vclogic") / "templates"
    found = dict(_walked(templates / "game", ""))
    if text:
        shared = {path: file for path, file in found.items() if path.endswith(_SHARED)}
        found = {
            **shared,
            **dict(_walked(templates / "package", "")),
            f"{_NAME}/{_NAME}.md": templates / "rulebook.md",
        }
    for path, file in found.items():
        yield path.replace(_NAME, name), _with_title(file, name)


def _with_title(file: Traversable, name: str) -> str:
    text, title = file.read_text(encoding="utf-8"), name.replace("_", " ")
    return text.replace(_NAME, name).replace(_TITLE, title[:1].upper() + title[1:])


def _walked(folder: Traversable, before: str) -> Iterator[tuple[str, Traversable]]:
    for item in sorted(folder.iterdir(), key=lambda f: f.name):
        if item.is_dir() and item.name != "__pycache__":
            yield from _walked(item, f"{before}{item.name}/")
        elif item.is_file():
            yield before + item.name, item


def _write(folder: str, contents: dict[str, str]) -> None:
    """All files into a temporary folder beside the new one, which gets its name at last."""
    above, last = os.path.split(folder)
    temporary = tempfile.mkdtemp(prefix=f".{last}-", dir=above or ".")
    try:
        for path, text in contents.items():
            file = os.path.join(temporary, *path.split("/"))
            os.makedirs(os.path.dirname(file), exist_ok=True)
            with open(file, "w", encoding="utf-8", newline="\n") as stream:
                stream.write(text)
        os.chmod(temporary, 0o777 & ~_umask())
        os.rename(temporary, folder)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise


def _umask() -> int:
    """The process's umask, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
