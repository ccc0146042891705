"""26.1: Control is gained, and retained until the opponent gains it."""

from __future__ import annotations

from collections.abc import Callable

from vclogic_encodings.asl.citing import encodes
from vclogic_encodings.asl.rules.unit_status import Units

from vclogic.terms.build import ite
from vclogic.terms.term import Term


@encodes("26.1/2", "26.1/3")
def retained(units: Units, kind: str, name: str, gains: Callable[[str], Term]) -> Term:
    """The side that gains something controls it until the opponent gains it."""
    held = units.now(units.fluents.stored(kind, name))
    for side in reversed(units.board.sides):
        held = ite(gains(side), units.fluents.side(side), held)
    return held
