"""All positions of a random rulebook about turns, as its interpreter reaches them, and what play there leads to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from random import Random

from tests.rulebook.random_turns import Event, State, Turns

Key = object
MOST = 1500


def key_of(state: State) -> Key:
    """A position as a value."""
    return tuple((k, _frozen(v)) for k, v in sorted(state.items()))


def _frozen(value: object) -> object:
    if isinstance(value, dict):
        return tuple(sorted(value.items()))
    return frozenset(value) if isinstance(value, set) else tuple(value) if isinstance(value, list) else value


def small(random: Random, *, leaving_out: Collection[str] = ()) -> Turns:
    """A rulebook without counters, which grow, and without some events."""
    return Turns(random, least=3, counting=False, leaving_out=frozenset(leaving_out))


@dataclass
class Positions:
    """All positions that play reaches, in the order of how few events lead there.

    Args:
        book: The rulebook.

    Attributes:
        states: The positions.
        depth: For each how few events lead to it.
        ways: For each what may happen, with where that leads.
    """

    book: Turns

    def __post_init__(self) -> None:
        start = self.book.start()
        self.states, self.depth = [start], [0]
        number, self.ways = {key_of(start): 0}, list[list[tuple[Event, int]]]()
        for i, state in enumerate(self.states):  # which grows
            self.ways.append([])
            if len(self.states) > MOST:
                continue
            for event in self.book.legal(state):
                then = self.book.after(state, event)
                at = number.setdefault(key_of(then), len(self.states))
                if at == len(self.states):
                    self.states.append(then)
                    self.depth.append(self.depth[i] + 1)
                self.ways[i].append((event, at))

    @property
    def whole(self) -> bool:
        """Whether they are all."""
        return len(self.states) <= MOST

    def forced(self, won: Callable[[State], bool], mine: Callable[[State, Event], bool]) -> set[int]:
        """The positions from which somebody can bring about a win, whatever happens that is not his to decide."""
        found = {i for i, s in enumerate(self.states) if won(s)}
        while new := set(self._forced_in_one(found, mine)):
            found |= new
        return found

    def _forced_in_one(self, found: set[int], mine: Callable[[State, Event], bool]) -> Iterator[int]:
        for i, ways in enumerate(self.ways):
            if i in found or not ways:
                continue
            own = [at for event, at in ways if mine(self.states[i], event)]
            others = [at for event, at in ways if not mine(self.states[i], event)]
            if (own and any(at in found for at in own) and not others) or (
                others and not own and all(at in found for at in others)
            ):
                yield i
