"""Cuts of armies that rest on an argument: a solver shows it, for turns of the game of 1942 and of small boards."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import pytest
from hypothesis import event, given
from vclogic_encodings.axis_allies.armies.cuts import WAYS_IN, battles
from vclogic_encodings.axis_allies.armies.muster import Muster
from vclogic_encodings.axis_allies.armies.turn import TurnStep
from vclogic_encodings.axis_allies.armies.voyages import GUNS, VOYAGES

import vclogic
from tests.fixtures.efforts import effort
from tests.fixtures.pace import examples
from tests.oracles.integer_arithmetic import Integers
from tests.toys.army_starts import Start, Steps, starts
from vclogic.model.system import IDLE
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.terms.build import le, linear, not_, or_
from vclogic.terms.expressions.resolve import compile_goal
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term


def unproved(step: TurnStep) -> Iterable[str]:
    """The territories of which the argument fails in a turn of a power.

    Where the side is not in control as the plan begins and the power has no soldiers, it has some only once its side
    is in control. The laws of the turn keep that, and with it each of the cuts follows.
    """
    m = step.turn
    held = {t: _held(m, t) for t in m.game.board.land if _foreign(m, t)}
    solver = Integers()
    solver.add(map(m.now, [*m.laws, *held.values()]))
    after = Substitution(step.next)
    yield from (f"{t} is held" for t, said in held.items() if solver.possible(m.now(not_(after(said)))))
    for battle in battles(m):
        cuts = (cut for cut in battle.cuts() if cut.family == WAYS_IN)
        yield from (f"{battle.region} is entered" for cut in cuts if solver.possible(m.now(not_(cut.term))))


def _foreign(m: Muster, territory: str) -> bool:
    """Whether the power has no soldiers in a territory as the plan begins, which is not its side's."""
    assert m.begin is not None
    ours = Substitution(m.begin)(m.game.fluents.controls(m.side, territory))
    return not bool(ours.payload) and not any(m.begin[m.units(territory, u)].hi for u in m.roles.soldiers)


def _held(m: Muster, territory: str) -> Term:
    """That the side is in control of a territory, or the power has no soldiers there."""
    soldiers = linear((1, m.units(territory, u)) for u in m.roles.soldiers)
    return or_(m.game.fluents.controls(m.side, territory), le(soldiers, 0))


def turns(steps: Steps) -> Iterable[TurnStep]:
    """The turns in which something can be done."""
    taken = (step.step for step in steps.unrolled.taken)
    return [step for step in taken if isinstance(step, TurnStep) and step.turn.flows]


@examples(30)
@given(starts())
def test_ways_in_on_small_boards(start: Start) -> None:
    steps = start.steps
    event(f"{sum(cut.family == WAYS_IN for cut in steps.cuts)} cuts")
    for step in turns(steps):
        assert list(unproved(step)) == []


@cache
def two_rounds() -> Steps:
    """The plans of the Axis in two rounds of 1942."""
    game = vclogic.load("axis_allies", settings={"level": "armies"})
    system, metric = game.setup.system, game.setup.system.metric("moves")
    assert metric
    ask = ResolvedQuestion("1942", system, game.state, (), "Axis", IDLE, metric, effort(), 2)
    return Steps(ask.problem(compile_goal("vcp(Axis) >= 40", system.vocabulary).term), 10)


@pytest.mark.slow
def test_ways_in_of_two_rounds() -> None:
    steps = two_rounds()
    assert sum(cut.family == WAYS_IN for cut in steps.cuts) > 30
    for step in turns(steps):
        assert list(unproved(step)) == []


@pytest.mark.slow
@pytest.mark.parametrize("family", [WAYS_IN, VOYAGES, GUNS])
def test_no_plan_of_two_rounds_breaks_what_is_argued(family: str) -> None:
    steps = two_rounds()
    cuts = [cut for cut in steps.cuts if cut.family == family]
    assert len(cuts) > 10
    assert not [cut for cut in cuts if steps.solver.possible(not_(cut.term))]
