"""The winner if both sides play as well as can be: every position that play can reach is looked at."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Literal, cast

import numpy as np

from vclogic.choices import choice
from vclogic.clock import ANSWERING, TIME_UP, Deadline, TimeUp, check_deadline, grace_period, until
from vclogic.encode.python.evaluator import apply, failed
from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.explore.arena import SIDES, columns_of
from vclogic.explore.best_play import ODDS, OPEN, best_play
from vclogic.explore.check_table import Faults, check_table
from vclogic.explore.endings import endings
from vclogic.explore.events import TooManyEvents
from vclogic.explore.expansion import NOBODY, SEVERAL, STUCK, UNSEEN, Explored
from vclogic.explore.parties import two_parties
from vclogic.explore.search import explore
from vclogic.explore.table import Best, BestPlayTable, table_of
from vclogic.model.actions import Event
from vclogic.model.fluents import State, value, written
from vclogic.model.step_text import step_text
from vclogic.model.system import System
from vclogic.progress import Progress
from vclogic.query.answers import Recorded, Step
from vclogic.query.question import Request
from vclogic.query.replay import ReplayError, as_steps, turn_of
from vclogic.query.resolved_question import check_numbers
from vclogic.query.solve.answer import Solved, Stuck
from vclogic.query.status.progress import StatusView
from vclogic.rulebook.play.game import PASS
from vclogic.terms.build import any_of
from vclogic.words import amount

Array = Any  # of numpy
MOST = 5_000_000
"""Positions that are reached at most, unless the user says otherwise."""
_ALL = 1_000_000_000
_CLOSE = 1e-9  # bounds of a score that differ by no more count as one
_FEW_STUCK = 5  # positions without a legal event
_FEW_WON = 3  # positions that a side has won, of which it is looked at whether a record may go on
_MEMORY = 800_000_000  # bytes of positions and events; best play over them takes up to three times as much
_LONGEST = 1_000  # steps of the play that is shown
_CHECKING = 0.35  # of the time for checking
EVEN = "where all lose, or all win together, that counts as a draw: neither side gets more than the other"
TOGETHER = (
    "all others play together against {0}: it does not matter who of them wins, a win of {0} with others is one, "
    "and their turns in a row count as one"
)
PLAYS_ON = "the first winner has won: the rules let a record go on after that, and play is not followed there"
UNSHOWN = "the time was up before the play could be shown"
ONLY = "by the events of a record alone: nothing is assumed beyond the rules"


def solve(request: Request, most: int = MOST, *, side: str | None = None, check: bool = True) -> Solved:
    """Best play of both sides from a position.

    Args:
        request: The game, the position and the time limit.
        most: How many positions may be reached.
        side: Of more than two sides the one against which all others play together.
        check: Whether the table is checked position by position, in the time left.

    Returns:
        The answer with its table; `unknown` where the search was cut off or the rules leave something open.

    Raises:
        InputError: The game has one side, or several and none is asked about, or a number is wrong.
    """
    check_numbers(timeout=request.timeout)
    if not 1 <= most <= _ALL:
        message = f"{most:,} positions: expected a whole number from 1 to {_ALL:,}"
        raise InputError(Diagnostic("out-of-range", message, choice("max_positions")))
    system = request.setup.system
    if side is not None and side not in system.sides:
        help = did_you_mean(side, system.sides) or f"sides: {', '.join(system.sides)}"
        raise InputError(Diagnostic("unknown-name", f"there is no side {quoted(side)}", choice("side"), help=help))
    if len(system.sides) != SIDES and (side is None or len(system.sides) == 1):
        number = len(system.sides)
        message = f"best play is about games of two sides; this one has {number}: {', '.join(system.sides)}"
        help = f"with the side {next(iter(system.sides))} it is that side against all others together"
        raise InputError(Diagnostic("not-for-this-game", message, help=help if number > 1 else None))
    return _BestPlayQuestion(request, most, side or next(iter(system.sides)), check).answer()


@dataclass(frozen=True)
class _PlayFound:
    """The results at the end of the time."""

    explored: Explored
    table: BestPlayTable
    checked: Faults | None


@dataclass(frozen=True)
class _ShownPlay:
    """The part of play that is shown; see `Solved`.

    Attributes:
        steps: The steps of best play.
        events: Its events.
        again: The step with which it begins again.
        stuck: Positions without a legal event.
        reason: What is not known or shown, and why.
        after_wins: That the rules let play go on where a side has won, if they do.
    """

    steps: tuple[Step, ...] = ()
    events: tuple[Event, ...] = ()
    again: int | None = None
    stuck: tuple[Stuck, ...] = ()
    reason: str = ""
    after_wins: tuple[str, ...] = ()


class _BestPlayQuestion:
    def __init__(self, request: Request, most: int, side: str, check: bool):
        self.request = request
        self.most = most
        self.check = check
        self.system = two_parties(request.setup.system, side)
        self.side = side if self.system is not request.setup.system else None
        self.deadline = Deadline(request.timeout, request.began)

    def answer(self) -> Solved:
        explored = None
        try:
            with until(self.deadline):
                explored = self._explored()
                found = self._found(explored)
                return self._answer(found)
        except TooManyEvents as error:
            return self._nothing(None, str(error))
        except TimeUp:
            return self._nothing(explored)

    def _explored(self) -> Explored:
        self._tell("looking at every position")
        left = self.deadline.part(1 - _CHECKING)  # so that there is time for what was reached
        stop = endings(self.system).final
        return explore(self.system, [self.request.state], stop=stop, most=self.most, memory=_MEMORY, deadline=left)

    def _found(self, explored: Explored) -> _PlayFound:
        self._tell(f"best play over {len(explored.states):,} positions")
        play = best_play(self.system, explored, self.deadline.left / 2)
        table = table_of(self.request.setup.game, self.system, explored, play)
        checked = None
        if self.check:
            self._tell("checking every position")
            with suppress(TimeUp), until(self.deadline.part(most=self.deadline.left - ANSWERING)):
                checked = check_table(self.system, table)
            if checked is not None and checked.faults:
                raise ReplayError(f"the table of best play does not hold: {checked.faults[0]}")
        return _PlayFound(explored, table, checked)

    def _tell(self, phase: str) -> None:
        self.request.progress(Progress(phase))

    # ---- the answer

    def _nothing(self, explored: Explored | None, why: str = TIME_UP) -> Solved:
        """The answer without a table."""
        n = 0 if explored is None else len(explored.states)
        m = 0 if explored is None else len(explored.target)
        depth = 0 if explored is None else int(explored.depth.max(initial=0))
        reason = f"{TIME_UP} before best play was worked out over {n:,} positions" if n else why
        reason = f"{TIME_UP} before any position was looked at" if reason == TIME_UP else reason
        return Solved(
            game=self.request.setup.game,
            side=self.side,
            status="unknown",
            positions=n,
            events=m,
            looked_at=0 if explored is None else _looked_at(explored),
            depth=depth,
            assumptions=self._assumptions,
            elapsed_s=self.deadline.elapsed,
            reason=reason,
        )

    @grace_period()
    def _answer(self, found: _PlayFound) -> Solved:
        explored, table = found.explored, found.table
        row = table.row(self.request.state)
        best = table.at(row) if row >= 0 else _UNKNOWN
        known = best.value != "open" and (best.odds is None or best.odds.upper - best.odds.lower <= _CLOSE)
        stuck = self._stuck(explored)
        shown = self._shown(found, stuck, best, known=known)
        return Solved(
            game=self.request.setup.game,
            side=self.side,
            status="solved" if known else "unknown",
            value=cast(Literal["win", "draw", "endless", "odds", "open"], best.value),
            winner=best.winner,
            turns=best.turns,
            safe=best.safe,
            keeps=best.keeps,
            odds=best.odds,
            positions=len(explored.states),
            events=len(explored.target),
            looked_at=_looked_at(explored),
            decided=_decided(table),
            depth=int(explored.depth.max(initial=0)),
            complete=explored.complete,
            stuck=len(stuck),
            stuck_first=shown.stuck,
            over=int(_final(self.system, explored.states).sum()),
            only_pass=_only_pass(explored),
            best=tuple(map(str, self._best(explored, table))) if known else (),
            steps=shown.steps,
            repeats_from=shown.again,
            record=Recorded(shown.events) if shown.steps or (known and not shown.reason) else None,
            checked=None if found.checked is None else True,
            assumptions=(*self._assumptions, *shown.after_wins),
            elapsed_s=self.deadline.elapsed,
            reason=shown.reason,
            table=table,
        )

    def _shown(self, found: _PlayFound, stuck: Array, best: Best, *, known: bool) -> _ShownPlay:
        """The part of play to show, in the time that is left."""
        try:
            with grace_period(ANSWERING):
                why = "" if known else self._why(found.explored, found.table)
                steps, events, again = self._play(found.table) if best.value != "open" else ((), (), None)
                first = tuple(self._described(found.explored, i) for i in stuck[:_FEW_STUCK].tolist())
                return _ShownPlay(steps, events, again, first, why, self._after_wins(found.explored))
        except TimeUp:
            return _ShownPlay(reason=UNSHOWN if known else TIME_UP)

    @property
    def _assumptions(self) -> tuple[str, ...]:
        beyond = (ONLY,) if self.system.assumed else ()
        even = () if endings(self.system).zero_sum else (EVEN,)
        together = () if self.side is None else (TOGETHER.format(self.side),)
        return (*beyond, *together, *even, *self.request.assumptions)

    def _after_wins(self, explored: Explored) -> tuple[str, ...]:
        """A remark that the rules let play go on after a win, which is not followed."""
        won = columns_of([any_of(endings(self.system).won)], self.system.layout, explored.states)[0].astype(bool)
        for row in np.flatnonzero(won)[:_FEW_WON].tolist():
            state: State = tuple(explored.states[row].tolist())
            for event in explored.events:
                check_deadline()
                if not failed(self.system, state, self.system.action_in(state, event)):
                    return (PLAYS_ON,)
        return ()

    def _why(self, explored: Explored, table: BestPlayTable) -> str:
        """Why the value is open."""
        if not explored.complete:
            n, depth = len(explored.states), int(explored.depth.max(initial=0))
            were = "position was" if n == 1 else "positions were"
            return f"{explored.reason}; {n:,} {were} reached, up to {amount(depth, 'event')} from here"
        number = np.diff(explored.first)
        if table.unit and (table.value == ODDS).any() and not (table.value == OPEN).any():
            return "the bounds of the expected score could not be brought together in time"
        unclear = (explored.mover == SEVERAL) | ((explored.mover == NOBODY) & (number > 1))
        at = np.flatnonzero(unclear)
        if not len(at):
            return self._both(explored)
        rows = table.rows(explored.states[at])
        open_here = at[table.value[rows] == 0]
        first = int(open_here[0]) if len(open_here) else int(at[0])
        what = "who acts first" if explored.mover[first] == SEVERAL else "which of the forced events happens"
        way = explored.way(first)
        where = f"after {', '.join(map(str, way))}" if way else "here"
        return f"the rules leave open {what} {where}"

    def _both(self, explored: Explored) -> str:
        """The positions where both sides have won, or else what only both together can do."""
        won = columns_of(endings(self.system).won, self.system.layout, explored.states)
        rows = np.flatnonzero(np.logical_and.reduce([w.astype(bool) for w in won]))
        if not len(rows):
            return "an event needs the consent of both sides"
        way = explored.way(int(rows[0]))
        where = f" after {', '.join(map(str, way))}" if way else ""
        state: State = tuple(explored.states[rows[0]].tolist())
        met = StatusView(self.system).status(state, game="", view=None, assumptions=())
        return f"{met.headline.removesuffix('.')}{where}"

    def _best(self, explored: Explored, table: BestPlayTable) -> tuple[Event, ...]:
        """All events of the position that are best play, in the order of the rules."""
        chosen = table.at(table.row(self.request.state)).event
        if chosen is None or explored.mover[0] < 0:
            return ()
        leads: dict[Event, Best] = {}
        for i in range(int(explored.first[0]), int(explored.first[1])):
            row = table.row(tuple(explored.states[int(explored.target[i])].tolist()))
            if row >= 0:
                leads[explored.events[int(explored.event[i])]] = table.at(row)
        wanted = leads.get(chosen)
        return tuple(e for e, there in leads.items() if wanted is not None and _as_good(there, wanted))

    # ---- positions without a legal event

    def _stuck(self, explored: Explored) -> Array:
        """The positions in which nothing is legal, nobody has won, and the game is not over; the nearest first."""
        at = np.flatnonzero(explored.mover == STUCK)
        final = _final(self.system, explored.states[at])
        return at[~final]

    def _described(self, explored: Explored, row: int) -> Stuck:
        layout, state = self.system.layout, explored.states[row].tolist()
        now = self.request.state
        changed = (i for i, x in enumerate(state) if x != now[i])
        facts = tuple(f"{layout.fluents[i]} = {written(value(layout.fluents[i].sort, state[i]))}" for i in changed)
        return Stuck(Recorded(explored.way(row)), facts)

    # ---- best play

    def _play(self, table: BestPlayTable) -> tuple[tuple[Step, ...], tuple[Event, ...], int | None]:
        """The steps of best play, its events, and the step with which it begins again."""
        steps: list[Step] = []
        events: list[Event] = []
        state, seen = self.request.state, {self.request.state: 0}
        while len(steps) < _LONGEST:
            check_deadline()
            row = table.row(state)
            event = table.at(row).event if row >= 0 else None  # it ends, or was not looked at
            if event is None:
                return tuple(steps), tuple(events), None
            state = self._step(steps, state, event)
            events.append(event)
            if state in seen:
                return tuple(steps), tuple(events), seen[state] + 1
            seen[state] = len(steps)
        return tuple(steps), tuple(events), None

    def _step(self, steps: list[Step], state: State, event: Event) -> State:
        """Add the steps of an event, and return the state after it."""
        action = self.system.action_in(state, event)
        if failed(self.system, state, action):
            raise ReplayError(f"{event} is best play, but not legal")
        values = self.system.layout.values(state)
        steps += as_steps([step_text(action, values)], len(steps), turn_of(self.system, values))
        return apply(self.system, state, action)


def _decided(table: BestPlayTable) -> int:
    """Of how many positions the value is known."""
    apart = table.upper.astype(np.float64) - table.lower > _CLOSE * table.unit
    return int(((table.value != OPEN) & ~((table.value == ODDS) & apart)).sum())


def _looked_at(explored: Explored) -> int:
    return int((explored.mover != UNSEEN).sum())


_UNKNOWN = Best("open", None, None, None, (), ())


def _as_good(a: Best, b: Best) -> bool:
    """True if two positions are worth as much, and are won as soon."""
    if a.odds is not None and b.odds is not None:
        return abs(a.odds.lower - b.odds.lower) <= _CLOSE and abs(a.odds.upper - b.odds.upper) <= _CLOSE
    return replace(a, event=None) == replace(b, event=None)


def _only_pass(explored: Explored) -> int:
    """The number of positions that have no event of whoever decides but to pass."""
    passing = np.array([e.name == PASS for e in explored.events], bool)
    number = np.diff(explored.first)
    other: Array = np.zeros(len(number) + 1, int)
    np.add.at(other, np.repeat(np.arange(len(number)), number), ~passing[explored.event])
    return int(((number > 0) & (other[:-1] == 0) & (explored.mover >= 0)).sum())


def _final(system: System, states: Array) -> Array:
    found: Array = columns_of([endings(system).final], system.layout, states)[0].astype(bool)
    return found
