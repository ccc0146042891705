"""Playtests: games between players, each game a row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from vclogic.clock import check_deadline
from vclogic.encode.python.batch import batch_function
from vclogic.explore.expansion import STUCK
from vclogic.explore.many_games import ManyGames
from vclogic.game import Game
from vclogic.model.actions import Event
from vclogic.model.system import System
from vclogic.studies.players import Choosing, Seat, is_own, player
from vclogic.terms.build import or_
from vclogic.terms.sorts import EnumSort
from vclogic.words import joined

Array = Any
"""A NumPy array."""
Row = dict[str, Any]
RANDOM = "random"
_GAMES = 4  # that a process keeps made


@dataclass(frozen=True)
class Playtest:
    """The parts that all games of a cell share.

    Attributes:
        players: The player of each side; `random` where none is named.
        measures: What `greedy` makes large, for each side.
        goals: What `planner` plans for, for each side.
        kinds: The names of the events that may happen; none: all.
        longest: So many events of a game at most.
        keep: What is kept of the end of each game: expressions by name.
    """

    players: Mapping[str, str]
    measures: Mapping[str, str]
    goals: Mapping[str, str]
    kinds: Sequence[str]
    longest: int
    keep: Mapping[str, str]


def play(game: Game, test: Playtest, seeds: Sequence[int]) -> Iterator[Row]:
    """Play a game for each seed; what happens depends on nothing but the seed.

    Returns:
        For each game its row: `seed`, `winner` (nobody where several have won), `winners`, `outcome` (with the sides,
        where several have won), `ended` (`won`; `over`: nobody has won, `stuck`: nothing was legal, `longest`),
        `events`, `first` (the side that decided first), what is kept by its name, `used`: the kinds of events that
        happened, and `changed`: for each fact that says whose something is how often it changed.

    Raises:
        InputError: A player, an expression or a kind of event is unknown, or a player chose what is not legal.
    """
    games = _many(game, test, len(seeds))
    table = _Watched(game.setup.system, games)
    for drawn in _played(game, test, games, seeds):
        table.watch(drawn)
    table.changes()
    return _rows(game, test, seeds, games, table)


def events_of(game: Game, test: Playtest, seed: int) -> tuple[Event, ...]:
    """The events of the game of a seed, as `play` plays it."""
    games = _many(game, test, 1)
    return tuple(games.events[int(drawn[0])] for drawn in _played(game, test, games, [seed]))


def check(game: Game, test: Playtest, *, away: bool = False) -> None:
    """Finds out what `play` would refuse, without playing.

    Args:
        away: Whether it is played on other machines, which have players of their own.

    Raises:
        InputError: A player, an expression or a kind of event is unknown.
    """
    games = _many(game, test, 1)
    for side in games.sides:
        _player(game, test, side, away=away)
    _kept(game, test.keep, games.states)


def _many(game: Game, test: Playtest, number: int) -> ManyGames:
    return _made(game, tuple(test.kinds)).take(np.zeros(number, np.int64))


@lru_cache(_GAMES)
def _made(game: Game, kinds: tuple[str, ...]) -> ManyGames:
    """A game of which many are taken: making it takes as long as some hundreds of short ones."""
    return game.many(kinds=kinds)


def _player(game: Game, test: Playtest, side: str, *, away: bool = False) -> Choosing:
    name = test.players.get(side, RANDOM)
    name = RANDOM if away and is_own(name) else name
    return player(name, Seat(game, side, test.measures.get(side), test.goals.get(side), test.kinds))


def _played(game: Game, test: Playtest, games: ManyGames, seeds: Sequence[int]) -> Iterator[Array]:
    """Plays games to their ends; what happens next in each is told before it does."""
    choosing = [_player(game, test, side) for side in games.sides]
    numbered = np.array(seeds, np.uint64)
    for step in range(test.longest):
        check_deadline()
        drawn = _chosen(games, choosing, numbered, step)
        if (drawn < 0).all():
            break
        yield drawn
        games.apply(drawn)


def _chosen(games: ManyGames, choosing: Sequence[Choosing], seeds: Array, step: int) -> Array:
    """The next event of each game: a side's choice, or drawn where nobody or more than one side decides."""
    random = uniform(seeds, step)
    drawn = games.draw(random)
    for side, choose in enumerate(choosing):
        (rows,) = ((games.mover == side) & (drawn >= 0)).nonzero()
        if rows.size:
            drawn[rows] = choose(games.take(rows), seeds[rows], random[rows])
    return drawn


