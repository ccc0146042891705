"""Common parts of all kinds of objective on the map: hexes, the sides that can hold it, effects of events."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from vclogic_encodings.napoleonics.board import NONE
from vclogic_encodings.napoleonics.citing import encodes
from vclogic_encodings.napoleonics.fluents import Fluents
from vclogic_encodings.napoleonics.rules.movement_note import MovementNote

from vclogic.model.citation import Cites
from vclogic.model.memoized import memoized
from vclogic.model.rules import Rule
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.build import and_, any_of, eq, implies, is_in, ite, not_
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term

Changes = Mapping[Term, Term]
"""Fluents and their values after an event."""


@dataclass(frozen=True)
class EventEffects:
    """The effects of an event on objectives.

    Attributes:
        changes: Fluents that it changes, and their values after it.
        entered: For each unit and hex whether the unit enters the hex; missing: it does not.
        left: For each side whether its own units leave hexes; missing: they do not.
        begins: The side whose turn begins, if one does.
        took: For each unit and objective whether the unit takes it by a deed; missing: it does not.
    """

    changes: Changes
    entered: Mapping[tuple[str, str], Term] = field(default_factory=dict)
    left: Mapping[str, Term] = field(default_factory=dict)
    begins: str | None = None
    took: Mapping[tuple[str, str], Term] = field(default_factory=dict)


class Objective(ABC):
    """When the banner of one objective is gained and lost. Each kind of objective is a class of its own.

    Attributes:
        fluents: The fluents.
        note: The note on units that change places.
        name: The objective.
        hexes: Its hex, or those of its group.
        sides: The sides that can hold it.
        units: For each side those who occupy its hexes if they are there.
        noted: Whether the note holds for it.
    """

    said: ClassVar[str]
    """The meaning of `the French side has the banner of {name}`, for players."""
    cites: ClassVar[Cites]
    """The clauses of the kind, first the one by which the banner is gained."""
    lasting: ClassVar[bool | None]
    """True: permanent, it is never lost; False: temporary, it is lost with its hexes; None: neither."""

    def __init__(self, fluents: Fluents, note: MovementNote, name: str):
        self.fluents, self.note, self.name = fluents, note, name
        self.board = fluents.board.objectives[name]
        self.hexes = self.board.hexes
        self.units = {s: fluents.board.fitting(fluents.occupiers[s], self.board.kinds) for s in fluents.board.sides}
        either = self.units if self.board.side is None else (self.board.side,)
        self.sides = tuple(s for s in either if self.units[s] or not self.board.kinds or s == self.board.held)
        self.noted = self.lasting is False and note.covers(self.board.kind)

    @classmethod
    def over(cls, fluents: Fluents, note: MovementNote, name: str) -> Objective:
        """The rules of one objective of the kind."""
        return cls(fluents, note, name)

    @property
    def now(self) -> Term:
        """The holder."""
        return self.fluents.objective[self.name]

    @property
    def nobody(self) -> Term:
        """No side."""
        return self.fluents.side(NONE)

    # ---- who is there

    def occupies(self, side: str, hex_: str) -> Term:
        """True if a unit of a side, of a kind that counts for it, is in a hex."""
        if not self.board.kinds:
            return self.fluents.occupies(side, hex_)
        return any_of(eq(self.fluents.at[u], hex_) for u in self.units[side])

    def occupied(self, side: str, hex_: str) -> Term:
        """True if one of its hexes counts as occupied by a side."""
        occupies = self.occupies(side, hex_)
        return self.note.still_occupied(side, hex_, occupies) if self.noted else occupies

    @encodes("groups/1", "groups/2")
    def suffices(self, side: str, occupied: Callable[[str, str], Term]) -> Term:
        """A side that occupies any hex of an objective, be it one hex or a group, is there.

        Args:
            occupied: Whether a side occupies a hex.
        """
        return any_of(occupied(side, h) for h in self.hexes)

    @memoized
    def there(self, side: str) -> Term:
        """True if a side is in enough of its hexes to hold it, with hexes that the note counts as occupied."""
        return self.suffices(side, self.occupied)

    @memoized
    def has(self, side: str) -> Term:
        """True if a side has its banner now."""
        holds = eq(self.now, side)
        if not self.noted:
            return holds
        return and_(holds, self.note.counts_meanwhile(side, self.hexes, self.suffices(side, self.occupies)))

    @property
    def holder(self) -> Term:
        """The side that has its banner now, or none."""
        found = self.nobody
        for s in self.fluents.board.sides:
            found = ite(self.has(s), self.fluents.side(s), found)
        return found

    def sole(self, there: Mapping[str, Term], otherwise: Term) -> Term:
        """The one side that is there (none, if it cannot hold the objective), or else another holder."""
        found = otherwise
        for s, present in there.items():
            alone = and_(present, *(not_(x) for t, x in there.items() if t != s))
            found = ite(alone, self.fluents.side(s if s in self.sides else NONE), found)
        return found

    def entered(self, happening: EventEffects, side: str) -> Term:
        """True if a unit of a side enters one of its hexes."""
        return any_of(x for (u, h), x in happening.entered.items() if h in self.hexes and u in self.units[side])

    def entering(self, happening: EventEffects) -> tuple[str, ...]:
        """The sides whose units may enter its hexes by an event."""
        return tuple(s for s in self.fluents.board.sides if self.entered(happening, s) is not FALSE)

    def looked_at(self, happening: EventEffects) -> tuple[str, ...]:
        """The sides of which an event asks who is there: whose units enter its hexes, and both as a turn begins."""
        return self.fluents.board.sides if happening.begins else self.entering(happening)

    def begins(self, happening: EventEffects, side: str) -> Term:
        """True if a turn begins of a side that can hold it."""
        return TRUE if happening.begins == side and side in self.sides else FALSE

    # ---- who holds it

    @property
    def set_up(self) -> Term:
        """The holder by the set-up."""
        return self.fluents.side(self.board.held or NONE)

    def without_history(self) -> Term:
        """The holder in a position without history: by the units, else the set-up."""
        return self.set_up

    @abstractmethod
    def after(self, happening: EventEffects, then: Substitution) -> Term:
        """The holder after an event.

        Args:
            happening: What the event means for objectives.
            then: Takes a term to its value after the event.
        """

    def invariants(self) -> Iterable[Rule]:
        """The invariants."""
        if self.board.side is not None:
            fluents = self.fluents
            notes = (fluents.gained, fluents.dropped) if self.name in fluents.losable else ()
            records = (family[self.name] for family in (fluents.objective, *notes))
            known = and_(*(is_in(record, (NONE, self.board.side)) for record in records))
            text = f"{self.name} is an objective of the {self.board.side} side alone"
            yield Rule(f"appropriate[{self.name}]", known, text, self.cites)
        for side in self.sides:
            yield from self.invariants_of(side)

    def invariants_of(self, side: str) -> Iterable[Rule]:
        """The invariants for one side that can hold it."""
        return ()

    def only_while(self, side: str, kept: Term, text: str) -> Rule:
        """The invariant that a side holds it only as long as it keeps it."""
        text = f"the {side} side has {self.name} only {text}"
        return Rule(f"kept[{side}, {self.name}]", implies(eq(self.now, side), kept), text, self.cites)
