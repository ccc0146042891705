"""What a goal needs and no event brings back, against every state of small rule sets, and for clocks and units."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import event as note
from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.efforts import effort
from tests.fixtures.local_z3 import local_sessions
from tests.fixtures.pace import examples
from tests.terms.specs import meaning, term
from tests.toys.small_systems import SmallSystem, State, goals, small_systems, wild_systems
from tests.toys.unreachable import act
from vclogic.model.actions import Action, Schema
from vclogic.model.grounded import Grounded
from vclogic.solve.proofs.lost_for_good import LostForGood, confirm_loss, lost_for_good, needs_of
from vclogic.terms.atoms import FALSE, TRUE, integer, member, var
from vclogic.terms.build import add, and_, eq, ge, le, lt, ne, not_, or_, total
from vclogic.terms.rewrite import substitute
from vclogic.terms.sorts import BOOL, EnumSort, IntSort
from vclogic.terms.term import Term, variables

PLACE = EnumSort("place", ("here", "there", "gone"))
ONE, TWO = var("at[one]", PLACE), var("at[two]", PLACE)
HOPS = var("hops", IntSort(0, 99))
OVER = var("over", BOOL)


def events_of(actions: Sequence[Action]) -> list[Grounded]:
    return [Grounded(Schema(a.name, (), lambda a=a: a, a.name), {}, {}, a) for a in actions]


def lost(goal: Term, actions: Sequence[Action], start: dict[Term, Term]) -> LostForGood:
    events = events_of(actions)

    def changing(t: Term) -> list[Grounded]:
        return [g for g in events if any(f in variables(t) for f, _ in g.action.effects)]

    return lost_for_good(goal, changing, start)


def ways_of(small: SmallSystem, found: LostForGood) -> set[State]:
    """Every state that the moves lead to without losing anything."""
    moves = {m.name: found.kept_by(m.action) for m in small.moves}
    seen, queue = {small.start}, [small.start]
    while queue:
        state = queue.pop()
        for move in small.moves:
            after = small.after(state, move)
            if moves[move.name] is None or after is None or after in seen:
                continue
            if _allowed(small, moves[move.name], state):
                seen.add(after)
                queue.append(after)
    return seen


def _allowed(small: SmallSystem, action: Action | None, state: State) -> bool:
    at = SmallSystem(small.fluents, state, ()).constants
    return action is not None and substitute(action.guard, at) is TRUE


@examples(200)
@given(st.data())
def test_no_way_to_the_goal_loses_what_is_lost_for_good(data: st.DataObject) -> None:
    small: SmallSystem = data.draw(st.one_of(wild_systems(), small_systems()))
    goal = data.draw(goals(small))
    found = lost(term(goal), [m.action for m in small.moves], small.constants)
    with local_sessions(20):
        assert confirm_loss(found, effort(60))
    reached = {s for s in small.reachable() if meaning(goal, small.values(s))}
    kept = {s for s in ways_of(small, found) if meaning(goal, small.values(s))}
    note(f"needs: {bool(found.needs)}, reachable: {bool(reached)}")
    assert kept == reached


def test_what_only_rises_stays_within_what_the_goal_allows() -> None:
    hop = act("hop", TRUE, (ONE, member(PLACE, "there")), (HOPS, add(HOPS, 1)))
    start = {ONE: member(PLACE, "here"), HOPS: integer(0)}
    goal = and_(eq(ONE, "there"), le(HOPS, 2))
    found = lost(goal, [hop], start)
    assert found.needs == (le(HOPS, 2),)
    kept = found.kept_by(hop)
    assert kept is not None
    assert kept.guard is le(HOPS, 1)


def test_what_falls_again_does_not_bound_the_way() -> None:
    hop, back = act("hop", TRUE, (HOPS, add(HOPS, 1))), act("back", ge(HOPS, 1), (HOPS, integer(0)))
    assert lost(le(HOPS, 2), [hop, back], {HOPS: integer(0)}).needs == ()


def test_a_sum_that_is_to_be_nothing_needs_each_part_to_be_nothing() -> None:
    goal = le(total([(2, eq(ONE, "gone")), (3, eq(TWO, "gone"))]), 0)
    assert {not_(eq(ONE, "gone")), not_(eq(TWO, "gone"))} <= set(needs_of(goal))
    assert eq(ONE, "gone") not in set(needs_of(ge(total([(2, eq(ONE, "gone")), (3, eq(TWO, "gone"))]), 2)))


def test_a_unit_that_never_comes_back_is_not_lost() -> None:
    lose = act("lose", ne(ONE, "gone"), (ONE, member(PLACE, "gone")))
    go = act("go", ne(ONE, "gone"), (ONE, member(PLACE, "there")))
    start = {ONE: member(PLACE, "here")}
    found = lost(and_(ne(ONE, "gone"), eq(ONE, "there")), [lose, go], start)
    assert found.kept_by(lose) is None
    assert found.kept_by(go) is not None
    revived = act("revive", eq(ONE, "gone"), (ONE, member(PLACE, "here")))
    assert lost(ne(ONE, "gone"), [lose, go, revived], start).needs == ()


def test_one_need_may_rest_on_another() -> None:
    # hops fall only as the game ends, which the goal does not want and nothing undoes
    end = act("end", TRUE, (OVER, TRUE), (HOPS, integer(0)))
    hop = act("hop", lt(HOPS, 9), (HOPS, add(HOPS, 1)))
    start = {OVER: FALSE, HOPS: integer(0)}
    assert set(lost(and_(not_(OVER), le(HOPS, 2)), [end, hop], start).needs) == {not_(OVER), le(HOPS, 2)}
    again = act("again", OVER, (OVER, FALSE))
    assert lost(and_(not_(OVER), le(HOPS, 2)), [end, hop, again], start).needs == ()


def test_a_wrong_need_is_not_confirmed() -> None:
    back = act("back", ge(HOPS, 1), (HOPS, integer(0)))
    wrong = LostForGood((le(HOPS, 2), or_(OVER, le(HOPS, 5))), tuple(events_of([back])))
    with local_sessions(20):
        assert not confirm_loss(wrong, effort(60))
