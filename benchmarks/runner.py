"""Timing contenders side by side, and the table that shows it."""

from __future__ import annotations

import multiprocessing
import statistics
import time
import timeit
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from multiprocessing.connection import Connection

from rich.console import Console
from rich.table import Table

_UNITS = (("s", 1.0), ("ms", 1e3), ("µs", 1e6))
_GRACE = 2.0  # seconds beyond the limit, for a contender that says itself how far it came


@dataclass(frozen=True)
class Timing:
    """How long a contender took.

    Attributes:
        seconds: For each repetition; empty if it did not finish.
        limit: How long it was given, if it did not finish.
        answer: What it found, or how far it came.
    """

    seconds: tuple[float, ...] = ()
    limit: float | None = None
    answer: str = ""

    @property
    def best(self) -> float:
        """The shortest repetition; the limit, if none finished."""
        return min(self.seconds) if self.seconds else self.limit or 0.0


@dataclass(frozen=True)
class Answer:
    """What a contender found.

    Attributes:
        text: In words.
        finished: Whether it is the answer, or only how far it came.
    """

    text: str
    finished: bool = True


@dataclass(frozen=True)
class Comparison:
    """Contenders that did the same; the ratios are to the first.

    Attributes:
        title: What they did.
        timings: Each contender's time.
    """

    title: str
    timings: Mapping[str, Timing]


# ---- measuring


def side_by_side(
    calls: Mapping[str, Callable[[], object]],
    *,
    rounds: int = 9,
    share: float = 0.02,
    per: int = 1,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, Timing]:
    """Times short calls in turn, so that a busy machine is as hard on each of them.

    Args:
        calls: The contenders.
        rounds: How often each is timed.
        share: The least seconds of one measurement: a short call is repeated that often.
        per: How many units of work are in a call; what is reported is the time of one.
        clock: What is measured, in seconds; the time of this process alone is `time.process_time`.
    """
    timers = {name: timeit.Timer(call, timer=clock) for name, call in calls.items()}
    loops = {name: max(1, round(share / max(timer.timeit(1), 1e-9))) for name, timer in timers.items()}
    found: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(rounds):
        for name, timer in timers.items():
            found[name].append(timer.timeit(loops[name]) / loops[name] / per)
    return {name: Timing(tuple(seconds)) for name, seconds in found.items()}


def within(
    limit: float, calls: Mapping[str, Callable[[float], Answer]], *, runs: int = 3, budget: float = 4.0
) -> dict[str, Timing]:
    """Times calls that may not end, each in a process that is killed after the limit.

    Args:
        limit: Seconds for one run; the call is told, and may stop by itself.
        calls: The contenders.
        runs: How often each is timed.
        budget: No further run is started of a contender that has taken so many seconds.
    """
    found: dict[str, Timing] = {}
    unsettled = dict(calls)
    for _ in range(runs):
        for name, call in list(unsettled.items()):
            found[name] = _with_run(found.get(name, Timing()), _forked(call, limit), limit)
            if found[name].limit is not None or sum(found[name].seconds) > budget:
                del unsettled[name]
    return found


def _with_run(before: Timing, run: tuple[float, Answer] | None, limit: float) -> Timing:
    """The timing with one more run; one that did not finish makes the rest void."""
    if run is None:
        return Timing(limit=limit)
    seconds, answer = run
    if not answer.finished:
        return Timing(limit=limit, answer=answer.text)
    return Timing((*before.seconds, seconds), answer=answer.text)


def _forked(call: Callable[[float], Answer], limit: float) -> tuple[float, Answer] | None:
    """Seconds and answer of a call in a process of its own; None if it had to be killed."""
    receiver, sender = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.get_context("fork").Process(target=_timed, args=(call, limit, sender))
    child.start()
    sender.close()
    try:
        if not receiver.poll(limit + _GRACE):
            return None
        found: tuple[float, Answer] = receiver.recv()
        return found
    except EOFError as error:
        raise RuntimeError("a contender failed; see above") from error
    finally:
        child.kill()
        child.join()
        receiver.close()


def _timed(call: Callable[[float], Answer], limit: float, sender: Connection) -> None:
    began = time.perf_counter()
    answer = call(limit)
    sender.send((time.perf_counter() - began, answer))


# ---- showing


def show(console: Console, comparison: Comparison) -> None:
    """Prints a table: best and median time, and the ratio of the best times to the first contender's."""
    table = Table(title=comparison.title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    table.add_column("contender", min_width=45)
    for heading in ("best", "median", "ratio"):
        table.add_column(heading, justify="right", min_width=8, no_wrap=True)
    table.add_column("answer", no_wrap=True)
    base = next(iter(comparison.timings.values()))
    for name, timing in comparison.timings.items():
        over = "> " if timing.limit is not None else ""
        median = duration(statistics.median(timing.seconds)) if timing.seconds else ""
        ratio = over + _factor(timing.best / base.best) if base.limit is None else ""
        table.add_row(name, over + duration(timing.best), median, ratio, timing.answer)
    console.print(table, "")


def duration(seconds: float) -> str:
    """A time in the unit that suits it."""
    unit, factor = next((u for u in _UNITS if seconds * u[1] >= 1), _UNITS[-1])
    return f"{seconds * factor:.3g} {unit}"


def _factor(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 10 else f"{ratio:.2f}"
