"""The battles of a plan with their chances, and the places that it exposes, as answers hold them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import prod

from vclogic.document_keys import IF_ANY, TEXT_ONLY
from vclogic.model.battles import Named, Units
from vclogic.model.fluents import Value
from vclogic.words import percent


@dataclass(frozen=True)
class FoughtBattle:
    """A battle of a plan, and what the dice make of it.

    Attributes:
        n: Its number, from 1.
        event: The number of the event that decides it in `record`, from 1.
        turn: The schedule when it is fought, such as round and turn.
        attacker: The power that attacks.
        place: Where it is.
        at_sea: Whether it is for a sea zone.
        landing: Whether land units come from the sea.
        attackers: The units that attack: a number for each kind.
        guns: The ships that bombard.
        defenders: The units that defend, antiaircraft guns included.
        chance: The chance that the place is taken, at sea that it is cleared and an attacker is left; null where it
            is left out.
        error: How far that can be from the exact value at the most.
        losses: The number of units that the attacker can expect to lose; null where the chance is.
        value_lost: What they cost, in `currency`.
        reason: Why the chance is left out.
    """

    n: int
    event: int
    turn: Mapping[str, Value]
    attacker: str
    place: str
    at_sea: bool
    landing: bool
    attackers: Units
    guns: Units
    defenders: Units
    chance: float | None
    error: float
    losses: float | None
    value_lost: float | None
    reason: str = field(metadata=IF_ANY)


@dataclass(frozen=True)
class Battles:
    """The battles of a plan with their chances.

    Attributes:
        fought: Each battle, in the order of the record.
        chance: The chance of all of them, their product; null where that of a battle is left out.
        error: How far that can be from the exact product at the most.
        weakest: The number of the battle with the least chance; null if there are fewer than two, or all are certain.
        losses: The number of units that the attackers can expect to lose in all; null where the chance is.
        value_lost: What they cost, in `currency`.
        combined: How the chances are combined.
        currency: What values are in, such as `IPC`.
        assumptions: The rules of battles that the chances rest on.
        advice: What to ask for instead of a plan with so low a chance; empty if the game has no such question.
        named: Each kind of unit in the singular and plural, in the order in which they are listed.
    """

    fought: tuple[FoughtBattle, ...]
    chance: float | None
    error: float
    weakest: int | None
    losses: float | None
    value_lost: float | None
    combined: str
    currency: str
    assumptions: tuple[str, ...]
    advice: str = field(metadata=TEXT_ONLY)
    named: Named = field(metadata=TEXT_ONLY)

    @property
    def at_most(self) -> float:
        """The product of the chances that are known: no plan with these battles has a greater one."""
        return prod(b.chance for b in self.fought if b.chance is not None)

    @property
    def overall(self) -> str:
        """The chance of all of them, in words."""
        return percent(self.chance) if self.chance is not None else f"at most {percent(self.at_most)}"


@dataclass(frozen=True)
class BattleBefore:
    """A battle that a counter-attack must win first.

    Attributes:
        place: Where.
        attackers: Who attacks there, by kind.
        chance: The chance to win it.
    """

    place: str
    attackers: Units
    chance: float


@dataclass(frozen=True)
class Counterattack:
    """The strongest attack of one enemy on one place.

    Attributes:
        power: Who attacks.
        chance: The chance that it takes the place.
        attackers: Who attacks, by kind.
        guns: The ships that bombard, by kind.
        first: The battles that it must win first; `chance` is the product with theirs.
        text: Who attacks, in words.
        at_most: No attack of this power has a greater chance; more than `chance` only where the time was up first.
    """

    power: str
    chance: float
    attackers: Units
    guns: Units
    first: tuple[BattleBefore, ...]
    text: str
    at_most: float


@dataclass(frozen=True)
class ExposedPlace:
    """A place that was taken or left.

    Attributes:
        place: The place.
        text: The same with what it is worth.
        taken: Whether the turn took it; else units left it.
        garrison: Who stands there after the turn, by kind.
        held_by: The same in words.
        attacks: The enemies that can attack it with a chance that is worth mention, the strongest first.
    """

    place: str
    text: str
    taken: bool
    garrison: Units
    held_by: str
    attacks: tuple[Counterattack, ...]

    @property
    def lost(self) -> float:
        """The greatest chance of an enemy to take it."""
        return max((a.at_most for a in self.attacks), default=0.0)


@dataclass(frozen=True)
class TurnExposed:
    """The places that one turn of a plan exposes.

    Attributes:
        turn: Which turn, by the names of the schedule, such as round and turn.
        taken: How many places it took.
        left: How many places units left.
        places: Those of them that an enemy can take back, what is worth most first.
    """

    turn: Mapping[str, Value]
    taken: int
    left: int
    places: tuple[ExposedPlace, ...]


@dataclass(frozen=True)
class Exposure:
    """The places that a plan exposes.

    Attributes:
        turns: Each turn of the plan that takes or leaves places.
        floor: Attacks with no greater chance than this are not listed.
        complete: Whether all turns were looked at.
        reason: Why not.
    """

    turns: tuple[TurnExposed, ...]
    floor: float
    complete: bool
    reason: str = ""
