"""Plans of systems that only ever gain: each action once, in any order in which each has what it needs.

A system is delete-free from a start when every effect raises a fluent from its starting value to a constant, nothing
that an action needs is lost by a raise, and no fluent is raised to two values. One exception: where every action that
raises a fluent needs it unraised, at most one of them is taken, and their values may differ. Then the world that
forgets no gain (`gains.py`) is the real one: no steps are unrolled, no order is written down, no horizon is needed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from vclogic.encode.affine import Unsupported
from vclogic.encode.gains import Gains
from vclogic.model.actions import Action
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.build import any_of, ite, linear
from vclogic.terms.rewrite import NEGATIVE, POSITIVE, polarities, substitute
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Op, Term, postorder, variables

Raises = Mapping[Term, Mapping[Term, Term]]
"""For each fluent that is raised: the choice of each action that raises it, and the value that it gets."""


def raises(actions: Mapping[Term, Action], start: Mapping[Term, Term]) -> Raises | None:
    """Which actions raise each fluent, or None where the system is not delete-free from this start.

    The test is syntactic: it looks at terms, not at which game they come from.

    Args:
        actions: The choice and action.
        start: The constant value of each fluent that matters.
    """
    found: dict[Term, dict[Term, Term]] = {}
    for taken, action in actions.items():
        for fluent, value in action.effects:
            if fluent in start and value is not start[fluent]:
                if not value.is_const:
                    return None
                found.setdefault(fluent, {})[taken] = value
    once = once_raised(actions, found)
    for action in actions.values():
        if any(value is start.get(fluent) and fluent in found for fluent, value in action.effects):
            return None  # it would put a raised fluent back
        if not _only_gains(action, found, start, once):
            return None
    if any(len(set(by.values())) > 1 and fluent not in once for fluent, by in found.items()):
        return None
    return found


def once_raised(actions: Mapping[Term, Action], raised: Raises) -> set[Term]:
    """The fluents that only one action raises: each one that would needs the fluent unraised."""

    def blocked(action: Action, fluent: Term) -> bool:
        return all(substitute(action.guard, {fluent: v}) is FALSE for v in set(raised[fluent].values()))

    return {fluent for fluent, by in raised.items() if all(blocked(actions[t], fluent) for t in by)}


def _only_gains(action: Action, raised: Raises, start: Mapping[Term, Term], once: set[Term]) -> bool:
    """Whether no raise of a fluent can make the guard false, but for fluents that it raises itself, and alone."""
    own = {fluent for fluent, _ in action.effects if fluent in once}
    signs = polarities([action.guard])
    for t in postorder([action.guard]):
        atom = t.op is Op.IN or (t.op is Op.VAR and not isinstance(t.sort, EnumSort))
        fluent = t.args[0] if t.op is Op.IN else t
        if atom and fluent in raised and fluent not in own:
            before = _number(t, start[fluent])
            gains = [_number(t, value) - before for value in raised[fluent].values()]
            if (signs[t] & POSITIVE and min(gains) < 0) or (signs[t] & NEGATIVE and max(gains) > 0):
                return False
    return True


def _number(atom: Term, value: Term) -> int:
    return atom.payload >> value.payload & 1 if atom.op is Op.IN else value.lo


@dataclass(frozen=True)
class DeleteFree:
    """A planning problem without steps.

    Attributes:
        gains: What each action needs and gives.
        actions: The choice and action of all that can ever be taken and raise something.
        alone: Groups of choices of which at most one is taken.
        prices: What each action costs.
        raised: Which choices raise each fluent, and to what.
    """

    gains: Gains
    actions: Mapping[Term, Action]
    alone: Sequence[Sequence[Term]]
    prices: Mapping[Term, int]
    raised: Raises

    @property
    def start(self) -> Mapping[Term, Term]:
        """The constant value of each fluent that matters."""
        return self.gains.start

    @property
    def most(self) -> int:
        """No plan needs more actions than this."""
        return len(self.raised)

    @property
    def cost(self) -> Term:
        """What the actions taken cost, over the choices."""
        return _sum(self.prices, self.alone)

    @property
    def length(self) -> Term:
        """How many actions are taken, over the choices."""
        return _sum(dict.fromkeys(self.prices, 1), self.alone)

    def at_end(self, t: Term) -> Term:
        """A term over the fluents after the plan, as one over the choices."""
        found = {f: self.start[f] for f in variables(t) if f in self.start}
        found |= {f: _value(self.start[f], self.raised[f]) for f in found if f in self.raised}
        return substitute(t, found)

    def order(self, chosen: Collection[Term]) -> list[Term]:
        """Some choices in an order in which they can be played.

        That of the actions, as far as they can be played in it; what cannot yet be played comes in a further round.
        Whatever is played makes nothing that was possible impossible.
        """
        left = [t for t in self.actions if t in chosen]
        state = dict(self.start)
        played: list[Term] = []
        while left:
            waiting: list[Term] = []
            for taken in left:
                action = self.actions[taken]
                if substitute(action.guard, {f: state[f] for f in variables(action.guard)}) is TRUE:
                    state |= {f: value for f, value in action.effects if f in state}
                    played.append(taken)
                else:
                    waiting.append(taken)
            assert len(waiting) < len(left), "what was chosen has an order"
            left = waiting
        return played


def delete_free(actions: Mapping[Term, Action], start: Mapping[Term, Term], metric: str) -> DeleteFree | None:
    """The problem of planning with these actions from a start, or None where it is not delete-free.

    Args:
        actions: The choice and action.
        start: The constant value of each fluent that matters.
        metric: What to count as cost.
    """
    try:
        gains = Gains(actions, start)
    except Unsupported:
        return None
    possible = gains.possible
    raised = raises(possible, start)
    if raised is None:
        return None
    once = once_raised(possible, raised)
    raising = {taken for by in raised.values() for taken in by}
    useful = {t: a for t, a in possible.items() if t in raising}
    alone = [list(by) for f, by in raised.items() if f in once]
    return DeleteFree(gains, useful, alone, {t: a.costs.get(metric, 0) for t, a in useful.items()}, raised)


def _value(unraised: Term, by: Mapping[Term, Term]) -> Term:
    """A fluent's value at the end: that of the raise that was made, if any."""
    by_value: dict[Term, list[Term]] = {}
    for taken, value in by.items():
        by_value.setdefault(value, []).append(taken)
    result = unraised
    for value, takens in by_value.items():
        result = ite(any_of(takens), value, result)
    return result


def _sum(prices: Mapping[Term, int], alone: Iterable[Iterable[Term]]) -> Term:
    """The sum of the prices of what is taken, with one summand for all actions of which at most one is taken.

    Written so, it counts the same literals as a goal that counts what was raised, and "at least 22 raised" against
    "at most 21 paid" is a contradiction on sight, not a pigeonhole problem.
    """
    counted: set[Term] = set()
    summands: list[tuple[int, Term]] = []
    for by in [*alone, *([t] for t in prices)]:
        by_cost: dict[int, list[Term]] = {}
        for taken in by:
            if taken not in counted:
                by_cost.setdefault(prices[taken], []).append(taken)
        counted.update(by)
        summands += [(cost, any_of(takens)) for cost, takens in by_cost.items()]
    return linear(summands)
