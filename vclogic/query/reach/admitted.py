"""Events that a question about the future admits, and those that it is about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from vclogic.encode.grounding import Admits, one_event
from vclogic.model.actions import Action, Event, Requirement, Schema
from vclogic.model.grounded import Grounded
from vclogic.model.system import ANY, Events, Metric, System
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.terms.atoms import FALSE, TRUE, boolean
from vclogic.terms.build import is_in
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Term

ALL, RULES = "all", "rules"


def admitting(resolved: ResolvedQuestion, *, assumed: bool) -> Admits:
    """Admit events; of an idle side only those that are forced or obligatory, such as the ends of its turns."""

    def admits(schema: Schema, action: Action) -> Action | None:
        if resolved.conditions.avoids(Event(action.name, action.args)):
            return None
        idle = [] if resolved.opponent == ANY or schema.obliged else [action.actor, action.agreed]
        needs = [_decides(resolved.system, who, resolved.side) for who in idle if who is not None]
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


def of_events(resolved: ResolvedQuestion, events: Sequence[Grounded], *, assumed: bool) -> Metric:
    """Some events of the rules as a planning model: one per step, each at a cost of 1.

    The question is about all of them, whichever are looked at for it.
    """
    system, name = resolved.system, ALL if assumed else RULES
    beyond = system.assumed if assumed else ()
    nothing = () if system.notes else ("nothing is assumed beyond the rules",)
    return Metric(
        name,
        "event",
        "all events of the rules",
        "events of a record",
        lambda side, opponent, start: one_event(system, events, name),
        lambda side, opponent: beyond or nothing,
        events=tuple(system.schemas),
    )


def only(system: System, kinds: tuple[str, ...]) -> Events:
    """Some kinds of events of the rules, and those that are left out then."""
    return Events(kinds, tuple(name for name in system.schemas if name not in kinds))


def kinds_of(system: System, events: Iterable[Grounded]) -> Events:
    """The kinds of the events that a proof is about, and those that cannot change it."""
    return only(system, tuple(dict.fromkeys(g.schema.name for g in events)))
