"""Threats: the winning sets of each enemy, and the defences against them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from vclogic.choices import choice
from vclogic.clock import TIME_UP, Deadline, TimeUp, until
from vclogic.encode.conditions import NO_CONDITIONS
from vclogic.encode.python.evaluator import interpret
from vclogic.model.fluents import State
from vclogic.model.system import ANY, IDLE, System
from vclogic.model.transition import SingleActions, Transition
from vclogic.query.answers import Horizon, Recorded
from vclogic.query.force.answer import Defence
from vclogic.query.force.by_turns import defend
from vclogic.query.force.turns import Turns, two_sided_step
from vclogic.query.objectives.answer import Cost, Stop, Threat
from vclogic.query.objectives.choose import ways_of
from vclogic.query.objectives.request import ObjectivesQuestion, default_goal
from vclogic.query.objectives.ways import ObjectiveWay, cost_of, either, limited
from vclogic.query.objectives.winning import winning
from vclogic.query.plan.answer import OnePlan
from vclogic.query.plan.battles import battles_of
from vclogic.query.plan_record import record_plan
from vclogic.query.plan_search import HELD, START, find
from vclogic.query.planner.cache import Built
from vclogic.query.replay import Played, actions_made, replay_plan
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.solve.problem import NOTHING, Incumbent, Problem, SearchResult, prepare
from vclogic.solve.strategy import by_landmark_cuts
from vclogic.terms.atoms import TRUE
from vclogic.terms.build import all_of, eq, ite, not_
from vclogic.terms.expressions.compiled import Goal
from vclogic.terms.expressions.event_words import ONLY_REACH
from vclogic.terms.expressions.resolve import check_meaning, compile_goal
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term
from vclogic.words import joined

PROOF = "every line of play"
"""The proof that a turn defends, or that none does."""
_SETS = 0.5  # of the time for an enemy: for what it can win with, the rest for what stops it
_CYCLE = 20  # turns, of which at least one counts


@dataclass(frozen=True)
class Menace:
    """The goal of an enemy.

    Attributes:
        side: The enemy.
        goal: Its goal, as it was asked or in words.
    """

    side: str
    goal: Goal


def menaces(system: System, side: str, threat: str | None) -> tuple[Menace, ...]:
    """The goals of a side's enemies.

    Args:
        threat: What an enemy wants, in the goal language: the one that it names, or each where it names none. None:
            what its outcomes ask for, for each enemy that has any.

    Raises:
        InputError: The threat is wrong.
    """
    enemies = [name for name in system.sides if name != side]
    if threat is None:
        able = [e for e in enemies if any(o.side == e for o in system.outcomes)]
        return tuple(Menace(enemy, default_goal(system, enemy)) for enemy in able)
    found = compile_goal(threat, system.vocabulary, choice("threat"), ONLY_REACH)
    check_meaning(threat, found.term, found.meaning, choice("threat"))
    named = {system.side_of(name) for _, name in found.mentions}.intersection(enemies)
    about = [e for e in enemies if e in named] or enemies
    return tuple(Menace(enemy, found) for enemy in about)


def threats(
    built: Built, asked: ObjectivesQuestion, some: Sequence[Menace], deadline: Deadline
) -> tuple[Threat, ...]:
    """The threats of a side's enemies, each with a defence.

    Args:
        asked: The question of the side, with its horizon; the enemies have the same. Without one, each has as many
            counted steps as its own cheapest plan takes.
        some: What they want.
    """
    idle = built
    if asked.resolved.opponent != IDLE:
        idle = built.cached("idle", lambda: Built(asked.resolved.system, asked.resolved.metric, IDLE))
    return tuple(_threat(idle, asked, menace, deadline.part(1 / (len(some) - i))) for i, menace in enumerate(some))


def _threat(built: Built, asked: ObjectivesQuestion, menace: Menace, deadline: Deadline) -> Threat:
    """The threat of an enemy, with a defence."""
    resolved = replace(asked.resolved, side=menace.side, opponent=IDLE, goal=menace.goal, conditions=NO_CONDITIONS)
    enemy = ObjectivesQuestion(resolved, asked.limit)
    if resolved.within is None:
        soon = deadline.part(_SETS)
        enemy = limited(enemy, ways_of(built, enemy, soon).find(frozenset(), soon, cheapest=True))
    within = enemy.resolved.within
    cost, sets = winning(enemy, ways_of(built, enemy, deadline), deadline.part(_SETS))
    own = replace(asked.resolved, within=within, conditions=NO_CONDITIONS)
    stop = None if cost.status == "impossible" else stopping(built, own, enemy, deadline)
    return Threat(menace.side, menace.goal.text, Horizon(within, resolved.metric.unit), cost, sets, stop)


# ---- what stops it


def stopping(built: Built, resolved: ResolvedQuestion, enemy: ObjectivesQuestion, deadline: Deadline) -> Stop:
    """The fewest moves of a side after which an enemy has no plan.

    Args:
        built: What the planner has built, with an idle opponent.
        resolved: The question of the side.
        enemy: The question of the enemy.
    """
    two = len(resolved.system.sides) == 2  # else other enemies would help, who are to be idle
    if resolved.metric.turns and not resolved.metric.idle_only and two:
        return by_defence(built, replace(resolved, effort=replace(resolved.effort, deadline=deadline)), enemy)
    found = by_moves(built, resolved, enemy, deadline)
    if found is not None:
        return found
    others = [m.name for m in resolved.system.metrics if two and m.turns and not m.idle_only and not m.refused]
    reason = f"defences are not searched among plans by {resolved.metric.name}"
    if others:
        reason += f", but among those by {joined(others, 'or')}"
    return Stop("unknown", Cost("unknown", reason=reason), None, "moves", reason)


def by_defence(built: Built, resolved: ResolvedQuestion, enemy: ObjectivesQuestion) -> Stop:
    """The fewest moves of this turn after which an enemy has no plan.

    Args:
        built: What the planner has built, with an idle opponent.
        resolved: The question of the side.
        enemy: The question of the enemy; its turns within its limit count, from now on.
    """
    within = resolved.within
    if within is None:
        return _no_defence(f"defences are searched only within a limit: give one ({choice('within')})")
    resolved = replace(resolved, opponent=ANY)
    try:
        with until(resolved.effort.deadline):
            turns = Turns(resolved.system, two_sided_step(resolved))
            mover = turns.mover(resolved.state)
            due = turns_within(built, turns, enemy, within)
    except TimeUp:
        return _no_defence(TIME_UP)
    if resolved.system.side_of(mover) != resolved.side:
        return _no_defence(f"{mover} is on turn: ask for a defence when {resolved.side} is")
    if not due:
        return _no_defence(f"{enemy.side} has no turn within the limit")
    with until(resolved.effort.deadline):  # where it passes, that is told in the answer
        found = defend(replace(resolved, within=due, goal=enemy.resolved.goal), idle=True, briefly=True)
    horizon = Horizon(resolved.within, resolved.metric.unit)
    known = Cost("unknown", None, found.at_least, horizon=horizon, reason=found.reason)
    if found.status == "unknown":
        return Stop("unknown", known, None, "defend", found.reason)
    if found.status == "lost":
        return Stop("lost", replace(known, status="impossible", lower_bound=None, bound_by=PROOF), None, "defend")
    cost = replace(known, status="optimal", cost=found.moves, lower_bound=found.moves, bound_by=PROOF, reason="")
    return Stop("stopped", cost, _turn(resolved, found), "defend", "", PROOF)


def _no_defence(reason: str) -> Stop:
    """The answer where no defence was looked for."""
    return Stop("unknown", Cost("unknown", reason=reason), None, "defend", reason)


def turns_within(built: Built, turns: Turns, enemy: ObjectivesQuestion, within: int) -> int:
    """The number of an enemy's turns among the steps from now on, of which so many count."""
    system, state = enemy.resolved.system, enemy.resolved.state
    counts = built.steps(enemy.side, state).step.counts
    left, found = within, 0
    for _ in range(_CYCLE * (within + 1)):
        left -= bool(interpret(counts, system.layout.slot, state))
        if left < 0:
            break
        found += system.side_of(turns.mover(state)) == enemy.side
        state = turns.state_after_pass(state)
    return found


