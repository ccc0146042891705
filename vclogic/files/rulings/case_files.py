"""Find and read files of rulings: those of a game, and anybody's own."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.files.boards import ENDINGS
from vclogic.files.position import KEYS, based, check_keys, game_of, on_card
from vclogic.files.registry import case_sources, encoding_names, owner_of, rulebook_of
from vclogic.files.rulings.cases import Case, Ending, Ruling, expecting
from vclogic.files.rulings.expected import expects, whole_goals
from vclogic.files.scenario import default_scenario
from vclogic.files.setup import Layer, Memo, SetupSources, assemble
from vclogic.files.source import STDIN
from vclogic.files.trees.findings import Findings
from vclogic.files.trees.located import Node, describe
from vclogic.files.trees.nodes import read_node
from vclogic.files.trees.schema import check_as

RULINGS, SETUPS, SETUP = "rulings", "setups", "setup"
HEAD = (*KEYS, SETUPS, RULINGS)
"""The keys at the head of a file of rulings."""
_OF_A_RULING = ("name", "cites", "position", "expect_error", "per_reading", SETUP)
_TRIED_LATER = ("impossible-position", "no-board")
"""Faults that a set-up alone may have, as long as no ruling that begins with it has them."""

_MOST_FILES = 10_000
_NOT_LOOKED_INTO = ("__pycache__", "node_modules")


@dataclass(frozen=True)
class _File:
    """A file of rulings.

    Attributes:
        node: What it holds.
        encoding: The game whose own file it is, or None.
        memo: What its rulings share with others.
    """

    node: Node
    encoding: str | None
    memo: Memo

    def layer(self, node: Node) -> Layer:
        """The position among the keys of a part of it."""
        tree = node.tree if isinstance(node.tree, dict) else {}
        return Layer(Node({key: part for key, part in tree.items() if key in KEYS}, node.where), self.encoding)


class _Setups(NamedTuple):
    """The set-ups of a file: the layers of each, and those at its head."""

    head: tuple[Layer, ...]
    named: dict[str, tuple[Layer, ...]]


def _sources(encoding: str) -> tuple[Callable[[], Node], ...]:
    """The readers of the rulings in a game's text, and of each of its files of rulings."""
    book = rulebook_of(encoding)
    if book is None:
        return case_sources(encoding)
    from vclogic.files.rulings.in_rulebook import ruling_node  # few games are texts

    return (lambda: ruling_node(book), *case_sources(encoding))


def load_cases(encoding: str) -> tuple[Case, ...]:
    """The rulings of an encoding, in the order of their files; `Case.setup` reads their positions.

    Raises:
        InputError: There is no such encoding, or everything that is wrong with the files' form.
    """
    findings = Findings()
    memo = Memo()
    cases: dict[str, Case] = {}
    for file in _sources(encoding):
        with findings.catch():
            _add(cases, _File(file(), encoding, memo), findings)
    findings.stop()
    return tuple(cases.values())


def cases_of(node: Node, encoding: str | None, memo: Memo) -> tuple[Case, ...]:
    """The rulings of one file, in their order.

    Args:
        node: What it holds.
        encoding: The game whose own file it is; None: it says itself what game its rulings are about.
        memo: What they share with other rulings.

    Raises:
        InputError: Everything that is wrong with the file's form.
    """
    findings = Findings()
    cases: dict[str, Case] = {}
    with findings.catch():
        _add(cases, _File(node, encoding, memo), findings)
    findings.stop()
    return tuple(cases.values())


def no_rulings(node: Node) -> str | None:
    """The kind of a file without rulings, in a few words; None if it has rulings, or means to."""
    tree = node.tree
    if isinstance(tree, list):
        return None if any(_is_ruling(item) for item in tree) else "a list, but not of rulings"
    if not isinstance(tree, dict):
        return "neither rulings nor a position"
    if RULINGS in tree or SETUPS in tree or _record_expects(node):
        return None
    if "game" in tree:
        return "a position that expects nothing" if all(key in KEYS for key in tree) else None
    return "a board, or something else that is no ruling"


