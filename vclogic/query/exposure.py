"""Places that the enemies can take back, in answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from vclogic.model.battles import Units
from vclogic.model.fluents import Value


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
