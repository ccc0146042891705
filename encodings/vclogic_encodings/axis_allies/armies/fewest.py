"""The fewest units that win a battle, found by trying all numbers of land units and aircraft."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from vclogic_encodings.axis_allies.armies.laws import most_aboard
from vclogic_encodings.axis_allies.armies.roles import Roles


@dataclass(frozen=True)
class Attackers:
    """The units that can be brought into one battle.

    Attributes:
        roles: Which units do what.
        most: The most units of each kind.
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
            if self.on_land and not soldiers and not self._harmless:
                continue
            for others, more in enumerate(self._others):
                if have + more >= strength:
                    yield soldiers, others
                    break

    @property
    def _harmless(self) -> bool:
        """Whether a land unit may be there that adds nothing to an attack, and so is not counted here."""
        return any(not self.roles.board.units[u].attack for u in self.roles.soldiers)

    @cached_property
    def _others(self) -> list[int]:
        """The most attack of no, one, two ... units that are no land units."""
        others = [u for u in self.most if u not in self.roles.soldiers]
        return _sums(self._each(others))

    @cached_property
    def _by_land(self) -> list[int]:
        """The most attack of no, one, two ... land units; each artillery strengthens one infantry by 1."""
        kinds = [u for u in self.most if u in self.roles.soldiers]
        guns = _sums(self._each([u for u in kinds if u in self.roles.supporting]))
        men = _sums(self._each([u for u in kinds if u in self.roles.supported and u not in self.roles.supporting]))
        rest = _sums(
            self._each([u for u in kinds if u not in self.roles.supporting and u not in self.roles.supported])
        )
        best = [0] * (len(guns) + len(men) + len(rest) - 2)
        for g, by_guns in enumerate(guns):
            for i, by_men in enumerate(men):
                pairs = min(g, i)
                for r, by_rest in enumerate(rest):
                    best[g + i + r] = max(best[g + i + r], by_guns + by_men + by_rest + pairs)
        return best

    def _each(self, kinds: list[str]) -> list[int]:
        """The attack of each unit of some kinds, the strongest first."""
        attack = self.roles.board.units
        return sorted((attack[u].attack for u in kinds for _ in range(self.most[u])), reverse=True)


def _sums(strengths: list[int]) -> list[int]:
    """What the first none, one, two ... of some numbers add up to."""
    sums = [0]
    for strength in strengths:
        sums.append(sums[-1] + strength)
    return sums


def fewest_with_ships(
    attackers: Attackers, strength: int, guns: int, shells: int, there: int, marching: bool
) -> int | None:
    """The fewest moves of a landing: attackers, transports that carry them, ships that come to bombard.

    Args:
        attackers: The units that can be in the battle.
        strength: What their attack must be worth, bombardment included.
        guns: The most ships that can bombard.
        shells: The most that one of them adds.
        there: How many of them are in place without a move.
        marching: Whether land units can come overland.

    Returns:
        The number; None if the battle cannot be won.
    """
    room = max(
        (most_aboard(attackers.roles.board, t, attackers.roles.soldiers) for t in attackers.roles.transports),
        default=1,
    )
    best: int | None = None
    for firing in range(guns + 1):
        for soldiers, others in attackers.forces(strength - firing * shells):
            ships = -(-soldiers // room) if not marching else min(firing, 1)
            moves = soldiers + others + ships + max(firing - there, 0)
            best = moves if best is None else min(best, moves)
    return best
