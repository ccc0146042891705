"""Players: who chooses among the legal events of a game, for many games at once or for one after the other."""

from __future__ import annotations

import json
import select
import shlex
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from importlib import import_module
from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Protocol
from weakref import finalize

import numpy as np

from vclogic.child_process import Child, StartMethod
from vclogic.clock import check_deadline
from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.explore.many_games import ManyGames
from vclogic.game import Game
from vclogic.model.actions import Event

if TYPE_CHECKING:
    from vclogic.explore.table import BestPlayTable

Array = Any
"""A NumPy array."""
PROGRAM = "program "
"""What the name of a player begins with that is a program; its command line follows."""
OPENSPIEL = "openspiel "
"""What the name of a player begins with that is a bot of OpenSpiel; `mcts`, or what makes the bot, follows."""
_BUDGET = 1.0  # seconds of a planner for one event
_SOON = 10  # milliseconds


class Player(Protocol):
    """A player that you write: a class named as `module:Class` in a study, made once for each side and each game."""

    def choose(self, game: Game, events: Sequence[Event], random: Random) -> Event:
        """One of the legal events.

        Args:
            game: The game at this moment.
            events: What is legal, in the order of the rules.
            random: The source of all that is left to chance, so that a seed gives a game.
        """
        ...


class Choosing(Protocol):
    """The chooser of one side in many games."""

    def __call__(self, games: ManyGames, seeds: Array, random: Array) -> Array:
        """For each game, in which this side decides, the number of a legal event.

        Args:
            games: The games.
            seeds: The seed of each.
            random: For each a number from 0 up to 1.
        """


@dataclass(frozen=True)
class Seat:
    """The facts that a player is told before it plays.

    Attributes:
        game: The game at its start.
        side: Its side.
        measure: What `greedy` makes large; None: how far its side is ahead in the outcomes that count something.
        goal: What `planner` plans for; None: any outcome of its side.
        kinds: The names of the events that may happen; empty: all.
    """

    game: Game
    side: str
    measure: str | None = None
    goal: str | None = None
    kinds: Sequence[str] = ()


def player(name: str, seat: Seat) -> Choosing:
    """The player of a name; what takes time, or starts a program, waits for the first choice.

    Raises:
        InputError: There is none, its class cannot be loaded, or it cannot play this game.
    """
    if name in _KNOWN:
        return _KNOWN[name](seat)
    if name.startswith(PROGRAM):
        program = _Program(name.removeprefix(PROGRAM), seat)
        return _OneByOne(seat, lambda: program)
    if name.startswith(OPENSPIEL):
        return _OneByOne(seat, _bots(name.removeprefix(OPENSPIEL), seat))
    if ":" in name:
        made = _loaded(name)
        return _OneByOne(seat, made)
    help = did_you_mean(name, _KNOWN) or f"players: {', '.join(_KNOWN)}, module:Class, program COMMAND, openspiel BOT"
    raise InputError(Diagnostic("unknown-name", f"there is no player {quoted(name)}", help=help))


def is_own(name: str) -> bool:
    """True for a player that is not part of vclogic: a class, a program, a bot."""
    return ":" in name or name.startswith((PROGRAM, OPENSPIEL))


def _loaded(name: str) -> Callable[..., Any]:
    module, _, of = name.partition(":")
    try:
        found = getattr(import_module(module), of)
    except (ImportError, AttributeError) as error:
        message = f"the player {quoted(name)} cannot be loaded: {error}"
        raise InputError(
            Diagnostic("unknown-name", message, help="install its package, or set PYTHONPATH")
        ) from error
    made: Callable[..., Any] = found
    return made


