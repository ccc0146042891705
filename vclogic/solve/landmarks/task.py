"""The form of a delete-free planning problem that landmark cuts solve."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from vclogic.encode.linear.network import Flags, Network, flags
from vclogic.terms.build import not_
from vclogic.terms.term import Term

Order = Sequence[int]


"""Choices by their nodes, in an order in which they can be made."""


@dataclass(frozen=True)
class Task:
    """A task: make choices, each after what it needs, so that all laws hold, at the least cost.

    Attributes:
        network: What each choice needs.
        choices: The variable of each choice; the first is node 2 of the network.
        goal: A node that is on in every plan.
        named: The nodes of the choices that occur in the goal (or in a cost that is not a sum of prices). Without its
            other choices a plan still satisfies the laws and costs no more.
        laws: Bool terms that a plan satisfies, over the choices and other variables.
        cost: Int, over the choices, to be minimized.
        prices: The cost of each choice, by node, if the cost is their sum; else None.
        alone: Groups of nodes of choices of which a plan makes at most one; implied by the laws.
        satisfied: Tests whether choices, made in this order, satisfy the laws.
        paid: The cost of choices.
    """

    network: Network
    choices: Sequence[Term]
    goal: int
    named: Sequence[int]
    laws: Sequence[Term]
    cost: Term
    prices: Sequence[int] | None
    alone: Sequence[Sequence[int]]
    satisfied: Callable[[Order], bool]
    paid: Callable[[Order], int]


def relevant(task: Task, allowed: Flags) -> Flags:
    """The relevant choices: those in the goal or the objective, and all that they may need."""
    network = task.network
    stack = [c for c in task.named if allowed[c]]
    stack.append(task.goal)
    seen = set(stack)
    while stack:
        node = stack.pop()
        inputs = [network.condition[node]] if node in network.condition else [n for n, _ in network.inputs[node]]
        for n in inputs:
            if n not in seen and (n not in network.condition or allowed[n]):
                seen.add(n)
                stack.append(n)
    return flags(network, (c for c in network.choices if c in seen))


def never(task: Task, allowed: Flags) -> list[Term]:
    """The terms that exclude the choices of the goal that are not allowed."""
    first = task.network.choices.start
    return [not_(task.choices[c - first]) for c in task.named if not allowed[c]]
