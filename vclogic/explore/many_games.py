"""Many games stepped at once: events by number, what is legal as a mask, chance with its weights, all as arrays."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from vclogic.encode.python.batch import batch_function
from vclogic.explore.arena import sides_of, weights_of
from vclogic.explore.endings import endings
from vclogic.explore.events import every_event, possible
from vclogic.explore.expansion import NOBODY, STUCK, ExpandedBlock, Expansion, Movers
from vclogic.explore.packing import Packing
from vclogic.model.actions import Event
from vclogic.model.fluents import State
from vclogic.model.system import System

Array = Any
"""A NumPy array."""


class ManyGames:
    """Moments of one game that are stepped together. Rows of arrays are games, columns of masks are events.

    A game is over where a side has won, the rules say so, or no event is legal.

    Args:
        system: The rule set.
        starts: The state that each game starts from.
        kinds: The names of the events that may happen; empty: all.
        remade: Makes them anew in another process: a function with its arguments.

    Attributes:
        events: The events of the rules, in the order in which the game declares them: the same in every process.
        sides: The sides, in the order of their numbers and columns.
        possible: Those of the events that may happen in some play, by their numbers.

    Raises:
        TooManyEvents: The rules have too many events to look at each of them.
    """

    def __init__(self, system: System, starts: Sequence[State], kinds: Collection[str] = (), remade: Any = None):
        self._remade = remade
        if kinds:
            system = replace(system, events=tuple(s for s in system.events if s.name in kinds))
        self._system, ends, different = system, endings(system), list(dict.fromkeys(starts))
        self.sides = tuple(system.sides)
        self.events: tuple[Event, ...] = tuple(every_event(system))
        could = possible(system, different, unless=ends.final)
        number = {event: i for i, event in enumerate(self.events)}
        self.possible = {number[p.event]: p for p in could}
        self._number = np.array(list(self.possible), np.int64)
        """For each event that could happen in some play its number."""
        self._place: Array = np.full(len(self.events), -1)
        self._place[self._number] = np.arange(len(could))
        changes = dict.fromkeys((system.layout.slot[f], new) for p in could for f, new in p.effects)
        self._packing = Packing.reached(system.layout.fluents, different, changes)
        movers = Movers(system, could)
        self._expansion = Expansion(system.layout, could, self._packing, movers=movers, goal=ends.final)
        self._ended = batch_function(ends.terms, system.layout.slot)
        self._odds = [system.action(p.event).odds for p in could]
        self._starts, _ = self._packing.packed(np.array(starts, np.int64))
        self._keys = self._starts

    def __reduce__(self) -> tuple[Any, ...]:
        if self._remade is None:
            return super().__reduce__()  # type: ignore[return-value]
        return _again, (*self._remade, self._starts, self._keys)

    def __len__(self) -> int:
        return int(self._keys.shape[1])

    def take(self, rows: Array) -> ManyGames:
        """Some of the games, each as often as its row is named; stepping them does not move these."""
        taken = copy(self)
        taken.__dict__.pop("_now", None)
        taken._starts, taken._keys = self._starts[:, rows], self._keys[:, rows]
        return taken

    def restart(self, rows: Array) -> None:
        """Sets some of the games back to their starts."""
        keys = self._keys.copy()
        keys[:, rows] = self._starts[:, rows]
        self._move(keys)

    def _move(self, keys: Array) -> None:
        self.__dict__.pop("_now", None)
        self._keys = keys

    @cached_property
    def _now(self) -> ExpandedBlock:
        return self._expansion.block(self._keys)

    # ---- what is so

    @property
    def states(self) -> Array:
        """The state of each game, as `Game.array` has it: a row for each, for `Compiled.batch`."""
        return self._packing.unpacked(self._keys)

    @property
    def over(self) -> Array:
        """For each game whether it is over."""
        return self._now.goal | (self.mover == STUCK)

    @property
    def won(self) -> Array:
        """For each game and side whether the side has won."""
        return self._ends[:, : len(self.sides)]

    @property
    def returns(self) -> Array:
        """For each game and side 1 where it has won, -1 where only others have or it has lost, and 0 otherwise.

        It is 0 where all have won, unless the text says that they do so together.
        """
        ends, n = self._ends, len(self.sides)
        won, together, lost = ends[:, :n], ends[:, n : n + 1], ends[:, n + 1 :]
        every = won.all(axis=1, keepdims=True) & (n > 1)
        gone = won.any(axis=1, keepdims=True) | (lost if lost.size else False)
        return np.where(every, together, np.where(won, 1, np.where(gone, -1, 0))).astype(np.int8)

    @property
    def _ends(self) -> Array:
        return np.stack(self._ended(self.states), axis=1).astype(np.bool_)

    @property
    def mover(self) -> Array:
        """For each game who decides what happens next.

        The number of a side; -1 where nobody does, such as chance; -2 where more than one side may; -3 where nothing
        is legal.
        """
        found = self._now.mover
        assert found is not None, "it was asked for"
        return found

    @property
    def legal(self) -> Array:
        """For each game and event whether it is legal."""
        found: Array = np.zeros((len(self), len(self.events)), np.bool_)
        if self._number.size:
            found[:, self._number] = np.stack(self._now.guards, axis=1)
        return found

    @property
    def weights(self) -> Array:
        """For each game and event its weight where chance decides (see `mover`); 0 for all others.

        Chance decides where nobody does and all that is legal has odds in the rules.
        """
        found: Array = np.zeros((len(self), len(self.events)), np.int64)
        for place, rows, weights in self._chances():
            found[rows, self._number[place]] = weights
        return found

    def _chances(self) -> Iterator[tuple[int, Array, Array]]:
        """For each event with odds the games in which chance decides and it is legal, and its weights there."""
        decides = self.mover == NOBODY
        if not decides.any():
            return
        for guard, odds in zip(self._now.guards, self._odds, strict=True):
            if odds is None:
                decides = decides & ~guard
        for place, (guard, odds) in enumerate(zip(self._now.guards, self._odds, strict=True)):
            if odds is None:
                continue
            (rows,) = (guard & decides).nonzero()
            if rows.size:
                yield place, rows, weights_of(self._system, odds, self._packing.unpacked(self._keys[:, rows]))

    def agrees(self, numbers: Array) -> Array:
        """For each game the number of the side that must want an event too, as well as who decides it; -1: none.

        Args:
            numbers: For each game the number of an event; -1: none.
        """
        found: Array = np.full(len(self), NOBODY, np.int8)
        for number, rows in self._by_event(numbers):
            asked = self._system.action(self.events[number]).agreed
            if asked is not None:
                states = self._packing.unpacked(self._keys[:, rows])
                found[rows] = sides_of(self._system, asked, states, NOBODY)
        return found

    # ---- what happens

    def draw(self, random: Array) -> Array:
        """For each game the number of a legal event: by its weight where chance decides, else each alike.

        Args:
            random: For each game a number from 0 up to 1.

        Returns:
            The numbers; -1 for games that are over.
        """
        rows, columns = np.stack([*self._now.guards, self._now.goal], axis=1)[:, :-1].nonzero()
        weights: Array = np.ones(len(rows), np.int64)
        for place, games, of in self._chances():
            weights[columns == place] = _laid_out(rows[columns == place], games, of)
        total: Array = np.bincount(rows, weights, minlength=len(self))
        before = np.concatenate([[0.0], np.cumsum(weights)])
        first: Array = np.searchsorted(rows, np.arange(len(self)))
        at: Array = np.searchsorted(before, before[first] + random * total, side="right") - 1
        drawn: Array = np.full(len(self), -1)
        open_ = total > 0
        drawn[open_] = self._number[columns[at[open_]]]
        return drawn

    def apply(self, numbers: Array) -> None:
        """Makes an event happen in each game.

        Args:
            numbers: For each game the number of an event; -1 leaves it as it is.

        Raises:
            ValueError: An event is not legal; nothing has happened then.
        """
        keys = self._keys.copy()
        for number, rows in self._by_event(numbers):
            place = self._place[number]
            legal = self._now.guards[place][rows] if place >= 0 else np.zeros(len(rows), np.bool_)
            if not legal.all():
                where = int(rows[~legal][0])
                raise ValueError(f"in game {where} the event {number}, {self.events[number]}, is not legal")
            for word, reached in enumerate(self._now.after(place, rows)):
                keys[word, rows] = reached
        self._move(keys)

    def _by_event(self, numbers: Array) -> Iterator[tuple[int, Array]]:
        """Each event with the games in which it is named."""
        order = np.argsort(numbers, kind="stable")
        different, first = np.unique(numbers[order], return_index=True)
        for number, rows in zip(different.tolist(), np.split(order, first[1:]), strict=True):
            if number >= 0:
                yield number, rows


def _laid_out(rows: Array, games: Array, of: Array) -> Array:
    """Weights in the order of rows, of which those that are no games of chance weigh 1."""
    found: Array = np.ones(len(rows), np.int64)
    found[np.searchsorted(rows, games)] = of
    return found


def _again(make: Callable[..., ManyGames], arguments: tuple[Any, ...], starts: Array, keys: Array) -> ManyGames:
    """The games that another process sent."""
    found = make(*arguments)
    found._starts = starts
    found._move(keys)
    return found
