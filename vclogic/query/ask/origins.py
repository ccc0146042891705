"""Sources of the facts of a position: files, the record, the scenario, or nobody."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass

from vclogic.clock import check_deadline
from vclogic.files.setup import Setup
from vclogic.files.source import STDIN_NAME
from vclogic.files.trees.located import Node, Path
from vclogic.model.fluents import Family, State, Value, value, written
from vclogic.model.picture import NOBODY
from vclogic.query.ask.answer import Fact
from vclogic.terms.sorts import EnumSort, IntSort
from vclogic.terms.term import Term, variables


class Origins:
    """The sources of the facts of a position.

    Args:
        setup: The start, with what files give.
        states: The state before the record, and after each of its steps.
    """

    def __init__(self, setup: Setup, states: Sequence[State]):
        self._setup = setup
        self._states = states
        self._layout = setup.system.layout
        self._board: dict[tuple[Term, Value], Path | None] = setup.system.kept("board", dict)

    def changed_by(self, fluent: Term, moment: int) -> int | None:
        """The last step up to a moment that changed a fact, counted from 1; None: it is as it was at the start."""
        place = self._layout.slot[fluent]
        states = self._states
        return next((j for j in range(moment, 0, -1) if states[j][place] != states[j - 1][place]), None)

    def fact(self, fluent: Term, moment: int) -> Fact:
        """A fact after a number of steps, with where it comes from."""
        x = value(fluent.sort, self._states[moment][self._layout.slot[fluent]])
        step = self.changed_by(fluent, moment)
        if step is not None:
            return Fact(fluent.name, x, "record", step=step)
        given = self._setup.given.get(fluent)
        if given is not None and not given.layer:
            return Fact(fluent.name, x, "scenario")
        if given is not None:
            return Fact(fluent.name, x, "given", file=_file(given.node), line=given.node.where.find()[0])
        return self._not_given(fluent, x)

    def _not_given(self, fluent: Term, x: Value) -> Fact:
        """A fact that no file gives as such: it follows from what is given, the board says it, or nobody does."""
        default = self._setup.system.defaults.get(fluent)
        needed = () if default is None else variables(default)
        if needed:
            origins = {self.fact(f, 0).origin for f in needed}
            return Fact(fluent.name, x, "given" if "given" in origins else "scenario", follows=True)
        place: tuple[Path | None] = self._setup.system.listed(
            ("on the board", fluent), lambda: (self._on_the_board(fluent, x),)
        )
        path = place[0]
        if path is None:
            stated = self._setup.encoding.is_text and not says_nothing(fluent, x)  # by a line `start`, `starts`
            return Fact(fluent.name, x, "scenario" if stated else "assumed")
        board = self._setup.board
        if board is None:
            return Fact(fluent.name, x, "scenario")
        return Fact(fluent.name, x, "given", file=_file(board), line=board.where.find(path)[0])

    def _on_the_board(self, fluent: Term, x: Value) -> Path | None:
        """The place on the board that says so: what the fact is about stands there with this value.

        Where it only follows from the board, as a hex of a building that is held, its value is another than that of
        the facts of its kind that the board says nothing about.
        """
        if says_nothing(fluent, x):
            return None
        name, _, index = fluent.name.partition("[")
        path = self._said(_first(index), written(x)) if index else None
        if path is None and (not index or x != self._usual(self._layout.families[name])):
            return ()
        return path

    def _said(self, name: str, x: str) -> Path | None:
        """The place on the board that gives a value to a name."""
        places = self._setup.system.kept("named on the board", self._named)
        return next((path for path, part in places.get(name, ()) if _holds(part, x)), None)

    def _named(self) -> Mapping[str, Sequence[tuple[Path, object]]]:
        """The entries of the board beside each name; the board is read once, as it may have thousands of areas."""
        found: dict[str, list[tuple[Path, object]]] = {}
        for path, part in _entries(self._setup.board_read):
            if path[-1] not in path[:-1]:  # else it is a part of what is called so
                found.setdefault(str(path[-1]), []).append((path, part))
        return found

    def _usual(self, family: Family) -> Value | None:
        """The most frequent value at the start of facts of a kind on which the board is silent."""

        def count() -> Value | None:
            initial = self._setup.system.initial
            known = {i[0]: initial[f] for i, f in family.fluents.items() if f in initial}
            silent = Counter(x for name, x in known.items() if self._said(name, written(x)) is None)
            if isinstance(family.sort, EnumSort) and NOBODY in family.sort.members:
                return NOBODY
            return silent.most_common(1)[0][0] if silent else None

        found: Value | None = self._setup.system.kept(("usual", family.name), count)
        return found


def says_nothing(fluent: Term, x: Value) -> bool:
    """True if a value stands for nothing: nobody, no number, not so."""
    return x in (False, NOBODY) or (isinstance(fluent.sort, IntSort) and x == fluent.sort.lo)


def _first(index: str) -> str:
    """The name that a fact is about, of those in its brackets."""
    return index.removesuffix("]").split(", ")[0]


def _entries(board: object, path: Path = ()) -> Iterator[tuple[Path, object]]:
    """The entries of a board beside each name, with their places, in the order of the board."""
    check_deadline()
    if is_dataclass(board) and not isinstance(board, type):
        board = {f.name: getattr(board, f.name) for f in fields(board)}
    for key, part in board.items() if isinstance(board, Mapping) else ():
        here = (*path, str(key))
        yield here, part
        yield from _entries(part, here)


def _holds(part: object, x: str) -> bool:
    """True if a part of a board holds a value."""
    if is_dataclass(part) and not isinstance(part, type):
        given = (getattr(part, f.name) for f in fields(part) if getattr(part, f.name) != f.default)
        return any(_holds(p, x) for p in given)
    if isinstance(part, Mapping):
        return any(_holds(p, x) for p in part.values())
    if isinstance(part, tuple | list):
        return any(_holds(p, x) for p in part)
    return not isinstance(part, bool) and part is not None and str(part) == x


def _file(node: Node) -> str | None:
    """The file that gives a fact; None where a program gave it."""
    name = node.where.file
    return None if name.startswith("<") and name != STDIN_NAME else name
