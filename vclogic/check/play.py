"""The positions that play from the start leads to, as far as they are looked at one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from vclogic.clock import Deadline, TimeUp, check_deadline, until
from vclogic.model.fluents import State
from vclogic.model.grounded import number_of
from vclogic.model.step_text import step_text
from vclogic.model.system import System
from vclogic.query.answers import Step
from vclogic.query.replay import as_steps, state_after, turn_of
from vclogic.shortage import libraries_missing
from vclogic.solve import budgets
from vclogic.terms.term import Term
from vclogic.words import amount

if TYPE_CHECKING:
    from vclogic.explore.expansion import Explored

Array = Any
"""A NumPy array."""
_MOST = 100_000  # positions
_MOST_EVENTS = 8_000  # events that are tried in each of them
_MEMORY = 400_000_000  # bytes
_GAMES = 128  # at random, where these are not all; each takes as long as a few hundred positions
_LONGEST = 400  # events of such a game
_ROWS = 16_384  # positions in which terms are evaluated at once


@dataclass(frozen=True)
class RandomGames:
    """The results of games that were played at random.

    Attributes:
        states: The positions that they came to, a row for each; some may be there more than once.
        happened: The names of the kinds of events that happened in them.
    """

    states: Array
    happened: frozenset[str]


def _at_random(system: System, start: State, deadline: Deadline) -> RandomGames:
    """Games at random, the same ones in every run: they come deeper than a look at all positions."""
    import numpy as np

    from vclogic.explore.many_games import ManyGames

    random = np.random.Generator(np.random.PCG64(0))
    with until(deadline):
        games = ManyGames(system, [start] * _GAMES)
        visited, happened = [games.states[:1]], set()
        for _ in range(_LONGEST):
            check_deadline()
            drawn = games.draw(random.random(_GAMES))
            games.apply(drawn)
            happened.update(drawn[drawn >= 0].tolist())
            visited.append(games.states[drawn >= 0])
            if not visited[-1].size:
                break
    return RandomGames(np.concatenate(visited), frozenset(games.events[i].name for i in happened))


@dataclass(frozen=True)
class PositionsOfPlay:
    """Positions that play reaches; it is followed until a side has won or the game is over.

    Attributes:
        system: The rule set.
        found: The positions and the events between them, the nearest first; None: none were looked at.
        unseen: Why there are more than these; empty: these are all.
        games: What games at random came to, where there are more; else None.
    """

    system: System
    found: Explored | None
    unseen: str
    games: RandomGames | None = None

    @classmethod
    def of(cls, system: System, start: State, time: Deadline) -> PositionsOfPlay:
        """Follow play from a start, to so many positions that what is found does not depend on the machine."""
        number = number_of(system.events)
        if libraries_missing():
            return cls(system, None, "NumPy is missing")
        if number > _MOST_EVENTS:
            return cls(system, None, f"the rules have {number:,} events, too many to try each in each position")
        from vclogic.explore.endings import endings
        from vclogic.explore.events import TooManyEvents
        from vclogic.explore.search import explore

        try:
            stop = endings(system).final
            part = time.part(budgets.FOLLOWING_PLAY)
            found = explore(system, [start], stop=stop, most=_MOST, memory=_MEMORY, deadline=part)
        except TimeUp:
            return cls(system, None, "the time was up")
        except TooManyEvents as error:  # with each value of numbers that are otherwise left open
            return cls(system, None, str(error))
        if found.complete:
            return cls(system, found, "")
        try:
            games = _at_random(system, start, time.part(budgets.FOLLOWING_PLAY))
        except TimeUp:
            games = None
        return cls(system, found, found.reason, games)

    @property
    def complete(self) -> bool:
        """True if all positions that play can reach are there."""
        return self.found is not None and self.found.complete

    @cached_property
    def looked_at(self) -> str:
        """The extent of the look."""
        if self.found is None:
            return f"no position was looked at by itself: {self.unseen}"
        n, depth = len(self.found.states), int(self.found.depth.max(initial=0))
        if self.complete:
            return f"all {n:,} positions that play can reach from the start were looked at"
        played = ""
        if self.games is not None:
            played = f", and {_GAMES} games were played at random, {len(self.games.states) - 1:,} events in all"
        return (
            f"{n:,} positions, up to {amount(depth, 'events')} from the start, were looked at{played}: {self.unseen}"
        )

    @property
    def happened(self) -> frozenset[str]:
        """The names of the kinds of events that happened."""
        found: set[int] = set() if self.found is None else set(self.found.event.tolist())
        names = frozenset(self.found.events[i].name for i in found) if self.found is not None else frozenset()
        return names | (frozenset() if self.games is None else self.games.happened)

    def first(self, terms: Sequence[Term]) -> list[int]:
        """For each Bool term the nearest position in which it holds, by its row; -1: it holds in none of them."""
        assert self.found is not None
        return self._first(terms, self.found.states)

    def met(self, terms: Sequence[Term]) -> list[bool]:
        """For each Bool term whether it holds in a position that was looked at, or in one of the games at random."""
        rows = [-1] * len(terms) if self.found is None else self.first(terms)
        unmet = [i for i, row in enumerate(rows) if row < 0]
        if self.games is not None and unmet:
            for i, row in zip(unmet, self._first([terms[i] for i in unmet], self.games.states), strict=True):
                rows[i] = row
        return [row >= 0 for row in rows]

    def _first(self, terms: Sequence[Term], states: Array) -> list[int]:
        from vclogic.encode.python.batch import batch_function

        rows, open_, asked = [-1] * len(terms), list(range(len(terms))), list[int]()
        for begin in range(0, len(states), _ROWS):
            check_deadline()
            if not open_:
                break
            if asked != open_:  # the first time, and where some have been found
                asked, function = open_, batch_function([terms[i] for i in open_], self.system.layout.slot)
            for i, column in zip(asked, function(states[begin : begin + _ROWS]), strict=True):
                if column.any():
                    rows[i] = begin + int(column.argmax())
            open_ = [i for i in asked if rows[i] < 0]
        return rows

    def everywhere(self, term: Term) -> Array:
        """For each position whether a Bool term holds."""
        return self.values(term).astype(bool)

    def values(self, term: Term) -> Array:
        """For each position the value of a term."""
        assert self.found is not None
        from vclogic.explore.arena import columns_of

        return columns_of([term], self.system.layout, self.found.states)[0]

    @cached_property
    def edges(self) -> tuple[Array, Array]:
        """For each event between two positions the row of the one before, and that of the one after."""
        import numpy as np

        assert self.found is not None
        return np.repeat(np.arange(len(self.found.states)), np.diff(self.found.first)), self.found.target

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
