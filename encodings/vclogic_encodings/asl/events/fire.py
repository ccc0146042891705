"""Events of fire and rubble."""

from __future__ import annotations

from vclogic_encodings.asl.board import MMC
from vclogic_encodings.asl.citing import cite
from vclogic_encodings.asl.game import Changes, Game
from vclogic_encodings.asl.geometry import hex_of
from vclogic_encodings.asl.names import ACCIDENT, BLAZE, FLAME, NO_FIRE

from vclogic.model.actions import Action, Requirement
from vclogic.model.citation import Cites
from vclogic.terms.atoms import TRUE, boolean, member
from vclogic.terms.build import and_, any_of, eq, not_
from vclogic.terms.term import Term


def kindle(c: Game, side: str, location: str) -> Action:
    """A side sets a Location on fire deliberately."""
    what = f"the {side} side kindles a Fire in {location}"
    args = (("side", side), ("location", location))
    return _lit(c, "kindle", args, side, location, member(c.f.causes.sort, side), what, cite("26.16/1"))


def fire(c: Game, location: str) -> Action:
    """A Flame starts by accident."""
    cause = member(c.f.causes.sort, ACCIDENT)
    what = f"a Fire starts in {location} by accident"
    return _lit(c, "fire", (("location", location),), None, location, cause, what, cite("26.161/1", "26.161/2"))


def spread(c: Game, source: str, to: str) -> Action:
    """Fire spreads from a Location to another one."""
    near = hex_of(to) == hex_of(source) or hex_of(to) in c.f.geometry.neighbours[hex_of(source)]
    more = (
        Requirement(c.holders.fires.burns(source), f"there is no Fire in {source}"),
        Requirement(boolean(near), f"{source} and {to} are not in adjacent hexes"),
    )
    args = (("from", source), ("to", to))
    cause = c.holders.fires.considered(source)
    what = f"the Fire spreads from {source} to {to}"
    return _lit(c, "spread", args, None, to, cause, what, cite("26.16/1", "26.162/2", "26.162-p2/2"), more)


def _lit(
    c: Game,
    name: str,
    args: tuple[tuple[str, str], ...],
    actor: str | None,
    location: str,
    cause: Term,
    text: str,
    cites: Cites,
    more: tuple[Requirement, ...] = (),
) -> Action:
    f = c.f
    changes: Changes = {f.fire[location]: c.word(f.fire, FLAME), f.cause[location]: cause}
    return Action(
        name,
        args,
        actor=actor,
        requirements=(
            c.going_on,
            Requirement(not_(c.holders.fires.burns(location)), f"there is Fire in {location} already"),
            *more,
        ),
        effects=c.after((c.everywhere,), changes),
        text=text,
        cites=cites,
    )


def blaze(c: Game, location: str) -> Action:
    """A Flame becomes a Blaze."""
    f = c.f
    return Action(
        "blaze",
        (("location", location),),
        actor=None,
        requirements=(
            c.going_on,
            Requirement(eq(c.now(f.fire[location]), FLAME), f"there is no Flame in {location}"),
        ),
        effects=c.after((c.everywhere,), {f.fire[location]: c.word(f.fire, BLAZE)}),
        text=f"the Flame in {location} becomes a Blaze",
        cites=cite("26.16/2", "26.161/2"),
    )


def extinguish(c: Game, location: str) -> Action:
    """A Fire goes out."""
    f = c.f
    changes: Changes = {f.fire[location]: c.word(f.fire, NO_FIRE)}
    if c.reads("split_fire", "kept"):
        changes |= _still_considered(c, location)
    if c.reads("regain", "anew"):
        for u in f.board.of(*MMC):
            side = f.board.units[u].side
            kept_out = []
            for kind, name in c.around(location):
                here = c.s.here(u, f.parts(kind, name))
                kept_out.append(and_(here, c.holders.fires.barred(side, kind, name)))
            changes |= c.when(any_of(kept_out), {f.anew[u]: TRUE})
    return Action(
        "extinguish",
        (("location", location),),
        actor=None,
        requirements=(
            c.going_on,
            Requirement(c.holders.fires.burns(location), f"there is no Fire in {location}"),
        ),
        effects=c.after((c.everywhere,), changes),
        text=f"the Fire in {location} is extinguished",
        cites=cite("26.16/4"),
    )


def _still_considered(c: Game, location: str) -> Changes:
    """What the Fires that stay were considered to be they still are, though the chain may be another one now."""
    f = c.f
    fires = c.holders.fires
    without = fires.without(location)
    new: Changes = {}
    for x in f.board.flammable:
        before = fires.considered(x)
        other = and_(fires.burns(x), not_(eq(before, without.considered(x))))
        new |= c.when(other, {f.cause[x]: before})
    return new


def rubble(c: Game, location: str) -> Action:
    """A Location becomes rubble."""
    f = c.f
    return Action(
        "rubble",
        (("location", location),),
        actor=None,
        requirements=(c.going_on, Requirement(not_(c.now(f.rubble[location])), f"{location} is rubble already")),
        effects=c.after((c.everywhere,), {f.rubble[location]: TRUE}),
        text=f"{location} becomes rubble",
        cites=cite("26.16/2", "26.161/3"),
    )
