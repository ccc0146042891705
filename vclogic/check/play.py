"""The positions that play from the start leads to, as far as they are looked at one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from vclogic.clock import Deadline, TimeUp, look
from vclogic.model.fluents import State
from vclogic.model.grounded import number_of
from vclogic.model.step_text import step_text
from vclogic.model.system import System
from vclogic.query.answers import Step
from vclogic.query.replay import as_steps, state_after, turn_of
from vclogic.shortage import libraries_missing
from vclogic.terms.term import Term
from vclogic.words import amount

if TYPE_CHECKING:
    from vclogic.explore.expansion import Explored

Array = Any
"""A NumPy array."""
_MOST = 100_000  # positions
_MOST_EVENTS = 8_000  # events that are tried in each of them
_MEMORY = 400_000_000  # bytes
_ROWS = 16_384  # positions in which terms are evaluated at once


@dataclass(frozen=True)
class Play:
    """Positions that play reaches; it is followed until a side has won or the game is over.

    Attributes:
        system: The rule set.
        found: The positions and the events between them, the nearest first; None: none were looked at.
        unseen: Why there are more than these; empty: these are all.
    """

    system: System
    found: Explored | None
    unseen: str

    @classmethod
    def of(cls, system: System, start: State, deadline: Deadline) -> Play:
        """Follow play from a start, to so many positions that what is found does not depend on the machine."""
        number = number_of(system.events)
        if libraries_missing():
            return cls(system, None, "NumPy is missing")
        if number > _MOST_EVENTS:
            return cls(system, None, f"the rules have {number:,} events, too many to try each in each position")
        from vclogic.explore.endings import endings
        from vclogic.explore.search import explore

        stop = endings(system).final
        try:
            found = explore(system, [start], stop=stop, most=_MOST, memory=_MEMORY, deadline=deadline)
        except TimeUp:
            return cls(system, None, "the time was up")
        return cls(system, found, found.reason)

    @property
    def complete(self) -> bool:
        """True if all positions that play can reach are there."""
        return self.found is not None and self.found.complete

    @cached_property
    def looked_at(self) -> str:
        """How far it was looked."""
        if self.found is None:
            return f"no position was looked at by itself: {self.unseen}"
        n, depth = len(self.found.states), int(self.found.depth.max(initial=0))
        if self.complete:
            return f"all {n:,} positions that play can reach from the start were looked at"
        return (
            f"{amount(n, 'positions')}, up to {amount(depth, 'events')} from the start, were looked at: {self.unseen}"
        )

    def first(self, terms: Sequence[Term]) -> list[int]:
        """For each Bool term the nearest position in which it holds, by its row; -1: it holds in none of them."""
        assert self.found is not None
        from vclogic.encode.batch import batch_function

        rows, open_ = [-1] * len(terms), list(range(len(terms)))
        states = self.found.states
        for begin in range(0, len(states), _ROWS):
            look()
            values = batch_function([terms[i] for i in open_], self.system.layout.slot)(states[begin : begin + _ROWS])
            for i, column in zip(open_, list(values), strict=True):
                if column.any():
                    rows[i] = begin + int(column.argmax())
            open_ = [i for i in open_ if rows[i] < 0]
            if not open_:
                break
        return rows

    def everywhere(self, term: Term) -> Array:
        """For each position whether a Bool term holds."""
        assert self.found is not None
        from vclogic.explore.arena import columns_of

        return columns_of([term], self.system.layout, self.found.states)[0].astype(bool)

    def state(self, row: int) -> State:
        """A position."""
        assert self.found is not None
        return tuple(self.found.states[row].tolist())

    def reaches(self, state: State) -> bool:
        """True if a position is among them."""
        assert self.found is not None
        return bool((self.found.states == state).all(axis=1).any())

    def steps(self, row: int) -> tuple[Step, ...]:
        """The fewest events that lead to a position, as they are told."""
        return tuple(self._told(row))

    def _told(self, row: int) -> Iterator[Step]:
        assert self.found is not None
        state = self.state(0)
        for n, event in enumerate(self.found.way(row)):
            values = self.system.layout.values(state)
            yield from as_steps(
                [step_text(self.system.action_in(state, event), values)], n, turn_of(self.system, values)
            )
            after = state_after(self.system, state, event)
            assert after is not None, "a way consists of legal events"
            state = after
