"""The positions that the explorer finds, against plain Python."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
from tests.toys.skirmish_rules import rules
from tests.toys.skirmishes import skirmish

from tests.explore.slow_explorer import explored as slowly
from vclogic.explore.endings import endings
from vclogic.explore.explored import Explored
from vclogic.explore.search import explore
from vclogic.model.fluents import State
from vclogic.model.system import System

Graph = dict[State, tuple[int, int, frozenset[tuple[str, State]]]]
"""By position: its depth, who decides, and its events with where they lead."""


def start_of(system: System) -> State:
    return system.layout.state(system.completed({}))


def graph(found: Explored, rows: Iterable[int] | None = None) -> Graph:
    """What was found, without numbers of positions and events."""
    states = [tuple(row) for row in found.states.tolist()]
    assert len(set(states)) == len(states)
    result: Graph = {}
    for i in range(len(states)) if rows is None else rows:
        edges = range(int(found.first[i]), int(found.first[i + 1]))
        numbers = found.event[edges.start : edges.stop].tolist()
        assert numbers == sorted(set(numbers))
        targets = found.target[edges.start : edges.stop].tolist()
        leads = frozenset((str(found.events[e]), states[j]) for e, j in zip(numbers, targets, strict=True))
        result[states[i]] = int(found.depth[i]), int(found.mover[i]), leads
    return result


@pytest.mark.parametrize("seed", range(30))
def test_everything_is_found_with_its_events(seed: int) -> None:
    system = rules(skirmish(seed, dice=seed % 3 == 0, turns=seed % 4 != 0))
    start = start_of(system)
    found = explore(system, [start], stop=endings(system).final)
    assert found.complete
    assert tuple(found.states[0]) == start
    assert np.all(np.diff(found.depth) >= 0)
    assert graph(found) == graph(slowly(system, start))
