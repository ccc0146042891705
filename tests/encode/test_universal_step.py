"""Steps from any state at all: whatever a planner of a hex game can do from where it stands is among them."""

from __future__ import annotations

from random import Random

import pytest

import vclogic
from tests.fixtures.efforts import effort
from tests.fixtures.local_z3 import local_sessions
from vclogic.encode import unroll as module
from vclogic.encode.linear.affine import any_value
from vclogic.encode.python.codegen import interpret
from vclogic.encode.unroll import Unrolling, choice_of_case, universal_step
from vclogic.model.system import ANY, IDLE, System
from vclogic.model.transition import Scoped, Transition
from vclogic.solve.backends.session import PLAIN, Answer
from vclogic.terms.build import in_mask
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Term

GAMES = [
    pytest.param("moscow/small", "moves", marks=pytest.mark.slow),
    ("okinawa", "turns"),
]  # others from their starts: see conformance


def planner(game: str, metric: str, opponent: str = ANY) -> tuple[System, dict[Term, Term], Transition]:
    loaded = vclogic.load(game)
    system = loaded.setup.system
    start = dict(system.layout.constants(loaded.state))
    side = None if opponent == ANY else next(iter(system.sides))
    kind = system.metric(metric)
    assert kind is not None
    return system, start, kind.transition(side, opponent, start)


def number(t: Term, answer: Answer) -> int:
    if not t.is_const:
        return answer.values.get(t, any_value(t))
    return (t.mask.bit_length() - 1) if t.mask else t.lo


@pytest.mark.parametrize(("game", "metric"), GAMES)
def test_what_a_planner_can_do_is_a_step_from_any_state(game: str, metric: str) -> None:
    _, start, transition = planner(game, metric)
    assert isinstance(transition, Scoped)
    assert transition.known is not None
    whole = universal_step(transition, start)
    assert whole is not None
    rng, ways = Random(game), Unrolling(transition, start)
    with local_sessions(60), effort(60).session(PLAIN) as session:
        for _ in range(2):
            session.add(*ways.extend())
            moves = [c for c in ways.choices[-1].values() if isinstance(c.sort, EnumSort) and c.mask & ~1]
            for made in rng.sample(moves, min(2, len(moves))):
                wanted = in_mask(made, made.mask & ~1)
                if session.check(wanted).verdict == "sat":
                    session.add(wanted)
        answer = session.check()
    assert answer.verdict == "sat"
    assert any(number(c, answer) for c in ways.choices[-1].values())
    for before, chosen, after in zip(ways.states, ways.choices, ways.states[1:], strict=False):
        told = [before[f] for f in transition.known]
        named = {choice_of_case(c, told).name: number(t, answer) for c, t in chosen.items()}
        values = {f: number(t, answer) for f, t in before.items()}
        values |= {c: named.get(c.name, c.lo) for c in whole.choices}
        slot, numbers = {v: i for i, v in enumerate(values)}, list(values.values())
        assert all(interpret(whole.legality, slot, numbers))
        following = interpret(list(whole.next.values()), slot, numbers)
        assert [int(x) for x in following] == [number(after[f], answer) for f in whole.next]


def test_what_cannot_be_built_for_any_state_is_not() -> None:
    _, start, alone = planner("moscow/small", "moves", IDLE)  # its first step is another one than the rest
    assert universal_step(alone, start) is None
    _, start, large = planner("moscow", "turns")
    assert sum(f.mask.bit_count() for f in start) > module._MOST
    assert universal_step(large, start) is None
