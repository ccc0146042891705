"""Japanese units that exit or leave the map, and the US units that are removed for it."""

from __future__ import annotations

from collections.abc import Sequence

from vclogic_encodings.okinawa.board import EXITED, JAPAN, LEFT, REMOVED, US
from vclogic_encodings.okinawa.citing import cite
from vclogic_encodings.okinawa.fluents import EACH
from vclogic_encodings.okinawa.game import Changes, Context
from vclogic_encodings.okinawa.rules.points import PER_DEFENCE

from vclogic.model.actions import Action, Requirement
from vclogic.terms.atoms import FALSE, TRUE, boolean, integer, member
from vclogic.terms.build import add, ge, gt, is_in, le, minimum, not_, or_, sub
from vclogic.terms.term import Term


def exit_map(c: Context, unit: str) -> Action:
    """A Japanese unit exits from an edge hex; three US units are to be removed at once."""
    edge = [h for h in c.board.northeast_edge if h in c.board.cost]
    points = PER_DEFENCE * c.board.all_units[unit].defence
    beside = "is no hex of the northeast map edge"
    return _goes(c, "exit", unit, EXITED, edge, beside, f"exits from {{}}: {points} points")


def leave(c: Context, unit: str) -> Action:
    """A Japanese unit leaves the map over another edge, for which it brings nothing."""
    edges = sorted(c.board.other_edges)
    beside = "is no hex of another map edge than the northeast one"
    return _goes(c, "leave", unit, LEFT, edges, beside, "leaves the map from {}")


def _goes(c: Context, event: str, unit: str, gone: str, edge: Sequence[str], beside: str, said: str) -> Action:
    """A Japanese unit goes off the map from a hex at the edge; see the reading `removal_edge`."""
    f, side, place = c.f, c.board.side_of[unit], c.f.at[unit]
    removes = gone in f.removing
    on_edge = or_(not_(f.on_map[unit]), is_in(place, edge))
    needs = [
        Requirement(boolean(side == JAPAN), f"{unit} is not Japanese: only Japanese units {event}", cite("17.41/1")),
        *c.going_on(),
        c.on_turn(JAPAN),
        c.is_on_map(unit, "17.41/1"),
        Requirement(on_edge, lambda values: f"{values[place]} {beside}", cite("17.41/1")),
        *(_enough(c) if removes else ()),
    ]
    owed = {f.removals.fluent: _then_owed(c)} if removes else {}
    changes: Changes = {place: member(f.places.sort, gone), **owed}
    return Action(
        event,
        (("unit", unit),),
        actor=JAPAN,
        requirements=tuple(needs),
        effects=c.changed(changes),
        text=lambda values: f"{JAPAN}: {unit} {said.format(values[place])}",
        cites=cite("17.41/1", "17.41/2") if removes else cite("17.41/1"),
    )


def _enough(c: Context) -> tuple[Requirement, ...]:
    most = c.f.removals.fluent.hi - EACH
    room = Requirement(le(c.f.removals.fluent, most), "no more removals can be owed")
    if not c.on("too_few_to_remove", "no_exit"):
        return (room,)
    message = f"fewer than {EACH} US units are on the map to remove for it (reading too_few_to_remove)"
    return (room, Requirement(ge(c.f.units_on_map(US), EACH), message, cite("17.41/2")))


def _then_owed(c: Context) -> Term:
    """How many removals are owed after one exit more."""
    owed = c.f.removals.fluent
    if c.on("too_few_to_remove", "all_left"):
        return minimum(c.f.units_on_map(US), integer(EACH))
    return add(owed, EACH)


def remove(c: Context, unit: str) -> Action:
    """The US Player removes any unit of his from the map, as long as an exit asks for it."""
    owed, side = c.f.removals.fluent, c.board.side_of[unit]
    return Action(
        "remove",
        (("unit", unit),),
        actor=US,
        requirements=(
            Requirement(TRUE if side == US else FALSE, f"{unit} is not a US unit", cite("17.41/2")),
            *c.going_on(removing=True),
            Requirement(gt(owed, 0), "no Japanese unit has exited just now that asks for it", cite("17.41/2")),
            c.is_on_map(unit, "17.41/2"),
        ),
        effects=c.changed({owed: sub(owed, 1), **removed(c, unit)}),
        text=f"{US}: {unit} is removed from the map",
        cites=cite("17.41/2", "17.41/3"),
    )


def removed(c: Context, unit: str) -> Changes:
    """What becomes of a US unit that is removed."""
    destroyed = c.destroyed(unit) if REMOVED in c.score.destroyed else {}
    return {c.f.at[unit]: member(c.f.places.sort, REMOVED), **destroyed}
