"""The level of armies: units are on the board, they move, and battles decide captures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from vclogic_encodings.axis_allies.armies import arrivals, events, fights
from vclogic_encodings.axis_allies.armies.assumptions import assumptions
from vclogic_encodings.axis_allies.armies.counter import counterattacks
from vclogic_encodings.axis_allies.armies.laws import decks
from vclogic_encodings.axis_allies.armies.turn import Armies
from vclogic_encodings.axis_allies.events.turns import end_turn
from vclogic_encodings.axis_allies.fluents import Fluents
from vclogic_encodings.axis_allies.game import Rules
from vclogic_encodings.axis_allies.level import Level

from vclogic.model.actions import Action, Requirement, Schema
from vclogic.model.counter import Counterattacks
from vclogic.model.rules import Rule
from vclogic.model.system import Metric
from vclogic.terms.build import all_of, and_, eq, le, linear, or_
from vclogic.terms.term import Term


class ArmyLevel(Level):
    """The level of armies; see `Level`.

    Args:
        game: The game.
    """

    def __init__(self, game: Rules):
        super().__init__(game.fluents)
        self.game = game

    @cached_property
    def _armies(self) -> Armies:
        return Armies(self.game, end_turn(self.game))

    def moves(self) -> Iterable[Schema]:
        """See `Level`."""
        return events.moves(self.game)

    def metrics(self) -> tuple[Metric, ...]:
        """See `Level`."""
        return self._armies.metrics()

    def counter(self) -> Counterattacks | None:
        """See `Level`."""
        return counterattacks(self._armies)

    def notes(self) -> tuple[str, ...]:
        """See `Level`."""
        return assumptions(self.game)

    def invariants(self) -> Iterable[Rule]:
        """See `Level`."""
        fluents = self.game.fluents
        for territory in fluents.board.land:
            for side in fluents.board.sides:
                text = f"{territory} belongs to the {side} if units of theirs are there"
                yield Rule(f"units[{side}, {territory}]", _held_where_units_are(fluents, side, territory), text, ())
        for zone in fluents.board.sea:
            for side in fluents.board.sides:
                text = f"the aircraft of the {side} in {zone} have room on their carriers there"
                yield Rule(f"aircraft[{side}, {zone}]", _on_carriers(fluents, side, zone), text, ())

    def battle_won(self, power: str, territory: str) -> tuple[Requirement, ...]:
        """See `Level`."""
        return fights.battle_won(self.game, power, territory)

    def battle_over(self, power: str, territory: str) -> Requirement:
        """See `Level`."""
        return fights.battle_over(self.game, power, territory)

    def no_army_entered(self, power: str, territory: str) -> tuple[Requirement, ...]:
        """See `Level`."""
        return fights.no_army_entered(self.game, power, territory)

    def occupation(self, power: str, territory: str) -> Mapping[Term, Term]:
        """See `Level`."""
        return fights.occupation(self.game, power, territory)

    def end_of_turn(self, turn_over: Action) -> Action:
        """See `Level`."""
        return fights.with_armies(self.game, turn_over)

    def new_units(self, power: str, unit: str, count: Term, region: str) -> Mapping[Term, Term]:
        """See `Level`."""
        return arrivals.new_units(self.game, power, unit, count, region)

    def where_ships_go(self, power: str, unit: str, territory: str, zone: str) -> Iterable[Requirement]:
        """See `Level`."""
        return arrivals.where_ships_go(self.game, power, unit, territory, zone)


def _on_carriers(fluents: Fluents, side: str, zone: str) -> Term:
    """True if a side's aircraft in a sea zone fit on its carriers, and none are there that carriers do not take."""
    aboard, room = decks(fluents, side, zone)
    kinds = fluents.board.units
    stray = [u for u in fluents.forces.sort.members if kinds[u].kind == "air" and not kinds[u].carrier_load]
    there = (linear((1, fluents.units[zone, p, u]) for p in fluents.board.sides[side]) for u in stray)
    return and_(le(aboard, room), *(eq(n, 0) for n in there))


def _held_where_units_are(fluents: Fluents, side: str, territory: str) -> Term:
    there = (fluents.units[territory, p, u] for p in fluents.board.sides[side] for u in fluents.forces.sort.members)
    return or_(fluents.controls(side, territory), all_of(eq(units, 0) for units in there))
