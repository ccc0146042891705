"""All legal turns of a planning model, against plain Python on random small boards."""

from __future__ import annotations

import random

from tests.oracles.adversary import Play
from tests.toys.capture_duels import Duel, duel
from vclogic.explore.legal_turns import LegalTurns
from vclogic.model.fluents import State

SEEDS = range(25)


def owners(d: Duel, state: State) -> tuple[object, ...]:
    values, by_name = d.m.system.layout.values(state), d.m.system.layout.by_name
    return tuple(values[by_name[f"owner[{t}]"]] for t in d.m.world.land)


def turns_of(d: Duel) -> LegalTurns:
    system = d.m.system
    metric = system.metric("turns")
    assert metric is not None
    return LegalTurns(system, system.steps(metric, d.side, "any", d.m.state))


def test_every_legal_turn_is_found_and_no_other() -> None:
    for seed in SEEDS:
        d = duel(seed)
        found = turns_of(d).all(d.m.state)
        assert found is not None
        expected = {after.owners for _, after in Play(d.m.world).follow(d.m.start)}
        assert {owners(d, s.state) for s in found} == expected
        assert len(found) == len(expected)


def test_random_turns_are_legal_ones() -> None:
    for seed in SEEDS:
        d = duel(seed)
        turns = turns_of(d)
        whole = {s.state for s in turns.all(d.m.state) or ()}
        some = turns.some(d.m.state, random.Random(seed), 40)
        assert {s.state for s in some} <= whole
        assert len(some) > 1 or len(whole) == 1


def test_too_many_turns_are_not_listed() -> None:
    d = duel(0)
    assert turns_of(d).all(d.m.state, most=0) is None
