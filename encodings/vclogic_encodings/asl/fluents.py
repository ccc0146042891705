"""The fluents of the game, and what they say about single units."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from vclogic_encodings.asl.board import EQUIPMENT, INFANTRY, LANDED, MMC, SMC, Board
from vclogic_encodings.asl.checks import MOST
from vclogic_encodings.asl.geometry import Geometry
from vclogic_encodings.asl.held import BUILDINGS, LOCATIONS, held
from vclogic_encodings.asl.names import (
    BLAZE,
    BOTH,
    BUILDING,
    CONCEALED,
    DISABLED,
    FLAME,
    HEX,
    HIDDEN,
    LOCATION,
    MALFUNCTIONED,
    NEEDS,
    NO_FIRE,
    OFF,
    OPEN,
    WORKING,
    Names,
    units_needed,
)

from vclogic.model.fluents import Family, Value
from vclogic.model.system import Settings
from vclogic.terms.atoms import member
from vclogic.terms.domain import Domain
from vclogic.terms.sorts import BOOL, EnumSort, IntSort, Sort
from vclogic.terms.term import Term

Changes = dict[Term, Term]
"""Fluents and their values after an event."""

FORTUNE = 9999
"""Points for what the board does not show are counted up to here."""
_WITHOUT_RECORD = (
    "Fire there bars it while it burns, without a record, or cannot shut it; it is on record with the Reading "
    "extinguished=all"
)
EARLIER = "points for what the board does not show count with `options: {earlier: on}`"


def usual(sort: Sort) -> Value:
    """The value of a fluent of a sort unless a board or an event says otherwise."""
    if isinstance(sort, EnumSort):
        return sort.members[0]
    return sort.lo if isinstance(sort, IntSort) else False


Over = str | tuple[str, ...] | Callable[["Fluents"], Domain | tuple[str, ...] | None]
"""The names that a family is recorded for: an attribute of the fluents, kinds of units, or a function of them."""


def _family(name: str, text: str, what: Sort | str, over: Over, needs: str = "") -> cached_property[Family]:
    """A family of one index; what it is not recorded for has the usual value.

    Args:
        name: Its key in a position file.
        text: Its meaning, in a line.
        what: The sort of its values, or the attribute of the fluents that has it or the names that they go by.
        over: What it is recorded for; where that is None or no units, it has no fluents.
        needs: What a board lacks on which it has none, if `over` does not say it.
    """

    def family(fluents: Fluents) -> Family:
        if isinstance(over, tuple):
            found: Domain | tuple[str, ...] | None = fluents.board.of(*over)
        else:
            found = getattr(fluents, over) if isinstance(over, str) else over(fluents)
        named = getattr(fluents, what) if isinstance(what, str) else what
        values = Domain(named) if isinstance(named, EnumSort) else named if isinstance(named, Domain) else None
        sort = values.sort if values else named
        domain = fluents.some_units(f"unit with {name!r}", found) if isinstance(found, tuple) else found
        indices = (domain,) if domain else ()
        lacks = needs or (units_needed(*over) if isinstance(over, tuple) else NEEDS.get(str(over), ""))
        return Family(name, sort, text, indices, values, otherwise=usual(sort), empty=domain is None, lacks=lacks)

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
        """The names that a family is recorded for; None if it has no fluents."""
        return None if family.empty else family.indices[0]

    def reads(self, reading: str, value: str) -> bool:
        """True if a reading has a value."""
        return self.settings.readings[reading] == value

    # ---- units

    at = _family("at", "where the unit is: a Location, `off` the map, `eliminated` or `exited`", "places", "units")

    @cached_property
    def on_map(self) -> int:
        """The Locations among the places, as a mask."""
        return sum(1 << self.at.members[x] for x in self.geometry.locations)

    bypass = _family("bypass", "the unit is in bypass", BOOL, (*INFANTRY, *LANDED))
    broken = _family("broken", "the unit is broken", BOOL, INFANTRY)
    disrupted = _family("disrupted", "the unit is disrupted, and broken", BOOL, INFANTRY)
    reduced = _family("reduced", "the squad has become a half-squad", BOOL, ("squad",))
    shocked = _family("shocked", "the vehicle is shocked", BOOL, LANDED)
    immobile = _family("immobile", "the vehicle is immobile", BOOL, LANDED)
    dismantled = _family("dismantled", "the Gun is dismantled", BOOL, ("gun",))
    wounded = _family("wounded", "the leader or hero is wounded", BOOL, SMC)
    unarmed = _family("unarmed", "the Infantry unit has no weapons, apart from being a prisoner", BOOL, INFANTRY)
    captured = _family(
        "captured",
        "the unit is a prisoner; or the opponent was the last to recover or capture it",
        BOOL,
        (*INFANTRY, *LANDED, *EQUIPMENT),
    )
    holds = _family("vehicle_controls", "the vehicle temporarily controls the Location that it is in", BOOL, LANDED)
    anew = _family(
        "anew",
        "the unit gains nothing where it is until it moves (readings squad_with_vehicle and regain)",
        BOOL,
        MMC,
    )

    melee = _family("melee", "the enemy unit that holds the unit in Melee, or none", "companions", INFANTRY)
    concealment = _family(
        "concealment",
        "whether the unit is open, concealed or hidden (HIP)",
        EnumSort("concealment", (OPEN, CONCEALED, HIDDEN)),
        (*INFANTRY, *LANDED, "dummy", "gun"),
    )
    with_ = _family(
        "with",
        "the vehicle that it rides in or that tows it, or the unit that guards or carries it; or none",
        "companions",
        lambda fluents: fluents.board.of(*INFANTRY, *EQUIPMENT) if len(fluents.companions.members) > 1 else (),
        units_needed(*INFANTRY, *LANDED),
    )
    crewed = _family(
        "crewed",
        "the vehicle's inherent crew is in it",
        BOOL,
        lambda fluents: tuple(n for n, u in fluents.board.units.items() if u.inherent != "none"),
        "no vehicle of the board has an inherent crew: give it `inherent: crew`",
    )
    armament = _family(
        "armament",
        "the state of the main armament or Gun",
        EnumSort("state of armament", (WORKING, MALFUNCTIONED, DISABLED)),
        lambda fluents: tuple(n for n, u in fluents.board.units.items() if u.main_armament or u.kind == "gun"),
        "no unit of the board has a main armament: give a vehicle `main_armament: true`, or add one of `kind: gun`",
    )

    # ---- points

    scored = _family(
        "scored",
        "casualty points that the opponent received for the unit's elimination",
        IntSort(0, 4 * MOST),
        "units",
    )
    worth = _family(
        "worth",
        "casualty points of the unit when it was captured",
        IntSort(0, 2 * MOST),
        lambda fluents: fluents.captured.names,
        units_needed(*INFANTRY, *LANDED, *EQUIPMENT),
    )
    left_by = _family(
        "left_by",
        "the exit area through which the unit left the map, or none",
        "exits",
        lambda fluents: fluents.units if fluents.board.exits else None,
        NEEDS["exits"],
    )
    led_off = _family(
        "led_off",
        "the unit left the map as a prisoner",
        BOOL,
        lambda fluents: fluents.board.of(*INFANTRY) if fluents.board.exits else (),
        NEEDS["exits"],
    )
    exit_points = _family("exit_points", "exit points that the unit earned", IntSort(0, 2 * MOST), "units")
    earlier_cvp = _family(
        "earlier_cvp",
        "casualty points that the side has received for what the board does not show",
        IntSort(0, FORTUNE),
        "earlier_sides",
        EARLIER,
    )
    earlier_exit_vp = _family(
        "earlier_exit_vp",
        "exit points that the side has earned by what the board does not show",
        IntSort(0, FORTUNE),
        "earlier_sides",
        EARLIER,
    )

    @cached_property
    def earlier_sides(self) -> Domain | None:
        """The sides, where points count that the board does not show; else None."""
        return self.sides if self.settings.word("earlier") == "on" else None

    # ---- control

    location_control = _family(
        "location_control", "who controls the Location, apart from vehicles there now", "side_or_none", "locations"
    )
    hex_control = _family(
        "hex_control", "who controls the hex, apart from vehicles there now", "side_or_none", "hexes"
    )
    building_control = _family("building_control", "who controls the building", "side_or_none", "buildings")

    def stored(self, kind: str, name: str) -> Term:
        """The fluent that says who controlled something before the last events."""
        return self._stored[kind][name]

    @cached_property
    def _stored(self) -> Mapping[str, Family]:
        return {LOCATION: self.location_control, HEX: self.hex_control, BUILDING: self.building_control}

    undeclared = _family(
        "undeclared",
        "only concealed or hidden units have gained it: the Control need not be declared",
        BOOL,
        lambda fluents: fluents.controllable if fluents.concealment.names else None,
        units_needed(*INFANTRY, *LANDED, "dummy", "gun"),
    )

    # ---- fire

    fire = _family(
        "fire",
        "the Fire in the Location: none, flame or blaze",
        EnumSort("fire", (NO_FIRE, FLAME, BLAZE)),
        "flammable",
    )

    cause = _family(
        "cause",
        "who started the Fire in the Location: a side by Kindling, both in a chain that has split, or accident",
        "causes",
        "flammable",
    )

    @cached_property
    def shut_out(self) -> Domain:
        """Whom a Blaze can shut out: both sides; with the option `one_sided_blazes` also one of them."""
        one = dict.fromkeys(self.board.sides, "a Blaze shuts out one side with `options: {one_sided_blazes: on}`")
        if self.settings.word("one_sided_blazes") == "on":
            return Domain(EnumSort("side that a Blaze shuts out", (BOTH, *self.board.sides)))
        return Domain(EnumSort("side that a Blaze shuts out", (BOTH,)), refused=one)

    shuts_out = _family(
        "shuts_out",
        "the side that a Blaze in the Location shuts out, or both",
        "shut_out",
        lambda fluents: fluents.flammable if len(fluents.shut_out.sort.members) > 1 else None,
        "a Blaze shuts out one side alone with `options: {one_sided_blazes: on}`",
    )
    rubble = _family("rubble", "the Location is rubble", BOOL, "flammable")

    forfeited = _family(
        "forfeited",
        "it was forfeited because of the Fire in that Location, which may burn on",
        BOOL,
        "forfeits",
        f"{NEEDS['flammable']}; and with the Reading extinguished=location nothing of this is on record",
    )

    @cached_property
    def forfeits(self) -> Domain | None:
        """The areas that can be forfeited, each with a Fire to blame for it; None where that is not remembered."""
        names = tuple(f"{area} by {x}" for area, fires in self._to_blame.items() for x in fires)
        places = self.board.flammable
        refused = {f"{area} by {x}": _WITHOUT_RECORD for area in self.touched for x in places}
        refused |= {f"{area} by {x}": why for area, why in self.no_area.items() for x in places}
        return Domain(EnumSort("what is forfeited by which Fire", names), refused=refused) if names else None

    @cached_property
    def _to_blame(self) -> Mapping[str, tuple[str, ...]]:
        """For all that Fire can decide the Locations whose Fire can be to blame; Fire in it needs no record."""
        if self.reads("extinguished", "location"):
            return {}
        if self.reads("extinguished", "all"):
            return dict.fromkeys(self.touched, self.board.flammable)
        near = {x: self.geometry.hanging_together(x, self.decided) for x in self.board.flammable}
        found = {}
        for area in self.touched:
            parts = {*self.parts(*area.split(" ", 1))}
            found[area] = tuple(x for x in near if x not in parts and not near[x].isdisjoint(parts))
        return found

    @cached_property
    def blamed(self) -> Mapping[str, Mapping[str, Term]]:
        """The same: whether what is forfeited was so because of the Fire in each Location."""
        return {area: {x: self.forfeited[f"{area} by {x}"] for x in fires} for area, fires in self._to_blame.items()}

    @property
    def of_fire(self) -> tuple[Family, ...]:
        """The families on which the effects of Fire depend."""
        return tuple(f for f in (self.fire, self.cause, self.shuts_out, self.rubble, self.forfeited) if not f.empty)

    # ---- the game

    @cached_property
    def ended(self) -> Family:
        """The end of the game."""
        return Family("ended", BOOL, "the game is over")

    @cached_property
    def winner(self) -> Family:
        """The side that met a condition judged at every moment."""
        text = "who has met a victory condition that is judged at every moment"
        return Family("winner", self.side_or_none.sort, text, (), self.side_or_none)

    @property
    def families(self) -> tuple[Family, ...]:
        """All fluents of the game."""
        return tuple(f for f in self.possible if not f.empty)

    @cached_property
    def possible(self) -> tuple[Family, ...]:
        """All families, those that have no fluents on this board too."""
        return (
            *(self.at, self.bypass, self.broken, self.melee, self.wounded, self.anew, self.concealment),
            *(self.disrupted, self.reduced, self.shocked, self.immobile, self.dismantled),
            *(self.captured, self.unarmed, self.with_, self.crewed, self.armament, self.holds),
            *(self.scored, self.worth, self.left_by, self.led_off, self.exit_points),
            *(self.earlier_cvp, self.earlier_exit_vp),
            *(self.location_control, self.hex_control, self.building_control, self.undeclared),
            *(self.fire, self.cause, self.shuts_out, self.rubble, self.forfeited, self.ended, self.winner),
        )

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
        values |= dict(self._held())
        return {fluent: x for fluent, x in values.items() if not fluent.is_const}

    def _held(self) -> Iterable[tuple[Term, str]]:
        """The fluents of what sides control at the start, with the sides; the later one of a fluent counts."""
        of_hex, buildings = self.geometry.of_hex, self.board.buildings
        for key, name, side in held(self):
            if key == LOCATIONS:
                yield self.location_control[name], side
                continue
            if key == BUILDINGS:
                yield self.building_control[name], side
            for h in buildings[name].hexes if key == BUILDINGS else (name,):
                yield self.hex_control[h], side
                yield from ((self.location_control[x], side) for x in of_hex[h])

    @cached_property
    def vehicle_of(self) -> Mapping[str, str]:
        """The vehicle of each unit that is an inherent crew at first."""
        return {u.crew: name for name, u in self.board.units.items() if u.crew is not None}

    # ---- values

    def side(self, name: str) -> Term:
        """A side, or none, as a controller."""
        return self._controllers[name]

    @cached_property
    def _controllers(self) -> Mapping[str, Term]:
        return {name: member(self.side_or_none.sort, name) for name in self.side_or_none.sort.members}

    def place(self, name: str) -> Term:
        """A place, as a unit's."""
        return member(self.places.sort, name)
