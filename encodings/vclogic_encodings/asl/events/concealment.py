"""Events of concealment, Searching and Mopping Up."""

from __future__ import annotations

from vclogic_encodings.asl.board import INFANTRY, LANDED
from vclogic_encodings.asl.citing import cite
from vclogic_encodings.asl.events.captures import taken
from vclogic_encodings.asl.game import Changes, Game
from vclogic_encodings.asl.geometry import hex_of, level_of
from vclogic_encodings.asl.names import ELIMINATED, OPEN
from vclogic_encodings.asl.state import BUILDING, HEX, LOCATION

from vclogic.model.actions import Action, Requirement
from vclogic.terms.atoms import FALSE, TRUE, boolean
from vclogic.terms.build import and_, any_of, eq, ite, not_
from vclogic.terms.term import Term


def conceal(c: Game, unit: str, how: str) -> Action:
    """A unit gains concealment, or is hidden."""
    f = c.f
    return Action(
        "conceal",
        (("unit", unit), ("how", how)),
        actor=f.board.units[unit].side,
        requirements=(
            *(c.going_on, c.on_map(unit)),
            Requirement(not_(eq(c.now(f.concealment[unit]), how)), f"{unit} is {how} already"),
        ),
        effects=c.after((c.where(unit),), {f.concealment[unit]: c.word(f.concealment, how)}),
        text=f"{unit} is {how}",
        cites=cite("26.15/1", "26.15/2"),
    )


def reveal(c: Game, unit: str) -> Action:
    """A unit loses its concealment; a dummy is removed."""
    return Action(
        "reveal",
        (("unit", unit),),
        actor=None,
        requirements=(
            *(c.going_on, c.on_map(unit)),
            Requirement(_hides(c, unit), f"{unit} is neither concealed nor hidden"),
        ),
        effects=c.after((c.where(unit),), _shown(c, unit, TRUE)),
        text=f"{unit} is revealed",
        cites=cite("26.15/1", "26.15/2"),
    )


def _hides(c: Game, unit: str) -> Term:
    return TRUE if c.f.board.units[unit].kind == "dummy" else c.s.unseen(unit)


def _shown(c: Game, unit: str, when: Term) -> Changes:
    """That a unit is seen for what it is, if a condition holds."""
    f = c.f
    if f.board.units[unit].kind == "dummy":
        return c.when(when, {f.at[unit]: f.place(ELIMINATED)})
    return c.when(when, {f.concealment[unit]: c.word(f.concealment, OPEN)})


def declare(c: Game, control: str) -> Action:
    """A side says that it controls something, which only its concealed or hidden units may have gained."""
    kind, _, name = control.partition(" ")
    return Action(
        "declare",
        (("control", control),),
        actor=c.holders.holder(kind, name),
        requirements=(
            c.going_on,
            Requirement(not_(c.holders.nobody(kind, name)), f"nobody controls {control}"),
        ),
        effects=c.after(({(kind, name): TRUE},), {c.secret(kind, name): FALSE}),
        text=f"it is declared who controls {control}",
        cites=cite("26.15/3"),
    )


def search(c: Game, unit: str, location: str) -> Action:
    """A unit searches a Location: what hides there is revealed, and who controls it is known."""
    f = c.f
    side = f.board.units[unit].side
    changes: Changes = {}
    for u in c.s.inside((location,)):
        if f.board.units[u].side != side:
            changes |= _shown(c, u, c.s.here(u, (location,)))
    control = c.holders.control
    for kind, name in c.around(location):
        others = (x for x in f.parts(kind, name) if x != location)
        unknown = any_of(control.undeclared(LOCATION, x) for x in others)
        changes[c.secret(kind, name)] = and_(control.undeclared(kind, name), unknown)
    return Action(
        "search",
        (("unit", unit), ("location", location)),
        actor=side,
        requirements=(
            *(c.going_on, c.on_map(unit)),
            Requirement(c.s.good_order(unit), f"{unit} is not in Good Order"),
        ),
        effects=c.after((c.where(unit), c.at(location)), changes),
        text=f"{unit} searches {location}",
        cites=cite("26.15/4"),
    )


