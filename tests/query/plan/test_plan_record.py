"""Plans as records: accepted by the rules, event by event, with the goal true at their end; or none in any order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import event as note
from hypothesis import given

from tests.fixtures.local_z3 import local_sessions
from tests.fixtures.pace import examples
from tests.oracles.captures import ANY, IDLE, Moment, Wish
from tests.toys.small_maps import SmallMap, questions
from vclogic.encode.python.evaluator import interpret
from vclogic.files.record import RecordStep
from vclogic.model.actions import Event
from vclogic.query.answers import Recorded, Step
from vclogic.query.plan.cheapest import plan
from vclogic.query.reach.by_steps import reach
from vclogic.query.replay import play_record


def leads_to_goal(m: SmallMap, record: Sequence[Event], wish: Wish) -> bool:
    """Whether the rules accept the events one by one, and the goal holds after the last."""
    after = play_record(m.system, m.state, [RecordStep(e) for e in record])
    return bool(interpret(m.term(wish), m.system.layout.slot, after))


def over(m: SmallMap, now: Moment) -> bool:
    """Whether the turns that won the bid have been played, where they end the game."""
    if m.chosen.get("victory") != "minor" or not m.world.bid:
        return False
    after = m.world.order[m.world.order.index(m.world.judged_after) + 1 :]
    return now.round > m.world.bid or (now.round == m.world.bid and now.turn in after)


def some_order(m: SmallMap, wish: Wish, steps: Sequence[Step]) -> bool:
    """Whether captures in some order, each in its power's turn, with passes between them lead to the goal."""
    world = m.world
    wanted = tuple((str(s.args["power"]), str(s.args["territory"])) for s in steps if s.action == "capture")
    last = max(m.start.round, world.bid, wish.latest) + 3 + len(wanted)
    seen = set()
    todo = [(m.start, wanted)]
    while todo:
        now, left = todo.pop()
        if (now, left) in seen or now.round > last:
            continue
        seen.add((now, left))
        if not left and wish.met(world, now):
            return True
        if over(m, now):
            continue
        todo.append((world.end_turn(now), left))
        for i, (power, target) in enumerate(left):
            enemy = world.side_of[world.owner(now)[target]] != world.side_of[power]
            if power == now.turn and enemy:
                owners = world.taken(now.owners, power, (target,))
                todo.append((replace(now, owners=owners, ended="none"), left[:i] + left[i + 1 :]))
    return False


def check(m: SmallMap, wish: Wish, steps: Sequence[Step], record: Recorded | None) -> None:
    assert record is not None
    if record.events is not None:
        note("record")
        assert leads_to_goal(m, record.events, wish)
    else:
        note("no record")
        assert record.reason
        assert not record.decided or not some_order(m, wish, steps)


@examples(60)
@given(questions(IDLE))
def test_captures_in_an_order_that_the_rules_accept(question: tuple[SmallMap, str, Wish]) -> None:
    m, side, wish = question
    with local_sessions(5):
        answer = plan(m.ask(side, IDLE, wish=wish))
    if answer.cost is not None:
        check(m, wish, answer.steps, answer.record)


@examples(40)
@given(questions(IDLE, most_land=5))
def test_plans_in_turns_are_records(question: tuple[SmallMap, str, Wish]) -> None:
    m, side, wish = question
    with local_sessions(5):
        answer = plan(m.ask(side, IDLE, "turns", 3, timeout=5, wish=wish))
    if answer.cost is not None:
        assert answer.record is not None
        assert answer.record.events is not None
        assert leads_to_goal(m, answer.record.events, wish)


@examples(40)
@given(questions(ANY, most_land=5))
def test_witnesses_in_an_order_that_the_rules_accept(question: tuple[SmallMap, str, Wish]) -> None:
    m, _, wish = question
    with local_sessions(5):
        answer = reach(m.ask(None, ANY, timeout=3, wish=wish))
    if answer.status == "reachable":
        check(m, wish, answer.steps, answer.record)
