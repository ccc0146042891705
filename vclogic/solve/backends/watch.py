"""Waits for several solvers: processes work by themselves, and those in this process while it waits."""

from __future__ import annotations

import math
import selectors
from typing import Protocol

from vclogic.clock import Deadline, patience

Reported = list[tuple[selectors.SelectorKey, int]]


class WorkingSolver(Protocol):
    """A solver that works while it is waited for."""

    @property
    def busy(self) -> bool:
        """True if it has something to do."""

    @property
    def answered(self) -> bool:
        """True if it has an answer that was not taken yet, or never will have one."""

    def work(self, seconds: float) -> None:
        """Work for some time, at most about so many seconds."""


class Watch(getattr(selectors, "PollSelector", selectors.SelectSelector)):  # type: ignore[misc]
    """Waits for several solvers; unlike other selectors it needs no file descriptor of its own.

    Where the system cannot poll there are no processes to watch either, only solvers in this process.
    """

    def __init__(self) -> None:
        super().__init__()
        self._inside: dict[WorkingSolver, selectors.SelectorKey] = {}

    def attach(self, solver: WorkingSolver, owner: object) -> None:
        """Let a solver in this process work while others are waited for; its owner is reported."""
        self._inside[solver] = selectors.SelectorKey(-1, -1, selectors.EVENT_READ, owner)

    def detach(self, solver: WorkingSolver) -> None:
        """Let a solver in this process work no more."""
        self._inside.pop(solver, None)

    def select(self, timeout: float | None = None) -> Reported:
        """As `PollSelector.select`; it may return sooner with nothing, where another thread may stop this one.

        Where nothing is watched that could ever answer, it returns at once.
        """
        found: Reported
        if not self._inside:
            found = super().select(None if timeout is None else patience(timeout))
            return found
        deadline = Deadline(math.inf if timeout is None else timeout)
        while True:
            found = [(key, selectors.EVENT_READ) for solver, key in self._inside.items() if solver.answered]
            found += super().select(0) if self.get_map() else []
            busy = [solver for solver in self._inside if solver.busy]
            if found or not busy or deadline.left <= 0:
                return found
            for solver in busy:
                solver.work(deadline.left)
                if solver.answered:
                    break
