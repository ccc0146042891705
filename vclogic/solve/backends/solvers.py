"""Starts solvers: each in a process of its own, or, where there are no processes, in this one."""

from __future__ import annotations

import sys

from vclogic.solve.backends.inside import Inside
from vclogic.solve.backends.process import Process

Solver = Process | Inside
APART: bool = sys.platform != "emscripten"
"""Whether there are processes: not in a browser."""


def started(engine: str) -> Solver:
    """A solver with an engine of z3.

    Args:
        engine: Name of the engine, one of `z3_engine.ENGINES` or `z3_engine.PROVERS`.
    """
    return Process(engine) if APART else Inside(engine)
