"""Chance in best play, as an answer gives it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class BestPlayOdds:
    """Expected scores and chances of winning in best play.

    Attributes:
        side: The first side of the game; the other one plays for the opposite.
        lower: The probability that it wins less the probability that it loses is at least this number.
        upper: It is at most this number. Where the two are equal, or nearly so, nothing is left open.
        wins: The exact probability with which each side wins; None where it is not known.
    """

    side: str
    lower: float
    upper: float
    wins: Mapping[str, Fraction] | None
