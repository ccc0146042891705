"""The position that stands against a proof: the laws allow it, and one event leads from it to the goal."""

from __future__ import annotations

from dataclasses import replace

from vclogic.clock import TimeUp, until
from vclogic.encode.grounding import Admits, TooManyToBuild, directly
from vclogic.encode.python.evaluator import interpret
from vclogic.explore.events import TooManyEvents, each_number
from vclogic.model.fluents import value
from vclogic.model.step_text import step_text
from vclogic.query.reach.answer import AgainstProof
from vclogic.query.replay import as_steps, state_after, turn_of
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.solve import budgets
from vclogic.solve.proofs.unreachability import Laws
from vclogic.solve.searches.minimal_sets import correction_sets
from vclogic.terms.build import all_of, and_, any_of, not_
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import variables

_MOST_EVENTS = 2_000  # events that change what the goal reads


def time_kept_back(resolved: ResolvedQuestion) -> ResolvedQuestion:
    """The question with less time, so that some is left for what stands against a proof."""
    left = resolved.effort.deadline.left
    kept = min(budgets.AGAINST_PROOF, left * budgets.AGAINST_PROOF_SHARE)
    return replace(resolved, effort=resolved.effort.part(most=left - kept))


def against_proof(resolved: ResolvedQuestion, admits: Admits) -> AgainstProof | None:
    """The position nearest to the start that the laws allow and from which one event leads to the goal, replayed.

    A proof that each event keeps the goal from being reached fails at it, unless a law excludes it.

    Args:
        admits: Which events may happen.

    Returns:
        None if there is none, if too many events bear on the goal, or if the time is up.
    """
    try:
        with until(resolved.effort.deadline):
            return _nearest(resolved, admits)
    except (TimeUp, TooManyToBuild, TooManyEvents):
        return None


def _nearest(resolved: ResolvedQuestion, admits: Admits) -> AgainstProof | None:
    system, slot = resolved.system, resolved.system.layout.slot
    events = each_number(directly(system, [resolved.goal.term], admits, most=_MOST_EVENTS), _MOST_EVENTS)
    reaching = any_of(and_(p.guard, Substitution(dict(p.effects))(resolved.goal.term)) for p in events)
    terms = [reaching, not_(resolved.goal.term)]
    terms += Laws(rule.kept for rule in system.laws).bearing(*terms)
    if any(f not in slot for t in terms for f in variables(t)):
        return None
    found = correction_sets(terms, system.layout.constants(resolved.state), 1, resolved.effort)
    if not found.sets:
        return None
    changed = found.sets[0]
    numbers = list(resolved.state)
    for f, n in changed.items():
        numbers[slot[f]] = n
    state = tuple(numbers)
    if not interpret(all_of(terms), slot, state):
        return None
    for p in events:
        after = state_after(system, state, p.event) if interpret(p.guard, slot, state) else None
        if after is not None and interpret(resolved.goal.term, slot, after):
            values = system.layout.values(state)
            (step,) = as_steps([step_text(system.action(p.event), values)], 0, turn_of(system, values))
            return AgainstProof({f.name: value(f.sort, n) for f, n in changed.items()}, step)
    return None