def _bots(name: str, seat: Seat) -> Callable[[], Player]:
    """The maker of a player for each game: `mcts`, with a number of playouts, or a function that makes a bot."""
    try:
        from vclogic.openspiel import PLAYOUTS, BotPlayer, mcts, openspiel_game
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("pyspiel", "open_spiel"):
            raise
        message = f"the player {quoted(OPENSPIEL + name)} needs OpenSpiel, which is not installed"
        raise InputError(Diagnostic("usage", message, help="pip install 'vclogic[openspiel]'")) from error
    first, _, playouts = name.partition(" ")
    made: Callable[..., Any]
    if ":" in name:
        made = _loaded(name)
    elif first == "mcts" and (not playouts or (playouts.isdecimal() and int(playouts) > 0)):
        made = partial(mcts, playouts=int(playouts or PLAYOUTS))
    else:
        help = "bots: mcts, mcts PLAYOUTS, module:function"
        raise InputError(Diagnostic("unknown-name", f"there is no bot {quoted(name)}", help=help))
    game = openspiel_game(seat.game, kinds=seat.kinds, drawn=True)
    number = game.turns.sides.index(seat.side)
    return lambda: BotPlayer(game, partial(made, game, number))


# ---- for many games at once


def _random(seat: Seat) -> Choosing:
    return lambda games, seeds, random: games.draw(random)


def _greedy(seat: Seat) -> Choosing:
    """The event after which the measure is largest; of several one is drawn."""
    measured = _measure(seat)

    def choose(games: ManyGames, seeds: Array, random: Array) -> Array:
        rows, numbers = games.legal.nonzero()
        after = games.take(rows)
        after.apply(numbers)
        side = after.sides.index(seat.side)
        # A win is worth more than any measure, whose order alone matters: it may have any size.
        order = np.unique(measured(after), return_inverse=True)[1].astype(np.int64)
        worth = order + (len(rows) + 1) * after.returns[:, side].astype(np.int64)
        best = np.full(len(games), np.iinfo(np.int64).min)
        np.maximum.at(best, rows, worth)
        kept = worth == best[rows]
        rows, numbers = rows[kept], numbers[kept]
        counts = np.bincount(rows, minlength=len(games))
        return numbers[np.cumsum(counts) - counts + (random * counts).astype(np.int64)]

    return choose


def _measure(seat: Seat) -> Callable[[ManyGames], Array]:
    """The value that a greedy player makes large, in each of some games."""
    if seat.measure is not None:
        compiled = seat.game.compile(seat.measure)
        return lambda games: np.asarray(compiled.batch(games.states))
    from vclogic.encode.python.batch import batch_function
    from vclogic.terms.atoms import integer
    from vclogic.terms.build import add, scale

    system = seat.game.setup.system
    ahead = [
        (1 if o.side == seat.side else -1, add(o.have, scale(o.need, -1)))
        for o in system.outcomes
        if o.have is not None and o.need is not None and o.side in system.sides
    ]
    terms = [t for _, t in ahead] or [integer(0)]
    function, signs = batch_function(terms, system.layout.slot), [s for s, _ in ahead] or [0]

    def measured(games: ManyGames) -> Array:
        found: Array = np.zeros(len(games), np.int64)
        for sign in (1, -1):
            of = [_added_up(v) for v, s in zip(function(games.states), signs, strict=True) if s == sign]
            found = found + (sign * np.max(of, axis=0) if of else 0)
        return found

    return measured


def _added_up(values: Array) -> Array:
    """Numbers in a type in which two of them have a sum: Python's own where 64 bits may be too few."""
    return values.astype(np.int64 if values.dtype.itemsize < 8 else object)


def _best(seat: Seat) -> Choosing:
    """Best play, of small games; where several events are as good, one is drawn."""
    table = cache(lambda: _table(seat.game, seat.side))

    def choose(game: Game, events: Sequence[Event], random: Random) -> Event:
        best = table().get(game)
        good = [] if best is None or best.event is None else [best.event]
        return random.choice(good or list(events))

    return _OneByOne(seat, lambda: SimpleNamespace(choose=choose))


def _table(game: Game, side: str) -> BestPlayTable:
    solved = game.solve(side=side, check=False)
    if solved.table is None:
        message = f"best play of {game.loaded.game} is not known: {solved.reason or solved.status}"
        raise InputError(Diagnostic("usage", message, help="the player `best` is for small games"))
    return solved.table


