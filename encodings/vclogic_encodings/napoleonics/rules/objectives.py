"""The kinds of objective, and what an event changes in all objectives of a board."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from vclogic_encodings.napoleonics.board import Board, Kind
from vclogic_encodings.napoleonics.fluents import Fluents
from vclogic_encodings.napoleonics.rules.last_to_occupy import LastToOccupy
from vclogic_encodings.napoleonics.rules.majority import Majority
from vclogic_encodings.napoleonics.rules.movement_note import MovementNote
from vclogic_encodings.napoleonics.rules.objective import EventEffects, Objective
from vclogic_encodings.napoleonics.rules.permanent import Permanent, TurnStartPermanent
from vclogic_encodings.napoleonics.rules.taken import Taken
from vclogic_encodings.napoleonics.rules.temporary import Temporary, TurnStartTemporary

from vclogic.model.rules import Rule
from vclogic.terms.build import and_, eq, ite, ne
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term

KINDS: Mapping[Kind, type[Objective]] = {
    "temporary": Temporary,
    "turn_start_temporary": TurnStartTemporary,
    "turn_start_majority": Majority,
    "permanent": Permanent,
    "turn_start_permanent": TurnStartPermanent,
    "last_to_occupy": LastToOccupy,
    "taken": Taken,
}
"""The kinds of objective. A new one is a module with its class, an entry here and its name in `board.Kind`."""


def losable(board: Board) -> tuple[str, ...]:
    """The objectives whose banner can be lost again."""
    return tuple(name for name, o in board.objectives.items() if KINDS[o.kind].lasting is not True)


def watched(board: Board) -> tuple[str, ...]:
    """The hexes of objectives that are lost when vacated."""
    temporary = (o for o in board.objectives.values() if KINDS[o.kind].lasting is False)
    return tuple(dict.fromkeys(h for o in temporary for h in o.hexes))


class ObjectiveRules(dict[str, Objective]):
    """The rules of each objective of a board, by its name.

    Attributes:
        fluents: The fluents.
    """

    def __init__(self, fluents: Fluents, note: MovementNote):
        self.fluents = fluents
        super().__init__((n, KINDS[o.kind].over(fluents, note, n)) for n, o in fluents.board.objectives.items())

    @cached_property
    def by_deed(self) -> dict[str, Taken]:
        """The objectives that are taken by the event `take`."""
        return {name: o for name, o in self.items() if isinstance(o, Taken)}

    def defaults(self) -> dict[Term, Term]:
        """The holder of each objective in a position without history."""
        return {o.now: o.without_history() for o in self.values()}

    def after(self, happening: EventEffects) -> dict[Term, Term]:
        """All that changes by an event: what it changes itself, and what becomes of the objectives."""
        then = Substitution(happening.changes)
        changes = dict(happening.changes)
        for name, objective in self.items():
            new = objective.after(happening, then)
            changes[objective.now] = new
            if name in self.fluents.losable:
                changes |= self._noted(objective, new, begins=happening.begins is not None)
        return {fluent: new for fluent, new in changes.items() if new is not fluent}

    def _noted(self, objective: Objective, new: Term, *, begins: bool) -> dict[Term, Term]:
        """The gains and losses of the turn after an event that makes `new` the holder."""
        fluents, now, nobody = self.fluents, objective.now, objective.nobody
        gained_before, dropped_before = fluents.gained[objective.name], fluents.dropped[objective.name]
        gained, dropped = (nobody, nobody) if begins else (gained_before, dropped_before)
        for s in objective.sides:
            gained = ite(and_(eq(new, s), ne(now, s)), fluents.side(s), gained)
            if not begins:
                dropped = ite(and_(eq(gained_before, s), eq(now, s), ne(new, s)), fluents.side(s), dropped)
        return {fluents.gained[objective.name]: gained, fluents.dropped[objective.name]: dropped}

    def rules(self) -> Iterable[Rule]:
        """The rules on each side's banner for each objective."""
        for name, o in self.items():
            for side in o.sides:
                text = f"the {side} side has the banner of {name}: {o.said}"
                yield Rule(f"objective[{side}, {name}]", o.has(side), text, o.cites, lasting=o.lasting)

    def invariants(self) -> Iterable[Rule]:
        """The invariants."""
        for o in self.values():
            yield from o.invariants()
