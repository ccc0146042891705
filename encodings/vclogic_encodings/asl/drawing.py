"""Drawing of the game: printed hexes with their Locations, buildings, units and Control, and a plan's events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from vclogic_encodings.asl.board import Board
from vclogic_encodings.asl.game import Rules
from vclogic_encodings.asl.geometry import BRIDGE, DEPRESSION, GRID, GROUND, Geometry, hex_of, level_of, parse_hex
from vclogic_encodings.asl.names import BUILDING, ELIMINATED, EXITED, HEX, LOCATION, NO_FIRE, NONE, OFF, OPEN, WORKING
from vclogic_encodings.asl.rules.casualties import casualty_points
from vclogic_encodings.asl.rules.controllers import controller
from vclogic_encodings.asl.rules.exits import exit_points

from vclogic.model.actions import Event
from vclogic.model.fluents import Family, Layout
from vclogic.model.hexmap import Counter, HexMap, Site, TerrainKind
from vclogic.model.picture import Arrow, Drawing, Drawn, Known, Move, Party, Picture, Region, Values, marks
from vclogic.model.view import KnownState

_GROUNDS = (
    TerrainKind("no building", "open", written=False),
    TerrainKind("building", "building"),
    TerrainKind("bridge", "crossing"),
    TerrainKind("depression", "marsh"),
)
_APART = 3.0  # between two map boards, in sides of a hex


def drawing(game: Rules) -> Drawing:
    """The drawing of a game."""
    drawer = _Drawer(game)
    return Drawing(drawer.picture, drawer.move, exact=True)


class _Drawer:
    """Pictures of one game."""

    def __init__(self, game: Rules):
        self.game = game
        self.fluents = game.fluents
        self.board: Board = game.board
        self.geometry: Geometry = game.geometry
        self.layout = Layout(game.fluents.families)
        self.marks = marks(self.board.sides)

    # ---- a position

    def picture(self, values: Values, units: bool) -> Picture:
        """The picture of a state, with what is hidden or concealed."""
        here = _Here(self.game.seen(KnownState(self.layout, self.layout.state(values))), Known(values))
        points = (f"{s} {here.points(s)}" for s in self.board.sides)
        over = ("the game is over",) if values[self.fluents.ended.fluent] else ()
        return Picture(
            notes=(*over, *points, "what is hidden or concealed is shown too"),
            parties=tuple(Party(s, self.marks[s], s) for s in self.board.sides),
            regions=tuple(self._regions(values, here)),
            key=tuple(self._key()),
            hexes=HexMap(
                corner_north=GRID.corner_north,
                grounds=_GROUNDS,
                sites=tuple(self._sites(here)),
                bars=tuple(self._bars()),
                bar_name="a wall inside a building, or a rowhouse bar",
                aside=tuple(self._aside(values)),
            ),
        )

    def _key(self) -> Iterable[str]:
        yield "sign behind the name of a hex: who controls it; below it the Locations that are controlled otherwise"
        for side, victory in self.board.victory.items():
            if victory.text:
                yield f"victory of the {side} side: {victory.text}"

    @cached_property
    def _places(self) -> Mapping[str, tuple[float, float]]:
        """The place of each hex; map boards stand side by side."""
        found: dict[str, tuple[float, float]] = {}
        left = 0.0
        boards: dict[str, list[str]] = {}
        for h in self.geometry.hexes:
            boards.setdefault((parse_hex(h) or ("", ""))[0], []).append(h)
        for hexes in boards.values():
            centres = {h: GRID.centre((parse_hex(h) or ("", "0,1"))[1]) for h in hexes}
            first, top = (min(c[i] for c in centres.values()) for i in (0, 1))
            last = max(x for x, _ in centres.values())
            found |= {h: (left + x - first, y - top) for h, (x, y) in centres.items()}
            left += last - first + _APART
        return found

    def _regions(self, values: Values, here: _Here) -> Iterable[Region]:
        there: dict[str, list[Counter]] = {}
        for name, u in self.board.units.items():
            kind = "half-squad" if self._flag(self.fluents.reduced, name, values) else u.kind
            counter = Counter(name, u.side, kind, "", tuple(self._state(name, values)))
            there.setdefault(hex_of(str(values[self.fluents.at[name]])), []).append(counter)
        for h in self.geometry.hexes:
            owner = here.holder(HEX, h)
            yield Region(
                name=h,
                kind="land",
                label=h,
                at=self._places[h],
                ground=self._ground(h),
                owner=owner,
                badges=tuple(self._badges(h, owner, values, here)),
                counters=tuple(there.get(h, ())),
            )

    def _ground(self, h: str) -> str:
        if h in self.geometry.buildings_of:
            return "building"
        levels = {level_of(x) for x in self.geometry.of_hex[h]}
        return "bridge" if BRIDGE in levels else "depression" if DEPRESSION in levels else "no building"

    def _badges(self, h: str, owner: str | None, values: Values, here: _Here) -> Iterable[str]:
        special = self.board.hexes.get(h)
        if special is not None and special.level:
            yield f"hill level {special.level}"
        if special is not None and special.closed:
            yield f"closed to {' and '.join(self.marks.get(s, s) for s in special.closed)}"
        for place in self.geometry.of_hex[h]:
            holder = here.holder(LOCATION, place)
            mark = "\u2013" if holder is None else self.marks[holder]
            level = "ground" if level_of(place) == GROUND else level_of(place)
            burns = self._flag(self.fluents.fire, place, values)
            fire = str(burns) if burns not in (None, NO_FIRE) else ""
            rubble = "rubble" if self._flag(self.fluents.rubble, place, values) else ""
            shown = [p for p in (mark if holder != owner else "", fire, rubble) if p]
            if shown or not (level == "ground" or level.isdecimal() or level == self._ground(h)):
                yield " ".join((level, *shown))

    def _state(self, unit: str, values: Values) -> Iterable[str]:
        """The remarks on the state of a unit on the map."""
        fluents = self.fluents
        place = str(values[fluents.at[unit]])
        if len(self.geometry.of_hex.get(hex_of(place), ())) > 1:
            yield f"level {level_of(place)}" if level_of(place).isdecimal() else level_of(place)
        flags = [fluents.bypass, fluents.broken, fluents.wounded, fluents.captured]
        flags += [fluents.disrupted, fluents.shocked, fluents.immobile, fluents.dismantled, fluents.unarmed]
        yield from (family.name for family in flags if self._flag(family, unit, values))
        for family, usual in ((fluents.concealment, OPEN), (fluents.armament, WORKING)):
            state = self._flag(family, unit, values)
            if state not in (None, usual):
                yield str(state)
        for family, word in ((fluents.melee, "in Melee with"), (fluents.with_, "with")):
            other = self._flag(family, unit, values)
            if other not in (None, NONE):
                yield f"{word} {other}"

    @staticmethod
    def _flag(family: Family, name: str, values: Values) -> object:
        """The value of a family for a name; None where it has none."""
        return None if (name,) not in family.fluents else values[family[name]]

    def _sites(self, here: _Here) -> Iterable[Site]:
        for name, b in self.board.buildings.items():
            levels = f", {b.levels} upper level{'s' * (b.levels != 1)}" if b.levels else ""
            note = f"building{levels}"
            yield Site(f"building {name}", b.hexes, note=note, owner=here.holder(BUILDING, name))
        signs = marks((*self.board.areas, *self.board.exits))
        for name, area in self.board.areas.items():
            if area.hexes:
                note = f"set-up area of the {area.side} side"
                yield Site(f"area {name}", area.hexes, "zone", note=note, mark=signs[name], owned=False)
        for name, e in self.board.exits.items():
            if e.hexes:
                note = f"exit area of {' and '.join(f'the {s} side' for s in e.sides) or 'nobody'}"
                yield Site(f"exit {name}", e.hexes, "zone", note=note, mark=signs[name], owned=False)

    def _bars(self) -> Iterable[tuple[str, str]]:
        for b in self.board.buildings.values():
            yield from (*b.walls, *b.rowhouse)

    def _aside(self, values: Values) -> Iterable[str]:
        for state, text in ((OFF, "Off the map"), (ELIMINATED, "Eliminated"), (EXITED, "Exited")):
            there = [
                f"{u} ({x.side} {x.kind})" for u, x in self.board.units.items() if values[self.fluents.at[u]] == state
            ]
            if there:
                yield f"{text}: {', '.join(there)}."

    # ---- a step of a plan

    def move(self, step: Move, values: Values) -> Drawn:
        """The drawing of a step; steps are events."""
        event = Event(step.action, tuple(step.args.items()))
        args = {name: str(v) for name, v in step.args.items()}
        unit = args.get("unit")
        if unit is None:
            return Drawn(events=(event,))
        here = str(values[self.fluents.at[unit]])
        if step.action != "enter":
            where = (hex_of(here),) if hex_of(here) in self._places else ()
            return Drawn(tuple(Arrow(None, h, label=f"{unit}: {step.action}") for h in where), events=(event,))
        target = hex_of(args["to"])
        many = len(self.geometry.of_hex[target]) > 1
        label = f"{unit} to {level_of(args['to'])}" if many else unit
        source = hex_of(here) if hex_of(here) in self._places else None
        return Drawn((Arrow(source, target, label=label),), events=(event,))


class _Here:
    """Control and points in one state."""

    def __init__(self, game: Rules, known: Known):
        self._units = game.units
        self._known = known

    def holder(self, kind: str, name: str) -> str | None:
        """The holder of an area; None: nobody."""
        found = str(self._known(controller(self._units, kind, name)))
        return None if found == NONE else found

    def points(self, side: str) -> str:
        """The points of a side, in words."""
        casualties = self._known(casualty_points(self._units, side))
        exits = self._known(exit_points(self._units, side))
        return f"{casualties} casualty and {exits} exit Victory Points"
