"""All positions that play by single events reaches, and how far a goal is in each, whatever others do.

Whoever does not want the goal is one party, and so is what nobody decides: what is forced comes whatever chance
brings and whichever event the rules leave open. How far a goal is counts turns first, then events.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from vclogic.explore.arena import FINAL, LENGTHS, TURN, Arena, Array, arena, columns_of
from vclogic.explore.chance import NEVER, forcing
from vclogic.explore.endings import Endings, endings
from vclogic.explore.expansion import UNSEEN
from vclogic.explore.parties import two_parties
from vclogic.explore.search import MOST, explore
from vclogic.model.actions import Event
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.terms.atoms import FALSE
from vclogic.terms.build import or_
from vclogic.terms.sorts import EnumSort

_MEMORY = 800_000_000  # bytes of positions and events
_EXPLORING, _SOON = 0.6, 0.3  # of the time
_EVER_MORE = 4  # times as many positions by twice as many events
_FEW = 100_000  # positions that are looked at within a few seconds


class EventDuel:
    """All positions that play reaches, and how far the goal is in each.

    Args:
        resolved: The question.
        goal: Bool, over fluents.
        few: Whether each turn is one event, and the search ends soon where there are many positions.
        deep: Only positions that fewer events lead to are looked at.

    Attributes:
        few: As given.
        explored: The positions.
        game: They as a graph; the party that wants the goal is number `ours`.
        far: For each node how far the goal can be forced to be, at the most; `NEVER` where it cannot.
        least: The same at the least, where not all positions were looked at.
        turns: For each edge how many turns of the side end with it, or with the goal.
        own: For each position whether it is the side's turn.
        place: For each node its position.
    """

    def __init__(self, resolved: ResolvedQuestion, *, few: bool = False, deep: float = math.inf):
        assert resolved.side is not None
        goal = resolved.goal.term
        self.resolved, self.few = resolved, few
        system = two_parties(resolved.system, resolved.side)
        self.ours = list(system.sides).index(resolved.side)
        over = endings(resolved.system).final
        whose = resolved.metric.clock[0]
        assert isinstance(whose.sort, EnumSort)
        self.explored = explore(
            system,
            [resolved.state],
            stop=or_(goal, over),
            most=_FEW if few else MOST,
            memory=_MEMORY,
            within=deep,
            deadline=resolved.effort.deadline.part(_SOON if few else _EXPLORING),
        )
        won = (goal, FALSE) if self.ours == 0 else (FALSE, goal)
        bare = arena(system, self.explored, Endings(won, over))
        self.place = _places(bare)
        clock = columns_of(resolved.metric.clock, system.layout, self.explored.states)
        ours = [system.side_of(str(m)) == resolved.side for m in whose.sort.members]
        self.own = np.array(ours)[clock[0]]
        reached = columns_of([goal], system.layout, self.explored.states)[0].astype(bool)
        before, after = self.place[bare.source], self.place[bare.target]
        unseen = self.explored.mover == UNSEEN  # where a turn may go on
        last = (bare.owner[bare.target] == FINAL) & ~unseen[after]
        ends = np.any([c[before] != c[after] for c in clock], axis=0) | last
        happens = bare.origin >= 0
        self.turns = (happens & self.own[before] & (ends | reached[after])).astype(np.int8)
        length = np.where(happens, 1 + self.turns, 0).astype(np.int8)
        self.game: Arena = replace(bare, length=length)
        self.reached = reached[self.place]
        found, chooses = forcing(self.game), self.game.owner == self.ours
        goals = np.flatnonzero(self.reached)
        self.far: Array = found.lengths(goals, chooses)
        self.least: Array = self.far
        if not self.explored.complete:
            # No goal holds where nothing was looked at, so a turn of the side's own that goes on there counts.
            near, beyond = np.flatnonzero(unseen & ~self.own), np.flatnonzero(unseen & self.own)
            self.least = found.lengths(np.concatenate([goals, near]), chooses, beyond)

    @property
    def decided(self) -> bool:
        """True if it is known whether the goal can be forced within the turns asked about, and in how few."""
        far, least = (int(lengths[0]) // TURN for lengths in (self.far, self.least))
        return far == least or least > (self.resolved.within or 0)

    def edges(self, node: int) -> range:
        """The edges that leave a node."""
        return range(int(self.game.first[node]), int(self.game.first[node + 1]))

    @property
    def happening(self) -> Iterable[Event]:
        """The events that happen somewhere."""
        return [self.explored.events[i] for i in np.unique(self.explored.event)]

    def event(self, edge: int) -> Event | None:
        """The event of an edge; None: it only says who acts."""
        origin = int(self.game.origin[edge])
        return None if origin < 0 else self.explored.events[int(self.explored.event[origin])]

    def through(self, edge: int) -> int:
        """The distance of the goal for whoever takes an edge."""
        return min(int(self.far[self.game.target[edge]] + LENGTHS[self.game.length[edge]]), NEVER)


def within_turns(resolved: ResolvedQuestion, *, few: bool) -> EventDuel:
    """The positions that tell whether a goal can be forced within the turns asked about.

    Where each event is a turn, as when chance has nothing to do before the end of what is asked, no others bear on
    it. Where they do not tell, play is followed twice as far, as long as that leads to ever more positions; then to
    its end.

    Args:
        few: As in `EventDuel`.
    """
    assert resolved.within is not None
    whose = resolved.metric.clock[0]
    assert isinstance(whose.sort, EnumSort)
    powers, on_turn = len(whose.sort.members), str(resolved.system.layout.values(resolved.state)[whose])
    before = 0 if resolved.system.side_of(on_turn) == resolved.side else powers - 1
    deep: float = max(resolved.within * powers + before, 1)
    number = 1
    while True:
        found = EventDuel(resolved, few=few, deep=deep)
        if few or found.decided or int(found.explored.depth.max()) < deep:
            return found
        number, last = len(found.explored.states), number
        del found  # two of them may be too large
        deep = deep * 2 if number >= _EVER_MORE * last else math.inf


def _places(game: Arena) -> Array:
    """The position of each node: those that are none stand for one in which several may act."""
    found: Array = np.arange(game.nodes)
    between = game.origin < 0
    found[game.target[between]] = game.source[between]
    return found
