"""Reachability by the steps of a planning model: a witness or a proof."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from vclogic.clock import ANSWERING, TimeUp, grace_period, until
from vclogic.model.event_terms import unwatched
from vclogic.query.answers import Horizon, Recorded
from vclogic.query.goal_claims import claims_in_parts
from vclogic.query.plan.battles import check_battles
from vclogic.query.plan.planning import PLAYING, Planning, Unmet
from vclogic.query.plan_search import find, holds
from vclogic.query.reach.answer import ProofText, Reach
from vclogic.query.replay import Played, ReplayError, replay_plan
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.solve.backends.claims import Claims
from vclogic.solve.problem import INEXACT, Problem, Proof, ProofMethod, SearchResult
from vclogic.solve.strategy import BUILDING
from vclogic.terms.term import Term, show


def reach(resolved: ResolvedQuestion) -> Reach:
    """Find a plan that reaches a goal, or prove that there is none.

    Returns:
        A replayed witness; a proof that there is none; or `unknown` with the reason.
    """
    try:
        with until(resolved.effort.deadline):
            if holds(resolved, resolved.goal.term):
                return holding(resolved)
            problem = resolved.problem()
            found = problem.lift_result(find(resolved, problem, first=True))
    except TimeUp:
        return unanswered(resolved, BUILDING)
    if found.steps is None:
        proof = (
            proof_text(resolved, found.proof, found.depth, found.claims, resolved.goal.text)
            if found.exhausted
            else None
        )
        status: Literal["unreachable", "unknown"] = "unreachable" if found.exhausted else "unknown"
        return replace(unanswered(resolved, found.reason), status=status, proof=proof)
    try:
        with grace_period(ANSWERING):
            witness = _without_idle_steps(resolved, problem.plain, found)
            record = Planning(resolved).record_of(witness, problem)
            check_battles(resolved, record)
    except TimeUp:
        return unanswered(resolved, PLAYING)
    except Unmet:
        return unanswered(resolved, INEXACT)
    steps = witness.steps
    done = unanswered(resolved, "")
    return replace(done, status="reachable", depth=len(steps), steps=steps, record=record, replayed=True)


def _without_idle_steps(resolved: ResolvedQuestion, problem: Problem, found: SearchResult) -> Played:
    """The witness, replayed, without steps in which nothing is chosen, as far as the others lead to the goal too."""
    witness = replay_plan(resolved.system, resolved.state, problem, found)
    steps = list(found.steps or ())

    def shorter(rest: list[Mapping[Term, int]]) -> bool:
        nonlocal steps, witness
        if len(rest) == len(steps):
            return False
        try:
            witness = replay_plan(
                resolved.system, resolved.state, problem, replace(found, steps=tuple(rest), cost=None)
            )
        except (ReplayError, TimeUp):
            return False
        steps = rest
        return True

    if not shorter([chosen for chosen in steps if any(chosen.values())]):
        for row in (2, 1):  # with turns of two sides, only rows of both may be left out
            for first in range(len(steps) - row, -1, -1):
                idle = not any(any(chosen.values()) for chosen in steps[first : first + row])
                if idle and len(steps) >= first + row:
                    shorter([*steps[:first], *steps[first + row :]])
    return witness


def holding(resolved: ResolvedQuestion) -> Reach:
    """The answer for a goal that holds already."""
    return replace(unanswered(resolved, ""), status="reachable", depth=0, record=Recorded(()), replayed=True)


@grace_period()
def unanswered(resolved: ResolvedQuestion, reason: str) -> Reach:
    """The answer `unknown`, with the reason."""
    return Reach(
        game=resolved.game,
        goal=resolved.goal.text,
        heading=resolved.metric.heading,
        by=resolved.metric.name,
        events=resolved.events,
        status="unknown",
        depth=None,
        steps=(),
        record=None,
        proof=None,
        replayed=None,
        assumptions=resolved.assumptions,
        reason=reason,
        elapsed_s=resolved.effort.elapsed_s,
    )


def proof_text(
    resolved: ResolvedQuestion, proof: Proof | None, depth: int | None, claims: Claims = (), text: str = ""
) -> ProofText:
    """The proof that a goal is unreachable, for a reader.

    Args:
        proof: The proof, if it has no horizon.
        depth: The number of steps explored, if the proof depends on it.
        claims: What nothing satisfies, if the proof has a horizon.
    """
    if proof is None:
        limit = resolved.within if depth is None else depth
        horizon = Horizon(limit, resolved.metric.unit)
        second = resolved.effort.agreeing(claims_in_parts(resolved.system, text, claims))
        return ProofText(ProofMethod.BOUNDED.value, None, horizon, (), False, confirmed_by=second)
    laws, method = in_words(unwatched(proof.invariant)), proof.method
    if resolved.effort.opinion is not None:
        resolved.effort.opinion.note((), proof.bounds)
    folded = all(c.evident for c in proof.claims)  # then z3 was not asked, whatever another solver gets
    otherwise = "whole numbers" if method is ProofMethod.RELAXATION else "terms" if folded else "z3"
    second = resolved.effort.confirming_solvers(claims_in_parts(resolved.system, text, proof.claims), otherwise)
    return ProofText(proof.method.value, proof.k, None, laws, proof.rechecked, proof.positions, confirmed_by=second)


def in_words(laws: tuple[Term, ...]) -> tuple[str, ...]:
    """An invariant as lines for a reader."""
    lines = map(show, laws)
    return tuple(line[1:-1] if line.startswith("(") else line for line in lines)  # without the outer parentheses
