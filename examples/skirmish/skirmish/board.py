"""The board: what a board file holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from vclogic.errors import did_you_mean
from vclogic.model.system import Flaw

SIDES = ("Red", "Blue")
MOST = 2  # units of an area


@dataclass(frozen=True)
class Area:
    """An area.

    Attributes:
        red: How many red units stand there at the start.
        blue: How many blue ones.
    """

    red: int = 0
    blue: int = 0


@dataclass(frozen=True)
class Board:
    """The board.

    Attributes:
        rounds: How many rounds are played.
        areas: The areas by name.
        borders: Pairs of areas that are neighbours.
    """

    rounds: int
    areas: Mapping[str, Area]
    borders: tuple[tuple[str, str], ...]

    def neighbours(self, name: str) -> list[str]:
        """The neighbours of an area."""
        return [b if a == name else a for a, b in self.borders if name in (a, b)]

    def units(self, side: str, name: str) -> int:
        """How many units of a side stand in an area at the start."""
        area = self.areas[name]
        return area.red if side == "Red" else area.blue


def flaws(board: Board) -> Iterator[Flaw]:
    """What is wrong with a board; vclogic shows it at its line."""
    if board.rounds < 1:
        yield Flaw(("rounds",), "at least one round is played")
    if not board.areas:
        yield Flaw(("areas",), "a board needs areas")
    for name, area in board.areas.items():
        for key, n in (("red", area.red), ("blue", area.blue)):
            if not 0 <= n <= MOST:
                yield Flaw(("areas", name, key), f"{n} units: there may be 0 to {MOST}")
        if area.red and area.blue:
            yield Flaw(("areas", name), f"units of both sides stand in {name}")
    for i, border in enumerate(board.borders):
        for j, name in enumerate(border):
            if name not in board.areas:
                yield Flaw(("borders", i, j), f"there is no area {name!r}", did_you_mean(name, board.areas))
