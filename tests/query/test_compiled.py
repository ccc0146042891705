"""Compiled expressions: in one state, in arrays of states, and what is wrong with either."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest

import vclogic
from tests.terms.specs import domain
from vclogic.conformance.games import legal_play
from vclogic.encode.python.batch import batch_function
from vclogic.encode.python.codegen import interpret
from vclogic.errors import InputError
from vclogic.files.registry import encoding_names
from vclogic.game import Game
from vclogic.model.fluents import State
from vclogic.query.status.progress import expression
from vclogic.terms.atoms import number

EACH = 8  # arguments of an observable
WALK = 8  # events
ALTERED = 1500  # states
LOOKED_AT = 60


@pytest.fixture(scope="module")
def captures() -> Game:
    return vclogic.load("axis_allies")


def well_formed(game: Game, rng: Random) -> list[State]:
    """States along a random walk, and others that differ from them in some facts and are well-formed, too."""
    system = game.setup.system
    walk = [game.state, *(state for _, state in legal_play(system, game.state, rng, WALK))]
    fluents = system.layout.fluents
    altered = []
    for _ in range(ALTERED):
        state = list(rng.choice(walk))
        for i in rng.sample(range(len(fluents)), rng.randint(1, 4)):
            state[i] = rng.choice(domain(fluents[i]))
        altered.append(tuple(state))
    laws = [rule.kept for rule in system.invariants]
    lawful = np.all([np.ones(ALTERED, bool), *batch_function(laws, system.layout.slot)(np.array(altered))], axis=0)
    kept = [state for state, ok in zip(altered, lawful, strict=True) if ok]
    assert len(kept) > LOOKED_AT / 4
    for i in rng.sample(range(ALTERED), 30):
        assert all(interpret(laws, system.layout.slot, altered[i])) == lawful[i]
    return [*walk, *kept[:LOOKED_AT]]


SMALLER = {"moscow": "moscow/small"}  # the same observables


@pytest.mark.parametrize("name", [SMALLER.get(name, name) for name in encoding_names()])
def test_a_batch_has_the_values_of_single_states(name: str) -> None:
    rng = Random(name)
    game = vclogic.load(name)
    calls = []
    for observable in game.setup.system.vocabulary.values():
        arguments = list(product(*(d.sort.members for d in observable.parameters)))
        some = rng.sample(arguments, min(len(arguments), EACH))
        calls += [expression(observable.name, *(f'"{a}"' for a in args)) for args in some]
    states = well_formed(game, rng)
    compiled = game.compile(calls)
    batch = compiled.batch(game.array(states))
    assert isinstance(batch, tuple)
    found = [decoded(x, names) for x, names in zip(batch, compiled.members, strict=True)]
    for i, state in enumerate(states):
        assert tuple(x[i] for x in found) == compiled(state), (name, i)
    for k in rng.sample(range(len(calls)), 10):
        one = game.compile(calls[k])
        assert one(game) == game.value(calls[k])
        assert [one(state) for state in states] == found[k]
        assert decoded(one.batch(game.array(states)), one.members[0]) == found[k]


def decoded(values: Any, names: tuple[str, ...] | None) -> list[Any]:
    """A batch's values as those of single states: names instead of their numbers, None where undefined."""
    return [None if x is None else x if names is None else names[x] for x in values.tolist()]


def test_a_value_is_that_of_the_game(captures: Game) -> None:
    ((event, state),) = legal_play(captures.setup.system, captures.state, Random(4), 1)
    later = captures.apply(event.name, **dict(event.args))
    assert later.state == state != captures.state
    for text in ('owner("Karelia S.S.R.")', "treasury(Germans)", 'controls(Axis, "Karelia S.S.R.")'):
        one = captures.compile(text)
        assert one.expressions == (text,)
        for game in (captures, later):
            assert one(game) == one(game.state) == game.value(text)
    both = captures.compile(['owner("Karelia S.S.R.")', "treasury(Germans) >= 40"])
    assert both(later) == ("Russians", later.value("treasury(Germans) >= 40"))
    owners, rich = both.batch(captures.array([captures, later.state]))
    assert decoded(owners, both.members[0]) == ["Russians", "Russians"]
    assert rich.tolist() == [g.value("treasury(Germans) >= 40") for g in (captures, later)]


def test_what_is_undefined_is_masked() -> None:
    game = vclogic.load("okinawa")
    layout = game.setup.system.layout
    at = layout.slot[layout.by_name["at[1st Marines]"]]
    lost = list(game.state)
    lost[at] = number(layout.fluents[at].sort, "eliminated")
    both = game.compile(['loc("1st Marines")', "turn"])
    assert (both(game)[0], both(tuple(lost))[0]) == (True, None)
    loc, turn = both.batch(game.array([game, tuple(lost)]))
    assert loc.mask.tolist() == [False, True]
    assert loc.tolist() == [True, None]
    assert not isinstance(turn, np.ma.MaskedArray)
    assert game.compile('loc("1st Marines")')(tuple(lost)) is None


def test_the_array_is_small_and_its_columns_are_contiguous(captures: Game) -> None:
    array = captures.array([captures, captures.state])
    assert array.shape == (2, len(captures.state))
    assert array.flags.f_contiguous
    assert array.itemsize <= 4
    assert array.tolist() == [list(captures.state)] * 2
    given = captures.array([captures.state_dict(), {"owner": {"Russia": "Germans"}}])
    assert given[0].tolist() == list(captures.state)
    assert captures.compile('owner("Russia")')(tuple(given[1].tolist())) == "Germans"
    assert int((given[0] != given[1]).sum()) == 1
    assert captures.array([]).shape == (0, len(captures.state))


def test_everything_that_is_wrong_is_said_at_once(captures: Game) -> None:
    with pytest.raises(InputError) as wrong:
        captures.compile(['owner("Nowhere")', "1 +", "ipc(Germans)"])
    assert len(wrong.value.diagnostics) == 2
    one = captures.compile(['owner("Germany")', 'owner("Russia")'])
    wide = len(captures.state)
    with pytest.raises(InputError, match=f"{wide} columns"):
        one.batch(np.zeros((3, 4), int))
    with pytest.raises(InputError, match="whole numbers"):
        one.batch(np.zeros((1, wide)))
    array = captures.array([captures] * 3)
    slot = {f.name: i for i, f in enumerate(captures.setup.system.layout.fluents)}
    array[1, slot["owner[Germany]"]] = -1
    array[2, slot["owner[Russia]"]] = 99
    with pytest.raises(InputError) as outside:
        one.batch(array)
    assert sorted(d.message.split(":")[0].split(",")[0] for d in outside.value.diagnostics) == ["row 1", "row 2"]
