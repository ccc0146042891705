"""The values of a goal's observables in a state, which show why it does not hold."""

from __future__ import annotations

from collections.abc import Iterator

from vclogic.encode.evaluator import interpret
from vclogic.model.fluents import State, Value
from vclogic.model.system import System
from vclogic.query.status import expression, shown, value_of
from vclogic.terms.goal import Call, Node, Operation, Word, conjuncts, parse
from vclogic.terms.resolve import compile_goal, compile_value


def failing_atoms(system: System, state: State, goal: str) -> str:
    """The values of the observables in the failing parts of a goal.

    Args:
        system: The rule set.
        state: A state in which the goal does not hold.
        goal: A goal that compiles.
    """
    values: dict[str, Value | None] = {}
    for part in conjuncts(goal):
        if not interpret(compile_goal(part, system.vocabulary).term, system.layout.slot, state):
            values |= values_in(system, state, part)
    return ", ".join(f"{text} is {shown(x)}" for text, x in values.items()) or "it is not so"


def values_in(system: System, state: State, goal: str) -> dict[str, Value | None]:
    """The value of each observable that a goal reads, None where it is undefined."""
    used = set(compile_goal(goal, system.vocabulary).functions)
    found: dict[str, Value | None] = {}
    for node in _leaves(parse(goal)):
        if node.text in used and not (isinstance(node, Word) and node.literal):
            arguments = [a.text for a in node.arguments] if isinstance(node, Call) else []
            text = expression(node.text, *arguments)
            partial = compile_value(expression(node.text, *map(_quoted, arguments)), system.vocabulary).partial
            found[text] = value_of(system, state, partial)
    return found


def _leaves(root: Node) -> Iterator[Word | Call]:
    if isinstance(root, Operation):
        for part in root.parts:
            yield from _leaves(part)
    else:
        yield root


def _quoted(name: str) -> str:
    mark = "'" if '"' in name else '"'
    return f"{mark}{name}{mark}"
