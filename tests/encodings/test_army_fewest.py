"""The fewest units that win a battle against all numbers of units, tried one by one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from math import ceil

from hypothesis import event, given
from hypothesis import strategies as st
from vclogic_encodings.axis_allies.armies.fewest import AvailableUnits, fewest_moves
from vclogic_encodings.axis_allies.board import Board, Power, Territory, UnitType
from vclogic_encodings.axis_allies.roles import Roles, Theatre

from tests.fixtures.pace import examples
from tests.toys.army_boards import TYPES
from tests.toys.army_starts import kinds

THEATRES: tuple[Theatre, ...] = ("full", "full", "land")


@dataclass(frozen=True)
class Battle:
    """Units that can be brought into one battle."""

    types: Mapping[str, UnitType]
    theatre: Theatre
    most: Mapping[str, int]
    on_land: bool

    @property
    def attackers(self) -> AvailableUnits:
        board = Board(
            powers={"Germans": Power("Axis", "Germans"), "Russians": Power("Allies", "Russians")},
            turn_order=("Germans", "Russians"),
            judged_after="Russians",
            ranks={"capital": 5, "major": 3, "moderate": 2, "minor": 1},
            major_victory={"Axis": 1, "Allies": 1},
            territories={"A": Territory("land", "Germans")},
            connections=(),
            unit_types=self.types,
        )
        return AvailableUnits(Roles(board, self.theatre), self.most, self.on_land)

    def forces(self, strength: int) -> Iterator[tuple[int, int]]:
        """Land units and others of every force that has so much attack; on land with a land unit."""
        for counts in product(*(range(n + 1) for n in self.most.values())):
            there = [(self.types[u], n) for u, n in zip(self.most, counts, strict=True)]
            worth = sum(u.attack * n for u, n in there)
            if self.theatre == "full":
                guns = sum(n for u, n in there if u.kind == "land" and u.supports_infantry)
                worth += min(guns, sum(n for u, n in there if u.kind == "land" and u.supported_by_artillery))
            soldiers = sum(n for u, n in there if u.kind == "land")
            if worth >= strength and (soldiers or not self.on_land):
                yield soldiers, sum(counts) - soldiers


@st.composite
def battles(draw: st.DrawFn) -> Battle:
    types = draw(st.one_of(st.just(TYPES), kinds()))
    theatre, on_land = draw(st.sampled_from(THEATRES)), draw(st.booleans())
    air = ("fighter", "bomber") if theatre == "full" else ()
    some = ("infantry", "artillery", "armour", *air) if on_land else ("battleship", "carrier", "submarine", *air)
    most = {u: draw(st.integers(0, 3)) for u in draw(st.permutations(some))}
    return Battle(types, theatre, most, on_land)


@examples(150)
@given(battles(), st.integers(-2, 25))
def test_no_force_that_wins_is_smaller(battle: Battle, strength: int) -> None:
    best = min((a + b for a, b in battle.forces(strength)), default=None)
    event(str(best))
    assert battle.attackers.fewest(strength) == best


@examples(100)
@given(battles(), st.integers(1, 30), *(st.integers(0, 3) for _ in range(3)), st.booleans())
def test_no_landing_takes_fewer_moves(
    battle: Battle, strength: int, guns: int, shells: int, there: int, marching: bool
) -> None:
    ships = [u for u in battle.types.values() if u.kind == "sea" and u.transport_room]
    room = max(u.transport_room // 2 for u in ships) if battle.theatre == "full" else 0  # an infantry takes 2
    moves = []
    for firing in range(guns + 1):
        for soldiers, others in battle.forces(strength - firing * shells):
            carrying = min(firing, 1) if marching else ceil(soldiers / max(room, 1))
            moves.append(soldiers + others + carrying + max(firing - there, 0))
    men = battle.attackers
    found = fewest_moves(men.roles, lambda n: men.forces(strength - n * shells), guns, there, marching)
    event(str(found))
    assert found == min(moves, default=None)
