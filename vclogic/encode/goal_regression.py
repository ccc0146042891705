"""Goal regression: what must hold now so that a goal holds after a fixed action has been repeated.

An outcome is judged at certain moments, such as the end of a turn. Ending a turn involves no decision, so a goal
after some turns is a term over the state before them: the action's effects are substituted, and what the schedule
determines folds to constants.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from math import prod

from vclogic.model.actions import Action
from vclogic.terms.atoms import FALSE
from vclogic.terms.build import and_
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Op, Term, postorder, variables


@dataclass(frozen=True)
class Regressions:
    """The regressions of a goal through repetitions of an action.

    Attributes:
        goals: Each regressed goal with the fewest repetitions that give it; those that fold to false are left out.
        action: The action that is repeated, if any.
    """

    goals: Mapping[Term, int]
    action: Action | None = None


def regressions(goal: Term, action: Action | None, start: Mapping[Term, Term], touched: Set[Term]) -> Regressions:
    """Regress a goal through any number of repetitions of an action.

    Args:
        goal: Bool, over fluents.
        action: The action that may be repeated at the end of a plan; None: none.
        start: The constant value of every fluent.
        touched: The fluents that the plan before it may have changed.
    """
    if action is None or not (bearing := _bearing([goal], action)):
        return Regressions({goal: 0})
    effects = _bearing([goal, action.guard], action)
    settled = _settled([goal, action.guard, *effects.values()], effects, start, touched)
    state = {f: f if f in touched else start[f] for f in effects}
    watched = [f for f in effects if f in bearing]
    goals: dict[Term, int] = {}
    seen = set()
    possible = and_()
    repetitions = 0
    # Once what bears on the goal is as it was before, more repetitions show nothing new: the action is only less
    # possible then. That comes at the latest when there have been more states than there can be.
    most = prod(f.mask.bit_count() or f.hi - f.lo + 1 for f in watched)
    while possible is not FALSE and repetitions < most and (key := tuple(state[f] for f in watched)) not in seen:
        seen.add(key)
        now = Substitution({**settled, **state})
        goals.setdefault(and_(possible, now(goal)), repetitions)
        possible = and_(possible, now(action.guard))
        state = {f: now(t) for f, t in effects.items()}
        repetitions += 1
    goals.pop(FALSE, None)
    return Regressions(goals or {FALSE: 0}, action)


def after_each(terms: Iterable[Term], action: Action, repetitions: int) -> list[dict[Term, Term]]:
    """Terms after each repetition of an action; those on which it does not bear are left out.

    Args:
        repetitions: How often it is repeated at the most.
    """
    terms = tuple(terms)
    effects = _bearing(terms, action)
    state: Mapping[Term, Term] = {}
    found: list[dict[Term, Term]] = []
    for _ in range(repetitions if effects else 0):
        now = Substitution(state)
        state = {f: now(t) for f, t in effects.items()}
        then = Substitution(state)
        found.append({t: after for t in terms if (after := then(t)) is not t})
    return found


def _bearing(goals: Iterable[Term], action: Action) -> dict[Term, Term]:
    """The effects of an action that influence some goals, directly or through other effects."""
    effects = dict(action.effects)
    found: dict[Term, Term] = {}
    queue = list(goals)
    while queue:
        for f in variables(queue.pop()):
            if f in effects and f not in found:
                found[f] = effects[f]
                queue.append(effects[f])
    return found


def _settled(
    terms: Sequence[Term], effects: Mapping[Term, Term], start: Mapping[Term, Term], touched: Set[Term]
) -> dict[Term, Term]:
    """The subterms that no repetition changes, with their values; there may be a thousand repetitions."""
    fluents = variables(*terms)
    before = Substitution({f: f if f in touched else start[f] for f in fluents})
    found: dict[Term, Term] = {}
    settled: set[Term] = set()
    for t in postorder(terms):
        if t not in effects and settled.issuperset(t.args):
            settled.add(t)
            if t.op is not Op.FIX:
                found[t] = before(t)
    return found