def _planner(seat: Seat) -> Choosing:
    """The first event of a plan for the goal, as far as it is found in a second; else one that is drawn."""
    planner, goal = seat.game.planner(seat.side), seat.goal or _goal(seat)

    def choose(game: Game, events: Sequence[Event], random: Random) -> Event:
        found = planner.plan(goal, state=game, budget_s=_BUDGET)
        events_of = () if found.record is None else found.record.events or ()
        first = next((e for e in events_of if e in events), None)
        return random.choice(list(events)) if first is None else first

    return _OneByOne(seat, lambda: SimpleNamespace(choose=choose))


def _goal(seat: Seat) -> str:
    own = [o.name for o in seat.game.setup.system.outcomes if o.side == seat.side]
    if not own:
        raise InputError(Diagnostic("usage", f"{seat.side} has no outcome to plan for", help="write it into `goals`"))
    return " or ".join(f"holds({name}, {quoted_name(seat.side)})" for name in dict.fromkeys(own))


def quoted_name(name: str) -> str:
    """A name as the goal language reads any."""
    return name if name.isidentifier() else f'"{name}"'


_KNOWN: Mapping[str, Callable[[Seat], Choosing]] = {
    "random": _random,
    "greedy": _greedy,
    "planner": _planner,
    "best": _best,
}


# ---- one after the other


class _OneByOne:
    """A player that is asked of one game at a time; each game has a player of its own."""

    def __init__(self, seat: Seat, made: Callable[[], Any]):
        self._seat, self._made = seat, made
        self._players: dict[int, tuple[Any, Random]] = {}

    def __call__(self, games: ManyGames, seeds: Array, random: Array) -> Array:
        states, legal = games.states.tolist(), games.legal
        chosen = [
            self._one(games, int(seed), tuple(state), legal[row])
            for row, (seed, state) in enumerate(zip(seeds, states, strict=True))
        ]
        return np.array(chosen, np.int64)

    def _one(self, games: ManyGames, seed: int, state: tuple[int, ...], legal: Array) -> int:
        if seed not in self._players:
            self._players[seed] = self._made(), Random(f"{seed} {self._seat.side}")
        playing, random = self._players[seed]
        numbers = legal.nonzero()[0].tolist()
        events = [games.events[i] for i in numbers]
        chosen = playing.choose(self._seat.game.at_state(state), events, random)
        if chosen not in events:
            message = f"the player of {self._seat.side} chose {chosen}, which is not legal (game of seed {seed})"
            raise InputError(Diagnostic("illegal", message))
        return int(numbers[events.index(chosen)])


class _Program:
    """A player that is a program: it reads a line of JSON for each choice, and answers with the number of an event.

    The line has `side`, `state` (as `Game.state_dict`) and `events`, a list of texts; the answer is a line with the
    place of one of them, from 0. One process plays all games of a block; it is started when it is first asked.
    """

    def __init__(self, command: str, seat: Seat):
        self._side, self._command = seat.side, command
        try:
            self._words = shlex.split(command)
            if not self._words or shutil.which(self._words[0]) is None:
                raise ValueError("there is no such program")
        except ValueError as error:
            message = f"the player {quoted(command)} does not start: {error}"
            raise InputError(Diagnostic("cannot-run", message)) from error

    @cached_property
    def _child(self) -> Child:
        child = Child(StartMethod(self._words, group=True))
        finalize(self, child.end)
        return child

    def choose(self, game: Game, events: Sequence[Event], random: Random) -> Event:
        """The event that the program answers with."""
        asked = {"side": self._side, "state": game.state_dict(), "events": [str(e) for e in events]}
        self._child.tell(json.dumps(asked).encode() + b"\n")
        try:
            return events[int(self._line())]
        except (ValueError, IndexError) as error:
            message = f"the player {quoted(self._command)} gave no number of an event"
            raise InputError(Diagnostic("illegal", message)) from error

    def _line(self) -> bytes:
        """The next line that it says; empty where it says no more."""
        poll = select.poll()
        poll.register(self._child.out, select.POLLIN)
        while True:
            poll.poll(None if not self._child.unsent else _SOON)
            self._child.send()
            check_deadline()
            lines = self._child.lines()
            if lines is None:
                return b""
            if lines:
                return lines[0]
