"""The format of `board.yaml`, and what a board must satisfy to be playable."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from vclogic.board.area import AreaMap, Straits
from vclogic.model.system import Flaw

CAPITAL = "capital"
"""The rank of cities whose fall costs a power more than their points."""
INFANTRY, COMPLEX = "infantry", "complex"
"""Names of the unit types that have rules of their own."""
MOST = 999
"""Units of a kind, prices and incomes are counted up to here."""


POINTS: Mapping[str, int] = {CAPITAL: 5, "major": 3, "moderate": 2, "minor": 1}
"""The ranks that the rule text names, with the points that it gives them (VC/2)."""


def _own_limits() -> Mapping[str, Mapping[str, int]]:
    """Those of the rule text (VC-infantry-p2/2)."""
    return {"UK": {"capital": 3}, "US": {"capital": 3}, "Japan": {"major": 1, "moderate": 1}}


def _captured_limits() -> Mapping[str, Mapping[str, int]]:
    """Those of the rule text (VC-infantry-p3/2 and p3/3)."""
    return {
        "Axis": {"capital": 1, "major": 1, "moderate": 1, "minor": 0},
        "Allies": {"capital": 2, "major": 2, "moderate": 2, "minor": 1},
    }


@dataclass(frozen=True)
class City:
    """A victory city.

    Attributes:
        name: The city.
        rank: Its class, one of the board's `ranks`, which sets its points.
        nation: The nation it starts with.
        clause: Id of the rule text's line that lists it; a board of your own has none.
    """

    name: str
    rank: str
    nation: str
    clause: str | None = None


@dataclass(frozen=True)
class Territory:
    """A region of the map.

    Attributes:
        kind: Land can be owned; sea and impassable regions cannot.
        owner: The power that owns it at the start; every land has one.
        ipc: Its income.
        aliases: Other names that it goes by.
        city: The victory city in it.
        units: Units there at the start, by power and type.
        at: Where its centre lies in a picture, x to the right and y down, in any unit.
    """

    kind: Literal["land", "sea", "impassable"] = "land"
    owner: str | None = None
    ipc: int = 0
    aliases: tuple[str, ...] = ()
    city: City | None = None
    units: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    at: tuple[int, int] | None = None


@dataclass(frozen=True)
class Power:
    """A player's nation in the game.

    Attributes:
        side: The side it fights for.
        nation: The nation whose cities are its own; another name of the power, unless two powers share it.
        treasury: IPCs in hand at the start.
        aliases: More names that it goes by.
    """

    side: str
    nation: str
    treasury: int = 0
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True)
class UnitType:
    """The abilities of a kind of unit; numbers as the game's charts give them."""

    kind: Literal["land", "air", "sea", "complex"]
    cost: int
    move: int = 0
    attack: int = 0
    defence: int = 0
    hits: int = 1
    transport_load: int = 0
    transport_room: int = 0
    carrier_load: int = 0
    carrier_room: int = 0
    blitzes: bool = False
    supported_by_artillery: bool = False
    supports_infantry: bool = False
    bombards: bool = False
    antiaircraft: bool = False
    strategic_bomber: bool = False
    submarine: bool = False
    destroyer: bool = False


@dataclass(frozen=True)
class Canal:
    """A passage between two sea zones that is open to the side that controls the land beside it."""

    zones: tuple[str, str]
    land: tuple[str, ...]


