"""Turns and victory: who may do what when, the Victory Banners of each side, who has won."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from vclogic_encodings.napoleonics.board import ELIMINATED, NONE
from vclogic_encodings.napoleonics.citing import cite, encodes
from vclogic_encodings.napoleonics.fluents import BETWEEN, Fluents
from vclogic_encodings.napoleonics.rules.objectives import ObjectiveRules

from vclogic.model.actions import Requirement
from vclogic.model.fluents import Value
from vclogic.model.memoized import memoized
from vclogic.model.rules import Outcome, Rule
from vclogic.terms.atoms import FALSE, TRUE, integer
from vclogic.terms.build import add, and_, any_of, count, eq, ge, gt, ite, linear, lt, ne, not_, or_
from vclogic.terms.partial import Partial
from vclogic.terms.term import Term

VICTORY = "victory"
WON = cite("general/1", "general-p2/1", "general-p2/2", "general-p3/1", "general-p3/2")


class Victory:
    """Turns, banners and victory over the fluents of one game.

    Attributes:
        fluents: The fluents.
        objectives: The rules of objectives.
    """

    def __init__(self, fluents: Fluents, objectives: ObjectiveRules):
        self.fluents, self.objectives = fluents, objectives
        self.board = fluents.board

    # ---- turns

    @encodes("general/1")
    def alternate(self, side: str) -> Requirement:
        """Players alternate taking turns."""
        text = f"the turns alternate: it is the turn of the {self.board.enemy(side)} side"
        return Requirement(ne(self.fluents.turn.fluent, side), text, cite("general/1"))

    @encodes("general/1")
    def between_turns(self) -> Requirement:
        """A turn begins when the one before has ended."""
        text = "the turn before has not ended: `end_turn`"
        return Requirement(eq(self.fluents.phase.fluent, BETWEEN), text, cite("general/1"))

    @encodes("general/1")
    def in_a_turn(self) -> Requirement:
        """Events happen in a turn: none happens between two turns."""
        text = "no turn has begun: `start_turn` comes first"
        return Requirement(ne(self.fluents.phase.fluent, BETWEEN), text, cite("general/1"))

    @encodes("general/1")
    def turn_of(self, side: str) -> Requirement:
        """A side acts in its own turn."""
        return Requirement(
            eq(self.fluents.turn.fluent, side), f"it is not the turn of the {side} side", cite("general/1")
        )

    @encodes("general/1", "general-p3/1")
    def goes_on(self) -> Requirement:
        """Nothing happens once a side has reached its number of Victory Banners."""

        def said(values: Mapping[Term, Value]) -> str:
            needs = [f"{n} for the {s} side" for s, n in self.board.banners.items()]
            return f"the game is over: a side has reached its number of Victory Banners ({', '.join(needs)})"

        return Requirement(not_(self.over), said, cite("general/1", "general-p3/1"))

    # ---- banners

    @encodes("general-p2/1")
    def for_losses(self, side: str) -> Term:
        """Victory Banners are captured through the elimination of enemy units and leaders."""
        enemies = self.board.pieces(self.board.enemy(side))
        return linear((self.board.units[u].banners, eq(self.fluents.at[u], ELIMINATED)) for u in enemies)

    @encodes("general-p2/1")
    def for_objectives(self, side: str) -> Term:
        """Objectives on the map bring additional Victory Banners."""
        return linear((o.banners, self.counts(side, name)) for name, o in self.board.objectives.items())

    @memoized
    def counts(self, side: str, name: str) -> Term:
        """True if a side has an objective whose banners count: Reading `shared_hex`."""
        before = self._worth_more(name) if self.fluents.reads("shared_hex", "one") else ()
        return and_(self.objectives[name].has(side), *(not_(self.objectives[o].has(side)) for o in before))

    def _worth_more(self, objective: str) -> tuple[str, ...]:
        """The other objectives on the very same hexes that are worth more, or as much and listed before."""
        known = self.board.objectives
        order = sorted(known, key=lambda name: -known[name].banners)
        hexes = {*known[objective].hexes}
        return tuple(n for n in order[: order.index(objective)] if {*known[n].hexes} == hexes)

    @encodes("general-p2/2")
    def for_battle_notes(self, side: str) -> Term:
        """Objectives of the scenario's battle notes bring Victory Banners each time they are accomplished."""
        notes = self.board.battle_objectives.items()
        return linear((note.banners, self.fluents.scored[name]) for name, note in notes if note.side == side)

    @encodes("general-p2/2")
    def for_exits(self, side: str) -> Term:
        """Units that have left by an exit of the battle notes bring banners to their side, or to the enemy."""
        return linear((self.board.exits[name].banners, self.left(side, name)) for name in self.board.exits)

    def left(self, side: str, name: str) -> Term:
        """How many units have left by an exit for which a side has the banners."""
        whose = self.board.enemy(side) if self.board.exits[name].lost else side
        leaving = (u for u in self.board.leaving[name] if self.board.units[u].side == whose)
        return count(eq(self.fluents.at[u], name) for u in leaving)

    @encodes("general-p2/2")
    def can_be_scored(self, name: str) -> Requirement:
        """Objectives of the battle notes can be accomplished as often as they say."""
        note = self.board.battle_objectives[name]
        times = "once" if note.times == 1 else f"{note.times} times"
        text = f"the {note.side} side has had the banner for {name}: it can be gained {times}"
        return Requirement(lt(self.fluents.scored[name], note.times), text, cite("general-p2/2"))

    @memoized
    def banners(self, side: str) -> Term:
        """The Victory Banners that a side has."""
        before = self.fluents.earlier[side]
        notes = (self.for_battle_notes(side), self.for_exits(side))
        return add(before, self.for_losses(side), self.for_objectives(side), *notes)

    # ---- victory

    @encodes("general/1")
    def reached(self, side: str) -> Term:
        """A side needs as many Victory Banners as the scenario says."""
        need = None if VICTORY in self.fluents.settings.without else self.board.banners.get(side)
        return FALSE if need is None else ge(self.banners(side), need)

    @memoized
    @encodes("general-p3/1", "general-p3/2")
    def wins(self, side: str) -> Term:
        """A side wins the moment it has its number, in either side's turn; if both have: Reading `both_reach`."""
        enemy, reads = self.board.enemy(side), self.fluents.reads
        first = FALSE
        if reads("both_reach", "on_turn"):
            first = eq(self.fluents.turn.fluent, side)
        elif reads("both_reach", "more"):
            first = gt(self.banners(side), self.banners(enemy))
        return and_(self.reached(side), or_(not_(self.reached(enemy)), first))

    @cached_property
    def over(self) -> Term:
        """True if a side has won."""
        return any_of((*(self.wins(s) for s in self.board.sides), self.fluents.settings.over))

    @cached_property
    def winner(self) -> Term:
        """The side that has won, or none."""
        found = self.fluents.side(NONE)
        for s in self.board.sides:
            found = ite(self.wins(s), self.fluents.side(s), found)
        return found

    def outcomes(self) -> Iterable[Outcome]:
        """Victory, for each side: at any moment, in whoever's turn."""
        for side, need in self.board.banners.items():
            yield Outcome(
                VICTORY,
                side,
                condition=Partial(self.wins(side)),
                timing=TRUE,
                when="at every moment, in either side's turn",
                text=f"the {side} side has {need} Victory Banners",
                cites=WON,
                have=self.banners(side),
                need=integer(need),
            )

    def rules(self) -> Iterable[Rule]:
        """The banners of each side."""
        for side in self.board.sides:
            text = f"the banners of the {side} side: for eliminated enemies, objectives and battle notes"
            yield Rule(f"banners[{side}]", self.banners(side), text, cite("general-p2/1"))
