"""The goal of a side where nobody names one."""

from __future__ import annotations

from vclogic.choices import choice
from vclogic.errors import Diagnostic, InputError
from vclogic.model.system import System
from vclogic.terms.build import any_of
from vclogic.terms.term import Term
from vclogic.words import joined


def default_goal(system: System, side: str) -> tuple[str, Term]:
    """The default goal: a side meets the condition of an outcome, judged at that moment or not.

    Returns:
        The goal in words, and as a Bool over fluents. Where an outcome is undefined, the side has it not.

    Raises:
        InputError: The side has no outcome.
    """
    own = [o for o in system.outcomes if o.side == side]
    if not own:
        message = f"the rules name nothing by which {side} wins"
        help = f"say what to plan for, with {choice('goal')}"
        raise InputError(Diagnostic("missing-goal", message, choice("goal"), help=help))
    names = tuple(dict.fromkeys(o.name for o in own))
    return f"enough for {joined(names, 'or')}", any_of(o.condition.holds for o in own)
