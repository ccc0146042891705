"""Changes by the steps of a record, as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from vclogic.model.fluents import Value
from vclogic.model.sentences import sentence
from vclogic.query.status import shown
from vclogic.query.traced import Changed, TracedStep
from vclogic.report.text.page import bullets, indented, plain

NO_RECORD = "there is no record: nothing has happened since the start"
_NOTHING = "nothing that the rules know changes"


def trace(steps: Iterable[TracedStep]) -> Group:
    """Each step with what it changes."""
    parts: list[RenderableType] = []
    for step in steps:
        parts += [Text(plain(named(step)), "bold"), indented(changes(step))]
    return Group(*parts) if parts else Group(Text(NO_RECORD))


def named(step: TracedStep) -> str:
    """A step by its number and its event."""
    return f"step {step.step}, {step.event}"


def changes(step: TracedStep) -> RenderableType:
    """The changes by a step: outcomes first, then values, then facts; those that change alike in one line."""
    lines = [f"{c.what}: {_before_after(c)}" for c in (*step.outcomes, *step.values)]
    return bullets([*lines, *_alike(step.facts)] or [_NOTHING])


def _alike(facts: Iterable[Changed]) -> Iterator[str]:
    """Facts as sentences, those of which the same is said and that were the same before in one."""
    groups: dict[tuple[str, str], list[str]] = {}
    for fact in facts:
        groups.setdefault((fact.says, _value(fact.before)), []).append(fact.about)
    for (says, before), names in groups.items():
        yield f"{sentence(names, says)} (before: {before})"


def _before_after(change: Changed) -> str:
    return f"{_value(change.before)} -> {_value(change.after)}"


def _value(value: Value | None) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return shown(value)