def uniform(seeds: Array, step: int) -> Array:
    """Numbers from 0 up to 1 that depend on seeds and the step alone, as by SplitMix64 (Steele, Lea, Flood 2014)."""
    with np.errstate(over="ignore"):
        z = (seeds + np.uint64(1)) * np.uint64(0xD1342543DE82EF95) + np.uint64(step + 1) * np.uint64(
            0x9E3779B97F4A7C15
        )
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z ^= z >> np.uint64(31)
    found: Array = (z >> np.uint64(11)).astype(np.float64) / float(1 << 53)
    return found


class _Watched:
    """Notes taken while games are played."""

    def __init__(self, system: System, games: ManyGames):
        self._games = games
        self._owned = _owner_facts(system)
        slots = [slot for _, slot in self._owned]
        self._columns = np.array(slots, np.int64)
        self._before = games.states[:, self._columns]
        self.events: Array = np.zeros(len(games), np.int32)
        self.changed: Array = np.zeros((len(games), len(slots)), np.int32)
        kinds = list(dict.fromkeys(e.name for e in games.events))
        self.kinds = kinds
        self._kind = np.array([kinds.index(e.name) for e in games.events] or [0])
        self.used: Array = np.zeros((len(games), len(kinds)), np.bool_)
        movers = games.mover
        self.first = [games.sides[m] if m >= 0 else None for m in movers.tolist()]

    def watch(self, drawn: Array) -> None:
        """Notes what is about to happen."""
        (rows,) = (drawn >= 0).nonzero()
        self.events[rows] += 1
        self.used[rows, self._kind[drawn[rows]]] = True
        self.changes()

    def changes(self) -> None:
        """Notes what has changed hands."""
        if self._columns.size:
            now = self._games.states[:, self._columns]
            self.changed += now != self._before
            self._before = now

    def changes_of(self, row: int) -> dict[str, int]:
        """The number of changes of each fact in a game, but for those that never changed."""
        return {n: int(c) for (n, _), c in zip(self._owned, self.changed[row], strict=True) if c}


def _owner_facts(system: System) -> list[tuple[str, int]]:
    """The facts that say whose something is: their values are sides, powers or nobody. Those of the turn are none."""
    named = {*system.sides, *(p for powers in system.sides.values() for p in powers)}
    found = []
    for family in system.families:
        if isinstance(family.sort, EnumSort) and family.indices and named & set(family.sort.members):
            found += [(f.name, system.layout.slot[f]) for f in family.fluents.values()]
    return found


def _rows(game: Game, test: Playtest, seeds: Sequence[int], games: ManyGames, table: _Watched) -> Iterator[Row]:
    system, states = game.setup.system, games.states
    outcomes = list(system.outcomes)
    met = batch_function([or_(o.won, o.now) for o in outcomes], system.layout.slot)(states)
    kept = _kept(game, test.keep, states)
    over, stuck, won = games.over, games.mover == STUCK, games.won
    for row, seed in enumerate(seeds):
        winners = [s for s, has in zip(games.sides, won[row], strict=True) if has]
        winner = winners[0] if len(winners) == 1 else None
        by = [o.name for o, m in zip(outcomes, met, strict=True) if m[row] and (winner is None or o.side == winner)]
        if len(winners) > 1:
            by = [joined([f"{o.name} of {o.side}" for o, m in zip(outcomes, met, strict=True) if m[row]])]
        ended = "won" if winners else "longest" if not over[row] else "over" if by or not stuck[row] else "stuck"
        yield {
            "seed": int(seed),
            "winner": winner,
            "winners": winners,
            "outcome": by[0] if by else None,
            "ended": ended,
            "events": int(table.events[row]),
            "first": table.first[row],
            **{name: of[row] for name, of in kept.items()},
            "used": [k for k, happened in zip(table.kinds, table.used[row], strict=True) if happened],
            "changed": table.changes_of(row),
        }


def _kept(game: Game, keep: Mapping[str, str], states: Array) -> dict[str, list[Any]]:
    """The values of expressions at the end of each game; names as texts."""
    if not keep:
        return {}
    compiled = game.compile(list(keep.values()))
    found = {}
    for name, members, values in zip(keep, compiled.members, compiled.batch(states), strict=True):
        plain = values.tolist()  # None where it is undefined
        found[name] = [v if members is None or v is None else members[v] for v in plain]
    return found
