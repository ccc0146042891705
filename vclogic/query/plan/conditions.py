"""Read the conditions of a plan: events to require or avoid, and what must hold after every step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from vclogic.choices import choice
from vclogic.encode.conditions import Conditions, Pattern
from vclogic.errors import Diagnostic, InputError, shown
from vclogic.files.record import Events, read_events
from vclogic.files.source import Source
from vclogic.files.trees.located import Locator, Node, Tree
from vclogic.files.trees.nodes import parse
from vclogic.files.trees.scalars import as_text, wrong
from vclogic.model.actions import Event
from vclogic.model.system import Metric, System
from vclogic.terms.atoms import TRUE
from vclogic.terms.expressions.event_words import ONLY_REACH
from vclogic.terms.expressions.resolve import compile_goal
from vclogic.terms.term import Term


def read_conditions(
    system: System, metric: Metric, require: Sequence[Events], avoid: Sequence[Events], keep: str | None
) -> Conditions:
    """The conditions of a plan.

    Args:
        metric: The kind of plan.
        require: Events of which the plan must hold at least one each.
        avoid: Events that it must not hold.
        keep: What must hold after every step, in the goal language.

    Raises:
        InputError: There is no such event or argument, plans of this kind do not decide it, or `keep` is wrong.
    """
    wrong: list[Diagnostic] = []
    required = _patterns(system, metric, require, choice("require"), wrong)
    avoided = _patterns(system, metric, avoid, choice("avoid"), wrong)
    kept: Term = TRUE
    if keep is not None:
        try:
            kept = compile_goal(keep, system.vocabulary, choice("keep"), ONLY_REACH).term
        except InputError as error:
            wrong.extend(error.diagnostics)
    if wrong:
        raise InputError(wrong)
    said = (
        *(f"the plan holds an event {p.text}" for p in required),
        *(f"the plan holds no event {p.text}" for p in avoided),
        *(() if keep is None else (f"after every step: {keep}",)),
    )
    return Conditions(required, avoided, kept, said, completing(system))


def leaving_out(system: System, metric: Metric | None, without: Sequence[Events]) -> Conditions:
    """Conditions that leave events out of a plan or of play.

    Args:
        metric: The planning model whose steps are taken; None: all events of the rules are.

    Raises:
        InputError: There is no such event or argument, or plans of this kind do not decide it.
    """
    wrong: list[Diagnostic] = []
    found = _patterns(system, metric, without, choice("without"), wrong)
    if wrong:
        raise InputError(wrong)
    said = tuple(f"without {p.text}" for p in found)
    return Conditions((), found, TRUE, said, completing(system))


def completing(system: System) -> Callable[[Event], Event]:
    """A function that fills in the defaults of an event's kind for arguments that it leaves out."""

    def complete(event: Event) -> Event:
        schema = system.schemas.get(event.name)
        if schema is None or len(event.args) == len(schema.parameters):
            return event
        defaults = {p.name: p.default for p in schema.parameters if p.default is not None}
        return Event(event.name, tuple({**defaults, **dict(event.args)}.items()))

    return complete


def _patterns(
    system: System, metric: Metric | None, some: Sequence[Events], label: str, wrong: list[Diagnostic]
) -> tuple[Pattern, ...]:
    found = []
    for events in [some] if isinstance(some, str | Mapping | Event) else some:
        try:
            found.append(_pattern(system, metric, events, label))
        except InputError as error:
            wrong.extend(error.diagnostics)
    return tuple(found)


def _pattern(system: System, metric: Metric | None, events: Events, label: str) -> Pattern:
    node, text = _node(events, label)
    schema, given = read_events(system, node)
    if metric is not None and (schema.name not in metric.events or schema.routine):
        known = [n for n in metric.events if not system.schemas[n].routine]
        message = f"a plan of {metric.name} does not decide {schema.name}"
        raise InputError(Diagnostic("usage", message, label, help=f"it decides {', '.join(known)}"))
    return Pattern(text, schema.name, {name: frozenset(values) for name, values in given.items()})


def _argument(name: str, given: Any) -> Tree:
    return [as_text(name, x) for x in given] if isinstance(given, list | tuple) else as_text(name, given)


def _node(events: Events, label: str) -> tuple[Node, str]:
    if isinstance(events, str):
        return parse(Source(label, events)), events
    tree: Any = events.written if isinstance(events, Event) else events
    if isinstance(tree, str):
        return parse(Source(label, tree)), tree
    if not all(isinstance(n, str) and isinstance(args, Mapping | None) for n, args in tree.items()):
        example = "{'EVENT': {'NAME': 'VALUE'}}"
        raise wrong(f"{label}: expected an event such as {example}, found {shown(events)}")
    plain: dict[str, dict[str, Tree]] = {
        name: {str(k): _argument(str(k), v) for k, v in (args or {}).items()} for name, args in tree.items()
    }
    said = ", ".join(
        f"{name}: {{{', '.join(f'{k}: {v}' for k, v in args.items())}}}" if args else str(name)
        for name, args in plain.items()
    )
    whole: dict[str, Tree] = {name: {**args} if args else None for name, args in plain.items()}
    return Node(whole, Locator(label, lambda: None)), said
