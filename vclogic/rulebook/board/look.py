"""Looks of a rulebook's positions: the places of units, the owners of places, counts; as lists and as a picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Literal

from vclogic.model.actions import Event
from vclogic.model.fluents import Family, Value
from vclogic.model.hexmap import Counter, HexMap, TerrainKind, look_of
from vclogic.model.picture import (
    Arrow,
    Drawing,
    Drawn,
    Known,
    Move,
    Overlay,
    Party,
    Picture,
    Region,
    Sign,
    Troops,
    Values,
    marks,
)
from vclogic.model.position import Listing, Thing
from vclogic.model.system import System
from vclogic.model.view import View
from vclogic.rulebook.board.places import TERRAIN, KindBoard
from vclogic.rulebook.board.world import POWER, World
from vclogic.rulebook.meaning.texts import Meaning
from vclogic.rulebook.statements import EACH_SIDE, RememberedFact
from vclogic.terms.atoms import constant
from vclogic.terms.domain import Domain
from vclogic.terms.sorts import EnumSort, IntSort
from vclogic.terms.vocabulary import CountedKind, Fixed
from vclogic.words import plural

_DRAWN: Mapping[str, Literal["land", "sea", "closed"]] = {"sea": "sea", "impassable": "closed"}
"""How areas are drawn by their `terrain`; others are land."""


def look(system: System, world: World, meaning: Meaning, overlays: tuple[Overlay, ...]) -> System:
    """The rule set with lists and pictures of its positions.

    Args:
        system: The rule set.
        world: What the rulebook declares.
        meaning: Its facts.
        overlays: What can be drawn over its board.
    """
    seen = _Look(world, meaning, overlays)
    return replace(system, position=seen.position, drawing=seen.drawing(system))


class _Look:
    def __init__(self, world: World, meaning: Meaning, overlays: tuple[Overlay, ...]):
        self.world, self.overlays = world, overlays
        known = meaning.names.families
        facts = (f.name.text for _, _, f in meaning.names.each(RememberedFact))
        self.families = [known[name] for name in facts if name in known]
        self.board = next(iter(world.boards), None)
        self.places = frozenset(self.board.kind.members) if self.board else frozenset[str]()

    # ---- what facts are about

    def whereabouts(self) -> Iterator[Family]:
        """The facts that say on which place each member of a kind is."""
        for family in self.families:
            if len(family.indices) == 1 and self._of_places(family) and not self._is_place(family.indices[0].sort):
                yield family

    def holders(self) -> Iterator[Family]:
        """The facts that say which side or power has each place."""
        movers = {*self.world.sides, *self.world.movers.members}
        for family in self.families:
            names = family.sort.members if isinstance(family.sort, EnumSort) else ()
            if len(family.indices) == 1 and self._is_place(family.indices[0].sort) and movers.intersection(names):
                yield family

    def counts(self) -> Iterator[Family]:
        """The facts that say how many a side or power has on each place: side first, or place first."""
        movers = {*self.world.sides, *self.world.movers.members}
        for family in self.families:
            if isinstance(family.sort, IntSort) and len(family.indices) == 2:
                sorts = [d.sort for d in family.indices]
                if any(map(self._is_place, sorts)) and any(movers.issuperset(s.members) for s in sorts):
                    yield family

    def _of_places(self, family: Family) -> bool:
        return isinstance(family.sort, EnumSort) and not self.places.isdisjoint(family.sort.members)

    def _is_place(self, sort: EnumSort) -> bool:
        return self.board is not None and self._kind(sort).name == self.board.kind.name

    def _kind(self, sort: EnumSort) -> CountedKind:
        """The kind of what a fact is asked of, which may be some of its members alone."""
        kinds = self.world.kinds
        among = (k for k in kinds.values() if {*k.members}.issuperset(sort.members))
        return kinds.get(sort.name) or next(among, CountedKind(sort.name, Domain(sort)))

    def side_of(self, family: Family, member: str) -> str:
        """The side or power that a member of a kind belongs to; empty where nothing says so."""
        kind = self._kind(family.indices[0].sort)
        owners = kind.properties.get(EACH_SIDE) or kind.properties.get(POWER) or _column(kind)
        return str(owners.get(member, ""))

    # ---- lists

    def position(self, now: View) -> tuple[Listing, ...]:
        """The lists of `status` for a position."""
        found = []
        for family in self.whereabouts():
            kind = self._kind(family.indices[0].sort).name
            things = [Thing(n, now(x), side=self.side_of(family, n)) for (n,), x in family.fluents.items()]
            found.append(Listing(_title(kind), "Place", plural(kind), things, instead=(family.name,)))
        for family in self.holders():
            kind = self._kind(family.indices[0].sort).name
            owned = [Thing(n, now(x)) for (n,), x in family.fluents.items()]
            found.append(
                Listing(_title(family.name), _title(family.name), plural(kind), owned, instead=(family.name,))
            )
        for family in self.counts():
            one = _singular(family.name)
            counted = list(self._counted(family, now))
            found.append(Listing(_title(family.name), "Place", family.name, counted, plurals={one: family.name}))
        return tuple(found)

    def _counted(self, family: Family, now: View) -> Iterator[Thing]:
        for index, fluent in family.fluents.items():
            place, side = self._place_and_side(family, index)
            assert self.board is not None, "it counts on places"
            yield Thing(
                _singular(family.name), constant(self.board.kind.domain.sort, place), side=side, count=now(fluent)
            )

    def _place_and_side(self, family: Family, index: tuple[str, ...]) -> tuple[str, str]:
        first = self._is_place(family.indices[0].sort)
        return (index[0], index[1]) if first else (index[1], index[0])

    # ---- pictures

    def drawing(self, system: System) -> Drawing | None:
        """The picture of positions and events; None: there is no board."""
        if self.board is None:
            return None
        board = self.board
        draw, move = partial(self._picture, system, board), partial(self._move, system)
        return Drawing(lambda values, _: draw(values), move, exact=True, overlays=self.overlays)

    def _picture(self, system: System, board: KindBoard, values: Values) -> Picture:
        known = Known(values)
        parties = self.world.movers.members
        signs = marks(parties)
        side_of = {p: side for side, powers in self.world.sides.items() for p in powers}
        when = ", ".join(f"{f.name.replace('_', ' ')}: {values[f]}" for f in system.schedule)
        numbers = (
            f"{system.vocabulary[name].name.replace('_', ' ')}{f' of {args[0]}' if args else ''}: "
            f"{_written(known(system.vocabulary[name].partial(*args).value))}"
            for name, *args in system.overview
        )
        return Picture(
            notes=(when, *numbers),
            parties=tuple(Party(p, signs[p], side_of.get(p, p)) for p in parties),
            regions=tuple(self._regions(board, values)),
            links=() if board.grid is not None else board.links,
            hexes=None if board.grid is None else self._hexes(board, values),
        )

    def _regions(self, board: KindBoard, values: Values) -> Iterator[Region]:
        terrain = board.kind.properties.get(TERRAIN, {})
        counters: dict[str, list[Counter]] = {}
        for family in self.whereabouts():
            kinds = self._kind(family.indices[0].sort).properties.get("type", {})
            for (name,), fluent in family.fluents.items():
                counter = Counter(name, self.side_of(family, name), str(kinds.get(name, "")))
                counters.setdefault(str(values[fluent]), []).append(counter)
        forces: dict[str, list[Troops]] = {}
        for family in self.counts():
            for index, fluent in family.fluents.items():
                place, side = self._place_and_side(family, index)
                if values[fluent]:
                    kind = _singular(family.name)
                    sign = _figure(kind) or ("foot" if kind == "unit" else "")
                    forces.setdefault(place, []).append(Troops(side, kind, int(values[fluent]), sign))
        owners = {n: str(values[x]) for family in self.holders() for (n,), x in family.fluents.items()}
        for place in board.kind.members:
            there = tuple(counters.get(place, ()))
            troops = [*forces.get(place, ())]
            if board.grid is None:
                troops += [Troops(c.party, c.kind, 1, _figure(c.kind), c.name) for c in there]
            ground = str(terrain.get(place, "open"))
            yield Region(
                place,
                _DRAWN.get(ground, "land") if board.grid is None else "land",
                place,
                self._at(board, place),
                owners.get(place) if owners.get(place) in self.world.movers.members else None,
                forces=tuple(
                    sorted(troops, key=lambda t: self.world.movers.members.index(t.party) if t.party else 0)
                ),
                ground=ground,
                counters=there or tuple(_as_counters(troops) if board.grid is not None else ()),
            )

    def _at(self, board: KindBoard, place: str) -> tuple[float, float] | None:
        return board.at.get(place)

    def _hexes(self, board: KindBoard, values: Values) -> HexMap:
        assert board.grid is not None, "these are hexes"
        grounds = tuple(TerrainKind(m, look_of(m)) for m in board.marks) or (
            TerrainKind("open", "open", written=False),
        )
        aside: dict[str, list[str]] = {}
        for family in self.whereabouts():
            for (name,), fluent in family.fluents.items():
                if str(values[fluent]) not in self.places:
                    aside.setdefault(str(values[fluent]), []).append(name)
        lines = tuple(f"{_title(where)}: {', '.join(names)}." for where, names in aside.items())
        return HexMap(board.grid.corner_north, grounds, aside=lines)

    def _move(self, system: System, move: Move, values: Values) -> Drawn:
        """An event as an arrow between the places that it names, or from where its unit stands, with its name."""
        schema = system.schemas.get(move.action)
        whole = schema is not None and {p.name for p in schema.parameters} == {*move.args}
        happens = (Event(move.action, tuple(move.args.items())),) if whole else ()
        places = [str(x) for x in move.args.values() if str(x) in self.places]
        source, target = (places[0], places[-1]) if len(places) > 1 else (None, places[0] if places else None)
        label = move.action.replace("_", " ")
        for family in self.whereabouts():
            for (name,), fluent in family.fluents.items():
                if name in move.args.values() and str(values[fluent]) in self.places and len(places) == 1:
                    source, label = str(values[fluent]), name
        if target is None:
            return Drawn(events=happens)
        way = system.action(happens[0]).way if happens else None
        via = () if way is None or source is None else tuple(way(values))
        return Drawn((Arrow(source, target, via, label, way="land", party=move.actor),), events=happens)


def _title(name: str) -> str:
    words = name.replace("_", " ")
    return words[:1].upper() + words[1:]


def _written(value: Value) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _singular(name: str) -> str:
    return name.removesuffix("s") if len(name) > len("us") and not name.endswith("ss") else name


def _figure(kind: str) -> Sign:
    """The sign of a kind of units that a rulebook names; empty: letters tell it."""
    return next((sign for sign, words in _FIGURES.items() if kind.lower() in words), "")


_FIGURES: Mapping[Sign, tuple[str, ...]] = {
    "foot": ("infantry", "foot", "rifles", "army"),
    "horse": ("cavalry", "horse", "dragoons", "hussars"),
    "tank": ("armour", "armor", "tank", "panzer"),
    "gun": ("artillery", "gun", "battery"),
    "fort": ("fort", "fortress", "bunker"),
    "staff": ("leader", "general", "headquarters"),
    "wing": ("fighter", "aircraft", "plane"),
    "wings": ("bomber",),
    "transport": ("transport", "convoy"),
    "ship": ("ship", "fleet", "cruiser", "destroyer"),
    "battleship": ("battleship",),
    "carrier": ("carrier",),
    "sub": ("submarine",),
}


def _column(kind: CountedKind) -> Mapping[str, Fixed]:
    """The column of a table in which sides or powers stand, whatever it is called; nothing where there is none."""
    called = next((n for n, of in kind.named.items() if of.sort.name in (EACH_SIDE, POWER)), "")
    return kind.properties.get(called, {})


def _as_counters(troops: list[Troops]) -> Iterator[Counter]:
    for t in troops:
        yield Counter(f"{t.count} {t.party}" if t.count > 1 else t.party, t.party, t.kind)