def _is_ruling(tree: object) -> bool:
    return isinstance(tree, dict) and any(key in tree for key in _OF_A_RULING)


def _record_expects(node: Node) -> bool:
    return any(expects(item) for item in node.section("record").parts("a list of events", Findings()))


# ---- one file


def _add(cases: dict[str, Case], file: _File, findings: Findings) -> None:
    """Add the rulings of a file to those known, by their names."""
    setups, items = _Setups((), {}), []
    if isinstance(file.node.tree, dict):
        setups = _setups(file, findings)
        items = _items(file, findings)
    else:
        items = file.node.parts("a list of rulings, or `rulings:` with a list of them", findings)
    if file.encoding is None and items and not _names_a_game(file.node):
        help = "write `game: NAME` at its head, and `rulings:` above the list" + _games()
        message = "the file does not say what game its rulings are about"
        raise InputError(file.node.diagnostic("missing-entry", message, help=help))
    for item in items:
        with findings.catch():
            case = _case(file, item, setups, findings)
            if case.name in cases:
                first = cases[case.name]
                hint = f"it stands first in {first.file}, line {first.line}; give one of them another name"
                message = f"two rulings are named {quoted(case.name)}"
                raise InputError(item.section("name").diagnostic("given-twice", message, help=hint))
            cases[case.name] = case


def _names_a_game(node: Node) -> bool:
    """True if anything in a file says what game it is about."""
    parts = [node, *(p.section("position") for p in node.parts("a list", Findings()))]
    for key in (RULINGS, SETUPS):
        section = node.section(key)
        parts += [p.section("position") for p in section.parts("a list", Findings())]
        parts += section.items("names", Findings()).values()
    return any(part.section("game").tree is not None for part in parts)


def _games() -> str:
    """The games that there are, as the end of a hint."""
    games = did_you_mean("", encoding_names())
    return f"; {games}" if games else ""


def _items(file: _File, findings: Findings) -> list[Node]:
    """The rulings of a file with a head."""
    node = file.node
    rulings = node.section(RULINGS)
    if rulings.tree is None and _record_expects(node):
        name = os.path.splitext(os.path.basename(node.where.file))[0]
        return [Node({"name": name, **({"cites": []} if file.encoding else {})}, node.where)]
    items = rulings.parts("a list of rulings", findings)
    assert isinstance(node.tree, dict)
    if not rulings.tree and all(key in HEAD for key in node.tree):
        message = "the file holds no rulings" if rulings.tree is None else "the list of rulings is empty"
        help = "write `rulings:`, and under it `- name: ...` with `expect:`; or `- expect: ...` in its record"
        findings.add(node.diagnostic("missing-entry", message, help=help))
    return items


def _setups(file: _File, findings: Findings) -> _Setups:
    """The set-ups of a file, each tried by itself, so that what is wrong in one is said once."""
    node = file.node
    with findings.catch():
        check_keys(node, HEAD, findings)
    head: tuple[Layer, ...] = (file.layer(node),)
    with findings.catch():
        head = tuple(on_card(head[0], findings))
    known = node.section(SETUPS).items("a name for each set-up, with its position", findings)
    named: dict[str, tuple[Layer, ...]] = {}
    for name, part in known.items():
        named[name] = head  # so that rulings which begin with it need not say again that it is wrong
        with findings.catch():
            check_keys(part, (*KEYS, SETUP), findings)
            named[name] = (*head, *_chain(file, known, name, part))
    for layers in (head, *named.values()) if not findings else ():
        _try_alone(file, layers, findings)
    return _Setups(head, named)


