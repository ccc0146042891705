"""The board: what a board file holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from vclogic.errors import did_you_mean
from vclogic.model.system import Flaw

SIDES = ("Red", "Blue")


@dataclass(frozen=True)
class Place:
    """A place on the map.

    Attributes:
        owner: The side that holds it at the start.
        points: What it is worth.
    """

    owner: Literal["Red", "Blue"]
    points: int


@dataclass(frozen=True)
class Board:
    """The board.

    Attributes:
        needed: The points with which a side wins.
        places: The places by name.
        roads: Pairs of places; a road leads both ways.
    """

    needed: int
    places: Mapping[str, Place]
    roads: tuple[tuple[str, str], ...]

    def neighbours(self, name: str) -> list[str]:
        """The places to which a road leads from one."""
        return [b if a == name else a for a, b in self.roads if name in (a, b)]


def flaws(board: Board) -> Iterator[Flaw]:
    """The faults of a board; vclogic shows each at its line."""
    if not board.places:
        yield Flaw(("places",), "a board needs places")
    for name, place in board.places.items():
        if place.points < 0:
            yield Flaw(("places", name, "points"), f"{name} is worth less than nothing")
    for i, road in enumerate(board.roads):
        for j, name in enumerate(road):
            if name not in board.places:
                yield Flaw(("roads", i, j), f"there is no place {name!r}", did_you_mean(name, board.places))
