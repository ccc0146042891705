"""Victory Points: for eliminated strength, for objectives, and for gaps in the enemy's front line."""

from __future__ import annotations

from collections.abc import Callable

from vclogic_encodings.moscow.board import ELIMINATED, Award, EliminationRate, Unit, enemy
from vclogic_encodings.moscow.citing import encodes
from vclogic_encodings.moscow.fluents import Fluents

from vclogic.model.system import Settings
from vclogic.terms.build import add, and_, eq, floordiv, scale, total
from vclogic.terms.term import Term


class Score:
    """The points of each side, were they totalled now.

    Attributes:
        fluents: The fluents.
        settings: Options and readings.
    """

    def __init__(self, fluents: Fluents, settings: Settings):
        self.fluents = fluents
        self.settings = settings

    @encodes("won/1")
    def strength(self, unit: Unit) -> int:
        """Victory Points are awarded for the Combat Strength of eliminated units: Reading `strength`."""
        reading = self.settings.readings["strength"]
        if reading == "both":
            return unit.strength + (unit.defence or 0)
        known = {"attack": unit.strength, "defence": unit.defends}
        return known.get(reading, max(known.values()))

    def eliminated_strength(self, side: str) -> Term:
        """The combat strength of the side's units that have been eliminated."""
        units = self.fluents.board.units
        return total(
            (self.strength(units[u]), eq(self.fluents.at[u], ELIMINATED)) for u in self.fluents.board.army(side)
        )

    @encodes("won/1", "schedule/1")
    def eliminations(self, side: str) -> Term:
        """A side is awarded points for the Combat Strengths of enemy units eliminated, at the schedule's rate."""
        rate = next((r for s, r in self.fluents.board.eliminated.items() if s == side), EliminationRate())
        return scale(floordiv(self.eliminated_strength(enemy(side)), rate.per), rate.points)

    @encodes("won/1")
    def holds(self, side: str, place: str) -> Term:
        """A side holds an objective that it was the last to have for itself: Reading `other_places`."""
        if place == self.fluents.board.moscow or self.settings.readings["other_places"] == "as_moscow":
            return self.fluents.alone(side, place)
        return eq(self.fluents.owner[place], side)

    @encodes("schedule-p2/1")
    def takes_and_holds(self, side: str, place: str) -> Term:
        """A side takes and holds Moscow with a unit in one of its hexes and no enemy unit in any."""
        held = self.holds(side, place)
        if self.settings.readings["taking_and_holding"] == "position":
            return held
        return and_(held, self.fluents.captured(side, place))

    @encodes("schedule/1")
    def earned(self, side: str, award: Award) -> Term:
        """A player indicated by the schedule is awarded the points of an item once it has what the item names."""
        if award.item == "capture":
            return self.fluents.captured(side, award.place)
        return (self.holds if award.item == "hold" else self.takes_and_holds)(side, award.place)

    @encodes("won/1", "levels/3")
    def objectives(self, side: str) -> Term:
        """A side is awarded points for capturing and holding geographic objectives."""
        captures = self._awards(side, lambda item: item == "capture")
        held = self.fluents.held[side] if self.fluents.holds_each_turn else self.holdings(side)
        return add(captures, held)

    def holdings(self, side: str) -> Term:
        """The points for the objectives that a side holds now: Reading `hold_points`."""
        return self._awards(side, lambda item: item != "capture")

    def _awards(self, side: str, wanted: Callable[[str], bool]) -> Term:
        awards = (a for a in self.fluents.board.awards if side in a.to and wanted(a.item))
        return total((a.points, self.earned(side, a)) for a in awards)

    def without_front(self, side: str) -> Term:
        """All of a side's points but those for the front line."""
        return add(self.fluents.earlier[side], self.eliminations(side), self.objectives(side))

    def points(self, side: str) -> Term:
        """All of a side's points."""
        return add(self.without_front(side), self.fluents.front[side])
