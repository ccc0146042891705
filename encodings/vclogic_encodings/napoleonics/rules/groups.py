"""Temporary objectives that are groups of hexes."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.napoleonics.citing import encodes

from vclogic.terms.build import and_, any_of, not_
from vclogic.terms.term import Term


@encodes("groups/1", "groups/2")
def any_hex(occupied: Iterable[Term]) -> Term:
    """A side that occupies any hex of an objective, be it one hex or a group, is there."""
    return any_of(occupied)


@encodes("groups/3")
def keeps_group(there: Term, enemy_there: Term) -> Term:
    """The banner of a group is kept until none of its hexes are occupied.

    Args:
        there: Whether the side is there.
        enemy_there: Whether an enemy that can hold the group too is there and ends it: Reading `contested_group`.
    """
    return and_(there, not_(enemy_there))
