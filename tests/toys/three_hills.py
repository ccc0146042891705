"""A designer's own game as files of an installed package, with a fault planted where a test wants one."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from vclogic.files import registry

NAME = "mine"
RULES = '''"""A game of two sides and three hills."""

from dataclasses import dataclass

from vclogic.model.actions import Action, Parameter, Requirement, Schema
from vclogic.model.fluents import Family
from vclogic.model.citation import RuleText
from vclogic.model.rules import LevelTable, Observable, Outcome, Reading, Rule
from vclogic.model.system import Encoding, Metric, System
from vclogic.model.transition import one_at_a_time
from vclogic.terms.atoms import FALSE, TRUE, constant, var
from vclogic.terms.build import and_, count, eq, ge, gt, le, not_, or_
from vclogic.terms.domain import Domain
from vclogic.terms.partial import Partial
from vclogic.terms.sorts import BOOL, EnumSort, IntSort

BOOK = (TEXT := RuleText("book", "The book")).cite("1/1")
SIDE = EnumSort("side", ("Red", "Blue"))
HILL = Domain(EnumSort("hill", ("North", "Middle", "South")))
OWNER = Family("owner", SIDE, "who holds it", (HILL,), Domain(SIDE))
OVER = Family("over", BOOL, "the game is over")

@dataclass(frozen=True)
class Board:
    title: str


def hills(side):
    return count(eq(OWNER[h], side) for h in HILL.sort.members)


def take(side, hill):
    return Action(
        "take", (("side", side), ("hill", hill)), side,
        (Requirement(not_(OVER.fluent), "the game is over", BOOK),),
        ((OWNER[hill], constant(SIDE, side)),), f"{side} takes {hill}", {"takes": 1},
    )


def end():
    return Action("end", (), None, (), ((OVER.fluent, TRUE),), "the game ends")


def steps(side, opponent, start):
    return one_at_a_time([take(s, h) for s in SIDE.members for h in HILL.sort.members] + [end()], "takes")


def outcome(side, condition):
    return Outcome(
        "hills", side, Partial(condition), OVER.fluent, "at the end", f"{side} holds hills", BOOK, FALSE, FALSE
    )


def outcomes():
    return (
        outcome("Red", ge(hills("Red"), 2)),
        outcome("Blue", ge(hills("Blue"), 2)),
    )


def build(board, settings):
    return System(
        sides={"Red": ("Red",), "Blue": ("Blue",)},
        families=(OWNER, OVER),
        initial={**{f: "Red" for f in OWNER.fluents.values()}, OVER.fluent: False},
        rules=(Rule("red", hills("Red"), "hills of Red", BOOK),),
        invariants=(),
        outcomes=outcomes(),
        observables=(Observable("hills", (Domain(SIDE),), hills, "hills of a side", BOOK),),
        events=(
            Schema("take", (Parameter("side", Domain(SIDE)), Parameter("hill", HILL)), take, "takes a hill", BOOK),
            Schema("end", (), end, "ends the game", BOOK),
        ),
        metrics=(Metric("takes", "take", "", "hills taken", steps, lambda side, opponent: (), events=("take",)),),
        ends=OVER.fluent,
    )


ENCODING = Encoding("mine", "Mine", (TEXT,), (), (), Board, lambda board: (), build)
'''
FILES = {
    "__init__.py": "",
    "board.yaml": "title: Three hills\n",
    "scenarios/first.yaml": "title: The first\n",
}
ENDLESS = ("def end():\n", "def end():\n    while True:\n        pass\n")
"""What to replace so that its legal events are never told."""
CONTRADICTION = ('ge(hills("Blue"), 2)', 'ge(hills("Blue"), 1)')
"""What to replace so that both sides win with two hills and one."""


def written(folder: Path, *planted: tuple[str, str], **files: str) -> Path:
    """The game as a package in a folder; a process that has the folder in its path finds it installed.

    Args:
        folder: The folder.
        planted: Texts of its rules and what stands there instead.
        files: Other files, `name_yaml` for `name.yaml`.

    Returns:
        Its module of rules.
    """
    package, text = folder / "mine_pkg", RULES
    for old, new in planted:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    contents: Mapping[str, str] = {**FILES, "rules.py": text, **{n.replace("_", "."): t for n, t in files.items()}}
    about = {"METADATA": "Name: mine\nVersion: 1\n", "entry_points.txt": f"[{registry.GROUP}]\n{NAME} = mine_pkg\n"}
    told = {folder / "mine-1.dist-info" / name: content for name, content in about.items()}
    for path, content in {**told, **{package / name: content for name, content in contents.items()}}.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return package / "rules.py"


@contextmanager
def installed(
    folder: Path, monkeypatch: pytest.MonkeyPatch, *planted: tuple[str, str], **files: str
) -> Iterator[Path]:
    """The game as the only one installed.

    Args:
        folder: Where it is written.
        monkeypatch: Undoes the installation.
        planted: Texts of its rules and what stands there instead.
        files: Other files, `name_yaml` for `name.yaml`.

    Yields:
        Its module of rules.
    """
    rules = written(folder, *planted, **files)
    monkeypatch.setattr(registry, "_registered", lambda: {NAME: EntryPoint(NAME, "mine_pkg", registry.GROUP)})
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.chdir(folder)
    importlib.invalidate_caches()
    try:
        yield rules
    finally:
        for name in [n for n in sys.modules if n.split(".")[0] == "mine_pkg"]:
            del sys.modules[name]


def line_of(rules: Path, text: str) -> int:
    """The line in which a text stands."""
    (found,) = [i for i, line in enumerate(rules.read_text().splitlines(), 1) if text in line]
    return found
