"""A plan near a solution that breaks lemmas: the same conditions are chosen, and the numbers anew.

Where a solver has found steps that are no plan, such as captures without garrisons, most of what it decided is right.
With its Bool choices fixed the program is small; solved together with the lemmas, again and again, it gives a plan
soon: an upper bound long before the whole program does.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence

from vclogic.clock import Deadline, TimeUp
from vclogic.encode.milp import compile_program
from vclogic.encode.unroll import defining
from vclogic.model.transition import Chosen, TakenStep
from vclogic.progress import untold
from vclogic.solve.backends.highs import Engines, Minimization, minimize
from vclogic.terms.atoms import FALSE, TRUE, integer
from vclogic.terms.build import add
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Op, Term

_ROUNDS = 8
_LONGEST = 100  # steps: with more, programs are not small even with Bool choices fixed
Told = Callable[[Chosen], Sequence[Term]]
"""The lemmas that a solution breaks, and others; none where it is a plan."""


def repaired(
    steps: Sequence[TakenStep],
    values: Chosen,
    fluents: Iterable[Term],
    known: Iterable[Term],
    told: Told,
    deadline: Deadline,
    engines: Engines,
) -> Mapping[Term, int] | None:
    """A plan with the same Bool choices as a solution, or with more of them; None if none is found soon.

    Args:
        values: The solution.
        fluents: The fluents that the steps keep track of.
        known: Lemmas that are known.
        told: Says what a solution breaks.
        engines: The processes that solve programs.

    Returns:
        The value of each variable of the steps.
    """
    if len(steps) > _LONGEST:
        return None
    laws = [*_laws(steps, tuple(fluents)), *known]
    cost = add(integer(0), *(step.here(step.step.cost) for step in steps))
    flags = [v for step in steps for v in map(step.here, step.step.choices) if v.is_bool and v.op is Op.VAR]
    # With the same battles first; then others may be added, such as one that clears a way.
    for fixed in (flags, [v for v in flags if values.get(v)]):
        here = Substitution({v: TRUE if values.get(v) else FALSE for v in fixed})
        try:
            found = _solved(list(map(here, laws)), here, cost, told, values, fixed, deadline.part(1 / 2), engines)
        except TimeUp:
            continue
        if found is not None:
            return found
    return None


def _solved(
    laws: list[Term],
    here: Substitution,
    cost: Term,
    told: Told,
    values: Chosen,
    fixed: Sequence[Term],
    deadline: Deadline,
    engines: Engines,
) -> Mapping[Term, int] | None:
    """A solution of some laws that breaks no lemma."""
    for _ in range(_ROUNDS):
        claimed = [law for law in laws if law is not TRUE]
        if FALSE in claimed or deadline.left <= 0:
            return None
        outcome = minimize(Minimization(compile_program(claimed, here(cost)), claimed), deadline, untold, engines)
        if not outcome.values:
            return None
        found = {**values, **outcome.values, **{v: int(bool(values.get(v))) for v in fixed}}
        lemmas = told(found)
        if not lemmas:
            return found
        laws += map(here, lemmas)
    return None


def _laws(steps: Sequence[TakenStep], fluents: Sequence[Term]) -> Iterable[Term]:
    """The laws of steps, and what becomes of the fluents from step to step."""
    for step in steps:
        yield from map(step.here, step.step.legality)
    for step, following in itertools.pairwise(steps):
        for fluent in fluents:
            then = following.here(fluent)
            becomes = step.here(step.step.next.get(fluent, fluent))
            if then is not becomes:
                yield defining(then, becomes)
