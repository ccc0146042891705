"""A best-first search for a record: one legal event after the other, from the state that is nearest to the goal."""

from __future__ import annotations

import heapq
import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from itertools import count
from typing import Generic, Protocol, TypeVar

from vclogic.encode.python import interpret
from vclogic.model.actions import Event
from vclogic.model.fluents import State
from vclogic.model.system import System
from vclogic.solve.session import Deadline, TimeUp
from vclogic.terms.term import Term

_MOST = 20_000  # states that are looked at
DECIDED = 4  # what an event that somebody decides counts; one that only moves the game on counts 1


class Tried(Protocol):
    """An event that is tried."""

    @property
    def event(self) -> Event:
        """The event."""

    @property
    def cost(self) -> int:
        """What it counts, among records that are equally promising."""


T = TypeVar("T", bound=Tried)


class Search(ABC, Generic[T]):
    """Finds a record or none, and proves nothing.

    Of equally promising states it looks first at those before which less was decided, then at those that it came upon
    first, so that the same question has the same answer.

    Attributes:
        system: The rule set.
        detour: How many more events than a limit allows are tried, since those may be left out that did not help.

    Args:
        system: The rule set.
        goal: Bool, over fluents.
    """

    detour = 0

    def __init__(self, system: System, goal: Term):
        self.system = system
        self._goal = goal
        self._deadline = Deadline(math.inf)

    @abstractmethod
    def possible(self, state: State) -> Iterator[tuple[T, State]]:
        """The events that are tried in a state, each with the state after it."""

    @abstractmethod
    def after(self, state: State, tried: T) -> State | None:
        """The state after an event; None where it may not happen or has no sense."""

    @abstractmethod
    def lacking(self, state: State) -> tuple[int, ...]:
        """How far a state seems from the goal; a guide and no more. The first number counts most."""

    def hold(self) -> None:
        """Ends the work if the time is up."""
        self._deadline.hold()

    def find(self, state: State, deadline: Deadline, within: int | None = None) -> tuple[Event, ...] | None:
        """A record that leads to the goal, from which no single event can be left out; None if none is found in time.

        Args:
            state: The start.
            deadline: When to give up.
            within: The most events.
        """
        self._deadline = deadline
        try:
            return self._found(state, within)
        except TimeUp:
            return None

    def _found(self, state: State, within: int | None) -> tuple[Event, ...] | None:
        order = count()
        seen = {state}
        queue: list[tuple[tuple[int, ...], int, int, State, tuple[T, ...]]] = [((), 0, next(order), state, ())]
        while queue and len(seen) < _MOST:
            self.hold()
            _, paid, _, now, way = heapq.heappop(queue)
            if self._is_goal(now):
                tidied = self._tidied(state, way)
                if within is None or len(tidied) <= within:
                    return tuple(t.event for t in tidied)
            if within is not None and len(way) >= within + self.detour:
                continue
            for tried, after in self.possible(now):
                if after not in seen:
                    seen.add(after)
                    heapq.heappush(queue, (self.lacking(after), paid + tried.cost, next(order), after, (*way, tried)))
        return None

    def _is_goal(self, state: State) -> bool:
        return bool(interpret(self._goal, self.system.layout.slot, state))

    # ---- what a record does not need

    def _tidied(self, state: State, way: tuple[T, ...]) -> tuple[T, ...]:
        """The record without the events that it does not need."""
        for i in reversed(range(len(way))):
            shorter = (*way[:i], *way[i + 1 :])
            if self._leads(state, shorter):
                way = shorter
        return way

    def _leads(self, state: State, way: tuple[T, ...]) -> bool:
        """Whether the events may happen one after the other, and the goal holds after them."""
        for tried in way:
            after = self.after(state, tried)
            if after is None:
                return False
            state = after
        return self._is_goal(state)
