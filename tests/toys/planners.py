"""Planners of small maps, and random conditions on their plans with their meaning in plain Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.oracles.captures import Moment, World
from tests.oracles.captures_under import Capture
from tests.toys.small_maps import SIDES, TESTS, SmallMap, quoted
from tests.toys.wide_maps import far, mix
from vclogic.model.fluents import State
from vclogic.model.system import IDLE, System
from vclogic.query.planner.planner import Planner

Pattern = tuple[str, Callable[[Capture], bool]]
Keep = tuple[str, Callable[[World, Moment], bool]]


@dataclass(frozen=True)
class Home:
    """A small map as a planner takes a game."""

    system: System
    game: str = "small"
    settings: None = None
    board: None = None
    chosen_in_words: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)


def planner_of(m: SmallMap, side: str | None, metric: str | None = None, opponent: str = IDLE) -> Planner:
    """A planner of a side on a map."""
    return planner_on(m.system, m.state, side, metric, opponent)


def planner_on(
    system: System, state: State, side: str | None, metric: str | None = None, opponent: str = IDLE
) -> Planner:
    """A planner of a side from a state."""
    return Planner(Home(system), state, side, metric, opponent)  # type: ignore[arg-type]


def pattern(rng: Random, m: SmallMap, side: str) -> Pattern:
    """Some captures, and a test of them in plain Python."""
    land = rng.choice(m.world.land)
    power = rng.choice([p for p in m.world.order if m.world.side_of[p] == side])
    return rng.choice(
        (
            (f"capture: {{territory: {land}}}", lambda c: c[1] == land),
            (f"capture: {{power: {power}}}", lambda c: c[0] == power),
            (f"capture: {{power: {power}, territory: {land}}}", lambda c: c == (power, land)),
        )
    )


def what_to_keep(rng: Random, m: SmallMap, side: str) -> Keep:
    """Something that may hold or not after captures, and as turns pass."""
    kind = rng.randrange(5)
    if kind < 3:
        text, worth = mix(rng, m.world)
        test = rng.choice((">=", "<=", "<=", "!="))
        number = worth(m.world, rng.choice((far(rng, m, side), m.start)))
        return f"{text} {test} {number}", lambda w, at: TESTS[test](worth(w, at), number)
    if kind == 3:
        land, other = rng.choice(m.world.land), rng.choice(SIDES)
        return f"controls({other}, {quoted(land)})", lambda w, at: land in w.lands(at.owners, other)
    last = rng.randint(1, 4)
    return f"round <= {last}", lambda w, at: at.round <= last
