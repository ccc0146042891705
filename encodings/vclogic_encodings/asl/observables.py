"""What goals, rulings and `status` speak of."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.asl.citing import cite
from vclogic_encodings.asl.game import Game
from vclogic_encodings.asl.state import BUILDING, HEX, LOCATION

from vclogic.model.rules import Observable

BASIC = ("26.1/2", "26.1/3", "26.11-p2/1", "26.11-p2/2")


def observables(c: Game) -> Iterable[Observable]:
    """All of them."""
    yield from _control(c)
    yield from _points(c)
    yield from _units(c)


def _control(c: Game) -> Iterable[Observable]:
    f = c.f
    kinds = [(LOCATION, f.locations, "26.12/1"), (HEX, f.hexes, "26.13/1")]
    if f.buildings is not None:
        kinds.append((BUILDING, f.buildings, "26.14/1"))
    for kind, names, clause in kinds:
        yield Observable(
            f"controls_{kind}",
            (f.sides, names),
            lambda side, name, kind=kind: c.holders.controls(side, kind, name),
            f"the side controls the {kind}",
            cite(*BASIC, clause),
            seen=lambda view, side, name, kind=kind: c.known(view, kind, name),
        )
    for kind, names, clause in kinds:
        yield Observable(
            f"{kind}_controller",
            (names,),
            lambda name, kind=kind: c.holders.holder(kind, name),
            f"the side that controls the {kind}, or none",
            cite("26.1/1", clause),
            f.side_or_none,
            seen=lambda view, name, kind=kind: c.known(view, kind, name),
        )
    for kind, names, _ in kinds if not f.undeclared.empty else ():
        yield Observable(
            f"undeclared_{kind}",
            (names,),
            lambda name, kind=kind: c.holders.control.undeclared(kind, name),
            f"only concealed or hidden units have gained the {kind}: the Control need not be declared",
            cite("26.15/3"),
        )
    text = "ground units of the side can get to the Location from the edge of the map"
    yield Observable(
        "enterable", (f.sides, f.locations), c.holders.fires.enterable, text, cite("26.16/2", "26.161/5")
    )


def _points(c: Game) -> Iterable[Observable]:
    f = c.f
    cites = cite("26.2/1", "26.2/2", "26.22/1", "26.221/1", "26.222/3")
    yield Observable("cvp", (f.sides,), c.points.casualties, "casualty points of the side", cites)
    yield Observable("exit_vp", (f.sides,), c.points.exits, "exit points of the side", cite("26.23/1", "26.23/2"))
    text = "casualty points for the unit if it were eliminated now, with its inherent crew, without passengers"
    cites = cite("26.21/1", "26.21/2", "26.21/3", "26.21/4", "26.211/1", "26.212/2")
    yield Observable("vp_value", (f.units,), c.points.value, text, cites)


def _units(c: Game) -> Iterable[Observable]:
    f = c.f
    yield Observable("at", (f.units,), lambda u: f.at[u], "where the unit is", values=f.places)
    text = "the unit is an armed unit, which may block the opponent"
    yield Observable("armed", (f.units,), c.s.armed, text, cite("26.11-p2/1"))
    if f.infantry:
        text = "the Infantry unit is in Good Order"
        yield Observable("good_order", (f.infantry,), c.s.good_order, text, cite("26.11-p2/1"))
    if not f.captured.empty:
        text = "the unit is a prisoner or captured equipment"
        yield Observable("captured", (f.captured.indices[0],), c.s.captive, text, cite("26.222/1", "26.222/2"))
    if f.flammable:
        text = "whose the Fire in the Location is considered to be, if there is any"
        considered = c.holders.fires.considered
        cites = cite("26.161/1", "26.162/1", "26.162/2")
        yield Observable("fire_of", (f.flammable,), considered, text, cites, f.causes)
    yield Observable("over", (), lambda: f.ended.fluent, "the game is over")


def overview(c: Game) -> Iterable[tuple[str, ...]]:
    """What `status` shows in any case: points, buildings, and hexes where there are few."""
    f = c.f
    for side in f.board.sides:
        yield ("cvp", side)
    if f.board.exits:
        for side in f.board.sides:
            yield ("exit_vp", side)
    for b in f.board.buildings:
        yield ("building_controller", b)
    if len(f.geometry.hexes) <= FEW:
        for h in f.geometry.hexes:
            yield ("hex_controller", h)
        for x in f.geometry.locations:
            yield ("location_controller", x)


FEW = 16
