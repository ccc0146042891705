"""Goals at a later moment: what must hold now, so that they hold after a fixed action has been repeated.

An outcome is judged at a timing point, such as the end of a turn. Ending turns decides nothing, so a goal after some
turns is a term over the state before them: the action's effects are substituted, and what the schedule fixes folds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from vclogic.model.actions import Action
from vclogic.terms.build import FALSE, and_
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term, variables


@dataclass(frozen=True)
class Tails:
    """A goal, at once or after repetitions of an action.

    Attributes:
        goals: Each term that would do, with the fewest repetitions for which it would; true goals only.
        action: The action that is repeated, if any.
    """

    goals: Mapping[Term, int]
    action: Action | None = None


def tails(goal: Term, action: Action | None, start: Mapping[Term, Term], touched: set[Term]) -> Tails:
    """The goal after any number of repetitions.

    Args:
        goal: Bool, over fluents.
        action: What may be repeated at the end of a plan; None: nothing.
        start: The constant value of every fluent.
        touched: The fluents that the plan before may have changed.
    """
    effects = _bearing(goal, action) if action else {}
    if action is None or not effects:
        return Tails({goal: 0})
    fluents = variables(goal, action.guard, *effects, *effects.values())
    state = {f: f if f in touched else start[f] for f in fluents}
    goals: dict[Term, int] = {}
    seen = set()
    possible = and_()
    repetitions = 0
    while possible is not FALSE and (key := tuple(state.values())) not in seen:
        seen.add(key)
        now = Substitution(state)
        goals.setdefault(and_(possible, now(goal)), repetitions)
        possible = and_(possible, now(action.guard))
        state |= {f: now(t) for f, t in effects.items()}
        repetitions += 1
    goals.pop(FALSE, None)
    return Tails(goals or {FALSE: 0}, action)


def _bearing(goal: Term, action: Action) -> dict[Term, Term]:
    """The effects of an action that bear on a goal, at once or through others."""
    effects = dict(action.effects)
    found: dict[Term, Term] = {}
    queue = [goal]
    while queue:
        for f in variables(queue.pop()):
            if f in effects and f not in found:
                found[f] = effects[f]
                queue.append(effects[f])
    return found
