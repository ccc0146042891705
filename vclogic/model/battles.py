"""Battles that dice decide: who fights whom, and what a game says of the chances."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from vclogic.model.actions import Event
from vclogic.model.fluents import Value
from vclogic.terms.domain import Domain
from vclogic.terms.term import Term

Units = Mapping[str, int]
"""Numbers of units by kind; kinds that are left out are not there."""
Named = Mapping[str, tuple[str, str]]
"""Kinds of units in the singular and in the plural."""
Chance = float | Fraction
"""A probability or an expected number: an exact fraction, or a float with a stated error."""


@dataclass(frozen=True)
class Battle:
    """One battle.

    Attributes:
        attackers: The units that attack.
        defenders: The units that defend, antiaircraft guns included.
        guns: Ships that bombard: they fire once, and are not in the battle otherwise.
        place: Where it is; empty: some territory.
        attacker: The power that attacks; empty: any.
        at_sea: Whether it is for a sea zone.
        landing: Whether the land units come from the sea, so that they cannot retreat.
    """

    attackers: Units
    defenders: Units
    guns: Units = field(default_factory=dict)
    place: str = ""
    attacker: str = ""
    at_sea: bool = False
    landing: bool = False


@dataclass(frozen=True)
class Conduct:
    """The decisions of the two sides in a battle.

    Attributes:
        attackers_fall: The order in which the attacker loses kinds of units; those left out fall after them in the
            game's usual order. None: the usual order.
        defenders_fall: The same for the defender.
        keep_land_unit: Whether the attacker keeps one land unit as long as anything else can be lost.
        rounds: The attacker retreats after so many rounds; None: never.
        retreat_at: The attacker retreats once it has at most so many units; None: never.
    """

    attackers_fall: tuple[str, ...] | None = None
    defenders_fall: tuple[str, ...] | None = None
    keep_land_unit: bool = True
    rounds: int | None = None
    retreat_at: int | None = None


@dataclass(frozen=True)
class Losses:
    """The expected losses of one side.

    Attributes:
        units: The expected number of units.
        value: What they cost, in the game's money.
        kinds: The expected number by kind.
    """

    units: Chance
    value: Chance
    kinds: Mapping[str, Chance]


@dataclass(frozen=True)
class BattleEnd:
    """One way in which a battle can end.

    Attributes:
        attackers: The attackers that are left.
        defenders: The defenders that are left.
        chance: Its probability.
    """

    attackers: Units
    defenders: Units
    chance: Chance


@dataclass(frozen=True)
class Odds:
    """The chances of a battle.

    Attributes:
        take: The chance that the place is taken: no defender is left, and an attacker who can hold it is. At sea any
            attacker can; on land a land unit.
        clear: The chance that no defender is left, whether or not an attacker is.
        draw: The chance that nobody is left on either side.
        attacker: What the attacker loses.
        defender: What the defender loses.
        endings: Who is left, the likeliest first.
        error: How far each float can be from the exact value at the most; 0 for fractions.
    """

    take: Chance
    clear: Chance
    draw: Chance
    attacker: Losses
    defender: Losses
    endings: tuple[BattleEnd, ...]
    error: float


@dataclass(frozen=True)
class Fight:
    """A battle that the choices of a step can bring about, against defenders who are known.

    Attributes:
        place: What is fought for.
        attacker: The power that attacks.
        at_sea: Whether it is for a sea zone.
        won: Bool, over the choices: it is fought and, in the plan, won.
        attackers: Per kind how many fight, Int over the choices and fluents; only where `won` do they count.
        guns: Per kind how many ships bombard.
        most: Per kind, the most that can fight; for `guns` with the key `guns KIND`.
        defenders: Who defends.
    """

    place: str
    attacker: str
    at_sea: bool
    won: Term
    attackers: Mapping[str, Term]
    guns: Mapping[str, Term]
    most: Units
    defenders: Units


@dataclass(frozen=True)
class BattleWords:
    """The words of players for battles.

    Attributes:
        kinds: The kinds of units that fight, with their other names.
        places: The places where there are battles.
        named: Each kind in the singular and in the plural, in the order in which they are listed.
        naval: The kinds that fight at sea only.
        refused: What cannot fight together, or not in this way, in words; nothing where all is well.
    """

    kinds: Domain
    places: Domain
    named: Named
    naval: frozenset[str]
    refused: Callable[[Battle, Conduct], tuple[str, ...]]


@dataclass(frozen=True)
class BattleRules:
    """The rules of a game's battles, for questions about chances.

    Attributes:
        odds: What the dice make of a battle; with True in exact fractions.
        decided: The battle that an event of a record decides, such as a capture, given the values before it; None
            for all other events, and where nobody defends.
        standing: Who defends a place in a state, given a power that attacks it.
        at_sea: Whether a place is a sea zone.
        value: What a unit of each kind costs.
        currency: What the costs are in, such as `IPC`.
        assumptions: The rules of battles that the chances rest on, in words.
        words: How players speak of battles, and what is refused.
        deciding: The kinds of events that can decide a battle in a record.
        least: The chance that each battle of a plan must have at least; 0 where none is asked.
        advice: By metric, what to ask for instead where a plan that saves this has a low chance.
    """

    odds: Callable[[Battle, Conduct, bool], Odds]
    decided: Callable[[Mapping[Term, Value], Event], Battle | None]
    standing: Callable[[Mapping[Term, Value], str, str], Units]
    at_sea: Callable[[str], bool]
    value: Units
    currency: str
    assumptions: tuple[str, ...]
    words: BattleWords
    deciding: tuple[str, ...] = ()
    least: Fraction = Fraction(0)
    advice: Mapping[str, str] = field(default_factory=dict)


def in_words(units: Units, named: Named) -> str:
    """Units as players list them, such as `3 armour, 2 fighters`; `nobody` where there are none."""
    there = ((n, *named[u]) for u in named if (n := units.get(u, 0)))
    return ", ".join(f"{n} {one if n == 1 else many}" for n, one, many in there) or "nobody"
