"""Plans of systems that only ever gain: each action once, with a rank that shows an order.

A system is delete-free from a start when every effect raises a fluent from its starting value to a constant, nothing
that an action needs is lost by a raise, and no fluent is raised to two values. One exception: where every action that
raises a fluent needs it unraised, at most one of them is taken, and their values may differ. Then an action's guard
holds at its place in the plan exactly if it holds with each fluent at its raised value where that was raised earlier
(at a lower rank), and at its starting value elsewhere: no steps are unrolled, and no horizon is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from vclogic.encode.relaxed import possible
from vclogic.model.actions import Action
from vclogic.terms.atoms import FALSE, TRUE, var
from vclogic.terms.build import and_, any_of, count, gt, implies, ite, le, linear
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
    once = _once(actions, found)
    for action in actions.values():
        if any(value is start.get(fluent) and fluent in found for fluent, value in action.effects):
            return None  # it would put a raised fluent back
        if not _only_gains(action, found, start, once):
            return None
    if any(len(set(by.values())) > 1 and fluent not in once for fluent, by in found.items()):
        return None
    return found


def _once(actions: Mapping[Term, Action], raised: Raises) -> set[Term]:
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
        actions: The choice and action of all that can ever be taken.
        constraints: What a set of actions must satisfy to be a plan in the order of its ranks.
        final: The value of each fluent after the plan.
        cost: What the plan costs, as a term.
        length: How many actions it takes, as a term.
        prices: What each action costs.
        ranks: The rank of each action.
        most: No plan needs more actions than this.
        start: The constant value of each fluent that matters.
    """

    actions: Mapping[Term, Action]
    constraints: Sequence[Term]
    final: Mapping[Term, Term]
    cost: Term
    length: Term
    prices: Mapping[Term, int]
    ranks: Mapping[Term, Term]
    most: int
    start: Mapping[Term, Term]

    def order(self, values: Mapping[Term, int]) -> list[Term]:
        """The choices made in a solution, in an order in which they can be played.

        That of the actions, as far as they can be played in it; what cannot yet be played comes in a further round.
        Whatever is played makes nothing that was possible impossible.
        """
        left = [t for t in self.actions if values.get(t)]
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
            assert len(waiting) < len(left), "the ranks of a solution are an order"
            left = waiting
        return played

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
    once = _once(actions, raised)
    actions = {t: a for t, a in actions.items() if any(t in by for by in raised.values())}
    rank = _ranks(actions, raised, once)
    by_guard: dict[Term, list[Term]] = {}
    for taken, action in actions.items():
        by_guard.setdefault(_guard_in_order(taken, action, start, raised, once, rank), []).append(taken)
    constraints = [implies(any_of(taken), guard) for guard, taken in by_guard.items()]
    constraints += [le(count(by), 1) for f, by in raised.items() if f in once and len(by) > 1]
    final = {f: _value(start[f], raised[f], any_of) if f in raised else start[f] for f in start}
    alone = [by for f, by in raised.items() if f in once]
    prices = {t: a.costs.get(metric, 0) for t, a in actions.items()}
    return DeleteFree(
        actions,
        constraints,
        final,
        cost=_sum(prices, alone),
        length=_sum(dict.fromkeys(prices, 1), alone),
        prices=prices,
        ranks=rank,
        most=len(raised),
        start=start,
    )


def _ranks(actions: Mapping[Term, Action], raised: Raises, once: set[Term]) -> dict[Term, Term]:
    """The variable for the rank of each action; those of which only one is taken share one."""
    sort = IntSort(0, max(len(raised) - 1, 1))
    alone = {t: fluent for fluent, by in raised.items() if fluent in once for t in by}
    return {t: var(f"rank({alone[t].name if t in alone else a.key})", sort) for t, a in actions.items()}


def _guard_in_order(
    taken: Term,
    action: Action,
    start: Mapping[Term, Term],
    raised: Raises,
    once: set[Term],
    rank: Mapping[Term, Term],
) -> Term:
    """The guard with every fluent at its value before the action's place in the plan."""
    own = [f for f, _ in action.effects if f in once]

    def earlier(others: Iterable[Term]) -> Term:
        by_rank: dict[Term, list[Term]] = {}
        for other in others:
            by_rank.setdefault(rank[other], []).append(other)
        return any_of(and_(any_of(some), gt(rank[taken], r)) for r, some in by_rank.items())

    before = {f: start[f] for f in variables(action.guard)}
    before |= {f: _value(start[f], raised[f], earlier) for f in before if f in raised and f not in own}
    return substitute(action.guard, before)


def _value(unraised: Term, by: Mapping[Term, Term], made: Callable[[Iterable[Term]], Term]) -> Term:
    """A fluent's value: that of the raise that was made, if any."""
    by_value: dict[Term, list[Term]] = {}
    for taken, value in by.items():
        by_value.setdefault(value, []).append(taken)
    result = unraised
    for value, takens in by_value.items():
        result = ite(made(takens), value, result)
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
