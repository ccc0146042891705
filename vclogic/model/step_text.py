"""Steps of a plan as a reader sees them, and who decides them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from vclogic.model.actions import Action
from vclogic.model.fluents import Value, value
from vclogic.terms.atoms import constant
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term, variables

Values = Mapping[Term, Value]
"""The value of each fluent."""


@dataclass(frozen=True)
class Under:
    """The whole that a step is part of, such as a battle of several steps.

    Attributes:
        place: Where it is, as the battles of a record name it; empty if it is no battle.
        heading: What the steps do together, such as `Germans take Russia`.
        text: The step below that heading, which need not say it again.
    """

    place: str
    heading: str
    text: str


@dataclass(frozen=True)
class StepText:
    """A step as a plan shows it.

    Attributes:
        actor: Who acts.
        action: Name of the action.
        args: Its arguments.
        text: The sentence for a player.
        cites: Clause ids.
        under: What it is part of, if several steps make one.
    """

    actor: str | None
    action: str
    args: Mapping[str, Value]
    text: str
    cites: tuple[str, ...] = ()
    under: Under | None = None


def step_text(action: Action, values: Values) -> StepText:
    """An action as a plan shows it.

    Args:
        values: The values before it, for an actor or a sentence that the state decides.
    """
    actor = decider(action.actor, values)
    cites = tuple(c.clause for c in action.cites)
    way = () if action.way is None else action.way(values)
    text = f"{action.said(values)} ({', '.join(way)})" if way else action.said(values)
    return StepText(actor, action.name, dict(action.args), text, cites)


def decider(who: str | Term | None, values: Values) -> str | None:
    """The side or power that decides an action in a state; None if it is forced.

    Args:
        who: Its `actor`.
        values: The values before it.
    """
    if not isinstance(who, Term):
        return who
    if who in values:
        return str(values[who])
    found = Substitution({v: constant(v.sort, values[v]) for v in variables(who)})(who)
    return str(value(found.sort, int(found.payload)))
