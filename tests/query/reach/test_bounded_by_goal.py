"""`reach` looks only at play that keeps what the goal needs for good: frogs on stones, hop by hop."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.fixtures.efforts import effort
from tests.fixtures.local_z3 import local_sessions
from vclogic.model.actions import Action, Parameter, Requirement, Schema
from vclogic.model.fluents import Family
from vclogic.model.system import ANY, Metric, System
from vclogic.model.transition import one_at_a_time
from vclogic.query.reach.all_events import reach_by_events
from vclogic.query.reach.answer import Reach
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.terms.atoms import member
from vclogic.terms.build import add, and_, eq, is_in, le, lt
from vclogic.terms.domain import Domain
from vclogic.terms.expressions.compiled import Goal
from vclogic.terms.sorts import EnumSort, IntSort
from vclogic.terms.term import Term

FROGS = Domain(EnumSort("frog", ("Ann", "Bob", "Cid")))
STONES = Domain(EnumSort("stone", tuple(f"s{i}" for i in range(16))))
AT = Family("at", STONES.sort, "", (FROGS,), STONES)
HOPS = Family("hops", IntSort(0, 1000), "")


def hop(frog: str, to: str) -> Action:
    """A frog hops to one of the next two stones."""
    at, here = AT[frog], STONES.sort.members.index(to)
    near = [s for i, s in enumerate(STONES.sort.members) if 0 < abs(i - here) <= 2]
    effects = ((at, member(STONES.sort, to)), (HOPS.fluent, add(HOPS.fluent, 1)))
    needs = (Requirement(is_in(at, near), "too far"), Requirement(lt(HOPS.fluent, 1000), "too often"))
    return Action("hop", (("frog", frog), ("to", to)), None, needs, effects, f"{frog} hops to {to}")


def pond() -> System:
    events = (Schema("hop", (Parameter("frog", FROGS), Parameter("to", STONES)), hop, ""),)
    return System(
        sides={},
        families=(AT, HOPS),
        initial={**dict.fromkeys(AT.fluents.values(), "s0"), HOPS.fluent: 0},
        rules=(),
        invariants=(),
        outcomes=(),
        observables=(),
        events=events,
        metrics=(Metric("n", "hop", "", "", lambda *_: one_at_a_time([], "n"), lambda *_: (), events=()),),
    )


def asked(goal: Term, system: System) -> Reach:
    start = (0, 0, 0, 0)
    ask = ResolvedQuestion("pond", system, start, (), None, ANY, system.metrics[0], effort(60))
    with local_sessions(20):
        return reach_by_events(replace(ask, goal=Goal("the goal", goal)), assumed=True, planning=False)


def reached_in(hops: int) -> int:
    """How many positions there are after so many hops at the most, by trying, the number of hops with them."""
    level: set[tuple[int, ...]] = {(0, 0, 0)}
    seen = {(*x, 0) for x in level}
    for n in range(1, hops + 1):
        level = {
            (*x[:i], to, *x[i + 1 :])
            for x in level
            for i in range(3)
            for to in range(max(x[i] - 2, 0), min(x[i] + 3, 16))
            if to != x[i]
        }
        seen |= {(*x, n) for x in level}
    return len(seen)


@pytest.mark.parametrize("hops", [1, 2, 3])
def test_what_only_rises_bounds_the_positions_that_are_looked_at(hops: int) -> None:
    far = and_(eq(AT["Ann"], "s9"), le(HOPS.fluent, hops))
    answer = asked(far, pond())
    assert answer.status == "unreachable"
    assert answer.proof is not None
    assert answer.proof.positions == reached_in(hops)
    assert answer.proof.kept == (f"hops <= {hops}",)
    assert answer.proof.rechecked


def test_what_is_within_the_bound_is_found() -> None:
    near = and_(eq(AT["Ann"], "s4"), eq(AT["Bob"], "s1"), le(HOPS.fluent, 3))
    answer = asked(near, pond())
    assert answer.status == "reachable"
    assert answer.depth == 3
    assert asked(and_(near, le(HOPS.fluent, 2)), pond()).status == "unreachable"