def mop_up(c: Game, side: str, building: str, hex_: str) -> Action:
    """A side secures a building by Mopping Up, or the part of a Rowhouse between two bars."""
    f, g = c.f, c.f.geometry
    inside = hex_ in f.board.buildings[building].hexes
    part = g.part(building, hex_) if inside else ()
    places = tuple(x for x in g.of_building[building] if hex_of(x) in part)
    enemy = f.board.enemy(side)
    changes: Changes = {}
    for u in f.board.of(*INFANTRY):
        if f.board.units[u].side == enemy:
            caught = and_(c.s.here(u, places), not_(c.s.bypassing(u)), not_(c.s.captive(u)), not_(c.s.riding(u)))
            changes |= {x: t for x, t in c.released(u).items() if x not in changes}
            changes |= taken(c, u, caught)
            changes |= _shown(c, u, caught)
    whole = [(LOCATION, x) for x in places] + [(HEX, h) for h in part]
    for kind, name in whole:
        past = _vehicle_past(c, enemy, (name,) if kind == LOCATION else g.of_hex[name])
        changes[f.stored(kind, name)] = ite(past, c.holders.lasting(kind, name), f.side(side))
    if not inside or set(part) == set(f.board.buildings[building].hexes) or c.reads("rowhouse_mop_up", "building"):
        changes[f.stored(BUILDING, building)] = f.side(side)
        whole.append((BUILDING, building))
    for area in whole:
        changes[c.secret(*area)] = FALSE
    return Action(
        "mop_up",
        (("side", side), ("building", building), ("hex", hex_)),
        actor=side,
        requirements=(
            c.going_on,
            Requirement(boolean(inside), f"{hex_} is no hex of the building {building}"),
            *_can_mop_up(c, side, building, hex_, places),
        ),
        effects=c.after((c.everywhere,), changes),
        text=f"the {side} side mops up {building}",
        cites=cite("26.11-p4/1", "26.11-p4/1x1"),
    )


def _can_mop_up(
    c: Game, side: str, building: str, hex_: str, places: tuple[str, ...]
) -> tuple[Requirement, Requirement]:
    """That a squad is there to do it, and no enemy who would fight."""
    f = c.f
    own = tuple(x for x in f.geometry.of_building[building] if hex_of(x) == hex_ and level_of(x).isdigit())
    units = f.board.units
    ready = any_of(and_(c.s.here(u, own), c.s.able(u)) for u in f.board.of(*INFANTRY) if units[u].side == side)
    foes = []
    for u in f.board.of(*INFANTRY, *LANDED):
        fights = c.s.good_order(u) if units[u].kind in INFANTRY else TRUE
        inside = and_(c.s.here(u, places), not_(c.s.bypassing(u)))
        foes.append(and_(inside, c.s.belongs(u, f.board.enemy(side)), c.s.armed(u), fights))
    cites = cite("26.11-p4/1")
    return (
        Requirement(ready, f"no Good Order MMC of the {side} side is in {hex_} to mop up", cites),
        Requirement(not_(any_of(foes)), "an armed enemy in Good Order is in what is to be mopped up", cites),
    )


def _vehicle_past(c: Game, enemy: str, places: tuple[str, ...]) -> Term:
    """Whether an armed enemy vehicle in bypass is in some Locations, or armed passengers of one."""
    found = []
    for u in c.f.board.of(*LANDED):
        armed = c.s.armed(u)
        for p in c.s.followers(u):
            armed = any_of((armed, and_(c.s.goes_with(p, u), c.s.armed(p))))
        found.append(and_(c.s.here(u, places), c.s.bypassing(u), c.s.belongs(u, enemy), armed))
    return any_of(found)
