"""Units that exit or leave the map, and the US units that are removed for it."""

from __future__ import annotations

from collections.abc import Sequence

from vclogic_encodings.okinawa.board import NORTHEAST, OTHER, REMOVED, US
from vclogic_encodings.okinawa.citing import cite, encodes
from vclogic_encodings.okinawa.fluents import EACH
from vclogic_encodings.okinawa.game import Changes, Rules
from vclogic_encodings.okinawa.rules.combat_results import taken_back
from vclogic_encodings.okinawa.rules.points import PER_DEFENCE

from vclogic.model.actions import Action, Requirement
from vclogic.terms.atoms import FALSE, TRUE, boolean, integer, member
from vclogic.terms.build import add, ge, gt, is_in, le, minimum, not_, or_, sub
from vclogic.terms.term import Term
from vclogic.words import amount


def exit_map(game: Rules, unit: str) -> Action:
    """A Japanese unit exits from an edge hex; three US units are to be removed at once."""
    points = PER_DEFENCE * game.board.all_units[unit].defence
    beside = "is not a hex of the northeast map edge"
    return _goes(game, "exit", unit, NORTHEAST, beside, f"exits from {{}}: {amount(points, 'point')}")


def leave(game: Rules, unit: str, by: str = OTHER) -> Action:
    """A unit leaves the map over another edge, for which it brings nothing."""
    if by == OTHER:
        beside = "is not a hex of another map edge than the northeast one"
        return _goes(game, "leave", unit, by, beside, "leaves the map from {}")
    beside = f"is not a hex of the {by} edge"
    return _goes(game, "leave", unit, by, beside, f"leaves the map from {{}} by the {by} edge")


def leaves(game: Rules, unit: str, gone: str) -> Action:
    """The event by which a unit comes to a place off the map."""
    by = next(name for name, (place, _, _) in game.board.ways_off.items() if place == gone)
    return exit_map(game, unit) if by == NORTHEAST else leave(game, unit, by)


def _goes(game: Rules, event: str, unit: str, by: str, beside: str, said: str) -> Action:
    """A unit goes off the map from a hex at an edge; Reading `removal_edge`."""
    fluents, place, side = game.fluents, game.fluents.at[unit], game.board.side_of[unit]
    gone, edge, sides = game.board.ways_off[by]
    mover = side if side in sides else sides[0]
    removes = fluents.removes(unit, gone)
    named = (("by", by),) if event == "leave" and game.board.edges else ()
    needs = [
        may_go(game, unit, event, by),
        *game.going_on(),
        game.on_turn(mover),
        game.is_on_map(unit, "17.41/1"),
        on_edge(game, unit, edge, beside),
        *(_enough(game) if removes else ()),
    ]
    owed = {fluents.removals.fluent: then_owed(game)} if removes else {}
    changes: Changes = {place: member(fluents.places.sort, gone), **owed}
    return Action(
        event,
        (("unit", unit), *named),
        actor=mover,
        requirements=tuple(needs),
        effects=game.changed(changes),
        text=lambda values: f"{side}: {unit} {said.format(values[place])}",
        cites=cite("17.41/1", "17.41/2") if removes else cite("17.41/1"),
    )


@encodes("17.41/1")
def may_go(game: Rules, unit: str, event: str, by: str) -> Requirement:
    """Only Japanese units exit, or leave the map; by an edge of a scenario those of the sides that it names."""
    side, (_, _, sides) = game.board.side_of[unit], game.board.ways_off[by]
    text = f"{unit} is not Japanese: only Japanese units {event}"
    text = f"units of {side} do not leave by the {by} edge" if by in game.board.edges else text
    return Requirement(boolean(side in sides), text, cite("17.41/1"))


@encodes("17.41/1")
def on_edge(game: Rules, unit: str, edge: Sequence[str], beside: str) -> Requirement:
    """A unit exits off the Northeast map edge from a hex on it, and leaves the map over another edge from there."""
    place = game.fluents.at[unit]
    there = or_(not_(game.fluents.on_map[unit]), is_in(place, edge))
    return Requirement(there, lambda values: f"{values[place]} {beside}", cite("17.41/1"))


def _enough(game: Rules) -> tuple[Requirement, ...]:
    most = game.fluents.removals.fluent.hi - EACH
    room = Requirement(le(game.fluents.removals.fluent, most), "no more removals can be owed")
    if not game.on("too_few_to_remove", "no_exit"):
        return (room,)
    message = f"fewer than {EACH} US units are on the map to remove for it (reading too_few_to_remove)"
    return (room, Requirement(ge(game.fluents.units_on_map(US), EACH), message, cite("17.41/2")))


@encodes("17.41/2")
def then_owed(game: Rules) -> Term:
    """As a Japanese unit exits the US Player must remove any three of his units: Reading `too_few_to_remove`."""
    owed = game.fluents.removals.fluent
    if game.on("too_few_to_remove", "all_left"):
        return minimum(game.fluents.units_on_map(US), integer(EACH))
    return add(owed, EACH)


@encodes("17.41/2", "17.41/3")
def remove(game: Rules, unit: str) -> Action:
    """The US Player chooses the units that he removes: any on the map, near the exit hex or not."""
    owed, side = game.fluents.removals.fluent, game.board.side_of[unit]
    return Action(
        "remove",
        (("unit", unit),),
        actor=US,
        requirements=(
            Requirement(TRUE if side == US else FALSE, f"{unit} is not a US unit", cite("17.41/2")),
            *game.going_on(removing=True),
            Requirement(gt(owed, 0), "no Japanese unit has exited just now that asks for it", cite("17.41/2")),
            game.is_on_map(unit, "17.41/2"),
        ),
        effects=game.changed({owed: sub(owed, 1), **removed(game, unit)}),
        text=f"{US}: {unit} is removed from the map",
        cites=cite("17.41/2", "17.41/3"),
    )


def removed(game: Rules, unit: str) -> Changes:
    """The changes of a US unit that is removed."""
    back = taken_back(game, unit) if REMOVED in game.score.destroyed else {}
    return {game.fluents.at[unit]: member(game.fluents.places.sort, REMOVED), **back}
