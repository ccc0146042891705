"""The file of a study: what varies, what is asked, what is kept; and the cells that it comes to."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from glob import glob
from inspect import signature
from itertools import product
from typing import Any

from vclogic.errors import InputError, did_you_mean, quoted
from vclogic.files.folder import position_files
from vclogic.files.source import read_text
from vclogic.files.trees.findings import Findings
from vclogic.files.trees.located import Node
from vclogic.files.trees.nodes import parse
from vclogic.files.trees.schema import Texts, check_as
from vclogic.game import QUESTIONS, Game
from vclogic.studies.columns import LEAST, MOST

_RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)")
_WHOLE = re.compile(r"-?[0-9]{1,20}")
_NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.])")
_ADDRESS = re.compile(r"https?://[^\s<>()\[\]]+")
NONE = "none"
"""In a list of files with rules as text: none of them."""
PAGE = "http://127.0.0.1:8724/"
"""The page that `vclogic serve` serves."""
MOST_CELLS = 100_000
ASKED = ("status", *QUESTIONS)
"""The questions that a study may ask, by the methods of `Game`."""


@dataclass(frozen=True)
class StudyFile:
    """A study as its file says it.

    Attributes:
        game: The game, or several: names, or files beside the study; a folder stands for the cards in it,
            `cards/*.yaml` for all files that it fits.
        settings: Options and Readings, each with the values that it takes: a list, or a range such as `1..6`.
        numbers: Numbers of a rulebook, each as a piece of its text that holds one number and stands there once, such
            as `rounds 6`, with the values that take the number's place.
        beside: Files with rules as text that are laid over the game, one after the other; `none`: no file.
        players: For each side the players that it takes, one after the other; `random` for sides that are not named.
        games: How many games are played in each cell.
        seed: The seed of the first one; the others follow.
        measures: What `greedy` makes as large as it can, for each side: an expression of the goal language.
        goals: What `planner` plans for, for each side.
        kinds: The names of the events that may happen; none: all.
        longest: So many events of a game at most.
        ask: A question instead of games, such as `plan`, with its options.
        keep: What is kept of the end of each game, as expressions by name; of a question, keys of its answer.
        page: The address of the page on which the report opens games.
    """

    game: Texts
    settings: Mapping[str, Any] = field(default_factory=dict)
    numbers: Mapping[str, Any] = field(default_factory=dict)
    beside: Texts = (NONE,)
    players: Mapping[str, Texts] = field(default_factory=dict)
    games: int = 100
    seed: int = 0
    measures: Mapping[str, str] = field(default_factory=dict)
    goals: Mapping[str, str] = field(default_factory=dict)
    kinds: Texts = ()
    longest: int = 1000
    ask: Mapping[str, Any] = field(default_factory=dict)
    keep: Mapping[str, str] = field(default_factory=dict)
    page: str = PAGE


@dataclass(frozen=True)
class StudyCell:
    """One combination of what varies.

    Attributes:
        game: The game's name, as the study says it.
        settings: Options and Readings.
        numbers: For each piece of text of `StudyFile.numbers` the number that takes the place of its own.
        beside: The file that is laid over it; `none`: no file.
        players: The player of each side that is named.
    """

    game: str
    settings: tuple[tuple[str, str], ...] = ()
    numbers: tuple[tuple[str, int], ...] = ()
    beside: str = NONE
    players: tuple[tuple[str, str], ...] = ()

    @property
    def columns(self) -> dict[str, str | int]:
        """The values that tell it from the others, by the names of the table's columns."""
        numbers = {column_of(piece): number for piece, number in self.numbers}
        found: dict[str, str | int] = {"game": self.game, **dict(self.settings), **numbers}
        if self.beside != NONE:
            found["beside"] = self.beside
        return {**found, **{f"player {side}": player for side, player in self.players}}


@dataclass(frozen=True)
class Study:
    """A study that was read.

    Attributes:
        file: Its file.
        said: What it says.
        cells: The combinations of what varies, in their order.
        varying: The names of what takes more than one value.
        node: Its file with places, for messages.
    """

    file: str
    said: StudyFile
    cells: tuple[StudyCell, ...]
    varying: tuple[str, ...]
    node: Node

    @property
    def plays(self) -> bool:
        """True if games are played; else a question is asked."""
        return not self.said.ask

    def path(self, name: str) -> str:
        """A file that the study names, from where vclogic runs."""
        beside = os.path.join(os.path.dirname(self.file), name)
        return beside if os.path.exists(beside) else name


def read_study(file: str, vary: Sequence[tuple[str, str]] = ()) -> Study:
    """Read a study.

    Args:
        file: Its file.
        vary: Options, Readings or pieces of text with the values that they take instead of what the file says.

    Raises:
        InputError: Everything that is wrong with it.
    """
    node = parse(read_text(file))
    said, findings = check_as(StudyFile, node), Findings()
    said = replace(said, game=_files(file, node, "game", said.game), beside=_files(file, node, "beside", said.beside))
    settings, numbers = (
        {name: _values(node.section(key).section(name), of, findings) for name, of in getattr(said, key).items()}
        for key in ("settings", "numbers")
    )
    for name, values in vary:
        into = numbers if _NUMBER.search(name) and name not in settings else settings
        listed = values if _RANGE.fullmatch(values.strip()) else [v.strip() for v in values.split(",")]
        into[name] = _values(node, listed, findings)
    _check(said, node, numbers, findings)
    findings.stop()
    varying = tuple(
        name
        for name, values in (
            ("game", said.game),
            *settings.items(),
            *((column_of(piece), values) for piece, values in numbers.items()),
            ("beside", said.beside),
            *((f"player {side}", of) for side, of in said.players.items()),
        )
        if len(values) > 1
    )
    cells = tuple(_cells(said, settings, numbers))
    return Study(file, said, cells, varying, node)


