"""Records found by trying: one legal event after the other in plain Python, the most promising state first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from vclogic.encode.python import OutOfBounds, apply, compile_terms, interpret
from vclogic.encode.shortfall import shortfall
from vclogic.model.actions import Event
from vclogic.model.fluents import State
from vclogic.model.grounded import Grounded
from vclogic.model.system import System
from vclogic.query.best_first import DECIDED, Search
from vclogic.terms.build import and_, any_of
from vclogic.terms.rewrite import substitute
from vclogic.terms.term import Term, variables

_NUMBERS = (1, 2, 3, 4, 6)  # tried for what an event leaves open
_FEW = 400  # events that can bring the goal about, beyond which what they need is no guide


@dataclass(frozen=True)
class _Tried:
    """An event, with the numbers for what it leaves open."""

    grounded: Grounded
    numbers: tuple[int, ...]

    @property
    def event(self) -> Event:
        return self.grounded.event(dict(zip(self.grounded.numbers.values(), self.numbers, strict=True)))

    @property
    def cost(self) -> int:
        return 1 if self.grounded.schema.routine else DECIDED


@dataclass(frozen=True)
class _Kind:
    """Events that leave as many numbers open, with the numbers to try and what they need."""

    events: tuple[Grounded, ...]
    numbers: tuple[tuple[int, ...], ...]
    guards: Callable[[Sequence[int]], Sequence[int]]


def _combinations(open_: int) -> Iterator[tuple[int, ...]]:
    """Numbers for an event that leaves so many open: all alike, then one of them larger than the others."""
    if not open_:
        yield ()
        return
    for n in _NUMBERS:
        yield (n,) * open_
    for i, n in product(range(open_), _NUMBERS[1:] if open_ > 1 else ()):
        yield tuple(n if j == i else _NUMBERS[0] for j in range(open_))


class Trial(Search[_Tried]):
    """Tries events from a state on, guided by what the goal and the events that bring it about lack.

    Args:
        system: The rule set.
        events: The events that may happen.
        goal: Bool, over fluents.
    """

    def __init__(self, system: System, events: Sequence[Grounded], goal: Term):
        super().__init__(system, goal)
        by_open: dict[int, list[Grounded]] = {}
        for g in events:
            by_open.setdefault(len(g.numbers), []).append(g)
        first = len(system.layout.fluents)  # the numbers that an event leaves open stand after the state
        numbers = {v: first + i for g in events for i, v in enumerate(g.numbers.values())}
        self._slot = {**system.layout.slot, **numbers}
        self._kinds = [
            _Kind(tuple(alike), tuple(_combinations(n)), compile_terms([g.action.guard for g in alike], self._slot))
            for n, alike in sorted(by_open.items())
        ]
        self._guide = tuple(_combinations(max(by_open, default=0)))[:2]
        wanted = set(variables(goal))
        direct = [g for g in events if any(fluent in wanted for fluent, _ in g.action.effects)]
        before = [and_(g.action.guard, substitute(goal, dict(g.action.effects))) for g in direct[:_FEW]]
        self._lack = compile_terms([shortfall(goal), shortfall(any_of(before))], self._slot)

    def possible(self, state: State) -> Iterator[tuple[_Tried, State]]:
        """As in `Search`, with some of the numbers that events may have."""
        for kind in self._kinds:
            for numbers in kind.numbers:
                for g, legal in zip(kind.events, kind.guards((*state, *numbers)), strict=True):
                    if legal and all(v.lo <= n <= v.hi for v, n in zip(g.numbers.values(), numbers, strict=True)):
                        tried = _Tried(g, numbers)
                        after = self._played(state, tried)
                        if after is not None:
                            yield tried, after

    def after(self, state: State, tried: _Tried) -> State | None:
        """As in `Search`."""
        allowed = interpret(tried.grounded.action.guard, self._slot, (*state, *tried.numbers))
        return self._played(state, tried) if allowed else None

    def lacking(self, state: State) -> tuple[int, ...]:
        """As in `Search`."""
        lacks = (self._lack((*state, *numbers)) for numbers in self._guide)
        return (min(int(goal and goal + before) for goal, before in lacks),)

    def _played(self, state: State, tried: _Tried) -> State | None:
        """The state after an event; None where it has no sense."""
        try:
            return apply(self.system, state, self.system.action(tried.event))
        except OutOfBounds:
            return None
