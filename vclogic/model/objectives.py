"""The objectives of a game: the cities, hexes, buildings or banners that sides take and hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from vclogic.model.fluents import Value
from vclogic.model.picture import Known, Values
from vclogic.terms.term import Term


@dataclass(frozen=True)
class Objective:
    """Something that sides take.

    Attributes:
        name: What players call it, such as a city; no other objective has this name.
        kind: What it is, in the singular, such as `victory city`.
        held: For each side that can have it: Bool, over fluents, whether the side has it. A side that is left out
            cannot have it.
        places: The regions of the picture that it is in, by their names; empty where it is in none.
        worth: For a side, what it brings, in a few words such as `10 points`; empty where that is not fixed.
        main: Whether the game is about it. Others, such as a territory without a city, are told of only where every
            plan takes them.
        lost: For a side, and the values of a position in which the side has it: what else the fluents are once an
            enemy has taken it, in a well-formed position in which the side does not have it; None where no such
            position can be told, such as for a place in which units of the side stand. It may be left out.
        by: What can take it, as `Movement.of` names it; empty: all that moves.
    """

    name: str
    kind: str
    held: Mapping[str, Term]
    places: tuple[str, ...] = ()
    worth: Mapping[str, str] = field(default_factory=dict)
    main: bool = True
    lost: Callable[[str, Values], Mapping[Term, Value] | None] | None = None
    by: tuple[str, ...] = ()


def following(values: Values, effects: Iterable[tuple[Term, Term]]) -> dict[Term, Value]:
    """The values of a position after the effects of an event.

    Args:
        values: The value of each fluent before it.
        effects: Fluents and their values after it, as terms over those before.
    """
    known = Known(values)
    return {**values, **{fluent: known(new) for fluent, new in effects}}


def changes(before: Values, after: Values) -> dict[Term, Value]:
    """The fluents that differ between two positions, with their values in the second one."""
    return {fluent: x for fluent, x in after.items() if x != before[fluent]}
