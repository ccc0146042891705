"""Threats: the winning sets of each enemy, and the defences against them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from vclogic.choices import choice
from vclogic.clock import TIME_UP, Deadline, TimeUp, until
from vclogic.encode.conditions import Conditions
from vclogic.encode.evaluator import interpret
from vclogic.model.system import ANY, IDLE, System
from vclogic.query.answers import Horizon, OnePlan
from vclogic.query.battles import battles_of
from vclogic.query.built import Built
from vclogic.query.duel import Defence
from vclogic.query.force import defend
from vclogic.query.objectives.answer import Cost, Stop, Threat
from vclogic.query.objectives.choose import ways_of
from vclogic.query.objectives.plans import limited
from vclogic.query.objectives.question import ObjectivesQuestion, default_goal
from vclogic.query.objectives.stopping import by_moves
from vclogic.query.objectives.winning import winning
from vclogic.query.plan_record import recorded
from vclogic.query.plan_request import Ask
from vclogic.query.turns import Turns, answered
from vclogic.terms.atoms import TRUE
from vclogic.terms.event_words import ONLY_REACH
from vclogic.terms.resolve import compile_goal
from vclogic.terms.term import Term
from vclogic.words import joined

FREE = Conditions()
"""No conditions: an enemy's plans have none. One object, so that what is built for them is found again."""
PROOF = "every line of play"
"""The proof that a turn defends, or that none does."""
_SETS = 0.5  # of the time for an enemy: for what it can win with, the rest for what stops it
_CYCLE = 20  # turns, of which at least one counts


@dataclass(frozen=True)
class Menace:
    """The goal of an enemy.

    Attributes:
        side: The enemy.
        text: Its goal, in words or as it was asked.
        goal: Bool, over fluents.
    """

    side: str
    text: str
    goal: Term


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
        return tuple(Menace(enemy, *default_goal(system, enemy)) for enemy in able)
    found = compile_goal(threat, system.vocabulary, choice("threat"), ONLY_REACH)
    named = {system.side_of(name) for _, name in found.mentions}.intersection(enemies)
    about = [e for e in enemies if e in named] or enemies
    return tuple(Menace(enemy, threat, found.term) for enemy in about)


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
    if asked.ask.opponent != IDLE:
        idle = built.kept("idle", lambda: Built(asked.ask.system, asked.ask.metric, IDLE))
    return tuple(_threat(idle, asked, menace, deadline.part(1 / (len(some) - i))) for i, menace in enumerate(some))


def _threat(built: Built, asked: ObjectivesQuestion, menace: Menace, deadline: Deadline) -> Threat:
    """The threat of an enemy, with a defence."""
    ask = replace(asked.ask, side=menace.side, opponent=IDLE)
    enemy = ObjectivesQuestion(ask, menace.text, menace.goal, FREE, asked.limit)
    if ask.within is None:
        soon = deadline.part(_SETS)
        enemy = limited(enemy, ways_of(built, enemy, soon).find(frozenset(), soon, cheapest=True))
    within = enemy.ask.within
    cost, sets = winning(enemy, ways_of(built, enemy, deadline), deadline.part(_SETS))
    own = replace(asked.ask, within=within)
    stop = None if cost.status == "impossible" else stopping(built, own, enemy, deadline)
    return Threat(menace.side, menace.text, Horizon(within, ask.metric.unit), cost, sets, stop)


# ---- what stops it


def stopping(built: Built, ask: Ask, enemy: ObjectivesQuestion, deadline: Deadline) -> Stop:
    """The fewest moves of a side after which an enemy has no plan.

    Args:
        built: What the planner has built, with an idle opponent.
        ask: The question of the side.
        enemy: The question of the enemy.
    """
    two = len(ask.system.sides) == 2  # else other enemies would help, who are to be idle
    if ask.metric.turns and not ask.metric.idle_only and two:
        return by_defence(built, replace(ask, effort=replace(ask.effort, deadline=deadline)), enemy)
    found = by_moves(built, ask, enemy, deadline)
    if found is not None:
        return found
    others = [m.name for m in ask.system.metrics if two and m.turns and not m.idle_only and not m.refused]
    reason = f"defences are not searched among plans by {ask.metric.name}"
    if others:
        reason += f", but among those by {joined(others, 'or')}"
    return Stop("unknown", Cost("unknown", reason=reason), None, "moves", reason)


def by_defence(built: Built, ask: Ask, enemy: ObjectivesQuestion) -> Stop:
    """The fewest moves of this turn after which an enemy has no plan.

    Args:
        built: What the planner has built, with an idle opponent.
        ask: The question of the side.
        enemy: The question of the enemy; its turns within its limit count, from now on.
    """
    within = ask.within
    if within is None:
        return _no_defence(f"defences are searched only within a limit: give one ({choice('within')})")
    ask = replace(ask, opponent=ANY)
    try:
        with until(ask.effort.deadline):
            turns = Turns(ask.system, answered(ask))
            mover = turns.mover(ask.state)
            due = turns_within(built, turns, enemy, within)
    except TimeUp:
        return _no_defence(TIME_UP)
    if ask.system.side_of(mover) != ask.side:
        return _no_defence(f"{mover} is on turn: ask for a defence when {ask.side} is")
    if not due:
        return _no_defence(f"{enemy.side} has no turn within the limit")
    with until(ask.effort.deadline):  # where it passes, that is told in the answer
        found = defend(replace(ask, within=due), enemy.text, enemy.goal, idle=True, briefly=True)
    horizon = Horizon(ask.within, ask.metric.unit)
    known = Cost("unknown", None, found.at_least, horizon=horizon, reason=found.reason)
    if found.status == "unknown":
        return Stop("unknown", known, None, "defend", found.reason)
    if found.status == "lost":
        return Stop("lost", replace(known, status="impossible", lower_bound=None, bound_by=PROOF), None, "defend")
    cost = replace(known, status="optimal", cost=found.moves, lower_bound=found.moves, bound_by=PROOF, reason="")
    return Stop("stopped", cost, _turn(ask, found), "defend", "", PROOF)


def _no_defence(reason: str) -> Stop:
    """The answer where no defence was looked for."""
    return Stop("unknown", Cost("unknown", reason=reason), None, "defend", reason)


def turns_within(built: Built, turns: Turns, enemy: ObjectivesQuestion, within: int) -> int:
    """The number of an enemy's turns among the steps from now on, of which so many count."""
    system, state = enemy.ask.system, enemy.ask.state
    counts = built.steps(enemy.side, state).step.counts
    left, found = within, 0
    for _ in range(_CYCLE * (within + 1)):
        left -= bool(interpret(counts, system.layout.slot, state))
        if left < 0:
            break
        found += system.side_of(turns.mover(state)) == enemy.side
        state = turns.passed(state)
    return found


def _turn(ask: Ask, found: Defence) -> OnePlan | None:
    """The turn that stops it; None if the time was up before it was put into words."""
    turn = next((t for case in found.defence for t in case.turns), None)
    if turn is None:
        return None
    made = Turns(ask.system, answered(ask)).play(ask.state, turn.chosen)
    record = recorded(ask.system, ask.state, made.events, TRUE, ask.effort.deadline)
    routine = {s.name for s in ask.system.events if s.routine}
    steps = tuple(s for s in turn.steps if s.action not in routine)
    return OnePlan(steps, record, battles_of(ask, record))
