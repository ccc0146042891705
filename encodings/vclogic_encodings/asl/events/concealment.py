"""Events of concealment, Searching and Mopping Up."""

from __future__ import annotations

from collections.abc import Mapping

from vclogic_encodings.asl.board import INFANTRY, MMC
from vclogic_encodings.asl.citing import cite
from vclogic_encodings.asl.events.kinds import (
    DICE,
    OWN,
    Decider,
    both,
    counters,
    deed,
    event,
    recorded,
    the_side,
    words,
)
from vclogic_encodings.asl.fluents import Changes
from vclogic_encodings.asl.game import Rules
from vclogic_encodings.asl.names import CONCEALED, ELIMINATED, HIDDEN, NONE, OPEN
from vclogic_encodings.asl.rules.casualties import taken
from vclogic_encodings.asl.rules.concealment import verified_by_mopping_up, verified_by_search
from vclogic_encodings.asl.rules.controllers import controller, lasting_controller
from vclogic_encodings.asl.rules.gaining import can_mop_up, gained_by_mopping_up, mopped_up, resists_mopping_up

from vclogic.model.actions import Action, Requirement
from vclogic.terms.atoms import FALSE, TRUE, boolean
from vclogic.terms.build import and_, eq, ite, not_, or_
from vclogic.terms.term import Term

SQUADS = counters("MMC", *MMC)
CONTROLLER: Decider = (
    "the side that controls it",
    lambda game, area: controller(game.units, *area.partition(" ")[::2]),
)


@event(
    cite("26.15/1", "26.15/2"),
    {"unit": recorded("concealment"), "how": (words("concealment", CONCEALED, HIDDEN), CONCEALED)},
    not_judged="the lines of sight to a unit that is concealed",
    decided_by=OWN,
)
def conceal(game: Rules, unit: str, how: str) -> Action:
    """A unit is concealed, or hidden (HIP)."""
    fluents = game.fluents
    return deed(
        requirements=(
            game.on_map(unit),
            Requirement(not_(eq(game.now(fluents.concealment[unit]), how)), f"{unit} is {how} already"),
        ),
        effects=game.after((game.where(unit),), {fluents.concealment[unit]: game.word(fluents.concealment, how)}),
        text=f"{unit} is {how}",
    )


@event(cite("26.15/1", "26.15/2"), {"unit": recorded("concealment")}, not_judged="what reveals a unit")
def reveal(game: Rules, unit: str) -> Action:
    """A unit is revealed; a dummy is removed."""
    return deed(
        requirements=(game.on_map(unit), Requirement(_hides(game, unit), f"{unit} is neither concealed nor hidden")),
        effects=game.after((game.where(unit),), _shown(game, unit, TRUE)),
        text=f"{unit} is revealed",
    )


def _hides(game: Rules, unit: str) -> Term:
    return TRUE if game.kind(unit) == "dummy" else game.units.unseen(unit)


def _shown(game: Rules, unit: str, when: Term) -> Changes:
    """The change that shows a unit for what it is, if a condition holds."""
    fluents, units = game.fluents, game.units
    if game.kind(unit) == "dummy":
        return units.when(when, {fluents.at[unit]: fluents.place(ELIMINATED)})
    return units.when(when, {fluents.concealment[unit]: game.word(fluents.concealment, OPEN)})


@event(cite("26.15/3"), {"control": recorded("undeclared")}, decided_by=CONTROLLER)
def declare(game: Rules, control: str) -> Action:
    """A side declares what its concealed or hidden units have gained."""
    kind, _, name = control.partition(" ")
    held = not_(eq(controller(game.units, kind, name), NONE))
    return deed(
        requirements=(Requirement(held, f"nobody controls {control}", cite("26.15/3")),),
        effects=game.after(({(kind, name): TRUE},), {game.fluents.undeclared[control]: FALSE}),
        text=f"it is declared who controls {control}",
    )


@event(cite("26.15/4"), {"unit": SQUADS, "location": "locations"}, not_judged=f"{DICE}Search", decided_by=OWN)
def search(game: Rules, unit: str, location: str) -> Action:
    """A unit searches a Location: hidden and concealed enemies there are revealed."""
    units = game.units
    side = game.side(unit)
    changes: Changes = {}
    for u in units.inside((location,)):
        if game.side(u) != side:
            changes |= _shown(game, u, units.here(u, (location,)))
    changes |= verified_by_search(units, location)
    return deed(
        requirements=(game.on_map(unit), Requirement(units.good_order(unit), f"{unit} is not in Good Order")),
        effects=game.after((game.where(unit), game.at(location)), changes),
        text=f"{unit} searches {location}",
    )


@event(
    cite("26.11-p4/1", "26.11-p4/1x1"),
    {"side": "sides", "building": both(SQUADS, "buildings"), "hex": "hexes"},
    not_judged="the phase and dice of Mopping Up",
    decided_by=the_side("the side that mops up"),
)
def mop_up(game: Rules, side: str, building: str, hex_: str) -> Action:
    """The side secures a building by Mopping Up, from a hex of it."""
    fluents, units = game.fluents, game.units
    inside = hex_ in game.board.buildings[building].hexes
    part = game.geometry.part(building, hex_) if inside else ()
    places = mopped_up(fluents, building, part)
    changes: Changes = {}
    caught = {}
    for u in game.board.of(*INFANTRY):
        if game.side(u) != side:
            on_foot = and_(not_(units.bypassing(u)), not_(units.captured(u)), not_(units.riding(u)))
            caught[u] = and_(units.here(u, places), on_foot)
            changes |= {**taken(units, u, caught[u]), **_shown(game, u, caught[u])}
    changes |= _released(game, caught)
    for area, gained in gained_by_mopping_up(units, side, building, part).items():
        changes[fluents.stored(*area)] = ite(gained, fluents.side(side), lasting_controller(units, *area))
        changes[fluents.undeclared[" ".join(area)]] = verified_by_mopping_up()
    ready, resists = can_mop_up(units, side, building, hex_), resists_mopping_up(units, side, places)
    cites = cite("26.11-p4/1")
    return deed(
        requirements=(
            Requirement(boolean(inside), f"{hex_} is not a hex of the building {building}", cites),
            Requirement(ready, f"no Good Order MMC of the {side} side is in {hex_} to mop up", cites),
            Requirement(not_(resists), "an armed enemy in Good Order is in what is to be mopped up", cites),
        ),
        effects=game.after((game.everywhere,), changes),
        text=f"the {side} side mops up {building} from {hex_}",
    )


def _released(game: Rules, taken: Mapping[str, Term]) -> Changes:
    """Ends every Melee of Infantry that surrenders, by when each does."""
    melee, nobody = game.fluents.melee, game.word(game.fluents.melee, NONE)
    new: Changes = {}
    for p in game.board.of(*INFANTRY):
        fights = game.now(melee[p])
        own = (taken[p],) if p in taken else ()
        over = or_(*own, *(and_(eq(fights, u), when) for u, when in taken.items()))
        new |= {melee[p]: ite(over, nobody, fights)}
    return new
