"""A warm planner: how long questions along seeded games take, beside a fresh `plan`, and what it keeps.

`python -m benchmarks.planner --help` says how to ask other numbers of questions.
"""

from __future__ import annotations

import argparse
import gc
import resource
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from rich.console import Console

import vclogic
from benchmarks.runner import Comparison, Timing, show
from vclogic.game import Game
from vclogic.query.plan.answer import Plan
from vclogic.query.planner.planner import Planner

AIM = "99 % of the questions back within 0.25 s at a budget of 0.2 s, none wrong; nearby ones five times cheaper"
BUDGET, LATE = 0.2, 0.25
_QUESTIONS, _LONG, _SAMPLE = 1_000, 10_000, 10
_EVENTS = 40  # of one game
_POSITIONS = 400  # among which the questions about memory are
_SIDES = ("Axis", "Allies")
_LANDS = ("Brazil", "India", "Japan", "Germany", "Russia", "Caucasus")


@dataclass(frozen=True)
class Question:
    """A question along a game.

    Attributes:
        state: The game at the moment.
        before: The same one event earlier.
        side: Who plans.
        goal: The goal.
        avoid: Events to avoid.
    """

    state: Game
    before: Game
    side: str
    goal: str
    avoid: tuple[str, ...]


@dataclass
class Seen:
    """What was measured.

    Attributes:
        first: Seconds of each question, by the clock.
        work: For each contender the processor time of each question of the sample.
        verdicts: How the questions were answered.
        wrong: Where a fresh `plan` says something else.
    """

    first: list[float] = field(default_factory=list)
    work: dict[str, list[float]] = field(default_factory=dict)
    verdicts: Counter[str] = field(default_factory=Counter)
    wrong: int = 0


def questions(seed: int, game: Game) -> Iterator[Question]:
    """Questions along games of random captures and ends of turns, one after each event."""
    rng, now, n = Random(seed), game, 0
    while True:
        n += 1
        captures = [a for kind in now.legal(event="capture").kinds for a in kind.allowed]
        before = now
        if captures and rng.random() < 0.6:
            now = now.apply("capture", **dict(rng.choice(captures).args))
        else:
            now = now.apply("end_turn")
        side = rng.choice(_SIDES)
        yield Question(now, before, side, _goal(rng, now, side), _avoided(rng))
        if n % _EVENTS == 0:
            now = game


def _goal(rng: Random, game: Game, side: str) -> str:
    points, lands = (int(game.value(f"{what}({side})") or 0) for what in ("vcp", "territories"))
    more = f"vcp({side}) >= {points + rng.randint(1, 14)}"
    wider = f"territories({side}) >= {lands + rng.randint(1, 10)}"
    return rng.choice((more, wider, f"{more} and {wider}", f'controls({side}, "{rng.choice(_LANDS)}")'))


def _avoided(rng: Random) -> tuple[str, ...]:
    return (f'capture: {{territory: "{rng.choice(_LANDS)}"}}',) if rng.random() < 0.1 else ()


def along(number: int, seed: int = 1) -> Seen:
    """Ask so many questions; of a sample, again, from the moment before, and by a fresh `plan`."""
    game = vclogic.load("axis_allies")
    planners = {side: game.planner(side) for side in _SIDES}
    game.plan("vcp(Axis) >= 30")  # what a process loads is not what is compared
    seen = Seen()
    for n, asked in zip(range(number), questions(seed, game), strict=False):
        planner = planners[asked.side]
        began = time.perf_counter()
        answer = planner.plan(asked.goal, state=asked.state, avoid=asked.avoid, budget_s=BUDGET)
        seen.first.append(time.perf_counter() - began)
        seen.verdicts[answer.status] += 1
        assert answer.replayed or answer.cost is None
        if n % _SAMPLE == 0 and not asked.avoid:
            _sample(seen, planner, asked, answer)
    return seen


def _sample(seen: Seen, planner: Planner, asked: Question, answer: Plan) -> None:
    def timed(name: str, ask: Callable[[], Plan]) -> Plan:
        began = time.process_time()
        found = ask()
        seen.work.setdefault(name, []).append(time.process_time() - began)
        return found

    fresh = timed("a fresh plan", lambda: asked.state.plan(asked.goal, side=asked.side))
    near = timed("the same goal one event earlier", lambda: _ask(planner, asked, asked.before))
    again = timed("the same question again", lambda: _ask(planner, asked, asked.state))
    earlier = asked.before.plan(asked.goal, side=asked.side)
    for said, known in ((answer, fresh), (again, fresh), (near, earlier)):
        settled = said.status in ("optimal", "impossible")
        lies = said.lower_bound is not None and known.cost is not None and said.lower_bound > known.cost
        seen.wrong += lies or (settled and (said.status, said.cost) != (known.status, known.cost))


def _ask(planner: Planner, asked: Question, state: Game) -> Plan:
    return planner.plan(asked.goal, state=state, budget_s=BUDGET)


def memory(number: int, seed: int = 2) -> Iterator[tuple[int, int, float]]:
    """What is kept after more and more questions: how many they are, Python's objects, MiB of the process now."""
    game = vclogic.load("axis_allies")
    planners = {side: game.planner(side) for side in _SIDES}
    rng, along_games = Random(seed), questions(seed, game)
    asked = [next(along_games) for _ in range(_POSITIONS)]
    for n in range(1, number + 1):
        one = rng.choice(asked)
        goal = _goal(rng, one.state, one.side)
        planners[one.side].plan(goal, state=one.state, avoid=_avoided(rng), budget_s=BUDGET)
        if n % max(number // 5, 1) == 0:
            gc.collect()
            yield n, len(gc.get_objects()), _resident()


def _resident() -> float:
    """MiB of memory that the process has now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / (1 << 20)


def run(number: int = _QUESTIONS) -> Iterator[Comparison]:
    """The questions, and those of the sample beside a fresh `plan`."""
    seen = along(number)
    yield Comparison(
        f"{number} questions along seeded games, a budget of {BUDGET} s each, by the clock",
        {"the planner": Timing(tuple(seen.first), answer=_said(seen))},
    )
    yield Comparison(
        "processor time of a sample (the ratio of medians is what counts)",
        {name: Timing(tuple(times), answer=_ratio(times, seen.work)) for name, times in seen.work.items()},
    )


def _said(seen: Seen) -> str:
    in_time = sum(s <= LATE for s in seen.first) / len(seen.first)
    verdicts = ", ".join(f"{n} {status}" for status, n in seen.verdicts.most_common())
    last = sorted(seen.first)[int(len(seen.first) * 0.99)]
    return f"{in_time:.1%} in time, 99 % within {last * 1000:.0f} ms, {seen.wrong} wrong; {verdicts}"


def _ratio(times: Sequence[float], work: dict[str, list[float]]) -> str:
    base = sorted(work["a fresh plan"])
    middle = sorted(times)[len(times) // 2]
    return f"{base[len(base) // 2] / middle:.1f} times cheaper"


def main() -> None:
    """Ask as many questions as the command line says."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.planner", description=AIM)
    parser.add_argument("--questions", type=int, default=_QUESTIONS, metavar="N")
    parser.add_argument("--memory", type=int, default=0, metavar="N", help=f"also what is kept after N ({_LONG:,})")
    given = parser.parse_args()
    console = Console(width=150, highlight=False)
    for comparison in run(given.questions):
        show(console, comparison)
    for n, objects, resident in memory(given.memory) if given.memory else ():
        console.print(f"after {n:,} questions: {objects:,} objects, {resident:.0f} MiB")


if __name__ == "__main__":
    main()