def _turn(resolved: ResolvedQuestion, found: Defence) -> OnePlan | None:
    """The turn that stops it; None if the time was up before it was put into words."""
    turn = next((t for case in found.defence for t in case.turns), None)
    if turn is None:
        return None
    made = Turns(resolved.system, two_sided_step(resolved)).play(resolved.state, turn.chosen)
    record = record_plan(resolved.system, resolved.state, made.events, TRUE, resolved.effort.deadline)
    routine = {s.name for s in resolved.system.events if s.routine}
    steps = tuple(s for s in turn.steps if s.action not in routine)
    return OnePlan(steps, record, battles_of(resolved, record))


# ---- the fewest moves after which an enemy has no plan
#
# The moves are found by refuting plans. A cheapest candidate is looked at (at first: no move at all). If the enemy
# still has a plan after it, whatever stops the enemy must break that plan: a term says in which positions the plan,
# or what is left of it where some of its steps cannot be made, leads to the enemy's goal, and this term must be false
# after the moves. That is one more part of the goal of the next candidate. The cost of a cheapest candidate is a
# lower bound; the first after which the enemy has no plan is a cheapest one; where there is none left, nothing stops
# the enemy.


def by_moves(built: Built, resolved: ResolvedQuestion, enemy: ObjectivesQuestion, deadline: Deadline) -> Stop | None:
    """The fewest moves of a side after which an enemy has no plan, whoever is on turn.

    Args:
        built: What the planner has built, with an idle opponent.
        resolved: The question of the side that moves.
        enemy: The question of the enemy, from the same state.

    Returns:
        The moves, or that none are enough, or what is known of them so far; None where steps are no single actions,
        so that it is not said which positions leave a plan.
    """
    refuting = Refuting(built, resolved, enemy, deadline)
    try:
        with until(deadline):
            return refuting.stop() if refuting.possible else None
    except TimeUp:
        return refuting.unknown(TIME_UP)


