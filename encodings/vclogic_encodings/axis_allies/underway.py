"""The state of a turn with armies: who has moved, who has entered where, which battles are open or won."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from vclogic_encodings.axis_allies.board import MOST
from vclogic_encodings.axis_allies.names import Names

from vclogic.model.fluents import Family, Value
from vclogic.model.memoized import memoized
from vclogic.terms.atoms import constant
from vclogic.terms.domain import Domain
from vclogic.terms.sorts import BOOL, EnumSort, IntSort
from vclogic.terms.term import Term

STRONGEST = 99_999
"""Strengths of attack are counted up to here."""


class Underway:
    """State variables of a turn in which armies move; all are 0 or false as a turn begins.

    Attributes:
        names: The names of the board.
        full: Whether ships and aircraft move.
    """

    def __init__(self, names: Names, *, full: bool):
        self.names = names
        self.full = full

    @cached_property
    def moved(self) -> Family:
        """Units that stay where they are for the rest of the turn."""
        text = "how many of these units of the power on turn have moved or fought this turn, and stay there"
        return Family("moved", IntSort(0, MOST), text, (self.names.regions, self.names.forces))

    @cached_property
    def entered(self) -> Family:
        """Land units in a territory of the enemy, the battle to come."""
        text = "how many of these units of the power on turn have entered the enemy's territory, the battle to come"
        return Family("entered", IntSort(0, MOST), text, (self.names.territories, self.names.forces))

    @cached_property
    def passed(self) -> Family:
        """Land units that went through a territory of the enemy, which is to be taken."""
        text = "how many units of the power on turn went on through the enemy's undefended territory, to be taken"
        return Family("passed", IntSort(0, MOST), text, (self.names.territories,))

    @cached_property
    def help(self) -> Family:
        """Attack added by units that do not stay: aircraft, ships' guns, armour passing through."""
        text = "attack that aircraft, ships' guns and units that go through add to the battle there"
        return Family("help", IntSort(0, STRONGEST), text, (self.names.regions,))

    @cached_property
    def fought(self) -> Family:
        """Where enemy units were beaten."""
        return Family("fought", BOOL, "enemy units there were beaten this turn", (self.names.regions,))

    @cached_property
    def aloft(self) -> Family:
        """Aircraft that are to land."""
        text = "how many of these aircraft of the power on turn have flown and are to land there"
        return Family(
            "aloft", IntSort(0, MOST), text, (self.names.regions, Domain(EnumSort("aircraft", self._aircraft)))
        )

    @cached_property
    def fired(self) -> Family:
        """Ships that have supported a landing."""
        text = "how many of these ships of the power on turn have supported a landing from there"
        return Family("fired", IntSort(0, MOST), text, (self.names.zones, self.names.ships))

    @cached_property
    def ashore(self) -> Family:
        """Where land units came from the sea."""
        text = "land units of the power on turn went ashore there from the sea zone this turn"
        return Family("ashore", BOOL, text, (self._coasts,))

    @cached_property
    def families(self) -> tuple[Family, ...]:
        """The families in use."""
        always = (self.moved, self.entered, self.passed, self.help, self.fought)
        sea = (self.fired,) if self.full and self._ships and self.names.board.sea else ()
        air = (self.aloft,) if self.full and self._aircraft else ()
        return (*always, *air, *sea, *((self.ashore,) if self.full and self._shores else ()))

    def nothing(self) -> dict[Term, Value]:
        """Their values as a turn begins."""
        nothing: dict[Term, Value] = {}
        for family in self.families:
            none: Value = 0 if isinstance(family.sort, IntSort) else False
            nothing |= dict.fromkeys(family.fluents.values(), none)
        return nothing

    @memoized
    def reset(self) -> Mapping[Term, Term]:
        """Their values as a turn begins, as constants."""
        return {fluent: constant(fluent.sort, value) for fluent, value in self.nothing().items()}

    def coast(self, zone: str, territory: str) -> Term:
        """Whether land units went ashore in a territory from a zone that touches it."""
        return self.ashore[_coast(zone, territory)]

    # ---- names

    @property
    def _aircraft(self) -> tuple[str, ...]:
        return tuple(n for n, u in self.names.board.units.items() if u.kind == "air")

    @property
    def _ships(self) -> tuple[str, ...]:
        return tuple(n for n, u in self.names.board.units.items() if u.kind == "sea")

    @cached_property
    def _shores(self) -> tuple[str, ...]:
        board = self.names.board
        around, land = board.map.neighbours, set(board.land)
        return tuple(_coast(z, t) for z in board.sea for t in around[z] if t in land)

    @cached_property
    def _coasts(self) -> Domain:
        return Domain(EnumSort("coast", self._shores))


def _coast(zone: str, territory: str) -> str:
    return f"{zone} to {territory}"
