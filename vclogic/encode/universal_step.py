"""One step for all states, from a transition whose steps are built per state (`Scoped`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product

from vclogic.model.fluents import numbered
from vclogic.model.transition import Scoped, Transition, unpriced
from vclogic.terms.atoms import var
from vclogic.terms.build import all_of, eq, implies, ite
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import EnumSort, members_of
from vclogic.terms.term import Term, conjuncts, variables

_MOST = 5_000  # possible values of all Enum fluents together; with more a step from any state is too large to build


def universal_step(transition: Transition, start: Mapping[Term, Term]) -> Transition | None:
    """A transition that covers the steps from every state.

    It has a copy of the step, with its own choices, for each combination of the values that a step must be told (such
    as whose turn it is). The constraints on choices are dropped, since they may depend on what is known of the state,
    such as a detour around a place where the enemy certainly is.

    Args:
        transition: Any transition.
        start: The value of every fluent.

    Returns:
        The transition; None if a step cannot be built this way or would be too large.
    """
    if not isinstance(transition, Scoped):
        return transition
    if transition.known is None or sum(f.mask.bit_count() for f in start) > _MOST:
        return None
    choices: list[Term] = []
    legality: list[Term] = []
    following: dict[Term, Term] = {}
    for values in product(*map(_values, transition.known)):
        told = dict(zip(transition.known, values, strict=True))
        here = all_of(eq(f, v) for f, v in told.items())
        step = transition.at({**{f: f for f in start}, **told})
        # Each case has choices of its own, since the same choice may mean different moves in two cases.
        own = {c: choice_of_case(c, values) for c in step.choices}
        said = Substitution({**told, **own})
        choices += own.values()
        laws = (t for law in step.legality for t in conjuncts(law))
        legality += (implies(here, said(t)) for t in laws if own.keys().isdisjoint(variables(t)))
        for f, new in step.next.items():
            following[f] = ite(here, said(new), following.get(f, f))
    return unpriced(choices, legality, following)


def _values(f: Term) -> list[Term]:
    """All values of a fluent."""
    numbers = members_of(f.mask) if isinstance(f.sort, EnumSort) else range(f.lo, f.hi + 1)
    return [numbered(f, n) for n in numbers]


def choice_of_case(choice: Term, values: Iterable[Term]) -> Term:
    """The choice of the covering transition for a choice of the step that was told some values.

    Args:
        values: The values that the step was told, as constants.
    """
    case = ", ".join(str(v.value) for v in values)
    return var(f"{choice.name} ({case})" if case else choice.name, choice.sort, mask=choice.mask)
