"""Plans of armies with and without a least chance of every battle: the first plan, the proof, the cost."""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator
from functools import partial

import vclogic
from benchmarks.runner import Answer, Comparison, within
from vclogic.progress import Progress

AIM = "with --min-odds 0.8: 1 round proved in 5 s, 2 rounds in 30 s; 3 rounds a plan in 20 s (two idle cores)"
POINTS = (33, 36, 38)
ROUNDS = (1, 2, 3)
CHANCES = {"by strength (ratio 1)": 0, "--min-odds 0.8": 80}
LIMIT = 60.0


def run() -> Iterator[Comparison]:
    """One table for each number of rounds and of points; the ratio is to plans by strength."""
    for rounds in ROUNDS:
        for points in POINTS:
            calls = {name: partial(_planned, points, rounds, percent) for name, percent in CHANCES.items()}
            title = f"vcp(Axis) >= {points} within {rounds}, the full theatre (`plan`)"
            yield Comparison(title, within(LIMIT + 5, calls, runs=1))


def _planned(points: int, rounds: int, percent: int, limit: float) -> Answer:
    """What was found, when the first plan was, and the processor time of all processes."""
    began, before = time.monotonic(), _processor()
    first: list[float] = []

    def note(progress: Progress) -> None:
        if progress.cost is not None and not first:
            first.append(time.monotonic() - began)

    game = vclogic.load("axis_allies", settings={"level": "armies", "min_odds": percent})
    plan = game.plan(f"vcp(Axis) >= {points}", side="Axis", within=rounds, timeout=LIMIT, progress=note)
    found: str = plan.status if plan.cost is None else f"{plan.cost} moves"
    if plan.status == "feasible":
        found += f", {plan.lower_bound} at least"
    if plan.battles is not None and plan.battles.chance is not None:
        found += f" ({plan.battles.chance:.0%})"
    when = f", first {first[0]:.1f} s" if first else ""
    return Answer(f"{found}{when}, CPU {_processor() - before:.1f} s", plan.status in ("optimal", "impossible"))


def _processor() -> float:
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in both)
