"""Positions of Axis & Allies, of which each is one capture from the next."""

from __future__ import annotations

from random import Random

from vclogic.model.fluents import State
from vclogic.model.system import System

_CAPTURES, _BID, _CHANCE = 32, 3, 1942


def positions(system: System, state: State) -> list[State]:
    """Positions of which each is one capture from the next, and the first from the last; the same every time."""
    chance = Random(_CHANCE)
    slot = system.layout.slot
    now = list(state)
    now[slot[system.layout.by_name["bid"]]] = _BID
    found = [tuple(now)]
    for fluent in chance.sample(list(system.layout.families["owner"].fluents.values()), _CAPTURES):
        now[slot[fluent]] = chance.choice([n for n in range(fluent.hi + 1) if n != now[slot[fluent]]])
        found.append(tuple(now))
    return found + found[-2:0:-1]
