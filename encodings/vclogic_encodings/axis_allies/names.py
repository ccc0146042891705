"""The names that files, goals and records use, over one board."""

from __future__ import annotations

from functools import cached_property
from typing import Self

from vclogic_encodings.axis_allies.board import CAPITAL, COMPLEX, MOST, Board

from vclogic.model.fluents import Family
from vclogic.terms.domain import Domain, grouped
from vclogic.terms.sorts import EnumSort, IntSort, Sort

NONE = "none"
COUNT = IntSort(0, MOST)
"""Numbers of units."""
ON_TURN = "the power on turn"
PERMANENT, BOUGHT = "permanent", "bought"
SIDE_A, SIDE_B = "side_a", "side_b"
OUTCOMES = ("total_victory", "major_victory", "minor_victory")
AGREED = "it is judged with `options: {victory: all}`"
"""The setting that an outcome needs for which the players did not agree."""
BEGIN, PURCHASE, COMBAT, MOBILIZE = "begin", "purchase", "combat", "mobilize"


class Names:
    """Powers, sides, territories and units by name, with the other names that they go by.

    Attributes:
        board: The board.
    """

    def __init__(self, board: Board):
        self.board = board

    @cached_property
    def _called(self) -> dict[str, list[str]]:
        """The powers that each nation's name, or other name that is not a power's or side's own, can stand for."""
        found: dict[str, list[str]] = {}
        for power, x in self.board.powers.items():
            for name in dict.fromkeys((x.nation, *x.aliases)):
                if name not in self.board.powers and name not in self.board.sides:
                    found.setdefault(name, []).append(power)
        return found

    @cached_property
    def powers(self) -> Domain:
        """The powers; they also go by their nations and by the board's other names for them."""
        refused = dict.fromkeys(self.board.sides, "it is a side, not a power") | self._shared
        groups = grouped("side", {name: power.side for name, power in self.board.powers.items()})
        return Domain(EnumSort("power", tuple(self.board.powers)), self.power_aliases, refused, groups)

    @cached_property
    def power_aliases(self) -> dict[str, str]:
        """The other names of powers, with the power of each."""
        return {name: powers[0] for name, powers in self._called.items() if len(powers) == 1}

    @cached_property
    def _shared(self) -> dict[str, str]:
        """Names that could mean several powers, with the reason why they mean none."""
        shared = ((name, powers) for name, powers in self._called.items() if len(powers) > 1)
        return {name: f"it could be the {' or the '.join(powers)}" for name, powers in shared}

    @cached_property
    def sides(self) -> Domain:
        """The two sides."""
        powers = {p: p for p in self.board.powers} | self.power_aliases
        of = {name: f"it is a power of the {self.board.powers[p].side}" for name, p in powers.items()}
        return Domain(EnumSort("side", tuple(self.board.sides)), refused=of)

    @cached_property
    def parties(self) -> Domain:
        """The sides and the powers."""
        members = tuple(dict.fromkeys((*self.board.sides, *self.board.powers)))
        return Domain(EnumSort("side or power", members), self.power_aliases, self._shared)

    @cached_property
    def territories(self) -> Domain:
        """The territories that can be owned; they also go by the rule text's names and by their cities'."""
        board = self.board
        refused = {}
        for name, t in board.territories.items():
            if t.kind != "land":
                reason = "a sea zone has no owner" if t.kind == "sea" else "nobody can enter or own it"
                refused.update(dict.fromkeys((name, *t.aliases), reason))
        aliases = {a: n for n in board.land for a in board.territories[n].aliases}
        taken = {*board.territories, *aliases}
        cities = {c.name: n for n, c in board.cities.items() if c.name not in taken}
        return Domain(EnumSort("territory", board.land), aliases | cities, refused, self._homes)

    @cached_property
    def places(self) -> Domain:
        """The territories, or none where a step names no place."""
        return _or_none(self.territories)

    @cached_property
    def unit_kinds(self) -> Domain:
        """The kinds of units that can be bought."""
        return Domain(EnumSort("unit", tuple(self.board.units)))

    @cached_property
    def regions(self) -> Domain:
        """The territories and sea zones."""
        refused = {n: "nobody can enter it" for n, t in self.board.territories.items() if t.kind == "impassable"}
        groups = {**self._homes, "land": self.board.land, "sea": self.board.sea}
        aliases = self.territories.aliases
        return Domain(EnumSort("territory or sea zone", self.board.regions), aliases, refused, groups)

    @cached_property
    def _homes(self) -> dict[str, tuple[str, ...]]:
        """The territories of each side and power at the start, and those with victory cities."""
        board = self.board
        powers = {n: board.territories[n].owner or NONE for n in board.land}
        sides = {n: board.powers[p].side for n, p in powers.items() if p in board.powers}
        cities = {"cities": tuple(n for n in board.land if n in board.cities)}
        ranks, of = {n: c.rank for n, c in board.cities.items()}, {p.nation: p.side for p in board.powers.values()}
        capitals = {n: of[c.nation] for n, c in board.cities.items() if c.rank == CAPITAL}
        own = grouped("home", powers) | grouped("home", sides) | grouped("capitals", capitals)
        return own | cities | grouped("rank", ranks) | dict(board.groups)

    @cached_property
    def regions_or_none(self) -> Domain:
        """The territories and sea zones, or none where a move has no such place."""
        return _or_none(self.regions)

    @cached_property
    def zones(self) -> Domain:
        """The sea zones, of which there must be one."""
        land = dict.fromkeys((*self.board.land, *self.territories.aliases), "it is land")
        return Domain(EnumSort("sea zone", self.board.sea), refused=land)

    @cached_property
    def ships(self) -> Domain:
        """The kinds of ships, of which there must be one."""
        return Domain(EnumSort("ship", self.board.kinds("sea")))

    @cached_property
    def aircraft(self) -> Domain:
        """The kinds of aircraft, of which there must be one."""
        return Domain(EnumSort("aircraft", self.board.kinds("air")))

    @cached_property
    def forces_or_none(self) -> Domain:
        """The kinds of units on the board, or none."""
        return _or_none(self.forces)

    @cached_property
    def forces(self) -> Domain:
        """The kinds of units that stand on the board; complexes are recorded on their own."""
        names = tuple(n for n in self.board.units if n != COMPLEX)
        return Domain(EnumSort("kind of unit", names), refused={COMPLEX: "where complexes stand, `complexes:` says"})

    @cached_property
    def complex_kinds(self) -> Domain:
        """The kind of industrial complex in a territory."""
        return Domain(EnumSort("complex", (NONE, PERMANENT, BOUGHT)))

    @cached_property
    def teams(self) -> Domain:
        """The two teams that bid for the Axis, by the argument that gives their bid."""
        return Domain(EnumSort("team", (NONE, SIDE_A, SIDE_B)))

    @cached_property
    def phases(self) -> Domain:
        """The phases of a turn."""
        return Domain(EnumSort("phase", (BEGIN, PURCHASE, COMBAT, MOBILIZE)))

    @cached_property
    def yes_or_no(self) -> Domain:
        """A choice."""
        other = {"false": "no", "true": "yes", "off": "no", "on": "yes"}
        return Domain(EnumSort("choice: yes or no", ("no", "yes")), other)

    @cached_property
    def power_or_none(self) -> Domain:
        """The powers, and none."""
        return Domain(EnumSort("power or none", (NONE, *self.board.powers)), self.powers.aliases, self.powers.refused)

    @cached_property
    def side_or_none(self) -> Domain:
        """The sides, and none."""
        return Domain(EnumSort("side or none", (NONE, *self.board.sides)))


def _or_none(known: Domain) -> Domain:
    """A domain with `none` as one more member."""
    sort = EnumSort(f"{known.sort.name} (or none)", (NONE, *known.sort.members))
    return Domain(sort, known.aliases, known.refused)


class NamedFamily(cached_property[Family]):
    """A family of fluents with the name of its attribute, over domains of `Names`."""

    def __init__(self, values: Sort | str, *indices: str, least: int | None = None):
        """The family of each instance of `Names`; see `Family`.

        Args:
            values: The sort of its values, or the attribute with the domain that they are from.
            indices: The attribute with the domain of each index.
            least: The smallest number that a file may give.
        """
        super().__init__(self._made)
        self._values, self._indices, self._least, self._text = values, indices, least, ""

    def meaning(self, text: str) -> Self:
        """The same family with its meaning, in a line."""
        self._text = text
        return self

    def _made(self, names: Names) -> Family:
        assert self.attrname is not None, "it is an attribute"
        indices = tuple(getattr(names, name) for name in self._indices)
        sort, values = self._values, None
        if isinstance(sort, str):
            values = getattr(names, sort)
            sort = values.sort
        return Family(self.attrname, sort, self._text, indices, values, self._least)
