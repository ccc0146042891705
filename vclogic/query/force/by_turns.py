"""Force a goal, whatever the other side does, or find the fewest moves that prevent it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import TypeVar

from vclogic.choices import choice
from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.model.system import ANY, Metric, System
from vclogic.query.answers import Horizon
from vclogic.query.force.answer import Defence, Force, TurnsAnswer, Variation
from vclogic.query.force.lines import WinningLine, in_words
from vclogic.query.force.turns import Duel, Turns, duel, latest, two_sided_step
from vclogic.query.resolved_question import ResolvedQuestion, not_idle
from vclogic.solve.backends.session import Answer, Effort, Session
from vclogic.solve.forcing.search import SolverUndecided, TurnsAhead
from vclogic.terms.term import Term
from vclogic.words import amount, of_side

_LARGE = 500  # variables after which a solver starts afresh: each model decides those of all earlier questions too
_ENGINES = ("merging",)
EVENTS = (
    "a turn is all that happens until the next one begins; whoever may act takes any legal event",
    "the goal counts as reached once it holds after an event, up to one's next turn after the last that counts",
)
TurnsFound = TypeVar("TurnsFound", bound=TurnsAnswer)


def metric_of_turns(system: System, name: str | None, *, clock: bool = False) -> Metric:
    """The chosen planning model, or by default the first whose steps are turns of one side each.

    Args:
        clock: Whether one of single events will do that knows when turns end, where there is no other.

    Raises:
        InputError: There is no such planning model, or its steps are no turns.
    """
    good = [m for m in system.metrics if m.turns] or [m for m in system.metrics if m.clock and clock]
    chosen = system.metric(name) if name is not None or not good else good[0]
    if chosen is not None and chosen.idle_only:
        raise InputError(not_idle(chosen))
    if chosen in good and chosen is not None:
        return chosen
    if name is not None and chosen is None:
        hint = did_you_mean(name, [m.name for m in system.metrics])
        raise InputError(Diagnostic("unknown-name", f"unknown metric {quoted(name)}", choice("minimize"), help=hint))
    problem = "no planning model of this game has turns in which only one side moves, so nobody can answer"
    if name is not None:
        problem = f"in the planning model {quoted(name)} a step is no turn of one side, so nobody can answer to it"
    help = f"these have turns: {', '.join(m.name for m in good)}" if good else None
    raise InputError(Diagnostic("no-turns", problem, choice("minimize"), help=help))


class ForceRun:
    """A solver for many small questions, which starts afresh now and then.

    Args:
        effort: The resources.
    """

    def __init__(self, effort: Effort):
        self._effort = effort
        self._session: Session | None = None
        self.copies = count(1)

    def __enter__(self) -> ForceRun:
        return self

    def __exit__(self, *raised: object) -> None:
        self._close()

    def _close(self) -> None:
        if self._session is not None:
            self._session.close()
        self._session = None

    def __call__(self, *terms: Term) -> Answer:
        """Check some terms together."""
        if self._session is not None and self._session.variables > _LARGE:
            self._close()
        if self._session is None:
            self._session = self._effort.session(_ENGINES)
        return self._session.check(*terms)


class Decided:
    """The winner within a number of turns.

    Args:
        question: The question.
        solver: The solver.
        turns: The most turns of those who want the goal.
        most: The most choices of the very first turn; None: any number.

    Attributes:
        found: Who wins.

    Raises:
        Undecided: The solver gave up. TimeUp: the time was up.
    """

    def __init__(self, question: Duel, solver: ForceRun, turns: int, most: int | None = None):
        self._began = time.monotonic()
        self._question, self._turns, self._most = question, turns, most
        self._game = question.ahead(turns)
        self._search = TurnsAhead(self._game, solver, most)
        self.found = self._search.solve()

    def first(self) -> Variation:
        """The very first turn of the winner, who decides it; nothing is said of what may follow."""
        resolved = self._question.resolved
        turns = Turns(resolved.system, self._question.step)
        taken = turns.turn_taken(resolved.state, turns.play(resolved.state, self.found.lines[0].turns[0]))
        return Variation({}, (), (taken,), reached=False, then=(), partial=True)

    def winning_line(self) -> WinningLine:
        """The lines of play in words, and checked."""
        if not self._game.depth or not self.found.lines:
            return WinningLine()
        return in_words(self._question, self._search, self.found, self._turns, self._most, self._began)


# ---- the answers


def force(resolved: ResolvedQuestion) -> Force:
    """Ask if a side can force a goal, and within how few of its turns.

    Args:
        resolved: The question; its horizon is the most turns.
    """
    assert resolved.side is not None
    assert resolved.within is not None
    answer = undecided(Force, resolved, resolved.within)
    return latest(resolved, answer, (_by_turns if resolved.metric.turns else _by_events)(resolved, answer))


def _by_events(resolved: ResolvedQuestion, answer: Force) -> Iterator[Force]:
    from vclogic.query.force.by_events import by_events  # which needs NumPy: there is none in a browser

    yield from by_events(resolved, answer)


def _by_turns(resolved: ResolvedQuestion, answer: Force) -> Iterator[Force]:
    """Ever better answers where each step is a turn: of a game of few positions by all of them, else by solvers."""
    if resolved.metric.clock:
        try:
            from vclogic.query.force.by_events import by_events

            yield from by_events(resolved, answer, few=True)
            return
        except (ImportError, SolverUndecided):  # no NumPy, or too many positions
            pass
    yield from _force_answers(resolved, answer)


def _force_answers(resolved: ResolvedQuestion, answer: Force) -> Iterator[Force]:
    """Ever better answers to whether the goal can be forced, number of turns by number of turns."""
    assert resolved.side is not None
    assert resolved.within is not None
    with ForceRun(resolved.effort) as solver:
        question = duel(resolved, [resolved.side], resolved.goal.term)
        for turns in range(resolved.within + 1):
            resolved.progress(f"looking at {amount(turns, 'turn')} of {of_side(resolved.side)}")
            decided = Decided(question, solver, turns)
            if decided.found.wins:
                answer = replace(answer, status="forced", turns=turns)
                break
            answer = replace(answer, at_least=turns + 1)
            yield answer
        else:
            answer = replace(answer, status="refuted")
        yield answer
        told = decided.winning_line()
        answer = replace(answer, checked=told.checked, reason=told.reason)
        wins = decided.found.wins
        yield replace(answer, strategy=told.cases) if wins else replace(answer, refutation=told.cases)


def defend(resolved: ResolvedQuestion, *, idle: bool = False, briefly: bool = False) -> Defence:
    """The fewest moves of this turn after which nobody else can force a threat.

    The threat only counts once the turn has been played, so that the side may undo what is there already.

    Args:
        resolved: The question; its goal is the threat, its side defends, its horizon is the most turns of the others.
        idle: Whether the side does nothing in its later turns, instead of what is best.
        briefly: Whether only the turn is told, not why it defends.

    Raises:
        InputError: It is not the side's turn.
    """
    assert resolved.side is not None
    assert resolved.within is not None
    answer = undecided(Defence, resolved, resolved.within)
    return latest(resolved, answer, _defences(resolved, answer, idle=idle, briefly=briefly))


def _defences(resolved: ResolvedQuestion, answer: Defence, *, idle: bool, briefly: bool) -> Iterator[Defence]:
    """Ever better answers to what prevents the threat, number of moves by number of moves."""
    assert resolved.within is not None
    with ForceRun(resolved.effort) as solver:
        _on_turn(resolved)
        others = [side for side in resolved.system.sides if side != resolved.side]
        question = replace(duel(resolved, others, resolved.goal.term), idle=idle, later=True)
        before = Decided(question, solver, resolved.within)
        if before.found.wins:
            told = WinningLine() if briefly else before.winning_line()
            yield replace(answer, status="lost", attack=told.cases, checked=told.checked, reason=told.reason)
            return
        for moves in range(_most(question)):
            resolved.progress(f"looking at turns of at most {amount(moves, 'move')}")
            decided = Decided(question, solver, resolved.within, moves)
            if not decided.found.wins:
                if briefly:
                    yield replace(answer, status="defended", moves=moves, defence=(decided.first(),))
                    return
                told = decided.winning_line()
                answer = replace(answer, status="defended", moves=moves, defence=told.cases, checked=told.checked)
                yield answer
                attack = before.winning_line() if moves else WinningLine()
                yield replace(answer, attack=attack.cases, reason=told.reason or attack.reason)
                return
            answer, before = replace(answer, at_least=moves + 1), decided
            yield answer


def _on_turn(resolved: ResolvedQuestion) -> None:
    """Refuse a side that cannot move now."""
    on_turn = Turns(resolved.system, two_sided_step(resolved)).mover(resolved.state)
    if resolved.system.side_of(on_turn) != resolved.side:
        problem = f"it is the turn of {of_side(on_turn)}: {of_side(resolved.side or '')} cannot move now"
        help = "ask at a moment at which that side is on turn"
        raise InputError(Diagnostic("not-on-turn", problem, choice("side"), help=help))


def _most(question: Duel) -> int:
    """More than the choices of any turn."""
    return len(question.step.at(question.resolved.start).choices) + 1


def undecided(kind: type[TurnsFound], resolved: ResolvedQuestion, most: int) -> TurnsFound:
    """The answer `unknown` to a question about turns.

    Args:
        kind: The class of the answer.
        most: The most turns that it is about.
    """
    assert resolved.side is not None
    return kind(
        game=resolved.game,
        goal=resolved.goal.text,
        heading=resolved.metric.heading,
        status="unknown",
        side=resolved.side,
        metric=resolved.metric.name,
        horizon=Horizon(most, "turn"),
        events=resolved.events,
        assumptions=assumptions(resolved),
    )


def assumptions(resolved: ResolvedQuestion) -> tuple[str, ...]:
    """The assumptions of the answer: the planning model, the meaning of a turn."""
    given = resolved.metric.assumptions(resolved.side, ANY)
    model = quoted(resolved.metric.name)
    turns = (
        f"a turn is a step of the planning model {model}; whoever is on turn takes any legal one",
        "the goal counts as reached if it holds at the end of any turn, one's own or another's, before one's next "
        "turn after the last that counts",
    )
    if not resolved.metric.turns:
        turns = EVENTS
    return (*given, *turns, *resolved.system.notes, *resolved.settings)
