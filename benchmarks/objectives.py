"""Briefings of objectives on the games' scenarios: how long the whole takes and each part, and what is decided."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

import vclogic
from benchmarks.runner import Comparison, Timing
from vclogic.query.objectives import brief
from vclogic.query.objectives.answer import Objectives

AIM = "1942 by captures in 10 s, erlenbach and the island in 30 s, the 22U3 board in 10 s (two idle cores)"
LIMIT = 30.0
_PARTS = ("parts", "threats", "values")
"""What of a briefing is timed by itself, as its module calls it."""
_NAMES = {"parts": "sets, landmarks, denial", "threats": "threats, and what stops them", "values": "values"}


@dataclass(frozen=True)
class Question:
    """A briefing.

    Attributes:
        game: The game and scenario.
        asked: The goal, the side and the limit, as `Game.objectives` takes them.
        settings: Options of the game.
    """

    game: str
    asked: dict[str, Any]
    settings: Mapping[str, int | str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """What is asked."""
        said = {**self.asked, **self.settings}
        return f"{self.game}: {', '.join(f'{k} {v}' for k, v in said.items())}"


QUESTIONS = (
    Question("axis_allies", {"goal": "vcp(Axis) >= 40", "side": "Axis", "within": 4}),
    Question("axis_allies", {"goal": "vcp(Axis) >= 40", "side": "Axis"}),
    Question("axis_allies", {"side": "Allies"}),
    Question("napoleonics/erlenbach", {"goal": "banners(French) >= 2", "side": "French"}),
    Question("okinawa/small", {"side": "US", "within": 2}),
    Question("okinawa/island", {"side": "US", "within": 2}),
    Question("okinawa/island", {"goal": "vp_at_end(Japan) >= 40", "side": "Japan"}),
    Question("asl/22u3", {"side": "Russian"}),
    Question(
        "moscow/small",
        {"goal": "objective_points(German) >= 3 and uncovered_rows(German) == 0", "side": "German"},
    ),
    Question(
        "axis_allies",
        {"goal": "vcp(Axis) >= 33", "side": "Axis", "within": 1},
        {"level": "armies", "theatre": "land"},
    ),
)


def run() -> Iterator[Comparison]:
    """One table for each question; the parts are those of the first briefing."""
    for question in QUESTIONS:
        yield Comparison(question.title, dict(_timed(question)))


def _timed(question: Question) -> Iterator[tuple[str, Timing]]:
    game = vclogic.load(question.game, settings=dict(question.settings))
    spent: dict[str, float] = {}
    began = time.perf_counter()
    with ExitStack() as stack:
        for name in _PARTS:
            stack.enter_context(patch.object(brief, name, _measured(name, getattr(brief, name), spent)))
        answer = game.objectives(**question.asked, timeout=LIMIT)
    whole = time.perf_counter() - began
    yield "the whole briefing", Timing((whole,), answer=in_short(answer))
    told = {"parts": _sets(answer), "threats": _threats(answer), "values": _values(answer)}
    for name, seconds in spent.items():
        yield _NAMES[name], Timing((seconds,), answer=told[name])


def _measured(name: str, call: Callable[..., Any], spent: dict[str, float]) -> Callable[..., Any]:
    def timed(*args: Any, **more: Any) -> Any:
        began = time.perf_counter()
        try:
            return call(*args, **more)
        finally:
            spent[name] = spent.get(name, 0.0) + time.perf_counter() - began

    return timed


# ---- what was decided


def in_short(answer: Objectives) -> str:
    """The cost, and whether all was decided."""
    cost = "" if answer.cost.cost is None else f", {answer.cost.cost}"
    return f"{answer.status}{cost}; {'all decided' if decided(answer) else 'not all decided'}"


def decided(answer: Objectives) -> bool:
    """Whether nothing was left open."""
    sets = answer.winning.complete and answer.winning.all_cheapest and answer.denial.complete
    stops = all(t.stop is None or t.stop.status != "unknown" for t in answer.threats)
    known = answer.status in ("optimal", "impossible")
    return known and sets and not answer.landmarks.open and stops and not _open_values(answer)


def _open_values(answer: Objectives) -> int:
    costs = (c for o in answer.objectives for c in (o.first, o.lost, o.closed) if c is not None)
    return sum(c.status not in ("optimal", "impossible") for c in costs)


def _sets(answer: Objectives) -> str:
    winning, denial, landmarks = answer.winning, answer.denial, answer.landmarks
    more = [
        f"{len(winning.sets)} winning{'' if winning.complete else ' or more'}",
        f"{len(denial.sets)} denial{'' if denial.complete else ' or more'}",
        f"{len(landmarks.found)} landmarks{f', {len(landmarks.open)} open' if landmarks.open else ''}",
    ]
    return ", ".join(more)


def _threats(answer: Objectives) -> str:
    found = (f"{t.side} {t.cost.status}{f', {t.stop.status}' if t.stop else ''}" for t in answer.threats)
    return "; ".join(found)


def _values(answer: Objectives) -> str:
    return f"{len(answer.objectives)} objectives, {_open_values(answer)} values open"
