"""What parts of a sum can come to, against trying every event in plain Python, and for units that bring points."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import event as note
from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.all_positions import never_looked_at
from tests.fixtures.efforts import effort
from tests.fixtures.local_z3 import local_sessions
from tests.fixtures.pace import BUSY, examples
from tests.fixtures.positions import load
from tests.terms.specs import term
from tests.toys.small_systems import SmallSystem, goals, small_systems, wild_systems
from tests.toys.unreachable import act
from vclogic.encode.python.evaluator import interpret
from vclogic.model.actions import Action, Schema
from vclogic.model.grounded import Grounded
from vclogic.solve import budgets
from vclogic.solve.problem import Proof
from vclogic.solve.proofs import invariants
from vclogic.solve.proofs import summands as of_summands
from vclogic.solve.proofs.summands import by_summands, summands
from vclogic.terms.atoms import FALSE, TRUE, integer, var
from vclogic.terms.build import add, and_, ge, ite, le, linear, lt, not_
from vclogic.terms.sorts import BOOL, IntSort
from vclogic.terms.term import Term

UNITS = range(3)
LOST, TAKEN = ([var(f"{name}[{i}]", BOOL) for i in UNITS] for name in ("lost", "taken"))
SCORED = [var(f"scored[{i}]", IntSort(0, 9)) for i in UNITS]
OVER = var("over", BOOL)


def proved(goal: Term, actions: Iterable[Action], start: dict[Term, Term], laws: Sequence[Term] = ()) -> Proof | None:
    events = [Grounded(Schema(a.name, (), lambda a=a: a, a.name), {}, {}, a) for a in actions]

    def changing(fluents: Iterable[Term]) -> list[Grounded]:
        some = set(fluents)
        return [g for g in events if any(f in some for f, _ in g.action.effects)]

    invariants._kept.clear()
    with local_sessions(20):
        return by_summands(goal, changing, start, (), laws, effort(60))


@examples(60)
@given(st.data())
def test_nothing_that_play_reaches_is_called_unreachable(data: st.DataObject) -> None:
    small: SmallSystem = data.draw(st.one_of(wild_systems(), small_systems()))
    numbers = [ite(v, integer(2), integer(0)) if v.is_bool else v for v in small.fluents if v.is_bool or not v.mask]
    weights = data.draw(st.lists(st.sampled_from((1, 2, -1)), min_size=len(numbers), max_size=len(numbers)))
    total = linear(zip(weights, numbers, strict=True))
    states = small.reachable()

    def value(s: tuple[int, ...]) -> int:
        return int(interpret(total, {v: i for i, v in enumerate(small.fluents)}, list(s)))

    most = max(map(value, states))
    least = most + data.draw(st.integers(0, 1))
    goal = ge(total, least) if data.draw(st.booleans()) else not_(le(total, least - 1))
    laws = [term(data.draw(goals(small))) for _ in range(2)]
    proof = proved(goal, [m.action for m in small.moves], small.constants, laws)
    note(f"possible: {most >= least}, proof: {proof is not None}")
    assert proof is None or most < least


def lose(i: int) -> Action:
    return act(f"lose {i}", not_(LOST[i]), (LOST[i], TRUE), (TAKEN[i], FALSE), (SCORED[i], integer(i)))


def take(i: int) -> Action:
    return act(f"take {i}", and_(not_(LOST[i]), not_(OVER)), (TAKEN[i], TRUE))


def test_each_unit_brings_points_for_one_thing_only() -> None:
    """Lost, or taken, which counts twice once the game is over; so three units worth 0, 1 and 2 bring 6."""
    number = add(*(add(SCORED[i], ite(TAKEN[i], ite(OVER, integer(2 * i), integer(i)), integer(0))) for i in UNITS))
    start: dict[Term, Term] = {**dict.fromkeys((*LOST, *TAKEN, OVER), FALSE), **dict.fromkeys(SCORED, integer(0))}
    laws = [le(SCORED[i], ite(LOST[i], integer(i), integer(0))) for i in UNITS]
    laws += [not_(and_(LOST[i], TAKEN[i])) for i in UNITS]
    events = [*map(lose, UNITS), *map(take, UNITS), act("end", not_(OVER), (OVER, TRUE))]
    assert proved(ge(number, 6), events, start, laws) is None
    proof = proved(ge(number, 7), events, start, laws)
    assert proof is not None
    assert (proof.method, proof.rechecked) == ("invariants", True)
    again = act("again", LOST[2], (LOST[2], FALSE), (SCORED[2], integer(3)))
    assert proved(ge(number, 7), [*events, again], start, laws) is None


def test_laws_that_steps_do_not_keep_prove_nothing() -> None:
    start: dict[Term, Term] = {**dict.fromkeys(LOST, FALSE), **dict.fromkeys((*TAKEN, OVER), FALSE)}
    start |= dict.fromkeys(SCORED, integer(0))
    with patch.object(of_summands, "inductive_laws", lambda here, guesses, effort: guesses):
        assert proved(ge(add(*SCORED), 3), map(lose, UNITS), start) is None


def test_parts_share_no_fluent_but_what_many_of_them_read() -> None:
    number = add(*(ite(f, x, integer(0)) for i in UNITS for f, x in ((OVER, SCORED[i]), (TAKEN[i], integer(2)))))
    law = [lt(SCORED[i], ite(TAKEN[i], integer(1), integer(9))) for i in UNITS]
    assert (len(summands(number, [])), len(summands(number, law))) == (6, 3)


BOARD = """game: asl
board:
  sides: [Russian, German]
  hexes: {22U3: {}, 22V2: {}, 22V3: {}, 22U2: {}, 22V1: {}}
  buildings:
    22U3: {hexes: [22U3, 22V2, 22V3], levels: 1, stairs: [22U3, 22V2, 22V3]}
  units:
    4-4-7: {side: Russian, kind: squad, at: 22V1/0}
    4-2-6: {side: Russian, kind: squad, at: 22V1/0}
    Commissar: {side: Russian, kind: leader, modifier: -1, at: 22V1/0}
    T-34: {side: Russian, kind: vehicle, armour: 11, main_armament: true, inherent: crew, at: 22V1/0}
    hero: {side: Russian, kind: hero, at: 22V1/0}
    5-4-8: {side: German, kind: squad, at: 22U3/0}
    9-1: {side: German, kind: leader, modifier: -1, at: 22U3/0}
  exits: {west: {sides: [Russian]}}
  victory:
    Russian: {text: ten exit points, all: [{exit_vp: 10}]}
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("goal", "side"),
    [("cvp(German) >= 20", "German"), ("cvp(Russian) >= 9", "Russian"), ("exit_vp(Russian) >= 14", "Russian")],
)
def test_a_handful_of_units_brings_no_more_though_a_hero_is_among_them(goal: str, side: str, tmp_path: Path) -> None:
    """Squads and a leader bring two points each, four if they are captured at the end; a tank seven; a hero none."""
    planned, tried = (patch.object(budgets, name, 0.01) for name in ("PLANNING_MODEL", "TRYING"))
    with planned, tried, never_looked_at():
        answer = load(tmp_path, BOARD).reach(goal, side=side, timeout=20 * BUSY)
    assert answer.status == "unreachable"
    assert answer.proof is not None
    assert answer.proof.method in ("positions", "invariants")
    assert answer.proof.rechecked
