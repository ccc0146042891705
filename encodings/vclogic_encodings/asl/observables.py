"""Names for goals, rulings and `status`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from vclogic_encodings.asl.citing import cite
from vclogic_encodings.asl.fluents import Fluents
from vclogic_encodings.asl.game import Rules
from vclogic_encodings.asl.names import BUILDING, HEX, KINDS, LOCATION, NEEDS
from vclogic_encodings.asl.rules.casualties import casualty_points
from vclogic_encodings.asl.rules.concealment import can_know, undeclared
from vclogic_encodings.asl.rules.controllers import controller, controls
from vclogic_encodings.asl.rules.exits import exit_points
from vclogic_encodings.asl.rules.fire import fires_of
from vclogic_encodings.asl.rules.values import value

from vclogic.model.absent import Absent
from vclogic.model.fluents import Family
from vclogic.model.rules import Observable
from vclogic.terms.partial import Partial


def observables(game: Rules) -> Iterable[Observable]:
    """All of them."""
    yield from _control(game)
    yield from _points(game)
    yield from _units(game)


def _control(game: Rules) -> Iterable[Observable]:
    fluents = game.fluents
    kinds = [(LOCATION, fluents.locations, "26.12/1"), (HEX, fluents.hexes, "26.13/1")]
    if fluents.buildings is not None:
        kinds.append((BUILDING, fluents.buildings, "26.14/1"))
    for kind, names, clause in kinds:
        yield Observable(
            f"controls_{kind}",
            (fluents.sides, names),
            # `kind=kind` holds this turn of the loop: a closure would see the last one.
            lambda side, name, kind=kind: controls(game.units, side, kind, name),
            f"the side controls the {kind}",
            cite("26.1/2", "26.1/3", clause),
            seen=lambda view, side, name, kind=kind: can_know(game.units, view, kind, name),
        )
    for kind, names, clause in kinds:
        yield Observable(
            f"{kind}_controller",
            (names,),
            lambda name, kind=kind: controller(game.units, kind, name),
            f"the side that controls the {kind}, or none",
            cite("26.1/1", clause),
            fluents.side_or_none,
            seen=lambda view, name, kind=kind: can_know(game.units, view, kind, name),
        )
    for kind, names, _ in kinds if not fluents.undeclared.empty else ():
        yield Observable(
            f"undeclared_{kind}",
            (names,),
            lambda name, kind=kind: undeclared(game.units, kind, name),
            f"only concealed or hidden units have gained the {kind}: the Control need not be declared",
            cite("26.15/3"),
        )
    text = "ground units of the side can get to the Location from the edge of the map"
    yield Observable(
        "enterable",
        (fluents.sides, fluents.locations),
        fires_of(game.units).enterable,
        text,
        cite("26.16/2", "26.161/5"),
    )


def _points(game: Rules) -> Iterable[Observable]:
    fluents = game.fluents
    cites = cite("26.2/2", "26.22/1")
    yield Observable(
        "cvp", (fluents.sides,), partial(casualty_points, game.units), "casualty points of the side", cites
    )
    yield Observable(
        "exit_vp",
        (fluents.sides,),
        partial(exit_points, game.units),
        "exit points of the side",
        cite("26.23/1", "26.23/2"),
    )
    text = "casualty points for the unit if it were eliminated now, with its inherent crew, without passengers"
    yield Observable("vp_value", (fluents.units,), partial(value, game.units), text)


def _conditions(fluents: Fluents) -> tuple[Family, ...]:
    """The facts about units that conditions ask for as they are."""
    return (
        *(fluents.broken, fluents.disrupted, fluents.wounded, fluents.shocked, fluents.immobile, fluents.dismantled),
        *(fluents.armament, fluents.with_, fluents.concealment, fluents.left_by),
    )


def _units(game: Rules) -> Iterable[Observable]:
    fluents = game.fluents
    yield Observable("at", (fluents.units,), lambda u: fluents.at[u], "where the unit is", values=fluents.places)
    text = "what the unit is; a squad that has been reduced is a half-squad"
    yield Observable("kind", (fluents.units,), game.units.kind, text, cite("26.211/2"), KINDS)
    for family in _conditions(fluents):
        if not family.empty:
            yield Observable(family.name, family.indices, family.__getitem__, family.text, values=family.values)
    text = "the unit is an armed unit, which may block the opponent"
    yield Observable("armed", (fluents.units,), game.units.armed, text, cite("26.11-p2/1"))
    if fluents.infantry:
        text = "the Infantry unit is in Good Order"
        yield Observable("good_order", (fluents.infantry,), game.units.good_order, text, cite("26.11-p2/1"))
        text = "the unit is held in Melee, or holds somebody in it"
        yield Observable("in_melee", (fluents.units,), game.units.in_melee, text, cite("26.11-p2/1"))
        text = "there is a Melee in the hex, on record as one: enemies in a Location alone are none"
        yield Observable("melee_hex", (fluents.hexes,), game.units.melee_hex, text, cite("26.11-p2/1"))
    if not fluents.captured.empty:
        text = "the unit is a prisoner or captured equipment"
        yield Observable(
            "captured", (fluents.captured.indices[0],), game.units.captured, text, cite("26.222/1", "26.222/2")
        )
    if fluents.flammable:
        text = "whose the Fire in the Location is considered to be; undefined where nothing burns"
        fires = fires_of(game.units)
        cites = cite("26.161/1", "26.162/1", "26.162/2")
        yield Observable(
            "fire_of",
            (fluents.flammable,),
            lambda x: Partial(fires.considered(x), fires.burns(x)),
            text,
            cites,
            fluents.causes,
        )
        text = "there is Fire in the Location: a Flame or a Blaze"
        yield Observable("burning", (fluents.flammable,), fires.burns, text, cite("26.16/1"))
    yield Observable("over", (), lambda: fluents.ended.fluent, "the game is over")


def absent(game: Rules, events: Mapping[str, str]) -> Absent:
    """The names for which the board has no use, with what it lacks.

    Args:
        events: The events that it lacks something for.
    """
    fluents = game.fluents
    facts = {f.name: f.lacks for f in fluents.possible if f.empty}
    asked = {f.name: f.lacks for f in _conditions(fluents) if f.empty}
    if fluents.captured.empty:
        asked["captured"] = fluents.captured.lacks
    if fluents.undeclared.empty:
        asked |= {f"undeclared_{kind}": fluents.undeclared.lacks for kind in (LOCATION, HEX, BUILDING)}
    if fluents.buildings is None:
        names = (f"controls_{BUILDING}", f"{BUILDING}_controller", f"undeclared_{BUILDING}")
        asked |= dict.fromkeys(names, NEEDS["buildings"])
    if not fluents.infantry:
        asked |= dict.fromkeys(("good_order", "in_melee", "melee_hex"), NEEDS["infantry"])
    if not fluents.flammable:
        asked |= dict.fromkeys(("fire_of", "burning"), NEEDS["flammable"])
    nobody = "no side has victory conditions on this board: add some under `victory:`"
    return Absent(facts, events, asked, {} if game.outcomes else {"victory": nobody})


def overview(game: Rules) -> Iterable[tuple[str, ...]]:
    """The observables that `status` shows in any case: points, buildings, and hexes where there are few."""
    board, geometry = game.board, game.geometry
    shown: list[tuple[str, Iterable[str]]] = [("cvp", board.sides), ("exit_vp", board.sides if board.exits else ())]
    shown.append(("building_controller", board.buildings))
    if len(geometry.hexes) <= FEW:
        shown += [("hex_controller", geometry.hexes), ("location_controller", geometry.locations)]
    return ((observable, name) for observable, names in shown for name in names)


FEW = 16
