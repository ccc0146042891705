"""Planning questions on the real board, made ready for whoever is to answer them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import vclogic
from vclogic.model.system import IDLE
from vclogic.model.transition import Transition
from vclogic.terms.expressions.resolve import compile_goal
from vclogic.terms.term import Term

GAME = "axis_allies/revised-1942"


class Question(NamedTuple):
    """How a side gets to a goal, before anything was cut away.

    Attributes:
        transition: A step: at most one capture.
        start: The value of every fluent.
        goal: Bool, over fluents.
    """

    transition: Transition
    start: Mapping[Term, Term]
    goal: Term


def ask(goal: str, side: str, *, opponent: str = IDLE, **options: int | str) -> Question:
    """A question about captures from the start of the game."""
    game = vclogic.load(GAME, settings=options)
    system = game.setup.system
    term = compile_goal(goal, system.vocabulary, "goal").term
    transition = system.metrics[0].transition(side, opponent, {})
    return Question(transition, system.layout.constants(game.state), term)