@dataclass(frozen=True)
class Board:
    """A map with its powers, victory cities and start.

    Attributes:
        powers: Who plays, by name.
        turn_order: The powers in the order of their turns.
        judged_after: Victory is judged at the end of this power's turn.
        own_limits: Infantry per turn at a nation's own cities, by nation and rank, where that is not the city's
            points; left out: as the rule text has it.
        captured_limits: Infantry per turn at cities captured from the other side, by the side that holds them and
            rank; of the rule text's ranks one left out: none. Left out altogether: as the rule text has it.
        ipc_factor: Units placed at a territory's complex per turn are worth at most so many times its IPC value.
        wraps: Whether the left and the right edge of the map meet, for pictures.
        territories: The regions by name.
        connections: Pairs of regions that touch.
        ranks: Points of a victory city by its rank, of whatever name; left out: as the rule text has it.
        major_victory: Points that a side needs for Major Victory; a side that is left out cannot win one.
        canals: Passages by name.
        unit_types: Kinds of units by name; `infantry` and `complex` have rules of their own.
        groups: Territories by the name of a group, for conditions that count them.
    """

    powers: Mapping[str, Power]
    turn_order: tuple[str, ...]
    judged_after: str
    territories: Mapping[str, Territory]
    connections: tuple[tuple[str, str], ...]
    ranks: Mapping[str, int] = field(default_factory=lambda: POINTS)
    major_victory: Mapping[str, int] = field(default_factory=dict)
    canals: Mapping[str, Canal] = field(default_factory=dict)
    unit_types: Mapping[str, UnitType] = field(default_factory=dict)
    own_limits: Mapping[str, Mapping[str, int]] = field(default_factory=_own_limits)
    captured_limits: Mapping[str, Mapping[str, int]] = field(default_factory=_captured_limits)
    ipc_factor: int = 4
    wraps: bool = False
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @cached_property
    def map(self) -> AreaMap:
        """The regions and connections."""
        return AreaMap(tuple(self.territories), self.connections)

    @cached_property
    def by_sea(self) -> dict[int, Mapping[str, Mapping[str, list[Straits]]]]:
        """For each sea range from where territories can be invaded, built once: systems of one board share it."""
        return {}

    @cached_property
    def land(self) -> tuple[str, ...]:
        """The territories that can be owned."""
        return tuple(n for n, t in self.territories.items() if t.kind == "land")

    @cached_property
    def sea(self) -> tuple[str, ...]:
        """The sea zones."""
        return tuple(n for n, t in self.territories.items() if t.kind == "sea")

    @cached_property
    def regions(self) -> tuple[str, ...]:
        """The regions that units can be in: territories and sea zones."""
        return (*self.land, *self.sea)

    @cached_property
    def sides(self) -> Mapping[str, tuple[str, ...]]:
        """The powers of each side."""
        names = dict.fromkeys(p.side for p in self.powers.values())
        return {s: tuple(n for n, p in self.powers.items() if p.side == s) for s in names}

    @cached_property
    def cities(self) -> Mapping[str, City]:
        """The victory city of each territory that has one."""
        return {n: t.city for n, t in self.territories.items() if t.city}

    @cached_property
    def units(self) -> Mapping[str, UnitType]:
        """The kinds of units that can be bought; infantry and complexes in any case."""
        usual = {INFANTRY: UnitType("land", cost=3, move=1), COMPLEX: UnitType("complex", cost=15)}
        return {**usual, **self.unit_types}

    def kinds(self, kind: str) -> tuple[str, ...]:
        """The units of a kind: `land`, `sea` or `air`."""
        return tuple(n for n, u in self.units.items() if u.kind == kind)

    @cached_property
    def permanent(self) -> frozenset[str]:
        """The territories with an industrial complex at the start."""
        return frozenset(n for n, t in self.territories.items() if any(u.get(COMPLEX) for u in t.units.values()))

    def capital(self, power: str) -> str | None:
        """The territory of the power's own capital, or None if the board has none."""
        nation = self.powers[power].nation
        return next((n for n, c in self.cities.items() if c.nation == nation and c.rank == CAPITAL), None)

    def enemy(self, side: str) -> str:
        """The other side."""
        return next(s for s in self.sides if s != side)


def flaws(board: Board) -> Iterable[Flaw]:
    """The faults of a board that is of the right shape."""
    yield from _power_flaws(board)
    yield from _territory_flaws(board)
    yield from _connection_flaws(board)
    yield from _group_flaws(board)


def _power_flaws(board: Board) -> Iterable[Flaw]:
    if len(board.sides) != 2:
        yield Flaw(("powers",), f"two sides are needed, not {len(board.sides)}: {', '.join(board.sides)}")
    yield from _name_flaws(board)
    if sorted(board.turn_order) != sorted(board.powers):
        yield Flaw(("turn_order",), "the turn order must name every power once")
    if board.judged_after not in board.powers:
        yield Flaw.unknown(("judged_after",), "power", board.judged_after, board.powers)
    for side in board.major_victory:
        if side not in board.sides:
            yield Flaw.unknown(("major_victory", side), "side", side, board.sides, key=True)
    for rank, points in board.ranks.items():
        if points < 0:
            yield Flaw(("ranks", rank), "points cannot be negative")
    if not 0 <= board.ipc_factor <= MOST:
        yield Flaw(("ipc_factor",), f"a factor is a number from 0 to {MOST}")
    for key, table in (("own_limits", board.own_limits), ("captured_limits", board.captured_limits)):
        for name, limits in table.items():
            for rank, most in limits.items():
                if not 0 <= most <= MOST:
                    yield Flaw((key, name, rank), f"a limit is a number from 0 to {MOST}")
    for name, unit in board.unit_types.items():
        if not 0 <= unit.cost <= MOST:
            yield Flaw(("unit_types", name, "cost"), f"a price is a number from 0 to {MOST}")
        if (unit.kind == "complex") != (name == COMPLEX):
            yield Flaw(("unit_types", name, "kind"), f"the unit type {COMPLEX!r}, and no other, is of kind 'complex'")


