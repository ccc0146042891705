"""What a record may hold."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.napoleonics.board import ELIMINATED, OFF
from vclogic_encodings.napoleonics.citing import cite
from vclogic_encodings.napoleonics.game import Context
from vclogic_encodings.napoleonics.names import BETWEEN, COMBAT, MOVEMENT
from vclogic_encodings.napoleonics.rules.objectives import Happening

from vclogic.model.actions import Action, Parameter, Requirement, Schema
from vclogic.model.memoized import once
from vclogic.terms.atoms import FALSE, TRUE, integer, member
from vclogic.terms.build import add, eq, lt, minimum, ne, not_, or_
from vclogic.terms.term import Term

ON_TURN = "the side on turn"
TURN_STARTS = cite("turn-start-temporary/1", "majority/1", "turn-start-permanent/1")
VACATING = cite("temporary/2", "turn-start-temporary/2", "groups/3", "majority/4")
ENTERING = cite("temporary/1", "groups/2", "permanent/1", "last-to-occupy/1", "last-to-occupy/2")


class Events:
    """The ground actions of one game.

    Attributes:
        c: The game.
    """

    def __init__(self, c: Context):
        self.c = c

    # ---- turns

    def start_turn(self, side: str) -> Action:
        """A side's turn begins; objectives that are judged then are."""
        f = self.c.f
        changes: dict[Term, Term] = {
            f.turn.fluent: member(f.sides.sort, side),
            f.phase.fluent: member(f.phases.sort, MOVEMENT),
        }
        requirements = (
            self.c.goes_on(),
            Requirement(eq(f.phase.fluent, BETWEEN), "the turn before has not ended: `end_turn`", cite("general/1")),
            Requirement(
                ne(f.turn.fluent, side),
                f"the turns alternate: it is the turn of the {self.c.board.enemy(side)} side",
                cite("general/1"),
            ),
        )
        effects = self.c.holding.after(Happening(changes, begins=side))
        return Action(
            "start_turn",
            (("side", side),),
            actor=side,
            requirements=requirements,
            effects=tuple(effects.items()),
            text=f"the turn of the {side} side begins",
            cites=TURN_STARTS,
        )

    def end_movement(self) -> Action:
        """The movement phase ends: a hex that its unit left and no other ordered unit has entered is vacated."""
        f = self.c.f
        is_open = Requirement(
            eq(f.phase.fluent, MOVEMENT), "there is no movement phase to end", cite("movement-note/1")
        )
        return Action(
            "end_movement",
            (),
            actor=f.turn.fluent,
            requirements=(self.c.goes_on(), is_open),
            effects=self.c.movement_ends({f.phase.fluent: member(f.phases.sort, COMBAT)}),
            text=lambda values: f"the {values[f.turn.fluent]} side ends its movement",
            cites=cite("movement-note/1"),
        )

    def end_turn(self) -> Action:
        """The turn ends, and its movement phase with it if it is still open."""
        f = self.c.f
        changes: dict[Term, Term] = {f.phase.fluent: member(f.phases.sort, BETWEEN)}
        changes |= {f.ordered[u]: FALSE for u in self.c.board.units}
        return Action(
            "end_turn",
            (),
            actor=f.turn.fluent,
            requirements=(self.c.goes_on(), self.c.in_a_turn()),
            effects=self.c.movement_ends(changes),
            text=lambda values: f"the {values[f.turn.fluent]} side ends its turn",
            cites=cite("general/1"),
        )

    # ---- units

    def order(self, units: str) -> Action:
        """A unit of the side on turn is ordered."""
        f, side = self.c.f, self.c.board.units[units].side
        return Action(
            "order",
            (("units", units),),
            actor=side,
            requirements=(
                *self.c.on_turn(side),
                Requirement(eq(f.phase.fluent, MOVEMENT), "the movement phase has ended", cite("movement-note/1")),
                Requirement(
                    ne(f.at[units], ELIMINATED), f"{self.c.called(units)} is not there: it has been eliminated"
                ),
                Requirement(not_(f.ordered[units]), f"{self.c.called(units)} has been ordered already"),
            ),
            effects=((f.ordered[units], TRUE),),
            text=f"{side}: {units} ordered",
            cites=cite("movement-note/1"),
        )

    @once
    def _may_move(self, unit: str) -> tuple[Requirement, ...]:
        """What a unit needs to move, wherever it goes."""
        f, side = self.c.f, self.c.board.units[unit].side
        under_orders = or_(ne(f.phase.fluent, MOVEMENT), f.ordered[unit])
        return (
            *self.c.on_turn(side),
            Requirement(ne(f.at[unit], ELIMINATED), f"{self.c.called(unit)} is not there: it has been eliminated"),
            Requirement(
                under_orders,
                f"{self.c.called(unit)} has not been ordered: in the movement phase ordered units move",
                cite("movement-note/1"),
            ),
        )

    @once
    def _may_retreat(self, unit: str) -> tuple[Requirement, ...]:
        """What a unit needs to retreat, wherever it goes."""
        return (self.c.goes_on(), self.c.in_a_turn(), self.c.on_map(unit))

    def move(self, unit: str, to: str) -> Action:
        """A unit of the side on turn moves: under orders in the movement phase, or forward after combat."""
        side = self.c.board.units[unit].side
        there = () if to == OFF else (self.c.free(unit, to),)
        return Action(
            "move",
            (("unit", unit), ("to", to)),
            actor=side,
            requirements=(
                *self._may_move(unit),
                self.c.elsewhere(unit, to),
                *there,
            ),
            effects=self.c.placed(unit, to, moves=True),
            text=f"{side}: {unit} " + ("off the map" if to == OFF else f"to {to}"),
            cites=ENTERING,
        )

    def retreat(self, unit: str, to: str) -> Action:
        """A unit of either side retreats."""
        side = self.c.board.units[unit].side
        return Action(
            "retreat",
            (("unit", unit), ("to", to)),
            actor=None,
            requirements=(*self._may_retreat(unit), self.c.elsewhere(unit, to), self.c.free(unit, to)),
            effects=self.c.placed(unit, to, moves=False),
            text=f"{side}: {unit} back to {to}",
            cites=VACATING,
        )

    def eliminate(self, unit: str) -> Action:
        """A unit or leader of either side is eliminated, also by a battle back."""
        side = self.c.board.units[unit].side
        return Action(
            "eliminate",
            (("unit", unit),),
            actor=None,
            requirements=(self.c.goes_on(), self.c.in_a_turn(), self.c.on_map(unit)),
            effects=self.c.placed(unit, ELIMINATED, moves=False),
            text=f"{side}: {unit} eliminated",
            cites=cite("general-p2/1", "general-p3/2"),
        )

    def score(self, name: str) -> Action:
        """What the battle notes ask for is accomplished."""
        note, scored = self.c.board.battle_objectives[name], self.c.f.scored[name]
        times = "once" if note.times == 1 else f"{note.times} times"
        return Action(
            "score",
            (("name", name),),
            actor=note.side,
            requirements=(
                self.c.goes_on(),
                self.c.in_a_turn(),
                Requirement(
                    lt(scored, note.times),
                    f"the {note.side} side has had the banner for {name}: it can be gained {times}",
                    cite("general-p2/2"),
                ),
            ),
            effects=((scored, minimum(add(scored, 1), integer(note.times))),),
            text=f"{note.side}: {note.text}",
            cites=cite("general-p2/1", "general-p2/2"),
        )

    # ---- all of them

    def schemas(self) -> Iterable[Schema]:
        """Every kind of event."""
        f = self.c.f
        side, unit = Parameter("side", f.sides), Parameter("unit", f.pieces)
        yield Schema(
            "start_turn",
            (side,),
            self.start_turn,
            "the side's turn begins",
            TURN_STARTS,
            routine=True,
            decided_by="the side whose turn begins",
            obliged=True,
        )
        yield Schema(
            "order",
            (Parameter("units", f.pieces, each=True),),
            self.order,
            "units of the side on turn are ordered: one, or a list of them",
            cite("movement-note/1"),
            routine=True,
            not_judged="the card that orders a unit",
            decided_by=ON_TURN,
        )
        text = "a unit of the side on turn moves to a hex, or off the map"
        to = Parameter("to", f.destinations)
        yield Schema(
            "move",
            (unit, to),
            self.move,
            text,
            ENTERING,
            not_judged="how far a unit moves",
            decided_by=ON_TURN,
            asks={"unit": self._may_move},
        )
        text = "the movement phase ends"
        yield Schema(
            "end_movement",
            (),
            self.end_movement,
            text,
            cite("movement-note/1"),
            routine=True,
            decided_by=ON_TURN,
            obliged=True,
        )
        text = "a unit or leader of either side is eliminated, in combat or by a battle back"
        won = cite("general-p2/1", "general-p3/2")
        yield Schema("eliminate", (unit,), self.eliminate, text, won, not_judged="the combat that eliminates a unit")
        text = "a unit or leader of either side retreats to a hex"
        to, combat = Parameter("to", f.hexes), "the combat that makes a unit retreat, and how far it goes"
        asks = {"unit": self._may_retreat}
        yield Schema("retreat", (unit, to), self.retreat, text, VACATING, not_judged=combat, asks=asks)
        if self.c.board.battle_objectives:
            text = "a side accomplishes an objective of the battle notes"
            names = Parameter("name", f.scored.indices[0])
            cites, done = (
                cite("general-p2/1", "general-p2/2"),
                "whether an objective of the battle notes is accomplished",
            )
            who = "the side whose objective it is"
            yield Schema("score", (names,), self.score, text, cites, not_judged=done, decided_by=who)
        yield Schema(
            "end_turn",
            (),
            self.end_turn,
            "the turn ends",
            cite("general/1"),
            routine=True,
            decided_by=ON_TURN,
            obliged=True,
        )
