"""Breadth-first search in plain Python: captures as bits of one number, other states as numbers in a row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from benchmarks.race.peers.borders import Captures
from benchmarks.race.peers.told import Found, Instance, Timer, answer


def captures(instance: Instance, timer: Timer, variant: str) -> Found:
    """The fewest captures: all sets of one size after the other, for more and more captures.

    A set is left out if even the largest values that are left do not bring it to the goal.
    """
    search = Sets(Captures(instance))
    for most in range(len(search.value) + 1):
        found = search.within(most, timer)
        if timer.over:
            return Found(lower=most)
        if found is not None:
            taken = [i for i in range(len(search.value)) if found >> i & 1]
            return Found(len(taken), True, len(taken), taken)
    return Found(proved=True)


class Sets:
    """Sets of areas as bits of numbers.

    Args:
        question: The question.
    """

    def __init__(self, question: Captures):
        self.value, self._need = question.value, question.need
        self._ways = [
            None
            if ways is None
            else [(_bits(w.needs), None if w.sources is None else _bits(w.sources)) for w in ways]
            for ways in question.ways
        ]
        self._order = sorted(range(len(self.value)), key=lambda i: -self.value[i])

    def within(self, most: int, timer: Timer) -> int | None:
        """A set of at most so many areas that reaches the goal; None if there is none, or the time is over."""
        edge = {0: 0}
        if self._need <= 0:
            return 0
        for size in range(1, most + 1):
            following: dict[int, int] = {}
            for held, total in edge.items():
                if timer.over:
                    return None
                for i, value in enumerate(self.value):
                    after = held | 1 << i
                    if after == held or after in following or not self._can_take(i, held):
                        continue
                    if total + value >= self._need:
                        return after
                    if total + value + self._best(after, most - size) >= self._need:
                        following[after] = total + value
            edge = following
        return None

    def _can_take(self, area: int, held: int) -> bool:
        ways = self._ways[area]
        return ways is None or any(
            needs & held == needs and (sources is None or sources & held) for needs, sources in ways
        )

    def _best(self, held: int, more: int) -> int:
        """The largest sum that some more areas could add, wherever they lie."""
        total = 0
        for i in self._order:
            if not more:
                break
            if not held >> i & 1:
                total += self.value[i]
                more -= 1
        return total


def _bits(places: Sequence[int]) -> int:
    return sum(1 << i for i in places)


def events(instance: Instance, timer: Timer, variant: str) -> Found:
    """The fewest events to a goal, over all states; none are left when nothing new is reached."""
    actions = [(_compiled(guard), [(i, _compiled(new)) for i, new in then]) for guard, then in instance["actions"]]
    is_goal = _compiled(instance["goal"])
    edge = [bytes(instance["start"])]
    seen = set(edge)
    depth = 0
    while edge:
        if any(is_goal(state) for state in edge):
            return Found(depth, True, depth)
        following = []
        for state in edge:
            if timer.over:
                return Found(lower=depth)
            for allowed, changes in actions:
                if allowed(state):
                    now = bytearray(state)
                    for place, number in changes:
                        now[place] = number(state)
                    after = bytes(now)
                    if after not in seen:
                        seen.add(after)
                        following.append(after)
        edge, depth = following, depth + 1
    return Found(proved=True)


def _compiled(text: str) -> Callable[[bytes], int]:
    """A condition or number over a state `s`, as the instance writes it: plain Python over `s[i]`."""
    made: Any = eval(f"lambda s: {text}", {"__builtins__": {}})
    return made  # type: ignore[no-any-return]


if __name__ == "__main__":
    answer({"captures": captures, "events": events})
