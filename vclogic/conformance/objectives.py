"""Tests of objectives: who has them, where they are, and what the position is once an enemy has taken one."""

from __future__ import annotations

from vclogic.conformance.games import Play, each_choice
from vclogic.encode.evaluator import interpret
from vclogic.game import Game
from vclogic.model.fluents import State
from vclogic.model.objectives import Objective
from vclogic.model.system import System
from vclogic.terms.build import and_
from vclogic.terms.sorts import BOOL
from vclogic.terms.term import variables

SAMPLED = 6  # states of the play in which objectives are lost


def test_objectives_are_told_apart_and_are_on_the_map(scenario: str) -> None:
    """No two objectives have one name; a side has one or not by the position; each is in regions of the picture."""
    game = Game.load(scenario)
    system, state = game.setup.system, game.state
    is_well_declared(system, state)
    for objective in system.objectives:
        loses_to_an_enemy(system, state, objective)


def test_an_objective_that_is_lost_is_another_s(play: Play) -> None:
    """Along the play, what an objective's loss leads to is a well-formed position in which the side has it not."""
    system = play.system
    for game in play.sample(SAMPLED):
        for objective in system.objectives:
            loses_to_an_enemy(system, game.state, objective)


def test_objectives_are_known_under_every_choice_of_settings(play: Play) -> None:
    """Objectives can be built for each value of each option and Reading."""
    for game in each_choice(play.start):
        is_well_declared(game.setup.system, game.state)


def is_well_declared(system: System, state: State) -> None:
    """Check the names, terms and places of all objectives."""
    names = [o.name for o in system.objectives]
    assert len(set(names)) == len(names)
    fluents, sides = set(system.layout.fluents), set(system.sides)
    regions = set()
    if system.drawing is not None:
        regions = {r.name for r in system.drawing.picture(system.layout.values(state), True).regions}
    for o in system.objectives:
        assert o.name, "an objective without a name"
        assert o.kind, o.name
        assert o.held, f"{o.name}: no side can have it"
        assert {*o.held, *o.worth} <= sides, o.name
        assert {t.sort for t in o.held.values()} == {BOOL}, o.name
        assert {*variables(*o.held.values())} <= fluents, o.name
        assert system.drawing is None or {*o.places} <= regions, o.name


def loses_to_an_enemy(system: System, state: State, objective: Objective) -> None:
    """Check what becomes of a position when an objective is lost, for each side that has it."""
    layout = system.layout
    for side, held in objective.held.items():
        if objective.lost is None or not interpret(held, layout.slot, state):
            continue
        changed = objective.lost(side, layout.values(state))
        if changed is None:
            continue
        assert changed.keys() <= layout.slot.keys(), (objective.name, side)
        then = layout.state({**layout.values(state), **changed})
        laws = [r.kept for r in (*system.invariants, *system.checked)]
        assert interpret(and_(*laws), layout.slot, then), (objective.name, side)
        assert not interpret(held, layout.slot, then), (objective.name, side)
