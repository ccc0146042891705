"""Actions that differ only in what nothing asks about: one of them stands for all.

Two values of an Enum fluent are interchangeable for a question if every membership test in it holds for both or for
neither. Actions with one guard, one cost and interchangeable effects are then interchangeable too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from vclogic.encode.unroll import without
from vclogic.model.actions import Action
from vclogic.model.transition import Transition
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Op, Term, postorder

Classes = Mapping[Term, Mapping[Term, Action]]
"""For each choice that stays the choices and actions that it stands for, its own first."""


def merge(transition: Transition, asked: Iterable[Term], metric: str) -> tuple[Transition, Classes]:
    """A transition with one choice for each class of interchangeable actions.

    Args:
        transition: One whose steps are single actions; any other is returned as it is.
        asked: Terms over fluents that are to keep their values (the goal).
        metric: The cost that is to stay.
    """
    if not transition.actions:
        return transition, {}
    tests = _tests([*asked, *(a.guard for a in transition.actions.values())])
    classes: dict[object, list[Term]] = {}
    for taken, action in transition.actions.items():
        effects = tuple((f, _signature(f, value, tests)) for f, value in action.effects)
        classes.setdefault((action.guard, action.costs.get(metric, 0), effects), []).append(taken)
    kept = {members[0]: {t: transition.actions[t] for t in members} for members in classes.values()}
    smaller = without(transition, [t for t in transition.choices if t not in kept])
    return replace(smaller, actions={t: transition.actions[t] for t in kept}), kept


def _tests(terms: Iterable[Term]) -> dict[Term, list[int] | None]:
    """For each Enum fluent the masks that it is tested for; None where it is used otherwise."""
    found: dict[Term, list[int] | None] = {}
    for t in postorder(terms):
        if t.op is Op.IN:
            masks = found.setdefault(t.args[0], [])
            if masks is not None and t.payload not in masks:
                masks.append(t.payload)
        else:
            for a in t.args:
                if a.op is Op.VAR and isinstance(a.sort, EnumSort):
                    found[a] = None
    return found


def _signature(fluent: Term, value: Term, tests: Mapping[Term, list[int] | None]) -> object:
    masks = tests.get(fluent, [])
    if masks is None or not value.is_const or not isinstance(fluent.sort, EnumSort):
        return value
    return tuple(mask >> value.payload & 1 for mask in masks)
