"""All positions that play can reach, by plain Python, with nothing of the fast explorer in it."""

from __future__ import annotations

from itertools import product

import numpy as np

from vclogic.encode.python.evaluator import OutOfBounds, apply, failed, interpret
from vclogic.explore.endings import endings
from vclogic.explore.expansion import NOBODY, SEVERAL, STUCK, Explored
from vclogic.model.actions import Event
from vclogic.model.fluents import State
from vclogic.model.step_text import decider
from vclogic.model.system import System


def all_events(system: System) -> list[Event]:
    """Every event with every value of its arguments."""
    found = []
    for schema in system.events:
        for values in product(*(p.values for p in schema.parameters)):
            found.append(
                Event(schema.name, tuple((p.name, v) for p, v in zip(schema.parameters, values, strict=True)))
            )
    return found


def explored(system: System, start: State) -> Explored:
    """The positions from a start on, up to where the game is decided."""
    events, final = all_events(system), endings(system).final
    slot, sides = system.layout.slot, list(system.sides)
    number, depth, states = {start: 0}, [0], [start]
    first, target, event, mover = [0], [], [], []
    for here, state in enumerate(states):
        actors = set()
        for i, e in enumerate(events) if not interpret(final, slot, state) else ():
            action = system.action(e)
            try:
                if failed(system, state, action):
                    continue
                after = apply(system, state, action)
            except OutOfBounds:
                continue
            if after not in number:
                number[after] = len(states)
                states.append(after)
                depth.append(depth[here] + 1)
            target.append(number[after])
            event.append(i)
            who = decider(action.actor, system.layout.values(state))
            side = None if who is None else system.side_of(who)
            actors.add(NOBODY if side is None else sides.index(side))
        first.append(len(target))
        mover.append(STUCK if not actors else SEVERAL if len(actors) > 1 else actors.pop())
    s, d, f, t, e = (np.array(x, np.int64) for x in (states, depth, first, target, event))
    return Explored(s, d, f, t, e, events, np.array(mover, np.int8), True, "")
