"""Delete-free planning problems: nothing that is gained is lost, so a plan takes each action at most once.

A system is delete-free from a start if every effect raises a fluent from its starting value to a constant, no raise
falsifies what an action needs, and no fluent is raised to two values. One exception: if every action that raises a
fluent needs it unraised, at most one of them is taken, and their values may differ. The delete relaxation
(`gains.py`) is then exact: no steps are unrolled, no order is encoded, no horizon is needed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from vclogic.collector_paused import collector_paused
from vclogic.encode.linear.affine import Unsupported
from vclogic.encode.linear.gains import Gains, passes
from vclogic.encode.linear.network import ON, Levels
from vclogic.model.actions import Action
from vclogic.terms.atoms import FALSE, TRUE, var
from vclogic.terms.build import add, all_of, any_of, ge, ite, le, linear, not_, scale
from vclogic.terms.rewrite import substitute
from vclogic.terms.sorts import IntSort, between
from vclogic.terms.term import Op, Term, conjuncts, variables

Raises = Mapping[Term, Mapping[Term, Term]]
"""For each fluent that is raised: the choice of each action that raises it, and the value that it gets."""


def raises(gains: Gains) -> tuple[Raises, set[Term]] | None:
    """The actions that raise each fluent, or None if the system is not delete-free.

    The test is syntactic: it looks at terms only.

    Returns:
        For each fluent the actions that raise it; and the fluents that at most one action of a plan raises.
    """
    if gains.wild:
        return None
    start = gains.start
    found: dict[Term, dict[Term, Term]] = {}
    for taken, action in gains.actions.items():
        for fluent, value in action.effects:
            if fluent in start and value is not start[fluent]:
                found.setdefault(fluent, {})[taken] = value
    once = once_raised(gains.actions, found)
    for action in gains.actions.values():
        if any(value is start.get(fluent) and fluent in found for fluent, value in action.effects):
            return None  # it would put a raised fluent back
        losses = gains.losses(action.guard)
        if losses and not losses <= {fluent for fluent, _ in action.effects if fluent in once}:
            return None  # a raise by another action could end what it needs
    if any(len(set(by.values())) > 1 and fluent not in once for fluent, by in found.items()):
        return None
    return found, once


def once_raised(actions: Mapping[Term, Action], raised: Raises) -> set[Term]:
    """The fluents that at most one action of a plan raises, because each such action needs the fluent unraised."""

    def blocked(action: Action, fluent: Term) -> bool:
        values = set(raised[fluent].values())
        return any(_fails(t, fluent, values) for t in conjuncts(action.guard)) or all(
            substitute(action.guard, {fluent: v}) is FALSE for v in values
        )

    return {fluent for fluent, by in raised.items() if all(blocked(actions[t], fluent) for t in by)}


def _fails(t: Term, fluent: Term, values: Collection[Term]) -> bool:
    """True if a term is a test of the fluent that fails for all of some values."""
    if t.op is Op.IN:
        return t.args[0] is fluent and not any(t.payload >> value.payload & 1 for value in values)
    return t.op is Op.NOT and t.args[0] is fluent and all(value.payload for value in values)


@dataclass(frozen=True)
class DeleteFree:
    """A delete-free planning problem.

    Attributes:
        gains: The needs and effects of each action.
        actions: The choice and action of every reachable action that raises a fluent.
        alone: Groups of choices of which at most one is taken.
        prices: The cost of each action.
        raised: The choices that raise each fluent, and the values they give.
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
        """An upper bound on the number of actions of a plan."""
        return len(self.raised)

    @property
    def cost(self) -> Term:
        """The cost of the actions taken, as a term over the choices."""
        return _sum(self.prices, self.alone)

    @property
    def length(self) -> Term:
        """The number of actions taken, as a term over the choices."""
        return _sum(dict.fromkeys(self.prices, 1), self.alone)

    def at_end(self, t: Term) -> Term:
        """Rewrite a term over the fluents after the plan as a term over the choices."""
        found = {f: self.start[f] for f in variables(t) if f in self.start}
        found |= {f: _value(self.start[f], self.raised[f]) for f in found if f in self.raised}
        return substitute(t, found)

    def order(self, chosen: Collection[Term]) -> list[Term]:
        """Order some choices so that they can be played; see `in_turn`. No action makes another impossible."""
        played, _ = in_turn(self.actions, self.start, chosen)
        assert len(played) == len(chosen), "what was chosen has an order"
        return played


