"""Plans of systems that only ever gain: each action once, with a rank that shows an order.

A system is delete-free from a start when every effect raises a fluent from its starting value to a constant, nothing
that an action needs is lost by a raise, and no fluent is raised to two values. Then an action's guard holds at its
place in the plan exactly if it holds with each fluent at its raised value where that was raised earlier (at a lower
rank), and at its starting value elsewhere: no steps are unrolled, and no horizon is needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from vclogic.encode.relaxed import possible
from vclogic.model.actions import Action
from vclogic.terms.build import FALSE, all_of, and_, any_of, count, gt, implies, ite, le, linear, var
from vclogic.terms.rewrite import NEGATIVE, POSITIVE, polarities, substitute
from vclogic.terms.sorts import EnumSort, IntSort
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
    for action in actions.values():
        if any(value is start.get(fluent) and fluent in found for fluent, value in action.effects):
            return None  # it would put a raised fluent back
        if not _only_gains(action, found, start):
            return None
    for fluent, by in found.items():
        # Two values for one fluent: then each raise must need the fluent unraised, so that only one is taken.
        values = set(by.values())
        if len(values) > 1 and not all(_blocked(actions[t], fluent, values) for t in by):
            return None
    return found


def _blocked(action: Action, fluent: Term, values: Iterable[Term]) -> bool:
    return all(substitute(action.guard, {fluent: v}) is FALSE for v in values)


def _only_gains(action: Action, raised: Raises, start: Mapping[Term, Term]) -> bool:
    """Whether no raise of a fluent can make the guard false, but for fluents that the action raises itself."""
    own = {fluent for fluent, _ in action.effects}
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
        actions: The choice and action of all that can ever be taken.
        constraints: What a set of actions must satisfy to be a plan in the order of its ranks.
        final: The value of each fluent after the plan.
        cost: What the plan costs, as a term.
        length: How many actions it takes, as a term.
        prices: What each action costs.
        ranks: The rank of each fluent that is raised.
        most: No plan needs more actions than this.
    """

    actions: Mapping[Term, Action]
    constraints: Sequence[Term]
    final: Mapping[Term, Term]
    cost: Term
    length: Term
    prices: Mapping[Term, int]
    ranks: Mapping[Term, Term]
    most: int

    def order(self, values: Mapping[Term, int]) -> list[Term]:
        """The choices made in a solution, in an order in which they can be played."""

        def rank(taken: Term) -> int:
            own = [self.ranks[f] for f, _ in self.actions[taken].effects if f in self.ranks]
            return max((values.get(r, r.lo) for r in own), default=0)

        return sorted((t for t in self.actions if values.get(t)), key=rank)

    def paid(self, values: Mapping[Term, int]) -> int:
        """The cost of a solution."""
        return sum(price for t, price in self.prices.items() if values.get(t))


def delete_free(actions: Mapping[Term, Action], start: Mapping[Term, Term], metric: str) -> DeleteFree | None:
    """The problem of planning with these actions from a start, or None where it is not delete-free.

    Args:
        actions: The choice and action.
        start: The constant value of each fluent that matters.
        metric: What to count as cost.
    """
    actions = possible(actions, start)
    raised = raises(actions, start)
    if raised is None:
        return None
    rank = {f: var(f"rank({f.name})", IntSort(0, max(len(raised) - 1, 1))) for f in raised}
    by_guard: dict[Term, list[Term]] = {}
    for taken, action in actions.items():
        by_guard.setdefault(_guard_in_order(action, start, raised, rank), []).append(taken)
    constraints = [implies(any_of(taken), guard) for guard, taken in by_guard.items()]
    constraints += [le(count(by), 1) for by in raised.values() if len(by) > 1]
    final = {f: _value(start[f], raised[f]) if f in raised else start[f] for f in start}
    prices = {t: a.costs.get(metric, 0) for t, a in actions.items()}
    return DeleteFree(
        actions,
        constraints,
        final,
        cost=_sum(prices, raised),
        length=_sum(dict.fromkeys(prices, 1), raised),
        prices=prices,
        ranks=rank,
        most=len(raised),
    )


def _guard_in_order(action: Action, start: Mapping[Term, Term], raised: Raises, rank: Mapping[Term, Term]) -> Term:
    """The guard with every fluent at its value before the action's place in the plan."""
    own = [f for f, _ in action.effects if f in raised]
    before: dict[Term, Term] = {}
    for fluent in variables(action.guard):
        before[fluent] = start[fluent]
        if fluent in raised and fluent not in own:
            earlier = all_of(gt(rank[f], rank[fluent]) for f in own)
            before[fluent] = _value(start[fluent], raised[fluent], earlier)
    return substitute(action.guard, before)


def _value(unraised: Term, by: Mapping[Term, Term], earlier: Term | None = None) -> Term:
    """A fluent's value: that of the raise that was made (earlier), if any."""
    by_value: dict[Term, list[Term]] = {}
    for taken, value in by.items():
        by_value.setdefault(value, []).append(taken)
    result = unraised
    for value, takens in by_value.items():
        condition = any_of(takens)
        result = ite(condition if earlier is None else and_(condition, earlier), value, result)
    return result


def _sum(prices: Mapping[Term, int], raised: Raises) -> Term:
    """The sum of the prices of what is taken, with one summand for all actions of which at most one is taken.

    Written so, it counts the same literals as a goal that counts what was raised, and "at least 22 raised" against
    "at most 21 paid" is a contradiction on sight, not a pigeonhole problem.
    """
    counted: set[Term] = set()
    summands: list[tuple[int, Term]] = []
    for by in [*raised.values(), *({t: t} for t in prices)]:
        by_cost: dict[int, list[Term]] = {}
        for taken in by:
            if taken not in counted:
                by_cost.setdefault(prices[taken], []).append(taken)
        counted.update(by)
        summands += [(cost, any_of(takens)) for cost, takens in by_cost.items()]
    return linear(summands)
