"""Adapt an event for a planning model: drop requirements, add assumptions, set its cost."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence, Set
from dataclasses import replace

from vclogic.model.actions import Action, Requirement
from vclogic.model.fluents import Value
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Op, Term

DisplayRank = Callable[[Mapping[Term, Value]], int]


def restricted(
    event: Action,
    *,
    without: Collection[str] = (),
    assumed: Sequence[Requirement] | None = None,
    leaving: Set[Term] = frozenset(),
    costs: Mapping[str, int] | None = None,
    text: str | Callable[[Mapping[Term, Value]], str] | None = None,
    display_rank: DisplayRank | None = None,
) -> Action:
    """The action that a planning model uses for an event.

    Args:
        event: The event, with all its requirements.
        without: Names of the requirements that the model drops.
        assumed: Preconditions that the model adds; None: the event's own `Action.assumed`.
        leaving: Fluents that the model updates elsewhere, such as at the end of a step.
        costs: What the event costs under each metric.
        text: The sentence for a player; None: the event's.
        display_rank: See `Action.display_rank`.

    Returns:
        The action that the model takes.
    """
    asked = (r for r in event.requirements if not r.name or r.name not in without)
    return replace(
        event,
        requirements=(*asked, *(event.assumed if assumed is None else assumed)),
        effects=tuple((fluent, value) for fluent, value in event.effects if fluent not in leaving),
        costs=costs or {},
        text=event.text if text is None else text,
        assumed=(),
        display_rank=display_rank,
    )


def at_each_beginning(end: Action, start: Mapping[Term, Term]) -> Substitution:
    """The fluents whose value is the same at the beginning of every step, if each step ends with the same action.

    A fluent to which the action assigns a constant, or the value of a fluent that it does not change, has that value
    at the beginning of the next step. If it also has it at the start, it has it at the beginning of every step.

    Args:
        end: The action that ends each step, such as the end of a turn.
        start: The constant value of each fluent at the start; a fluent left out is unknown.
    """
    changed = {fluent for fluent, _ in end.effects}
    known: dict[Term, Term] = {}
    for fluent, value in end.effects:
        copied = value.op is Op.VAR and value not in changed
        first = value if value.is_const else start.get(value) if copied else None
        if first is not None and start.get(fluent) is first:
            known[fluent] = value
    return Substitution(known)
