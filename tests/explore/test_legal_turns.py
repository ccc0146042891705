"""All legal turns of a planning model, against plain Python on random small boards."""

from __future__ import annotations

import random
from pathlib import Path

import vclogic
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


def test_where_something_has_to_be_done_that_is_tried() -> None:
    """Such as in a rulebook whose turns are one event."""
    book = Path(__file__).parents[2] / "examples" / "rulebooks" / "tic_tac_toe.md"
    game = vclogic.load(str(book))
    system = game.setup.system
    metric = system.metric("turns")
    assert metric is not None
    turns = LegalTurns(system, system.steps(metric, str(game.value("turn")), "any", game.state))
    found = {s.state for s in turns.some(game.state, random.Random(0), 40)}
    assert found == {game.apply(name, **given).state for name, given in game.legal().events()}


def test_too_many_turns_are_not_listed() -> None:
    d = duel(0)
    assert turns_of(d).all(d.m.state, most=0) is None
