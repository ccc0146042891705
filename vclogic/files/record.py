"""Read the `record` of a file as events."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import Any

from vclogic.choices import choice
from vclogic.errors import InputError, did_you_mean, nearest, quoted, shortened, shown
from vclogic.files.source import Source
from vclogic.files.trees.findings import Findings
from vclogic.files.trees.located import Locator, Node, Tree, describe
from vclogic.files.trees.nodes import parse
from vclogic.files.trees.scalars import about, as_text, check_hexes, number_in, text, wrong
from vclogic.model.actions import OPEN, Event, Parameter, Schema
from vclogic.model.fluents import Value
from vclogic.model.system import System

Events = str | Mapping[str, Any] | Event
"""Some events of one kind, as a record writes them; arguments left out can have any value."""
MOST_STEPS = 100_000
"""So many steps a record may have."""
_TOO_MANY = f"a record has at most {MOST_STEPS:,} steps"
_EXAMPLE = "write `- EVENT` or `- {EVENT: {NAME: VALUE, ...}}`; `vclogic rules GAME` lists the events"


@dataclass(frozen=True)
class RecordStep:
    """An event of a record.

    Attributes:
        event: The event, with canonical names.
        where: Its place; None if it is not from a file.
    """

    event: Event
    where: Locator | None = field(default=None, compare=False)

    @property
    def spot(self) -> tuple[str | None, int | None, int | None]:
        """File, line and column."""
        return (self.where.file, *self.where.find()) if self.where else (None, None, None)


def _always_event(node: Node, steps: int) -> bool:
    return False


def read_record(
    system: System,
    node: Node,
    findings: Findings,
    aside: Callable[[Node, int], bool] = _always_event,
) -> list[RecordStep]:
    """Read the steps of a file's section `record`, or of a list on its own.

    Whether the steps are legal is not checked here.

    Args:
        system: The rule set; its schemas are the events.
        node: The list.
        aside: Is given each item, with the number of steps before it; True: it has read it, and it is no event.

    Raises:
        InputError: There are more than `MOST_STEPS`, or as in `Findings.add`.
    """
    found: list[RecordStep] = []
    for part in node.parts("a list of events", findings):
        if not aside(part, len(found)):
            found += read_steps(system, part, findings)
        if len(found) > MOST_STEPS:
            findings.add(part.diagnostic("too-big", _TOO_MANY, help="begin from a later position instead"))
            findings.stop()
    return found


def read_event(system: System, written: str, label: str) -> Event:
    """Parse a single event, in the syntax of a record.

    Args:
        written: The text, such as `end_turn` or `place: {power: Germans, unit: infantry}`.
        label: Its name in diagnostics.

    Raises:
        InputError: It is not an event, or several.
    """
    findings = Findings()
    _check_event(written)
    node = parse(Source(label, written))
    steps = read_steps(system, node, findings)
    if len(steps) > 1:
        findings.add(node.diagnostic("wrong-value", "expected one event, not one for each item of a list"))
    findings.stop()
    return steps[0].event


def read_events(system: System, node: Node) -> tuple[Schema, dict[str, list[Value]]]:
    """Parse a kind of event with some of its arguments, in the syntax of a record; other arguments stay open.

    Args:
        node: The text, such as `place` or `place: {power: Germans}`.

    Returns:
        The kind of event, and the values of each given argument.

    Raises:
        InputError: There is no such event, or an argument is wrong.
    """
    findings = Findings()
    named = _named(system, node, findings)
    given: dict[str, list[Value]] = {}
    if named is not None:
        schema, arguments = named
        parts = _arguments(schema, arguments, findings)
        given = {p.name: _given_values(p, parts[p.name], findings) for p in schema.parameters if p.name in parts}
    findings.stop()
    assert named is not None
    return named[0], given


def read_steps(system: System, node: Node, findings: Findings) -> list[RecordStep]:
    """The events of an item of a record; several if an argument lists several values.

    Args:
        node: The item.
    """
    named = _named(system, node, findings)
    if named is None:
        return []
    schema, arguments = named
    return [
        RecordStep(Event(schema.name, values), node.where) for values in _read_arguments(schema, arguments, findings)
    ]


def _named(system: System, node: Node, findings: Findings) -> tuple[Schema, Node] | None:
    """The kind of event that an item of the list names, and its arguments; None if it is invalid."""
    tree = node.tree
    if isinstance(tree, dict) and len(tree) == 1:
        (name,) = tree
        arguments = node.section(name)
    elif isinstance(tree, str):
        name, arguments = str(tree), Node(None, node.where)
    else:
        several = isinstance(tree, dict) and len(tree) > 1
        hint = "begin each event in a line of its own, with '- ' before it" if several else _EXAMPLE
        found = "several" if several else describe(tree)
        findings.add(node.diagnostic("wrong-value", f"expected one event, found {found}", help=hint))
        return None
    schema = system.schemas.get(name)
    if schema is None:
        message, hint = f"there is no event {quoted(name)}", _no_event(system, name)
        if name in system.absent.events:
            message += " here"
        findings.add(arguments.diagnostic("unknown-name", message, key=True, help=hint))
        return None
    return schema, arguments


def _no_event(system: System, name: str) -> str:
    """Advice about a name that no event has here."""
    asked = re.match(r"\w+", name)
    if name in system.absent.events:
        return system.absent.events[name]
    if asked and asked[0] in system.vocabulary:
        return f"this is no event but a question: vclogic ask FILE '{shortened(name)}'"
    if name in system.layout.families:
        return f"`{name}` is a fact: it stands under `state:`, and events bring it about"
    return _EXAMPLE if " " in name else did_you_mean(name, [*system.schemas, *system.absent.events]) or _EXAMPLE


def _read_arguments(schema: Schema, node: Node, findings: Findings) -> list[tuple[tuple[str, Value], ...]]:
    """The argument values of each event, in the schema's order; empty if something is wrong."""
    before = len(findings)
    given = _arguments(schema, node, findings)
    known = {p.name: p for p in schema.parameters}
    values: list[list[tuple[str, Value]]] = []
    for name, parameter in known.items():
        if name in given:
            values.append([(name, x) for x in _given_values(parameter, given[name], findings)])
        elif parameter.default is not None:
            values.append([(name, parameter.default)])
        elif parameter.implied is not None:
            values.append([(name, OPEN)])
        elif not isinstance(node.tree, str | list):
            message = f"`{name}:` is missing: {schema.name} needs it"
            findings.add(node.diagnostic("missing-entry", message, key=True, help=_allowed(parameter)))
    if prod(map(len, values)) > MOST_STEPS:
        findings.add(node.diagnostic("too-big", _TOO_MANY, help="give fewer values at once"))
    return list(product(*values)) if len(findings) == before else []


