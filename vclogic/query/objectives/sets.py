"""The smallest winning sets and the smallest denial sets of a monotone question.

The question closes some members of a ground set: is there still a way, and what does it take? More closed members can
only turn yes into no. A *winning set* is what some way takes; a *denial set* leaves no way when it is closed. Each
denial set hits each winning set, and the smallest denial sets are exactly the smallest sets that hit all smallest
winning sets. So a smallest set that hits all winning sets found so far is closed: either there is a way around it,
which shows a new winning set, or it is a denial set. When no such set is left to ask about, both lists are complete.

Sets are numbers, one bit for each member.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from vclogic.clock import check_deadline


class GroundSet:
    """The members of a ground set, of which each has its bit.

    Args:
        names: Their names, in order.
    """

    def __init__(self, names: Sequence[str]):
        self._names = names
        self._bit = {name: 1 << i for i, name in enumerate(names)}

    def __len__(self) -> int:
        return len(self._names)

    def bits(self, names: Iterable[str]) -> int:
        """A set as a number; other names are left out."""
        return sum(self._bit.get(name, 0) for name in names)

    def named(self, bits: int) -> tuple[str, ...]:
        """The names of a set, in order."""
        return tuple(self._names[i] for i in _places(bits))

    def places(self, bits: int) -> tuple[int, ...]:
        """The places of a set's members in that order."""
        return tuple(_places(bits))

    def others(self, bits: int) -> frozenset[str]:
        """The names that are not in a set."""
        return frozenset(self.named((1 << len(self._names)) - 1 & ~bits))


class TakenSet(NamedTuple):
    """The set of objectives that a way takes.

    Attributes:
        members: The members.
        lean: Whether it seldom takes more than it must, such as a cheapest way, so that a smaller part is not asked
            for at once.
    """

    members: int
    lean: bool = False


Answer = TakenSet | Literal["none", "unknown"]
Question = Callable[[int], Answer]
"""Asks for a way that takes no closed member: what it takes, that there is none, or that this is not known."""


class Dual:
    """The winning and denial sets of a question, as far as they were asked for.

    Args:
        size: The number of members.
        ask: The question.
        none: Sets that are known to leave no way, such as those of a question that allows more ways.
        won: Sets that ways are known to take.

    Attributes:
        denial: The smallest denial sets found.
        open: Smallest sets that hit all winning sets found, of which it is not known whether they are denial sets.
        done: Whether there is nothing left to ask.
    """

    def __init__(self, size: int, ask: Question, none: Collection[int] = (), won: Collection[int] = ()):
        self._size = size
        self._all = (1 << size) - 1
        self._ask = ask
        self._none = list(none)
        self._hits = _Hits(size)
        self._decided: set[int] = set()
        self.denial: list[int] = []
        self.open: list[int] = []
        self.done = False
        for taken in won:
            self.learn(taken)

    @property
    def complete(self) -> bool:
        """True if both lists are complete."""
        return self.done and not self.open

    @property
    def winning(self) -> list[int]:
        """The sets found that ways take, without those that hold another; all smallest ones once it is complete."""
        found: list[int] = []
        for taken in sorted(set(self._hits.sets), key=int.bit_count):
            if not any(other & taken == other for other in found):
                found.append(taken)
        return found

    def is_smallest(self, taken: int) -> bool | None:
        """True if no smaller part of a winning set is enough; None: not known."""
        if any(other & taken == other != taken for other in self._hits.sets):
            return False
        proved = self.complete or all(any(not n & taken & ~bit for n in self._none) for bit in _bits(taken))
        return True if proved else None

    def run(self) -> None:
        """Ask until nothing is left; when cut short it can go on later.

        Raises:
            TimeUp: The time is up.
        """
        known = -1
        while known < len(self._hits.sets):
            known = len(self._hits.sets)
            for size in range(self._size + 1):
                while self._pass(size):  # a winning set that is found makes other sets hit all of them
                    pass
                if not self._hits.cut:
                    break
            decided = not self.open  # else a winning set found late may have made smaller sets hit all of them
            self.open = [h for h in self.open if self._hits.smallest(h)]
            if decided:
                break
        self.done = True

    def reopen(self) -> None:
        """Ask about the open sets again when it goes on."""
        self._decided.difference_update(self.open)
        self.open, self.done = [], False

    def settle(self, taken: int) -> None:
        """Find out whether a smaller part of a winning set is enough.

        Raises:
            TimeUp: The time is up.
        """
        if self.is_smallest(taken) is None:
            self.learn(self._shrunk(taken))

    def learn(self, taken: int) -> None:
        """Add a set that a way is known to take."""
        self._hits.add(taken)

    # ---- what is asked

    def _pass(self, size: int) -> bool:
        """Ask about all smallest hitting sets of a size; returns whether a winning set was found."""
        grown = False
        for closed in self._hits.of(size):
            if closed not in self._decided:
                grown = self._decide(closed) or grown
        return grown

    def _decide(self, closed: int) -> bool:
        """Find out whether a set that hits all winning sets is a denial set; returns whether it is not."""
        found = self._way(closed)
        if isinstance(found, TakenSet):
            self.learn(found.members if found.lean else self._shrunk(found.members))
            return True
        self._decided.add(closed)
        (self.denial if found == "none" else self.open).append(closed)
        return False

    def _shrunk(self, taken: int) -> int:
        """A part of a winning set that a way takes, and no smaller part of it, as far as that is known."""
        for bit in _bits(taken):
            if taken & bit:
                found = self._way(self._all & ~(taken & ~bit))
                if isinstance(found, TakenSet):
                    taken = found.members
        return taken

    def _way(self, closed: int) -> Answer:
        """The answer to a question, from what is known where that says it."""
        check_deadline()
        if any(n & closed == n for n in self._none):
            return "none"
        known = next((taken for taken in self._hits.sets if not taken & closed), None)
        if known is not None:
            return TakenSet(known)
        found = self._ask(closed)
        if found == "none":
            self._none.append(closed)
        elif isinstance(found, TakenSet):
            assert not found.members & closed, "a way takes what is closed"
        return found


