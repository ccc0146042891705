"""Planning questions on the real board, made ready for whoever is to answer them."""

from __future__ import annotations

import vclogic
from vclogic.model.system import IDLE
from vclogic.model.transition import Transition
from vclogic.solve.problem import Problem, prepare
from vclogic.terms.resolve import compile_goal
from vclogic.terms.term import Term

GAME = "axis_allies/revised-1942"


def question(goal: str, side: str) -> Problem:
    """The fewest captures to a goal, without what cannot bear on it: what vclogic gives its solvers."""
    game = vclogic.load(GAME)
    transition, start, term = whole(game, goal, side, IDLE)
    metric = game.setup.system.metrics[0]
    return prepare(transition, start, term, tail=metric.tail, metric=metric.name, within=None)


def whole(
    game: vclogic.Game, goal: str, side: str, opponent: str
) -> tuple[Transition, dict[Term, Term], Term]:
    """The steps, the value of every fluent at the start, and the goal."""
    system = game.setup.system
    term = compile_goal(goal, system.vocabulary, "goal").term
    return system.metrics[0].transition(side, opponent), dict(system.layout.constants(game.state)), term
