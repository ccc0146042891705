"""The question that `plan` and `reach` share, with its choices checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from vclogic.choices import by_command, choice
from vclogic.clock import ANSWERING, LONGEST, TimeUp, grace_period
from vclogic.collector_paused import collector_paused
from vclogic.encode.conditions import NO_CONDITIONS, Conditions, action_under, conditioned
from vclogic.encode.python.evaluator import interpret
from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.explore.endings import endings
from vclogic.model.fluents import State
from vclogic.model.memoized import Latest
from vclogic.model.system import ANY, BEST, HELPS, IDLE, OPPONENTS, Events, Metric, System
from vclogic.model.transition import Transition, actions_of
from vclogic.query.status.progress import seen
from vclogic.terms.atoms import TRUE
from vclogic.terms.expressions.compiled import ANYTHING, Goal
from vclogic.terms.expressions.event_words import ONLY_REACH
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term
from vclogic.words import amount

if TYPE_CHECKING:
    from vclogic.solve.backends.session import Effort
    from vclogic.solve.problem import Problem

DEFAULT_TIMEOUT = 60.0
_MOST_GOALS = 256
_MOST = 1_000_000  # steps, or things of which so many are wanted
Mentions = Sequence[tuple[str, str]]
"""Sort and name of each member that a goal names."""


def any_of_sides(system: System) -> str:
    """The choice of a side, as a help line proposes it."""
    return " or ".join(choice("side", side) for side in system.sides)


def goal_of(system: System, text: str, option: str = "goal") -> Goal:
    """A goal, compiled; those asked for last are kept for further questions.

    Args:
        text: The goal, in the goal language.
        option: What it is given as.

    Raises:
        InputError: It is wrong.
    """
    from vclogic.terms.expressions.resolve import check_meaning, compile_goal

    made: Latest[str, Goal] = system.kept("goals", lambda: Latest(_MOST_GOALS))
    found = made.get(text, lambda: compile_goal(text, system.vocabulary, choice(option), ONLY_REACH))
    check_meaning(text, found.term, found.meaning, choice(option))
    return found


def check_defined(system: System, text: str, meaning: Term, effort: Effort, option: str = "goal") -> None:
    """Check that what never holds has a meaning in some position: else it is undefined, and not impossible.

    Args:
        text: What never holds.
        meaning: Bool: where it has a meaning.
        effort: The resources; a moment is granted if there are none left.
        option: What it is given as.

    Raises:
        InputError: It has none in any position that could stand on the board.
    """
    if meaning is TRUE:
        return
    from vclogic.solve.proofs.unreachability import by_positions
    from vclogic.terms.expressions.resolve import without_meaning

    with suppress(TimeUp), grace_period(ANSWERING):
        if by_positions(meaning, [rule.kept for rule in system.invariants], effort) is not None:
            raise without_meaning(text, choice(option))


def metric_opponent(word: str) -> str:
    """The opponent's behaviour, as metrics call it: `helps` is `any`."""
    return ANY if word == HELPS else word


IDLE_OTHERS = "the others are idle: they do only what the rules force, and end their turns"
IDLE_OPPONENT = "the opponent is idle: it does only what the rules force, and ends its turns"


