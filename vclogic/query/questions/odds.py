"""The question for the chances of a battle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING

from vclogic.query.forces import Forces
from vclogic.query.question import Question, Request, option

if TYPE_CHECKING:
    from vclogic.query.battle_odds import BattleOdds


@dataclass(frozen=True)
class OddsQuestion(Question["BattleOdds"]):
    """The chances of a battle: its ends, the losses to expect, and the survivors.

    Attributes:
        attack: The units that attack: a number for each kind, or a text such as `armour: 3, fighter: 2`.
        defend: The units that defend, likewise, antiaircraft guns included; None: those that stand at the place.
        at: Where it is; without a place it is at sea where there are ships in it.
        side: The side or power that attacks; None: an enemy of those who stand at the place.
        guns: Ships that bombard: they fire once for a landing, and are not in the battle otherwise.
        landing: Whether the land units come from the sea, so that they cannot retreat.
        attackers_fall: The order in which the attacker loses kinds of units, in a list or with commas; others
            fall after them.
        defenders_fall: The same for the defender.
        keep: Whether the attacker keeps one land unit as long as anything else can be lost.
        rounds: The attacker retreats after so many rounds; None: never.
        retreat_at: The attacker retreats once it has at most so many units; None: never.
        exact: Whether to count in fractions, which takes longer.
    """

    attack: Forces = field(metadata=option("Who attacks, such as 'armour: 3, fighter: 2'.", "UNITS"))
    defend: Forces | None = field(default=None, metadata=option("Who defends. Needed only without --at.", "UNITS"))
    at: str | None = field(
        default=None,
        metadata=option("Where; by default against those who stand there. Positions are the GAME.", "PLACE"),
    )
    _: KW_ONLY
    side: str | None = field(
        default=None, metadata=option("Who attacks, where units of both sides are in PLACE.", "SIDE|POWER")
    )
    guns: Forces = field(
        default="", metadata=option("Ships that bombard for a landing, such as 'battleship: 1'.", "UNITS")
    )
    landing: bool = field(default=False, metadata=option("The land units come from the sea: they cannot retreat."))
    attackers_fall: str | Sequence[str] = field(
        default=(), metadata=option("Whom the attacker loses first: 'infantry, armour'.", "KINDS")
    )
    defenders_fall: str | Sequence[str] = field(
        default=(), metadata=option("Whom the defender loses first.", "KINDS")
    )
    keep: bool = field(default=True, metadata=option("The attacker does not keep a land unit to the last."))
    rounds: int | None = field(default=None, metadata=option("The attacker retreats after N rounds.", "N"))
    retreat_at: int | None = field(
        default=None, metadata=option("The attacker retreats once it has N units or fewer.", "N")
    )
    exact: bool = field(default=False, metadata=option("Count in fractions, which takes longer."))

    def answer(self, asked: Request) -> BattleOdds:
        """The chances to take the place and to clear it, losses, and every end; `unknown` if the time was up.

        Expected losses are in units and money.

        Raises:
            InputError: Everything that is wrong with the units and choices, or dice decide no battles in this game.
        """
        from vclogic.query.odds import odds

        return odds(asked, self)
