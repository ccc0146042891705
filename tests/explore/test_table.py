"""Tables: what they say, that they are saved as they are, and that the check notices each kind of wrong claim."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.explore.graph_games import BLUE, RED, SIDES, GraphGame, Way, random_game
from tests.explore.slow_explorer import explored
from vclogic.errors import InputError
from vclogic.explore.best_play import best_play
from vclogic.explore.check_table import check_table
from vclogic.explore.packing import Packing
from vclogic.explore.table import BestPlayTable, table_of
from vclogic.model.system import System

OWNERS = (SIDES, (*SIDES, None))


def table(system: System) -> BestPlayTable:
    found = explored(system, (0,))
    return table_of("graph/first", system, found, best_play(system, found))


@cache
def solved() -> list[tuple[System, BestPlayTable]]:
    """Some games with their tables."""
    return [(system, table(system)) for system in games(60)]


def games(number: int) -> list[System]:
    return [random_game(Random(seed), OWNERS[seed % 2], 0.1 * (seed % 3 == 2)).system for seed in range(number)]


def test_tables_of_best_play_have_no_faults() -> None:
    for system, good in solved():
        found = check_table(system, good, 1000)
        assert not found.faults
        assert found.positions


@pytest.mark.parametrize("claim", ["value", "turns", "moves", "best", "keeps", "safe", "ends"])
def test_a_wrong_claim_is_noticed(claim: str) -> None:
    """Whatever is changed to claim more or other than is so: a win, its length, safety, an end, play without end."""
    noticed = tried = 0
    for seed, (system, good) in enumerate(solved()):
        rng, values = Random(seed), np.array(getattr(good, claim))
        at = tuple(rng.randrange(n) for n in values.shape)
        old = int(values[at])
        most = {"value": 4, "keeps": 3, "safe": 3, "best": len(good.events) - 1}.get(claim, 12)
        others = [x for x in range(-1 if claim == "best" else 0, most + 1) if x != old]
        if claim in ("safe", "keeps"):  # what says less is no wrong claim
            others = [x for x in others if x & ~old]
        if not others:
            continue
        values[at] = rng.choice(others)
        tried += 1
        noticed += bool(check_table(system, replace(good, **{claim: values}), 0).faults) or _as_good(good, claim, at)
    assert tried >= 12
    assert noticed == tried


def _as_good(good: BestPlayTable, claim: str, at: tuple[int, ...]) -> bool:
    """Whether another claim there says no more than is so: an end that comes sooner, an event where any will do."""
    value = int(good.value[at[-1]])
    if claim in ("turns", "moves"):
        return value not in (1, 2)
    if claim == "ends":
        return True
    return claim == "best"


def test_a_position_that_is_taken_for_another_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check over arrays finds keys as the table does; plain Python compares the states themselves."""
    ways = (Way(0, 1, RED), Way(0, 2, RED))
    system = GraphGame(3, ways, {RED: frozenset(), BLUE: frozenset()}, frozenset()).system
    good, swapped = table(system), np.array([0, 2, 1, -1])
    assert [good.row((node,)) for node in range(3)] == [0, 1, 2]
    row, rows_of = BestPlayTable.row, BestPlayTable.rows_of
    monkeypatch.setattr(BestPlayTable, "row", lambda *given: int(swapped[row(*given)]))
    monkeypatch.setattr(BestPlayTable, "rows_of", lambda *given: swapped[rows_of(*given)])
    assert not check_table(system, good, 0).faults
    assert check_table(system, good, 3).faults


def test_a_saved_table_is_the_same(tmp_path: Path) -> None:
    for i, (system, one) in enumerate(solved()[:8]):
        one.save(tmp_path / f"{i}.npz")
        other = BestPlayTable.load(tmp_path / f"{i}.npz")
        assert (other.game, other.rules, other.sides, other.events) == (one.game, one.rules, one.sides, one.events)
        for name in ("words", "value", "turns", "moves", "best", "keeps", "safe", "ends"):
            assert np.array_equal(getattr(one, name), getattr(other, name))
        assert not check_table(system, other, 5).faults


def test_no_table_and_other_rules_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "x.npz"
    file.write_text("no table")
    with pytest.raises(InputError, match="is no table of vclogic"):
        BestPlayTable.load(file)
    one, other = games(2)
    moment: Any = SimpleNamespace(setup=SimpleNamespace(system=other), state=(0,))
    with pytest.raises(InputError, match="under other rules"):
        table(one)[moment]


def test_a_position_is_looked_up() -> None:
    ways = (Way(0, 1, RED), Way(0, 2, RED), Way(1, 3, BLUE), Way(1, 0, BLUE), Way(2, 4, BLUE))
    game = GraphGame(5, ways, {RED: frozenset({4}), BLUE: frozenset({3})}, frozenset())
    system = game.system
    found = table(system)

    def at(node: int) -> Any:
        return SimpleNamespace(setup=SimpleNamespace(system=system), state=(node,))

    here = found[at(0)]
    assert (here.value, here.winner, here.turns, here.event) == (
        "win",
        RED,
        2,
        system.schemas["way"].event({"number": 1}),
    )
    assert (found[at(1)].winner, found[at(1)].turns, found[at(4)].turns) == (BLUE, 1, 0)
    assert len(found) == 5
    alone = replace(game, ways=ways[1:])
    some = table(alone.system)
    system = alone.system
    assert at(1) not in some
    assert some.get(at(1)) is None


def test_many_fluents_are_packed_into_several_words() -> None:
    rng = np.random.default_rng(1)
    states = np.unique(rng.integers(-5, 200, (300, 40)), axis=0)
    packing = Packing.of(states)
    words, inside = packing.packed(states)
    assert inside.all()
    assert len(words) > 1
    assert np.array_equal(packing.unpacked(words), states)
    assert not packing.packed(states + 500)[1].any()


def test_a_value_beyond_those_that_are_packed_is_refused() -> None:
    packing = Packing.of(np.array([[0, 5], [3, 9]]))
    assert packing.holds(0, np.array([-1, 0, 3, 4, 5])).tolist() == [False, True, True, False, False]
    assert packing.packed(np.array([[3, 9], [4, 9], [3, 10]]))[1].tolist() == [True, False, False]