def _files(file: str, node: Node, key: str, names: Sequence[str]) -> tuple[str, ...]:
    """Names of games or files; a folder stands for its cards, a name with `*` for all files that it fits."""
    folder = os.path.dirname(file) or os.curdir
    found: list[str] = []
    for name in names:
        fitting = sorted(glob(name, root_dir=folder, recursive=True)) if "*" in name else [name]
        if os.path.isdir(inside := os.path.join(folder, name)):
            paths = [f.path for f in position_files(inside, MOST_CELLS) if not os.path.samefile(f.path, file)]
            fitting = paths if os.path.isabs(name) else [os.path.relpath(p, folder) for p in paths]
        if not fitting:
            raise InputError(node.section(key).diagnostic("no-such-file", f"no file fits {quoted(name)}"))
        found += fitting
    return tuple(dict.fromkeys(found))


def _values(node: Node, of: Any, findings: Findings) -> tuple[Any, ...]:
    """The values of a list, of a range such as `1..6`, or the one that stands alone."""
    if isinstance(of, str) and (found := _RANGE.fullmatch(of.strip())):
        first, last = map(int, found.groups())
        step = 1 if first <= last else -1
        if abs(last - first) >= MOST_CELLS:
            message = f"{abs(last - first) + 1:,} combinations are more than {MOST_CELLS:,}"
            findings.add(node.diagnostic("too-big", message))
            return ()
        return tuple(range(first, last + step, step))
    listed = tuple(of) if isinstance(of, (list, tuple)) else (of,)
    if not listed or any(isinstance(v, (dict, list)) or v is None for v in listed):
        findings.add(node.diagnostic("wrong-value", "a list of values is wanted, or a range such as 1..6"))
        return ()
    return listed


def _check(said: StudyFile, node: Node, numbers: Mapping[str, Sequence[Any]], findings: Findings) -> None:
    for name, values in numbers.items():
        place = node.section("numbers").part(name)
        if len(_NUMBER.findall(name)) != 1:
            message = f"{quoted(name)} holds no number, or several: name a piece of the text with one"
            findings.add(place.diagnostic("wrong-value", message, key=True))
        if any(not _WHOLE.fullmatch(str(v)) or not LEAST <= int(v) <= MOST for v in values):
            message = "the values that take a number's place are whole numbers of at most 64 bits"
            findings.add(place.diagnostic("wrong-value", message))
    if len(said.ask) > 1 or (said.ask and said.players):
        message = "a study plays games (`players`) or asks one question (`ask`)"
        findings.add(node.section("ask").diagnostic("usage", message))
    for name, options in said.ask.items():
        found = node.section("ask").part(name)
        if name not in ASKED:
            help = did_you_mean(name, ASKED)
            findings.add(
                found.diagnostic("unknown-name", f"there is no question {quoted(name)}", key=True, help=help)
            )
            continue
        known = [p for p in signature(getattr(Game, name)).parameters if p not in ("self", "progress")]
        for wrong in (o for o in options or () if o not in known):
            message, help = f"{name} has no choice {quoted(wrong)}", did_you_mean(wrong, known)
            place = node.section("ask").section(name).part(wrong)
            findings.add(place.diagnostic("unknown-name", message, key=True, help=help))
    if not _ADDRESS.fullmatch(said.page):
        help = f"such as {PAGE}"
        findings.add(node.section("page").diagnostic("wrong-value", "page is the address of a page", help=help))
    for key in ("games", "longest"):
        if getattr(said, key) < 1:
            findings.add(node.section(key).diagnostic("wrong-value", f"{key} is at least 1"))
    if said.seed < 0:
        findings.add(node.section("seed").diagnostic("wrong-value", "seed is at least 0"))
    for side in (side for side, of in said.players.items() if not of):
        findings.add(node.section("players").part(side).diagnostic("wrong-value", f"no player is named for {side}"))
    number = len(said.game) * len(said.beside)
    for part in (*said.players.values(), *numbers.values()):
        number *= max(len(part), 1)
    if number > MOST_CELLS:
        findings.add(node.diagnostic("too-big", f"{number:,} combinations are more than {MOST_CELLS:,}"))


def _cells(
    said: StudyFile, settings: Mapping[str, Sequence[Any]], numbers: Mapping[str, Sequence[Any]]
) -> Iterator[StudyCell]:
    players = [[(side, player) for player in of] for side, of in said.players.items()]
    each_setting = [[(name, _written(v)) for v in values] for name, values in settings.items()]
    each_number = [[(name, int(v)) for v in values] for name, values in numbers.items()]
    for game, beside in product(said.game, said.beside):
        for chosen in product(*each_setting):
            for put in product(*each_number):
                for by in product(*players):
                    yield StudyCell(game, chosen, put, beside, by)


def _written(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def column_of(piece: str) -> str:
    """The name of the column of a number that varies: its piece of text with N in the number's place."""
    return _NUMBER.sub("N", piece, count=1)


def with_number(piece: str, number: int) -> str:
    """A piece of text with another number in place of its own."""
    return _NUMBER.sub(str(number), piece, count=1)


def plain(tree: Any) -> Any:
    """A part of the file as Python has it: numbers, yes and no, texts, lists, mappings."""
    if isinstance(tree, Mapping):
        return {str(name): plain(part) for name, part in tree.items()}
    if isinstance(tree, (list, tuple)):
        return [plain(part) for part in tree]
    text = str(tree)
    if text in _WORDS:
        return _WORDS[text]
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    return text


_WORDS = {"true": True, "false": False, "yes": True, "no": False}
