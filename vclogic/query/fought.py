"""The battles of a record with their chances, as answers hold them."""

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
