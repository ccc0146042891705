"""Events that a question about the future admits."""

from __future__ import annotations

from dataclasses import replace

from vclogic.encode.grounding import Admits
from vclogic.model.actions import Action, Event, Requirement, Schema
from vclogic.model.system import ANY, System
from vclogic.query.plan_request import Ask
from vclogic.terms.atoms import FALSE, TRUE, boolean
from vclogic.terms.build import is_in
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Term


def admitting(ask: Ask, *, assumed: bool) -> Admits:
    """Admit events; of an idle side only those that are forced or obligatory, such as the ends of its turns."""

    def admits(schema: Schema, action: Action) -> Action | None:
        if ask.without is not None and ask.without.avoids(Event(action.name, action.args)):
            return None
        idle = [] if ask.opponent == ANY or schema.obliged else [action.actor, action.agreed]
        needs = [_decides(ask.system, who, ask.side) for who in idle if who is not None]
        if FALSE in needs:
            return None
        taken = action.under_assumptions if assumed else action
        more = [Requirement(t, "the other side is idle") for t in needs if t is not TRUE]
        return replace(taken, requirements=(*taken.requirements, *more)) if more else taken

    return admits


def _decides(system: System, who: str | Term, side: str | None) -> Term:
    """A Bool term: the decider of an event belongs to a side."""
    if isinstance(who, str):
        return boolean(system.side_of(who) == side)
    assert isinstance(who.sort, EnumSort)
    return is_in(who, [m for m in who.sort.members if system.side_of(m) == side])
