"""All about objectives by brute force: every plan of a side within a number of steps, from what it has after each.

Written from the words of the issue, over plain Python, without terms. A play says what a side can do at a place and
when its goal is met. Its plans are followed step by step, with the set of objectives that each has taken so far, and
those that it took first. Everything that is asked follows from the sets in which plans end, and what they cost.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from operator import itemgetter
from typing import Generic, TypeVar

Place = TypeVar("Place", bound=Hashable)
Names = frozenset[str]
NOTHING: Names = frozenset()


@dataclass(frozen=True)
class Move(Generic[Place]):
    """A step of a plan.

    Attributes:
        after: Where it leads.
        cost: What it costs.
        counts: Whether it counts towards the horizon.
        marks: Which of the required events happen in it, by their numbers.
        what: What is done.
    """

    after: Place
    cost: int = 1
    counts: bool = True
    marks: frozenset[int] = frozenset()
    what: Hashable = None


@dataclass(frozen=True)
class Play(Generic[Place]):
    """What a side can do for its goal.

    Attributes:
        start: Where it begins.
        moves: The steps that can be made at a place, under the conditions on plans.
        met: Whether the goal holds at a place, or comes by itself as turns pass.
        held: For each objective that the side can have whether it has it at a place.
        main: The names of those that the game is about.
        required: How many kinds of events a plan must hold.
    """

    start: Place
    moves: Callable[[Place], Iterable[Move[Place]]]
    met: Callable[[Place], bool]
    held: Mapping[str, Callable[[Place], bool]]
    main: Names
    required: int = 0

    @cached_property
    def new(self) -> Names:
        """The objectives that are not held at the start."""
        return frozenset(name for name, has in self.held.items() if not has(self.start))

    def has(self, place: Place) -> Names:
        """The new objectives that the side has at a place."""
        return frozenset(name for name in self.new if self.held[name](place))

    @property
    def holds_already(self) -> bool:
        """Whether nothing need be done."""
        return not self.required and self.met(self.start)


@dataclass(frozen=True)
class Path(Generic[Place]):
    """Where a plan has come to.

    Attributes:
        place: The place.
        taken: The objectives that it has had after some step.
        first: Those of the game that it had after the first step after which it had any.
        marks: The required events that have happened.
    """

    place: Place
    taken: Names = NOTHING
    first: Names = NOTHING
    marks: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Plans:
    """What all plans within a limit come to.

    Attributes:
        costs: For what plans take, and what they take first: the least cost.
        new: What can be taken.
        main: What of it the game is about.
        fewest_steps: The fewest counted steps of a plan of the least cost; None without a plan.
    """

    costs: Mapping[tuple[Names, Names], int]
    new: Names
    main: Names
    fewest_steps: int | None = None

    # ---- is there a plan, and at what cost

    def can(self, closed: Set[str] = NOTHING) -> bool:
        """Whether there is a plan that never has some objectives."""
        return any(not taken & closed for taken, _ in self.costs)

    @property
    def cost(self) -> int | None:
        """The least cost."""
        return min(self.costs.values(), default=None)

    def closed(self, name: str) -> int | None:
        """The least cost of a plan that never has an objective."""
        return min((c for (taken, _), c in self.costs.items() if name not in taken), default=None)

    def first(self, name: str) -> int | None:
        """The least cost of a plan that takes an objective, and no other of the game in an earlier step."""
        return min((c for (_, first), c in self.costs.items() if name in first), default=None)

    def only(self, some: Set[str]) -> int | None:
        """The least cost of a plan that takes no other objectives of the game than some."""
        return min((c for (taken, _), c in self.costs.items() if taken & self.main <= some), default=None)

    # ---- sets

    @cached_property
    def smallest(self) -> frozenset[Names]:
        """The sets of objectives of the game that some plan takes, and no plan a part of."""
        return least(taken & self.main for taken, _ in self.costs)

    @cached_property
    def winning(self) -> Mapping[Names, int]:
        """All winning sets: the smallest ones, and those smallest among the cheapest plans; with their costs."""
        cheapest = least(taken & self.main for (taken, _), c in self.costs.items() if c == self.cost)
        found = {some: self.only(some) for some in self.smallest | cheapest}
        return {some: cost for some, cost in found.items() if cost is not None}

    @cached_property
    def landmarks(self) -> Names:
        """What every plan takes; nothing if there is no plan."""
        return frozenset.intersection(*(taken for taken, _ in self.costs)) if self.costs else NOTHING

    @cached_property
    def denial(self) -> frozenset[Names]:
        """The smallest sets of objectives of the game without which there is no plan; none if there is no plan."""
        found: set[Names] = set()
        for size in range(1, len(self.main) + 1) if self.costs else ():
            for some in map(frozenset, combinations(sorted(self.main), size)):
                if not any(d <= some for d in found) and not self.can(some):
                    found.add(some)
        return frozenset(found)

    def in_cheapest(self, name: str) -> int:
        """In how many of the cheapest winning sets an objective is."""
        return sum(name in some for some, cost in self.winning.items() if cost == self.cost)


def least(sets: Iterable[Names]) -> frozenset[Names]:
    """Those of which no other one is a part."""
    found: list[Names] = []
    for some in sorted(set(sets), key=len):
        if not any(f <= some for f in found):
            found.append(some)
    return frozenset(found)


def plans(play: Play[Place], within: int | None) -> Plans:
    """All plans of at most so many counted steps; None: of any number."""
    costs: dict[tuple[Names, Names], int] = {}
    main = play.main & play.new
    fewest: tuple[int, int] | None = None
    for used, path, cost in paths(play, within):
        if len(path.marks) == play.required and play.met(path.place):
            key = path.taken, path.first
            costs[key] = min(cost, costs.get(key, cost))
            fewest = min((cost, used), fewest or (cost, used))
    return Plans(costs, play.new, main, fewest and fewest[1])


def paths(play: Play[Place], within: int | None) -> Iterator[tuple[int, Path[Place], int]]:
    """Every place that steps lead to, with what was taken on the way: counted steps, path and cost.

    A path that is known at no more cost and after no more steps is not followed again.
    """
    known: dict[Path[Place], int] = {}
    layer: dict[Path[Place], int] = {Path(play.start): 0}
    used = 0
    while layer:
        following: dict[Path[Place], int] = {}
        waiting = list(layer.items())
        while waiting:
            path, cost = waiting.pop()
            if known.get(path, cost + 1) <= cost:
                continue
            known[path] = cost
            yield used, path, cost
            for move in play.moves(path.place):
                after, more = _stepped(play, path, move), cost + move.cost
                if not move.counts:
                    waiting.append((after, more))
                elif within is None or used < within:
                    following[after] = min(more, following.get(after, more))
        layer, used = following, used + 1


def _stepped(play: Play[Place], path: Path[Place], move: Move[Place]) -> Path[Place]:
    has = play.has(move.after)
    return Path(move.after, path.taken | has, path.first or has & play.main, path.marks | move.marks)


# ---- what the other side can do about it


@dataclass
class Threat(Generic[Place]):
    """What an enemy wants.

    Attributes:
        play: The enemy's play from a place.
        within: The most counted steps of its plans.
    """

    play: Callable[[Place], Play[Place]]
    within: int | None
    _known: dict[Place, bool] = field(default_factory=dict)

    def there(self, place: Place) -> bool:
        """Whether the enemy has a plan from a place."""
        if place not in self._known:
            play = self.play(place)
            self._known[place] = any(play.met(path.place) for _, path, _ in paths(play, self.within))
        return self._known[place]


def fewest_to_stop(own: Play[Place], threat: Threat[Place], within: int | None = None) -> int | None:
    """The least cost of steps of a side after which an enemy has no plan; None if no steps stop it.

    Args:
        own: What the side can do.
        threat: What the enemy wants.
        within: The most counted steps of the side; None: any number.
    """
    alone = Play(own.start, own.moves, own.met, {}, NOTHING)
    costs: dict[Place, int] = {}
    for _, path, cost in paths(alone, within):
        costs[path.place] = min(cost, costs.get(path.place, cost))
    return next((cost for place, cost in sorted(costs.items(), key=itemgetter(1)) if not threat.there(place)), None)
