"""The delete relaxation as a network: every value that a fluent ever had counts as still held.

In the relaxation an action, once applicable, stays applicable and is needed at most once. Every real plan is a
relaxed plan of at most its cost, so a goal that no relaxed plan reaches is unreachable. If no gain is ever lost
(`delete_free.py`), the relaxation is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from vclogic.encode.abstractions import widest
from vclogic.encode.linear.network import Levels, Network, NetworkWriter, flags, founded
from vclogic.model.actions import Action
from vclogic.terms.build import any_of, eq, implies
from vclogic.terms.sorts import IntSort
from vclogic.terms.term import Op, Term


class Gains:
    """The values that actions give to fluents, and the network of what each action needs.

    Args:
        actions: The choice and action.
        start: The constant value of each fluent that matters.

    Attributes:
        actions: The same.
        start: The same.
        by: For each fluent and each value other than the starting one, the nodes of the choices that give it.
        wild: The fluents that an effect may give a value that is not constant; nothing is known about them.
        network: What each choice needs; the choices are its first nodes, in their order.

    Raises:
        Unsupported: A guard cannot be encoded as a network.
    """

    def __init__(self, actions: Mapping[Term, Action], start: Mapping[Term, Term]):
        self.actions = actions
        self.start = start
        self.by: dict[Term, dict[Term, list[int]]] = {}
        self.wild: set[Term] = set()
        self.network = Network(len(actions))
        for node, action in zip(self.network.choices, actions.values(), strict=True):
            for fluent, value in action.effects:
                if fluent not in start or value is start[fluent]:
                    continue
                if value.is_const:
                    self.by.setdefault(fluent, {}).setdefault(value, []).append(node)
                else:
                    self.wild.add(fluent)
        self._writer = NetworkWriter(self.network, self._atom, self._number)
        for node, action in zip(self.network.choices, actions.values(), strict=True):
            self.network.condition[node] = self._writer.node(action.guard)

    def node(self, condition: Term) -> int:
        """The node that is on once a condition over the fluents can hold.

        Raises:
            Unsupported: The condition cannot be encoded as a network.
        """
        return self._writer.node(condition)

    def losses(self, condition: Term) -> frozenset[Term]:
        """The fluents whose change can falsify a guard, or a condition for which a node was requested."""
        return self._writer.losses(condition)

    @property
    def possible(self) -> dict[Term, Action]:
        """The actions that are applicable after some relaxed plan."""
        on = founded(self.network, flags(self.network, self.network.choices))
        nodes = zip(self.network.choices, self.actions.items(), strict=True)
        return {taken: action for node, (taken, action) in nodes if node in on}

    def last(self, order: Sequence[int]) -> dict[Term, Term]:
        """The value of each fluent after some choices, taken in this order."""
        state = dict(self.start)
        actions = list(self.actions.values())
        for node in order:
            for fluent, value in actions[node - self.network.choices.start].effects:
                if fluent in state and value.is_const and value is not self.start[fluent]:
                    state[fluent] = value
        return state

    def _atom(self, t: Term, positive: bool) -> Sequence[int] | bool:
        fluent = t.args[0] if t.op is Op.IN else t
        if fluent in self.wild or fluent not in self.start:
            return True
        gains = self.by.get(fluent, {})
        if passes(t, self.start[fluent]) is positive:
            if any(passes(t, value) is not positive for value in gains):
                self._writer.may_end(fluent)
            return True
        return [node for value, nodes in gains.items() if passes(t, value) is positive for node in nodes]

    def _number(self, fluent: Term, up: bool) -> Levels:
        sign = 1 if up else -1
        if fluent in self.wild or fluent not in self.start:
            return [(fluent.hi if up else -fluent.lo, ())]
        least = sign * self.start[fluent].lo
        gains = sorted((sign * value.lo, nodes) for value, nodes in self.by.get(fluent, {}).items())
        if gains and gains[0][0] < least:
            self._writer.may_end(fluent)
        higher = [(amount, nodes) for amount, nodes in gains if amount > least]
        return [
            (least, ()),
            *((amount, [n for other, nodes in higher if other >= amount for n in nodes]) for amount, _ in higher),
        ]


def passes(atom: Term, value: Term) -> bool:
    """True if a constant value passes an atom: a membership test, or being true."""
    return bool(atom.payload >> value.payload & 1) if atom.op is Op.IN else bool(value.payload)


@dataclass(frozen=True)
class Relaxation:
    """A relaxed planning problem.

    Attributes:
        gains: The needs and effects of each action.
        constraints: Constraints on the values at the end, over the choices and these values.
        final: A variable for each fluent's value at the end, which may be any value that it ever had.
        prices: The cost of each action, paid once.
    """

    gains: Gains
    constraints: Sequence[Term]
    final: Mapping[Term, Term]
    prices: Mapping[Term, int]


def relaxation(
    actions: Mapping[Term, Action],
    start: Mapping[Term, Term],
    metric: str,
    most: Callable[[], Mapping[Term, Term]] | None = None,
) -> Relaxation:
    """The delete relaxation of planning with these actions.

    Args:
        actions: The choice and action.
        start: The constant value of each fluent that matters.
        metric: The metric that is the cost.
        most: For each fluent, a variable whose sort has all values that it can ever have; called where effects are
            not constants. None: any value of its sort.

    Raises:
        Unsupported: A guard cannot be encoded as a network.
    """
    gains = Gains(actions, start)
    bounds = most() if most and gains.wild else {}
    choices = list(actions)
    first = gains.network.choices.start
    constraints: list[Term] = []
    final: dict[Term, Term] = {}
    for fluent in start:
        # Effects on it are not constant: nothing but a bound is known of its last value.
        if fluent in gains.wild:
            final[fluent] = bounds.get(fluent, fluent)
            continue
        given = gains.by.get(fluent, {})
        bound = final[fluent] = widest(fluent, [start[fluent], *given])
        if bound.is_const:
            continue
        for value, nodes in given.items():
            constraints.append(implies(eq(bound, value), any_of(choices[n - first] for n in nodes)))
        if isinstance(fluent.sort, IntSort):
            constraints.append(any_of(eq(bound, value) for value in (start[fluent], *given)))
    return Relaxation(gains, constraints, final, {t: a.costs.get(metric, 0) for t, a in actions.items()})
