"""Cuts that a solution of a relaxation breaks: what has to be chosen before something else is.

For each choice that the solution makes in part, a greatest flow from what can be chosen at once to that choice, where
a choice lets through as much as it is made. Where less comes through, the choices around the target that nothing more
reaches are a set (`network_closure.loop`): the target is made at most as much as the way into the set.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from vclogic.clock import look
from vclogic.encode.network import OFF, ON, Network
from vclogic.encode.network_closure import Flags, founded, loop, ways

TOLERANCE = 0.02
"""A cut that is broken by less is not worth a row."""
_NESTED = 12  # cuts one behind the other for one choice
_MOST = 150  # cuts for one solution
_NIL = 1e-6  # so little is nothing


@dataclass(frozen=True)
class Landmark:
    """Whoever makes a choice makes one of some others before it, or that one itself.

    Attributes:
        target: The choice.
        before: The others.
        around: The set that shows it: `network_closure.loop` of the set.
    """

    target: int
    before: frozenset[int]
    around: frozenset[int]


class Separation:
    """Finds cuts.

    Args:
        network: The network.
        allowed: The choices that may be made at all.
    """

    def __init__(self, network: Network, allowed: Flags):
        self._network = network
        self._allowed = allowed
        self._never = bytearray(0 if allowed[c] else 1 for c in range(network.size))
        self._never[ON] = 0
        self._plain: dict[int, tuple[int, ...] | None] = {}
        self._found: set[tuple[int, frozenset[int]]] = set()

    def cuts(self, made: Sequence[float], targets: Sequence[int]) -> list[Landmark]:
        """Landmarks that a solution breaks.

        Args:
            made: How much each choice is made, by node, from 0 to 1.
            targets: The choices of which each needs what leads there.

        Returns:
            None where none is broken by more than a tolerance.
        """
        look()
        solution = _Solution(self._network, self._allowed, made, self._plain)
        found: list[Landmark] = []
        for target in sorted((c for c in targets if made[c] > _NIL), key=lambda c: (-round(made[c], 3), c)):
            for around in solution.around(target):
                landmark = self._landmark(target, around)
                if landmark is None or sum(made[c] for c in landmark.before) > made[target] - TOLERANCE:
                    break
                if (target, landmark.before) not in self._found:
                    self._found.add((target, landmark.before))
                    found.append(landmark)
            if len(found) >= _MOST:
                break
        return found

    def _landmark(self, target: int, around: frozenset[int]) -> Landmark | None:
        inside = self._never[:]
        for c in around:
            inside[c] = 1
        before = loop(self._network, inside, around)
        return None if target in before else Landmark(target, frozenset(before), around)


def holds(network: Network, allowed: Flags, landmark: Landmark) -> bool:
    """Whether a landmark is one, by a closure: where the others are not made, the target cannot be."""
    kept = allowed[:]
    for c in landmark.before:
        kept[c] = 0
    return landmark.target not in founded(network, kept)


@dataclass
class _Solution:
    """A solution of the relaxation, and flows in it."""

    network: Network
    allowed: Flags
    made: Sequence[float]
    plain: dict[int, tuple[int, ...] | None]
    own: dict[int, tuple[int, ...] | None] = field(default_factory=dict)
    widths: Sequence[float] | None = None

    def sources(self, choice: int) -> tuple[int, ...] | None:
        """The choices that a choice may rest on, of those that count; None: on none at all.

        Where a gate needs several inputs, only those count without which it is not on and that are made the least.
        """
        for known in (self.plain, self.own):
            if choice in known:
                return known[choice]
        network, stop = self.network, self.network.choices.stop
        plain, free = True, False
        found: dict[int, None] = {}
        stack = [network.condition[choice]]
        seen = set(stack)
        while stack:
            node = stack.pop()
            if node == ON:
                free = True
            elif node < stop:
                if node != OFF and self.allowed[node] and node != choice:
                    found[node] = None
            else:
                inputs = network.inputs[node]
                if network.need[node] > 1:
                    plain = False
                    inputs = self._weakest(node)
                for before, _ in inputs:
                    if before not in seen:
                        seen.add(before)
                        stack.append(before)
        result = None if free else tuple(found)
        (self.plain if plain else self.own)[choice] = result
        return result

    def _weakest(self, gate: int) -> Sequence[tuple[int, int]]:
        """The inputs of which one has to be on if the gate is: all but the most that do not suffice."""
        if self.widths is None:
            prices = [1.0 - min(max(x, 0.0), 1.0) for x in self.made]
            self.widths = ways(self.network, prices, self.allowed, add_up=False).cost
        inputs = sorted(self.network.inputs[gate], key=lambda item: (self.widths or ())[item[0]])
        spare = self.network.need[gate] - 1
        for i, (_, weight) in enumerate(inputs):
            spare -= weight
            if spare < 0:
                return inputs[i:]
        return ()

    def around(self, target: int) -> Iterator[frozenset[int]]:
        """Sets around a choice that less leads into than the choice is made, each within the next."""
        flow = _Flow(self, target)
        for _ in range(_NESTED):
            zone = flow.augment()
            if zone is None:
                return
            yield zone
            flow.opened |= zone


class _Flow:
    """A flow to one choice, raised step by step.

    Each choice is two places: before it, and behind it; what it is made is what can pass between.
    """

    def __init__(self, solution: _Solution, target: int):
        self._solution = solution
        self._target = target
        self._wanted = solution.made[target] - TOLERANCE
        self._through: dict[int, float] = {}
        self._along: dict[tuple[int, int], float] = {}
        self._leads: dict[int, set[int]] = {}
        self.opened: set[int] = set()

    def augment(self) -> frozenset[int] | None:
        """Raises the flow as far as it goes.

        Returns:
            The choices around the target that nothing more reaches; None where enough comes through.
        """
        while self._wanted > _NIL:
            start, came_from = self._search()
            if start is None:
                return frozenset(place >> 1 for place in came_from if place & 1) | {self._target}
            if not self._push(start, came_from):
                return None
        return None

    def _room(self, choice: int) -> float:
        if choice in self.opened:
            return 1.0
        return self._solution.made[choice] - self._through.get(choice, 0.0)

    def _search(self) -> tuple[int | None, dict[int, int]]:
        """From the target back to a choice that rests on nothing. Before choice c is place 2 c, behind it 2 c + 1."""
        begin = 2 * self._target
        came_from = {begin: -1}
        queue = deque([begin])
        sources = self._solution.sources
        while queue:
            place = queue.popleft()
            choice = place >> 1
            following: list[int] = []
            if place & 1:
                if self._room(choice) > _NIL:
                    following.append(place - 1)
                following += [2 * c for c in self._leads.get(choice, ()) if self._along[choice, c] > _NIL]
            else:
                before = sources(choice)
                if before is None:
                    return place, came_from
                following += [2 * c + 1 for c in before]
                if choice != self._target and self._through.get(choice, 0.0) > _NIL:
                    following.append(place + 1)
            for other in following:
                if other not in came_from:
                    came_from[other] = place
                    queue.append(other)
        return None, came_from

    def _push(self, start: int, came_from: dict[int, int]) -> bool:
        """Raises the flow along a way; False where there is no end to it, as no choice on it bounds it."""
        steps: list[tuple[int, int]] = []
        amount = self._wanted
        place = start
        while (after := came_from[place]) != -1:
            steps.append((place, after))
            amount = min(amount, self._limit(place, after))
            place = after
        for place, after in steps:
            a, b = place >> 1, after >> 1
            if a == b:
                self._through[a] = self._through.get(a, 0.0) + (amount if after & 1 else -amount)
            elif place & 1:  # along from a to b
                self._along[a, b] = self._along.get((a, b), 0.0) + amount
                self._leads.setdefault(a, set()).add(b)
            else:  # less along from b to a
                self._along[b, a] -= amount
        self._wanted -= amount
        return self._wanted > _NIL

    def _limit(self, place: int, after: int) -> float:
        a, b = place >> 1, after >> 1
        if a == b:
            return self._room(a) if after & 1 else self._through[a]
        return 1.0 if place & 1 else self._along[b, a]
