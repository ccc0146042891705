"""The choices of a task that bear on its goal."""

from __future__ import annotations

from vclogic.encode.network_closure import Flags, flags
from vclogic.solve.landmarks.task import Task
from vclogic.terms.build import not_
from vclogic.terms.term import Term


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
