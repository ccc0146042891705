"""When a game is decided: who has won, and whether it is over, in the system's own words."""

from __future__ import annotations

from dataclasses import dataclass

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


def endings(system: System) -> Endings:
    """The terms that say where a game is decided."""
    nobody = any_of(or_(o.won, o.now) for o in system.outcomes if o.side not in system.sides)
    over = nobody if system.ends is None else or_(nobody, system.ends)
    return Endings(tuple(_has_won(system, side) for side in system.sides), over)


def _has_won(system: System, side: str) -> Term:
    if system.winner is not None:
        return eq(system.winner, side)
    return any_of(or_(o.won, o.now) for o in system.outcomes if o.side == side)
