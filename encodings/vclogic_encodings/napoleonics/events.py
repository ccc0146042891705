"""The events of a record."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.napoleonics.board import ELIMINATED, OFF
from vclogic_encodings.napoleonics.citing import cite
from vclogic_encodings.napoleonics.fluents import BETWEEN, COMBAT, MOVEMENT
from vclogic_encodings.napoleonics.game import Rules
from vclogic_encodings.napoleonics.rules.movement_note import NOTE
from vclogic_encodings.napoleonics.rules.objective import EventEffects

from vclogic.model.actions import Action, Parameter, Requirement, Schema
from vclogic.model.memoized import memoized
from vclogic.terms.atoms import FALSE, TRUE, integer, member
from vclogic.terms.build import add, minimum, not_
from vclogic.terms.term import Term

ON_TURN = "the side on turn"


class GroundActions:
    """The ground actions of one game.

    Attributes:
        game: The game.
    """

    def __init__(self, game: Rules):
        self.game = game

    # ---- turns

    def start_turn(self, side: str) -> Action:
        """A side's turn begins; objectives that are judged then are."""
        fluents = self.game.fluents
        changes: dict[Term, Term] = {
            fluents.turn.fluent: member(fluents.sides.sort, side),
            fluents.phase.fluent: member(fluents.phases.sort, MOVEMENT),
        }
        requirements = (
            self.game.victory.goes_on(),
            self.game.victory.between_turns(),
            self.game.victory.alternate(side),
        )
        effects = self.game.objectives.after(EventEffects(changes, begins=side))
        return Action(
            "start_turn",
            (("side", side),),
            actor=side,
            requirements=requirements,
            effects=tuple(effects.items()),
            text=f"the turn of the {side} side begins",
        )

    def end_movement(self) -> Action:
        """The movement phase ends: a hex that its unit left and no other ordered unit has entered is vacated."""
        fluents = self.game.fluents
        is_open = self.game.note.in_movement("there is no movement phase to end")
        return Action(
            "end_movement",
            (),
            actor=fluents.turn.fluent,
            requirements=(self.game.victory.goes_on(), is_open),
            effects=self.game.movement_ends({fluents.phase.fluent: member(fluents.phases.sort, COMBAT)}),
            text=lambda values: f"the {values[fluents.turn.fluent]} side ends its movement",
            cites=NOTE,
        )

    def end_turn(self) -> Action:
        """The turn ends, and its movement phase with it if it is still open."""
        fluents = self.game.fluents
        changes: dict[Term, Term] = {fluents.phase.fluent: member(fluents.phases.sort, BETWEEN)}
        changes |= {fluents.ordered[u]: FALSE for u in self.game.board.units}
        return Action(
            "end_turn",
            (),
            actor=fluents.turn.fluent,
            requirements=(self.game.victory.goes_on(), self.game.victory.in_a_turn()),
            effects=self.game.movement_ends(changes),
            text=lambda values: f"the {values[fluents.turn.fluent]} side ends its turn",
            cites=cite("general/1"),
        )

    # ---- units

    def order(self, units: str) -> Action:
        """A unit of the side on turn is ordered."""
        fluents, side = self.game.fluents, self.game.board.units[units].side
        return Action(
            "order",
            (("units", units),),
            actor=side,
            requirements=(
                *self.game.on_turn(side),
                self.game.note.in_movement("the movement phase has ended"),
                self.game.can_be_ordered(units),
                Requirement(
                    not_(fluents.ordered[units]), f"{self.game.called(units)} has been ordered already", NOTE
                ),
            ),
            effects=((fluents.ordered[units], TRUE),),
            text=f"{side}: {units} ordered",
            cites=NOTE,
        )

    @memoized
    def _may_move(self, unit: str) -> tuple[Requirement, ...]:
        """The requirements for a unit to move, wherever it goes."""
        side, called = self.game.board.units[unit].side, self.game.called(unit)
        return (
            *self.game.on_turn(side),
            self.game.not_gone(unit),
            self.game.note.under_orders(unit, called),
        )

    @memoized
    def _may_be_lost(self, unit: str) -> tuple[Requirement, ...]:
        """The requirements for a unit to be eliminated, or to retreat, wherever it goes."""
        fought = self.game.fought(unit)
        return (self.game.victory.goes_on(), self.game.victory.in_a_turn(), self.game.on_map(unit), *fought)

    def move(self, unit: str, to: str) -> Action:
        """A unit of the side on turn moves: under orders in the movement phase, or forward after combat."""
        board = self.game.board
        side = board.units[unit].side
        there = () if to in (OFF, *board.exits) else (self.game.free(unit, to),)
        leaves = self.game.leaves_by(unit, to) if to in board.exits else ()
        where = "off the map" if to == OFF else f"leaves by {to}" if leaves else f"to {to}"
        return Action(
            "move",
            (("unit", unit), ("to", to)),
            actor=side,
            requirements=(
                *self._may_move(unit),
                self.game.elsewhere(unit, to),
                *there,
                *leaves,
            ),
            effects=self.game.placed(unit, to, moves=True),
            text=f"{side}: {unit} {where}",
        )

    def retreat(self, unit: str, to: str) -> Action:
        """A unit of either side retreats."""
        side = self.game.board.units[unit].side
        return Action(
            "retreat",
            (("unit", unit), ("to", to)),
            actor=None,
            requirements=(
                *self._may_be_lost(unit),
                self.game.elsewhere(unit, to),
                *self.game.next_to(unit, to),
                self.game.free(unit, to),
            ),
            effects=self.game.placed(unit, to, moves=False),
            text=f"{side}: {unit} back to {to}",
        )

    def eliminate(self, unit: str) -> Action:
        """A unit or leader of either side is eliminated, also by a battle back."""
        side = self.game.board.units[unit].side
        return Action(
            "eliminate",
            (("unit", unit),),
            actor=None,
            requirements=self._may_be_lost(unit),
            effects=self.game.placed(unit, ELIMINATED, moves=False),
            text=f"{side}: {unit} eliminated",
            cites=cite("general-p2/1", "general-p3/2"),
        )

    def take(self, unit: str, objective: str) -> Action:
        """A unit of the side on turn takes an objective where it stands, as the battle notes say."""
        side, taken = self.game.board.units[unit].side, self.game.objectives.by_deed[objective]
        effects = self.game.objectives.after(EventEffects({}, took={(unit, objective): TRUE}))
        return Action(
            "take",
            (("unit", unit), ("objective", objective)),
            actor=side,
            requirements=(*self.game.on_turn(side), *taken.asks(unit, self.game.called(unit))),
            effects=tuple(effects.items()),
            text=f"{side}: {objective} taken by {unit}",
            cites=taken.cites,
        )

    def score(self, name: str) -> Action:
        """The event that accomplishes an objective of the battle notes."""
        note, scored = self.game.board.battle_objectives[name], self.game.fluents.scored[name]
        return Action(
            "score",
            (("name", name),),
            actor=note.side,
            requirements=(
                self.game.victory.goes_on(),
                self.game.victory.in_a_turn(),
                self.game.victory.can_be_scored(name),
            ),
            effects=((scored, minimum(add(scored, 1), integer(note.times))),),
            text=f"{note.side}: {note.text}",
            cites=cite("general-p2/1", "general-p2/2"),
        )

    # ---- all of them

    def schemas(self) -> Iterable[Schema]:
        """Every kind of event."""
        side, cites = Parameter("side", self.game.fluents.sides), cite("general/1")
        by, text = "the side whose turn begins", "the side's turn begins"
        yield Schema("start_turn", (side,), self.start_turn, text, cites, routine=True, decided_by=by, obliged=True)
        yield from self._units()
        if self.game.objectives.by_deed:
            yield Schema(
                "take",
                (Parameter("unit", self.game.fluents.pieces), Parameter("objective", self.game.fluents.by_deed)),
                self.take,
                "a unit of the side on turn takes an objective of `kind: taken` where it stands",
                cite("general-p2/2"),
                not_judged="what it takes to take an objective, beside the unit and its place",
                decided_by=ON_TURN,
            )
        if self.game.board.battle_objectives:
            yield Schema(
                "score",
                (Parameter("name", self.game.fluents.scored.indices[0]),),
                self.score,
                "a side accomplishes an objective of the battle notes",
                cite("general-p2/2"),
                not_judged="whether an objective of the battle notes is accomplished",
                decided_by="the side whose objective it is",
            )
        for name, event, text, clauses in (
            ("end_movement", self.end_movement, "the movement phase ends", NOTE),
            ("end_turn", self.end_turn, "the turn ends", cites),
        ):
            yield Schema(name, (), event, text, clauses, routine=True, decided_by=ON_TURN, obliged=True)

    def _units(self) -> Iterable[Schema]:
        pieces = self.game.fluents.pieces
        unit = Parameter("unit", pieces)
        yield Schema(
            "order",
            (Parameter("units", pieces, each=True),),
            self.order,
            "units of the side on turn are ordered: one, or a list of them",
            NOTE,
            routine=True,
            not_judged="the card that orders a unit",
            decided_by=ON_TURN,
        )
        yield Schema(
            "move",
            (unit, Parameter("to", self.game.fluents.destinations)),
            self.move,
            "a unit of the side on turn moves to a hex, or off the map",
            not_judged="how far a unit moves",
            decided_by=ON_TURN,
            asks={"unit": self._may_move},
        )
        yield Schema(
            "eliminate",
            (unit,),
            self.eliminate,
            "a unit or leader of either side is eliminated, in combat or by a battle back",
            cite("general-p2/1", "general-p3/2"),
            not_judged="the combat that eliminates a unit",
        )
        yield Schema(
            "retreat",
            (unit, Parameter("to", self.game.fluents.hexes)),
            self.retreat,
            "a unit or leader of either side retreats to a hex",
            not_judged="the combat that makes a unit retreat, and how far it goes",
            asks={"unit": self._may_be_lost},
        )
