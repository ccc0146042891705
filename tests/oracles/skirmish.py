"""Skirmish (examples/rulebooks/skirmish.md) in plain Python, written from its text: who wins, in how many turns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

MOST = 2
Units = tuple[tuple[int, ...], tuple[int, ...]]
Position = tuple[Units, int, int]
"""Units of each side in each area, whose turn it is, and the round."""


@dataclass(frozen=True)
class Skirmish:
    """A board.

    Attributes:
        rounds: How many rounds are played.
        near: The neighbours of each area.
        start: Where units stand first.
    """

    rounds: int
    near: tuple[tuple[int, ...], ...]
    start: Units

    @staticmethod
    def read(board: Mapping[str, Any]) -> Skirmish:
        """The board of a file."""
        names = list(board["areas"])
        number = {name: i for i, name in enumerate(names)}
        near: list[list[int]] = [[] for _ in names]
        for a, b in board["borders"]:
            near[number[a]].append(number[b])
            near[number[b]].append(number[a])
        red, blue = (tuple(board["areas"][n].get(side, 0) for n in names) for side in ("red", "blue"))
        return Skirmish(board["rounds"], tuple(map(tuple, near)), (red, blue))

    @property
    def first(self) -> Position:
        """Where the game begins."""
        return self.start, 0, 1

    def winner(self, position: Position) -> int | None:
        """The side that has won: 0 Red, 1 Blue; 2: the game is over and nobody has; None: it is not over."""
        units, _, round = position
        for side in (0, 1):
            if not any(units[1 - side]):
                return side if any(units[side]) else 2
        if round <= self.rounds:
            return None
        red, blue = (sum(n > 0 for n in u) for u in units)
        return 2 if red == blue else int(blue > red)

    def next(self, position: Position) -> Iterator[Position]:
        """The positions after the next turn."""
        units, side, round = position
        mine, theirs = units[side], units[1 - side]

        def after(mine: tuple[int, ...], theirs: tuple[int, ...]) -> Position:
            return ((mine, theirs) if side == 0 else (theirs, mine)), 1 - side, round + side

        yield after(mine, theirs)
        for a, n in enumerate(mine):
            for b in self.near[a] if n else ():
                if not theirs[b] and mine[b] < MOST:
                    yield after(_plus(_plus(mine, a, -1), b, 1), theirs)
        for a, n in enumerate(theirs):
            if n and sum(mine[b] > 0 for b in self.near[a]) >= 2:
                yield after(mine, _plus(theirs, a, -1))

    def solved(self) -> dict[Position, tuple[int, int]]:
        """For each position that can be reached who wins (2: nobody), and after how many turns."""

        @cache
        def value(position: Position) -> tuple[int, int]:
            found[position] = (2, 0)
            winner = self.winner(position)
            if winner is not None:
                found[position] = winner, 0
                return winner, 0
            side = position[1]
            values = [value(p) for p in self.next(position)]
            for who, best in ((side, min), (2, min), (1 - side, max)):
                turns = [n for w, n in values if w == who]
                if turns:
                    found[position] = who, best(turns) + 1
                    break
            return found[position]

        found: dict[Position, tuple[int, int]] = {}
        value(self.first)
        return found


def _plus(units: tuple[int, ...], area: int, n: int) -> tuple[int, ...]:
    return (*units[:area], units[area] + n, *units[area + 1 :])


def chances(game: Skirmish) -> dict[Position, tuple[Fraction, Fraction]]:
    """For each position the exact probabilities that Red and that Blue wins, where a die is rolled for each attack.

    It hits on two of six faces. Each side plays for its probability less that of the other, then for its own.
    """

    @cache
    def result(position: Position) -> tuple[Fraction, Fraction]:
        winner = game.winner(position)
        if winner is not None:
            found[position] = Fraction(winner == 0), Fraction(winner == 1)
            return found[position]
        units, side, round = position
        missed = units, 1 - side, round + side
        results = []
        for after in game.next(position):
            there = result(after)
            if sum(after[0][1 - side]) < sum(units[1 - side]):  # an attack
                not_there = result(missed)
                there = (there[0] + 2 * not_there[0]) / 3, (there[1] + 2 * not_there[1]) / 3
            results.append(there)
        found[position] = max(results, key=lambda r: (r[side] - r[1 - side], r[side]))
        return found[position]

    found: dict[Position, tuple[Fraction, Fraction]] = {}
    result(game.first)
    return found
