"""The cheapest way to a goal, with the proof that nothing cheaper will do."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from vclogic.encode.python import interpret
from vclogic.model.actions import Action
from vclogic.model.transition import Transition, then_maybe
from vclogic.query.answers import Horizon, Plan, Step
from vclogic.query.ask import Ask
from vclogic.query.recorded import recorded
from vclogic.query.replay import played, thinned
from vclogic.solve.bounded import Interlude
from vclogic.solve.portfolio import cheapest
from vclogic.solve.problem import Problem, Search, prepare
from vclogic.solve.proofs import Proof, by_closure, by_positions, by_relaxation
from vclogic.solve.session import Deadline, Effort
from vclogic.solve.unbounded import by_all_steps
from vclogic.terms.term import Term

_GLANCE = 2.0  # seconds for a proof without a limit, where a limit was asked for
_PATIENCE = 3.0  # seconds without a plan, after which a proof over all that can happen is looked for
_PROVING = 20.0  # seconds for that at the most; a third of what is left


def plan(ask: Ask, text: str, goal: Term) -> Plan:
    """The cheapest plan for a goal.

    Args:
        ask: The question.
        text: The goal as the user wrote it.
        goal: Bool, over fluents.

    Returns:
        The plan; `impossible` with who proved it; or `unknown` with the reason.
    """
    full = ask.transition()
    problem = prepare(full, ask.start, goal, tail=ask.metric.tail, metric=ask.metric.name, within=ask.within)
    found, proof = find(ask, problem, full)
    steps: tuple[Step, ...] = ()
    record = None
    if found.steps is not None:
        found_plan = played(ask.system, ask.state, problem, full, found)
        steps = found_plan.steps
        record = recorded(ask.system, ask.state, found_plan.events, goal)
    return Plan(
        game=ask.game,
        goal=text,
        heading=ask.metric.heading,
        status=_verdict(found, proof),
        metric=ask.metric.name,
        cost=found.cost,
        lower_bound=found.lower_bound,
        bound_by=proof.method if proof else found.bound_by,
        exact=(found.bound_by is not None and found.exact) or proof is not None,
        horizon=Horizon(ask.within, ask.metric.unit),
        steps=steps,
        record=record,
        replayed=None if found.steps is None else True,
        assumptions=ask.assumptions,
        reason=found.reason,
        elapsed_s=round(ask.elapsed, 3),
    )


def _verdict(found: Search, proof: Proof | None) -> Literal["optimal", "feasible", "impossible", "unknown"]:
    if found.steps is not None:
        return "optimal" if found.cost == found.lower_bound else "feasible"
    return "impossible" if found.exhausted or proof else "unknown"


def find(ask: Ask, problem: Problem, full: Transition, *, first: bool = False) -> tuple[Search, Proof | None]:
    """A cheapest plan, or the proof that there is none.

    Single actions are bounded by the portfolio, whose "no" is then given a proof if one can be found. For other
    steps, of which ever more could be tried, a proof is looked for first. A search that has found nothing for some
    seconds is interrupted, for a proof over all that can happen.

    Args:
        ask: The question.
        problem: The question made ready.
        full: The transition before anything was cut away.
        first: Any plan will do; a cheap one is still preferred where that takes no longer.
    """
    holds_now = interpret(problem.goal, ask.system.layout.slot, ask.state)
    if not full.actions and not holds_now:
        proof = prove(ask, problem, full)
        if proof is not None:
            return Search(exhausted=True), proof
    late: list[Proof] = []

    def proves() -> bool:
        effort = replace(ask.effort, deadline=Deadline(min(ask.effort.deadline.left / 3, _PROVING)))
        proof = prove(ask, problem, full, effort, over_steps=True)
        late.extend([proof] if proof else [])
        return bool(late)

    interlude = None if full.scope or holds_now else Interlude(min(ask.effort.deadline.left / 6, _PATIENCE), proves)
    parties = _parties(ask, problem)
    found = cheapest(problem, parties, ask.effort, first=first, certify=ask.certify, interlude=interlude)
    if late:
        return found, late[0]
    if found.steps is not None and not full.actions and not full.scope:
        found = thinned(ask.system, ask.state, problem, full, found)
    if found.steps is None and full.actions:
        proof = prove(ask, problem, full, over_steps=found.exhausted and ask.within is None)
        return (Search(exhausted=True) if proof else found), proof
    return found, None


def _parties(ask: Ask, problem: Problem) -> list[dict[Term, Action]]:
    """The actions of each side."""
    parties: dict[str | None, dict[Term, Action]] = {}
    for taken, action in problem.transition.actions.items():
        side = ask.system.side_of(action.actor) if isinstance(action.actor, str) else None
        parties.setdefault(side, {})[taken] = action
    return list(parties.values())


def prove(
    ask: Ask, problem: Problem, full: Transition, effort: Effort | None = None, *, over_steps: bool = False
) -> Proof | None:
    """A proof without a horizon that the goal can never hold, confirmed by a fresh solver; or None.

    Args:
        ask: The question.
        problem: The question made ready.
        full: The transition before anything was cut away.
        effort: What may be spent; None: what the question has left, or a glance where it has a limit.
        over_steps: Whether all that can happen is to be looked at, which takes its time.
    """
    glance = math.inf if ask.within is None else _GLANCE
    effort = effort or replace(ask.effort, deadline=Deadline(min(ask.effort.deadline.left, glance)))
    everything = then_maybe(full, problem.tails.action)
    goal, start, laws = problem.asked, ask.start, ask.invariants
    methods: list[tuple[str, Callable[[], Proof | None]]] = [
        ("all positions", lambda: by_positions(goal, laws, effort)),
        ("all that can be gained", lambda: by_closure(goal, everything, start, laws, effort)),
        ("plans that never lose anything", lambda: by_relaxation(problem, effort)),
    ]
    if over_steps:
        methods.append(("all that can happen", lambda: by_all_steps(goal, everything, start, laws, effort)))
    for over, method in methods[:1] if full.scope else methods:
        if effort.deadline.left <= 0:
            break
        ask.progress(f"looking for a proof over {over}")
        proof = method()
        if proof and proof.rechecked:
            return proof
    return None
