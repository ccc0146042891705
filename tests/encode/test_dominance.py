"""Leaving out what another action can stand for never changes what a plan costs."""

from __future__ import annotations

from hypothesis import event, given
from hypothesis import strategies as st

from tests.fixtures.pace import examples
from tests.terms.specs import E, meaning, specs, states, term
from tests.toys.small_systems import METRIC, Move, SmallSystem, goals, small_systems
from vclogic.encode.dominance import without_dominated
from vclogic.encode.unroll import cone
from vclogic.model.actions import Action, Requirement
from vclogic.model.transition import Transition, actions_of, one_at_a_time
from vclogic.terms.atoms import TRUE, member, var
from vclogic.terms.build import and_, eq, is_in, ite, not_
from vclogic.terms.sorts import BOOL
from vclogic.terms.term import Term

A, B, C = (member(E, m) for m in E.members)
owner, other = var("owner", E), var("other", E)
flag = var("flag", BOOL)


def kept_moves(system: SmallSystem, transition: Transition) -> list[Move]:
    """The moves that a smaller transition still has."""
    kept = set(transition.choices)
    return [m for m in system.moves if m.taken in kept]


@examples(150)
@given(st.data())
def test_merging_keeps_the_optimum(data: st.DataObject) -> None:
    system = data.draw(small_systems())
    goal = data.draw(goals(system))
    within = data.draw(st.sampled_from((None, None, 1, 2, 3)))
    merged, classes = without_dominated(system.transition, [term(goal)], METRIC)
    event(f"merged: {len(merged.choices) < len(system.moves)}")
    assert set(actions_of(merged)) == set(merged.choices) == set(classes)
    moves = kept_moves(system, merged)
    assert system.cheapest(goal, within, moves) == system.cheapest(goal, within)


@examples(60)
@given(st.data())
def test_any_member_of_a_class_can_be_played_for_another(data: st.DataObject) -> None:
    system = data.draw(small_systems())
    goal = data.draw(goals(system))
    merged, classes = without_dominated(system.transition, [term(goal)], METRIC)
    truth = system.cheapest(goal)
    moves = {m.taken: m for m in system.moves}
    chosen = [moves[data.draw(st.sampled_from(sorted(classes[t], key=str)))] for t in merged.choices]
    assert system.cheapest(goal, None, chosen) == truth


@examples(60)
@given(st.data())
def test_the_largest_value_stays(data: st.DataObject) -> None:
    system = data.draw(small_systems())
    value = data.draw(specs(system.fluents, "I", 2))
    merged, _ = without_dominated(system.transition, [term(value)], METRIC)
    smaller = SmallSystem(system.fluents, system.start, tuple(kept_moves(system, merged)))
    best = max(meaning(value, system.values(s)) for s in system.reachable())
    assert max(meaning(value, system.values(s)) for s in smaller.reachable()) == best


@examples(150)
@given(st.data())
def test_the_cone_keeps_the_optimum(data: st.DataObject) -> None:
    system = data.draw(small_systems())
    goal = data.draw(goals(system))
    needed, smaller = cone(system.transition, [term(goal)])
    event(f"cut: {len(smaller.choices) < len(system.moves)}")
    assert set(smaller.next) <= set(needed)
    moves = kept_moves(system, smaller)
    effects = [Move(m.name, m.guard, tuple(e for e in m.effects if e[0] in needed), m.cost) for m in moves]
    assert system.cheapest(goal, None, effects) == system.cheapest(goal)


def taking(name: str, guard: Term = TRUE, **effects: Term) -> Action:
    fluents = {"owner": owner, "other": other, "flag": flag}
    changes = tuple((fluents[n], new) for n, new in effects.items())
    return Action(name, (), None, (Requirement(guard, ""),), changes, name, {METRIC: 1})


def names(asked: Term, *actions: Action) -> list[str]:
    merged, _ = without_dominated(one_at_a_time(actions, METRIC), [asked], METRIC)
    return [a.name for a in actions_of(merged).values()]


def test_values_that_are_only_tested_together_are_one() -> None:
    take_a, take_b, take_c = (taking(f"take {m.value}", owner=m) for m in (A, B, C))
    assert names(is_in(owner, ["A", "B"]), take_a, take_b) == ["take A"]
    assert names(eq(owner, "B"), take_a, take_b) == ["take B"]
    assert names(and_(not_(eq(owner, "A")), flag), take_a, take_b, take_c) == ["take B"]
    assert sorted(names(eq(owner, other), take_a, take_b)) == ["take A", "take B"]


def test_a_value_that_an_effect_reads_counts() -> None:
    take_a, take_b = taking("take A", owner=A), taking("take B", owner=B)
    look = taking("look", flag=eq(owner, "B"))
    assert "take B" in names(flag, take_a, take_b, look)
    copy = taking("copy", other=owner)
    assert "take B" in names(eq(other, "B"), take_a, take_b, copy)
    turn = taking("turn", other=ite(eq(owner, "A"), C, A))
    assert sorted(names(eq(other, "C"), take_a, take_b, turn)) == ["take A", "take B", "turn"]


def test_a_value_that_a_guard_reads_both_ways_counts() -> None:
    take_a, take_b = taking("take A", owner=A), taking("take B", owner=B)
    need_a, need_not_a = taking("x", eq(owner, "A"), flag=TRUE), taking("y", not_(eq(owner, "A")), other=B)
    assert {"take A", "take B"} <= set(names(and_(flag, eq(other, "B")), take_a, take_b, need_a, need_not_a))


def test_guards_and_costs_tell_actions_apart() -> None:
    dear = Action("dear", (), None, (), ((owner, A),), "", {METRIC: 2})
    assert sorted(names(is_in(owner, ["A", "B"]), dear, taking("cheap", flag, owner=B))) == ["cheap", "dear"]
    assert sorted(names(is_in(owner, ["A", "B"]), dear, taking("cheap", owner=B))) == ["cheap", "dear"]


def test_states_of_the_specs_are_all_tried() -> None:
    assert len(list(states((owner,)))) == 3
