"""The board of a game that does not say how it is drawn: its places with what is recorded of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from vclogic.model.fluents import Family, written
from vclogic.model.picture import Drawing, Drawn, Move, Party, Picture, Region, Values, marks
from vclogic.model.system import System
from vclogic.terms.sorts import EnumSort

_MOST = 6
"""So many facts are written on a place; all of them are told where it is selected."""
_NOTHING = ("none", "nobody", "no", "0", "false")


def with_board(system: System) -> System:
    """A system that can be drawn: itself, or with a board of its places."""
    if system.drawing is not None:
        return system
    drawn: System = system.kept("with board", lambda: replace(system, drawing=_drawing(system)))
    return drawn


def _drawing(system: System) -> Drawing:
    board = _PlainBoard(system)
    return Drawing(lambda values, _: board.picture(values), _unknown)


def _unknown(step: Move, values: Values) -> Drawn:
    """No step is drawn by a rule of the game: each is drawn by what it moves."""
    raise KeyError(step.action)


class _PlainBoard:
    """Draws the names that facts are about: those where something else can be are places, with that on them."""

    def __init__(self, system: System):
        self._system = system
        self._families = [f for f in system.families if all(len(index) == 1 for index in f.fluents)]
        names = dict.fromkeys(index[0] for family in self._families for index in family.fluents)
        where = [
            f for f in self._families if isinstance(f.sort, EnumSort) and not names.keys().isdisjoint(f.sort.members)
        ]
        sides = {*system.sides, *(power for powers in system.sides.values() for power in powers)}
        self._where = [f for f in where if not (names.keys() & {*self._members(f)}) <= sides]
        things = {index[0] for family in self._where for index in family.fluents}
        still = [name for name in names if name not in things]
        self.places = tuple(name for name in still if name not in sides) or tuple(still)
        self._parties = tuple(power for powers in system.sides.values() for power in powers)

    @staticmethod
    def _members(family: Family) -> tuple[str, ...]:
        assert isinstance(family.sort, EnumSort)
        return family.sort.members

    def picture(self, values: Values) -> Picture:
        """The picture of a state."""
        known = {*self.places}
        ways = (m.around for m in self._system.movement)
        links = {tuple(sorted((a, b))) for way in ways for a, near in way.items() for b in near if {a, b} <= known}
        short = marks(self._parties)
        side = {power: s for s, powers in self._system.sides.items() for power in powers}
        return Picture(
            notes=tuple(self._notes(values)),
            parties=tuple(Party(name, short[name], side[name]) for name in self._parties),
            regions=tuple(self._region(name, values) for name in self.places)
            or (Region("the game", "land", "the game"),),
            links=tuple((a, b) for a, b in sorted(links)),
        )

    def _notes(self, values: Values) -> Iterator[str]:
        for family in self._system.families:
            if () in family.fluents:
                yield f"{_plain(family.name)}: {written(values[family[()]])}"

    def _region(self, name: str, values: Values) -> Region:
        facts = [(f, written(values[f[(name,)]])) for f in self._families if (name,) in f.fluents]
        owner = next((x for _, x in facts if x in self._parties), None)
        said = [f"{_plain(f.name)}: {x}" for f, x in facts if x.lower() not in _NOTHING and x != owner]
        there = [
            index[0] for f in self._where for index, fluent in f.fluents.items() if written(values[fluent]) == name
        ]
        badges = (*there, *said)
        more = (f"and {len(badges) - _MOST} more",) if len(badges) > _MOST else ()
        return Region(name, "land", name, owner=owner, badges=(*badges[:_MOST], *more))


def _plain(name: str) -> str:
    return name.replace("_", " ")
