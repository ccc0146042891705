"""`reach` where all positions that play can reach are looked at, against plain Python and the other methods."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import event as note
from hypothesis import given
from hypothesis import strategies as st

from tests.explore.slow_explorer import explored as slowly
from tests.fixtures.efforts import effort
from tests.fixtures.local_z3 import local_sessions
from tests.fixtures.pace import examples
from tests.query.reach.test_all_events import Rules, questions
from tests.query.reach.test_last_event import Question as EventQuestion
from tests.query.reach.test_last_event import questions as event_questions
from tests.terms.specs import Spec, meaning, term
from tests.toys.small_war_rules import rules
from tests.toys.small_wars import war
from vclogic.encode.python.evaluator import interpret
from vclogic.explore.events import each_number
from vclogic.files.record import RecordStep
from vclogic.model.fluents import State
from vclogic.model.grounded import choices
from vclogic.model.system import ANY, System
from vclogic.query.reach.all_events import reach_by_events
from vclogic.query.reach.answer import Reach
from vclogic.query.reach.by_last_event import reach_by_last_event
from vclogic.query.replay import play_record
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.solve.searches.all_positions import closed
from vclogic.terms.atoms import FALSE
from vclogic.terms.build import and_, eq
from vclogic.terms.expressions.compiled import Goal
from vclogic.terms.sorts import IntSort
from vclogic.terms.term import Term


def fewest(small: Rules, goal: Spec) -> int | None:
    """The fewest events that lead to a goal, by trying; None if nothing does."""
    found, level = {small.small.start}, {small.small.start}
    for depth in range(1000):
        if any(meaning(goal, small.small.values(s)) for s in level):
            return depth
        after = {x for s in level for m in small.small.moves if (x := small.small.after(s, m)) is not None}
        after |= {x for s in level for x in (small.rise.after(small.small, s) if small.rise else ())}
        level = after - found
        found |= level
        if not level:
            break
    return None


def asked(system: System, start: State, goal: Term, within: int | None = None) -> Reach:
    """What vclogic says."""
    ask = ResolvedQuestion("small", system, start, (), None, ANY, system.metrics[0], effort(20), within)
    with local_sessions(5):
        return reach_by_events(replace(ask, goal=Goal("the goal", goal)), assumed=True)


@examples(200)
@given(questions(), st.sampled_from([None, None, 0, 1, 2, 3]))
def test_records_are_as_short_as_can_be_and_sets_are_complete(
    question: tuple[Rules, Spec], within: int | None
) -> None:
    small, goal = question
    answer = asked(small.system, small.small.start, term(goal), within)
    events = fewest(small, goal)
    if events is not None and (within is None or events <= within):
        assert (answer.status, answer.depth) == ("reachable", events)
        assert answer.record is not None
        assert answer.record.events is not None
        end = play_record(small.system, small.small.start, [RecordStep(e) for e in answer.record.events])
        assert meaning(goal, small.small.values(end))
        note("reachable")
        return
    assert answer.status == "unreachable"
    assert answer.proof is not None
    note(answer.proof.method)
    assert answer.proof.method in ("exhaustive", "positions", "bounded")
    if events is not None:
        assert answer.proof.method == "bounded"
    if answer.proof.method == "exhaustive":
        assert answer.proof.rechecked
        assert answer.proof.positions is not None
        assert 1 <= answer.proof.positions <= len(small.reachable())


@examples(100)
@given(event_questions())
def test_goals_about_events_have_the_answers_of_the_other_methods(q: EventQuestion) -> None:
    q = replace(q, side=None)
    reached = any(map(q.shows, q.happened(q.rules.small.start)))
    system = q.system
    ask = ResolvedQuestion("small", system, q.rules.small.start, (), None, ANY, system.metrics[0], effort(20))
    with local_sessions(5):
        answer = reach_by_last_event(replace(ask, goal=Goal("the goal", term(q.goal))), assumed=True)
    note(f"{answer.status} {answer.proof and answer.proof.method}")
    assert answer.status == ("reachable" if reached else "unreachable")


@pytest.mark.parametrize("seed", [1, 5, 9, 27])
def test_small_wars(seed: int) -> None:
    system = rules(war(seed))
    start = system.layout.state(system.completed({}))
    found = slowly(system, start)
    states = [tuple(x) for x in found.states.tolist()]
    numbers = [(j, f) for j, f in enumerate(system.layout.fluents) if isinstance(f.sort, IntSort)]
    parts = [eq(f, states[i][j]) for i in (-1, len(states) // 2) for j, f in numbers]
    goals = [*(and_(parts[i], parts[i - 3]) for i in range(len(parts))), *(o.now for o in system.outcomes)]
    for goal in goals:
        answer = asked(system, start, goal)
        depths = [int(d) for s, d in zip(states, found.depth, strict=True) if interpret(goal, system.layout.slot, s)]
        assert answer.status == ("reachable" if depths else "unreachable")
        if depths:
            assert answer.depth == min(depths)


def test_a_set_that_is_not_closed_is_noticed() -> None:
    system = rules(war(5))
    start = system.layout.state(system.completed({}))
    found = slowly(system, start)
    admitted = [system.opened(s, a) for s in system.events for a in choices(s)]
    plain = each_number(admitted)
    never = FALSE
    assert closed(system.layout, start, found.states, plain, never)
    assert not closed(system.layout, start, found.states[1:], plain, never)
    assert not closed(system.layout, start, found.states[:-1], plain, never)
    at_end = [eq(f, x) for f, x in zip(system.layout.fluents, found.states[-1].tolist(), strict=True) if not f.mask]
    assert not closed(system.layout, start, found.states, plain, and_(*at_end))
