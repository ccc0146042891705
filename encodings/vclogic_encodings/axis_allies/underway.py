"""The state of a turn with armies: who has moved, who has entered where, which battles are open or won."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from vclogic_encodings.axis_allies.board import Board
from vclogic_encodings.axis_allies.names import COUNT, NamedFamily, Names

from vclogic.model.fluents import Family, Value
from vclogic.model.memoized import memoized
from vclogic.terms.atoms import constant
from vclogic.terms.domain import Domain
from vclogic.terms.sorts import BOOL, EnumSort, IntSort
from vclogic.terms.term import Term


class Underway(Names):
    """State variables of a turn in which armies move; all are 0 or false as a turn begins.

    Attributes:
        full: Whether ships and aircraft move.
    """

    def __init__(self, board: Board, *, full: bool):
        super().__init__(board)
        self.full = full

    moved = NamedFamily(COUNT, "regions", "forces").meaning(
        "how many of these units of the power on turn have moved or fought this turn, and stay there"
    )
    entered = NamedFamily(COUNT, "territories", "forces").meaning(
        "how many of these units of the power on turn have entered the enemy's territory, the battle to come"
    )
    passed = NamedFamily(COUNT, "territories").meaning(
        "how many units of the power on turn went on through the enemy's undefended territory, to be taken"
    )
    help = NamedFamily(COUNT, "regions", "helpers").meaning(
        "how many of these aircraft, ships that bombard, or units that went on through, add to the battle there"
    )
    fought = NamedFamily(BOOL, "regions").meaning("enemy units there were beaten this turn")
    aloft = NamedFamily(COUNT, "regions", "aircraft").meaning(
        "how many of these aircraft of the power on turn have flown and are to land there"
    )
    fired = NamedFamily(COUNT, "zones", "ships").meaning(
        "how many of these ships of the power on turn have supported a landing from there"
    )
    ashore = NamedFamily(BOOL, "coasts").meaning(
        "land units of the power on turn went ashore there from the sea zone this turn"
    )

    @cached_property
    def families(self) -> tuple[Family, ...]:
        """The families in use."""
        helped = (self.help,) if self.helps else ()
        always = (self.moved, self.entered, self.passed, *helped, self.fought)
        sea = (self.fired,) if self.full and self.board.kinds("sea") and self.board.sea else ()
        air = (self.aloft,) if self.full and self.board.kinds("air") else ()
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
        """True if land units went ashore in a territory from a zone that touches it."""
        return self.ashore[_coast(zone, territory)]

    def helping(self, region: str) -> Mapping[str, Term]:
        """Per kind how many units add to the battle there without having entered it."""
        return {unit: self.help[region, unit] for unit in self.helps}

    @memoized
    def attacking(self, region: str) -> Mapping[str, Term]:
        """Per kind how many units of the power on turn stand against the enemy there: who entered, and aircraft."""
        entered = {k: self.entered[region, k] for k in self.forces.sort.members} if region in self.board.land else {}
        air = {u: x for u, x in self.helping(region).items() if self.board.units[u].kind == "air"}
        return {**entered, **air}

    @cached_property
    def helps(self) -> tuple[str, ...]:
        """The kinds that add to a battle without entering: aircraft, ships that bombard, units that go on through."""
        return tuple(n for n, u in self.board.units.items() if u.kind == "air" or u.bombards or u.blitzes)

    @cached_property
    def helpers(self) -> Domain:
        """These kinds, of which there must be one."""
        return Domain(EnumSort("kind of unit that helps", self.helps))

    @cached_property
    def _shores(self) -> tuple[str, ...]:
        around, land = self.board.map.neighbours, set(self.board.land)
        return tuple(_coast(z, t) for z in self.board.sea for t in around[z] if t in land)

    @cached_property
    def coasts(self) -> Domain:
        """Landings by sea zone and territory."""
        return Domain(EnumSort("coast", self._shores))


def _coast(zone: str, territory: str) -> str:
    return f"{zone} to {territory}"
