"""Tiny random boards of Axis & Allies with armies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

from hypothesis import strategies as st
from vclogic_encodings.axis_allies.board import Board, Canal, Power, Territory, UnitType, flaws

LANDS, ZONES, DESERT = ("A", "B", "C", "D", "E"), ("S1", "S2", "S3"), "X"
SIDES = ("Axis", "Allies")
POWERS = ("Germans", "Russians", "Japanese")
TYPES = {
    "infantry": UnitType("land", 3, 1, 1, 2, supported_by_artillery=True, transport_load=2),
    "artillery": UnitType("land", 4, 1, 2, 2, supports_infantry=True, transport_load=3),
    "armour": UnitType("land", 5, 2, 3, 3, blitzes=True, transport_load=3),
    "aa_gun": UnitType("land", 5, 1, transport_load=3, antiaircraft=True),
    "fighter": UnitType("air", 10, 4, 3, 4, carrier_load=1),
    "bomber": UnitType("air", 15, 6, 4, 1, strategic_bomber=True),
    "transport": UnitType("sea", 8, 2, 0, 1, transport_room=5),
    "battleship": UnitType("sea", 24, 2, 4, 4, hits=2, bombards=True),
    "carrier": UnitType("sea", 16, 2, 1, 3, carrier_room=2),
    "submarine": UnitType("sea", 8, 2, 2, 2, submarine=True),
    "destroyer": UnitType("sea", 12, 2, 3, 3, destroyer=True),
    "complex": UnitType("complex", 15),
}
THEMES: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (
        ("infantry", "artillery", "armour", "aa_gun", "fighter", "bomber"),
        ("transport", "battleship", "carrier", "submarine", "destroyer"),
    ),
    (("infantry", "artillery"), ("transport",)),
    (("infantry", "armour"), ("transport", "transport", "battleship")),
    (("fighter", "infantry"), ("carrier", "destroyer", "transport")),
    (("infantry", "bomber", "fighter"), ("submarine", "destroyer", "transport")),
)
"""The kinds of units on land and at sea on boards with ships and aircraft."""
GROUND = (
    ("infantry", "artillery", "armour", "aa_gun", "fighter"),
    ("infantry", "artillery", "armour"),
    ("armour",),
    ("armour", "infantry"),
)
"""The kinds of units on boards of land alone."""


@st.composite
def boards(draw: st.DrawFn, *, sea: bool) -> Board:
    """A board of a few regions, with few units."""
    powers = POWERS[: draw(st.integers(2, 3))]
    sides = {p: SIDES[i] if i < 2 else draw(st.sampled_from(SIDES)) for i, p in enumerate(powers)}
    lands = LANDS[: draw(st.sampled_from((2, 2, 3, 4)) if sea else st.integers(3, 5))]
    zones = ZONES[: draw(st.sampled_from((1, 2, 2, 3)))] if sea else ()
    desert = (DESERT,) if sea and draw(st.integers(0, 4)) == 0 else ()
    edges = draw(connections(lands, zones, desert))
    waters = [e for e in edges if e[0] in zones and e[1] in zones]
    canals = {}
    if draw(st.booleans()) and waters:
        banks = draw(st.lists(st.sampled_from(lands), unique=True, min_size=1, max_size=2))
        canals["Canal"] = Canal(draw(st.sampled_from(waters)), tuple(banks))
    territories = {t: Territory("land", draw(st.sampled_from(powers)), draw(st.integers(0, 2))) for t in lands}
    territories |= {z: Territory("sea") for z in zones} | {x: Territory("impassable") for x in desert}
    place: dict[str, Territory] = draw(armies(territories, sides, sea=sea))
    board = Board(
        powers={p: Power(sides[p], p) for p in powers},
        turn_order=tuple(draw(st.permutations(powers))),
        judged_after=draw(st.sampled_from(powers)),
        ranks={"capital": 5, "major": 3, "moderate": 2, "minor": 1},
        major_victory={"Axis": 1, "Allies": 1},
        territories=place,
        connections=tuple(edges),
        canals=canals,
        unit_types=TYPES,
    )
    assert not list(flaws(board))
    return board


@st.composite
def connections(
    draw: st.DrawFn, lands: Sequence[str], zones: Sequence[str], desert: Sequence[str]
) -> list[tuple[str, str]]:
    """What touches what: anything, or islands in a row of zones."""
    places = (*lands, *zones, *desert)
    pairs = [(a, b) for i, a in enumerate(places) for b in places[i + 1 :]]
    least = 0
    row: list[tuple[str, str]] = []
    if draw(st.integers(0, 3)) and zones:
        row = [*pairwise(zones), *((t, draw(st.sampled_from(zones))) for t in lands)]
        pairs = [e for e in pairs if e not in row]
    else:
        least = min(3, len(pairs))
    more = (
        draw(st.lists(st.sampled_from(pairs), unique=True, min_size=least, max_size=3 if row else 8)) if pairs else []
    )
    return [*row, *more]


@st.composite
def armies(
    draw: st.DrawFn, territories: dict[str, Territory], sides: Mapping[str, str], *, sea: bool
) -> dict[str, Territory]:
    """The territories with units of the side that holds them; aircraft at sea on carriers."""
    found: dict[str, dict[str, dict[str, int]]] = {t: {} for t in territories}
    ground, ships = draw(st.sampled_from(THEMES)) if sea else (draw(st.sampled_from(GROUND)), ())
    for region, t in territories.items():
        palette = ground if t.kind == "land" else ships
        for _ in range(
            draw(st.sampled_from((0, 1, 1, 2, 3) if sea else (0, 0, 1, 2))) if t.kind != "impassable" else 0
        ):
            power = draw(st.sampled_from([p for p in sides if t.owner is None or sides[p] == sides[t.owner]]))
            kind = draw(st.sampled_from(palette))
            units = found[region].setdefault(power, {})
            units[kind] = units.get(kind, 0) + 1
            if kind == "carrier" and draw(st.booleans()):
                units["fighter"] = units.get("fighter", 0) + 1
    return {n: Territory(t.kind, t.owner, t.ipc, units=found[n]) for n, t in territories.items()}


@st.composite
def landing_boards(draw: st.DrawFn) -> Board:
    """The Germans in A and at sea, their enemies in B and at sea, mostly with an island C."""
    ground, ships = draw(st.sampled_from(THEMES))
    zones = ZONES[: draw(st.integers(1, 3))]
    lands = LANDS[: draw(st.integers(2, 3))]
    row = [("A", zones[0]), ("B", zones[-1]), *pairwise(zones)]
    row += [("C", draw(st.sampled_from((*zones, "A", "B"))))] if "C" in lands else []
    coasts = [(t, z) for t in lands for z in zones if (t, z) not in row]
    edges = [*row, *(draw(st.lists(st.sampled_from(coasts), unique=True, max_size=1)) if coasts else [])]
    canals = {"Canal": Canal(("S1", "S2"), (draw(st.sampled_from(lands)),))} if draw(st.booleans()) else {}
    place = {
        "A": Territory("land", "Germans", units={"Germans": draw(fleet(ground, 3))}),
        "B": Territory("land", "Russians", units={"Russians": draw(fleet(ground, 2))}),
        "C": Territory("land", draw(st.sampled_from(("Germans", "Russians", "Japanese")))),
    }
    territories = {t: place[t] for t in lands} | {
        z: Territory(
            "sea",
            units={
                p: draw(fleet(ships, n)) for p, n in (("Germans", 2), ("Russians", int(draw(st.integers(0, 3)) == 0)))
            },
        )
        for z in zones
    }
    board = Board(
        powers={"Germans": Power("Axis", "Germans"), "Russians": Power("Allies", "Russians"), **_third(lands)},
        turn_order=("Germans", "Russians", *_third(lands)),
        judged_after="Germans",
        ranks={"capital": 5, "major": 3, "moderate": 2, "minor": 1},
        major_victory={"Axis": 1, "Allies": 1},
        territories=territories,
        connections=tuple(edges),
        canals=canals if len(zones) > 1 else {},
        unit_types=TYPES,
    )
    assert not list(flaws(board))
    return board


def _third(lands: Sequence[str]) -> dict[str, Power]:
    return {"Japanese": Power("Axis", "Japanese")} if "C" in lands else {}


@st.composite
def fleet(draw: st.DrawFn, kinds: Sequence[str], most: int) -> dict[str, int]:
    """Some units; with a carrier, mostly a fighter."""
    units = Counter(draw(st.lists(st.sampled_from(kinds), max_size=most)))
    if units["carrier"] and draw(st.integers(0, 2)):
        units["fighter"] += 1
    return dict(+units)
