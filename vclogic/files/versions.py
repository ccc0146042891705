"""Another version of a game's rules: of a revision in git, in a folder, or in a file."""

from __future__ import annotations

import ast
import io
import os
import sys
import tarfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from itertools import count
from tempfile import TemporaryDirectory
from types import CodeType, ModuleType
from typing import TYPE_CHECKING

from vclogic.child_process import output_of
from vclogic.errors import Diagnostic, InputError, quoted
from vclogic.files.registry import CODE, RULEBOOK, code_in, folder_of, is_file, package_of, read_elsewhere
from vclogic.files.trees.nodes import read_node

if TYPE_CHECKING:
    from vclogic.files.setup import Setup

_OPTION = "--against"
_numbers = count(1)


@dataclass(frozen=True)
class GameVersion:
    """The source of another version of a game.

    Attributes:
        label: What it is called.
        game: The rulebook or position file to load instead of the game; None: the same name.
        beside: A file with rules as text that is laid over the game instead of others; None: the others.
        name: The game that is read from elsewhere.
        place: The package or the rulebook's file there; None: it is not read from elsewhere.
        folder: A folder in which files were put for this; they are called as in the revision.
    """

    label: str
    game: str | None = None
    beside: str | None = None
    name: str = ""
    place: str | None = None
    folder: str = ""

    @contextmanager
    def read(self) -> Iterator[None]:
        """Within the block the game is loaded from there.

        Raises:
            InputError: What is wrong with that version; its files are called as in the revision.
        """
        try:
            if self.place is None:
                yield
            else:
                with read_elsewhere(self.name, self.place):
                    yield
        except InputError as error:
            raise InputError(self._called(d) for d in error.diagnostics) from error

    def _called(self, d: Diagnostic) -> Diagnostic:
        if not self.folder or self.folder not in f"{d.file}{d.message}":
            return d
        file = d.file and d.file.replace(self.folder + os.sep, f"{self.label}:")
        return replace(d, file=file, message=d.message.replace(self.folder + os.sep, f"{self.label}:"))


@contextmanager
def another_version(setup: Setup, against: str) -> Iterator[GameVersion]:
    """Another version of a game, for as long as the block takes.

    Args:
        setup: The game.
        against: A file, a folder, or a revision in git of the folder in which the game's rules are.

    Raises:
        InputError: There is none.
    """
    name = setup.request.name
    if os.path.isfile(against):
        yield _in_file(against)
    elif os.path.isdir(against):
        with _in_folder(name, against, os.path.basename(os.path.abspath(against))) as found:
            yield found
    else:
        with TemporaryDirectory(prefix="vclogic-") as folder:
            inside = _checked_out(name, against, os.path.realpath(folder))
            with _in_folder(name, inside, against) as found:
                yield replace(found, folder=os.path.realpath(folder))


def _in_file(file: str) -> GameVersion:
    if is_file(file):
        return GameVersion(file, game=file)
    tree = read_node(file).tree
    named = isinstance(tree, dict) and "game" in tree
    return GameVersion(file, game=file) if named else GameVersion(file, beside=file)


@contextmanager
def _in_folder(name: str, folder: str, label: str) -> Iterator[GameVersion]:
    """The version of a rulebook, or of an installed game, in a folder."""
    if is_file(name):
        file = os.path.join(folder, os.path.basename(name))
        if not os.path.isfile(file):
            message = f"{quoted(folder)} has no {os.path.basename(name)}"
            raise InputError(Diagnostic("no-such-file", message, _OPTION, help="name a folder that has one"))
        yield GameVersion(f"{name} of {label}", name=name, place=file)
        return
    package = package_of(name)
    path = package.split(".")
    places = [folder, *(os.path.join(folder, *path[i:]) for i in range(len(path)))]
    rules = (f"{name}{RULEBOOK}", *(f"{module}.py" for module in CODE))
    found = next((p for p in places if os.path.isfile(os.path.join(p, rules[0])) or code_in(p)), None)
    if found is None:
        message = f"{quoted(folder)} has no rules of {name}: no {', '.join(rules[:-1])} or {rules[-1]}"
        raise InputError(Diagnostic("no-such-file", message, _OPTION, help=f"name the folder of another {name}"))
    finder = _Elsewhere(package, f"{package}_{next(_numbers)}", found)
    sys.meta_path.insert(0, finder)
    try:
        yield GameVersion(f"{name} of {label}", name=name, place=finder.alias)
    finally:
        sys.meta_path.remove(finder)
        for module in [m for m in sys.modules if m.split(".")[: len(path)] == finder.alias.split(".")]:
            del sys.modules[module]