class _Hits:
    """Some sets, and the smallest sets that hit all of them.

    Attributes:
        sets: The sets.
        cut: Whether there may be such sets of more members than were last asked for.
    """

    def __init__(self, size: int):
        self.sets: list[int] = []
        self.cut = False
        self._holding = [0] * size  # of each member: the sets that hold it, as bits
        self._every = 0

    def add(self, members: int) -> None:
        """Add a set."""
        own = 1 << len(self.sets)
        self.sets.append(members)
        self._every |= own
        for place in _places(members):
            self._holding[place] |= own

    def smallest(self, chosen: int) -> bool:
        """True if a set hits all sets, and needs each of its members for that."""
        hit, once = 0, 0
        for place in _places(chosen):
            holding = self._holding[place]
            once = once & ~holding | holding & ~hit
            hit |= holding
        return hit == self._every and all(self._holding[p] & once for p in _places(chosen))

    def of(self, size: int) -> Iterator[int]:
        """The smallest hitting sets of so many members; sets may be added meanwhile, and are then hit as well.

        Some may be missing if sets are added meanwhile.
        """
        self.cut = False
        every = (1 << len(self._holding)) - 1
        return (chosen for chosen in self._grown(size, 0, 0, (), every) if self.smallest(chosen))

    def _grown(self, left: int, chosen: int, hit: int, own: tuple[int, ...], free: int) -> Iterator[int]:
        """The smallest hitting sets that hold what is chosen, and of what is free so many members more.

        Each chosen member is the only one in some set (`own`), so nothing is chosen in vain and no set twice
        (Murakami and Uno: Efficient algorithms for dualizing large-scale hypergraphs, 2014).
        """
        check_deadline()
        missed = self._every & ~hit
        if not missed:
            if not left:
                yield chosen
            return
        if self._more_than(left, missed):
            self.cut = True
            return
        options = self._fewest(missed, free)
        free &= ~options
        for place in _places(options):
            holding = self._holding[place]
            still = tuple(sets & ~holding for sets in own)
            if all(still):
                yield from self._grown(left - 1, chosen | 1 << place, hit | holding, (*still, missed & holding), free)
            free |= 1 << place

    def _more_than(self, left: int, missed: int) -> bool:
        """True if so many members surely do not hit all missed sets: more of these have no member in common."""
        apart = 0
        while missed and apart <= left:
            apart += 1
            for place in _places(self.sets[_first(missed)]):
                missed &= ~self._holding[place]
        return apart > left

    def _fewest(self, missed: int, free: int) -> int:
        """The free members of one of the first missed sets, one with few of them."""
        best, count = free, free.bit_count() + 1
        for _ in range(_LOOKED_AT):
            if not missed or count <= 1:
                break
            options = self.sets[_first(missed)] & free
            if options.bit_count() < count:
                best, count = options, options.bit_count()
            missed &= missed - 1
        return best


_LOOKED_AT = 8


def _first(number: int) -> int:
    return (number & -number).bit_length() - 1


def _places(number: int) -> Iterator[int]:
    while number:
        yield _first(number)
        number &= number - 1


def _bits(number: int) -> Iterator[int]:
    while number:
        yield number & -number
        number &= number - 1
