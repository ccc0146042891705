"""The end of a game: who has won, whether it is over, in the system's own words, and the chances of best play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from vclogic.model.system import System
from vclogic.terms.atoms import FALSE
from vclogic.terms.build import all_of, and_, any_of, eq, not_, or_
from vclogic.terms.term import Term

PAIR = 2


@dataclass(frozen=True)
class Endings:
    """The terms that say where a game is decided.

    A side has won where `System.winner` names it. Where the rules have no such term, a side has won where one of its
    outcomes is met (`Outcome.now`) or was met before (`Outcome.won`).

    Attributes:
        won: For each side of the system, in its order: whether it has won.
        over: Whether the game is over, whoever has won (`System.ends`).
        lost: For each side whether it has lost as the game is over, whoever has won: it is out, or all have lost;
            empty: none can.
        together: Whether all have won, and the text says that they do so together.
    """

    won: tuple[Term, ...]
    over: Term
    lost: tuple[Term, ...] = ()
    together: Term = FALSE

    @property
    def final(self) -> Term:
        """A Bool term: play is not followed further from a state, since a side has won or the game is over."""
        return or_(*self.won, self.over)

    @property
    def rivals(self) -> tuple[Term, ...]:
        """For each side whether it has won, and not all of them together; then whether the game is over without."""
        apart = not_(self.together)
        return (*(and_(w, apart) for w in self.won), or_(self.over, self.together))

    @property
    def zero_sum(self) -> bool:
        """True if what one of two sides gains the other loses, wherever the game ends."""
        return len(self.won) == PAIR and self.together is FALSE and all(t is FALSE for t in self.lost)

    @property
    def terms(self) -> tuple[Term, ...]:
        """The terms that `returns_of` reads the values of."""
        return (*self.won, self.together, *self.lost)


def returns_of(sides: int, values: Sequence[bool]) -> tuple[int, ...]:
    """For each side 1 if it has won, -1 if only others have or it has lost whoever won, and 0 otherwise.

    Where all have won it is 0, unless the text says that they do so together.

    Args:
        sides: How many there are.
        values: The values of `Endings.terms`.
    """
    won, together, lost = values[:sides], values[sides], values[sides + 1 :] or [False] * sides
    if all(won) and sides > 1:
        return (int(together),) * sides
    return tuple(1 if x else -1 if any(won) or gone else 0 for x, gone in zip(won, lost, strict=True))


def endings(system: System) -> Endings:
    """The terms that say where a game is decided."""
    nobody = any_of(or_(o.won, o.now) for o in system.outcomes if o.side not in system.sides)
    over = nobody if system.ends is None else or_(nobody, system.ends)
    won = tuple(_has_won(system, side) for side in system.sides)
    return Endings(won, over, _lost(system, or_(over, *won)), _together(system))


def _lost(system: System, final: Term) -> tuple[Term, ...]:
    """For each side whether it has lost as the game is over, whoever has won; nothing where none can."""
    every = any_of(or_(o.won, o.now) for o in system.outcomes if o.all_lose)
    if every is FALSE and not system.out:
        return ()
    return tuple(or_(every, and_(final, system.out.get(side, FALSE))) for side in system.sides)


def _together(system: System) -> Term:
    """Bool: whether an outcome is met that the text gives to all sides together."""
    names = dict.fromkeys(o.name for o in system.outcomes if o.together)
    shared = {n: [o for o in system.outcomes if o.together and o.name == n] for n in names}
    every = {n: of for n, of in shared.items() if {o.side for o in of} == {*system.sides}}
    return any_of(
        all_of(any_of(or_(o.won, o.now) for o in of if o.side == side) for side in system.sides)
        for of in every.values()
    )


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
