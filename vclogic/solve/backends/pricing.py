"""Search for cheap solutions of a program among columns of small reduced cost, in the process that runs HiGHS.

A solution that costs less than `best` uses no column whose reduced cost exceeds `best` minus the relaxation's value,
so once a solution is known few columns remain (reduced-cost fixing). In floating point this also proves optimality.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from vclogic.clock import TIME_UP
from vclogic.solve import budgets
from vclogic.solve.backends.highs_program import Array, HighsProgram, whole_numbers
from vclogic.solve.backends.libraries import np
from vclogic.solve.backends.messages import SLACK

Json = dict[str, Any]
_SHARES = (0.1, 0.2, 0.5, 1.0, math.inf)  # reduced costs up to which columns are looked at


@dataclass
class SharedBound:
    """The least cost known, from whichever process found it.

    Attributes:
        cost: The cost, which solutions must beat; infinite if none is known.
    """

    cost: float = math.inf


def search(program: HighsProgram, best: SharedBound, deadline: float, tell: Callable[..., None]) -> Json:
    """Search for ever cheaper solutions.

    Args:
        best: The least cost known; other processes may lower it.
        deadline: When to stop, on the clock of `time.monotonic`.
        tell: Called with `solution=` and `bound=` as they are found.

    Returns:
        The status: `optimal` if nothing is cheaper than the best known solution, else `unknown`.
    """
    root = program.relaxed.solve({}, deadline - time.monotonic())
    if root is None:
        return {"status": "unknown", "reason": TIME_UP}
    told = -math.inf

    def bounded(value: float) -> None:
        nonlocal told
        if math.isfinite(value) and math.ceil(value - SLACK) > told:
            told = math.ceil(value - SLACK)
            tell(bound=value)

    bounded(root.value)

    def better(solution: Array) -> None:
        cost = float(program.cost @ solution)
        if cost < best.cost and program.satisfied(solution):
            best.cost = cost
            tell(solution=[int(x) for x in solution])

    # A column whose reduced cost exceeds the room is in no cheaper solution. Few columns find solutions sooner, and
    # each solution makes the room smaller; only the last round, with all columns in the room, is a proof.
    for share in _SHARES:
        left, room = deadline - time.monotonic(), best.cost - 1 - root.value + SLACK
        if left <= 0 or room < 0:
            break
        within = min(share, room)
        kept = np.flatnonzero(program.open & ((root.reduced <= within) | (root.solution > 1e-9) | (program.lo != 0)))
        reach = root.value + within

        def bound(value: float, reach: float = reach) -> None:
            bounded(min(value, reach, best.cost))

        found = whole_numbers(
            program, kept, best.cost - 1, left if share >= room else left * budgets.PRICED_COLUMNS, better, bound
        )
        if found.solution is not None:
            better(found.solution)
        if found.closed and (share >= room or not math.isfinite(share)):
            return {"status": "optimal"}
        if found.closed:
            bounded(min(reach, best.cost))
    closed = root.value > best.cost - 1 + SLACK
    return {"status": "optimal"} if closed else {"status": "unknown", "reason": TIME_UP}
