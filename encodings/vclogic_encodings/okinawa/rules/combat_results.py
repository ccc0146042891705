"""Units that move, retreat and are eliminated, as a record holds it."""

from __future__ import annotations

from vclogic_encodings.okinawa.board import ELIMINATED, ELSEWHERE, OFF, US
from vclogic_encodings.okinawa.citing import cite
from vclogic_encodings.okinawa.fluents import FORTUNE
from vclogic_encodings.okinawa.game import Changes, Game
from vclogic_encodings.okinawa.names import AUTO, YES

from vclogic.model.actions import Action, Requirement
from vclogic.model.memoized import once
from vclogic.terms.atoms import FALSE, integer, member
from vclogic.terms.build import add, eq, is_in, ite, le, not_, or_, sub, total
from vclogic.terms.term import Term


@once
def may_move(game: Game, unit: str) -> tuple[Requirement, ...]:
    """What a unit needs to move, wherever it goes."""
    place, gone = game.fluents.at[unit], [p for p in ELSEWHERE if p != OFF]
    return (
        *game.going_on(),
        game.on_turn(game.board.side_of[unit]),
        Requirement(
            not_(is_in(place, gone)),
            lambda values: f"{unit} is not on the map: {ELSEWHERE[str(values[place])]}",
        ),
    )


@once
def may_retreat(game: Game, unit: str) -> tuple[Requirement, ...]:
    """What a unit needs to retreat, wherever and how far it goes."""
    return (*game.going_on(), game.is_on_map(unit))


def move(game: Game, unit: str, to: str) -> Action:
    """A move of a record: the text does not say how units move, so only the board and the turn judge it."""
    fluents, side = game.fluents, game.board.side_of[unit]
    place = fluents.at[unit]
    changes: Changes = {place: member(fluents.places.sort, to)}
    return Action(
        "move",
        (("unit", unit), ("to", to)),
        actor=side,
        requirements=(
            *may_move(game, unit),
            Requirement(not_(eq(place, to)), f"{unit} is in {to} already"),
            *game.has_room(unit, to),
        ),
        effects=game.changed(changes),
        text=lambda values: f"{side}: {unit} {'comes' if values[place] == OFF else f'from {values[place]}'} to {to}",
    )


def eliminate(game: Game, unit: str, same_result: str) -> Action:
    """A unit is eliminated; what it brought Japan by retreating in the same combat result is not given.

    A unit whose retreat is the event just before is taken to be destroyed by the result that made it retreat, unless
    a record says otherwise.
    """
    fluents, side = game.fluents, game.board.side_of[unit]
    changes: dict[Term, Term] = {fluents.at[unit]: member(fluents.places.sort, ELIMINATED)}
    needs = [*game.going_on(), game.is_on_map(unit, "17.12/1")]
    if same_result == YES:
        needs.append(_just_retreated(game, unit))
    same = (
        eq(fluents.retreated.fluent, unit)
        if side == US and same_result in (YES, AUTO) and not fluents.by_unit
        else FALSE
    )
    changes |= game.destroyed(unit)
    if same is not FALSE:
        changes[fluents.retreats.fluent] = sub(
            fluents.retreats.fluent, ite(same, fluents.retreated_for.fluent, integer(0))
        )
    value = game.board.all_units[unit].value
    return Action(
        "eliminate",
        (("unit", unit), ("same_result", same_result)),
        actor=None,
        requirements=tuple(needs),
        effects=game.changed(changes),
        text=lambda values: (
            f"{unit} is eliminated: {value} points"
            + (", none for its retreat" if same is not FALSE and values[fluents.retreated.fluent] == unit else "")
            + (", none for its retreats" if fluents.by_unit and side == US else "")
        ),
        cites=cite("17.12/1") if same is FALSE and not fluents.by_unit else cite("17.12/1", "17.22/2"),
    )


def _just_retreated(game: Game, unit: str) -> Requirement:
    retreated = game.fluents.retreated.fluent
    held = eq(retreated, unit) if game.board.side_of[unit] == US else FALSE
    who = (
        "is Japanese: its retreats bring no points"
        if game.board.side_of[unit] != US
        else "has not retreated just now"
    )
    return Requirement(held, f"{unit} {who}, so no combat result can undo them", cite("17.22/2"))


def retreat(game: Game, unit: str, hexes: int, to: str) -> Action:
    """A retreat by a combat result, in whosever player-turn: a US unit's brings Japan points at once."""
    fluents, side = game.fluents, game.board.side_of[unit]
    place, grid = fluents.at[unit], game.board.grid
    near = [h for h in grid.within(to, hexes) if h in game.board.cost and h != to]
    changes: dict[Term, Term] = {place: member(fluents.places.sort, to)}
    points: Term = integer(0)
    if side == US:
        points = integer(hexes)
        if game.on("retreat_length", "distance"):
            points = total((grid.distance(h, to), eq(place, h)) for h in near)
        changes |= {
            fluents.retreats.fluent: add(fluents.retreats.fluent, points),
            fluents.retreated.fluent: member(fluents.us_unit_or_none, unit),
            fluents.retreated_for.fluent: points,
        }
        if fluents.by_unit:
            changes[fluents.retreats_of[unit]] = add(fluents.retreats_of[unit], points)
    needs = [
        *may_retreat(game, unit),
        Requirement(
            or_(not_(fluents.on_map[unit]), is_in(place, [*near, to])),
            lambda values: (
                f"{to} is {grid.distance(str(values[place]), to)} hexes from {values[place]}: "
                f"{unit} cannot come there by a retreat of {hexes}"
            ),
            cite("17.21/1"),
        ),
        *game.has_room(unit, to),
        Requirement(not_(eq(place, to)), f"a retreat leads away from {to}"),
    ]
    if side == US:
        known = f"points for retreats are counted to {FORTUNE} only"
        needs.append(Requirement(le(fluents.retreats.fluent, FORTUNE - hexes), known))
    return Action(
        "retreat",
        (("unit", unit), ("hexes", hexes), ("to", to)),
        actor=None,
        requirements=tuple(needs),
        effects=game.changed(changes),
        text=lambda values: f"{unit} retreats {hexes} hexes from {values[place]} to {to}",
        cites=cite("17.21/1", "17.21/2", "17.22/1") if side == US else (),
    )
