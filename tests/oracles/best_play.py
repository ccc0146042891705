"""Best play in a game whose positions can all be listed, by going back from the end, in plain Python.

A game is over where somebody has won, where the rules say so, and where nothing can happen. A side wins from a
position if it can bring about a win whatever the other side does and whatever the rules leave open. The length of a
win is counted in turns, then in events: the winner hurries, the loser delays. A turn is a run of events that one side
decides; it ends where the next event may be another's. Where neither side can win, and neither need lose, the play is
endless where one of them can keep it going for ever without losing, and a draw where each of them can see to it that
it ends.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

P = TypeVar("P", bound=Hashable)
Length = tuple[int, int]
"""Turns, then events."""
NEVER: Length = (10**9, 10**9)
DRAW, ENDLESS, OPEN = "draw", "endless", "open"
NOBODY = None


@dataclass(frozen=True)
class Edge(Generic[P]):
    """An event in a position.

    Attributes:
        who: The side that decides it, or None.
        event: The event.
        after: The position after it.
    """

    who: str | None
    event: object
    after: P


@dataclass(frozen=True)
class Positions(Generic[P]):
    """All positions that can come about.

    Attributes:
        start: The first of them.
        result: For each who has won, `draw`, or None while the game goes on.
        edges: What can happen in each; nothing where the game is over.
    """

    start: P
    result: Mapping[P, str | None]
    edges: Mapping[P, tuple[Edge[P], ...]]


def positions(
    start: P,
    result: Callable[[P], str | None],
    events: Callable[[P], Iterable[tuple[str | None, object, P]]],
    most: int = 100_000,
) -> Positions[P] | None:
    """Every position that events lead to; None where there are more than so many. Nothing follows on a result."""
    results: dict[P, str | None] = {start: result(start)}
    edges: dict[P, tuple[Edge[P], ...]] = {}
    queue = [start]
    for at in queue:
        edges[at] = () if results[at] else tuple(Edge(*e) for e in events(at))
        for e in edges[at]:
            if e.after not in results:
                results[e.after] = result(e.after)
                queue.append(e.after)
        if not edges[at] and not results[at]:
            results[at] = DRAW
        if len(queue) > most:
            return None
    return Positions(start, results, edges)


@dataclass(frozen=True)
class Value:
    """What best play comes to.

    Attributes:
        value: The side that wins, `draw`, `endless` or `open`.
        turns: After how many turns, where a side wins.
        events: After how many events.
    """

    value: str
    turns: int | None = None
    events: int | None = None


Group = tuple[str | None, tuple[Edge[P], ...]]
"""Who decides, and the events that it decides."""


class Solver(Generic[P]):
    """Best play from every position.

    Args:
        game: The positions.
        sides: The two sides.
    """

    def __init__(self, game: Positions[P], sides: tuple[str, str]):
        self.game = game
        self.sides = sides
        self.groups: dict[P, tuple[Group[P], ...]] = {p: tuple(_grouped(e)) for p, e in game.edges.items()}
        self.wins = {s: self._lengths(s) for s in sides}
        self.safe = {s: self._sure_not_to_lose(s) for s in sides}
        calm = self.safe[sides[0]] & self.safe[sides[1]]
        self.ends = {s: self._ends(s, calm) for s in sides}
        self.goes_on = {s: self._goes_on(s, calm) for s in sides}

    def value(self, at: P) -> Value:
        """What best play from a position comes to."""
        for side in self.sides:
            if self.wins[side][at, None] < NEVER:
                return Value(side, *self.wins[side][at, None])
        if all(at in self.ends[s] for s in self.sides):
            return Value(DRAW)
        return Value(ENDLESS if any(at in self.goes_on[s] for s in self.sides) else OPEN)

    # ---- wins

    def _lengths(self, side: str) -> dict[tuple[P, str | None], Length]:
        """How long a side's win takes from a position, after an event of somebody; in passes until all stays."""
        game = self.game
        lasts: tuple[str | None, ...] = (None, *self.sides)
        found = {(p, last): (0, 0) if game.result[p] == side else NEVER for p in game.result for last in lasts}
        changed, backwards = True, list(game.edges)[::-1]
        while changed:
            changed = False
            for p in backwards:
                if not game.edges[p]:
                    continue
                for last in lasts:
                    new = max(self._best(found, side, last, group) for group in self.groups[p])
                    if new != found[p, last]:
                        found[p, last] = new
                        changed = True
        return found

    def _best(
        self, found: Mapping[tuple[P, str | None], Length], side: str, last: str | None, group: Group[P]
    ) -> Length:
        who, edges = group
        after = [found[e.after, who if self._alone(e.after, who) else None] for e in edges]
        turns, events = min(after) if who == side else max(after)
        more = int(who is not None and who != last)
        return NEVER if turns >= NEVER[0] else (turns + more, events + 1)

    def _alone(self, at: P, who: str | None) -> bool:
        """True if nobody else may act in a position."""
        return all(other == who for other, _ in self.groups[at])

    # ---- where nobody wins

    def _sure_not_to_lose(self, side: str) -> set[P]:
        """Where a side can see to it that it does not lose."""
        game = self.game
        fine = {p for p in game.result if game.result[p] in (side, DRAW) or game.edges[p]}
        return self._stay(fine, {side}, game.edges.keys())

    def _goes_on(self, side: str, calm: set[P]) -> set[P]:
        """Where neither need lose, and a side can keep the game going while the other takes care not to lose."""
        return self._stay({p for p in calm if self.game.edges[p]}, {side}, calm)

    def _ends(self, side: str, calm: set[P]) -> set[P]:
        """Where neither need lose, and a side can see to it that the game ends while the other takes care."""
        game = self.game
        found = {p for p in calm if not game.edges[p]}
        while True:
            more = {p for p in calm - found if self._can(p, found, {side}, calm)}
            if not more:
                return found
            found |= more

    def _stay(self, inside: set[P], ours: set[str], usable: Iterable[P]) -> set[P]:
        """The largest part of some positions that we can stay in, or that are ends."""
        usable = set(usable)
        while True:
            left = {p for p in inside if not self.game.edges[p] or self._can(p, inside, ours, usable)}
            if left == inside:
                return inside
            inside = left

    def _can(self, p: P, inside: set[P], ours: set[str], usable: set[P]) -> bool:
        """Whether we can go to some positions, whoever acts; everybody keeps to usable ones."""
        for who, edges in self.groups[p]:
            after = [e.after for e in edges if e.after in usable]
            if not (any if who in ours else all)(a in inside for a in after):
                return False
        return True


def _grouped(edges: Iterable[Edge[P]]) -> Iterator[Group[P]]:
    edges = tuple(edges)
    for who in dict.fromkeys(e.who for e in edges):
        yield who, tuple(e for e in edges if e.who == who)
