"""The positions that play can reach, and the events between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from vclogic.model.actions import Event

NOBODY, SEVERAL, STUCK, UNSEEN = -1, -2, -3, -4
"""The mover of a position without a single deciding side; see `Explored.mover`."""


@dataclass(frozen=True)
class Explored:
    """The positions that were reached and the events between them.

    Attributes:
        states: A row per position, a column per fluent; row 0 is the start, breadth-first.
        depth: Fewest events from a start.
        first: The events of position i are `first[i]` to `first[i + 1]`.
        target: For each of them the position that it leads to.
        event: For each of them its number in `events`.
        events: All events.
        mover: Who decides: the number of a side; -1: nobody, all legal events are forced; -2: more than one; -3: no
            event is legal; -4: its events were not looked at, since the search was cut off.
        complete: Whether all reachable positions are there.
        reason: Why not.
    """

    states: np.ndarray[Any, Any]
    depth: np.ndarray[Any, Any]
    first: np.ndarray[Any, Any]
    target: np.ndarray[Any, Any]
    event: np.ndarray[Any, Any]
    events: Sequence[Event]
    mover: np.ndarray[Any, Any]
    complete: bool
    reason: str
