"""Who gains and who loses the banners of objectives, each at its own moment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from vclogic_encodings.napoleonics.board import NONE
from vclogic_encodings.napoleonics.fluents import Fluents

from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.build import and_, any_of, eq, ite, ne, not_, or_
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term

Changes = Mapping[Term, Term]
"""Fluents and their values after an event."""


@dataclass(frozen=True)
class Happening:
    """What an event means for objectives.

    Attributes:
        changes: Fluents that it changes, and their values after it.
        entered: For each side and hex whether a unit of the side enters the hex; missing: none does.
        left: For each side whether its own units leave hexes; missing: they do not.
        begins: The side whose turn begins, if one does.
    """

    changes: Changes
    entered: Mapping[tuple[str, str], Term] = field(default_factory=dict)
    left: Mapping[str, Term] = field(default_factory=dict)
    begins: str | None = None


class Holding:
    """The rules of objectives over one board.

    Attributes:
        f: The fluents.
    """

    def __init__(self, f: Fluents):
        self.f = f

    def after(self, happening: Happening) -> dict[Term, Term]:
        """All that changes by an event: what it changes itself, and what becomes of the objectives."""
        f = self.f
        then = Substitution(happening.changes)
        changes = dict(happening.changes)
        for name in f.board.objectives:
            now = f.objective[name]
            new = self._holder(name, happening, then)
            changes[now] = new
            if name in f.losable:
                changes |= self._noted(name, new, begins=happening.begins is not None)
        return {fluent: new for fluent, new in changes.items() if new is not fluent}

    def _noted(self, name: str, new: Term, *, begins: bool) -> dict[Term, Term]:
        """What the turn has gained and lost after an event that makes `new` the holder."""
        f, now = self.f, self.f.objective[name]
        nobody = f.side(NONE)
        gained = nobody if begins else f.gained[name]
        dropped = nobody if begins else f.dropped[name]
        for s in f.holders_of(name):
            comes = and_(eq(new, s), ne(now, s))
            gained = ite(comes, f.side(s), gained)
            if not begins:
                goes = and_(eq(f.gained[name], s), eq(now, s), ne(new, s))
                dropped = ite(goes, f.side(s), dropped)
        return {f.gained[name]: gained, f.dropped[name]: dropped}

    def _holder(self, name: str, h: Happening, then: Substitution) -> Term:
        """Who has the objective after an event."""
        match self.f.judged(name):
            case "temporary":
                return self._temporary(name, then)
            case "turn_start_temporary":
                return self._turn_start_temporary(name, h, then)
            case "turn_start_majority":
                return self._majority(name, h, then)
            case "permanent":
                return self._permanent(name, h)
            case "turn_start_permanent":
                return self._turn_start_permanent(name, h, then)
            case "last_to_occupy":
                return self._last_to_occupy(name, h)

    def _temporary(self, name: str, then: Substitution) -> Term:
        """Gained and lost with the units in the hexes."""
        f, now = self.f, self.f.objective[name]
        here = {s: then(f.is_there(s, name)) for s in f.holders_of(name)}
        found = f.only(name, here, f.side(NONE))
        if not f.is_shared(name):
            for s, present in here.items():
                found = ite(and_(eq(now, s), present), f.side(s), found)
        return found

    def _turn_start_temporary(self, name: str, h: Happening, then: Substitution) -> Term:
        """Gained at the start of the side's turn, lost when nobody of it is there."""
        f, now = self.f, self.f.objective[name]
        found = f.side(NONE)
        for s in f.holders_of(name):
            found = ite(and_(eq(now, s), then(f.keeps(s, name))), f.side(s), found)
        if h.begins not in f.holders_of(name):
            return found
        free = eq(found, NONE) if len(f.holders_of(name)) == 2 else TRUE
        gains = and_(then(f.keeps(h.begins, name)), or_(free, eq(found, h.begins)))
        return ite(gains, f.side(h.begins), found)

    def _majority(self, name: str, h: Happening, then: Substitution) -> Term:
        """Gained at the start of the side's turn with more hexes than the enemy; lost with the majority."""
        f, now = self.f, self.f.objective[name]
        own_units = f.reads("majority_lost", "own_units")
        found = now
        for s in f.holders_of(name):
            looked_at = h.left.get(s, FALSE) if own_units and h.begins != s else TRUE
            lost = and_(eq(now, s), looked_at, not_(then(f.majority(s, name))))
            found = ite(lost, f.side(NONE), found)
        if h.begins in f.holders_of(name):
            found = ite(then(f.majority(h.begins, name)), f.side(h.begins), found)
        return found

    def _permanent(self, name: str, h: Happening) -> Term:
        """Captured by the first unit that enters, for good."""
        f, now = self.f, self.f.objective[name]
        found = now
        for s in f.holders_of(name):
            found = ite(and_(eq(now, NONE), self._entered(name, h, s)), f.side(s), found)
        return found

    def _turn_start_permanent(self, name: str, h: Happening, then: Substitution) -> Term:
        """Captured at the start of a turn by a side that is there, for good."""
        f, now = self.f, self.f.objective[name]
        if h.begins not in f.holders_of(name):
            return now
        return ite(and_(eq(now, NONE), then(f.is_there(h.begins, name))), f.side(h.begins), now)

    def _last_to_occupy(self, name: str, h: Happening) -> Term:
        """It belongs to whoever entered last."""
        f, found = self.f, self.f.objective[name]
        for s in f.board.sides:
            holder = f.side(s if s in f.holders_of(name) else NONE)
            found = ite(self._entered(name, h, s), holder, found)
        return found

    def _entered(self, name: str, h: Happening, side: str) -> Term:
        return any_of(h.entered.get((side, hex_), FALSE) for hex_ in self.f.board.objectives[name].hexes)
