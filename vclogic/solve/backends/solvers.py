"""Starts solvers: each in a process of its own, or, where there are no processes, in this one."""

from __future__ import annotations

from vclogic.solve.backends.inside import Inside
from vclogic.solve.backends.process import APART, Process

Solver = Process | Inside


def started(engine: str) -> Solver:
    """A solver with an engine of z3.

    Args:
        engine: Name of the engine, one of `z3_engine.ENGINES` or `z3_engine.PROVERS`.
    """
    return Process(engine) if APART else Inside(engine)
