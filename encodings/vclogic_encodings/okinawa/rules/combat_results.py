"""Units that move, retreat and are eliminated, as a record holds it."""

from __future__ import annotations

from vclogic_encodings.okinawa.board import ELIMINATED, ELSEWHERE, OFF, US
from vclogic_encodings.okinawa.citing import cite
from vclogic_encodings.okinawa.fluents import FORTUNE
from vclogic_encodings.okinawa.game import Changes, Context
from vclogic_encodings.okinawa.names import AUTO, YES

from vclogic.model.actions import Action, Requirement
from vclogic.model.memoized import once
from vclogic.terms.atoms import FALSE, integer, member
from vclogic.terms.build import add, eq, is_in, ite, le, not_, or_, sub, total
from vclogic.terms.term import Term


@once
def may_move(c: Context, unit: str) -> tuple[Requirement, ...]:
    """What a unit needs to move, wherever it goes."""
    place, gone = c.f.at[unit], [p for p in ELSEWHERE if p != OFF]
    return (
        *c.going_on(),
        c.on_turn(c.board.side_of[unit]),
        Requirement(
            not_(is_in(place, gone)),
            lambda values: f"{unit} is not on the map: {ELSEWHERE[str(values[place])]}",
        ),
    )


@once
def may_retreat(c: Context, unit: str) -> tuple[Requirement, ...]:
    """What a unit needs to retreat, wherever and how far it goes."""
    return (*c.going_on(), c.is_on_map(unit))


def move(c: Context, unit: str, to: str) -> Action:
    """A move of a record: the text does not say how units move, so only the board and the turn judge it."""
    f, side = c.f, c.board.side_of[unit]
    place = f.at[unit]
    changes: Changes = {place: member(f.places.sort, to)}
    return Action(
        "move",
        (("unit", unit), ("to", to)),
        actor=side,
        requirements=(
            *may_move(c, unit),
            Requirement(not_(eq(place, to)), f"{unit} is in {to} already"),
            *c.has_room(unit, to),
        ),
        effects=c.changed(changes),
        text=lambda values: f"{side}: {unit} {'comes' if values[place] == OFF else f'from {values[place]}'} to {to}",
    )


def eliminate(c: Context, unit: str, same_result: str) -> Action:
    """A unit is eliminated; what it brought Japan by retreating in the same combat result is not given.

    A unit whose retreat is the event just before is taken to be destroyed by the result that made it retreat, unless
    a record says otherwise.
    """
    f, side = c.f, c.board.side_of[unit]
    changes: dict[Term, Term] = {f.at[unit]: member(f.places.sort, ELIMINATED)}
    needs = [*c.going_on(), c.is_on_map(unit, "17.12/1")]
    if same_result == YES:
        needs.append(_just_retreated(c, unit))
    same = eq(f.retreated.fluent, unit) if side == US and same_result in (YES, AUTO) and not f.by_unit else FALSE
    changes |= c.destroyed(unit)
    if same is not FALSE:
        changes[f.retreats.fluent] = sub(f.retreats.fluent, ite(same, f.retreated_for.fluent, integer(0)))
    value = c.board.all_units[unit].value
    return Action(
        "eliminate",
        (("unit", unit), ("same_result", same_result)),
        actor=None,
        requirements=tuple(needs),
        effects=c.changed(changes),
        text=lambda values: (
            f"{unit} is eliminated: {value} points"
            + (", none for its retreat" if same is not FALSE and values[f.retreated.fluent] == unit else "")
            + (", none for its retreats" if f.by_unit and side == US else "")
        ),
        cites=cite("17.12/1") if same is FALSE and not f.by_unit else cite("17.12/1", "17.22/2"),
    )


def _just_retreated(c: Context, unit: str) -> Requirement:
    retreated = c.f.retreated.fluent
    held = eq(retreated, unit) if c.board.side_of[unit] == US else FALSE
    who = "is Japanese: its retreats bring no points" if c.board.side_of[unit] != US else "has not retreated just now"
    return Requirement(held, f"{unit} {who}, so no combat result can undo them", cite("17.22/2"))


def retreat(c: Context, unit: str, hexes: int, to: str) -> Action:
    """A retreat by a combat result, in whosever player-turn: a US unit's brings Japan points at once."""
    f, side = c.f, c.board.side_of[unit]
    place, grid = f.at[unit], c.board.grid
    near = [h for h in grid.within(to, hexes) if h in c.board.cost and h != to]
    changes: dict[Term, Term] = {place: member(f.places.sort, to)}
    points: Term = integer(0)
    if side == US:
        points = integer(hexes)
        if c.on("retreat_length", "distance"):
            points = total((grid.distance(h, to), eq(place, h)) for h in near)
        changes |= {
            f.retreats.fluent: add(f.retreats.fluent, points),
            f.retreated.fluent: member(f.us_unit_or_none, unit),
            f.retreated_for.fluent: points,
        }
        if f.by_unit:
            changes[f.retreats_of[unit]] = add(f.retreats_of[unit], points)
    needs = [
        *may_retreat(c, unit),
        Requirement(
            or_(not_(f.on_map[unit]), is_in(place, [*near, to])),
            lambda values: (
                f"{to} is {grid.distance(str(values[place]), to)} hexes from {values[place]}: "
                f"{unit} cannot come there by a retreat of {hexes}"
            ),
            cite("17.21/1"),
        ),
        *c.has_room(unit, to),
        Requirement(not_(eq(place, to)), f"a retreat leads away from {to}"),
    ]
    if side == US:
        known = f"points for retreats are counted to {FORTUNE} only"
        needs.append(Requirement(le(f.retreats.fluent, FORTUNE - hexes), known))
    return Action(
        "retreat",
        (("unit", unit), ("hexes", hexes), ("to", to)),
        actor=None,
        requirements=tuple(needs),
        effects=c.changed(changes),
        text=lambda values: f"{unit} retreats {hexes} hexes from {values[place]} to {to}",
        cites=cite("17.21/1", "17.21/2", "17.22/1") if side == US else (),
    )
