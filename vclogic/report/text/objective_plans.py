"""The plans of a briefing: the next steps, and the plans behind the winning sets."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from vclogic.query.answers import OnePlan
from vclogic.query.objectives.answer import Next, Objectives, WinningSet
from vclogic.report.text.battles import battles_section, low_chance
from vclogic.report.text.objective_words import Costs, holds, named
from vclogic.report.text.page import indented, plain
from vclogic.report.text.steps import steps_table

_PLANS = 3
_STEPS = 30  # of all plans that are shown unasked, the first apart


def next_steps(answer: Objectives) -> RenderableType | None:
    """The first steps of a plan to follow; None where there is no plan."""
    found = answer.next
    if found is None or not found.steps:
        return None
    same = next((s for s in answer.winning.sets if s.plan.steps == found.plan.steps), None)
    title = Text(plain(f"Next ({_followed(found, same, Costs.of(answer))})"), "bold")
    low = low_chance(found.plan.battles)
    told_below = same is not None and same.n == 1 and found.steps == found.plan.steps
    body = Text("all of that plan") if told_below else steps_table(found.steps, found.plan.battles)
    return Group(title, *map(indented, [body, *([] if low is None else [low])]))


def _followed(found: Next, same: WinningSet | None, costs: Costs) -> str:
    """The plan that is followed, and the chance of its battles."""
    which = f"a plan of {costs.known(found.cost)}" if same is None else f"plan {same.n}"
    takes = f", which takes {named(found.takes)}" if found.takes else ""
    chance = f"; the chance of its battles is {found.plan.battles.overall}" if found.plan.battles else ""
    return ("going on with " if found.continued else "") + which + takes + chance


def plans(answer: Objectives, *, whole: bool) -> Iterator[RenderableType]:
    """The plans behind the winning sets, as many as are worth the paper unless all are asked for."""
    sets, costs = answer.winning.sets if not holds(answer) else (), Costs.of(answer)
    shown = sets if whole else _first(sets)
    for found in shown:
        yield _plan(found, costs)
    if len(shown) < len(sets):
        yield Text(f"The plans of the other {len(sets) - len(shown):,} winning sets: --all, or --format json", "dim")


def _first(sets: tuple[WinningSet, ...]) -> tuple[WinningSet, ...]:
    steps, n = 0, 0
    for found in sets[:_PLANS]:
        steps += len(found.plan.steps)
        if n and steps > _STEPS:
            break
        n += 1
    return sets[:n]


def _plan(found: WinningSet, costs: Costs) -> RenderableType:
    takes = f", takes {named(found.takes)}" if found.takes else ""
    title = Text(plain(f"Plan {found.n}: {costs.known(found.cost)}{takes}"), "bold")
    return Group(title, *map(indented, _parts(found.plan)))


def _parts(plan: OnePlan) -> Iterator[RenderableType]:
    yield steps_table(plan.steps, plan.battles)
    fought = battles_section(plan.battles)
    if fought is not None:
        yield fought
    if plan.record.events is None and plan.record.reason:
        yield Text(plain(f"No record: {plan.record.reason}"), "dim")
