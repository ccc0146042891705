"""Cuts of battles follow from the laws of the battle and from how many units the power has: a solver says so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import pytest
from hypothesis import event, given
from vclogic_encodings.axis_allies.armies.cuts import BattleForces, battles
from vclogic_encodings.axis_allies.armies.muster import Muster
from vclogic_encodings.axis_allies.armies.turn import TurnStep

import vclogic
from tests.fixtures.pace import examples
from tests.oracles.integer_arithmetic import Integers
from tests.toys.army_starts import Start, starts
from vclogic.model.system import IDLE
from vclogic.terms.build import le, linear, not_
from vclogic.terms.term import Term, variables


def unproved(m: Muster, battle: BattleForces) -> list[str]:
    """The families of which a cut that is not argued does not follow from the laws of the battle.

    The laws are those that bind what the cuts speak of, and those that bind what these speak of. What stands where is
    taken as the turn has it: as its number, or as a variable.
    """
    cuts = {cut: m.now(cut.term) for cut in battle.cuts() if not cut.argued}
    laws, read = [*map(m.now, m.laws)], set(variables(*cuts.values()))
    said: list[Term] = []
    for _ in range(2):
        said = [law for law in laws if read & set(variables(law))]
        read |= set(variables(*said))
    solver = Integers()
    solver.add([*said, *_in_all(m)])
    return [cut.family for cut, term in cuts.items() if solver.possible(not_(term))]


def _in_all(m: Muster) -> Iterable[Term]:
    """That a power has no more units of a kind than it can have."""
    for unit, most in m.forces.items():
        yield le(linear((1, m.now(m.units(r, unit))) for r in m.game.board.regions), most)


def first_turn(power: str, **chosen: str) -> Muster:
    """What a power can choose in a turn with which the game of 1942 begins, the enemy being idle."""
    game = vclogic.load("axis_allies", settings={"level": "armies", **chosen})
    layout, metric = game.setup.system.layout, game.setup.system.metric("moves")
    values = {**layout.values(game.state), layout.by_name["turn"]: power}
    start = layout.constants(layout.state(values))
    side = "Axis" if power in ("Germans", "Japanese") else "Allies"
    assert metric
    step = metric.transition(side, IDLE, start).at(start)
    assert isinstance(step, TurnStep)
    return step.turn


FIRST: Mapping[str, Sequence[Mapping[str, str]]] = {
    "Russians": [{}, {"theatre": "land", "ratio": "2"}],
    "Germans": [{}, {"purchases": "on", "losses": "defence"}],
    "British": [{}, {"min_odds": "60"}, {"ratio": "3", "blitz": "off"}],
    "Japanese": [{}, {"min_odds": "75"}],
    "Americans": [{}, {"purchases": "on"}],
}
"""Powers and what is chosen for the game."""


ASKED = [
    pytest.param(power, chosen, marks=pytest.mark.slow if chosen or power != "Japanese" else ())
    for power, some in FIRST.items()
    for chosen in some
]
"""A power with battles on land and at sea; others, and other choices, in `make slow`."""


@pytest.mark.parametrize(("power", "chosen"), ASKED, ids=str)
def test_battles_of_the_first_turns(power: str, chosen: Mapping[str, str]) -> None:
    m = first_turn(power, **chosen)
    found = {battle.region: unproved(m, battle) for battle in battles(m)}
    assert len(found) > 5
    assert not any(found.values()), found


@examples(30)
@given(starts())
def test_battles_of_small_boards(start: Start) -> None:
    for taken in start.steps.unrolled.taken:
        assert isinstance(taken.step, TurnStep)
        for battle in battles(taken.step.turn):
            event("on land" if battle.on_land else "at sea")
            assert unproved(taken.step.turn, battle) == [], battle.region
