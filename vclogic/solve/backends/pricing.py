"""Cheap solutions of a program among the columns whose reduced costs are small, in the process that runs HiGHS.

A solution that costs less than `best` uses no column whose reduced cost is more than `best` less the relaxation's
value, so once a solution is known few columns are left. That also proves that there is none, in floating point.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from vclogic.clock import TIME_UP
from vclogic.solve import budgets
from vclogic.solve.backends.highs_program import Array, Program, whole_numbers
from vclogic.solve.backends.libraries import np
from vclogic.solve.backends.messages import SLACK

Json = dict[str, Any]
_SHARES = (0.1, 0.2, 0.5, 1.0, math.inf)  # reduced costs up to which columns are looked at


@dataclass
class Best:
    """The least cost that is known, from whichever process found it.

    Attributes:
        cost: The cost; infinite where none is known. Solutions are looked for that cost less.
    """

    cost: float = math.inf


def search(program: Program, best: Best, deadline: float, tell: Callable[..., None]) -> Json:
    """Looks for ever cheaper solutions.

    Args:
        program: The program.
        best: The least cost known; also changed by others meanwhile.
        deadline: When to stop, as of `time.monotonic`.
        tell: Told `solution=` and `bound=` as they are found.

    Returns:
        The status: `optimal`: nothing is cheaper than the best known; `unknown`.
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