# ---- revisions


def _checked_out(name: str, revision: str, folder: str) -> str:
    """Put the folder of a game's rules as of a revision into another folder, and give its place there.

    Raises:
        InputError: There is no such revision, or the rules were not in it.
    """
    here = os.path.realpath(os.path.dirname(os.path.abspath(name)) if is_file(name) else folder_of(name))
    top = _git(here, "rev-parse", "--show-toplevel")
    commit = _git(here, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    if top is None or commit is None:
        where = "there is neither a file nor a folder of that name"
        where += ", and no such revision in git" if top else f", and {quoted(here)} is not kept in git"
        help = "write a revision such as HEAD, main or HEAD~3, a folder, or a file"
        raise InputError(Diagnostic("no-such-file", f"{quoted(revision)}: {where}", _OPTION, help=help))
    root = os.path.realpath(top.decode().rstrip("\n"))
    inside = os.path.relpath(here, root)
    archive = _git(root, "archive", "--format=tar", commit.decode().strip(), "--", inside)
    if archive is None:
        message = f"{quoted(inside)} is not in {revision}"
        raise InputError(Diagnostic("no-such-file", message, _OPTION, help="name a later revision"))
    with tarfile.open(fileobj=io.BytesIO(archive)) as packed:
        packed.extractall(folder, filter="data")
    return os.path.normpath(os.path.join(folder, inside))


def _git(folder: str, *words: str) -> bytes | None:
    """The output of git in a folder; None where it fails, or there is no git."""
    return output_of(["git", "-C", folder, *words])


# ---- a package beside its other version


class _Elsewhere(MetaPathFinder):
    """Finds a package in a folder under another name, so that two versions of it can be loaded at once.

    Args:
        package: The package as it calls itself.
        alias: The name that it is loaded by.
        folder: Its folder.
    """

    def __init__(self, package: str, alias: str, folder: str):
        self.package, self.alias, self._folder = package, alias, folder

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module of that version; None for others."""
        if fullname != self.alias and not fullname.startswith(f"{self.alias}."):
            return None
        place = os.path.join(self._folder, *fullname[len(self.alias) :].split(".")[1:])
        inside = os.path.join(place, "__init__.py")
        file, below = (inside, [place]) if os.path.isfile(inside) else (f"{place}.py", None)
        if not os.path.isfile(file):
            return _without_code(fullname, place) if os.path.isdir(place) else None
        loader = _Renamed(fullname, file, self.package, self.alias)
        return spec_from_file_location(fullname, file, loader=loader, submodule_search_locations=below)


def _without_code(fullname: str, place: str) -> ModuleSpec:
    """A package without `__init__.py`, as that of a text may be."""
    spec = ModuleSpec(fullname, None, is_package=True)
    spec.submodule_search_locations = [place]
    return spec


class _Renamed(SourceFileLoader):
    """Loads a module in which the package has its other name; nothing is written beside it."""

    def __init__(self, fullname: str, path: str, package: str, alias: str):
        super().__init__(fullname, path)
        self._package, self._alias = package, alias

    def get_code(self, fullname: str) -> CodeType:
        """The module's code."""
        tree = ast.parse(self.get_data(self.path), self.path)
        for node in ast.walk(tree):
            self._rename(node)
        return compile(tree, self.path, "exec", dont_inherit=True)

    def _rename(self, node: ast.AST) -> None:
        parent, _, last = self._package.rpartition(".")
        if isinstance(node, ast.ImportFrom) and not node.level:
            for name in node.names:
                if node.module == parent and name.name == last:
                    name.name, name.asname = self._alias.rpartition(".")[2], name.asname or last
            node.module = self._new(node.module or "")
        elif isinstance(node, ast.Import):
            for name in node.names:
                if name.name == self._package and not parent:
                    name.asname = name.asname or last
                name.name = self._new(name.name)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = self._new(node.value)

    def _new(self, name: str) -> str:
        of_it = name == self._package or name.startswith(f"{self._package}.")
        return self._alias + name[len(self._package) :] if of_it and name.replace(".", "").isidentifier() else name
