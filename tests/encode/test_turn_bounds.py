"""Bounds turn by turn, against every state that play reaches in small rule sets, and for money and turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import assume, given
from hypothesis import event as note
from hypothesis import strategies as st

from tests.fixtures.efforts import effort
from tests.fixtures.local_z3 import local_sessions
from tests.fixtures.pace import examples
from tests.terms.specs import meaning, term
from tests.toys.small_systems import SmallSystem, goals, small_systems, wild_systems
from tests.toys.unreachable import act
from vclogic.encode.turn_bounds import Limits, TurnBounds, turn_bounds
from vclogic.model.actions import Action, Schema
from vclogic.model.fluents import Family, value
from vclogic.model.system import System
from vclogic.solve.proofs.by_turns import kept_by_each
from vclogic.terms.atoms import FALSE, TRUE, integer, member, var
from vclogic.terms.build import add, and_, eq, ge, ite, linear, lt, sub
from vclogic.terms.sorts import BOOL, EnumSort, IntSort
from vclogic.terms.term import Term

LIMITS = Limits(fluents=50, events=500, work=20_000)
SIDE = EnumSort("side", ("red", "blue"))
ROUND, TURN = var("round", IntSort(1, 99)), var("turn", SIDE)
MONEY, BUILT = var("money", IntSort(0, 999)), var("built", BOOL)
FORTRESS = var("fortress", BOOL)


def system_of(fluents: Sequence[Term], start: Sequence[int], actions: Sequence[Action]) -> System:
    return System(
        sides={},
        families=tuple(Family(v.name, v.sort, "") for v in fluents),
        initial={v: value(v.sort, x) for v, x in zip(fluents, start, strict=True)},
        rules=(),
        invariants=(),
        outcomes=(),
        observables=(),
        events=tuple(Schema(a.name, (), lambda a=a: a, "") for a in actions),
        metrics=(),
    )


def bounds(system: System, goal: Term, start: tuple[int, ...], clock: Sequence[Term]) -> TurnBounds | None:
    found = turn_bounds(system, goal, lambda schema, action: action, start, clock, LIMITS)
    if found is not None:
        begin = dict(system.layout.constants(start))
        with local_sessions(20):
            assert kept_by_each(found.laws, goal, found.events, begin, effort(60), found.moments)
    return found


@examples(200)
@given(st.data())
def test_nothing_that_play_reaches_is_beyond_its_bounds(data: st.DataObject) -> None:
    small: SmallSystem = data.draw(st.one_of(wild_systems(), small_systems()))
    clock = data.draw(st.lists(st.sampled_from(small.fluents), min_size=1, max_size=2, unique=True))
    goal = data.draw(goals(small))
    moves = [m.action for m in small.moves]
    found = bounds(system_of(small.fluents, small.start, moves), term(goal), small.start, clock)
    possible = any(meaning(goal, small.values(s)) for s in small.reachable())
    note(f"possible: {possible}, excluded: {found is not None}")
    assert found is None or not possible


@examples(60)
@given(st.data())
def test_laws_that_an_event_breaks_are_not_confirmed(data: st.DataObject) -> None:
    small: SmallSystem = data.draw(wild_systems())
    goal = data.draw(goals(small))
    law = data.draw(goals(small))
    reached = small.reachable()
    assume(meaning(law, small.values(small.start)))
    assume(any(not meaning(law, small.values(s)) for s in reached))
    system = system_of(small.fluents, small.start, [m.action for m in small.moves])
    events = [system.opened(s, {}) for s in system.events]
    with local_sessions(20):
        assert not kept_by_each([term(law)], and_(term(goal), FALSE), events, small.constants, effort(60))


def war(price: int) -> list[Action]:
    """A side builds with its money, gets income as its turn ends, and has a fortress a turn after it built one."""
    end = act(
        "end turn",
        lt(ROUND, 99),
        (TURN, ite(eq(TURN, "red"), member(SIDE, "blue"), member(SIDE, "red"))),
        (ROUND, linear([(1, ROUND), (1, eq(TURN, "blue"))])),
        (MONEY, linear([(1, MONEY), (10, eq(TURN, "red"))])),
        (FORTRESS, BUILT),
    )
    build = act("build", and_(eq(TURN, "red"), ge(MONEY, price)), (MONEY, sub(MONEY, price)), (BUILT, TRUE))
    return [end, build]


def proved(price: int, rounds: int) -> bool:
    fluents = (ROUND, TURN, MONEY, BUILT, FORTRESS)
    start = (1, 0, 5, 0, 0)
    actions = war(price)
    last = replace(actions[0], requirements=(*actions[0].requirements, *act("", lt(ROUND, rounds + 1)).requirements))
    goal = and_(FORTRESS, eq(TURN, "red"), eq(ROUND, rounds))
    return bounds(system_of(fluents, start, [last, actions[1]]), goal, start, (ROUND, TURN)) is not None


def test_what_the_money_of_a_turn_does_not_buy_is_not_there_in_the_next() -> None:
    assert proved(6, 2)  # it has 5 in round 1, and what it builds in round 2 is no fortress then
    assert not proved(5, 2)
    assert not proved(6, 3)
    assert proved(16, 3)  # 15 in round 2
    assert not proved(15, 3)


def test_a_clock_that_does_not_end_is_given_up() -> None:
    rise = act("rise", TRUE, (ROUND, add(ROUND, 1)), (BUILT, FALSE))
    system = system_of((ROUND, BUILT), (1, 0), [rise])
    few = turn_bounds(system, BUILT, lambda schema, action: action, (1, 0), (ROUND,), replace(LIMITS, work=20))
    assert few is None
    assert bounds(system, and_(BUILT, eq(ROUND, integer(5))), (1, 0), (ROUND,)) is not None
