"""Dominance pruning: remove actions that another action can always replace.

The membership tests of an Enum fluent in guards, effects and the goal rank its values: passing a test is good if the
test occurs positively, failing it is good if it occurs negatively. Of two actions with the same guard, cost and
changed fluents, the one whose new values are at least as good for every test dominates the other; if each dominates
the other, they are interchangeable.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from vclogic.encode.unroll import without
from vclogic.model.actions import Action
from vclogic.model.transition import SingleActions, Transition
from vclogic.terms.rewrite import NEGATIVE, POSITIVE, polarities
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Op, Term

Classes = Mapping[Term, Mapping[Term, Action]]
"""For each choice that stays the choices and actions that are interchangeable with it, its own first."""
Merit = tuple[int, ...] | None
"""The merit of a value: 1 or 0 per test, larger is better; None if only the value itself will do."""


def without_dominated(transition: Transition, asked: Iterable[Term], metric: str) -> tuple[Transition, Classes]:
    """Remove dominated actions from a transition.

    Args:
        transition: A transition whose steps are single actions; any other is returned unchanged.
        asked: Bool terms over fluents that a plan must make true (the goal), and other terms whose value matters.
        metric: The metric that must keep its value.
    """
    if not isinstance(transition, SingleActions):
        return transition, {}
    alike: dict[object, list[Term]] = {}
    for taken, action in transition.actions.items():
        fluents = frozenset(f for f, _ in action.effects)
        alike.setdefault((action.guard, action.costs.get(metric, 0), fluents), []).append(taken)
    if all(len(group) == 1 for group in alike.values()):
        return transition, {taken: {taken: action} for taken, action in transition.actions.items()}
    tests = Tests([*asked], transition.actions.values())
    kept: dict[Term, dict[Term, Action]] = {}
    for group in alike.values():
        for taken in _best(group, transition.actions, tests):
            better = [t for t in group if _covers(t, taken, transition.actions, tests)]
            equal = [t for t in better if _covers(taken, t, transition.actions, tests)]
            kept[taken] = {t: transition.actions[t] for t in [taken, *(t for t in equal if t is not taken)]}
    return without(transition, [t for t in transition.choices if t not in kept]), kept


class Tests:
    """The membership tests that rank the values of Enum fluents.

    Args:
        asked: Terms that should become true.
        actions: The actions, whose guards should hold and whose effects may read fluents.
    """

    def __init__(self, asked: Sequence[Term], actions: Iterable[Action]):
        self._masks: dict[Term, dict[int, int]] = {}
        self._elsewhere: set[Term] = set()
        guards, moving = [], []
        for action in actions:
            guards.append(action.guard)
            moving += [new for _, new in action.effects if not new.is_const]
        self._read(polarities([*asked, *guards]), either=False)
        self._read(polarities(moving), either=True)

    def _read(self, signs: Mapping[Term, int], *, either: bool) -> None:
        for t, sign in signs.items():
            if t.op is Op.IN:
                masks = self._masks.setdefault(t.args[0], {})
                masks[t.payload] = masks.get(t.payload, 0) | (POSITIVE | NEGATIVE if either else sign)
            else:
                self._elsewhere.update(a for a in t.args if a.op is Op.VAR and isinstance(a.sort, EnumSort))
                if either and t.op is Op.VAR:
                    self._elsewhere.add(t)

    def merit(self, fluent: Term, value: Term) -> Merit:
        """For each test, 1 if the value is good for it, else 0; None if values of the fluent cannot be compared."""
        if not value.is_const or not isinstance(fluent.sort, EnumSort) or fluent in self._elsewhere:
            return None
        merits: list[int] = []
        for mask, sign in self._masks.get(fluent, {}).items():
            passed = mask >> value.payload & 1
            merits += [passed] * bool(sign & POSITIVE) + [1 - passed] * bool(sign & NEGATIVE)
        return tuple(merits)


def _best(group: Sequence[Term], actions: Mapping[Term, Action], tests: Tests) -> list[Term]:
    """The actions of a group that no other action dominates; of interchangeable ones the first."""
    best: list[Term] = []
    for taken in group:
        if not any(_covers(b, taken, actions, tests) for b in best):
            best = [b for b in best if not _covers(taken, b, actions, tests)] + [taken]
    return best


def _covers(a: Term, b: Term, actions: Mapping[Term, Action], tests: Tests) -> bool:
    """True if the effects of `a` are at least as good as those of `b`."""
    of_b = dict(actions[b].effects)
    for fluent, value in actions[a].effects:
        if value is of_b[fluent]:
            continue
        merit, other = tests.merit(fluent, value), tests.merit(fluent, of_b[fluent])
        if merit is None or other is None or any(x < y for x, y in zip(merit, other, strict=True)):
            return False
    return True
