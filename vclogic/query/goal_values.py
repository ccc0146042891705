"""The values of a goal's observables in a state, which show why it does not hold."""

from __future__ import annotations

from collections.abc import Iterator

from vclogic.encode.evaluator import interpret
from vclogic.model.fluents import State, Value
from vclogic.model.system import System
from vclogic.query.status import expression, shown, value_of
from vclogic.terms.goal import Call, Node, Operation, Word, conjuncts, parse
from vclogic.terms.partial import Partial
from vclogic.terms.resolve import compile_goal, compile_value


def failing_atoms(system: System, state: State, goal: str) -> str:
    """The values of the observables in the failing parts of a goal.

    Args:
        state: A state in which the goal does not hold.
        goal: A goal that compiles.
    """
    read = failing(system, state, goal)
    values = (f"{text} is {shown(value_of(system, state, partial))}" for text, partial in read.items())
    return ", ".join(values) or "it is not so"


def failing(system: System, state: State, goal: str) -> dict[str, Partial]:
    """The observables in the failing parts of a goal; see `failing_atoms`."""
    found: dict[str, Partial] = {}
    for part in conjuncts(goal):
        if not interpret(compile_goal(part, system.vocabulary).term, system.layout.slot, state):
            found |= _read_by(system, part)
    return found


def values_in(system: System, state: State, goal: str) -> dict[str, Value | None]:
    """The value of each observable that a goal reads, None where it is undefined."""
    return {text: value_of(system, state, partial) for text, partial in _read_by(system, goal).items()}


def _read_by(system: System, goal: str) -> dict[str, Partial]:
    """Each observable that a goal reads."""
    used = set(compile_goal(goal, system.vocabulary).functions)
    found: dict[str, Partial] = {}
    for node in _leaves(parse(goal)):
        if node.text in used and not (isinstance(node, Word) and node.literal):
            arguments = [a.text for a in node.arguments] if isinstance(node, Call) else []
            named = expression(node.text, *map(_quoted, arguments))
            found[expression(node.text, *arguments)] = compile_value(named, system.vocabulary).partial
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
