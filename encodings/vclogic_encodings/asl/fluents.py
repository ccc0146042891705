"""The fluents of the game, and what they say about single units."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from vclogic_encodings.asl.board import EQUIPMENT, INFANTRY, LANDED, MMC, SMC, Board, Held
from vclogic_encodings.asl.checks import MOST
from vclogic_encodings.asl.geometry import Geometry, hex_of
from vclogic_encodings.asl.names import (
    ACCIDENT,
    BLAZE,
    CONCEALED,
    DISABLED,
    FLAME,
    HIDDEN,
    MALFUNCTIONED,
    NO_FIRE,
    NONE,
    OFF,
    OPEN,
    WORKING,
    Names,
)

from vclogic.model.fluents import Family, Value
from vclogic.model.system import Settings
from vclogic.terms.atoms import member
from vclogic.terms.domain import Domain
from vclogic.terms.sorts import BOOL, EnumSort, IntSort, Sort
from vclogic.terms.term import Term

LOCATION, HEX, BUILDING = "location", "hex", "building"
"""Kinds of what can be controlled."""
Area = tuple[str, str]
"""What can be controlled: its kind and its name."""
Changes = dict[Term, Term]
"""Fluents and their values after an event."""


def usual(sort: Sort) -> Value:
    """What a fluent of a sort is unless a board or an event says otherwise."""
    if isinstance(sort, EnumSort):
        return sort.members[0]
    return sort.lo if isinstance(sort, IntSort) else False


def _flag(name: str, text: str, *kinds: str) -> cached_property[Family]:
    """A family that says of each unit of some kinds whether something is so."""

    def family(fluents: Fluents) -> Family:
        return fluents._of_units(name, BOOL, text, fluents.board.of(*kinds))

    return cached_property(family)


class Fluents(Names):
    """The state variables over one board, and the settings.

    Each family of units says of every unit what rules read: of one that cannot be broken, that it is not.

    Attributes:
        settings: Options and readings.
        out: Units that are not in play under the chosen balance.
    """

    def __init__(self, board: Board, geometry: Geometry, settings: Settings, out: frozenset[str] = frozenset()):
        super().__init__(board, geometry)
        self.settings = settings
        self.out = out

    @staticmethod
    def names_of(family: Family) -> Domain | None:
        """What a family is recorded for; None if it has no fluents."""
        return None if family.empty else family.indices[0]

    def reads(self, reading: str, value: str) -> bool:
        """Whether a reading has a value."""
        return self.settings.readings[reading] == value

    def _of(self, name: str, sort: Sort, text: str, domain: Domain | None, values: Domain | None = None) -> Family:
        """A family over a domain; without one it has no fluents."""
        indices = (domain,) if domain else ()
        return Family(name, sort, text, indices, values, otherwise=usual(sort), empty=domain is None)

    def _of_units(
        self, name: str, sort: Sort, text: str, units: tuple[str, ...], values: Domain | None = None
    ) -> Family:
        """A family over some units."""
        return self._of(name, sort, text, self.some_units(f"unit with {name!r}", units), values)

    # ---- units

    @cached_property
    def at(self) -> Family:
        """Where each unit is."""
        text = "where the unit is: a Location, `off` the map, `eliminated` or `exited`"
        return Family("at", self.places.sort, text, (self.units,), self.places)

    @cached_property
    def on_map(self) -> int:
        """The Locations among the places, as a mask."""
        return sum(1 << self.at.members[x] for x in self.geometry.locations)

    bypass = _flag("bypass", "the unit is in bypass", *INFANTRY, *LANDED)
    broken = _flag("broken", "the unit is broken", *INFANTRY)
    disrupted = _flag("disrupted", "the unit is disrupted, and broken", *INFANTRY)
    shocked = _flag("shocked", "the vehicle is shocked", *LANDED)
    immobile = _flag("immobile", "the vehicle is immobile", *LANDED)
    dismantled = _flag("dismantled", "the Gun is dismantled", "gun")
    wounded = _flag("wounded", "the leader or hero is wounded", *SMC)
    unarmed = _flag("unarmed", "the Infantry unit has no weapons, apart from being a prisoner", *INFANTRY)
    captured = _flag(
        "captured",
        "the unit is a prisoner; or the opponent was the last to recover or capture it",
        *INFANTRY,
        *LANDED,
        *EQUIPMENT,
    )
    holds = _flag("vehicle_controls", "the vehicle temporarily controls the Location that it is in", *LANDED)
    anew = _flag(
        "anew", "the unit gains nothing where it is until it moves (readings squad_with_vehicle and regain)", *MMC
    )

    @cached_property
    def melee(self) -> Family:
        """Who is held in Melee."""
        text = "the enemy unit that holds the unit in Melee, or none"
        return self._of_units("melee", self.companions, text, self.board.of(*INFANTRY), Domain(self.companions))

    @cached_property
    def concealment(self) -> Family:
        """Who is concealed or hidden."""
        kinds = Domain(EnumSort("concealment", (OPEN, CONCEALED, HIDDEN)))
        return self._of_units(
            "concealment",
            kinds.sort,
            "whether the unit is open, concealed or hidden (HIP)",
            self.board.of(*INFANTRY, *LANDED, "dummy", "gun"),
            kinds,
        )

    @cached_property
    def with_(self) -> Family:
        """Who rides in what, who guards whom, and who tows or carries what."""
        text = "the vehicle that it rides in or that tows it, or the unit that guards or carries it; or none"
        units = self.board.of(*INFANTRY, *EQUIPMENT) if len(self.companions.members) > 1 else ()
        return self._of_units("with", self.companions, text, units, Domain(self.companions))

    @cached_property
    def crewed(self) -> Family:
        """Which vehicles have their inherent crew."""
        inherent = tuple(n for n, u in self.board.units.items() if u.inherent != "none")
        return self._of_units("crewed", BOOL, "the vehicle's inherent crew is in it", inherent)

    @cached_property
    def armament(self) -> Family:
        """The state of main armaments and Guns."""
        armed = tuple(n for n, u in self.board.units.items() if u.main_armament or u.kind == "gun")
        states = Domain(EnumSort("state of armament", (WORKING, MALFUNCTIONED, DISABLED)))
        return self._of_units("armament", states.sort, "the state of the main armament or Gun", armed, states)

    # ---- points

    @cached_property
    def scored(self) -> Family:
        """What the opponent got for a unit that is lost for good."""
        text = "casualty points that the opponent received for the unit's elimination"
        return Family("scored", IntSort(0, 4 * MOST), text, (self.units,))

    @cached_property
    def worth(self) -> Family:
        """What a unit was worth when it was captured."""
        text = "casualty points of the unit when it was captured"
        return self._of_units("worth", IntSort(0, 2 * MOST), text, self.captured.names)

    @cached_property
    def left_by(self) -> Family:
        """Where a unit left the map."""
        text = "the exit area through which the unit left the map, or none"
        return self._of("left_by", self.exits.sort, text, self.units if self.board.exits else None, self.exits)

    @cached_property
    def led_off(self) -> Family:
        """Who left the map as a prisoner."""
        text = "the unit left the map as a prisoner"
        return self._of_units("led_off", BOOL, text, self.board.of(*INFANTRY) if self.board.exits else ())

    @cached_property
    def exit_points(self) -> Family:
        """What a unit earned by its exit."""
        text = "exit points that the unit earned"
        return Family("exit_points", IntSort(0, 2 * MOST), text, (self.units,))

    # ---- control

    @cached_property
    def location_control(self) -> Family:
        """Who controls each Location."""
        text = "who controls the Location, apart from vehicles there now"
        return Family("location_control", self.side_or_none.sort, text, (self.locations,), self.side_or_none)

    @cached_property
    def hex_control(self) -> Family:
        """Who controls each hex."""
        text = "who controls the hex, apart from vehicles there now"
        return Family("hex_control", self.side_or_none.sort, text, (self.hexes,), self.side_or_none)

    @cached_property
    def building_control(self) -> Family:
        """Who controls each building."""
        text = "who controls the building"
        return self._of("building_control", self.side_or_none.sort, text, self.buildings, self.side_or_none)

    def stored(self, kind: str, name: str) -> Term:
        """The fluent that says who controlled something before the last events."""
        return self._stored[kind][name]

    @cached_property
    def _stored(self) -> Mapping[str, Family]:
        return {LOCATION: self.location_control, HEX: self.hex_control, BUILDING: self.building_control}

    @cached_property
    def areas(self) -> Mapping[tuple[str, str], int]:
        """All that can be controlled, as kinds and names, with their places in the order of the board."""
        g = self.geometry
        kinds = ((LOCATION, g.locations), (HEX, g.hexes), (BUILDING, tuple(self.board.buildings)))
        return {area: i for i, area in enumerate((kind, name) for kind, names in kinds for name in names)}

    def parts(self, kind: str, name: str) -> tuple[str, ...]:
        """The Locations of something that can be controlled."""
        if kind == LOCATION:
            return (name,)
        return self.geometry.of_hex[name] if kind == HEX else self.geometry.of_building[name]

    def around(self, location: str) -> tuple[Area, ...]:
        """A Location with its hex and buildings."""
        h, of_building = hex_of(location), self.geometry.of_building
        buildings = [b for b in self.geometry.buildings_of.get(h, ()) if location in of_building[b]]
        return ((LOCATION, location), (HEX, h), *((BUILDING, b) for b in buildings))

    @cached_property
    def undeclared(self) -> Family:
        """Control that nobody need know of."""
        text = "only concealed or hidden units have gained it: the Control need not be declared"
        domain = Domain(EnumSort("what can be controlled", tuple(f"{kind} {name}" for kind, name in self.areas)))
        return self._of("undeclared", BOOL, text, domain if self.concealment.names else None)

    # ---- fire

    @cached_property
    def fire(self) -> Family:
        """Fire."""
        states = Domain(EnumSort("fire", (NO_FIRE, FLAME, BLAZE)))
        text = "the Fire in the Location: none, flame or blaze"
        return self._of("fire", states.sort, text, self.flammable, states)

    @cached_property
    def causes(self) -> Domain:
        """Who can have started a fire."""
        return Domain(EnumSort("cause of fire", (ACCIDENT, *self.board.sides)))

    @cached_property
    def cause(self) -> Family:
        """Who started the fire."""
        text = "who started the Fire in the Location: a side by Kindling, or accident"
        return self._of("cause", self.causes.sort, text, self.flammable, self.causes)

    @cached_property
    def rubble(self) -> Family:
        """Rubble."""
        text = "the Location is rubble"
        return self._of("rubble", BOOL, text, self.flammable)

    @cached_property
    def touched(self) -> tuple[str, ...]:
        """Locations, hexes and buildings whose control fire can decide, each with its kind before its name."""
        locations = self.geometry.beyond(self.board.flammable)
        hexes = dict.fromkeys(hex_of(x) for x in locations)
        buildings = dict.fromkeys(b for h in hexes for b in self.geometry.buildings_of.get(h, ()))
        kinds = ((LOCATION, locations), (HEX, hexes), (BUILDING, buildings))
        return tuple(f"{kind} {name}" for kind, names in kinds for name in names)

    @cached_property
    def touched_set(self) -> frozenset[str]:
        """The same, to look names up."""
        return frozenset(self.touched)

    @cached_property
    def forfeited(self) -> Family:
        """What was forfeited by a fire that still burns."""
        text = "who forfeited it by a Fire that still burns (reading extinguished=all)"
        domain = Domain(EnumSort("Location, hex or building", self.touched)) if self.touched else None
        return self._of("forfeited", self.side_or_none.sort, text, domain, self.side_or_none)

    # ---- the game

    @cached_property
    def ended(self) -> Family:
        """Whether the game is over."""
        return Family("ended", BOOL, "the game is over")

    @cached_property
    def winner(self) -> Family:
        """Who met a condition that is judged at every moment."""
        text = "who has met a victory condition that is judged at every moment"
        return Family("winner", self.side_or_none.sort, text, (), self.side_or_none)

    @cached_property
    def families(self) -> tuple[Family, ...]:
        """All fluents of the game."""
        found = (
            *(self.at, self.bypass, self.broken, self.melee, self.wounded, self.anew, self.concealment),
            *(self.disrupted, self.shocked, self.immobile, self.dismantled),
            *(self.captured, self.unarmed, self.with_, self.crewed, self.armament, self.holds),
            *(self.scored, self.worth, self.left_by, self.led_off, self.exit_points),
            *(self.location_control, self.hex_control, self.building_control, self.undeclared),
            *(self.fire, self.cause, self.rubble, self.forfeited, self.ended, self.winner),
        )
        return tuple(f for f in found if not f.empty)

    def initial(self) -> dict[Term, Value]:
        """The start as the board gives it."""
        values: dict[Term, Value] = {}
        for f in self.families:
            values |= dict.fromkeys(f.fluents.values(), usual(f.sort))
        for name, u in self.board.units.items():
            values[self.at[name]] = OFF if name in self.out or u.at is None else u.at
            values[self.unarmed[name]] = not u.armed
            values[self.crewed[name]] = u.inherent != "none"
            values[self.concealment[name]] = u.concealment
        for side, held in self.board.held.items():
            values |= dict.fromkeys(self._held(held), side)
        return {fluent: x for fluent, x in values.items() if not fluent.is_const}

    def _held(self, held: Held) -> Iterable[Term]:
        """The fluents of what a side controls at the start."""
        g = self.geometry
        hexes = {*held.hexes, *(h for b in held.buildings for h in self.board.buildings[b].hexes)}
        yield from (self.building_control[b] for b in held.buildings)
        yield from (self.hex_control[h] for h in hexes)
        yield from (self.location_control[x] for h in hexes for x in g.of_hex[h])
        yield from (self.location_control[x] for x in held.locations)

    @cached_property
    def vehicle_of(self) -> Mapping[str, str]:
        """The vehicle of each unit that is an inherent crew at first."""
        return {u.crew: name for name, u in self.board.units.items() if u.crew is not None}

    # ---- values

    def none(self) -> Term:
        """Nobody, as a controller."""
        return self._controllers[NONE]

    def side(self, name: str) -> Term:
        """A side, as a controller."""
        return self._controllers[name]

    @cached_property
    def _controllers(self) -> Mapping[str, Term]:
        return {name: member(self.side_or_none.sort, name) for name in self.side_or_none.sort.members}

    def place(self, name: str) -> Term:
        """A place, as a unit's."""
        return member(self.places.sort, name)
