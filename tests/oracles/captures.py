"""Captures on small maps by brute force: written from the words of the issue, over plain Python, without terms.

A capture takes a territory that the other side controls and that touches what the capturing side controls, by land
or by at most `sea_range` sea moves between a zone that touches the one and a zone that touches the other; a canal
edge is open only while the side controls all of its land. In a turn a power makes so many captures at the most, and
so many over the borders of each territory and from each sea zone.
"""

from __future__ import annotations

import heapq
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, combinations, count, product

IDLE, ANY = "idle", "any"
Owners = tuple[str, ...]
"""The owner of each land, in the world's order."""


@dataclass(frozen=True)
class Moment:
    """A position: who owns what, and where in the order of play it is.

    Attributes:
        owners: The owner of each land.
        turn: Whose turn it is.
        round: The round of play.
        ended: Whose turn has ended just now, or `none`.
        won: Outcome and the side that was first to reach it, where one was.
    """

    owners: Owners
    turn: str
    round: int
    ended: str = "none"
    won: frozenset[tuple[str, str]] = frozenset()


@dataclass(frozen=True)
class World:
    """The facts of a map and the rules in use.

    Attributes:
        land: The territories that can be owned.
        borders: Pairs of lands that touch.
        coasts: Pairs of land and sea zone that touch.
        seas: Pairs of sea zones that touch.
        canals: For each canal its pair of zones and its land.
        side_of: The side of each power.
        order: The powers in turn order.
        judged_after: Victory is judged at the end of this power's turn.
        points: Victory city points by land.
        ipc: Income by land.
        major: Points that each side needs for Major Victory.
        outcomes: The outcomes in use.
        everything: How many territories Total Victory asks for.
        sea_range: The most sea moves.
        bid: The winning bid, or 0.
        per_turn: The most captures in a turn.
        per_source: The most captures over the borders of one territory, and landings from one sea zone.
    """

    land: tuple[str, ...]
    borders: frozenset[frozenset[str]]
    coasts: frozenset[tuple[str, str]]
    seas: frozenset[frozenset[str]]
    canals: tuple[tuple[frozenset[str], tuple[str, ...]], ...]
    side_of: Mapping[str, str]
    order: tuple[str, ...]
    judged_after: str
    points: Mapping[str, int]
    ipc: Mapping[str, int]
    major: Mapping[str, int]
    outcomes: tuple[str, ...]
    everything: int
    sea_range: int
    bid: int
    per_turn: int = 3
    per_source: int = 1

    # ---- who has what

    def owner(self, moment: Moment) -> dict[str, str]:
        """The owner of each land."""
        return dict(zip(self.land, moment.owners, strict=True))

    def lands(self, owners: Owners, side: str) -> frozenset[str]:
        """What a side controls."""
        return frozenset(t for t, p in zip(self.land, owners, strict=True) if self.side_of[p] == side)

    def own(self, owners: Owners, power: str) -> frozenset[str]:
        """What a power owns."""
        return frozenset(t for t, p in zip(self.land, owners, strict=True) if p == power)

    def vcp(self, owners: Owners, side: str) -> int:
        """Victory city points that a side controls."""
        return sum(self.points[t] for t in self.lands(owners, side))

    # ---- what can be taken

    @cached_property
    def _reached(self) -> dict[tuple[frozenset[str], frozenset[str]], frozenset[str]]:
        return {}

    def reached(self, base: frozenset[str], controlled: frozenset[str]) -> frozenset[str]:
        """What can be taken from some lands by a side that controls some (which opens canals)."""
        key = (base, controlled)
        if key not in self._reached:
            near = {t for t in self.land if any(frozenset((t, b)) in self.borders for b in base if b != t)}
            zones = self._sailed(base, controlled)
            self._reached[key] = frozenset(near | {t for t, z in self.coasts if z in zones})
        return self._reached[key]

    def _sailed(self, base: frozenset[str], controlled: frozenset[str]) -> set[str]:
        """The sea zones from which there can be landings."""
        zones = {z for b, z in self.coasts if b in base}
        shut = {edge for edge, banks in self.canals if not controlled.issuperset(banks)}
        for _ in range(self.sea_range):
            zones |= {z for edge in self.seas - shut for z in edge if zones & edge}
        return zones

    def in_one_turn(self, owners: Owners, power: str, lands: tuple[str, ...]) -> bool:
        """Whether there are not too many lands for one turn, and places enough to take each from one."""
        base = self.own(owners, power)
        zones = self._sailed(base, self.lands(owners, self.side_of[power]))
        places = [
            [
                *(b for b in base if frozenset((t, b)) in self.borders),
                *(z for u, z in self.coasts if u == t and z in zones),
            ]
            for t in lands
        ]
        ways = product(*places)
        return len(lands) <= self.per_turn and any(
            max(Counter(w).values(), default=0) <= self.per_source for w in ways
        )

    def captures(self, owners: Owners, power: str, *, own_only: bool) -> list[str]:
        """The territories that a power can take now; `own_only`: from what it owns itself."""
        side = self.side_of[power]
        mine = self.lands(owners, side)
        base = self.own(owners, power) if own_only else mine
        return [t for t in self.land if t not in mine and t in self.reached(base, mine)]

    def taken(self, owners: Owners, power: str, lands: tuple[str, ...]) -> Owners:
        """The owners after a power has taken some lands."""
        return tuple(power if t in lands else p for t, p in zip(self.land, owners, strict=True))

    # ---- turns and victory

    def timing(self, outcome: str, moment: Moment) -> bool:
        """Whether the moment is the one at which the outcome is judged."""
        if moment.ended != self.judged_after:
            return False
        finished = moment.round - (moment.ended == self.order[-1])
        return outcome != "minor_victory" or (self.bid > 0 and finished == self.bid)

    def enough(self, outcome: str, side: str, owners: Owners) -> bool:
        """Whether a side has what an outcome asks for."""
        if outcome == "total_victory":
            return len(self.lands(owners, side)) >= self.everything
        if outcome == "major_victory":
            return self.vcp(owners, side) >= self.major[side]
        return 2 * self.vcp(owners, side) > sum(self.points.values())

    def holds(self, outcome: str, side: str, moment: Moment) -> bool:
        """Whether a side wins an outcome at this very moment, no other having been first."""
        lost = any(o == outcome and s != side for o, s in moment.won)
        return not lost and self.timing(outcome, moment) and self.enough(outcome, side, moment.owners)

    def end_turn(self, moment: Moment) -> Moment:
        """The moment after the end of the turn."""
        place = self.order.index(moment.turn)
        after = replace(
            moment,
            turn=self.order[(place + 1) % len(self.order)],
            round=moment.round + (place + 1 == len(self.order)),
            ended=moment.turn,
        )
        reached = {name for name, _ in after.won}
        new = {
            (o, s)
            for o in self.outcomes
            if o not in reached
            for s in set(self.side_of.values())
            if self.holds(o, s, after)
        }
        return replace(after, won=after.won | new)


