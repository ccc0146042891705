"""`python -m benchmarks [NAME ...]`: runs the benchmarks, or those named."""

from __future__ import annotations

import argparse
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import z3
from rich.console import Console

from benchmarks import status
from benchmarks.runner import Comparison, show

class Benchmark(NamedTuple):
    """A benchmark.

    Attributes:
        aim: What it is meant to show.
        run: Measures.
    """

    aim: str
    run: Callable[[], Iterator[Comparison]]


BENCHMARKS = {
    "status": Benchmark(status.AIM, status.run),
}
def main() -> None:
    """Run the benchmarks that the command line names, or all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHMARKS))
    names = parser.parse_args().names
    console = Console(width=None if sys.stdout.isatty() else 120, highlight=False)
    for name in names or BENCHMARKS:
        console.rule(name)
        for comparison in BENCHMARKS[name].run():
            show(console, comparison)
main()
