"""Japanese units that exit from the map, and the US units that are removed for it."""

from __future__ import annotations

from vclogic_encodings.okinawa.board import EXITED, JAPAN, REMOVED, US
from vclogic_encodings.okinawa.citing import cite
from vclogic_encodings.okinawa.context import Changes, Context
from vclogic_encodings.okinawa.score import PER_DEFENCE
from vclogic_encodings.okinawa.state import EACH

from vclogic.model.actions import Action, Requirement
from vclogic.terms.atoms import FALSE, TRUE, boolean, integer, member
from vclogic.terms.build import add, ge, gt, is_in, le, minimum, not_, or_, sub
from vclogic.terms.term import Term


def exit_map(c: Context, unit: str) -> Action:
    """A Japanese unit exits from an edge hex; three US units are to be removed at once."""
    f, side = c.f, c.board.side_of[unit]
    place, owed = f.at[unit], f.removals.fluent
    edge = [h for h in c.board.northeast_edge if h in c.board.cost]
    on_edge = or_(not_(f.on_map[unit]), is_in(place, edge))
    needs = [
        Requirement(boolean(side == JAPAN), f"{unit} is not Japanese: only Japanese units exit", cite("17.41/1")),
        *c.going_on(),
        c.on_turn(JAPAN),
        c.is_on_map(unit, "17.41/1"),
        Requirement(on_edge, lambda values: f"{values[place]} is no hex of the northeast map edge", cite("17.41/1")),
        *_enough(c),
    ]
    changes: Changes = {place: member(f.places.sort, EXITED), owed: _then_owed(c)}
    points = PER_DEFENCE * c.board.all_units[unit].defence
    return Action(
        "exit",
        (("unit", unit),),
        actor=JAPAN,
        requirements=tuple(needs),
        effects=c.changed(changes),
        text=lambda values: f"{JAPAN}: {unit} exits from {values[place]}: {points} points",
        cites=cite("17.41/1", "17.41/2"),
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
    f, owed = c.f, c.f.removals.fluent
    side = c.board.side_of[unit]
    changes: Changes = {f.at[unit]: member(f.places.sort, REMOVED), owed: sub(owed, 1)}
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
        effects=c.changed(changes),
        text=f"{US}: {unit} is removed from the map",
        cites=cite("17.41/2", "17.41/3"),
    )
