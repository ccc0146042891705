"""What the enemies of a side can take back in answer to one of its turns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from vclogic.model.battles import Fight, Units
from vclogic.model.transition import Transition
from vclogic.terms.term import Term

Known = Mapping[Term, Term]
"""A state: the value of each fluent, as a constant."""


@dataclass(frozen=True)
class Exposed:
    """What a turn of a side leaves for its enemies to attack.

    Attributes:
        taken: The places that it took.
        left: The places that it held before and holds now, with fewer units of some kind than before.
    """

    taken: tuple[str, ...]
    left: tuple[str, ...]


@dataclass(frozen=True)
class Counterattacks:
    """How the enemies of a side can answer one of its turns, each by itself, all others idle until then.

    Attributes:
        exposed: What a turn leaves for the enemies, given the states before and after it, and the side.
        enemies: The enemies of a side.
        next_turn: The state in which a power's next turn begins; None where the game is over before that.
        turn: The step of a power that fights for one place only, at any odds. The first of its fights is for that
            place, even if nobody defends it; others are for what it must win first, and with False there are none.
            None: it cannot attack the place, or with True, there is nothing that it could win first.
        take: The chance to win a fight, given the attackers and the ships that bombard; 1 where nobody defends. More
            attackers never make it smaller, more defenders never larger.
        exact: The same as a fraction.
        error: How far such a chance can be from the exact value, as a share of it.
        garrison: Who defends a place of a side.
        counted: A number of units of a kind in words.
        note: What a place is called in an answer, with what it is worth, such as `Russia (Moscow, 5 VCP)`.
        worth: How much it matters; the larger the more.
        assumptions: What the answer rests on beyond the rules of battles and moves, in words.
    """

    exposed: Callable[[Known, Known, str], Exposed]
    enemies: Callable[[str], tuple[str, ...]]
    next_turn: Callable[[Known, str], Known | None]
    turn: Callable[[Known, str, str, bool], Transition | None]
    take: Callable[[Fight, Units, Units], float]
    exact: Callable[[Fight, Units, Units], Fraction]
    error: float
    garrison: Callable[[Known, str, str], Units]
    counted: Callable[[int, str], str]
    note: Callable[[str], str]
    worth: Callable[[str], int]
    assumptions: tuple[str, ...]
