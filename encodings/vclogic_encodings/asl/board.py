"""The format of a board file: hexes, buildings, units, set-up areas, exits and victory conditions of a scenario."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from vclogic.model.fluents import Family
from vclogic.model.rules import Rule

Kind = Literal[
    "squad",
    "half-squad",
    "crew",
    "leader",
    "armour-leader",
    "hero",
    "dummy",
    "vehicle",
    "wagon",
    "motorcycle",
    "goliath",
    "boat",
    "landing-craft",
    "glider",
    "aircraft",
    "gun",
    "equipment",
]
MMC = ("squad", "half-squad", "crew")
SMC = ("leader", "armour-leader", "hero")
INFANTRY = (*MMC, *SMC)
LANDED = ("vehicle", "wagon", "motorcycle", "goliath", "boat", "landing-craft")
"""The kinds of units that move as a vehicle does."""
EQUIPMENT = ("gun", "equipment")


@dataclass(frozen=True)
class Hex:
    """The special properties of a hex.

    Attributes:
        level: Its base level.
        locations: Its Locations apart from the upper levels of buildings; `0` is the ground level.
        closed: Sides whose ground units cannot enter it whatever burns (water, a cliff, a SSR).
    """

    level: int = 0
    locations: tuple[str, ...] = ("0",)
    closed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Building:
    """A building: its key on the board is one of its hexes, with `#2` behind it where that hex holds two.

    Attributes:
        hexes: Its hexes.
        levels: How many upper levels it has.
        stairs: Hexes in which units go up and down.
        walls: Pairs of its hexes between which it is not open; left out: all that touch are open to each other.
        rowhouse: Pairs of its hexes with a black bar between them.
    """

    hexes: tuple[str, ...]
    levels: int = 0
    stairs: tuple[str, ...] = ()
    walls: tuple[tuple[str, str], ...] = ()
    rowhouse: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Unit:
    """A counter; its key on the board is its name.

    Attributes:
        side: The side that it belongs to.
        kind: What it is.
        nationality: Its nationality, where that matters (`Chinese`, `Japanese`).
        at: Its Location at the start; left out: off the map.
        concealment: Whether it is concealed or hidden at the start.
        armed: Infantry: whether it is armed.
        modifier: A leader's leadership modifier.
        armour: A vehicle's strongest armour factor; left out: it has none, which is not the same as 0.
        main_armament: Whether a vehicle has a main armament (which may be a machine gun).
        other_weapons: Whether a vehicle has weapons beside it.
        inherent: What the crew in a vehicle is, if it is capable of a separate existence.
        crew: The unit that the inherent crew becomes when it leaves the vehicle.
        carrier: Whether it is a Carrier, whose half-squad counts as a crew while it is inherent.
        lc_crew: Whether it is the crew of a landing craft.
        value: Points, where other rules than section 26 give them (landing craft, desert).
        wounded_value: Points of a wounded leader, where that is not what it is worth unwounded (Japanese leaders).
    """

    side: str
    kind: Kind
    nationality: str = ""
    at: str | None = None
    concealment: Literal["open", "concealed", "hidden"] = "open"
    armed: bool = True
    modifier: int = 0
    armour: int | None = None
    main_armament: bool = False
    other_weapons: bool = False
    inherent: Literal["none", "crew", "half-squad"] = "none"
    crew: str | None = None
    carrier: bool = False
    lc_crew: bool = False
    value: int | None = None
    wounded_value: int | None = None


@dataclass(frozen=True)
class Area:
    """A set-up area: hexes, and whole map boards by their number.

    Attributes:
        side: Who sets up there.
        hexes: Hexes.
        boards: Numbers of map boards, all hexes of which belong to it.
    """

    side: str
    hexes: tuple[str, ...] = ()
    boards: tuple[str, ...] = ()


@dataclass(frozen=True)
class MapEdge:
    """A part of the map's edge.

    Attributes:
        sides: Sides that earn exit points there.
        hexes: Hexes from whose ground level units leave by it; left out: a record is believed, and no plan leaves.
        seaborne: Whether it is an evacuation by sea, for which heroes count.
    """

    sides: tuple[str, ...] = ()
    hexes: tuple[str, ...] = ()
    seaborne: bool = False


@dataclass(frozen=True)
class HeldAreas:
    """The areas that a side controls at the start.

    Attributes:
        buildings: Buildings with all their hexes and Locations.
        hexes: Hexes with all their Locations.
        locations: Locations.
    """

    buildings: tuple[str, ...] = ()
    hexes: tuple[str, ...] = ()
    locations: tuple[str, ...] = ()


@dataclass(frozen=True)
class Condition:
    """One thing that a victory condition asks for; exactly one of its kinds is given.

    Attributes:
        location: A Location to control.
        hex: A hex to control.
        building: A building to control, by any of its hexes.
        locations: Locations, hexes or buildings of which all are to be controlled; at least so many of them with
            `at_least`, more of them than the opponent controls with `more`.
        hexes: See `locations`.
        buildings: See `locations`.
        at_least: See `locations`.
        more: See `locations`.
        cvp: At least so many casualty points.
        cvp_lead: At least so many casualty points more than the opponent has.
        cvp_ratio: At least so many times the opponent's casualty points: `2`, or `"3:2"`.
        exit_vp: At least so many exit points.
        negate: Whether it must not be so.
    """

    location: str | None = None
    hex: str | None = None
    building: str | None = None
    locations: tuple[str, ...] = ()
    hexes: tuple[str, ...] = ()
    buildings: tuple[str, ...] = ()
    at_least: int | None = None
    more: bool = False
    cvp: int | None = None
    cvp_lead: int | None = None
    cvp_ratio: str | None = None
    exit_vp: int | None = None
    negate: bool = False

    @property
    def casualties(self) -> bool:
        """True if it asks for casualty points."""
        return any(n is not None for n in (self.cvp, self.cvp_lead, self.cvp_ratio))


def ratio(text: str) -> tuple[int, int] | None:
    """A ratio as two numbers from 1, or None if it is none."""
    ours, _, theirs = text.partition(":")
    numbers = ours, theirs or "1"
    if not all(n.isdecimal() and len(n) <= 2 and int(n) > 0 for n in numbers):
        return None
    return int(numbers[0]), int(numbers[1])


@dataclass(frozen=True)
class VictoryConditions:
    """The victory conditions of a side: all of some conditions, and one of others if there are any.

    Attributes:
        text: What they ask for, in a line.
        when: Whether they are judged when the game ends, or at every moment.
        all: Conditions that must all hold.
        any: Conditions of which one must hold.
    """

    text: str = ""
    when: Literal["end", "immediately"] = "end"
    all: tuple[Condition, ...] = ()
    any: tuple[Condition, ...] = ()


@dataclass(frozen=True)
class BalanceProvision:
    """The provision for the side that gets the balance.

    Attributes:
        text: What it changes, in a line.
        victory: Victory conditions instead of the usual ones, by side.
        adds: Units that are in play only with it, of those of the board.
        removes: Units that are not in play with it.
    """

    text: str
    victory: Mapping[str, VictoryConditions] = field(default_factory=dict)
    adds: tuple[str, ...] = ()
    removes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Board:
    """A scenario's part of the map, its units and its victory conditions.

    Attributes:
        sides: The two sides.
        whole: Numbers of geomorphic boards of which all 346 hexes are in play.
        hexes: Hexes in play, named `22V3`; those of whole boards only where something is special about them.
        buildings: Buildings by one of their hexes.
        units: Units by name.
        held: What each side controls at the start, beyond what it gains by setting up.
        areas: Set-up areas by name.
        exits: Exit areas by name.
        flammable: Locations in which there can be fire or rubble.
        victory: Victory conditions by side.
        balance: Balance provisions by side.
    """

    sides: tuple[str, str]
    whole: tuple[str, ...] = ()
    hexes: Mapping[str, Hex] = field(default_factory=dict)
    buildings: Mapping[str, Building] = field(default_factory=dict)
    units: Mapping[str, Unit] = field(default_factory=dict)
    held: Mapping[str, HeldAreas] = field(default_factory=dict)
    areas: Mapping[str, Area] = field(default_factory=dict)
    exits: Mapping[str, MapEdge] = field(default_factory=dict)
    flammable: tuple[str, ...] = ()
    victory: Mapping[str, VictoryConditions] = field(default_factory=dict)
    balance: Mapping[str, BalanceProvision] = field(default_factory=dict)

    def enemy(self, side: str) -> str:
        """The other side."""
        return self.sides[1] if side == self.sides[0] else self.sides[0]

    def of(self, *kinds: str) -> tuple[str, ...]:
        """The units of some kinds, in the order of the board."""
        if kinds not in self._of:
            self._of[kinds] = tuple(n for n, u in self.units.items() if u.kind in kinds)
        return self._of[kinds]

    @cached_property
    def laws(self) -> list[tuple[tuple[tuple[Family, ...], str, str], tuple[Rule, ...], Sequence[Rule]]]:
        """The laws of the system that was built last, and what they depend on: systems of one board share them."""
        return []

    @cached_property
    def _of(self) -> dict[tuple[str, ...], tuple[str, ...]]:
        return {}
