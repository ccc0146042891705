"""Values that nobody means well with, and what the methods of `Game` and `Planner` take."""

from __future__ import annotations

import inspect
import math
from collections.abc import Iterator
from typing import Any

from tests.fixtures.games import loaded
from vclogic.game import Game
from vclogic.query.planner.planner import Planner

LISTED: list[Any] = []
LISTED.append(LISTED)
WRONG: tuple[Any, ...] = (
    None,
    "",
    "no such",
    "\0\ud800",
    "x" * 20_000,
    0,
    -1,
    10**30,
    10**5_000,
    True,
    1.5,
    math.nan,
    math.inf,
    -math.inf,
    b"no such",
    (),
    (1, 2),
    ("no such", None),
    [],
    [None],
    ["no such"],
    LISTED,
    {},
    {"no such": 1},
    {1: None},
    {"round": 10**30},
    {"round": [None]},
    {"owner": {"no such": object()}},
    set(),
    object(),
)
FOREIGN = "moscow/small"
"""A game whose moments, states and answers are handed over."""


def foreign() -> tuple[Any, ...]:
    """What belongs to another game."""
    other = loaded(FOREIGN)
    plan = other.plan("uncovered_rows(German) == 0", timeout=60)
    briefing = other.objectives(side="German", timeout=0.01)
    assert plan.record is not None
    return (
        other,
        other.state,
        plan,
        briefing,
        list(plan.steps),
        list(plan.record.events or ()),
        other.ask("round == 1"),
    )


def methods() -> Iterator[tuple[type, str]]:
    """All public methods of a game and of a planner."""
    for cls in (Game, Planner):
        yield from ((cls, n) for n in dir(cls) if not n.startswith("_") and callable(getattr(cls, n)))


def parameters(cls: type, name: str) -> dict[str, bool]:
    """The arguments of a method by their names, each with whether it must be given."""
    found: dict[str, bool] = {}
    for p in list(inspect.signature(getattr(cls, name)).parameters.values())[
        not inspect.ismethod(getattr(cls, name)) :
    ]:
        if p.kind is not p.VAR_KEYWORD:
            found[p.name] = p.default is p.empty
    return found
