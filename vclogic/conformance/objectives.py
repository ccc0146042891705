"""Tests of objectives: who has them, where they are, and what the position is once an enemy has taken one."""

from __future__ import annotations

from vclogic.conformance.games import Play, at, claim, each_choice, loaded, named
from vclogic.encode.evaluator import interpret
from vclogic.model.fluents import State
from vclogic.model.objectives import Objective
from vclogic.model.system import System
from vclogic.terms.sorts import BOOL
from vclogic.terms.term import variables

SAMPLED = 6  # states of the play in which objectives are lost


def test_objectives_are_told_apart_and_are_on_the_map(scenario: str) -> None:
    """No two objectives have one name; a side has one or not by the position; each is in regions of the picture."""
    game = loaded(scenario)
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
    twice = {n for n in names if names.count(n) > 1}
    claim(not twice, f"two objectives have one name, {named(sorted(twice))}: call one of them otherwise")
    fluents, sides = set(system.layout.fluents), set(system.sides)
    regions = set()
    if system.drawing is not None:
        regions = {r.name for r in system.drawing.picture(system.layout.values(state), True).regions}
    for o in system.objectives:
        it = f"the objective {o.name}"
        claim(o.name, "an objective has no name: give it the one that players use")
        claim(o.kind, f"{it} has no `kind`: say in a word what it is")
        claim(o.held, f"no side can have {it}: say in `held` when each has it")
        strange = named(s for s in (*o.held, *o.worth) if s not in sides)
        claim(not strange, f"{it} names {strange}, which is no side: {named(sides)} are")
        claim({t.sort for t in o.held.values()} == {BOOL}, f"what `held` of {it} says is not true or false")
        unknown = named(v.name for v in variables(*o.held.values()) if v not in fluents)
        claim(not unknown, f"`held` of {it} reads {unknown}, which is in no family of the system")
        nowhere = named(p for p in o.places if p not in regions)
        claim(system.drawing is None or not nowhere, f"{it} is in {nowhere}, which is no region of the picture")


def loses_to_an_enemy(system: System, state: State, objective: Objective) -> None:
    """Check what becomes of a position when an objective is lost, for each side that has it."""
    layout = system.layout
    for side, held in objective.held.items():
        if objective.lost is None or not interpret(held, layout.slot, state):
            continue
        changed = objective.lost(side, layout.values(state))
        if changed is None:
            continue
        it = f"once {side} has lost the objective {objective.name}"
        strange = named(v.name for v in changed if v not in layout.slot)
        claim(not strange, f"{it}, {strange} changes, which is in no family of the system")
        then = layout.state({**layout.values(state), **changed})
        broken = [r for r in system.laws if not interpret(r.kept, layout.slot, then)]
        places = named(f"'{r.text}'{at(r)}" for r in broken)
        claim(
            not broken,
            f"{it}, this is not so: {places}; let `lost` change more, or return None where it cannot be lost",
        )
        claim(not interpret(held, layout.slot, then), f"{it}, it still has it: let `lost` change what `held` reads")