@dataclass(frozen=True)
class ResolvedQuestion:
    """A question about the future of a state.

    Attributes:
        game: What it is called: `encoding/scenario`, or `encoding: title`.
        system: The rule set.
        state: The state to start from.
        settings: The chosen settings in words, for the assumptions.
        side: The side that plans; None: every side moves.
        opponent: `idle` or `any`.
        metric: The kind of steps.
        effort: The resources.
        within: The horizon: the largest number of counted steps.
        certify: Whether z3 must confirm what was proved in floating point.
        plans: How many plans of the same least cost are wanted.
        goal: What is asked for; `ANYTHING`: the question is not about a goal.
        conditions: The conditions on its plans, and on the records that reach the goal.
    """

    game: str
    system: System
    state: State
    settings: tuple[str, ...]
    side: str | None
    opponent: str
    metric: Metric
    effort: Effort
    within: int | None = None
    certify: bool = False
    plans: int = 1
    goal: Goal = ANYTHING
    conditions: Conditions = NO_CONDITIONS

    def progress(self, phase: str, cost: int | None = None, bound: int | None = None) -> None:
        """Report progress; see `Effort.progress`."""
        self.effort.progress(phase, cost, bound)

    @property
    def start(self) -> dict[Term, Term]:
        """The value of every fluent, as constants."""
        return dict(self.system.layout.constants(self.state))

    @property
    def invariants(self) -> list[Term]:
        """The invariants of well-formed positions."""
        return [rule.kept for rule in self.system.invariants]

    @collector_paused()
    def transition(self) -> Transition:
        """The steps that hold none of the events that are left out."""
        return self._under(self._steps)[0]

    @property
    def _steps(self) -> Transition:
        return self.system.steps(self.metric, self.side, self.opponent, self.state)

    def _under(self, step: Transition) -> tuple[Transition, bool]:
        """The steps under the conditions, and whether they are all of these; see `Conditioned`."""
        sifted = self.system.metric(self.metric.name) is None  # events of no metric
        if not self.conditions or sifted:
            return step, True
        found = conditioned(step, self.conditions, self.system.layout.values(self.state))
        return found.step, found.exact

    @collector_paused()
    def problem(
        self,
        goal: Term | None = None,
        *,
        step: Transition | None = None,
        keep: tuple[Term, ...] = (),
        watched: Sequence[Term] = (),
        tail: bool = True,
    ) -> Problem:
        """Build the planning problem.

        Args:
            goal: Bool, over fluents; None: the goal of the question.
            step: The steps from its start, if they are built already.
            keep: Other terms whose values must stay right.
            watched: See `prepare`.
            tail: Whether the metric's tail action may follow the plan.
        """
        from vclogic.solve.problem import prepare

        last, whole, conditions = self.metric.tail if tail else None, step or self._steps, self.conditions
        under, exact = self._under(whole)
        goal = self.goal.term if goal is None else goal
        problem = prepare(
            under,
            {**self.start, **conditions.start},
            conditions.goal(goal),
            tail=None if last is None else action_under(last, conditions),
            metric=self.metric.name,
            within=self.within,
            laws=self.invariants,
            keep=keep,
            watched=watched,
        )
        problem = replace(self.held(problem), parties=self.parties(problem), complete=exact)
        if conditions.loose:
            return problem
        return replace(problem, unconditioned=without_memory(problem, whole, goal, conditions), loose=False)

    def parties(self, problem: Problem) -> list[set[Term]]:
        """The actions of each side."""
        parties: dict[str | None, set[Term]] = {}
        for taken, action in actions_of(problem.transition).items():
            side = self.system.side_of(action.actor) if isinstance(action.actor, str) else None
            parties.setdefault(side, set()).add(taken)
        return list(parties.values())

    def held(self, problem: Problem) -> Problem:
        """The problem with what its plans must hold, where the settings ask for that; enemies are idle then."""
        counter = self.system.counter
        if counter is None or not counter.holding.level or self.side is None or self.opponent != IDLE:
            return problem
        from vclogic.solve.searches.held import HoldingCheck

        hints = problem.transition.hints
        held = HoldingCheck(counter, self.side, self.start, self.effort.deadline, repair=not hints.lemmas)
        told = replace(hints, lemmas=(*hints.lemmas, held.lemmas))
        return replace(problem, transition=replace(problem.transition, hints=told))

    @property
    def events(self) -> Events:
        """The events that the steps consist of, and those that they leave out."""
        found = self.system.events_of(self.metric)
        gone = {p.name for p in self.conditions.avoid if not p.args}
        if gone.isdisjoint(found.included):
            return found
        left = tuple(name for name in found.included if name not in gone)
        out = {name for name in self.system.schemas if name in found.left_out or name in gone}
        return Events(left, tuple(name for name in self.system.schemas if name in out))

    @property
    def _several(self) -> bool:
        """True if more than one side is not the one that moves."""
        return len(self.system.sides) > 2

    @property
    def assumptions(self) -> tuple[str, ...]:
        """The assumptions of the answer."""
        moving = "every side moves" if self.side is None else f"the {self.side} side moves"
        if self.side is not None and self.opponent == IDLE:
            moving += f"; {self.system.busy or (IDLE_OTHERS if self._several else IDLE_OPPONENT)}"
        elif self.side is not None:
            helps = "the others help: they make" if self._several else "the opponent helps: it makes"
            moving += f"; {helps} any legal steps, at no cost"
        limit = () if self.within is None else (f"at most {amount(self.within, self.metric.unit)}",)
        found = (*self.metric.assumptions(self.side, self.opponent), moving, *limit, *self.conditions.said)
        return (*found, *self._hidden, *self._won, *self.system.notes, *self.settings)

    @property
    def _won(self) -> tuple[str, ...]:
        """A remark that play goes on although a side has won, where the rules let it."""
        slot = self.system.layout.slot
        won = zip(self.system.sides, endings(self.system).won, strict=True)
        have = [side for side, term in won if interpret(term, slot, self.state)]
        if not have:
            return ()
        return (f"the {' and the '.join(have)} have won already; what the events allow after that counts",)

    @property
    def _hidden(self) -> tuple[str, ...]:
        """The assumption that the moving side knows hidden facts, if there are any."""
        if self.side is None:
            return ()
        slot = self.system.layout.slot
        if all(interpret(known, slot, self.state) for _, known in seen(self.system, self.side)):
            return ()
        more = by_command(f" (`vclogic status --view {self.side}` leaves them out)")
        return (f"hidden facts are taken as known to the {self.side} side{more}",)