@dataclass(frozen=True)
class Wish:
    """A goal in the goal language, and what it means.

    Attributes:
        text: The goal.
        met: Whether it holds at a moment.
        timed: Whether the passing of turns can bear on it.
        latest: The largest round that it names.
    """

    text: str
    met: Callable[[World, Moment], bool]
    timed: bool = False
    latest: int = 0


# ---- metric `captures`


def passes_to(world: World, moment: Moment, wish: Wish) -> int | None:
    """The fewest passes after which the goal holds, or None."""
    if not wish.timed:
        return 0 if wish.met(world, moment) else None
    last = max(moment.round, world.bid, wish.latest) + 2
    for n in count():
        if wish.met(world, moment):
            return n
        if moment.round > last:
            return None
        moment = world.end_turn(moment)
    return None


def movers(world: World, side: str | None, opponent: str) -> dict[str, int]:
    """The powers that capture, and what a capture of each costs."""
    ours = {p: side is None or s == side for p, s in world.side_of.items()}
    return {p: int(mine) for p, mine in ours.items() if mine or opponent == ANY}


def fewest_captures(
    world: World, start: Moment, wish: Wish, side: str | None, opponent: str, within: int | None = None
) -> int | None:
    """The least cost of a plan whose steps are single captures in any order, then passes; None if there is none."""
    costs = movers(world, side, opponent)

    def met(owners: Owners) -> bool:
        changed = owners is not start.owners
        after = replace(start, owners=owners, ended="none") if changed else start
        return passes_to(world, after, wish) is not None

    if within is None:
        return next((cost for cost, owners in _by_cost(world, start.owners, costs) if met(owners)), None)
    if met(start.owners):
        return 0
    best: list[int] = []
    layer = {start.owners: 0}
    for _ in range(within):
        following: dict[Owners, int] = {}
        for owners, cost in layer.items():
            for after, more in _captures(world, owners, costs):
                following[after] = min(cost + more, following.get(after, cost + more))
        layer = following
        best += [cost for owners, cost in layer.items() if met(tuple(owners))]
    return min(best, default=None)


