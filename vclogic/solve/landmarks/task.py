"""A planning problem in which nothing is lost, as cuts solve it: choices, what each needs, and what they come to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from vclogic.encode.network import Network
from vclogic.terms.term import Term

Order = Sequence[int]
"""Choices by their nodes, in an order in which they can be made."""


@dataclass(frozen=True)
class Task:
    """Choose so that all laws hold and each choice has what it needs before it, for the least cost.

    Attributes:
        network: What each choice needs.
        choices: The variable of each choice; the first is node 2 of the network.
        goal: A node that is on in every plan.
        named: The choices that the goal names, or the cost where it is no sum of prices, by nodes: the laws hold
            of a plan without its other choices, and it costs no more.
        laws: Bool terms over the choices, and over other variables, that a plan satisfies.
        cost: Int, over the choices: to be as small as can be.
        prices: What each choice costs, by node, where the cost is the sum of that; None where it is not.
        alone: Groups of nodes of choices of which a plan makes one at most; the laws say so, too.
        satisfied: Whether choices that can be made in this order satisfy the laws.
        paid: What they cost.
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
