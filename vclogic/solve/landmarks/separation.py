"""Find landmarks that a relaxed solution violates: choices of which one must be made before another.

For each choice that the solution makes (in part), a maximum flow runs from the choices that are possible at once to
that choice; the capacity of a choice is how much of it is made. If less than the target's value arrives, the minimum
cut gives a set around the target (`network.loop`): the target is made at most as much as the ways into the
set.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from vclogic.clock import check_deadline
from vclogic.encode.linear.network import OFF, ON, Flags, Network, founded, loop, ways

TOLERANCE = 0.02
"""A cut that is broken by less is not worth a row."""
_NESTED = 12  # cuts one behind the other for one choice
_MOST = 150  # cuts for one solution
_NIL = 1e-6  # so little is nothing


@dataclass(frozen=True)
class DisjunctiveLandmark:
    """A disjunctive landmark: of some choices, a plan that makes the target makes one first.

    Attributes:
        target: The choice.
        before: The choices of which one is made first.
        around: The set that proves it, by `network.loop`.
    """

    target: int
    before: frozenset[int]
    around: frozenset[int]


class Separation:
    """Finds violated landmarks.

    Args:
        network: The network.
        allowed: The choices that may be made.
    """

    def __init__(self, network: Network, allowed: Flags):
        self._network = network
        self._allowed = allowed
        self._never = bytearray(0 if allowed[c] else 1 for c in range(network.size))
        self._never[ON] = 0
        self._plain: dict[int, tuple[int, ...] | None] = {}
        self._found: set[tuple[int, frozenset[int]]] = set()

    def cuts(self, made: Sequence[float], targets: Sequence[int]) -> list[DisjunctiveLandmark]:
        """The landmarks that a solution violates.

        Args:
            made: The value of each choice, by node, from 0 to 1.
            targets: The choices to look at.

        Returns:
            The landmarks; empty if none is violated by more than a tolerance.
        """
        check_deadline()
        solution = _Solution(self._network, self._allowed, made, self._plain)
        found: list[DisjunctiveLandmark] = []
        # The dearest first: what is made whole is most surely made too early. Rounded, so that noise of the floating
        # point does not change the order from machine to machine.
        for target in sorted((c for c in targets if made[c] > _NIL), key=lambda c: (-round(made[c], 3), c)):
            for around in solution.around(target):
                check_deadline()
                landmark = self._landmark(target, around)
                # The set was found in the network as this solution sees it, of a count only the weakest inputs. Its
                # true cut may be larger, and then it is broken no more, nor are those behind it.
                if landmark is None or sum(made[c] for c in landmark.before) > made[target] - TOLERANCE:
                    break
                if (target, landmark.before) not in self._found:
                    self._found.add((target, landmark.before))
                    found.append(landmark)
            if len(found) >= _MOST:
                break
        return found

    def _landmark(self, target: int, around: frozenset[int]) -> DisjunctiveLandmark | None:
        # Choices that can never be made belong to the set: no way into it leads through one of them.
        inside = self._never[:]
        for c in around:
            inside[c] = 1
        before = loop(self._network, inside, around)
        return None if target in before else DisjunctiveLandmark(target, frozenset(before), around)


def holds(network: Network, allowed: Flags, landmark: DisjunctiveLandmark) -> bool:
    """Check a landmark by a closure: without the choices of which one comes first, the target is unreachable."""
    kept = allowed[:]
    for c in landmark.before:
        kept[c] = 0
    return landmark.target not in founded(network, kept)


@dataclass
class _Solution:
    """A relaxed solution, and flows in it."""

    network: Network
    allowed: Flags
    made: Sequence[float]
    plain: dict[int, tuple[int, ...] | None]
    own: dict[int, tuple[int, ...] | None] = field(default_factory=dict)
    widths: Sequence[float] | None = None

    def sources(self, choice: int) -> tuple[int, ...] | None:
        """The choices from which flow may enter a choice; None: it needs none.

        Of a gate that needs several inputs, only a set of which one is indispensable counts, with the least values.
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
        # Past a count the walk followed the weakest inputs in this solution, so the answer holds for it alone.
        result = None if free else tuple(found)
        (self.plain if plain else self.own)[choice] = result
        return result

    def _weakest(self, gate: int) -> Sequence[tuple[int, int]]:
        """Inputs of which at least one is on if the gate is: all except a largest set that does not suffice."""
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
        """Nested sets around a choice whose cut is smaller than the choice's value."""
        flow = _Flow(self, target)
        for _ in range(_NESTED):
            zone = flow.augment()
            if zone is None:
                return
            yield zone
            # The cut is passed over, as if all of it were made, so that the next one lies behind it, farther from the
            # target: nested cuts bring as much for one target as many rounds of the program would.
            flow.opened |= zone


class _Flow:
    """A flow to one choice, by augmenting paths.

    Each choice is split into two vertices; the arc between them has the choice's value as capacity.
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
        """Augment the flow; returns the choices on the target's side of the minimum cut, None if it suffices."""
        while self._wanted > _NIL:
            check_deadline()
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
        """Search backwards from the target to a choice that needs none; choice c is vertices 2 c and 2 c + 1."""
        begin = 2 * self._target
        came_from = {begin: -1}
        queue = deque([begin])
        sources = self._solution.sources
        while queue:
            place = queue.popleft()
            choice = place >> 1
            following: list[int] = []
            # At the vertex where flow leaves a choice: on through the choice, as far as it has room, or back along
            # flow that it sends elsewhere, which then comes this way.
            if place & 1:
                if self._room(choice) > _NIL:
                    following.append(place - 1)
                following += [2 * c for c in self._leads.get(choice, ()) if self._along[choice, c] > _NIL]
            else:
                # At the vertex where flow enters a choice: it may come from each that can be the one before it.
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
        """Augment the flow along a path; False if the path has unlimited capacity."""
        # The path is known backwards, from where it begins to the target, and carries as much as its narrowest step.
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