def without_memory(problem: Problem, step: Transition, goal: Term, conditions: Conditions) -> Problem:
    """The problem in which a plan under conditions is replayed: what had to happen has, and all steps are there."""
    if not conditions:
        return replace(problem, whole_step=step, goal_at_end=goal)
    happened = Substitution(dict.fromkeys(conditions.memory, TRUE))
    goals: dict[Term, int] = {}
    for later, repetitions in problem.regressions.goals.items():
        goals.setdefault(happened(later), repetitions)
    return replace(problem, whole_step=step, goal_at_end=goal, regressions=replace(problem.regressions, goals=goals))


def side_for(
    system: System,
    mentions: Mentions,
    given: str | None,
    opponent: str,
    *,
    optional: bool = False,
    option: str = "side",
) -> str | None:
    """The side that plans: the given one, or the only one that the goal names.

    Args:
        mentions: The names in the goal.
        given: A side or power chosen by the user.
        opponent: `idle` or `any`.
        optional: Whether every side may move if none is given.
        option: What the given one is given as.

    Raises:
        InputError: There is no such side, or the goal names none or several.
    """
    if given is not None:
        side = system.side_of(system.aliases.get(given, given))
        if side is None:
            known = [*system.sides, *(p for powers in system.sides.values() for p in powers), *system.aliases]
            message, hint = f"unknown side {quoted(given)}", did_you_mean(given, known)
            raise InputError(Diagnostic("unknown-name", message, choice(option), help=hint))
        return side
    if optional and opponent == ANY:
        return None
    named = {system.side_of(name) for _, name in mentions} - {None}
    if len(named) == 1:
        return named.pop()
    named_sides = "no side" if not named else "more than one side"
    problem = f"the goal names {named_sides}, so it is not clear who moves"
    hint = f"say which side moves: {any_of_sides(system)}"
    raise InputError(Diagnostic("missing-side", problem, choice("side"), help=hint))


def check_choices(
    system: System, metric: str | None, opponent: str, option: str = "minimize", **numbers: float | None
) -> Metric:
    """The chosen metric, which is given as `option`; the other choices are checked, numbers as by `check_numbers`.

    Raises:
        InputError: Everything that is wrong with them.
    """
    wrong = []
    found = system.metric(metric)
    if found is None:
        hint = did_you_mean(str(metric), [m.name for m in system.metrics])
        wrong.append(Diagnostic("unknown-name", f"unknown metric {quoted(metric)}", choice(option), help=hint))
    if opponent not in OPPONENTS:
        wrong.append(_no_opponent(opponent))
    elif found is not None and found.idle_only and opponent != IDLE:
        wrong.append(not_idle(found))
    if found is not None and found.refused:
        wrong.append(Diagnostic("usage", found.refused))
    wrong += _outside(numbers)
    if wrong or found is None:
        raise InputError(wrong)
    return found


def not_idle(metric: Metric) -> Diagnostic:
    """The message for asking against others for plans that suppose idle opponents."""
    help = f"leave {choice('opponent')} out, or what needs an idle one"
    message = f"the metric {metric.name} is for idle opponents alone: {metric.idle_only}"
    return Diagnostic("usage", message, choice("opponent"), help=help)


def _no_opponent(word: str) -> Diagnostic:
    if word == BEST:
        problem = f"opponent {quoted(word)} is for the question whether a side can force the goal"
        help = "ask whether it can be forced, with the most turns of the side"
        help += by_command(": `plan --opponent best --within N`")
        return Diagnostic("other-question", problem, choice("opponent"), help=help)
    return Diagnostic(
        "unknown-name", f"unknown opponent {quoted(word)}", choice("opponent"), help=did_you_mean(word, OPPONENTS)
    )


def check_numbers(**given: float | None) -> None:
    """Check time limits, numbers of results and horizons, each by the name of what it is given as.

    Raises:
        InputError: Everything that is wrong with them.
    """
    if wrong := _outside(given):
        raise InputError(wrong)


_SECONDS = ("timeout", "budget_s")
_FROM_ZERO = ("within", "why_not")


def _outside(given: Mapping[str, float | None]) -> list[Diagnostic]:
    wrong = []
    for name, x in given.items():
        least = 0 if name in _FROM_ZERO else 1
        if x is None:
            continue
        if name in _SECONDS:
            message = f"{name}: {x:g} seconds: it must be more than 0 and at most {LONGEST:,.0f}"
            fits = 0 < x <= LONGEST
        else:
            message = f"{name}: expected a whole number from {least} to {_MOST:,}, found {x:,}"
            fits = least <= x <= _MOST
        wrong += [] if fits else [Diagnostic("out-of-range", message, choice(name))]
    return wrong
