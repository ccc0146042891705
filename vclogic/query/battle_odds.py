"""The answer of `odds`: a battle and its chances, with the fields of the JSON document."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from vclogic.document_keys import TEXT_ONLY
from vclogic.model.battles import Chance, Conduct, Named, Odds, Units, in_words
from vclogic.query.answers import SearchAnswer

if TYPE_CHECKING:
    from vclogic.draw.svg import SvgText


@dataclass(frozen=True, kw_only=True)
class BattleOdds(SearchAnswer):
    """The odds of a battle.

    Attributes:
        status: `computed`; or `unknown`, if the time was up.
        place: Where it is; null: some place.
        attacker: The power that attacks; null: any.
        at_sea: Whether it is for a sea zone.
        landing: Whether the land units come from the sea.
        attackers: The units that attack: a number for each kind.
        guns: The ships that bombard.
        defenders: The units that defend.
        conduct: What the two sides decide in the battle.
        odds: What the dice make of it; null if the time was up.
        hold: The chance that a defender is left: one less the chance that none is. Null if the time was up.
        both: The part of it in which attackers are left too: they retreat, or neither side can hit the other.
        currency: What values are in, such as `IPC`.
        named: Each kind of unit in the singular and plural, in the order in which they are listed.
    """

    status: Literal["computed", "unknown"]
    place: str | None
    attacker: str | None
    at_sea: bool
    landing: bool
    attackers: Units
    guns: Units
    defenders: Units
    conduct: Conduct
    odds: Odds | None
    hold: Chance | None
    both: Chance | None
    currency: str
    named: Named = field(metadata=TEXT_ONLY)

    def svg(self) -> SvgText:
        """The survivors as a bar chart; notebooks show it.

        Raises:
            ValueError: Nothing is known, as the time was up.
        """
        if self.odds is None:
            raise ValueError(f"there is nothing to draw: {self.reason}")

        from vclogic.draw.battle import battle_chart  # no odds need a picture

        attack = in_words(self.attackers, self.named)
        if self.guns:
            attack += f", bombardment by {in_words(self.guns, self.named)}"
        heads = (f"Attack: {attack}", f"Defence: {in_words(self.defenders, self.named)}")
        return battle_chart(self.title, heads, self.odds, self.named)

    @property
    def title(self) -> str:
        """The battle in a line."""
        what = "a landing" if self.landing else "a battle at sea" if self.at_sea else "a battle on land"
        return f"{what} in {self.place}" if self.place else what

    def _repr_svg_(self) -> str | None:
        return str(self.svg()) if self.odds is not None else None