def in_turn(
    actions: Mapping[Term, Action], start: Mapping[Term, Term], chosen: Collection[Term]
) -> tuple[list[Term], dict[Term, Term]]:
    """Play some choices, each once: in the order of the actions, in rounds until nothing more can be played.

    Args:
        actions: The choice and action.
        start: The constant value of each fluent that matters.
        chosen: The choices.

    Returns:
        The choices that could be played, in that order, and the value of each fluent afterwards.
    """
    left = [t for t in actions if t in chosen]
    state = dict(start)
    played: list[Term] = []
    went_on = True
    while left and went_on:
        waiting: list[Term] = []
        for taken in left:
            action = actions[taken]
            now = {f: state[f] for f in variables(action.guard, *(new for _, new in action.effects)) if f in state}
            if substitute(action.guard, now) is TRUE:
                state |= {f: substitute(new, now) for f, new in action.effects if f in state}
                played.append(taken)
            else:
                waiting.append(taken)
        went_on = len(waiting) < len(left)
        left = waiting
    return played, state


@collector_paused()
def delete_free(actions: Mapping[Term, Action], start: Mapping[Term, Term], metric: str) -> DeleteFree | None:
    """The delete-free problem of these actions from a start, or None if it is not delete-free.

    Args:
        actions: The choice and action.
        start: The constant value of each fluent that matters.
        metric: What to count as cost.
    """
    try:
        gains = Gains(actions, start)
        found = raises(gains)
        possible = gains.possible
        if found is None and len(possible) < len(actions):
            gains = Gains(possible, start)  # what is never possible loses nothing
            found = raises(gains)
    except Unsupported:
        return None
    if found is None:
        return None
    all_raised, once = found
    kept = {f: {t: value for t, value in by.items() if t in possible} for f, by in all_raised.items()}
    raised = {f: by for f, by in kept.items() if by}
    raising = {taken for by in raised.values() for taken in by}
    useful = {t: a for t, a in possible.items() if t in raising}
    alone = [[t for t in by if t in useful] for f, by in raised.items() if f in once]
    return DeleteFree(gains, useful, alone, {t: a.costs.get(metric, 0) for t, a in useful.items()}, raised)


def _value(unraised: Term, by: Mapping[Term, Term]) -> Term:
    """A fluent's value at the end: the value of the raise that was taken, if any."""
    by_value: dict[Term, list[Term]] = {}
    for taken, value in by.items():
        by_value.setdefault(value, []).append(taken)
    result = unraised
    for value, takens in by_value.items():
        result = ite(any_of(takens), value, result)
    return result


