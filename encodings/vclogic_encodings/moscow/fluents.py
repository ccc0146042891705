"""The fluents of the game: where units are, whose places are, points for the front line, and time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from vclogic_encodings.moscow.board import ELIMINATED, OFF, SIDES, Board, Place, enemy
from vclogic_encodings.moscow.citing import encodes

from vclogic.model.fluents import Family, Value
from vclogic.model.memoized import memoized
from vclogic.terms.atoms import member
from vclogic.terms.build import all_of, and_, any_of, eq, is_in, ite, not_, or_
from vclogic.terms.domain import Domain, grouped
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import BOOL, EnumSort, IntSort
from vclogic.terms.term import Term

NONE = "none"
LAST_ROUND = 1000
"""The largest number of turns."""
POINTS = 9999
"""The largest number of points for the front line, and for places."""
Changes = Mapping[Term, Term]
"""Fluents and their values after something has happened."""


class Fluents:
    """The state variables over one board, and who is where in terms of them.

    Attributes:
        board: The board.
        eb_counts: Whether EB units hold places and deny them.
        holds_each_turn: Whether places bring points as each turn ends.
    """

    def __init__(self, board: Board, *, eb_counts: bool = True, holds_each_turn: bool = False, earlier: bool = False):
        self.board = board
        self.eb_counts = eb_counts
        self.holds_each_turn = holds_each_turn

        # the families of fluents
        text = "where the unit is: a hex `column,row`, off (not on the map yet, or no more) or eliminated"
        self.at = Family("at", self.whereabouts.sort, text, (self.units,), self.whereabouts)
        text = "the last side that had a unit in the place with no enemy unit in it; left out: who has one there "
        text += "now, else as at the start"
        self.owner = Family("owner", self.side_or_none.sort, text, (self.places,), self.side_or_none)
        text = "the side has captured the place from the other side during the game; left out: no, unless the place "
        text += "is the side's and was not at the start"
        self.taken = Family("taken", BOOL, text, (self.places, self.sides))
        text = "Victory Points that the side has got so far for hex rows that the other side left uncovered"
        self.front = Family("front", IntSort(0, POINTS), text, (self.sides,))
        text = "Victory Points that the side has got so far for places held as turns ended (reading hold_points)"
        self.held = Family("held", IntSort(0, POINTS), text, (self.sides,))
        text = "Victory Points that the side has been awarded for what the position does not show"
        self.earlier = Family("earlier", IntSort(0, POINTS), text, (self.sides,), otherwise=0, empty=not earlier)
        self.turn = Family("turn", self.sides.sort, "the side whose player-turn it is", values=self.sides)
        self.round = Family("round", IntSort(1, LAST_ROUND), "the turn, of one player-turn of each side", least=1)
        self.over = Family("over", BOOL, "the game has ended: points are totalled and the level is judged")

    # ---- the names that files, goals and records use

    @cached_property
    def sides(self) -> Domain:
        """The two sides."""
        return Domain(EnumSort("side", SIDES), {s.lower(): s for s in SIDES} | {f"{s}s": s for s in SIDES})

    @cached_property
    def side_or_none(self) -> Domain:
        """The sides, and none."""
        return Domain(EnumSort("side or none", (NONE, *SIDES)), self.sides.aliases)

    @cached_property
    def units(self) -> Domain:
        """The units."""
        units = self.board.units
        groups = grouped("side", {n: u.side for n, u in units.items()})
        return Domain(
            EnumSort("unit", tuple(units)), groups=groups | grouped("size", {n: u.size for n, u in units.items()})
        )

    @cached_property
    def places(self) -> Domain:
        """The objectives."""
        places, grid = self.board.places, self.board.grid
        whole = {name: set(place.hexes) for name, place in places.items()}
        lines = {line: tuple(n for n, own in whole.items() if own <= {*h}) for line, h in grid.lines.items()}
        groups = grouped("home", {n: place.owner or NONE for n, place in places.items()})
        groups |= {line: names for line, names in lines.items() if names}
        return Domain(EnumSort("place", tuple(places)), groups=groups)

    @cached_property
    def rows(self) -> Domain:
        """The hex rows, by number."""
        return Domain(EnumSort("hex row", tuple(self.board.hex_rows)))

    @cached_property
    def hexes(self) -> Domain:
        """The hexes of the map; one that is a place by itself goes by the place's name too."""
        aliases, refused = self._other_names()
        return Domain(EnumSort("hex", self.board.grid.hexes), aliases, refused)

    @cached_property
    def destinations(self) -> Domain:
        """The hexes, and off the map."""
        aliases, refused = self._other_names()
        members = (*self.board.grid.hexes, OFF)
        return Domain(EnumSort("hex (or off)", members), aliases, {ELIMINATED: "record `eliminate`", **refused})

    @cached_property
    def whereabouts(self) -> Domain:
        """The places of a unit: off the map (the first member: as a choice it means staying), a hex, eliminated."""
        aliases, refused = self._other_names()
        return Domain(EnumSort("whereabouts", (OFF, *self.board.grid.hexes, ELIMINATED)), aliases, refused)

    def _other_names(self) -> tuple[dict[str, str], dict[str, str]]:
        aliases: dict[str, str] = {}
        refused = dict.fromkeys(self.board.absent, "it is not on the map")
        for name, place in self.board.places.items():
            if len(place.hexes) == 1:
                aliases[name] = place.hexes[0]
            else:
                refused[name] = f"it has {len(place.hexes)} hexes: {' and '.join(place.hexes)}"
        return aliases, refused

    @cached_property
    def families(self) -> tuple[Family, ...]:
        """The families of fluents."""
        held = (self.held,) if self.holds_each_turn else ()
        earlier = () if self.earlier.empty else (self.earlier,)
        return (self.at, self.owner, self.taken, self.front, *held, *earlier, self.turn, self.round, self.over)

    # ---- the start

    def initial(self) -> dict[Term, Value]:
        """The start of the game on this board."""
        values: dict[Term, Value] = {self.at[u]: unit.at for u, unit in self.board.units.items()}
        values |= dict.fromkeys(self.taken.fluents.values(), False)
        values |= dict.fromkeys((*self.front.fluents.values(), *self.earlier.fluents.values()), 0)
        if self.holds_each_turn:
            values |= dict.fromkeys(self.held.fluents.values(), 0)
        values |= {self.turn.fluent: self.board.first, self.round.fluent: 1, self.over.fluent: False}
        return values

    def defaults(self) -> dict[Term, Term]:
        """Defaults without history: a place belongs to the side that is in it alone, else as at the start."""
        found: dict[Term, Term] = {}
        for name, place in self.board.places.items():
            found[self.owner[name]] = self._then(name, member(self.side_or_none.sort, place.owner or NONE))
        return found

    # ---- who is where

    def alive(self, side: str) -> Iterable[Term]:
        """The place of each unit of a side."""
        return (self.at[u] for u in self.board.army(side))

    def stands(self, side: str, hexes: Iterable[str]) -> Term:
        """True if a unit of a side is in one of some hexes."""
        there = tuple(hexes)
        return any_of(is_in(place, there) for place in self.alive(side))

    def on_map(self, unit: str) -> Term:
        """True if a unit is on the map."""
        return not_(is_in(self.at[unit], (OFF, ELIMINATED)))

    def present(self, side: str, place: Place) -> Term:
        """True if a unit is in a place that can hold it, and deny it to the enemy."""
        units = self.board.units
        holders = [self.at[u] for u in self.board.army(side) if self.eb_counts or not units[u].eb]
        return _one_in(self.board, tuple(holders), place.hexes)

    @encodes("schedule-p2/1")
    def alone(self, side: str, name: str) -> Term:
        """A side has a place for itself with a unit in one of its hexes and no enemy unit in any of them."""
        place = self.board.places[name]
        return and_(self.present(side, place), not_(self.present(enemy(side), place)))

    def captured(self, side: str, name: str) -> Term:
        """True if a side has captured a place during the game."""
        if self.board.places[name].owner == side:
            return self.taken[name, side]
        return or_(self.taken[name, side], eq(self.owner[name], side))

    def mixed(self, hex_: str) -> Term:
        """True if units of both sides are in a hex."""
        return all_of(self.stands(side, (hex_,)) for side in SIDES)

    # ---- what follows when units have moved

    def _then(self, name: str, before: Term) -> Term:
        """The owner of a place, given its owner before."""
        owner = before
        for side in SIDES:
            owner = ite(self.alone(side, name), member(self.side_or_none.sort, side), owner)
        return owner

    @cached_property
    def _owners(self) -> Mapping[str, Term]:
        """The owner of each place, by the units there and its owner before."""
        return {name: self._then(name, self.owner[name]) for name in self.board.places}

    def touched(self, to: str | None = None) -> tuple[str, ...]:
        """The places that may change hands when a unit moves or is eliminated.

        In a place of one hex there are never units of both sides, so none changes hands by being left.
        """
        entered = self.board.place_of.get(to or "")
        return tuple(n for n, place in self.board.places.items() if n == entered or len(place.hexes) > 1)

    def with_places(
        self, changes: Changes, places: Iterable[str] | None = None, known: Iterable[Term] | None = None
    ) -> dict[Term, Term]:
        """The changes of units' whereabouts, and what becomes of the places.

        Args:
            changes: Where units are afterwards.
            places: The places that may change hands; None: any.
            known: The fluents that matter; None: all.
        """
        matter = {*self.owner.fluents.values(), *self.taken.fluents.values()} if known is None else {*known}
        after = Substitution(changes)
        found = dict(changes)
        for name in self.board.places if places is None else places:
            was = self.owner[name]
            here = [was, *(self.taken[name, s] for s in SIDES)]
            if matter.isdisjoint(here):
                continue
            owner = after(self._owners[name])
            if owner is was:
                continue
            found[was] = owner
            for side in SIDES:
                gained = and_(eq(owner, side), not_(eq(was, side)))
                found[self.taken[name, side]] = or_(self.captured(side, name), gained)
        return found

    @property
    def going_on(self) -> Term:
        """True if the game has not ended."""
        return not_(self.over.fluent)

    def turn_of(self, side: str) -> Term:
        """True if it is a side's player-turn."""
        return eq(self.turn.fluent, side)


@memoized
def _one_in(board: Board, units: tuple[Term, ...], hexes: tuple[str, ...]) -> Term:
    """True if one of some units is in some hexes; systems of one board share the term."""
    return any_of(is_in(place, hexes) for place in units)
