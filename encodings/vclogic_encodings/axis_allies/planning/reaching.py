"""Assumptions of the capture level beyond the text: sources of captures, and their number in a turn.

The rule text does not say how territory is taken. What stands here is assumed in plans and in questions about what
can happen; records are judged by it with `legality=captures`.
"""

from __future__ import annotations

from collections.abc import Mapping

from vclogic_encodings.axis_allies.fluents import at_least_zero
from vclogic_encodings.axis_allies.game import Rules

from vclogic.model.actions import Requirement
from vclogic.model.fluents import Value
from vclogic.model.memoized import memoized
from vclogic.terms.atoms import FALSE
from vclogic.terms.build import count, eq, le, ne, sub
from vclogic.terms.term import Term
from vclogic.words import amount

OWN_REACH, FEW = "reach from what was owned when the turn began", "the captures of a turn"
"""Names of requirements; see `Requirement.name`."""


def borders(game: Rules) -> str:
    """The assumption `next_to_the_side`, in words."""
    far = game.geography.sea_range
    sea = f"a landing within {amount(far, 'sea move')}" if far else "a sea zone that touches both"
    return f"a capture needs a land border with the side's territory, or {sea} (option sea_range)"


def in_a_turn(game: Rules) -> tuple[str, ...]:
    """The assumptions `from_its_own` and `few_enough`, in words."""
    most, each = game.settings.number("captures_per_turn"), game.settings.number("captures_per_source")
    return (
        "in its turn a power captures only from what it owned itself when the turn began",
        f"in its turn a power makes at most {amount(most, 'capture')} (option captures_per_turn)",
        f"in a turn a territory serves for at most {amount(each, 'capture')} over its land borders, and a sea zone "
        f"for at most {amount(each, 'landing')} (option captures_per_source)",
    )


def next_to_the_side(game: Rules, power: str, territory: str) -> Requirement:
    """Require that the territory borders what the power's side controls, or lies within its reach by sea."""
    return _next_to(game, game.board.powers[power].side, territory)


@memoized
def _next_to(game: Rules, side: str, territory: str) -> Requirement:
    def held(t: str) -> Term:
        return game.fluents.controls(side, t)

    reached = game.geography.reaches(territory, held, held)
    return Requirement(reached, f"{territory} cannot be reached by land or sea from what the {side} control")


def from_its_own(game: Rules, power: str, territory: str) -> Requirement:
    """Require that the power can reach the territory from what it owned when the turn began."""
    side, controls = game.board.powers[power].side, game.fluents.controls
    way = game.geography.reaches(territory, lambda t: owned_at_start(game, power, t), lambda t: controls(side, t))
    message = f"the {power} cannot reach {territory} by land or sea from what they owned when the turn began"
    return Requirement(way, f"{message} (option legality)", name=OWN_REACH)


def owned_at_start(game: Rules, power: str, territory: str) -> Term:
    """True if the power owned the territory when the turn began; false where nobody can."""
    fluents = game.fluents
    return eq(fluents.owner_at_turn_start[territory], power) if territory in fluents.territories.sort.index else FALSE


def few_enough(game: Rules, power: str, more: Term) -> Requirement:
    """Require that the power makes at most `captures_per_turn` captures in its turn.

    Where a capture starts from no record says: what serves for how many captures is a matter of plans alone.

    Args:
        more: How many it makes now.
    """
    most = game.settings.number("captures_per_turn")
    owners, before = game.fluents.owner, game.fluents.owner_at_turn_start

    def message(values: Mapping[Term, Value]) -> str:
        done = sum(values[owners[t]] != values[before[t]] for t in game.board.land)
        return (
            f"the {power} have made {amount(done, 'capture')} this turn, and in a turn a power makes at most {most} "
            "(options legality, captures_per_turn)"
        )

    return Requirement(le(more, captures_left(game)), message, name=FEW)


@memoized
def captures_left(game: Rules) -> Term:
    """The number of captures left to the power on turn: the option less the changes of hands in this turn."""
    made = count(ne(game.fluents.owner[t], game.fluents.owner_at_turn_start[t]) for t in game.board.land)
    left = sub(game.settings.number("captures_per_turn"), made)
    return at_least_zero(left)
