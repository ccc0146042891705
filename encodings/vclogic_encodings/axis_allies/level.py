"""The level of detail of a game: what it adds to events that are there at all levels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from vclogic_encodings.axis_allies.citing import cite
from vclogic_encodings.axis_allies.fluents import Fluents

from vclogic.model.actions import Action, Requirement, Schema
from vclogic.model.rules import Rule
from vclogic.model.system import Metric
from vclogic.terms.term import Term

if TYPE_CHECKING:
    from vclogic.model.counter import Counterattacks


class Level:
    """The level of captures, at which no units are on the board; that of armies is one with more.

    Args:
        fluents: The fluents.
    """

    def __init__(self, fluents: Fluents):
        self.fluents = fluents

    def moves(self) -> Iterable[Schema]:
        """Every kind of move."""
        return ()

    def metrics(self) -> tuple[Metric, ...]:
        """The metrics of plans of its own."""
        return ()

    def counter(self) -> Counterattacks | None:
        """The answers of enemies to a turn."""
        return None

    def notes(self) -> tuple[str, ...]:
        """The assumptions of plans and records beyond the rule text."""
        return ()

    def invariants(self) -> Iterable[Rule]:
        """The invariants of units."""
        return ()

    def battle_won(self, power: str, territory: str) -> tuple[Requirement, ...]:
        """Require that the battle for a capture is won."""
        return ()

    def battle_over(self, power: str, territory: str) -> Requirement:
        """Require that a battle is fought where a defender destroys its complex; see `undefended_complex`."""
        return complex_needs_battle(self.fluents.attacked[territory], territory, "an `attack` comes before it")

    def no_army_entered(self, power: str, territory: str) -> tuple[Requirement, ...]:
        """Require that no land unit has entered a territory whose attack is given up."""
        return ()

    def occupation(self, power: str, territory: str) -> Mapping[Term, Term]:
        """The effects of a capture on units."""
        return {}

    def end_of_turn(self, turn_over: Action) -> Action:
        """The end of a turn, with requirements and effects of units."""
        return turn_over

    def new_units(self, power: str, unit: str, count: Term, region: str) -> Mapping[Term, Term]:
        """The units in a region after the power on turn placed new ones there."""
        return {}

    def where_ships_go(self, power: str, unit: str, territory: str, zone: str) -> Iterable[Requirement]:
        """Require that ships are placed where they may be."""
        return ()


def complex_needs_battle(fought: Term, territory: str, want: str) -> Requirement:
    """Require that a battle was fought before a complex is destroyed; see the Reading `undefended_complex`."""
    message = f"no battle is fought for {territory}, in which its complex could be destroyed: {want}"
    return Requirement(fought, f"{message} (reading undefended_complex)", cite("IC-p4/2"))
