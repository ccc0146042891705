"""Steps that remember what was chosen, so that a goal can ask for a plan that does not hold all of another plan."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from vclogic.encode.conditions import still_true
from vclogic.model.transition import Scoped, SingleActions, Transition, Wanted
from vclogic.terms.atoms import FALSE, TRUE, var
from vclogic.terms.build import all_of, eq, ge, not_, or_
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import BOOL, EnumSort
from vclogic.terms.term import Term

Mark = tuple[str, int]
"""The name of a choice and the number that is chosen; where a step says which events it comes to: an event, and 1."""


def memory(mark: Mark) -> Term:
    """The Bool fluent that says whether a choice has been made, in any step."""
    name, number = mark
    return var(f"chosen: {name} {number}", BOOL)


def marks(transition: Transition, steps: Iterable[Mapping[Term, int]]) -> frozenset[Mark]:
    """The choices of a plan in any of its steps."""
    if transition.taken is None:
        return frozenset((choice.name, n) for step in steps for choice, n in step.items() if n)
    found: set[Mark] = set()
    for step in steps:
        chosen = Substitution({c: TRUE if step.get(c) else FALSE for c in transition.choices})
        found.update((a.key, 1) for condition, a in transition.taken.items() if chosen(condition) is TRUE)
    return frozenset(found)


def not_all(chosen: frozenset[Mark]) -> Term:
    """Bool, over these fluents: a plan does not choose all of this."""
    return not_(all_of(memory(m) for m in sorted(chosen)))


def remembering(transition: Transition, chosen: frozenset[Mark]) -> Transition:
    """The same steps, with the fluents that say which of some choices have been made."""
    if isinstance(transition, SingleActions):
        actions = {
            taken: replace(a, effects=(*a.effects, (memory((taken.name, 1)), TRUE)))
            if (taken.name, 1) in chosen
            else a
            for taken, a in transition.actions.items()
        }
        seen = transition.looked_at
        return transition.over(actions, None if seen is None else seen | {memory(m) for m in chosen})
    if isinstance(transition, Scoped):
        scope = transition.scope
        own = frozenset(memory(m) for m in chosen)

        def remembered(state: Mapping[Term, Term], wanted: Wanted | None) -> Transition:
            return _marked(scope(state, None if wanted is None else frozenset(wanted) - own), chosen)

        return replace(transition, scope=remembered, hints=still_true(transition.hints))
    return _marked(transition, chosen)


def _marked(step: Transition, chosen: frozenset[Mark]) -> Transition:
    by_name: dict[str, list[int]] = {}
    for name, n in chosen:
        by_name.setdefault(name, []).append(n)
    following = dict(step.next)
    for condition, action in (step.taken or {}).items():
        if action.key in by_name:
            fluent = memory((action.key, 1))
            following[fluent] = or_(fluent, condition)
    for choice in () if step.taken is not None else step.choices:
        for n in by_name.get(choice.name, ()):
            fluent = memory((choice.name, n))
            following[fluent] = or_(fluent, _made(choice, n))
    return replace(step, next=following, hints=still_true(step.hints))


def _made(choice: Term, n: int) -> Term:
    """A Bool term: the choice is made; of numbers, it is at least `n`."""
    if choice.is_bool:
        return choice
    return eq(choice, choice.sort.members[n]) if isinstance(choice.sort, EnumSort) else ge(choice, n)