def _chain(file: _File, known: dict[str, Node], name: str, part: Node) -> tuple[Layer, ...]:
    """The layers of a set-up: those of the one that it builds on come first."""
    layers, seen = [file.layer(part)], [name]
    while (base := part.section(SETUP)).tree is not None:
        before = _named_setup(base, known)
        if before in seen:
            message = f"the set-up {quoted(name)} builds on itself: {' on '.join(map(quoted, (*seen, before)))}"
            raise InputError(base.diagnostic("bad-value", message, help="leave `setup:` out in one of them"))
        seen.append(before)
        part = known[before]
        layers.insert(0, file.layer(part))
    return tuple(layers)


def _named_setup(node: Node, known: dict[str, Node]) -> str:
    name = node.tree
    if not isinstance(name, str):
        raise InputError(node.diagnostic("wrong-value", f"expected the name of a set-up, found {describe(name)}"))
    if name not in known:
        hint = did_you_mean(name, known) or "name it under `setups:` at the head of the file"
        message = f"there is no set-up {quoted(name)} in this file"
        raise InputError(node.diagnostic("unknown-name", message, help=hint))
    return str(name)


def _try_alone(file: _File, layers: tuple[Layer, ...], findings: Findings) -> None:
    """Report what is wrong with a set-up in whatever ruling uses it."""
    found = Findings()
    with found.catch():
        game = _game(file, layers)
        if game is not None:
            scenario = _scenario(layers)
            assemble(SetupSources(game, scenario or default_scenario(game), layers), file.memo)
    try:
        found.stop()
    except InputError as error:
        for diagnostic in error.diagnostics:
            if diagnostic.code not in _TRIED_LATER:
                findings.add(diagnostic)


def _game(file: _File, layers: tuple[Layer, ...]) -> str | None:
    """The game that some layers are about; None where none names one."""
    if file.encoding is not None:
        return file.encoding
    named = (layer for layer in layers if layer.section("game").tree is not None)
    return next((game_of(layer.node)[0] for layer in named), None)


def _scenario(layers: tuple[Layer, ...]) -> str | None:
    named = [game_of(layer.node)[1] for layer in layers if layer.section("game").tree is not None]
    return next((name for name in reversed(named) if name), None)


# ---- one ruling


def _case(file: _File, node: Node, setups: _Setups, findings: Findings) -> Case:
    _check_form(file, node)
    ruling = check_as(Ruling, node)
    layers = [*setups.head]
    if ruling.setup is not None:
        known = dict.fromkeys(setups.named, node)
        layers = [*setups.named[_named_setup(node.section(SETUP), known)]]
    position = node.section("position")
    if position.tree is not None:
        check_keys(position, KEYS, findings)
        layers.append(file.layer(position))
    layers.append(file.layer(node))
    game = _game(file, tuple(layers))
    if game is None:
        message = f"the ruling {quoted(ruling.name)} does not say what game it is about"
        help = "write `game: NAME` at the head of the file, or in its position" + _games()
        raise InputError(node.diagnostic("missing-entry", message, help=help))
    endings = tuple(_endings(ruling, node))
    if not any(e.expect or e.refusal for e in endings) and not any(_record_expects(x.node) for x in layers):
        message = f"the ruling {quoted(ruling.name)} expects nothing"
        help = "add `expect:` with what must hold, or `- expect: ...` between the steps of its record"
        raise InputError(node.diagnostic("missing-entry", message, help=help))
    return Case(
        game, ruling.name, ruling.cites, endings, node, tuple(layers), file.memo, own=file.encoding is not None
    )


def _check_form(file: _File, node: Node) -> None:
    """Refuse a form that `check_as` would explain less plainly."""
    other = node.section("per_reading")
    if isinstance(other.tree, dict):
        help = "write a list: `- readings: {NAME: VALUE}`, and `expect:` under `readings:`"
        message = "'per_reading': expected a list, found " + describe(other.tree)
        raise InputError(other.diagnostic("wrong-value", message, key=True, help=help))
    if file.encoding is not None and isinstance(node.tree, dict) and "cites" not in node.tree:
        help = "every ruling of a game names the clauses that it rests on; `cites: []` if there are none"
        raise InputError(node.diagnostic("missing-entry", "the key 'cites' is missing", key=True, help=help))


