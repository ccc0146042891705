"""The threats of a briefing: what enemies can win with, and what stops them."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from vclogic.query.objectives.answer import Objectives, Stop, Threat
from vclogic.report.text.battles import battles_section
from vclogic.report.text.objective_tables import how_many, sets_table
from vclogic.report.text.objective_words import Costs, holds, limited, reason
from vclogic.report.text.page import indented, one_line, plain
from vclogic.report.text.steps import steps_table

_BY = {
    "defend": "this turn, whatever the enemy does after it",
    "moves": "made before the enemy moves, whoever is on turn",
}


def threats(answer: Objectives, *, whole: bool) -> Iterator[RenderableType]:
    """Each enemy's winning sets, and what stops it."""
    costs = Costs.of(answer)
    for threat in answer.threats:
        if threat.cost.status == "impossible" or threat.cost.cost is None:
            continue  # the third line says it
        title = f"Threat by {plain(threat.side)}{limited(threat)}: {one_line(threat.goal)}"
        parts = [*_ways(threat, costs, whole=whole), *_stop(threat.stop, costs)]
        yield Group(Text(title, "bold"), *(indented(p) for p in parts))


def _ways(threat: Threat, costs: Costs, *, whole: bool) -> Iterator[RenderableType]:
    if holds(threat):
        yield Text("It has come already: the goal holds.", "bold red")
    elif threat.winning.complete and not any(x.takes for x in threat.winning.sets):
        yield Text(plain(f"{costs.known(threat.cost)}; no objective need be taken"))
    elif not threat.winning.sets:
        yield Text(f"{costs.known(threat.cost)}; with which objectives is not known")
    else:
        yield Text(f"Winning sets ({how_many(threat.winning)})")
        yield sets_table(threat.winning, costs, whole=whole)


def _stop(stop: Stop | None, costs: Costs) -> Iterator[RenderableType]:
    if stop is None:
        return
    if stop.status == "lost":
        yield Text("Nothing stops it: no moves leave the enemy without a plan.", "bold red")
        return
    if stop.status == "unknown":
        yield Text(f"What stops it is not known: {reason(stop.reason)}", "bold yellow")
        return
    fewest = f", {costs.least}" if stop.cost.status == "optimal" else "; fewer may be enough"
    yield Text(plain(f"Stopped by {costs.stopping(stop)}{fewest} ({_BY[stop.by]}):"), "bold green")
    if stop.plan is not None and stop.plan.steps:
        yield indented(steps_table(stop.plan.steps, stop.plan.battles))
        fought = battles_section(stop.plan.battles)
        if fought is not None:
            yield fought
