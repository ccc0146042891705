"""Units of any kind: when they are bought and placed, and what the rules ask of the place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from vclogic_encodings.axis_allies.board import COMPLEX, INFANTRY
from vclogic_encodings.axis_allies.citing import cite, encodes
from vclogic_encodings.axis_allies.fluents import Fluents
from vclogic_encodings.axis_allies.names import COMBAT, PURCHASE
from vclogic_encodings.axis_allies.rules.complexes import Complexes
from vclogic_encodings.axis_allies.rules.infantry import Infantry
from vclogic_encodings.axis_allies.wording import already_placed, in_words, of_units

from vclogic.model.actions import Requirement
from vclogic.model.fluents import Value
from vclogic.model.memoized import memoized
from vclogic.model.system import Settings
from vclogic.terms.atoms import integer
from vclogic.terms.build import add, all_of, eq, is_in, le, linear, or_
from vclogic.terms.term import Term

PHASES = "the order of phases"
"""Name of a requirement; see `Requirement.name`."""


class Placement:
    """The rules of purchases and placements.

    Attributes:
        infantry: The rules of infantry.
        complexes: The rules of industrial complexes, and of what is built at them.
    """

    def __init__(self, fluents: Fluents, settings: Settings):
        self.fluents = fluents
        self.infantry = Infantry(fluents, settings)
        self.complexes = Complexes(fluents, settings)
        self._readings = settings.readings

    @encodes("VC-infantry/3", "IC-p2/2", "IC-p2/3")
    def no_later_than(self, phase: str) -> tuple[Requirement, ...]:
        """Units are bought and placed in their phases, where the reading `phases` asks for the box rules' order."""
        if self._readings["phases"] != "box":
            return ()
        message = {
            PURCHASE: "units are bought before the first attack or capture of a turn",
            COMBAT: "units are placed after the last attack and capture of a turn",
        }[phase]
        known = self.fluents.phases.sort.members
        reached = is_in(self.fluents.phase.fluent, known[: known.index(phase) + 1])
        cites = cite("IC-p2/2", "IC-p2/3", "VC-infantry/3")
        return (Requirement(reached, f"{message} (reading phases)", cites, PHASES),)

    @encodes("VC-infantry/3")
    @memoized
    def bought_before(self, unit: str, count: Term, always: bool) -> tuple[Requirement, ...]:
        """Units of any kind, infantry too, are bought in a turn before they are placed in it.

        Args:
            unit: Their kind.
            count: How many are placed.
            always: Whether purchases are recorded in any case, since IPCs are counted.
        """
        fluents, board = self.fluents, self.fluents.board
        bought, everywhere = fluents.bought[unit], [fluents.placed[t, unit] for t in board.land]
        placed = linear((1, there) for there in everywhere)
        enough = le(add(placed, count), bought)
        if self._readings["missing_purchases"] == "allowed" and not always:
            enough = or_(eq(bought, 0), enough)

        def message(values: Mapping[Term, Value]) -> str:
            done = sum(int(values[there]) for there in everywhere)
            had = int(values[bought])
            already = f"; {already_placed(done)}" if done else ""
            number = of_units(board, had, unit) if had else f"no {unit}"
            were = "were" if had > 1 else "was"
            return f"{number} {were} bought this turn{already}: {in_words(count)} more cannot be placed"

        return (Requirement(enough, message, cite("VC-infantry/3")),)

    def needs(self, power: str, unit: str, number: Term, territory: str) -> Iterable[Requirement]:
        """The requirements for placing units of a kind in a territory."""
        if unit == INFANTRY:
            return self.infantry.needs(power, number, territory)
        if unit == COMPLEX:
            return self.complexes.needs(power, territory)
        return self.complexes.unit_needs(power, unit, number, territory)

    def may_place(self, power: str, unit: str, territory: str) -> Term:
        """True if the power may place one more of the units there this turn, whatever it has bought."""
        return all_of(r.term for r in self.needs(power, unit, integer(1), territory))

    def clauses(self, power: str, unit: str, territory: str) -> tuple[str, ...]:
        """The ids of the clauses by which the power may place units there."""
        cites = (c.clause for r in self.needs(power, unit, integer(1), territory) for c in r.cites)
        return tuple(dict.fromkeys(cites))
