"""A second look at a set of positions, one by one in Python, without the arrays and keys that found it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from vclogic.clock import OFTEN, look
from vclogic.encode.evaluator import compile_term, compile_terms
from vclogic.explore.events import Facts, Possible
from vclogic.model.fluents import State
from vclogic.terms.term import Term

Array = Any
"""A NumPy array."""


def closed(facts: Facts, start: State, states: Array, events: Sequence[Possible], goal: Term) -> bool:
    """True if a set of positions holds the start, no event leads out of it, and a goal holds nowhere in it.

    Args:
        states: The set, a row for each position.
        goal: Bool, over fluents.

    Raises:
        TimeUp: The deadline has passed.
    """
    known = set(map(tuple, states.tolist()))
    if start not in known:
        return False
    holds = compile_term(goal, facts.slot)
    guards = compile_terms([p.guard for p in events], facts.slot)
    places = [[facts.slot[fluent] for fluent, _ in p.effects] for p in events]
    effects = [compile_terms([new for _, new in p.effects], facts.slot) for p in events]
    for n, state in enumerate(known):
        if not n & OFTEN:
            look()
        if holds(state):
            return False
        for number, happens in enumerate(guards(state)):
            if happens:
                after = list(state)
                for place, x in zip(places[number], effects[number](state), strict=True):
                    after[place] = int(x)
                if tuple(after) not in known:
                    return False
    return True
