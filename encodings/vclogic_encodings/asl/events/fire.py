"""Events of fire and rubble."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.asl.board import MMC
from vclogic_encodings.asl.citing import cite, encodes
from vclogic_encodings.asl.events.kinds import DICE, Among, deed, event, the_side
from vclogic_encodings.asl.fluents import Changes
from vclogic_encodings.asl.game import Rules
from vclogic_encodings.asl.geometry import hex_of
from vclogic_encodings.asl.names import ACCIDENT, BLAZE, BOTH, FLAME, NO_FIRE, Area
from vclogic_encodings.asl.rules.fire import fires_of
from vclogic_encodings.asl.rules.forfeiture import has_forfeited

from vclogic.model.actions import Action, Requirement
from vclogic.terms.atoms import FALSE, TRUE, boolean, member
from vclogic.terms.build import and_, any_of, eq, not_
from vclogic.terms.term import Term


@event(
    cite("26.16/1"),
    {"side": "sides", "location": "flammable"},
    not_judged=f"{DICE}set a Location on fire",
    decided_by=the_side("the side that kindles"),
)
def kindle(game: Rules, side: str, location: str) -> Action:
    """The side sets a Location on fire deliberately."""
    what = f"the {side} side kindles a Fire in {location}"
    return _lit(game, location, member(game.fluents.causes.sort, side), what)


@event(cite("26.161/1", "26.161/2"), {"location": "flammable"}, not_judged="what starts a Fire by accident")
def fire(game: Rules, location: str) -> Action:
    """A Fire starts by accident."""
    cause = member(game.fluents.causes.sort, ACCIDENT)
    return _lit(game, location, cause, f"a Fire starts in {location} by accident")


def _lit(game: Rules, location: str, cause: Term, text: str, *more: Requirement) -> Action:
    """A Flame comes up in a Location."""
    fluents = game.fluents
    before = _considered_before(game) if game.reads("joined_again", "considered") else {}
    changes: Changes = {**before, fluents.fire[location]: game.word(fluents.fire, FLAME)}
    changes[fluents.cause[location]] = cause
    return deed(
        requirements=(
            Requirement(not_(fires_of(game.units).burns(location)), f"there is Fire in {location} already"),
            *more,
        ),
        effects=game.after((game.everywhere,), changes),
        text=text,
    )


@encodes("26.162/1", "26.162/2")
def _considered_before(game: Rules) -> Changes:
    """The changes by which all Fire is henceforth whose it was considered to be before another one joins it."""
    fires = fires_of(game.units)
    new: Changes = {}
    for x in game.board.flammable:
        new |= game.units.when(fires.burns(x), {game.fluents.cause[x]: fires.considered(x)})
    return new


@event(
    cite("26.16/2", "26.161/2", "26.161/5"),
    {"location": "flammable", "shuts_out": ("shut_out", BOTH)},
    not_judged="the dice by which a Flame becomes a Blaze",
)
def blaze(game: Rules, location: str, shuts_out: str) -> Action:
    """A Flame becomes a Blaze; with `one_sided_blazes=on` `shuts_out` names the side that alone cannot enter."""
    fluents = game.fluents
    changes: Changes = {fluents.fire[location]: game.word(fluents.fire, BLAZE)}
    changes[fluents.shuts_out[location]] = game.word(fluents.shuts_out, shuts_out)
    alone = "" if shuts_out == BOTH else f", which shuts out the {shuts_out} side alone"
    return deed(
        requirements=(Requirement(eq(game.now(fluents.fire[location]), FLAME), f"there is no Flame in {location}"),),
        effects=game.after((game.everywhere,), changes),
        text=f"the Flame in {location} becomes a Blaze{alone}",
    )


@event(cite("26.16/4"), {"location": "flammable"}, not_judged=f"{DICE}put a Fire out")
def extinguish(game: Rules, location: str) -> Action:
    """A Fire goes out."""
    fluents, units = game.fluents, game.units
    changes: Changes = {fluents.fire[location]: game.word(fluents.fire, NO_FIRE), **game.forgotten(location)}
    if game.reads("split_fire", "kept"):
        changes |= _still_considered(game, location)
    if game.reads("regain", "anew"):
        for u in game.board.of(*MMC):
            side = game.side(u)
            kept_out = []
            for kind, name in _regained_without(game, location):
                here = units.here(u, fluents.parts(kind, name))
                kept_out.append(and_(here, has_forfeited(units, side, kind, name)))
            changes |= units.when(any_of(kept_out), {fluents.anew[u]: TRUE})
    return deed(
        requirements=(Requirement(fires_of(units).burns(location), f"there is no Fire in {location}"),),
        effects=game.after((game.everywhere,), changes),
        text=f"the Fire in {location} is extinguished",
    )


def _regained_without(game: Rules, location: str) -> Iterable[Area]:
    """The areas that may be regained as the Fire in a Location goes out: those around it, and those it has shut."""
    yield from game.fluents.around(location)
    for area, fires in game.fluents.blamed.items():
        if location in fires:
            kind, _, name = area.partition(" ")
            yield kind, name


def _still_considered(game: Rules, location: str) -> Changes:
    """The changes by which the Fires that stay keep their cause, though the chain may be another one now."""
    fluents, units = game.fluents, game.units
    fires = fires_of(units)
    without = fires.without(location)
    new: Changes = {}
    for x in game.board.flammable:
        before = fires.considered(x)
        other = and_(fires.burns(x), not_(eq(before, without.considered(x))))
        new |= units.when(other, {fluents.cause[x]: fires.handed_on(x)})
    return new


@event(cite("26.16/2", "26.161/3"), {"location": "flammable"}, not_judged="what turns a Location into rubble")
def rubble(game: Rules, location: str) -> Action:
    """A Location becomes rubble."""
    fluents = game.fluents
    return deed(
        requirements=(Requirement(not_(game.now(fluents.rubble[location])), f"{location} is rubble already"),),
        effects=game.after((game.everywhere,), {fluents.rubble[location]: TRUE}),
        text=f"{location} becomes rubble",
    )


@event(
    cite("26.16/4", "26.161/3"),
    {"location": "flammable"},
    not_judged=f"{DICE}clear Rubble",
)
def clear(game: Rules, location: str) -> Action:
    """The Rubble in a Location is cleared."""
    fluents = game.fluents
    return deed(
        requirements=(Requirement(game.now(fluents.rubble[location]), f"there is no Rubble in {location}"),),
        effects=game.after((game.everywhere,), {fluents.rubble[location]: FALSE}),
        text=f"the Rubble in {location} is cleared",
    )


_OTHER = Among(
    lambda game: game.fluents.flammable if len(game.board.flammable) > 1 else None,
    lambda _: "only one Location of the board can burn: list more under `flammable:` of the board",
)


@event(
    cite("26.16/1", "26.162/2"),
    {"from": "flammable", "to": _OTHER},
    not_judged="the dice and wind by which Fire spreads",
)
def spread(game: Rules, source: str, to: str) -> Action:
    """A Fire spreads to a Location in the same or an adjacent hex."""
    near = hex_of(to) == hex_of(source) or hex_of(to) in game.geometry.neighbours[hex_of(source)]
    more = (
        Requirement(fires_of(game.units).burns(source), f"there is no Fire in {source}"),
        Requirement(boolean(near), f"{source} and {to} are not in adjacent hexes"),
    )
    cause = fires_of(game.units).handed_on(source)
    return _lit(game, to, cause, f"the Fire spreads from {source} to {to}", *more)
