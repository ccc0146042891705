"""Expectations of a record between its steps: goals that hold there, and events that are refused there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from vclogic.errors import InputError, quoted
from vclogic.files.record import RecordStep, read_steps
from vclogic.files.trees.findings import Findings
from vclogic.files.trees.located import Locator, Node, describe
from vclogic.files.trees.scalars import text
from vclogic.model.system import System

EXPECT, REFUSED = "expect", "refused"
"""The words with which such items of a record begin."""
_BESIDE = ("cites", "message")
_BEGINNINGS = ("expect", "refuse")
_BOTH = "write `- expect: GOAL` or `- refused: {EVENT: {ARGUMENT: VALUE}}`, each in a line of its own"
_A_GOAL = "write a goal, such as `- expect: turn == Red`"
_EXAMPLE = "write `- refused: {EVENT: {ARGUMENT: VALUE}, cites: [CLAUSE]}`"


@dataclass(frozen=True)
class Expectation:
    """One thing that is expected at one moment of a record.

    Attributes:
        after: So many steps of the record are before it.
        where: Its place.
        goal: The goal that holds there; None: an event is refused.
        refused: The event that is refused there; the record goes on without it.
        label: What stands for this event in messages.
        cites: Ids of clauses that the refusal has to cite.
        message: Text that the refusal has to contain, if any.
    """

    after: int
    where: Locator
    goal: str | None = None
    refused: RecordStep | None = None
    label: str = ""
    cites: tuple[str, ...] = ()
    message: str | None = None


def expects(node: Node) -> bool:
    """True if an item of a record looks like an expectation."""
    return isinstance(node.tree, dict) and list(node.tree) in ([EXPECT], [REFUSED])


def reader(system: System, found: list[Expectation], before: int, findings: Findings) -> Callable[[Node, int], bool]:
    """A reader of the expectations of a record, for `read_record`.

    Args:
        system: The rule set. An event of it that is called like an expectation stays an event.
        found: Takes the expectations.
        before: So many steps come before the record.
    """

    def read(node: Node, steps: int) -> bool:
        if not expects(node):
            return _misspelt(system, node, findings)
        assert isinstance(node.tree, dict)
        (word,) = node.tree
        if word in system.schemas:
            return False
        part, after = node.section(word), before + steps
        found.extend(goals_of(part, after, findings) if word == EXPECT else _refused(system, part, after, findings))
        return True

    return read


def _misspelt(system: System, node: Node, findings: Findings) -> bool:
    """Report what is no event and no expectation, but means to be one; whether it is that."""
    words = list(node.tree) if isinstance(node.tree, dict) else [node.tree]
    meant = [w for w in words if isinstance(w, str) and w.startswith(_BEGINNINGS) and w not in system.schemas]
    if meant:
        message = f"{quoted(meant[0])} is not written as an expectation is"
        findings.add(node.diagnostic("wrong-value", message, help=_BOTH))
    return bool(meant)


def goals_of(node: Node, after: int, findings: Findings) -> list[Expectation]:
    """Goals, one or a list of them, each as an expectation."""
    parts = node.parts("a list of goals", findings) if isinstance(node.tree, list) else [node]
    goals: list[tuple[str, Node]] = []
    for part in parts:
        if isinstance(part.tree, str):
            goals.append((str(part.tree), part))
        else:
            message = f"expected a goal, found {describe(part.tree)}"
            findings.add(part.diagnostic("wrong-value", message, key=True, help=_A_GOAL))
    if not parts:
        message = "expected a goal, found an empty list"
        findings.add(node.diagnostic("wrong-value", message, key=True, help=_A_GOAL))
    begins = whole_goals([goal for goal, _ in goals])
    return [Expectation(after, goals[first][1].where, goal=goal) for first, goal in begins.items()]


def whole_goals(parts: Sequence[str]) -> dict[int, str]:
    """The goals of a list, each by the number of the part with which it begins.

    In `[controls(Red, Hill), turn == Red]` YAML takes each comma for the end of an item. A part in which a
    parenthesis stays open goes on in the next one.
    """
    found: dict[int, str] = {}
    first = 0
    for number, part in enumerate(parts):
        goal = part if first == number else f"{found[first]}, {part}"
        found[first] = goal
        if goal.count("(") <= goal.count(")") or not any(")" in later for later in parts[number + 1 :]):
            first = number + 1
    return found


def _refused(system: System, node: Node, after: int, findings: Findings) -> list[Expectation]:
    """The events that are refused, each as an expectation."""
    event, message = node, None
    cites: tuple[str, ...] = ()
    if isinstance(node.tree, dict):
        beside = {key: node.section(key) for key in node.tree if key in _BESIDE and key not in system.schemas}
        event = Node({key: part for key, part in node.tree.items() if key not in beside}, node.where)
        cites = _texts(beside["cites"], findings) if "cites" in beside else ()
        message = _one_text(beside["message"], findings) if "message" in beside else None
        if not event.tree or len(event.tree) > 1:
            said = "no event" if not event.tree else "several: " + ", ".join(quoted(key) for key in event.tree)
            wrong = f"expected one event that is refused, found {said}"
            findings.add(node.diagnostic("wrong-value", wrong, key=True, help=_EXAMPLE))
            return []
    elif not isinstance(node.tree, str):
        wrong = f"expected an event that is refused, found {describe(node.tree)}"
        findings.add(node.diagnostic("wrong-value", wrong, key=True, help=_EXAMPLE))
        return []
    steps = read_steps(system, event, findings)
    return [
        Expectation(after, node.where, refused=step, label=str(step.event), cites=cites, message=message)
        for step in steps
    ]


def _texts(node: Node, findings: Findings) -> tuple[str, ...]:
    parts = node.parts("a list of clauses", findings) if isinstance(node.tree, list) else [node]
    return tuple(found for part in parts if (found := _one_text(part, findings)) is not None)


def _one_text(node: Node, findings: Findings) -> str | None:
    try:
        return text(node.tree)
    except InputError as error:
        findings.take(error.at(*node.spot))
    return None
