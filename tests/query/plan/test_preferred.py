"""Plans as a player would rather have them: nobody waits, aircraft land where the enemy cannot come."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import dropwhile

from hypothesis import assume, given
from hypothesis import strategies as st
from vclogic_encodings.axis_allies.board import Board, Power, Territory
from vclogic_encodings.axis_allies.encoding import ENCODING

from tests.fixtures.efforts import effort
from tests.fixtures.pace import examples
from tests.toys.army_boards import TYPES
from vclogic.model.system import IDLE
from vclogic.query.plan.answer import Plan
from vclogic.query.plan.cheapest import plan
from vclogic.query.plan.preferred import preferred_plan
from vclogic.query.plan_search import find
from vclogic.query.replay import replay_plan
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.terms.expressions.compiled import Goal
from vclogic.terms.expressions.resolve import compile_goal
from vclogic.terms.term import Term

Units = Mapping[str, Mapping[str, int]]
ROW = (("A", "B"), ("A", "C"), ("A", "D"), ("B", "E"))
"""The Germans hold A and, behind it, C; the Russians hold B, D and E."""


def asked(units: Units, goal: str, rows: tuple[tuple[str, str], ...] = ROW) -> Plan:
    """The cheapest plan of the Axis on a small board within two rounds."""
    ask, term = question(units, goal, rows)
    return plan(replace(ask, goal=Goal(goal, term)))


def question(units: Units, goal: str, rows: tuple[tuple[str, str], ...] = ROW) -> tuple[ResolvedQuestion, Term]:
    """The question for it."""
    germans = {"A", "C", "H"}
    lands = sorted({t for row in rows for t in row})
    board = Board(
        powers={"Germans": Power("Axis", "C"), "Russians": Power("Allies", "E")},
        turn_order=("Germans", "Russians"),
        judged_after="Russians",
        ranks={"capital": 5, "major": 3, "moderate": 2, "minor": 1},
        major_victory={"Axis": 1, "Allies": 1},
        territories={
            t: Territory("land", who := "Germans" if t in germans else "Russians", 1, units={who: units.get(t, {})})
            for t in lands
        },
        connections=rows,
        canals={},
        unit_types=TYPES,
    )
    system = ENCODING.build(board, ENCODING.settings({"level": "armies"}))
    state = system.layout.state(system.completed(dict(system.initial)))
    metric = system.metric("moves")
    assert metric
    ask = ResolvedQuestion("tiny", system, state, (), "Axis", IDLE, metric, effort(20), 2)
    return ask, compile_goal(goal, system.vocabulary).term


def landings(found: Plan) -> list[str]:
    """Where aircraft land, flight by flight."""
    return [str(s.args["via"]) for s in found.steps if s.action == "sortie"]


def test_a_fighter_lands_where_no_land_unit_of_the_enemy_can_come() -> None:
    units = {"A": {"armour": 1, "fighter": 1}, "B": {"infantry": 3}, "D": {"infantry": 2}}
    found = asked(units, "owner(B) == Germans")
    assert (found.status, found.cost, landings(found)) == ("optimal", 2, ["C"])
    assert found.record is not None
    assert {dict(e.args)["at"] for e in found.record.events or () if e.name == "land"} == {"C"}


def test_where_the_enemy_can_come_everywhere_it_lands_beside_most_land_units() -> None:
    units = {"A": {"armour": 1, "fighter": 1}, "B": {"infantry": 3}, "C": {"infantry": 3}, "D": {"infantry": 2}}
    found = asked(units, "owner(B) == Germans", (*ROW, ("C", "D")))
    assert (found.cost, landings(found)) == (2, ["C"])


def test_it_stays_where_it_is_as_safe() -> None:
    units = {"A": {"armour": 1, "fighter": 1}, "B": {"infantry": 3}}
    assert landings(asked(units, "owner(B) == Germans")) == ["A"]


def test_a_fighter_stays_from_where_the_plan_flies_on() -> None:
    row = (*ROW, ("C", "D"), ("C", "H"))
    units = {"A": {"armour": 1, "fighter": 1, "infantry": 1}, "C": {"infantry": 2}, "D": {"infantry": 2}}
    once = asked({**units, "B": {"infantry": 3}}, "owner(B) == Germans", row)
    assert landings(once) == ["H"]
    twice = asked({**units, "B": {"infantry": 3}, "E": {"infantry": 3}}, "owner(E) == Germans", row)
    assert twice.status == "optimal"
    assert landings(twice)[0] == "A"  # the plan flies on from there


def test_nobody_waits_for_a_later_round() -> None:
    units = {"A": {"armour": 1, "fighter": 1}, "B": {"infantry": 3}, "D": {"infantry": 2}}
    ask, goal = question(units, "owner(B) == Germans")
    asked = ask.problem(goal)
    problem, soon = asked.plain, find(ask, asked)
    at_once = dropwhile(lambda step: not any(step.values()), soon.steps or ())  # a plan as cheap may begin later
    late = replace(soon, steps=[{}, {}, *at_once])
    assert replay_plan(ask.system, ask.state, problem, late).steps[0].turn == {"round": 2, "turn": "Germans"}
    better = preferred_plan(ask.system, ask.state, problem, late, ask.effort.deadline)
    shown = replay_plan(ask.system, ask.state, problem, better)
    assert {s.turn["round"] for s in shown.steps if s.turn} == {1}
    assert (better.cost, len(better.steps or ())) == (late.cost, 1)
    assert [s.args["via"] for s in shown.steps if s.action == "sortie"] == ["C"]


def test_what_needs_an_earlier_turn_stays_after_it() -> None:
    units = {"A": {"infantry": 3}, "B": {"infantry": 1}, "E": {"infantry": 1}}
    found = asked(units, "owner(E) == Germans")
    assert [s.turn["round"] for s in found.steps if s.turn] == [1, 2]


@given(
    st.dictionaries(
        st.sampled_from("ABCDE"),
        st.dictionaries(st.sampled_from(("infantry", "armour", "fighter", "bomber")), st.integers(1, 3), max_size=3),
        min_size=2,
    )
)
@examples(6)
def test_the_cost_is_that_of_the_plan_without_it(units: Units) -> None:
    goal = "territories(Axis) >= 4"
    found = asked(units, goal)
    assume(found.cost is not None and "sortie" in {s.action for s in found.steps})
    assert found.cost == sum(
        sum(int(part.split()[0]) for part in str(s.args["units"]).split(" and ")) for s in found.steps
    )
    assert found.replayed
