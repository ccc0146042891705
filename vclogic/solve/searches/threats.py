"""Threats of a side's enemies in their next turns: the strongest attack of each on each place."""

from __future__ import annotations

from dataclasses import replace

from vclogic.clock import Deadline
from vclogic.model.counter import Counterattacks, Known
from vclogic.solve.backends.highs import Engines
from vclogic.solve.searches.strongest import Strongest, strongest


class Threats:
    """The attacks on a side in answer to one of its turns.

    Args:
        counter: The rules of such attacks.
        state: The state after the turn.
        engines: The processes that solve programs, where that is needed.

    Attributes:
        state: The state after the turn.
    """

    def __init__(self, counter: Counterattacks, state: Known, engines: Engines):
        self.state = state
        self._counter, self._engines = counter, engines
        self._turns: dict[str, Known | None] = {}

    def next_turn(self, power: str) -> Known | None:
        """The state in which a power's next turn begins; None if the game is over by then."""
        if power not in self._turns:
            self._turns[power] = self._counter.next_turn(self.state, power)
        return self._turns[power]

    def on(
        self, place: str, power: str, deadline: Deadline, floor: float = 0.0, enough: float = 1.0
    ) -> Strongest | None:
        """The strongest attack of a power on a place; see `strongest`."""
        state = self.next_turn(power)
        if state is None:
            return None
        best: Strongest | None = None
        for first in (False, True):
            step = self._counter.turn(state, power, place, first)
            if step is None or (best is not None and (best.chance >= 1 or best.chance > enough)):
                continue
            least = floor if best is None else max(floor, best.at_most)
            found = strongest(step, state, self._counter.take, deadline, self._engines, least, enough)
            if found is not None:
                best = found if best is None or found.chance > best.chance else replace(best, at_most=found.at_most)
        return best