def _name_flaws(board: Board) -> Iterable[Flaw]:
    """Names that could mean two powers, or a power and a side."""
    seen = dict.fromkeys(board.sides, "a side") | dict.fromkeys(board.powers, "a power")
    for name, power in board.powers.items():
        if name in board.sides and board.sides[name] != (name,):
            yield Flaw(("powers", name), f"{name} is a side too, and not this power alone", key=True)
        for i, alias in enumerate(power.aliases):
            if alias in seen:
                yield Flaw(("powers", name, "aliases", i), f"{alias!r} is already {seen[alias]}")
            seen[alias] = f"another name of the {name}"


def _territory_flaws(board: Board) -> Iterable[Flaw]:
    nations = [p.nation for p in board.powers.values()]
    seen: dict[str, str] = dict.fromkeys(board.territories, "a territory")
    for name, t in board.territories.items():
        at: tuple[str | int, ...] = ("territories", name)
        if t.kind == "land" and t.owner is None:
            yield Flaw(at, f"{name} is land and needs an owner", key=True)
        if t.kind != "land" and (t.owner or t.city or t.ipc):
            yield Flaw(at, f"{name} is {t.kind}: it has no owner, no city and no income", key=True)
        if t.owner is not None and t.owner not in board.powers:
            yield Flaw.unknown((*at, "owner"), "power", t.owner, board.powers)
        if not 0 <= t.ipc <= MOST:
            yield Flaw((*at, "ipc"), f"an income is a number from 0 to {MOST}")
        if t.city and t.city.rank not in board.ranks:
            yield Flaw.unknown((*at, "city", "rank"), "rank", t.city.rank, board.ranks)
        if t.city and t.city.nation not in nations:
            yield Flaw.unknown((*at, "city", "nation"), "nation", t.city.nation, nations)
        for i, alias in enumerate(t.aliases):
            if alias in seen:
                yield Flaw((*at, "aliases", i), f"{alias!r} is already {seen[alias]}")
            seen[alias] = f"another name of {name}"
        for power, units in t.units.items():
            if power not in board.powers:
                yield Flaw.unknown((*at, "units", power), "power", power, board.powers, key=True)
            for unit, n in units.items():
                if unit not in board.unit_types:
                    yield Flaw.unknown((*at, "units", power, unit), "unit", unit, board.unit_types, key=True)
                if n < 0:
                    yield Flaw((*at, "units", power, unit), "a number of units cannot be negative")


def _group_flaws(board: Board) -> Iterable[Flaw]:
    for name, members in board.groups.items():
        if name in board.territories or name.partition(" ")[0] in ("home", "capitals", "rank", "cities"):
            yield Flaw(("groups", name), f"{name!r} means something already", "give it another name", key=True)
        for i, member in enumerate(members):
            if member not in board.land:
                yield Flaw.unknown(("groups", name, i), "land territory", member, board.land)


def _connection_flaws(board: Board) -> Iterable[Flaw]:
    for i, pair in enumerate(board.connections):
        for j, name in enumerate(pair):
            if name not in board.territories:
                yield Flaw.unknown(("connections", i, j), "territory", name, board.territories)
        if pair[0] == pair[1]:
            yield Flaw(("connections", i), f"{pair[0]} cannot touch itself")
    edges = {frozenset(c) for c in board.connections}
    for name, canal in board.canals.items():
        at: tuple[str | int, ...] = ("canals", name)
        for j, zone in enumerate(canal.zones):
            if zone not in board.sea:
                yield Flaw.unknown((*at, "zones", j), "sea zone", zone, board.sea)
        for j, land in enumerate(canal.land):
            if land not in board.land:
                yield Flaw.unknown((*at, "land", j), "land territory", land, board.land)
        if frozenset(canal.zones) not in edges:
            yield Flaw((*at, "zones"), f"{canal.zones[0]} and {canal.zones[1]} are not connected")
