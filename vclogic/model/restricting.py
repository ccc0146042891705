"""An event as a planning model sees it: the game's own, with less asked of it, more assumed, and a price."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence, Set
from dataclasses import replace

from vclogic.model.actions import Action, Requirement
from vclogic.model.fluents import Value
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Op, Term

Awkward = Callable[[Mapping[Term, Value]], int]


def restricted(
    event: Action,
    *,
    without: Collection[str] = (),
    assumed: Sequence[Requirement] | None = None,
    leaving: Set[Term] = frozenset(),
    costs: Mapping[str, int] | None = None,
    text: str | Callable[[Mapping[Term, Value]], str] | None = None,
    awkward: Awkward | None = None,
) -> Action:
    """An event with what a planning model drops and what it assumes.

    Args:
        event: The event, as records are judged by it.
        without: Names of the requirements that the model does not ask for.
        assumed: What it takes for granted beyond the rules; None: what the event itself says, `Action.assumed`.
        leaving: Fluents that the model brings up to date elsewhere, such as at the end of a step.
        costs: What the event costs under each metric.
        text: The sentence for a player; None: the event's.
        awkward: See `Action.awkward`.

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
        awkward=awkward,
    )


def at_each_beginning(end: Action, start: Mapping[Term, Term]) -> Substitution:
    """What is known of fluents where steps begin that end with one action, such as the end of a turn.

    A fluent that the action gives a constant, or the value of one that it leaves alone, has that value when the next
    step begins. Where it has it at the start too, it has it whenever a step begins.

    Args:
        end: What ends each step.
        start: The constant value of each fluent; what is not there is not known.
    """
    changed = {fluent for fluent, _ in end.effects}
    known: dict[Term, Term] = {}
    for fluent, value in end.effects:
        copied = value.op is Op.VAR and value not in changed
        first = value if value.is_const else start.get(value) if copied else None
        if first is not None and start.get(fluent) is first:
            known[fluent] = value
    return Substitution(known)
