"""Armies in records: plans are records, records come to what the model knows, and a plan may begin within a turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import count
from random import Random

import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st
from vclogic_encodings.axis_allies.encoding import ENCODING, game_of
from vclogic_encodings.axis_allies.odds.recorded_battles import decided

from tests.fixtures.efforts import effort
from tests.fixtures.local_z3 import local_sessions
from tests.fixtures.pace import BUSY, examples
from tests.oracles.armies import Position, TooLarge, Turn
from tests.oracles.odds import Question as Dice
from tests.oracles.odds import exact
from tests.oracles.tally import Tally
from tests.query.plan.test_armies import CORNERS, Question, cornered, landings, questions
from vclogic.conformance.games import legal_event
from vclogic.encode.python.evaluator import apply, failed, interpret
from vclogic.files.record import RecordStep
from vclogic.model.actions import Event
from vclogic.model.battles import Battle
from vclogic.model.fluents import State
from vclogic.model.system import IDLE
from vclogic.query.plan.answer import Plan
from vclogic.query.plan.cheapest import plan
from vclogic.query.plan.risks import Battles
from vclogic.query.replay import play_record
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.terms.expressions.compiled import Goal
from vclogic.terms.expressions.resolve import compile_goal
from vclogic.terms.term import Term

END = Event("end_turn")
BOARDS = st.one_of(questions(theatre="land"), landings())
MOVES = ("march", "sail", "carry", "fly", "bombard", "clear", "capture", "land")


def begin(q: Question) -> State:
    """The state in which a question is asked."""
    system = q.system
    values = dict(system.initial) | {system.layout.by_name["turn"]: q.first}
    return system.layout.state(system.completed(values))


def goal_of(q: Question) -> Term:
    """The goal of a question."""
    return compile_goal(q.aim.text, q.system.vocabulary).term


def units_moved(events: Iterable[Event]) -> int:
    """How many units some events move: transports and what they carry count each."""
    moved = 0
    for args, name in ((dict(e.args), e.name) for e in events):
        if name in ("march", "sail", "fly"):
            moved += int(args["count"])
        elif name == "carry":
            moved += int(args["count"]) * (3 if args["second"] != "none" else 2)
    return moved


def after(q: Question, state: State, events: Sequence[Event]) -> State:
    """The state after a record, which the rules must accept."""
    return play_record(q.system, state, [RecordStep(e) for e in events])


def check(q: Question, answer: Plan) -> None:
    """That a plan is a record of as many moves, with the goal true at its end."""
    if answer.cost is None:
        return
    assert answer.record is not None
    assert answer.record.events is not None, answer.record.reason
    assert interpret(goal_of(q), q.system.layout.slot, after(q, begin(q), answer.record.events))
    moved = units_moved(answer.record.events)
    assert moved == answer.cost if answer.status == "optimal" else moved <= answer.cost
    check_battles(q, answer.record.events, answer.battles)


def check_battles(q: Question, events: Iterable[Event], shown: Battles | None) -> None:
    """That who fights in each battle of a record is as a plain tally of its moves has it, in the answer too."""
    left = [] if shown is None else [*shown.fought]
    system, state, tally = q.system, begin(q), Tally(q.board, q.first)
    game = game_of(q.board, ENCODING.settings({"level": "armies", **q.chosen}))
    for e in events:
        args, found = dict(e.args), decided(game, system.layout.values(state), e)
        if e.name in ("capture", "clear"):
            assert found == tally.battle(e.name, args), f"{e} of {events}"
            if found is not None:
                b = left.pop(0)
                sides = (b.attackers, b.defenders, b.guns)
                assert Battle(*sides, b.place, b.attacker, b.at_sea, b.landing) == found
                assert b.chance is not None
                if game.roles.supporting or "artillery" not in found.attackers:  # else it supports nobody
                    fought = exact(Dice(q.board.units, *sides, found.at_sea))
                    assert abs(b.chance - fought.take) <= b.error + 1e-12
            tally.over(e.name, args)
        else:
            assert found is None
            tally.play(e.name, args)
        state = apply(system, state, system.action(e))
    assert not left


# ---- plans are records


@examples(20)
@given(questions(theatre="land"))
def test_plans_by_land_are_records(question: Question) -> None:
    check(question, question.answer())


@examples(12)
@given(questions(theatre="full"))
def test_plans_by_land_sea_and_air_are_records(question: Question) -> None:
    check(question, question.answer())


@examples(12)
@given(landings())
def test_landings_are_records(question: Question) -> None:
    check(question, question.answer())


@pytest.mark.parametrize("name", CORNERS)
def test_corners_are_solved_and_their_plans_are_records(name: str) -> None:
    units, edges, wanted, fewest = CORNERS[name]
    question = cornered(units, edges, wanted)
    answer = question.answer()
    assert question.fewest() == fewest
    assert (answer.status, answer.cost) == ("impossible" if fewest is None else "optimal", fewest)
    check(question, answer)


# ---- records come to what the model knows


def position(q: Question, state: State) -> Position:
    """Who owns each land, and the units on the board."""
    layout, board = q.system.layout, q.board
    values = layout.values(state)
    owners = tuple(str(values[layout.by_name[f"owner[{t}]"]]) for t in board.land)
    fluents = layout.families["units"].fluents
    there = ((index, int(values[x])) for index, x in fluents.items())
    return Position(owners, frozenset(((r, p, u), n) for (r, p, u), n in there if n))


def some_turn(q: Question, rng: Random, tries: int) -> list[Event] | None:
    """Random moves of the power on turn that the rules accept to the end of the turn; None if they do not."""
    system, state = q.system, begin(q)
    kinds = [k for k in MOVES if k in system.schemas]
    last = [k for k in ("clear", "capture", "land") for _ in range(4) if k in kinds]
    made: list[Event] = []
    for kind in [*(rng.choice(kinds) for _ in range(tries)), *last]:
        schema = system.schemas[kind]
        one = {"count": 1} if any(p.name == "count" for p in schema.parameters) else {}
        found = legal_event(system, state, schema, rng, {"power": q.first, **one})
        if found is not None:
            state = apply(system, state, system.action(found))
            made.append(found)
    return None if failed(system, state, system.action(END)) else [*made, END]


@examples(25)
@given(
    st.one_of(questions(theatre="land"), landings()),
    st.randoms(use_true_random=False),
    st.integers(min_value=2, max_value=8),
)
def test_a_turn_of_a_record_is_one_of_the_brute_force(question: Question, rng: Random, tries: int) -> None:
    fewest: dict[Position, int] = {}
    try:
        for found, moves in Turn(question.war, question.war.start(), question.first).results(count()):
            fewest[found] = min(moves, fewest.get(found, moves))
    except TooLarge:
        assume(False)
    made = some_turn(question, rng, tries)
    if made is not None:
        event(" ".join(sorted(Counter(e.name for e in made))))
        there = position(question, after(question, begin(question), made))
        assert fewest[there] <= units_moved(made)


# ---- a plan from within a turn


def asked_from(q: Question, state: State) -> Plan:
    """The answer to a question, asked from a state."""
    metric = q.system.metric("moves")
    assert metric
    ask = ResolvedQuestion("tiny", q.system, state, (), q.side, IDLE, metric, effort(8.0 + BUSY), q.within)
    with local_sessions(8.0 + BUSY):
        return plan(replace(ask, goal=Goal(q.aim.text, goal_of(q))))


@examples(25)
@given(BOARDS, st.integers(min_value=1, max_value=6))
def test_what_is_left_of_a_plan_costs_what_is_left(question: Question, first: int) -> None:
    answer = question.answer()
    assume(answer.status == "optimal" and answer.cost and answer.record and answer.record.events)
    assert answer.record is not None
    events = answer.record.events or ()
    done = events[:first]
    assume(END not in done)
    rest = asked_from(question, after(question, begin(question), done))
    assert (rest.status, rest.cost) == ("optimal", units_moved(events[first:]))
    assert rest.record is not None
    assert rest.record.events is not None, rest.record.reason
