"""The strongest reply to a plan."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice, product

from vclogic.clock import ANSWERING, check_deadline, grace_period
from vclogic.encode.python.evaluator import interpret
from vclogic.errors import Diagnostic, InputError
from vclogic.model.fluents import State
from vclogic.model.transition import Transition
from vclogic.query.answers import Step
from vclogic.query.force.answer import LinesChecked, Survival, TurnTaken
from vclogic.query.force.by_turns import ForceRun, undecided
from vclogic.query.force.lines import LineRecords
from vclogic.query.force.turns import Duel, Turns, duel, latest, two_sided_step
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.solve.backends.session import Answer
from vclogic.solve.forcing.ahead import Ahead, Turn, Valuation
from vclogic.solve.forcing.search import TurnsAhead
from vclogic.terms.build import and_, any_of, ite, not_, or_
from vclogic.terms.sorts import EnumSort, members_of
from vclogic.terms.term import Term

_MOST_WAYS = 256  # ways to make the same events in one turn
Deed = tuple[str, tuple[tuple[str, object], ...]]
"""The name and the arguments of an event."""


def survives(resolved: ResolvedQuestion, steps: Sequence[Step]) -> Survival:
    """Ask if a plan survives the strongest reply to it.

    Args:
        resolved: The question; its horizon is the most turns of the plan, None: all.
        steps: The plan's steps, with their turns.

    Raises:
        InputError: The plan cannot be played from this position.
    """
    assert resolved.side is not None
    own = [s for s in steps if resolved.system.side_of(s.actor or "") == resolved.side or not s.turn]
    wanted = [
        [_deed(s) for s in some]
        for actor, some in _by_turn(own)
        if resolved.system.side_of(actor or "") == resolved.side
    ][: resolved.within]
    answer = replace(undecided(Survival, resolved, len(wanted)), turns=len(wanted))
    return latest(resolved, answer, _survivals(resolved, answer, wanted))


def _survivals(resolved: ResolvedQuestion, answer: Survival, wanted: Sequence[Sequence[Deed]]) -> Iterator[Survival]:
    """The answer, given the events of each turn of the plan."""
    assert resolved.side is not None
    turns = Turns(resolved.system, two_sided_step(resolved))
    question = duel(resolved, [resolved.side], resolved.goal.term)
    game = question.ahead(len(wanted))
    plan = _ways(question, game, turns, wanted)
    with ForceRun(resolved.effort) as solver:
        yield _StrongestReply(question, game, TurnsAhead(game, solver), plan, turns).strongest(answer)


# ---- the plan as turns of the planning model


def _by_turn(steps: Sequence[Step]) -> Iterator[tuple[str | None, list[Step]]]:
    """The steps of each turn, with who acts."""
    for _, some in groupby(steps, lambda s: (s.actor, tuple((s.turn or {}).items()))):
        found = list(some)
        yield found[0].actor, found


def _deed(step: Step) -> Deed:
    return step.action, tuple(step.args.items())


def _ways(question: Duel, game: Ahead, turns: Turns, wanted: Sequence[Sequence[Deed]]) -> list[list[Turn]]:
    """For each turn of the plan the ways to make its events, found while the others do nothing.

    Raises:
        InputError: A turn is none of the planning model, or is not legal even then.
    """
    resolved, state = question.resolved, question.resolved.state
    slot = resolved.system.layout.slot
    found: list[list[Turn]] = []
    for ply in game.plies:
        if interpret(question.goal, slot, state) or (ply.counts and len(found) == len(wanted)):
            break
        if ply.due is not None and not interpret(ply.due, slot, state):
            continue
        if ply.counts:
            ways = list(_of_events(question.step, turns, state, wanted[len(found)]))
            legal = [after for way in ways if (after := turns.after(state, way)) is not None]
            if not legal:
                problem = f"turn {len(found) + 1} of the plan cannot be played here, even if nobody answers"
                help = "ask at the moment for which the plan was made, with a plan of the same planning model"
                raise InputError(Diagnostic("other-plan", problem, help=help))
            found.append(ways)
            state = legal[0]
        else:
            after = turns.after(state, {})
            if after is None:
                break
            state = after
    return found


def _of_events(step: Transition, turns: Turns, state: State, deeds: Sequence[Deed]) -> Iterable[Turn]:
    """The turns that consist of some events, each made by one choice."""
    layout = turns.system.layout
    here, values = step.at(layout.constants(state)), layout.values(state)
    idle = {_deed_of(t) for t in here.describe(dict.fromkeys(here.choices, 0), values)}
    made: dict[Deed, list[tuple[str, int]]] = {d: [] for d in deeds if d not in idle}
    none = dict.fromkeys(here.choices, 0)
    for choice in here.choices:
        check_deadline()
        for n in _numbers(choice):
            told = {_deed_of(t) for t in here.describe({**none, choice: n}, values)}
            for deed in told & made.keys():
                made[deed].append((choice.name, n))
    for ways in islice(product(*made.values()), _MOST_WAYS):
        if len({name for name, _ in ways}) == len(set(ways)):  # one choice may make several events
            yield dict(ways)


def _deed_of(told: object) -> Deed:
    return told.action, tuple(told.args.items())  # type: ignore[attr-defined]


def _numbers(choice: Term) -> Iterable[int]:
    if isinstance(choice.sort, EnumSort):
        return [n for n in members_of(choice.mask) if n]
    return range(max(choice.lo, 1), choice.hi + 1)


# ---- the reply


@dataclass(frozen=True)
class _PlanPlay:
    """A play of the plan against replies that are left open.

    Attributes:
        term: What they satisfy.
        choices: The choices of each turn of the others, by depth.
    """

    term: Term
    choices: Mapping[int, Mapping[str, Term]]

    def replies(self, answer: Answer) -> dict[int, Turn]:
        """The replies of a model."""
        return {
            d: {name: n for name, v in choices.items() if (n := answer.values.get(v, v.lo))}
            for d, choices in self.choices.items()
        }


class _StrongestReply:
    """Looks for the strongest reply to a plan."""

    def __init__(self, question: Duel, game: Ahead, search: TurnsAhead, plan: Sequence[Sequence[Turn]], turns: Turns):
        self._question, self._game, self._search = question, game, search
        self._plan, self._turns = plan, turns

    def strongest(self, answer: Survival) -> Survival:
        """The answer: a reply that stops the plan as early as can be; else one that delays it most."""
        last = len(self._plan)
        for stop in range(1, last + 2):
            play = self._play(stop)
            found = self._search.check(play.term)
            if found is not None:
                line = self._line(play.replies(found))
                return replace(answer, status="stopped", stopped_at=stop if stop <= last else None, line=line)
        for turn in range(last, 0, -1):
            play = self._play(turn, delay=True)
            found = self._search.check(play.term)
            if found is not None:
                return replace(answer, status="survives", latest=turn, line=self._line(play.replies(found)))
        return replace(answer, status="survives", latest=0)

    def _play(self, stop: int, *, delay: bool = False) -> _PlanPlay:
        """All plays without the goal until the plan's turn of some number cannot be played.

        Args:
            stop: The number of the turn; one more than there are: all are played, and the goal does not come.
            delay: Instead until that turn begins.
        """
        search, game = self._search, self._game
        now: Valuation = search.start
        asked: list[Term] = []
        choices: dict[int, Mapping[str, Term]] = {}
        own = 0
        for d, ply in enumerate(game.plies):
            asked.append(not_(search.holding(d, now)))
            if not ply.counts:
                # what is chosen within a turn of the others is no part of the plan
                turn: Turn | None = {} if ply.ours else None
                laws, now, choices[d], defined = search.step(d, now, turn)
                asked += [*laws, *defined]
                continue
            own += 1
            possible, after, defined = self._made(d, now, self._plan[own - 1] if own <= len(self._plan) else ())
            if own == stop:
                return _PlanPlay(and_(*asked, *([] if delay else [*defined, not_(possible)])), choices)
            asked += [*defined, possible]
            now = after
        asked.append(not_(search.holding(game.depth, now)))
        return _PlanPlay(and_(*asked), choices)

    def _made(self, d: int, at: Valuation, ways: Sequence[Turn]) -> tuple[Term, Valuation, list[Term]]:
        """A Bool term that a turn of the plan can be played, and the position after the first way that can."""
        legal, positions, defined = list[Term](), list[Valuation](), list[Term]()
        for way in ways:
            laws, after, _, more = self._search.step(d, at, way)
            legal.append(and_(*laws))
            positions.append(after)
            defined += more
        if not positions:
            return any_of(()), self._search.anything(d + 1), []
        found = dict(positions[-1])
        for can, after in zip(reversed(legal[:-1]), reversed(positions[:-1]), strict=True):
            found = {v: ite(can, after[v], x) if after[v] is not x else x for v, x in found.items()}
        return or_(*legal), found, defined

    def _line(self, replies: Mapping[int, Turn]) -> tuple[TurnTaken, ...]:
        """The play, as far as it can be played and the goal has not come."""
        with grace_period(ANSWERING):
            state, own = self._question.resolved.state, 0
            slot = self._question.resolved.system.layout.slot
            taken: list[TurnTaken] = []
            for d, ply in enumerate(self._game.plies):
                if interpret(self._question.goal, slot, state):
                    break
                if ply.due is not None and not interpret(ply.due, slot, state):
                    continue
                ways: Sequence[Turn] = [replies.get(d, {})]
                if ply.counts:
                    ways = self._plan[own] if own < len(self._plan) else ()
                    own += 1
                way = next((w for w in ways if self._turns.after(state, w) is not None), None)
                if way is None:
                    break
                made = self._turns.play(state, way)
                taken.append(self._turns.turn_taken(state, made))
                state = made.state
        self._as_record([turn.chosen for turn in taken])
        return tuple(taken)

    def _as_record(self, line: Sequence[Turn]) -> None:
        """Play a line as a record, where the turns of the planning model are records.

        Raises:
            ReplayError: The rules refuse it.
        """
        question, resolved = self._question, self._question.resolved
        if not resolved.metric.recorded:
            return
        with grace_period(ANSWERING):
            records = LineRecords(resolved.system, resolved.metric, question.step, question.asked, question.goal)
        records.check(LinesChecked(0, 0, every=False), resolved.state, [line], resolved.effort.deadline.left)
