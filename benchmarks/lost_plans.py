"""Plans that are lost: found and told of before the time is up, and not in the answer.

Positions of the armies of 1942 are drawn at random, and each is asked about with little time, by `plan`, by `plan`
within a horizon, and by a planner that is warm. Nothing that was told may be better than what the answer says.

`python -m benchmarks.lost_plans --positions 40 --seconds 1 5` draws the positions, the same each time.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from random import Random

from rich.console import Console
from rich.table import Table

from vclogic import load
from vclogic.errors import InputError
from vclogic.game import Game
from vclogic.progress import Progress
from vclogic.query.plan.answer import Plan
from vclogic.terms.vocabulary import kinds_of

_TURNS, _TRIES = 5, 40
_HORIZON = 4
_KINDS = ("plan lost", "cheaper told", "bound lost")


@dataclass(frozen=True)
class Drawn:
    """A position with a goal.

    Attributes:
        game: The position.
        side: Who plans.
        goal: The goal.
    """

    game: Game
    side: str
    goal: str


@dataclass
class Told:
    """What was told while a plan was looked for.

    Attributes:
        plans: The cost of each better plan.
        bounds: The bounds told with them.
        progress: The reports.
    """

    plans: list[int] = field(default_factory=list)
    bounds: list[int] = field(default_factory=list)
    progress: list[Progress] = field(default_factory=list)

    def better(self, plan: Plan, bound: int | None = None) -> None:
        """Take a better plan."""
        assert plan.cost is not None, "it is a plan"
        self.plans.append(plan.cost)
        self.bounds += [n for n in (bound, plan.lower_bound) if n is not None]

    def wrong(self, answer: Plan) -> Iterator[str]:
        """The kinds of what was told and is more than the answer says."""
        costs = [*self.plans, *(p.cost for p in self.progress if p.cost is not None)]
        bounds = [*self.bounds, *(p.bound for p in self.progress if p.bound)]
        if costs and answer.cost is None:
            yield "plan lost"
        elif answer.cost is not None and min(costs, default=answer.cost) < answer.cost:
            yield "cheaper told"
        known = answer.lower_bound if answer.lower_bound is not None else 0
        if answer.status != "impossible" and max(bounds, default=0) > known:
            yield "bound lost"


def drawn(seed: int) -> Iterator[Drawn]:
    """Positions after some turns with marches, each with a goal that takes a few more points."""
    rng = Random(seed)
    start = load("axis_allies").with_options(level="armies", theatre="land")
    lands = kinds_of(start.setup.system.vocabulary)["territory"]
    while True:
        game = start
        for _ in range(rng.randrange(_TURNS + 1)):
            for _ in range(_TRIES):
                here = rng.choice(lands.members)
                there = rng.choice(lands.around(here) or [here])
                given = {"unit": rng.choice(("infantry", "armour")), "count": rng.randrange(1, 4)}
                with suppress(InputError):
                    game = game.apply("march", **given, **{"from": here, "to": there})
            with suppress(InputError):
                game = game.apply("end_turn")
        side = rng.choice(("Axis", "Allies"))
        now = game.value(f"vcp({side})")
        assert isinstance(now, int), "points are a number"
        yield Drawn(game, side, f"vcp({side}) >= {now + rng.randrange(2, 15)}")


def by_plan(within: int | None, asked: Drawn, seconds: float, told: Told) -> Plan:
    """Ask `plan`."""
    return asked.game.plan(
        asked.goal,
        side=asked.side,
        timeout=seconds,
        within=within,
        on_better=told.better,
        progress=told.progress.append,
    )


def by_planner(asked: Drawn, seconds: float, told: Told) -> Plan:
    """Ask a planner that is warm."""
    planner = asked.game.planner(asked.side)
    return planner.plan(asked.goal, budget_s=seconds, on_better=told.better)


CONTENDERS: dict[str, Callable[[Drawn, float, Told], Plan]] = {
    "plan": partial(by_plan, None),
    f"plan within {_HORIZON}": partial(by_plan, _HORIZON),
    "planner": by_planner,
}


def table(seed: int, positions: int, seconds: Sequence[float]) -> Table:
    """Each contender with each limit: what it answers, and how often it lost something."""
    found = Table("asked", "seconds", "optimal", "feasible", "unknown", "other", *_KINDS)
    some = [asked for asked, _ in zip(drawn(seed), range(positions), strict=False)]
    for name, contender in CONTENDERS.items():
        for limit in seconds:
            seen: Counter[str] = Counter()
            for asked in some:
                told = Told()
                answer = contender(asked, limit, told)
                seen[answer.status] += 1
                seen.update(told.wrong(answer))
            other = positions - seen["optimal"] - seen["feasible"] - seen["unknown"]
            row = [seen[s] for s in ("optimal", "feasible", "unknown")] + [other] + [seen[k] for k in _KINDS]
            found.add_row(name, f"{limit:g}", *map(str, row))
    return found


def main() -> None:
    """Show the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lost_plans", description=__doc__)
    parser.add_argument("--positions", type=int, default=40)
    parser.add_argument("--seconds", type=float, nargs="+", default=[1.0, 5.0])
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    Console(width=120).print(table(given.seed, given.positions, given.seconds))


if __name__ == "__main__":
    main()
