"""The parts of one game, with the requirements and effects that its events share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from vclogic_encodings.okinawa.board import JAPAN, US, Board
from vclogic_encodings.okinawa.citing import cite, encodes
from vclogic_encodings.okinawa.fluents import NONE, Fluents
from vclogic_encodings.okinawa.rules.communications import Communications
from vclogic_encodings.okinawa.rules.points import Score

from vclogic.model.actions import Requirement
from vclogic.model.fluents import Value
from vclogic.model.system import Settings
from vclogic.terms.atoms import integer, member
from vclogic.terms.build import and_, any_of, count, eq, gt, le, not_, or_
from vclogic.terms.term import Term

Changes = Mapping[Term, Term]
"""Fluents and their values after an event."""


@dataclass(frozen=True)
class Rules:
    """The parts of one game.

    Attributes:
        fluents: The fluents.
        settings: Options and readings.
        lines: Lines of communications.
        score: Victory Points.
    """

    fluents: Fluents
    settings: Settings
    lines: Communications
    score: Score

    @property
    def board(self) -> Board:
        """The board."""
        return self.fluents.board

    def on(self, option: str, value: str) -> bool:
        """True if an option or a reading is set to a value."""
        readings, options = self.settings.readings, self.settings.options
        return value == (readings[option] if option in readings else options[option])

    # ---- what events ask

    def going_on(self, *, removing: bool = False, in_time: bool = True) -> tuple[Requirement, ...]:
        """Require that the game is not over, that no removal comes first, and that there is a game turn to play.

        Args:
            removing: Whether it is asked for a removal.
            in_time: Whether there must be a game turn to play.
        """
        if removing:
            return (self.not_over(),)
        first = self.removed_immediately()
        turns = self.board.turns
        if turns is None or not in_time:
            return (self.not_over(), first)
        message = f"all {turns} game turns of the scenario have been played: `end_game`"
        return (self.not_over(), first, Requirement(le(self.fluents.round.fluent, turns), message, cite("17.0/1")))

    @encodes("17.0/1")
    def not_over(self) -> Requirement:
        """Victory is judged at the end of the scenario: nothing happens afterwards."""
        return Requirement(not_(self.fluents.over.fluent), "the game is over: its points are counted", cite("17.0/1"))

    @encodes("17.41/2")
    def removed_immediately(self) -> Requirement:
        """The US Player must remove units for an exit immediately: nothing else happens before."""
        owed = self.fluents.removals.fluent
        due = and_(gt(owed, 0), any_of(self.fluents.on_map[u] for u in self.board.of(US)))
        return Requirement(
            not_(due),
            lambda values: f"first the US Player removes {values[owed]} more of his units from the map, for an exit",
            cite("17.41/2"),
        )

    def on_turn(self, side: str) -> Requirement:
        """Require that it is the player-turn of a side."""
        return Requirement(eq(self.fluents.turn.fluent, side), f"it is not the player-turn of {side}")

    def is_on_map(self, unit: str, *cites: str) -> Requirement:
        """Require that a unit is on the map."""
        place = self.fluents.at[unit]

        def said(values: Mapping[Term, Value]) -> str:
            return f"{unit} is not on the map: {self.board.elsewhere[str(values[place])]}"

        return Requirement(self.fluents.on_map[unit], said, cite(*cites))

    def has_room(self, unit: str, hex_: str) -> tuple[Requirement, ...]:
        """Require room in a hex: no enemy unit, and not too many units of the side."""
        fluents, board = self.fluents, self.board
        side = board.side_of[unit]
        foe = JAPAN if side == US else US
        there = count(eq(fluents.at[u], hex_) for u in board.of(side) if u != unit)

        def who(values: Mapping[Term, Value]) -> str:
            names = [u for u in board.all_units if u != unit and values[fluents.at[u]] == hex_]
            return f"{hex_} is taken by {' and '.join(names)}"

        free = not_(fluents.here[foe][hex_])
        return (Requirement(free, who), Requirement(or_(not_(free), le(there, board.stacking - 1)), who))

    # ---- what events change

    def changed(self, changes: Changes) -> tuple[tuple[Term, Term], ...]:
        """The effects of an event that is no retreat of a US unit."""
        fluents = self.fluents
        past: dict[Term, Term] = {
            fluents.retreated.fluent: member(fluents.us_unit_or_none, NONE),
            fluents.retreated_for.fluent: integer(0),
        }
        return tuple((known, then) for known, then in {**past, **changes}.items() if not known.is_const)
