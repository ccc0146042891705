"""The fewest units that win a battle, found by trying all numbers of land units and aircraft."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, product

from vclogic_encodings.axis_allies.armies.laws import most_aboard
from vclogic_encodings.axis_allies.roles import Roles


@dataclass(frozen=True)
class AvailableUnits:
    """The units that can be brought into one battle.

    Attributes:
        roles: Which units do what.
        most: The most units of each kind; land units of every kind that can be there, those without attack too.
        on_land: Whether the battle is for a territory: it then takes a land unit.
    """

    roles: Roles
    most: Mapping[str, int]
    on_land: bool

    def fewest(self, strength: int) -> int | None:
        """The fewest units with so much attack; None if all of them have less."""
        return min((soldiers + others for soldiers, others in self.forces(strength)), default=None)

    def forces(self, strength: int) -> Iterator[tuple[int, int]]:
        """For each number of land units the fewest others with which they have so much attack."""
        for soldiers, have in enumerate(self._by_land):
            if self.on_land and not soldiers:
                continue
            for others, more in enumerate(self._others):
                if have + more >= strength:
                    yield soldiers, others
                    break

    @cached_property
    def _others(self) -> list[int]:
        """The greatest attack of 0, 1, 2 ... ships and aircraft."""
        others = [u for u in self.most if u not in self.roles.soldiers]
        return self._greatest(others)

    @cached_property
    def _by_land(self) -> list[int]:
        """The greatest attack of 0, 1, 2 ... land units; each artillery strengthens one infantry by 1."""
        kinds = ((True, False), (False, True), (True, True), (False, False))
        guns, men, both, rest = (self._of(supporting, supported) for supporting, supported in kinds)
        pairing = [0] * (len(guns) + len(men) + len(both) - 2)
        for (g, by_guns), (i, by_men), (x, by_both) in product(enumerate(guns), enumerate(men), enumerate(both)):
            strength = by_guns + by_men + by_both + min(g + x, i + x)
            pairing[g + i + x] = max(pairing[g + i + x], strength)
        best = [0] * (len(pairing) + len(rest) - 1)
        for (n, by_pairs), (r, by_rest) in product(enumerate(pairing), enumerate(rest)):
            best[n + r] = max(best[n + r], by_pairs + by_rest)
        return best

    def _of(self, supporting: bool, supported: bool) -> list[int]:
        """The greatest attack of 0, 1, 2 ... of the land units that support or not, are supported or not."""
        roles = self.roles
        alike = [
            u
            for u in self.most
            if u in roles.soldiers and (u in roles.supporting, u in roles.supported) == (supporting, supported)
        ]
        return self._greatest(alike)

    def _greatest(self, kinds: list[str]) -> list[int]:
        """The greatest attack of 0, 1, 2 ... units of some kinds: the strongest first."""
        attack = self.roles.board.units
        each = sorted((attack[u].attack for u in kinds for _ in range(self.most[u])), reverse=True)
        return list(accumulate(each, initial=0))


def fewest_moves(
    roles: Roles, forces: Callable[[int], Iterable[tuple[int, int]]], guns: int, there: int, marching: bool
) -> int | None:
    """The fewest moves of a landing: attackers, transports that carry them, ships that come to bombard.

    Args:
        roles: Which units do what.
        forces: For each number of ships that bombard, the land units and others with which they win.
        guns: The most ships that can bombard.
        there: How many of them are in place without a move.
        marching: Whether land units can come overland.

    Returns:
        The number; None if the battle cannot be won.
    """
    room = max((most_aboard(roles.board, t, roles.soldiers) for t in roles.transports), default=0)
    best: int | None = None
    for firing in range(guns + 1):
        for soldiers, others in forces(firing):
            carrying = -(-soldiers // max(room, 1)) if not marching else min(firing, 1)
            moves = soldiers + others + carrying + max(firing - there, 0)
            best = moves if best is None else min(best, moves)
    return best
