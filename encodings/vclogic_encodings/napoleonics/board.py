"""The format of a board: the map with its terrain, the units, the objectives."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from vclogic.board.hexgrid import HexGrid, Stagger
from vclogic.board.hexgrid import Side as Edge

Kind = Literal[
    "temporary",
    "turn_start_temporary",
    "turn_start_majority",
    "permanent",
    "turn_start_permanent",
    "last_to_occupy",
    "taken",
]
"""The kinds of objective: `rules/objectives.py` has the rules of each."""
KEPT: tuple[Kind, ...] = ("temporary", "turn_start_temporary", "turn_start_majority")
"""The kinds that are lost when their hexes are vacated."""
NONE, OFF, ELIMINATED = "none", "off", "eliminated"
"""No side; not on the map; lost to the enemy."""
TO = " to "
"""Between the two corners of a rectangle of hexes."""
MOST = 99
"""The largest number of banners, columns, rows and movement points."""


@dataclass(frozen=True)
class UnitKind:
    """The abilities of a kind of unit.

    Attributes:
        move: Its movement allowance.
        leader: Whether it is a leader, who may stand with a unit of the side.
    """

    move: int
    leader: bool = False


@dataclass(frozen=True)
class Terrain:
    """A kind of terrain.

    Attributes:
        blocks: Nobody can be there.
        blocks_kinds: Kinds of units that cannot be there.
        stops: A unit that enters goes no further this turn.
        cost: Movement that entering costs.
    """

    blocks: bool = False
    blocks_kinds: tuple[str, ...] = ()
    stops: bool = False
    cost: int = 1


@dataclass(frozen=True)
class Unit:
    """A unit or a leader.

    Attributes:
        side: The side it fights for.
        kind: Its kind.
        at: Where it is at the start: a hex, or `off` the map.
        banners: Victory Banners that the enemy gains by eliminating it.
    """

    side: str
    kind: str
    at: str = OFF
    banners: int = 1


@dataclass(frozen=True)
class BannerObjective:
    """A Victory Banner objective on the map.

    Attributes:
        kind: When it is gained and lost.
        hexes: Its hex, or the hexes of its group.
        side: The one side that can hold it; left out: both can.
        banners: Victory Banners that it is worth.
        held: The side that holds it at the start, where the set-up says so.
        kinds: The kinds of units that occupy or take it; left out: all.
    """

    kind: Kind
    hexes: tuple[str, ...]
    side: str | None = None
    banners: int = 1
    held: str | None = None
    kinds: tuple[str, ...] = ()


@dataclass(frozen=True)
class Exit:
    """A way off the map that the battle notes name; a unit that has left by it is there, and does not come back.

    Attributes:
        hexes: The hexes from which units leave by it, also `1,3 to 4,3`; left out: those of the edge.
        edge: The edge of the map by which they leave.
        side: The one side whose units leave by it; left out: both.
        kinds: The kinds of units that leave by it; left out: all.
        banners: Victory Banners for each unit that has left by it.
        lost: Whether units that leave by it are lost: the enemy has the banners.
    """

    hexes: tuple[str, ...] = ()
    edge: Edge | None = None
    side: str | None = None
    kinds: tuple[str, ...] = ()
    banners: int = 1
    lost: bool = False


@dataclass(frozen=True)
class BattleObjective:
    """A banner for what the battle notes of one scenario name, beside its hexes.

    Attributes:
        side: The side that gains it.
        text: What is to be accomplished.
        banners: Victory Banners that it is worth each time.
        times: How often it can be gained.
    """

    side: str
    text: str
    banners: int = 1
    times: int = 1


@dataclass(frozen=True)
class Board:
    """A battle: map, armies and victory conditions.

    Attributes:
        first: The side that has the first turn.
        kinds: Kinds of units and leaders by name.
        units: Units and leaders by name.
        banners: Victory Banners that each side needs to win; left out, or without a side: it cannot win.
        sides: The two sides; left out: those of `banners`.
        objectives: Objectives on the map by name.
        battle_objectives: Other objectives of the battle notes by name.
        exits: Ways off the map by name.
        sections: Hexes of parts of the map by name, also `0,0 to 3,8`; a hex may belong to several.
        columns: Hexes in a long row.
        rows: How many rows there are.
        numbered_from: The number of the first column and of the first row, as the map prints them.
        stagger: Which rows or columns, by their numbers, lie half a hex further east or south; see `HexGrid`.
        short_rows: Whether the rows or columns that lie half a hex further have one hex less.
        terrain_types: Kinds of terrain by name.
        terrain: The hexes of each kind of terrain; all others are open.
    """

    first: str
    kinds: Mapping[str, UnitKind]
    units: Mapping[str, Unit]
    banners: Mapping[str, int] = field(default_factory=dict)
    sides: tuple[str, ...] = ()
    objectives: Mapping[str, BannerObjective] = field(default_factory=dict)
    battle_objectives: Mapping[str, BattleObjective] = field(default_factory=dict)
    exits: Mapping[str, Exit] = field(default_factory=dict)
    sections: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    columns: int = 13
    rows: int = 9
    numbered_from: int = 0
    stagger: Stagger = "odd-row"
    short_rows: bool = True
    terrain_types: Mapping[str, Terrain] = field(default_factory=dict)
    terrain: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "sides", self.sides or tuple(self.banners))

    def enemy(self, side: str) -> str:
        """The other side."""
        return next(s for s in self.sides if s != side)

    @cached_property
    def grid(self) -> HexGrid:
        """The map."""
        whole = HexGrid(self.columns, self.rows, self.stagger, first=self.numbered_from)
        if not self.short_rows:
            return whole
        if whole.corner_north:
            short = [whole.at(self.columns - 1, r) for r in range(self.rows) if whole.shifted(r)]
        else:
            short = [whole.at(c, self.rows - 1) for c in range(self.columns) if whole.shifted(c)]
        return HexGrid(self.columns, self.rows, self.stagger, frozenset(short), self.numbered_from)

    @cached_property
    def ground(self) -> Mapping[str, tuple[str, Terrain]]:
        """The name and kind of the terrain of each hex that is not open."""
        types = self.terrain_types
        return {h: (name, types[name]) for name, hexes in self.terrain.items() if name in types for h in hexes}

    @cached_property
    def blocked(self) -> Mapping[str, str]:
        """The hexes where nobody can be, with their terrain."""
        return {h: name for h, (name, terrain) in self.ground.items() if terrain.blocks}

    @cached_property
    def hexes(self) -> tuple[str, ...]:
        """The hexes where somebody can be."""
        return tuple(h for h in self.grid.hexes if h not in self.blocked)

    def pieces(self, side: str | None = None, *, leaders: bool | None = None) -> tuple[str, ...]:
        """Units and leaders: of one side or both; with leaders, without them, or leaders alone.

        Args:
            side: The side; None: both.
            leaders: True: leaders alone; False: units alone; None: both.
        """
        return tuple(
            name
            for name, u in self.units.items()
            if side in (None, u.side) and leaders in (None, self.kinds[u.kind].leader)
        )

    def spread(self, hexes: Iterable[str]) -> tuple[str, ...]:
        """Hexes with those of `1,3 to 4,3` one by one, each once."""
        every = (self.grid.span(*ends) if len(ends := h.split(TO)) == 2 else ends for h in hexes)
        return tuple(dict.fromkeys(h for some in every for h in some))

    @cached_property
    def ways_out(self) -> Mapping[str, tuple[str, ...]]:
        """For each exit the hexes from which units leave by it."""
        found = {name: self.spread(x.hexes) or self.grid.border(x.edge or "north") for name, x in self.exits.items()}
        return {name: tuple(h for h in hexes if h not in self.blocked) for name, hexes in found.items()}

    @cached_property
    def leaving(self) -> Mapping[str, tuple[str, ...]]:
        """For each exit the units and leaders that may leave by it."""
        return {name: self.fitting(self.pieces(x.side), x.kinds) for name, x in self.exits.items()}

    def fitting(self, pieces: Iterable[str], kinds: tuple[str, ...]) -> tuple[str, ...]:
        """Those of some units and leaders that are of some kinds; no kinds: all."""
        return tuple(u for u in pieces if not kinds or self.units[u].kind in kinds)