def _captures(world: World, owners: Owners, costs: Mapping[str, int]) -> Iterator[tuple[Owners, int]]:
    for power, cost in costs.items():
        for target in world.captures(owners, power, own_only=False):
            yield world.taken(owners, power, (target,)), cost


def _by_cost(world: World, start: Owners, costs: Mapping[str, int]) -> Iterator[tuple[int, Owners]]:
    """Every reachable ownership with its least cost, cheapest first; 0/1-cost Dijkstra.

    The start comes twice: as it is, and (if a way leads back) as the result of captures.
    """
    yield 0, start
    queue: deque[tuple[int, Owners]] = deque()
    done: set[Owners] = set()

    def push(owners: Owners, so_far: int) -> None:
        for after, cost in _captures(world, owners, costs):
            if after not in done:
                (queue.append if cost else queue.appendleft)((so_far + cost, after))

    push(start, 0)
    while queue:
        cost, owners = queue.popleft()
        if owners not in done:
            done.add(owners)
            yield cost, owners
            push(owners, cost)


# ---- metric `turns`


def fewest_turns(
    world: World, start: Moment, wish: Wish, side: str, opponent: str, within: int | None = None
) -> int | None:
    """The fewest player-turns of the side's own powers, in turn order, after which the goal holds; None if never."""
    last = max(start.round, world.bid, wish.latest) + 2
    done: set[Moment] = set()
    number = count()
    queue = [(0, next(number), start)]
    while queue:
        cost, _, moment = heapq.heappop(queue)
        if moment in done:
            continue
        done.add(moment)
        if wish.met(world, moment):
            return cost
        more = cost + (world.side_of[moment.turn] == side)
        if within is None or more <= within:
            for after in turns_after(world, moment, side, opponent):
                after = replace(after, round=min(after.round, last))
                if after not in done:
                    heapq.heappush(queue, (more, next(number), after))
    return None


def turns_after(world: World, moment: Moment, side: str, opponent: str) -> Iterator[Moment]:
    """Every moment that can follow a player-turn: captures that it has room for, judged as it begins; its end."""
    power = moment.turn
    moves = world.side_of[power] == side or opponent == ANY
    targets = world.captures(moment.owners, power, own_only=True) if moves else []
    for some in chain.from_iterable(combinations(targets, n) for n in range(min(len(targets), world.per_turn) + 1)):
        if not world.in_one_turn(moment.owners, power, some):
            continue
        yield world.end_turn(replace(moment, owners=world.taken(moment.owners, power, some)))
