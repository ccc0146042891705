"""The `record` of a file as events."""

from __future__ import annotations

from dataclasses import dataclass, field

from vclogic.errors import InputError, did_you_mean
from vclogic.files.findings import Findings
from vclogic.files.nodes import parse
from vclogic.files.scalars import about, number_in, text
from vclogic.files.source import Source
from vclogic.files.tree import Locator, Node, Tree, describe
from vclogic.model.actions import Event, Parameter, Schema
from vclogic.model.fluents import Value
from vclogic.model.system import System

_EXAMPLE = "write `EVENT` or `{EVENT: {ARGUMENT: VALUE}}`"


@dataclass(frozen=True)
class Step:
    """An event of a record.

    Attributes:
        event: What happened, with canonical names.
        where: Finds its place; None where it comes from no file.
    """

    event: Event
    where: Locator | None = field(default=None, compare=False)

    @property
    def file(self) -> str | None:
        """The file."""
        return self.where.file if self.where else None

    @property
    def line(self) -> int | None:
        """The line, counted from 1."""
        return self.where.find()[0] if self.where else None

    @property
    def column(self) -> int | None:
        """The column, counted from 1."""
        return self.where.find()[1] if self.where else None


def read_record(system: System, node: Node, findings: Findings) -> list[Step]:
    """The steps that the section `record` of a file, or a list on its own, holds.

    The rules are not asked here whether a step is legal.

    Args:
        system: The rule set; its schemas are the events.
        node: The list.
        findings: Takes what is wrong.
    """
    steps = (_read_step(system, part, findings) for part in node.parts("a list of events", findings))
    return [step for step in steps if step]


def read_event(system: System, written: str, label: str) -> Event:
    """An event as a record writes it, by itself.

    Args:
        system: The rule set.
        written: The text, such as `end_turn` or `place: {power: Germans, unit: infantry}`.
        label: What to call it in a diagnostic.

    Raises:
        InputError: It is no event.
    """
    findings = Findings()
    step = _read_step(system, parse(Source(label, written)), findings)
    findings.stop()
    assert step is not None, "what is no step was reported"
    return step.event


def _read_step(system: System, node: Node, findings: Findings) -> Step | None:
    tree = node.tree
    if isinstance(tree, dict) and len(tree) == 1:
        (name,) = tree
        arguments = node.section(name)
    elif isinstance(tree, str):
        name, arguments = str(tree), Node(None, node.where)
    else:
        several = isinstance(tree, dict) and len(tree) > 1
        hint = "begin each event with its own '- '" if several else _EXAMPLE
        found = "several keys" if several else describe(tree)
        findings.add(node.diagnostic("wrong-type", f"expected one event, found {found}", help=hint))
        return None
    schema = system.schemas.get(name)
    if schema is None:
        message = f"there is no event {name!r}"
        hint = did_you_mean(name, system.schemas) or _EXAMPLE
        findings.add(arguments.diagnostic("unknown-name", message, key=True, help=hint))
        return None
    values = _read_arguments(schema, arguments, findings)
    return None if values is None else Step(Event(name, values), node.where)


def _read_arguments(schema: Schema, node: Node, findings: Findings) -> tuple[tuple[str, Value], ...] | None:
    """The value of each parameter in the schema's order; None if something is wrong with them."""
    before = len(findings)
    given = node.items(f"a mapping of the arguments of {schema.name}", findings)
    known = {p.name: p for p in schema.parameters}
    for name, part in given.items():
        if name not in known:
            hint = did_you_mean(name, known) or f"{schema.name} takes none"
            message = f"{schema.name} has no argument {name!r}"
            findings.add(part.diagnostic("unknown-key", message, key=True, help=hint))
    values: list[tuple[str, Value]] = []
    for name, parameter in known.items():
        if name in given:
            with given[name].catch(findings):
                values.append((name, parameter_value(parameter, given[name].tree)))
        elif parameter.default is not None:
            values.append((name, parameter.default))
        elif not isinstance(node.tree, str | list):
            message = f"{schema.name} needs the argument {name!r}"
            findings.add(node.diagnostic("missing-key", message, key=True, help=_allowed(parameter)))
    return tuple(values) if len(findings) == before else None


def parameter_value(parameter: Parameter, tree: Tree) -> Value:
    """The canonical value of an argument.

    Raises:
        InputError: It is no such value.
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
    return "one of " + ", ".join(members) if len(members) <= 8 else None
