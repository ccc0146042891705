"""Records found by trying: one legal event after the other in plain Python, the most promising state first."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from vclogic.encode.python import OutOfBounds, apply, compile_terms, interpret
from vclogic.encode.shortfall import shortfall
from vclogic.model.actions import Event
from vclogic.model.fluents import State
from vclogic.model.grounded import Grounded
from vclogic.model.system import System
from vclogic.solve.session import Deadline
from vclogic.terms.build import and_, any_of
from vclogic.terms.rewrite import substitute
from vclogic.terms.term import Term, variables

_NUMBERS = (1, 2, 3, 4, 6)  # tried for what an event leaves open
_MOST = 20_000  # states that are looked at
_DECIDED = 4  # what an event that somebody decides counts; one that only moves the game on counts 1
_FEW = 400  # events that can bring the goal about, beyond which what they need is no guide


@dataclass(frozen=True)
class _Tried:
    """An event, with one number for all that it leaves open."""

    grounded: Grounded
    number: int

    @property
    def event(self) -> Event:
        return self.grounded.event(dict.fromkeys(self.grounded.numbers.values(), self.number))

    @property
    def cost(self) -> int:
        return 1 if self.grounded.schema.routine else _DECIDED


_Way = tuple[_Tried, ...]


class Trial:
    """Tries events from a state on, guided by what the goal and the events that bring it about lack.

    It finds a record or none, and proves nothing. Of equally promising states it looks first at those before which
    less was decided, then at those that it came upon first, so that the same question has the same answer.

    Args:
        system: The rule set.
        events: The events that may happen.
        goal: Bool, over fluents.
    """

    def __init__(self, system: System, events: Sequence[Grounded], goal: Term):
        self._system = system
        self._events = events
        self._goal = goal
        self._numbers = _NUMBERS if any(g.numbers for g in events) else _NUMBERS[:1]
        number = len(system.layout.fluents)  # all numbers that are left open stand in one place after the state
        self._slot = {**system.layout.slot, **{v: number for g in events for v in g.numbers.values()}}
        self._guards = compile_terms([g.action.guard for g in events], self._slot)
        wanted = set(variables(goal))
        direct = [g for g in events if any(fluent in wanted for fluent, _ in g.action.effects)]
        before = [and_(g.action.guard, substitute(goal, dict(g.action.effects))) for g in direct[:_FEW]]
        self._lack = compile_terms([shortfall(goal), shortfall(any_of(before))], self._slot)

    def find(self, state: State, deadline: Deadline, within: int | None = None) -> tuple[Event, ...] | None:
        """A record that leads to the goal, from which no single event can be left out; None if none is found in time.

        Args:
            state: The start.
            deadline: When to give up.
            within: The most events.
        """
        order = count()
        seen = {state}
        queue: list[tuple[int, int, int, State, _Way]] = [(0, 0, next(order), state, ())]
        while queue and len(seen) < _MOST and deadline.left > 0:
            _, paid, _, now, way = heapq.heappop(queue)
            if self._is_goal(now):
                return tuple(t.event for t in self._tidied(state, way))
            if within is not None and len(way) >= within:
                continue
            for tried in self._possible(now):
                after = self._after(now, tried)
                if after is not None and after not in seen:
                    seen.add(after)
                    item = (self._lacking(after), paid + tried.cost, next(order), after, (*way, tried))
                    heapq.heappush(queue, item)
        return None

    def _possible(self, state: State) -> Iterator[_Tried]:
        """The events that may happen in a state, with some of the numbers that they may have."""
        for n in self._numbers:
            for g, legal in zip(self._events, self._guards((*state, n)), strict=True):
                numbers = g.numbers.values()
                if legal and (numbers or n == self._numbers[0]) and all(v.lo <= n <= v.hi for v in numbers):
                    yield _Tried(g, n)

    def _lacking(self, state: State) -> int:
        """How far a state seems from the goal; a guide and no more."""
        lacks = (self._lack((*state, n)) for n in self._numbers[:2])
        return min(int(goal and goal + before) for goal, before in lacks)

    def _is_goal(self, state: State) -> bool:
        return bool(interpret(self._goal, self._system.layout.slot, state))

    def _after(self, state: State, tried: _Tried) -> State | None:
        """The state after an event; None where it has no sense."""
        try:
            return apply(self._system, state, self._system.action(tried.event))
        except OutOfBounds:
            return None

    # ---- what a record does not need

    def _tidied(self, state: State, way: _Way) -> _Way:
        """The record without the events that it does not need."""
        for i in reversed(range(len(way))):
            shorter = (*way[:i], *way[i + 1 :])
            if self._leads(state, shorter):
                way = shorter
        return way

    def _leads(self, state: State, way: _Way) -> bool:
        """Whether the events may happen one after the other, and the goal holds after them."""
        for tried in way:
            allowed = interpret(tried.grounded.action.guard, self._slot, (*state, tried.number))
            after = self._after(state, tried) if allowed else None
            if after is None:
                return False
            state = after
        return self._is_goal(state)
