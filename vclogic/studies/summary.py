"""Summaries of the rows of a study: rates with intervals, lengths, ends of games, strength of players."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from vclogic.studies.folder import Row

_Z = 1.959964  # of 95 in 100
PLAYER = "player "
"""What the name of the column of a side's player begins with."""


@dataclass(frozen=True)
class Rate:
    """A share of games, with an interval.

    Attributes:
        count: In how many games.
        of: Of how many.
        low: The lower end of the interval of 95 in 100.
        high: Its upper end.
    """

    count: int
    of: int
    low: float
    high: float

    @property
    def value(self) -> float:
        """The share."""
        return self.count / self.of if self.of else math.nan

    def __str__(self) -> str:
        return f"{self.value:.1%} ({100 * self.low:.1f}-{100 * self.high:.1f})"


def rate(count: int, of: int) -> Rate:
    """A share with the interval of Wilson (1927), which is right for few games and for shares near 0 and 1 too."""
    if not of:
        return Rate(0, 0, 0.0, 1.0)
    p, z2 = count / of, _Z * _Z
    middle = (p + z2 / (2 * of)) / (1 + z2 / of)
    half = _Z / (1 + z2 / of) * math.sqrt(p * (1 - p) / of + z2 / (4 * of * of))
    return Rate(count, of, max(0.0, min(middle - half, p)), min(1.0, max(middle + half, p)))


@dataclass(frozen=True)
class CellSummary:
    """The games of one cell.

    Attributes:
        cell: What tells it from the others.
        games: How many games there are.
        wins: How often each side won, alone or with others.
        drawn: How often nobody won.
        first: How often the side that decided first won.
        ended: How the games ended, with how many of each.
        outcomes: Which outcome ended them.
        lengths: The number of events of each, in ascending order.
        unused: The kinds of events that happened in none of them.
        changed: How often each fact that says whose something is changed in all of them.
    """

    cell: Mapping[str, str | int]
    games: int
    wins: Mapping[str, Rate]
    drawn: Rate
    first: Rate
    ended: Mapping[str, int]
    outcomes: Mapping[str, int]
    lengths: Sequence[int]
    unused: Sequence[str]
    changed: Mapping[str, int]


def summaries(
    rows: Iterable[Row], names: Sequence[str], sides: Sequence[str], kinds: Sequence[str]
) -> list[CellSummary]:
    """A summary of the games of each cell, in the order of the table.

    Args:
        rows: The rows of the study.
        names: The columns that tell cells apart.
        sides: The sides of the game.
        kinds: The kinds of events of the game.
    """
    cells: dict[tuple[object, ...], list[Row]] = {}
    for row in rows:
        cells.setdefault(tuple(row.get(name) for name in names), []).append(row)
    return [_summary(dict(zip(names, key, strict=True)), of, sides, kinds) for key, of in cells.items()]  # type: ignore[arg-type]


def _summary(
    cell: Mapping[str, str | int], rows: Sequence[Row], sides: Sequence[str], kinds: Sequence[str]
) -> CellSummary:
    n, winners = len(rows), Counter(side for row in rows for side in row["winners"] or (None,))
    begun = [row for row in rows if row["first"] is not None]
    changed: Counter[str] = Counter()
    for row in rows:
        changed.update(dict(row["changed"] or ()))
    used = {kind for row in rows for kind in row["used"]}
    return CellSummary(
        cell,
        n,
        {side: rate(winners[side], n) for side in sides},
        rate(winners[None], n),
        rate(sum(row["first"] in row["winners"] for row in begun), len(begun)),
        dict(Counter(row["ended"] for row in rows).most_common()),
        dict(Counter(_outcome(row) for row in rows if row["outcome"]).most_common()),
        sorted(row["events"] for row in rows),
        [kind for kind in kinds if kind not in used],
        dict(changed.most_common()),
    )


def _outcome(row: Row) -> str:
    return str(row["outcome"]) if row["winner"] is None else f"{row['outcome']} of {row['winner']}"


@dataclass(frozen=True)
class VaryingEffect:
    """The effect of one of the things that vary on a side's win rate, the others as they come.

    Attributes:
        name: What varies.
        side: The side.
        rates: For each value, in the order of the study, the rate over all cells that have it.
    """

    name: str
    side: str
    rates: Sequence[tuple[str, Rate]]

    @property
    def spread(self) -> float:
        """The distance of the largest rate from the smallest."""
        shares = [r.value for _, r in self.rates]
        return max(shares) - min(shares)


def effects(cells: Sequence[CellSummary], names: Sequence[str], side: str) -> list[VaryingEffect]:
    """The effects on a side's win rate of each of the things that vary, the strongest first."""
    found = []
    for name in names:
        values = list(dict.fromkeys(c.cell[name] for c in cells))
        of = {v: [c for c in cells if c.cell[name] == v and side in c.wins] for v in values}
        rates = [
            (str(v), rate(sum(c.wins[side].count for c in cs), sum(c.games for c in cs))) for v, cs in of.items()
        ]
        if len(rates) > 1 and all(r.of for _, r in rates):
            found.append(VaryingEffect(name, side, rates))
    return sorted(found, key=lambda e: -e.spread)


def elo(rows: Iterable[Row], sides: Sequence[str]) -> dict[str, float]:
    """The strength of each player in Elo points, around 1,500; empty where no two different ones met.

    By the model of Bradley and Terry (1952), fitted by Hunter's minorization (2004); a draw is half a win of each.
    Each pair that met counts one drawn game more, so that who always won has a number too. For games of two sides.
    """
    won: dict[tuple[str, str], float] = {}
    for row in rows:
        a, b = (row.get(PLAYER + side) or "random" for side in sides[:2])
        if a != b:
            share = 0.5 if row["winner"] is None else float(row["winner"] == sides[0])
            won.setdefault((a, b), 0.5), won.setdefault((b, a), 0.5)
            won[a, b] += share
            won[b, a] += 1 - share
    names = list(dict.fromkeys(a for a, _ in won))
    if not names:
        return {}
    strength = dict.fromkeys(names, 1.0)
    for _ in range(1_000):
        before = dict(strength)
        for a in names:
            met = [b for b in names if (a, b) in won]
            total = sum(won[a, b] for b in met)
            strength[a] = total / sum((won[a, b] + won[b, a]) / (before[a] + before[b]) for b in met)
        scale = math.exp(sum(map(math.log, strength.values())) / len(names))
        strength = {a: s / scale for a, s in strength.items()}
        if max(abs(strength[a] - before[a]) for a in names) < 1e-9:
            break
    return {a: 1500 + 400 * math.log10(s) for a, s in strength.items()}
