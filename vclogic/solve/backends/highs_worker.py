"""The process that runs HiGHS on mixed-integer programs, read from standard input as JSON lines.

It is separate from vclogic so that it can be killed. When standard input closes, because its owner has died or needs
no answer, the process ends at once, whatever HiGHS is doing.

A request is `{"id", "columns", "rows", "objective", "first", "best", "seconds"}`; lines `{"best": cost}` may follow,
with what other processes found, and once it is answered another request. As `plans` it looks for cheap solutions
(`pricing.py`), as `proof` it closes a tree of relaxations (`branch_and_bound.py`). Each line of an answer tells what
is found; the last one has a `"status"` as well.
"""

from __future__ import annotations

import json
import math
import os
import queue
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from typing import Any, TextIO

Json = dict[str, Any]


class Requests:
    """Reads standard input in a thread of its own."""

    def __init__(self) -> None:
        self._waiting: queue.Queue[Json] = queue.Queue()
        self._told: list[Callable[[float], None]] = []
        self._known = math.inf

    def read(self) -> None:
        """Read lines until standard input closes; then end the process."""
        try:
            for line in sys.stdin:
                request = json.loads(line)
                if "columns" in request:
                    self._told, self._known = [], math.inf  # the program before is done with
                    self._waiting.put(request)
                else:
                    self._known = min(self._known, request["best"])
                    for tell in self._told:
                        tell(self._known)
        finally:
            os._exit(0)

    def next(self) -> Json:
        """The next program."""
        return self._waiting.get()

    def listen(self, tell: Callable[[float], None]) -> None:
        """Call a function with what other processes find, and have found so far."""
        self._told.append(tell)
        tell(self._known)


def serve(engine: str, requests: Requests, answers: TextIO) -> None:
    """Answer the next request.

    Args:
        engine: `plans` or `proof`.
        answers: The stream for the answers.
    """
    request = requests.next()

    def say(**found: Any) -> None:
        answers.write(json.dumps({"id": request["id"], **found}) + "\n")
        answers.flush()

    try:
        answer = solve(engine, request, say, requests.listen)
    except Exception as error:  # whatever goes wrong, there is just no answer
        answer = {"status": "unknown", "reason": str(error) or type(error).__name__}
    say(**answer)


def solve(
    engine: str,
    request: Mapping[str, Any],
    tell: Callable[..., None],
    listen: Callable[[Callable[[float], None]], None] = lambda tell: None,
) -> Json:
    """Run HiGHS on one program.

    Args:
        engine: `plans` or `proof`.
        request: The program, groups of columns to branch on first, the cost that solutions must beat, and the time
            limit in seconds.
        tell: Called with parts of the answer.
        listen: Registers a function that is called with what other processes find.

    Returns:
        The end of the answer: its `status`, and the `reason` if that is `unknown`.
    """
    from vclogic.solve.backends import branch_and_bound, highs_program, pricing
    from vclogic.solve.backends.libraries import np

    deadline = time.monotonic() + request["seconds"]
    program = highs_program.HighsProgram(request)
    best = pricing.SharedBound(math.inf if request["best"] is None else request["best"])

    def lower(cost: float) -> None:
        best.cost = min(best.cost, cost)

    listen(lower)
    if engine == "plans":
        return pricing.search(program, best, deadline, tell)
    groups = [
        (np.array([c for c, _ in group], dtype=np.int64), np.array([k for _, k in group], dtype=float))
        for group in request["first"]
    ]
    return branch_and_bound.BranchTree(program, best, groups, deadline, tell).search()


def main(engine: str, answers: TextIO) -> None:
    """Answer requests from standard input.

    Args:
        engine: `plans` or `proof`.
        answers: The stream for the answers.
    """
    requests = Requests()
    threading.Thread(target=requests.read, daemon=True).start()
    with suppress(Exception):  # while the program is still being made; what is amiss is told when it comes
        import_module("vclogic.solve.backends.branch_and_bound")
        import_module("vclogic.solve.backends.pricing")
    while True:
        serve(engine, requests, answers)
