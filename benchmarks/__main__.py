"""`python -m benchmarks [NAME ...]`: what our own choices are measured by; others are raced in `benchmarks.race`."""

from __future__ import annotations

import argparse
import platform
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import z3
from rich.console import Console

from benchmarks import (
    army_odds,
    ask,
    asl,
    best_play,
    board,
    bridge,
    check,
    deadlines,
    growth,
    objectives,
    odds,
    one_hot,
    page,
    page_load,
    planner,
    positions,
    rulebooks,
    serve,
    startup,
    studies,
)
from benchmarks.machine import machine
from benchmarks.runner import Comparison, show


class Benchmark(NamedTuple):
    """A benchmark.

    Attributes:
        aim: What it is to show.
        run: Measures it.
    """

    aim: str
    run: Callable[[], Iterator[Comparison]]


BENCHMARKS = {
    "bridge": Benchmark(bridge.AIM, bridge.run),
    "positions": Benchmark(positions.AIM, positions.run),
    "board": Benchmark(board.AIM, board.run),
    "serve": Benchmark(serve.AIM, serve.run),
    "page": Benchmark(page.AIM, page.run),
    "page_load": Benchmark(page_load.AIM, page_load.run),
    "rulebooks": Benchmark(rulebooks.AIM, rulebooks.run),
    "studies": Benchmark(studies.AIM, studies.run),
    "startup": Benchmark(startup.AIM, startup.run),
    "encodings": Benchmark(one_hot.AIM, one_hot.run),
    "ask": Benchmark(ask.AIM, ask.run),
    "asl": Benchmark(asl.AIM, asl.run),
    "army_odds": Benchmark(army_odds.AIM, army_odds.run),
    "best_play": Benchmark(best_play.AIM, best_play.run),
    "check": Benchmark(check.AIM, check.run),
    "growth": Benchmark(growth.AIM, growth.run),
    "planner": Benchmark(planner.AIM, planner.run),
    "deadlines": Benchmark(deadlines.AIM, deadlines.run),
    "odds": Benchmark(odds.AIM, odds.run),
    "objectives": Benchmark(objectives.AIM, objectives.run),
}


def main() -> None:
    """Run the benchmarks that the command line names."""
    console = Console(width=None if sys.stdout.isatty() else 130, highlight=False)
    began = time.monotonic()
    names = _names()
    console.print(_machine(), "Ratios are of the best times, to the first line of each table.", "", sep="\n")
    for name in names:
        console.print(f"[bold underline]{name}[/]  aim: {BENCHMARKS[name].aim}", "", sep="\n")
        for comparison in BENCHMARKS[name].run():
            show(console, comparison)
    console.print(f"{_machine()}\n{time.monotonic() - began:.0f} s in all")


def _names() -> Sequence[str]:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure the choices made in vclogic.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"all by default; of {', '.join(BENCHMARKS)}")
    names: list[str] = parser.parse_args().names
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        parser.error(f"no benchmark {', '.join(unknown)}; there are {', '.join(BENCHMARKS)}")
    return names or list(BENCHMARKS)


def _machine() -> str:
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{machine()}; {python}, z3 {z3.get_version_string()}"


if __name__ == "__main__":
    main()
