"""The format of a board: the map with its terrain, the units, the objectives; and what a playable board satisfies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from vclogic.board.hexgrid import HexGrid, Stagger
from vclogic.model.rules import Rule
from vclogic.model.system import Flaw

Kind = Literal[
    "temporary",
    "turn_start_temporary",
    "turn_start_majority",
    "permanent",
    "turn_start_permanent",
    "last_to_occupy",
]
"""The kinds of objective: `rules/objectives.py` has the rules of each."""
NONE, OFF, ELIMINATED = "none", "off", "eliminated"
"""No side; not on the map; lost to the enemy."""
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
class Objective:
    """A Victory Banner objective on the map.

    Attributes:
        kind: When it is gained and lost.
        hexes: Its hex, or the hexes of its group.
        side: The one side that can hold it; left out: both can.
        banners: Victory Banners that it is worth.
        held: The side that holds it at the start, where the set-up says so.
    """

    kind: Kind
    hexes: tuple[str, ...]
    side: str | None = None
    banners: int = 1
    held: str | None = None


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
    objectives: Mapping[str, Objective] = field(default_factory=dict)
    battle_objectives: Mapping[str, BattleObjective] = field(default_factory=dict)
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
    def stacking(self) -> list[Rule]:
        """The rules of stacking, built once: systems of one board share them, since no setting changes them."""
        return []

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


def flaws(board: Board) -> Iterable[Flaw]:
    """Report the faults of a board that has the right shape."""
    found = [*_number_flaws(board), *_side_flaws(board)]
    yield from found
    if any(f.path[0] in ("columns", "rows", "numbered_from", "banners", "sides") for f in found):
        return  # no map, or no sides, to look at the rest by
    yield from _terrain_flaws(board)
    yield from _unit_flaws(board)
    for name, o in board.objectives.items():
        yield from _objective_flaws(board, name, o)
    for name, b in board.battle_objectives.items():
        if b.side not in board.sides:
            yield Flaw.unknown(("battle_objectives", name, "side"), "side", b.side, board.sides)
        if name == NONE:
            yield Flaw(("battle_objectives", name), f"nothing can be named {name!r}", key=True)


Path = tuple[str | int, ...]


def _number_flaws(board: Board) -> Iterable[Flaw]:
    numbers: list[tuple[Path, int, int]] = [(("columns",), board.columns, 1), (("rows",), board.rows, 1)]
    numbers += [(("numbered_from",), board.numbered_from, 0)]
    numbers += [(("banners", s), n, 1) for s, n in board.banners.items()]
    numbers += [(("kinds", k, "move"), x.move, 0) for k, x in board.kinds.items()]
    numbers += [(("units", u, "banners"), x.banners, 0) for u, x in board.units.items()]
    numbers += [(("objectives", o, "banners"), x.banners, 0) for o, x in board.objectives.items()]
    numbers += [(("battle_objectives", o, "banners"), x.banners, 0) for o, x in board.battle_objectives.items()]
    numbers += [(("battle_objectives", o, "times"), x.times, 1) for o, x in board.battle_objectives.items()]
    numbers += [(("terrain_types", t, "cost"), x.cost, 1) for t, x in board.terrain_types.items()]
    for path, number, least in numbers:
        if not least <= number <= MOST:
            yield Flaw(path, f"{path[-1]}: a number from {least} to {MOST} is needed, not {number}")


def _side_flaws(board: Board) -> Iterable[Flaw]:
    if len(board.sides) != 2:
        here = ": " + ", ".join(board.sides) if board.sides else ""
        hint = (
            "name them: `sides: [French, Allied]`, or say what each needs to win: `banners: {French: 5, Allied: 5}`"
        )
        yield Flaw(("banners",), f"two sides are needed, not {len(board.sides)}{here}", hint)
    for side in board.sides:
        if side == NONE:
            yield Flaw(("banners", side), f"no side can be named {side!r}", key=True)
    for side in board.banners:
        if side not in board.sides:
            yield Flaw.unknown(("banners", side), "side", side, board.sides, key=True)
    if board.first not in board.sides:
        yield Flaw.unknown(("first",), "side", board.first, board.sides)


def _hex_flaws(board: Board, path: Path, hexes: Iterable[str]) -> Iterable[Flaw]:
    """Hexes that are none, off the map, or given twice."""
    seen = set[str]()
    for i, h in enumerate(hexes):
        for message in board.grid.flaws([h]):
            yield Flaw((*path, i), message)
        if h in seen:
            yield Flaw((*path, i), f"{h} stands here twice")
        seen.add(h)


def _terrain_flaws(board: Board) -> Iterable[Flaw]:
    for name, kind in board.terrain_types.items():
        for i, blocked in enumerate(kind.blocks_kinds):
            if blocked not in board.kinds:
                yield Flaw.unknown(("terrain_types", name, "blocks_kinds", i), "kind of unit", blocked, board.kinds)
    seen: dict[str, str] = {}
    for name, hexes in board.terrain.items():
        if name not in board.terrain_types:
            yield Flaw.unknown(("terrain", name), "kind of terrain", name, board.terrain_types, key=True)
        yield from _hex_flaws(board, ("terrain", name), hexes)
        for i, h in enumerate(hexes):
            if seen.setdefault(h, name) != name:
                yield Flaw(("terrain", name, i), f"{h} is {seen[h]} already")


def _unit_flaws(board: Board) -> Iterable[Flaw]:
    if not board.units:
        yield Flaw(("units",), "there are no units")
    there: dict[str, str] = {}
    for name, u in board.units.items():
        at: Path = ("units", name)
        if u.side not in board.sides:
            yield Flaw.unknown((*at, "side"), "side", u.side, board.sides)
        if u.kind not in board.kinds:
            yield Flaw.unknown((*at, "kind"), "kind of unit", u.kind, board.kinds)
        if u.at == OFF:
            continue
        wrong = board.grid.flaws([u.at])
        for message in wrong:
            yield Flaw((*at, "at"), message, f"write {OFF!r} for a unit that is not on the map")
        if wrong or u.kind not in board.kinds:
            continue
        if (terrain := board.blocked.get(u.at)) is not None:
            yield Flaw((*at, "at"), f"{name} cannot stand on {u.at}: it is {terrain}")
        for other in [o for o, h in there.items() if h == u.at]:
            leads = board.kinds[u.kind].leader or board.kinds[board.units[other].kind].leader
            if board.units[other].side != u.side or not leads:
                yield Flaw((*at, "at"), f"{other} stands on {u.at} already")
        there[name] = u.at


def _objective_flaws(board: Board, name: str, o: Objective) -> Iterable[Flaw]:
    at: Path = ("objectives", name)
    if name == NONE:
        yield Flaw(at, f"no objective can be named {name!r}", key=True)
    if not o.hexes:
        yield Flaw(at, f"{name} has no hexes", key=True)
    yield from _hex_flaws(board, (*at, "hexes"), o.hexes)
    for i, h in enumerate(o.hexes):
        if (terrain := board.blocked.get(h)) is not None:
            yield Flaw((*at, "hexes", i), f"nobody can occupy {h}: it is {terrain}")
    for key, side in (("side", o.side), ("held", o.held)):
        if side is not None and side not in board.sides:
            yield Flaw.unknown((*at, key), "side", side, board.sides)
    if o.held is not None and o.side not in (None, o.held):
        yield Flaw((*at, "held"), f"{name} is an objective of the {o.side} side alone")
