"""The end of a game: who has won, whether it is over, in the system's own words, and the chances of best play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from vclogic.model.system import System
from vclogic.terms.build import any_of, eq, or_
from vclogic.terms.term import Term


@dataclass(frozen=True)
class Endings:
    """The terms that say where a game is decided.

    A side has won where `System.winner` names it. Where the rules have no such term, a side has won where one of its
    outcomes is met (`Outcome.now`) or was met before (`Outcome.won`).

    Attributes:
        won: For each side of the system, in its order: whether it has won.
        over: Whether the game is over, whoever has won (`System.ends`).
    """

    won: tuple[Term, ...]
    over: Term

    @property
    def final(self) -> Term:
        """A Bool term: play is not followed further from a state, since a side has won or the game is over."""
        return or_(*self.won, self.over)


def returns_of(won: Sequence[bool]) -> tuple[int, ...]:
    """For each side 1 if it has won, alone or with others, and -1 if only others have; 0 if nobody or all have.

    Args:
        won: For each side whether it has won.
    """
    return tuple((1 if x else -1) if any(won) and not all(won) else 0 for x in won)


def endings(system: System) -> Endings:
    """The terms that say where a game is decided."""
    nobody = any_of(or_(o.won, o.now) for o in system.outcomes if o.side not in system.sides)
    over = nobody if system.ends is None else or_(nobody, system.ends)
    return Endings(tuple(_has_won(system, side) for side in system.sides), over)


def _has_won(system: System, side: str) -> Term:
    if system.winner is not None:
        return eq(system.winner, side)
    return any_of(or_(o.won, o.now) for o in system.outcomes if o.side == side)


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
