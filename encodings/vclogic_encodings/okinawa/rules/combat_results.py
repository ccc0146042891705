"""Combat results: units that are eliminated, and US units that retreat."""

from __future__ import annotations

from collections.abc import Mapping

from vclogic_encodings.okinawa.board import ELIMINATED, US, enemy
from vclogic_encodings.okinawa.citing import cite, encodes
from vclogic_encodings.okinawa.fluents import FORTUNE, NO, YES
from vclogic_encodings.okinawa.game import Changes, Rules

from vclogic.model.actions import Action, Requirement
from vclogic.model.fluents import Value
from vclogic.model.memoized import memoized
from vclogic.terms.atoms import FALSE, TRUE, integer, member
from vclogic.terms.build import add, eq, ge, is_in, ite, le, not_, or_, sub, total
from vclogic.terms.term import Term
from vclogic.words import amount

# ---- 17.2 Victory Points for US retreats


@memoized
def may_retreat(game: Rules, unit: str) -> tuple[Requirement, ...]:
    """The requirements for a unit to retreat, wherever and how far it goes."""
    return (*game.going_on(), game.is_on_map(unit), *fought(game, unit))


@encodes("17.12/1", "17.21/2")
def fought(game: Rules, unit: str) -> tuple[Requirement, ...]:
    """Units are lost and retreat by attacks of either side, for which both are on the map: Reading `losses`."""
    if game.on("losses", "anytime"):
        return ()
    there = ge(game.fluents.units_on_map(enemy(game.board.side_of[unit])), 1)
    message = f"no enemy unit is on the map to fight {unit} (reading losses)"
    return (Requirement(there, message, cite("17.12/1", "17.21/2")),)


@encodes("17.21/1")
def retreat_points(game: Rules, unit: str, hexes: int, to: str) -> Term:
    """Japan receives a point for each hex that a US unit retreats: Reading `retreat_length`."""
    if game.on("retreat_length", "distance"):
        place, grid = game.fluents.at[unit], game.board.grid
        return total((grid.distance(h, to), eq(place, h)) for h in _near(game, hexes, to))
    return integer(hexes)


@encodes("17.21/2", "17.22/1")
def are_given(game: Rules) -> Term:
    """Points for a retreat are given as soon as the Combat Result is applied, of a Japanese or a US attack."""
    return TRUE


def received(game: Rules, unit: str, for_hexes: Term) -> Changes:
    """The points of Japan for the retreat of a US unit."""
    fluents = game.fluents
    points = ite(are_given(game), for_hexes, integer(0))
    of_unit = {fluents.retreats_of[unit]: add(fluents.retreats_of[unit], points)} if fluents.by_unit else {}
    return {
        fluents.retreats.fluent: add(fluents.retreats.fluent, points),
        fluents.retreated.fluent: member(fluents.us_unit_or_none, unit),
        fluents.retreated_for.fluent: points,
        **of_unit,
    }


@encodes("17.22/2")
def taken_back(game: Rules, unit: str, same_result: str = NO) -> Changes:
    """For a destroyed US unit Japan receives no points for hexes that it has retreated: Reading `earlier_retreats`.

    Args:
        unit: The unit that is destroyed.
        same_result: Whether the result that destroys it also made it retreat, where its retreat is the event just
            before: not if `no`.
    """
    fluents = game.fluents
    if game.board.side_of[unit] != US or (same_result == NO and not fluents.by_unit):
        return {}
    known = fluents.retreats.fluent
    if fluents.by_unit:
        return {known: sub(known, fluents.retreats_of[unit]), fluents.retreats_of[unit]: integer(0)}
    just_now = eq(fluents.retreated.fluent, unit)
    return {known: sub(known, ite(just_now, fluents.retreated_for.fluent, integer(0)))}


def _near(game: Rules, hexes: int, to: str) -> list[str]:
    """The hexes from which a retreat of so many hexes can lead to another one."""
    return [h for h in game.board.grid.within(to, hexes) if h in game.board.cost and h != to]


# ---- events


def retreat(game: Rules, unit: str, hexes: int, to: str) -> Action:
    """A unit retreats by a combat result."""
    fluents, of_us = game.fluents, game.board.side_of[unit] == US
    place, grid = fluents.at[unit], game.board.grid
    changes: Changes = {place: member(fluents.places.sort, to)}
    needs = [
        *may_retreat(game, unit),
        Requirement(
            or_(not_(fluents.on_map[unit]), is_in(place, [*_near(game, hexes, to), to])),
            lambda values: (
                f"{to} is {grid.distance(str(values[place]), to)} hexes from {values[place]}: "
                f"{unit} cannot come there by a retreat of {hexes}"
            ),
            cite("17.21/1"),
        ),
        *game.has_room(unit, to),
        Requirement(not_(eq(place, to)), f"a retreat leads away from {to}"),
    ]
    if of_us:
        changes = {**changes, **received(game, unit, retreat_points(game, unit, hexes, to))}
        known = f"points for retreats are counted to {FORTUNE} only"
        needs.append(Requirement(le(fluents.retreats.fluent, FORTUNE - hexes), known))
    return Action(
        "retreat",
        (("unit", unit), ("hexes", hexes), ("to", to)),
        actor=None,
        requirements=tuple(needs),
        effects=game.changed(changes),
        text=lambda values: f"{unit} retreats {amount(hexes, 'hex')} from {values[place]} to {to}",
        cites=cite("17.21/1", "17.21/2", "17.22/1") if of_us else (),
    )


def eliminate(game: Rules, unit: str, same_result: str) -> Action:
    """A unit is eliminated; what it brought Japan by retreating in the same combat result is taken back.

    A unit whose retreat is the event just before is taken to be destroyed by the result that made it retreat, unless
    a record says otherwise.
    """
    fluents = game.fluents
    back = taken_back(game, unit, same_result)
    needs = [*game.going_on(), game.is_on_map(unit, "17.12/1"), *fought(game, unit)]
    if same_result == YES:
        needs.append(just_retreated(game, unit))
    value = game.board.all_units[unit].value

    def said(values: Mapping[Term, Value]) -> str:
        if fluents.by_unit:
            return ", none for its retreats" if back else ""
        return ", none for its retreat" if back and values[fluents.retreated.fluent] == unit else ""

    return Action(
        "eliminate",
        (("unit", unit), ("same_result", same_result)),
        actor=None,
        requirements=tuple(needs),
        effects=game.changed({fluents.at[unit]: member(fluents.places.sort, ELIMINATED), **back}),
        text=lambda values: f"{unit} is eliminated: {amount(value, 'point')}{said(values)}",
        cites=cite("17.12/1", *(["17.22/2"] if game.board.side_of[unit] == US else [])),
    )


@encodes("17.22/2")
def just_retreated(game: Rules, unit: str) -> Requirement:
    """A result takes back the points of a retreat only if it is the one that made the unit retreat."""
    of_us = game.board.side_of[unit] == US
    held = eq(game.fluents.retreated.fluent, unit) if of_us else FALSE
    who = "has not retreated just now" if of_us else "is Japanese: its retreats bring no points"
    return Requirement(held, f"{unit} {who}, so no combat result can undo them", cite("17.22/2"))
