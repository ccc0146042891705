"""Games played at random, many at once: they come to positions that lie too deep for a breadth-first search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from vclogic.clock import Deadline, TimeUp, look, until
from vclogic.explore.events import possible
from vclogic.explore.expansion import Expansion
from vclogic.explore.packing import Packing
from vclogic.model.fluents import State
from vclogic.model.system import System
from vclogic.terms.term import Term

Array = Any
"""A NumPy array."""


@dataclass(frozen=True)
class RandomGames:
    """What games came to that were played at random.

    Attributes:
        games: How many were played.
        longest: The events of the longest one.
        states: The positions that they came to, a row for each; some may be there more than once.
        happened: The names of the kinds of events that happened in them.
    """

    games: int
    longest: int
    states: Array
    happened: frozenset[str]


def random_games(
    system: System, start: State, *, stop: Term, games: int, longest: int, deadline: Deadline
) -> RandomGames:
    """Play games from a start, each event drawn from those that are legal; the same ones in every run.

    Args:
        stop: Bool, over fluents: where a game is over.
        games: How many; they are played side by side.
        longest: So many events of a game at most.
        deadline: When they end, however far they are.

    Raises:
        TooManyEvents: The rules have too many events to look at each of them.
        TimeUp: The deadline passed before the first event.
    """
    random = np.random.Generator(np.random.PCG64(0))
    with until(deadline):
        events = possible(system, [start], unless=stop)
        changes = ((system.layout.slot[f], new) for p in events for f, new in p.effects)
        packing = Packing.reached(system.layout.fluents, [start], dict.fromkeys(changes))
        expansion = Expansion(system.layout, events, packing)
        keys, _ = packing.packed(np.array([start] * games, np.int64))
        visited, happened = [keys[:, :1]], set()
        try:
            for _ in range(longest):
                look()
                found, _ = expansion.successors(keys, in_order=True)
                legal = np.bincount(found.source, minlength=keys.shape[1])
                drawn = np.cumsum(legal) - legal + (random.random(legal.size) * legal).astype(np.int64)
                drawn = drawn[legal > 0]
                if not drawn.size:
                    break
                keys = found.keys[:, drawn]
                visited.append(keys)
                happened.update(found.event[drawn].tolist())
        except TimeUp:
            if len(visited) == 1:
                raise
    states = packing.unpacked(np.concatenate(visited, axis=1))
    return RandomGames(games, len(visited) - 1, states, frozenset(events[i].event.name for i in happened))