def _endings(ruling: Ruling, node: Node) -> Iterator[Ending]:
    """The endings that a ruling expects, under its own Readings and under others."""
    wrong = list(expecting(ruling, node))
    yield Ending(node, tuple(whole_goals(ruling.expect).values()), ruling.expect_error)
    for number, other in enumerate(ruling.per_reading):
        part = node.section("per_reading").part(number)
        wrong += expecting(other, part)
        for missing in _missing(bool(other.readings), bool(other.expect or other.expect_error)):
            wrong.append(InputError(part.diagnostic("missing-entry", missing)))
        readings = {name: str(value) for name, value in other.readings.items()}
        yield Ending(part, tuple(whole_goals(other.expect).values()), other.expect_error, readings)
    if wrong:
        raise InputError(d for error in wrong for d in error.diagnostics)


def _missing(readings: bool, expected: bool) -> Iterator[str]:
    if not readings:
        yield "name the Readings that this is about: `readings: {NAME: VALUE}`"
    if not expected:
        yield "say what holds under these Readings: `expect:`, or `expect_error:`"


@dataclass(frozen=True)
class CaseFile:
    """A file of rulings.

    Attributes:
        node: What it holds.
        encoding: The game whose own file it is, or None.
    """

    node: Node
    encoding: str | None


@dataclass(frozen=True)
class Skipped:
    """A file that holds no rulings.

    Attributes:
        file: Its path.
        reason: What it is, in a few words.
    """

    file: str
    reason: str


def find_case_files(path: str, findings: Findings) -> Iterator[CaseFile | Skipped]:
    """The file that a path names; or the files of rulings in that folder and in the folders below it.

    Args:
        path: The file, the folder, or `-` for standard input.
        findings: Takes what is wrong with a file.
    """
    if os.path.isdir(path):
        yield from _in_folder(path, findings)
        return
    with findings.catch():
        node = read_node(path)
        wrong = no_rulings(node)
        if wrong is None:
            yield CaseFile(based(node, path), None if path == STDIN else owner_of(path))
            return
        message = f"the file holds no rulings: it is {wrong}"
        help = (
            "rulings are a list of `- name: ...` with `expect:`, or `rulings:` with such a list; a position becomes "
            "one with `- expect: ...` in its record"
        )
        findings.add(node.diagnostic("no-rulings", message, help=help))


def _in_folder(folder: str, findings: Findings) -> Iterator[CaseFile | Skipped]:
    there = False
    for file in _files(folder):
        with findings.catch():
            node = read_node(file)
            reason = no_rulings(node)
            there = there or reason is None
            yield CaseFile(based(node, file), owner_of(file)) if reason is None else Skipped(file, reason)
    if not there and not findings:
        help = "`vclogic new --case GAME` writes a file of rulings to begin with"
        message = f"there is no file of rulings in the folder {quoted(folder)}"
        findings.add(Diagnostic("no-rulings", message, help=help))


def _files(folder: str) -> list[str]:
    """The files of a folder, and of those below it, that may hold rulings; in the order of their names.

    Raises:
        InputError: There are too many.
    """
    found: list[str] = []
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(f for f in folders if not f.startswith(".") and f not in _NOT_LOOKED_INTO)
        found += [
            os.path.normpath(os.path.join(here, name))
            for name in sorted(names)
            if name.endswith(ENDINGS) and name[0] != "."
        ]
        if len(found) > _MOST_FILES:
            help = "name the folder that holds your rulings"
            message = f"more than {_MOST_FILES:,} files are in the folder {quoted(folder)}"
            raise InputError(Diagnostic("too-big", message, help=help))
    return found
