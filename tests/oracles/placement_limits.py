"""The limits of the variant "Victory Cities" in plain Python, written from its text, under the default readings.

Nothing here comes from the encoding: the cities are copied from the text, under the names that it gives territories.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

CITIES = {
    "Russia": {"Russia": 5, "Caucasus": 3, "Karelia": 2, "Novosibirsk": 2, "Buryatia": 1},
    "Germany": {"Germany": 5, "S. Europe": 3, "W. Europe": 2, "Ukraine": 2, "Norway": 1},
    "UK": {"UK": 5, "E. Canada": 3, "India": 2, "Australia": 2, "Anglo-Egypt": 1},
    "Japan": {"Japan": 5, "Manchuria": 3, "Kwangtung": 2, "FIC": 2, "Philippines": 1},
    "US": {"E. US": 5, "W. US": 3, "C. US": 2, "China": 2, "Hawaii": 1},
}
NATIONS = {"Russians": "Russia", "Germans": "Germany", "British": "UK", "Japanese": "Japan", "Americans": "US"}
ORDER = tuple(NATIONS)
AXIS = {"Germans", "Japanese"}
AXIS_NATIONS = {"Germany", "Japan"}
COSTS = {
    "infantry": 3,
    "artillery": 4,
    "armour": 5,
    "aa_gun": 5,
    "fighter": 10,
    "bomber": 15,
    "transport": 8,
    "submarine": 8,
    "destroyer": 12,
    "carrier": 16,
    "battleship": 24,
}
"""Prices of the box rules."""


def captured_from_enemy(power: str, nation: str) -> bool:
    """Whether a city of a nation, in a power's hands, was captured from the other side."""
    return (power in AXIS) != (nation in AXIS_NATIONS)


def city_limit(power: str, nation: str, points: int) -> int:
    """Infantry per turn that a power may place at a city that it holds."""
    if captured_from_enemy(power, nation):
        if power in AXIS:
            return 0 if points == 1 else 1
        return 1 if points == 1 else 2
    if points == 5 and nation in ("UK", "US"):
        return 3
    if points in (3, 2) and nation == "Japan" and NATIONS[power] == "Japan":
        return 1
    return points


def limit_clause(power: str, nation: str, points: int) -> str:
    """The sentence that sets it."""
    if captured_from_enemy(power, nation):
        return "VC-infantry-p3/2" if power in AXIS else "VC-infantry-p3/3"
    exceptional = city_limit(power, nation, points) != points
    return "VC-infantry-p2/2" if exceptional else "VC-infantry-p2/1"


@dataclass
class Land:
    """What the limits of a territory depend on.

    Attributes:
        owner: Who owns it.
        owner_at_start: Who did when the turn began.
        ipc: Its IPC value.
        city: Nation and points of its city, if it has one.
        complex: The complex that stands there: permanent, bought or none.
        placed: Units placed there this turn.
    """

    owner: str
    owner_at_start: str
    ipc: int
    city: tuple[str, int] | None
    complex: str = "none"
    placed: Mapping[str, int] = field(default_factory=dict)

    def kept_by(self, power: str) -> bool:
        """Whether a power has controlled it since its turn began."""
        return self.owner == power == self.owner_at_start

    @property
    def complex_price(self) -> int:
        """What a complex there costs."""
        return 15 - self.ipc * (self.city[1] if self.city else 0)

    def infantry_limit(self, power: str) -> int:
        """Infantry that a power may place there this turn, in all."""
        return city_limit(power, *self.city) if self.city and self.kept_by(power) else 0

    @property
    def value_limit(self) -> int:
        """IPCs that units placed there this turn may be worth, in all."""
        new = self.complex == "bought" and self.placed.get("complex", 0) > 0
        ready = self.complex != "none" and not new and self.owner == self.owner_at_start
        return 4 * self.ipc if ready else 0

    @property
    def value_placed(self) -> int:
        """IPCs that the units placed there this turn are worth, infantry and complexes aside."""
        return sum(COSTS[u] * n for u, n in self.placed.items() if u not in ("infantry", "complex"))

    def may_build(self, power: str) -> bool:
        """Whether a power may have a complex placed there this turn."""
        return self.kept_by(power) and self.complex == "none"

    def may_place(self, power: str, unit: str) -> bool:
        """Whether a power may place one more unit there this turn."""
        if unit == "complex":
            return self.may_build(power)
        if unit == "infantry":
            return self.placed.get("infantry", 0) < self.infantry_limit(power)
        return self.kept_by(power) and self.value_placed + COSTS[unit] <= self.value_limit