@dataclass(frozen=True)
class StoppingMoves:
    """Moves that break the plans that are known.

    Attributes:
        search: The moves, with a bound of their cost.
        state: The state after them.
        made: The same as they were played; None: no moves.
    """

    search: SearchResult
    state: State
    made: Played | None = None


class Refuting:
    """The search for moves that stop an enemy.

    Args:
        built: What the planner has built, with an idle opponent.
        resolved: The question of the side that moves.
        enemy: The question of the enemy.
        deadline: When to stop.
    """

    def __init__(self, built: Built, resolved: ResolvedQuestion, enemy: ObjectivesQuestion, deadline: Deadline):
        self._built = built
        effort = replace(resolved.effort, deadline=deadline)
        self._resolved = replace(resolved, opponent=enemy.resolved.opponent, effort=effort, within=None)
        self._enemy = enemy
        self._deadline = deadline
        self._broken: list[Term] = []  # what must hold after the moves: each says that a plan does not work
        self._bound = replace(NOTHING, lower_bound=0, bound_by=START)

    @property
    def possible(self) -> bool:
        """True if each step of both sides is a single action."""
        system, state = self._resolved.system, self._resolved.state
        own = system.steps(self._resolved.metric, self._resolved.side, self._resolved.opponent, state)
        return all(isinstance(s, SingleActions) for s in (own, self._built.steps(self._enemy.side, state).step))

    def stop(self) -> Stop:
        """Look at one candidate after the other.

        Raises:
            TimeUp: The deadline passed.
        """
        while True:
            found = self._candidate()
            self._keep(found.search)
            if found.search.steps is None:
                return self._without_moves(found.search)
            enemy = replace(self._enemy.resolved, state=found.state, effort=self._resolved.effort)
            answer = self._answer(enemy)
            if answer.status == "none":
                return self._stopped(found, answer)
            if answer.status == "unknown":
                return self.unknown(answer.search.reason or TIME_UP)
            self._broken.append(not_(self._works(enemy, answer)))

    # ---- candidates

    def _candidate(self) -> StoppingMoves:
        """The cheapest moves that break all plans that are known."""
        if not self._broken:
            return StoppingMoves(HELD, self._resolved.state)
        problem = self._resolved.problem(all_of(self._broken), tail=False)
        found = _found(self._resolved, problem)
        if found.steps is None:
            return StoppingMoves(found, self._resolved.state)
        made = replay_plan(self._resolved.system, self._resolved.state, problem, found)
        return StoppingMoves(found, made.states[-1], made)

    def _keep(self, found: SearchResult) -> None:
        """Keep the best lower bound: each candidate must break less than what stops the enemy."""
        if found.lower_bound is not None and found.lower_bound >= (self._bound.lower_bound or 0):
            self._bound = found

    # ---- which positions leave a plan

    def _answer(self, resolved: ResolvedQuestion) -> ObjectiveWay:
        """A plan of the enemy after some moves, or that there is none.

        It is searched for afresh, so that the same question gives the same plan, whatever was asked before.
        """
        if interpret(self._enemy.resolved.goal.term, resolved.system.layout.slot, resolved.state):
            return ObjectiveWay("found", HELD)
        return self._built.cached_answer(
            resolved.side, resolved.state, self._deadline, lambda steps: self._plan(resolved, steps.step)
        )

    def _plan(self, resolved: ResolvedQuestion, step: Transition) -> ObjectiveWay:
        """A plan of the enemy by some steps, or that there is none."""
        metric, none = resolved.metric, NOTHING
        for goal in either(self._enemy.resolved.goal.term):
            problem = prepare(
                step,
                resolved.start,
                goal,
                tail=metric.tail,
                metric=metric.name,
                within=resolved.within,
                laws=resolved.invariants,
            )
            found = _found(resolved, replace(problem, parties=resolved.parties(problem)))
            if found.steps is not None:
                return ObjectiveWay("found", found, problem)
            if not found.exhausted:
                return ObjectiveWay("unknown", found)
            none = found if none is NOTHING or not found.exact else none
        return ObjectiveWay("none", none)

    def _works(self, resolved: ResolvedQuestion, way: ObjectiveWay) -> Term:
        """The term over what the moves change that says: a plan, without the steps that cannot be made, still works.

        What the enemy's steps were built from is to be the same as well.

        Args:
            resolved: The enemy's question after some moves.
            way: A plan after these.
        """
        layout = self._resolved.system.layout
        own = self._resolved.transition().touched
        now = {f: f if f in own else value for f, value in layout.constants(self._resolved.state).items()}
        after = layout.constants(resolved.state)
        read = (layout.fluents[place] for place in self._built.steps(resolved.side, resolved.state).watched.read)
        same = [eq(f, after[f]) for f in read if f in own]
        steps = (
            ()
            if way.problem is None
            else actions_made(self._resolved.system, resolved.state, way.problem, way.search)
        )
        for action in (a for actions, _ in steps for a in actions):
            here = Substitution(now)
            made = here(action.guard)
            now |= {f: ite(made, here(new), now[f]) for f, new in action.effects}
        return all_of((*same, Substitution(now)(self._enemy.resolved.goal.term)))

    # ---- the answers

    def _stopped(self, found: StoppingMoves, way: ObjectiveWay) -> Stop:
        bound = self._bound
        search = replace(found.search, lower_bound=bound.lower_bound, bound_by=bound.bound_by, exact=bound.exact)
        proof = cost_of(self._enemy, way, None)
        return Stop("stopped", self._cost(search), self._shown(found), "moves", "", proof.bound_by, proof.exact)

    def _shown(self, found: StoppingMoves) -> OnePlan:
        if found.made is None:
            return OnePlan((), Recorded(()))
        resolved = self._resolved
        record = record_plan(
            resolved.system, resolved.state, found.made.events, all_of(self._broken), resolved.effort.deadline
        )
        return OnePlan(found.made.steps, record, battles_of(resolved, record))

    def _without_moves(self, found: SearchResult) -> Stop:
        if not found.exhausted:
            return self.unknown(found.reason or TIME_UP)
        return Stop("lost", self._cost(found), None, "moves")

    def unknown(self, reason: str) -> Stop:
        """The answer when time runs out: the best bound so far and the reason."""
        return Stop("unknown", self._cost(replace(self._bound, steps=None, cost=None)), None, "moves", reason)

    def _cost(self, found: SearchResult) -> Cost:
        asked = replace(self._enemy, resolved=self._resolved)
        if found.steps is not None:
            return cost_of(asked, ObjectiveWay("found", found), None)
        return cost_of(asked, ObjectiveWay("none" if found.exhausted else "unknown", found), None)


def _found(resolved: ResolvedQuestion, problem: Problem) -> SearchResult:
    """The cheapest plan, without a search for further proofs where there is none."""
    found = by_landmark_cuts(problem, resolved.effort, Incumbent())
    return found if found.final else find(resolved, problem)
