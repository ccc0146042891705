"""Requirements that make a board playable."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from vclogic_encodings.asl import held
from vclogic_encodings.asl.board import INFANTRY, Board, Condition, Hex, Unit, VictoryConditions, ratio
from vclogic_encodings.asl.geometry import AT_GROUND, CELLAR, KNOWN, ROOFTOP, Geometry, hex_of, parse_hex
from vclogic_encodings.asl.names import ACCIDENT, BOTH, ELIMINATED, EXITED, NONE, OFF, Names
from vclogic_encodings.asl.readings import BALANCE_SIDES

from vclogic.errors import did_you_mean
from vclogic.model.system import Flaw, Settings

MOST = 60
"""Points of a unit and armour factors are counted up to here."""
Path = tuple[str | int, ...]


def flaws(board: Board) -> Iterable[Flaw]:
    """The faults of a board that is of the right shape."""
    found = list(_map_flaws(board))
    if found:
        return found
    geometry = Geometry(board, rooftops=True, cellars=True)
    found = [*_place_flaws(board, geometry), *_unit_flaws(board, geometry), *_victory_flaws(board, geometry)]
    if not any(f.path[0] in ("buildings", "areas") for f in found):
        found += held.flaws(Names(board, geometry))
    return found


def flaws_under(board: Board, settings: Settings) -> Iterable[Flaw]:
    """The names of a sound board on rooftops or in cellars without the option that brings them."""
    geometry = geometry_under(board, settings)
    if geometry.rooftops and geometry.cellars:
        return
    found = [*_place_flaws(board, geometry), *_unit_flaws(board, geometry), *_victory_flaws(board, geometry)]
    for flaw in (*found, *held.flaws(Names(board, geometry))):
        option = "rooftops" if f"/{ROOFTOP}" in flaw.message else "cellars"
        yield replace(flaw, help=f"buildings have {option} with `options: {{{option}: on}}`")


def geometry_under(board: Board, settings: Settings) -> Geometry:
    """The map of a board with the Locations that options bring."""
    on = {name: settings.word(name) == "on" for name in ("rooftops", "cellars")}
    return Geometry(board, rooftops=on["rooftops"], cellars=on["cellars"])


def _map_flaws(board: Board) -> Iterable[Flaw]:
    if board.sides[0] == board.sides[1] or {NONE, ACCIDENT, BOTH} & {*board.sides}:
        text = f"two sides of different names are needed, none of them {NONE!r}, {ACCIDENT!r} or {BOTH!r}"
        yield Flaw(("sides",), text)
    for i, number in enumerate(board.whole):
        if not (number.isascii() and number.isdigit()):
            yield Flaw(("whole", i), f"{number!r} is not the number of a map board")
    for h, x in board.hexes.items():
        if parse_hex(h) is None:
            hint = "write the board's number and the printed hex: 22V3"
            yield Flaw(("hexes", h), f"{h!r} is not a hex of a geomorphic board", hint, key=True)
        yield from _level_flaws(h, x)
        if not any(level in AT_GROUND for level in x.locations):
            yield Flaw(("hexes", h), f"{h} has no Location at ground level: one of {', '.join(AT_GROUND)}", key=True)
    if not board.hexes and not board.whole:
        yield Flaw(("hexes",), "a board needs hexes")


def _level_flaws(h: str, x: Hex) -> Iterable[Flaw]:
    """Locations that a board lists for a hex and that it cannot."""
    for i, level in enumerate(x.locations):
        option = {ROOFTOP: "rooftops", CELLAR: "cellars"}.get(level)
        if option or (level.isdecimal() and level not in KNOWN):
            with_option = f", with `options: {{{option}: on}}`" if option else ""
            help = f"it comes with a building of `levels:` 1 or more{with_option}: leave it out here"
            yield Flaw(("hexes", h, "locations", i), f"{level!r} is not listed for a hex", help)
        elif level not in KNOWN:
            yield Flaw.unknown(("hexes", h, "locations", i), "Location", level, KNOWN)


def _unknown(at: Path, what: str, names: Iterable[str], known: Collection[str]) -> Iterable[Flaw]:
    """The unknown names in a list of a board file."""
    return (Flaw.unknown((*at, i), what, name, known) for i, name in enumerate(names) if name not in known)


def _place_flaws(board: Board, geometry: Geometry) -> Iterable[Flaw]:
    for h, x in board.hexes.items():
        yield from _unknown(("hexes", h, "closed"), "side", x.closed, board.sides)
    yield from _building_flaws(board, geometry)
    for name, area in board.areas.items():
        if area.side not in board.sides:
            yield Flaw.unknown(("areas", name, "side"), "side", area.side, board.sides)
        yield from _unknown(("areas", name, "hexes"), "hex", area.hexes, geometry.hexes)
    for name, e in board.exits.items():
        if name == NONE:
            yield Flaw(("exits", name), f"{name!r} cannot be the name of an exit area", key=True)
        yield from _unknown(("exits", name, "sides"), "side", e.sides, board.sides)
        yield from _unknown(("exits", name, "hexes"), "hex", e.hexes, geometry.hexes)
    yield from _unknown(("flammable",), "Location", board.flammable, geometry.locations)
    for i, place in enumerate(board.flammable):
        if place in board.flammable[:i]:
            yield Flaw(("flammable", i), f"{place} stands here twice")


def _building_flaws(board: Board, geometry: Geometry) -> Iterable[Flaw]:
    here = set(geometry.hexes)
    for name, b in board.buildings.items():
        at: Path = ("buildings", name)
        if name.partition("#")[0] not in b.hexes:
            yield Flaw(at, f"a building is called by one of its hexes, not {name!r}", key=True)
        if not 0 <= b.levels <= 9:
            yield Flaw((*at, "levels"), "a building has from 0 to 9 upper levels")
        for i, h in enumerate(b.hexes):
            if h not in here:
                near = did_you_mean(h, geometry.hexes)
                help = f"{near}, or list {h} under `hexes:`" if near else f"list {h} under `hexes:`"
                yield Flaw((*at, "hexes", i), f"{h} of the building is not a hex of the map", help)
            elif not any(x.endswith("/0") for x in geometry.of_hex[h]):
                yield Flaw((*at, "hexes", i), f"{h} has no Location {h}/0 for a building to stand in")
        yield from _unknown((*at, "stairs"), "hex of the building", b.stairs, b.hexes)
        inside = tuple(dict.fromkeys(h for h in b.hexes if h in here))
        if inside and geometry.joined(inside[0], inside) != inside:
            yield Flaw((*at, "hexes"), f"the hexes of a building touch each other; {', '.join(b.hexes)} do not all")
        for key, pairs in (("walls", b.walls), ("rowhouse", b.rowhouse)):
            for i, pair in enumerate(pairs):
                if not set(pair) <= set(b.hexes) or pair[1] not in geometry.neighbours.get(pair[0], ()):
                    yield Flaw((*at, key, i), f"{pair[0]} and {pair[1]} are not adjacent hexes of the building")


def _unit_flaws(board: Board, geometry: Geometry) -> Iterable[Flaw]:
    crews: set[str] = set()
    if not board.units:
        yield Flaw(("units",), "a board needs units")
    for name, u in board.units.items():
        at: Path = ("units", name)
        if name in (NONE, OFF, ELIMINATED, EXITED):
            yield Flaw(at, f"{name!r} cannot be the name of a unit", key=True)
        if u.side not in board.sides:
            yield Flaw.unknown((*at, "side"), "side", u.side, board.sides)
        if u.at is not None and u.at not in geometry.locations:
            yield Flaw.unknown((*at, "at"), "Location", u.at, geometry.locations)
        yield from _number_flaws(at, u)
        if u.inherent != "none" and u.kind not in ("vehicle", "landing-craft"):
            yield Flaw((*at, "inherent"), f"a {u.kind} has no inherent crew")
        if u.crew is not None:
            crew = board.units.get(u.crew)
            if crew is None:
                yield Flaw.unknown((*at, "crew"), "unit", u.crew, board.units)
            elif crew.side != u.side or crew.kind not in INFANTRY or crew.at is not None or u.crew in crews:
                yield Flaw(
                    (*at, "crew"), f"{u.crew} must be Infantry of the same side, off the map, and of one vehicle"
                )
            crews.add(u.crew)
            if u.inherent == "none":
                yield Flaw((*at, "crew"), "only an inherent crew (`inherent:`) becomes a unit")


def _number_flaws(at: Path, u: Unit) -> Iterable[Flaw]:
    for key, number in (("armour", u.armour), ("value", u.value), ("wounded_value", u.wounded_value)):
        if number is not None and not 0 <= number <= MOST:
            yield Flaw((*at, key), f"a number from 0 to {MOST}, not {number}")
    if not -6 <= u.modifier <= 6:
        yield Flaw((*at, "modifier"), f"a leadership modifier is from -6 to 6, not {u.modifier}")


def _victory_flaws(board: Board, geometry: Geometry) -> Iterable[Flaw]:
    for side, v in board.victory.items():
        yield from _conditions(board, geometry, ("victory", side), side, v)
    for side, b in board.balance.items():
        if side not in board.sides or side not in BALANCE_SIDES:
            hint = f"the option balance knows {', '.join(BALANCE_SIDES)}"
            yield Flaw(("balance", side), f"{side!r} is not a side that can have the balance", hint, key=True)
        for key, names in (("adds", b.adds), ("removes", b.removes)):
            yield from _unknown(("balance", side, key), "unit", names, board.units)
        for other, v in b.victory.items():
            yield from _conditions(board, geometry, ("balance", side, "victory", other), other, v)


def _conditions(board: Board, geometry: Geometry, at: Path, side: str, v: VictoryConditions) -> Iterable[Flaw]:
    if side not in board.sides:
        yield Flaw.unknown(at, "side", side, board.sides, key=True)
    if not v.all and not v.any:
        yield Flaw(at, "a victory condition needs `all` or `any`", key=True)
    for key, conditions in (("all", v.all), ("any", v.any)):
        for i, condition in enumerate(conditions):
            yield from _condition(board, geometry, (*at, key, i), condition)


def _condition(board: Board, geometry: Geometry, at: Path, c: Condition) -> Iterable[Flaw]:
    single = (c.location, c.hex, c.building, c.cvp, c.cvp_lead, c.cvp_ratio, c.exit_vp)
    if sum(x is not None for x in single) + sum(map(bool, (c.locations, c.hexes, c.buildings))) != 1:
        help = "give each a condition of its own: `all: [{...}, {...}]`, or `any:` where one of them is enough"
        yield Flaw(at, "a condition asks for one thing: one of location, hex, building, cvp, exit_vp ...", help)
    for key, names, known in (
        ("location", c.locations or filter(None, [c.location]), geometry.locations),
        ("hex", c.hexes or filter(None, [c.hex]), geometry.hexes),
        ("building", c.buildings or filter(None, [c.building]), (*board.buildings, *geometry.buildings_of)),
    ):
        for name in names:
            if name not in known:
                yield Flaw.unknown(at, key, name, known)
    for name in (*c.buildings, *filter(None, [c.building])):
        if name not in board.buildings and len(geometry.buildings_of.get(hex_of(name), ())) > 1:
            yield Flaw(at, f"{name} holds two buildings: {', '.join(geometry.buildings_of[name])}")
    if c.cvp_ratio is not None and ratio(c.cvp_ratio) is None:
        yield Flaw((*at, "cvp_ratio"), f"{c.cvp_ratio!r} is no ratio: write 2 or 3:2")
    for key, number in (("cvp", c.cvp), ("exit_vp", c.exit_vp), ("at_least", c.at_least)):
        if number is not None and number < 0:
            yield Flaw((*at, key), "points and numbers cannot be negative")