def _arguments(schema: Schema, node: Node, findings: Findings) -> dict[str, Node]:
    """The given arguments; unknown ones are reported."""
    known = [p.name for p in schema.parameters]
    given = node.items(f"`{schema.form}`", findings)
    for name, part in given.items():
        if name not in known:
            hint = did_you_mean(name, known, there=given) or f"write `{schema.name}` alone"
            if part.tree is None and known and not nearest(name, known):
                hint = (
                    f"several stand in a list: {known[0]}: [..., ...]; each other one needs its name: `NAME: VALUE`"
                )
            message = f"nothing of {schema.name} is called {quoted(name)}"
            findings.add(part.diagnostic("unknown-entry", message, key=True, help=hint))
    return dict(given)


def _given_values(parameter: Parameter, node: Node, findings: Findings) -> list[Value]:
    """The values of an argument: one, or those of a list if the parameter allows it."""
    if not isinstance(parameter.domain, range):
        before = len(findings)
        with node.catch(findings):
            check_hexes(node.tree, parameter.domain.sort.members)
        if len(findings) > before:
            return []
    listed = parameter.each and isinstance(node.tree, list)
    parts = list(node.parts(f"a list for {parameter.name}", findings)) if listed else [node]
    if not parts:
        findings.add(node.diagnostic("wrong-value", f"{parameter.name}: the list is empty", help=_allowed(parameter)))
    values = []
    for part in parts:
        with part.catch(findings):
            values.append(parameter_value(parameter, part.tree))
    return values


def parameter_value(parameter: Parameter, tree: Tree) -> Value:
    """The canonical value of an argument.

    Raises:
        InputError: The value is not allowed.
    """
    try:
        if isinstance(parameter.domain, range):
            return number_in(tree, parameter.domain)
        name = text(tree)
    except InputError as error:
        raise about(parameter.name, error) from error
    return parameter.domain.resolve(name)


def _allowed(parameter: Parameter) -> str | None:
    domain = parameter.domain
    if isinstance(domain, range):
        return f"a whole number from {min(domain)} to {max(domain)}"
    members = domain.sort.members
    return did_you_mean("", members)


def read_step(system: System, event: str, arguments: Mapping[str, Value]) -> RecordStep:
    """An event given in Python, checked like an event of a record.

    Raises:
        InputError: There is no such event, or its arguments are wrong.
    """
    findings = Findings()
    _check_event(event)
    given: Tree = {name: as_text(name, v) for name, v in arguments.items()} or None
    node = Node([{event: given}], Locator("apply", lambda: None))
    steps = read_record(system, node, findings)
    findings.stop()
    return RecordStep(steps[0].event)


def _check_event(event: object) -> None:
    if not isinstance(event, str):
        raise wrong(f"event: expected a text, found {shown(event)}")


def part_of_event(event: str, arguments: Mapping[str, Value]) -> Node:
    """A kind of event with some arguments, given in Python, as a node of a record."""
    if not arguments:
        return parse(Source(choice("event"), event))
    given: Tree = {name: as_text(name, v) for name, v in arguments.items()}
    return Node({event: given}, Locator("legal", lambda: None))