def _sum(prices: Mapping[Term, int], alone: Iterable[Iterable[Term]]) -> Term:
    """The sum of the prices of the actions taken, with one summand for each group of which at most one is taken.

    It then counts the same literals as a goal that counts raised fluents, so "at least 22 raised" against "at most 21
    paid" is a direct contradiction, not a pigeonhole problem.
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


_LEVELS = 300
"""Values of a number at the start that are told apart."""


# Delete-free problems that are written once for every start: what holds at the start is a set of gates and columns.
#
# The network of `gains.py` and the program of `delete_free.py` are written for one start. Here each fluent's starting
# value is left open. In the network a test of it is a gate without inputs, a *fact*, which is turned on or off for a
# start. In terms over the end of a plan it is the fluent itself, a variable that is fixed for a start.
# The test whether nothing that is gained is ever lost then covers all starts at once.


class OpenGains(Gains):
    """The network of some actions from any start.

    Args:
        actions: The choice and action.
        fluents: The fluents that matter, and other variables that a start gives a value.

    Attributes:
        facts: The gate of each test that a start decides, by the test.

    Raises:
        Unsupported: A guard cannot be encoded, or a number at the start can have too many values.
    """

    def __init__(self, actions: Mapping[Term, Action], fluents: Iterable[Term]):
        self.facts: dict[Term, int] = {}
        super().__init__(actions, {f: f for f in fluents})

    def fact(self, test: Term) -> int:
        """The gate of a test of what holds at the start; on until it is turned off."""
        found = self.facts.get(test)
        if found is None:
            found = self.facts[test] = self.network.open_gate()
            self.network.close(found, [ON])
        return found

    def turn(self, holds: Sequence[int]) -> None:
        """Turn the facts on and off.

        Args:
            holds: Whether each holds, in the order of `facts`.
        """
        need = self.network.need
        for gate, on in zip(self.facts.values(), holds, strict=True):
            need[gate] = 1 if on else 2

    def _atom(self, t: Term, positive: bool) -> Sequence[int] | bool:
        fluent = t.args[0] if t.op is Op.IN else t
        if fluent in self.wild or fluent not in self.start:
            return True
        gains = self.by.get(fluent, {})
        if any(passes(t, value) is not positive for value in gains):
            self._writer.may_end(fluent)
        gained = [n for value, nodes in gains.items() if passes(t, value) is positive for n in nodes]
        return [self.fact(t if positive else not_(t)), *gained]

    def _number(self, fluent: Term, up: bool) -> Levels:
        sign = 1 if up else -1
        if fluent in self.wild or fluent not in self.start:
            return [(fluent.hi if up else -fluent.lo, ())]
        if is_wide(fluent):
            raise Unsupported(f"a number between {fluent.lo} and {fluent.hi} at the start")
        least, most = (fluent.lo, fluent.hi) if up else (-fluent.hi, -fluent.lo)
        gains = sorted((sign * value.lo, nodes) for value, nodes in self.by.get(fluent, {}).items())
        if gains and gains[0][0] < most:
            self._writer.may_end(fluent)
        return [
            (least, ()),
            *(
                (
                    amount,
                    [
                        self.fact(ge(fluent, amount) if up else le(fluent, -amount)),
                        *(n for other, nodes in gains if other >= amount for n in nodes),
                    ],
                )
                for amount in range(least + 1, most + 1)
            ),
        ]


def is_wide(number: Term) -> bool:
    """True if a number has too many values for all of them to be told apart at the start."""
    return isinstance(number.sort, IntSort) and number.hi - number.lo > _LEVELS


@collector_paused()
def from_any_start(
    actions: Mapping[Term, Action], fluents: Iterable[Term], metric: str
) -> tuple[OpenGains, DeleteFree] | None:
    """The delete-free problem of some actions from any start; None if it is not delete-free from all starts.

    That nothing gained is ever lost is tested as in `delete_free`, with each fluent's starting value a variable: a
    guard counts as lost where any raise could end it. From a start that already has a value to which an action raises
    the fluent, that action changes nothing there; and where all raises of a fluent need it unraised, none of them can
    be made then. So what is delete-free here is so from each start.

    Args:
        actions: The choice and action.
        fluents: The fluents that matter, and other variables that a start gives a value.
        metric: What to count as cost.

    Raises:
        Unsupported: A guard cannot be encoded.
    """
    gains = OpenGains(actions, fluents)
    found = raises(gains)
    possible = gains.possible
    # An action that no start allows may be the only one that loses something.
    if found is None and len(possible) < len(actions):
        gains = OpenGains(possible, fluents)
        found, possible = raises(gains), gains.possible
    if found is None:
        return None
    raised, once = found
    raising = {taken for by in raised.values() for taken in by}
    useful = {t: a for t, a in gains.actions.items() if t in raising}
    alone = [[t for t in by if t in useful] for f, by in raised.items() if f in once]
    prices = {t: a.costs.get(metric, 0) for t, a in useful.items()}
    return gains, DeleteFree(gains, useful, alone, prices, raised)


def only_falls(gains: OpenGains, condition: Term) -> bool:
    """True if a condition, once false, stays false from every start, so that to hold at the end is to hold always.

    Raises:
        Unsupported: The condition cannot be encoded.
    """
    gains.node(not_(condition))
    return not gains.losses(not_(condition))


def with_thresholds(goal: Term) -> tuple[Term, dict[Term, int]]:
    """A goal with variables for the numbers that its sums are compared with, and the values of these variables.

    Goals that differ in such numbers alone then share what is built for them.
    """
    values: dict[Term, int] = {}
    parts: list[Term] = []
    for part in conjuncts(goal):
        test = part.args[0] if part.op is Op.NOT else part
        total = test.args[0] if test.op is Op.GE else None
        if total is None or not isinstance(total.sort, IntSort) or total.hi - total.lo + 1 > _LEVELS:
            parts.append(part)
            continue
        limit = var(f"threshold {len(values)}", between(total.lo, total.hi + 1))
        values[limit] = test.payload
        reached = ge(add(total, scale(limit, -1)), 0)
        parts.append(not_(reached) if part.op is Op.NOT else reached)
    return all_of(parts), values
