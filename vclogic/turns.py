"""One game in turns, for programs that know nothing else: a side chooses, or chance draws, or the game is over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from random import Random
from typing import Any

import numpy as np

from vclogic.encode.python.evaluator import apply, compile_terms
from vclogic.errors import Diagnostic, InputError
from vclogic.explore.endings import endings, returns_of
from vclogic.explore.expansion import NOBODY
from vclogic.game import Game
from vclogic.model.fluents import State, value
from vclogic.query.status.progress import seen
from vclogic.terms.atoms import TRUE
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Term

Array = Any
"""A NumPy array."""
LONGEST = 1000
"""A game is broken off after so many events, unless something else is said."""
_KEPT = 1 << 14  # turns that are remembered
_NEAR, _TRIED, _EVENTS = 40, 3, 30  # positions near the start, games and events of each that are tried at first


@dataclass(frozen=True)
class Turn:
    """The events that may happen at a moment of a game.

    Attributes:
        side: The number of the side that chooses; None: chance draws, or the game is over.
        legal: The numbers of the events of which one happens next; none: the game is over.
        odds: The probability of each where chance draws.
        returns: For each side 1, -1 or 0, as `vclogic.explore.endings.returns_of` says.
    """

    side: int | None
    legal: tuple[int, ...]
    odds: tuple[float, ...]
    returns: tuple[int, ...]


class GameTurns:
    """The turns of a game from one moment on.

    Events that another side must agree to are left out, as in `Game.solve`: where one side wins what the other loses,
    nobody gives what the other wants.

    Args:
        game: The moment.
        kinds: The names of the events that may happen; empty: all of the rules.
        longest: After so many events the game is broken off, by those who play it.
        drawn: Whether chance draws, each legal event alike, where more than one side may decide what comes next, or
            nobody does and the rules give no odds. Playtests do so.

    Attributes:
        events: The events by their numbers, the same in every process.
        sides: The sides by their numbers.
        start: The state at the start.
        longest: After how many events the game is broken off.
        chance: Whether there are events that nobody decides.
        zero_sum: Whether what one of two sides gains the other loses.
        width: The number of numbers in `tensor`.

    Raises:
        InputError: The rules hide facts, have fewer than two sides or too many events, or there is no such event. At
            the start, and wherever it is met in play: that it is nobody's turn (see `drawn`); `try_out` looks for it.
    """

    def __init__(self, game: Game, kinds: Sequence[str] = (), *, longest: int = LONGEST, drawn: bool = False):
        system = game.setup.system
        _check(game, longest)
        games = game.many(kinds=kinds)
        self.events, self.sides = games.events, games.sides
        self.start, self.longest = game.state, longest
        self._system, self._drawn = system, drawn
        actions = {i: system.action(p.event) for i, p in games.possible.items()}
        decider = partial(system.decider, nobody=NOBODY)
        self._actor = {i: x if isinstance(x := p.actor, Term) else decider(x) for i, p in games.possible.items()}
        self._agreed = {i: x if isinstance(x := a.agreed, Term) else decider(x) for i, a in actions.items()}
        self._odds = {i: a.odds for i, a in actions.items()}
        self.chance = drawn or not all(isinstance(x, int) and x >= 0 for x in self._actor.values())
        asked = (*self._actor.values(), *self._agreed.values(), *self._odds.values())
        self._asked = list(dict.fromkeys(x for x in asked if isinstance(x, Term)))
        terms = [*(p.guard for p in games.possible.values()), *(ends := endings(system)).terms, *self._asked]
        self._function, self._ended = compile_terms(terms, system.layout.slot), len(ends.terms)
        self.zero_sum = ends.zero_sum
        changing = {f for p in games.possible.values() for f, _ in p.effects}
        self._seen = [(place, f) for place, f in enumerate(system.layout.fluents) if f in changing]
        self.width = sum(_cells(f) for _, f in self._seen) + len(self.sides)
        self.turn = lru_cache(_KEPT)(self._turn)
        self._made = game, tuple(kinds)
        self.turn(self.start)

    def __reduce__(self) -> tuple[Any, ...]:
        game, kinds = self._made
        return partial(GameTurns, longest=self.longest, drawn=self._drawn), (game, kinds)

    def try_out(self) -> None:
        """Look at positions near the start, and play some games, before anything else is made of it.

        Raises:
            InputError: It is nobody's turn somewhere.
        """
        near, random = [self.start], Random(0)
        for state in near:  # which grows
            legal = self.turn(state).legal
            if self._drawn or len(near) > _NEAR:
                break
            near += [self.after(state, i) for i in legal[:_NEAR]]
        for _ in range(0 if self._drawn else _TRIED):
            state = self.start
            for _ in range(min(self.longest, _EVENTS)):
                if not (legal := self.turn(state).legal):
                    break
                state = self.after(state, random.choice(legal))

    def after(self, state: State, number: int) -> State:
        """The state after an event.

        Raises:
            ValueError: It is not legal.
        """
        if number not in self.turn(state).legal:
            raise ValueError(f"the event {number} is not legal")
        return apply(self._system, state, self._system.action(self.events[number]))

    def _turn(self, state: State) -> Turn:
        found = self._function(state)
        guards, ends = len(self._actor), len(self._actor) + self._ended
        returns = returns_of(len(self.sides), list(map(bool, found[guards:ends])))
        told = dict(zip(self._asked, map(int, found[ends:]), strict=True))
        legal = [i for i, may in zip(self._actor, found, strict=False) if may]
        movers = {self._side(self._actor[i], told) for i in legal}
        mover = movers.pop() if len(movers) == 1 else None
        legal = [i for i in legal if self._side(self._agreed[i], told) in (NOBODY, mover)]
        if not legal:
            return Turn(None, (), (), returns)
        if mover is not None and mover >= 0:
            return Turn(mover, tuple(legal), (), returns)
        weights = self._weights(legal, told) if mover == NOBODY else None
        if weights is None:
            self._check_drawn(legal, mover)
            weights = [1] * len(legal)
        drawn = [(i, w / sum(weights)) for i, w in zip(legal, weights, strict=True) if w]
        return Turn(None, tuple(i for i, _ in drawn), tuple(p for _, p in drawn), returns)

    def _side(self, who: int | Term, told: Mapping[Term, int]) -> int:
        if isinstance(who, int):
            return who
        assert isinstance(who.sort, EnumSort)
        return self._system.decider(who.sort.members[told[who]], NOBODY)

    def _weights(self, legal: Sequence[int], told: Mapping[Term, int]) -> list[int] | None:
        """The odds of events that nobody decides; None where not all of them have any."""
        odds = [self._odds[i] for i in legal]
        found = [max(told[x] if isinstance(x, Term) else x, 0) for x in odds if x is not None]
        return found if len(found) == len(odds) and any(found) else None

    def _check_drawn(self, legal: Sequence[int], mover: int | None) -> None:
        if self._drawn or (mover == NOBODY and len(legal) == 1):
            return
        who = "more than one side may decide what comes next"
        if mover == NOBODY:
            who = "nobody decides what comes next, and the rules give no odds"
        few = ", ".join(str(self.events[i]) for i in legal[:3])
        message = f"{who}: {few}{' ...' if len(legal) > 3 else ''}; that is no game in turns"
        raise InputError(Diagnostic("usage", message, help="with `drawn` chance draws there, each event alike"))

    # ---- what is so

    def tensor(self, state: State) -> Array:
        """The position at a moment, as numbers from 0 to 1.

        A fact that can change has a cell for each name that it may take, with 1 where it does; numbers have one cell,
        with 1 for the largest. At the end there is a cell for each side, with 1 where it chooses.
        """
        found: Array = np.zeros(self.width, np.float32)
        at = 0
        for place, fluent in self._seen:
            if isinstance(fluent.sort, EnumSort):
                found[at + state[place]] = 1
            elif fluent.hi > fluent.lo:
                found[at] = (state[place] - fluent.lo) / (fluent.hi - fluent.lo)
            at += _cells(fluent)
        side = self.turn(state).side
        if side is not None:
            found[at + side] = 1
        return found

    def text(self, state: State) -> str:
        """The position at a moment: a line for each fact that can change, and one for who chooses."""
        turn = self.turn(state)
        who = "over" if not turn.legal else "chance" if turn.side is None else self.sides[turn.side]
        return "\n".join([*(f"{f.name}: {value(f.sort, state[i])}" for i, f in self._seen), f"next: {who}"])


def _cells(fluent: Term) -> int:
    return len(fluent.sort.members) if isinstance(fluent.sort, EnumSort) else 1


def _check(game: Game, longest: int) -> None:
    system = game.setup.system
    if longest < 1:
        raise InputError(Diagnostic("wrong-value", f"expected a whole number from 1 on, found {longest}", "longest"))
    if len(system.sides) < 2:
        raise InputError(Diagnostic("usage", f"{game.loaded.game} has fewer than two sides"))
    if any(known is not TRUE for side in system.sides for _, known in seen(system, side)):
        message = f"the rules of {game.loaded.game} hide facts from a side"
        help = "what is played in turns here is known to all; `vclogic status --view SIDE` says what a side sees"
        raise InputError(Diagnostic("usage", message, help=help))
