"""Who has won, state by state: all anew, and following one capture after the other; others are in `make race`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import vclogic
from benchmarks.questions import GAME
from benchmarks.race.ours import judging
from benchmarks.race.positions import positions
from benchmarks.runner import Comparison, side_by_side
from vclogic.encode.evaluator import Tracker
from vclogic.model.fluents import State, Value
from vclogic.model.system import System
from vclogic.terms.term import Term

AIM = "what changed costs less than the whole"
_POINTS = "vcp(Axis)"

Contender = tuple[Callable[[Any], object], Sequence[Any]]
"""What evaluates one state, and the states in the form that it takes."""


def run() -> Iterator[Comparison]:
    """A whole status, and one number of it."""
    game = vclogic.load(GAME)
    system = game.setup.system
    states = positions(system, game.state)
    changes = _changes(system, states)
    evaluator = judging(system)
    yield _compare(
        "one status: vcp of both sides and the conditions of six outcomes",
        {
            "compiled": (evaluator.evaluate, states),
            "incremental, after one capture": (partial(_follow, evaluator.track(states[-1])), changes),
        },
    )
    yield _compare(
        f"one number: {_POINTS}",
        {
            "compiled": (partial(evaluator.value, _POINTS), states),
            "incremental, after one capture": (partial(_points, evaluator.track(states[-1])), changes),
        },
    )


def _compare(title: str, contenders: Mapping[str, Contender]) -> Comparison:
    calls = {name: partial(_each, *contender) for name, contender in contenders.items()}
    answers = {name: call() for name, call in calls.items()}
    first, expected = next(iter(answers.items()))
    for name, answer in answers.items():
        assert answer == expected, f"{name} and {first} differ"
    return Comparison(title, side_by_side(calls, per=len(expected)))


def _each(evaluate: Callable[[Any], object], states: Sequence[Any]) -> list[object]:
    return [evaluate(state) for state in states]


def _changes(system: System, states: Sequence[State]) -> list[dict[Term, int]]:
    """What each state changes in the one before it."""
    found = []
    for before, after in zip([states[-1], *states[:-1]], states, strict=True):
        pairs = zip(system.layout.fluents, before, after, strict=True)
        found.append({fluent: new for fluent, old, new in pairs if old != new})
    return found


def _follow(tracker: Tracker, capture: Mapping[Term, int]) -> Mapping[str, Value]:
    tracker.change(capture)
    return tracker.values()


def _points(tracker: Tracker, capture: Mapping[Term, int]) -> Value:
    tracker.change(capture)
    return tracker[_POINTS]
