"""Places that the enemies of a side can take back in answer to one of its turns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from vclogic.model.battles import Fight, Named, Units
from vclogic.model.transition import Transition
from vclogic.terms.term import Term

Known = Mapping[Term, Term]
"""A state: the value of each fluent, as a constant."""


@dataclass(frozen=True)
class Exposed:
    """The places and units that a turn of a side exposes to attack.

    Attributes:
        taken: The places that it took.
        left: The places that it held before and holds now, with fewer units of some kind than before.
    """

    taken: tuple[str, ...]
    left: tuple[str, ...]


@dataclass(frozen=True)
class Garrisons:
    """The garrisons that hold a place against an attack, by the numbers of some classes of kinds that defend alike.

    Attributes:
        classes: The kinds of each class.
        possible: Whether any garrison holds it.
        sums: Weights for each class, with what the weighted sum must be at least.
        short: Greatest numbers that satisfy all sums and do not hold it: there must be more of some class.
    """

    classes: tuple[tuple[str, ...], ...]
    possible: bool
    sums: tuple[tuple[tuple[int, ...], int], ...]
    short: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Holding:
    """The demand that plans hold the places they take, in terms over fluents and choices.

    Attributes:
        level: The least chance with which each place that is taken is held against each counter-attack; 0: not asked.
        took: Whether a step takes a place, over its choices; false where it cannot.
        stands: Per kind how many units of a side stand at a place that was just taken, or that is no land, over
            fluents.
        garrisons: The garrisons of at most so many units by kind against which attackers, with ships that bombard,
            have at most some chance.
        conditions: Given the state in which a plan begins, the turn of an enemy that is idle in it, and choices of
            that turn: what must hold of the fluents as the turn begins for these choices to be made.
        beaten: Given a state, a condition and the power whose turn it is: the state in which those units of its side
            are gone that the condition is about; None: it is about others.
    """

    level: Fraction
    took: Callable[[Transition, str], Term]
    stands: Callable[[str, str], Mapping[str, Term]]
    garrisons: Callable[[Fight, Units, Units, Units, Fraction], Garrisons]
    conditions: Callable[[Known, Transition, Mapping[Term, int]], tuple[Term, ...]]
    beaten: Callable[[Known, Term, str], Known | None]


@dataclass(frozen=True)
class Counterattacks:
    """The answers of a side's enemies to one of its turns, each by itself, all others idle until then.

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
        named: Each kind of unit in the singular and plural, in the order in which they are listed.
        note: What a place is called in an answer, with what it is worth, such as `Russia (Moscow, 5 VCP)`.
        worth: How much it matters; the larger the more.
        assumptions: What the answer rests on beyond the rules of battles and moves, in words.
        holding: What plans that hold what they take are made of.
    """

    exposed: Callable[[Known, Known, str], Exposed]
    enemies: Callable[[str], tuple[str, ...]]
    next_turn: Callable[[Known, str], Known | None]
    turn: Callable[[Known, str, str, bool], Transition | None]
    take: Callable[[Fight, Units, Units], float]
    exact: Callable[[Fight, Units, Units], Fraction]
    error: float
    garrison: Callable[[Known, str, str], Units]
    named: Named
    note: Callable[[str], str]
    worth: Callable[[str], int]
    assumptions: tuple[str, ...]
    holding: Holding
