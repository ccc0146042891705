"""Rules about events: whether every event keeps to them, from every well-formed position."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from vclogic.check.checked_rules import Topic
from vclogic.check.findings import Finding
from vclogic.check.oracle import Desk
from vclogic.clock import TIME_UP, TimeUp
from vclogic.encode.evaluator import apply, interpret
from vclogic.model.actions import Action, Schema
from vclogic.model.event_terms import Spoken, happened
from vclogic.model.rules import Rule
from vclogic.query.last_event import Judge, Shown, showing
from vclogic.query.replay import ReplayError
from vclogic.solve.backends.session import Answer
from vclogic.terms.atoms import integer
from vclogic.terms.build import and_, any_of, not_
from vclogic.terms.rewrite import substitute
from vclogic.terms.term import Term, variables

_MOST = 40_000  # events that are looked at


def broken(desk: Desk) -> Iterator[Finding]:
    """VC205: rules about events that some event breaks."""
    if not desk.wants("VC205"):
        return
    for rule in (r for r in desk.system.rules if r.step):
        yield from _broken(desk, rule)


def _broken(desk: Desk, rule: Rule) -> Iterator[Finding]:
    about = Topic("VC205", rule.name, rule.cites, rule.made)
    spoken = Spoken(desk.system, and_(happened(), not_(rule.kept)))
    try:
        events = showing(desk.system, spoken, _as_recorded, _MOST)
    except TimeUp:
        desk.give_up(about, TIME_UP)
        return
    if events is None:
        desk.give_up(about, f"the rules have more than {_MOST:,} events that it is about")
        return
    wanted = any_of(e.when for e in events)
    answer = desk.possible(wanted)
    if answer.verdict == "sat":
        yield _shown(desk, about, rule, spoken, events, answer)
    elif answer.verdict == "unknown":
        desk.give_up(about, desk.bound(answer))
    elif not desk.never(wanted):
        desk.give_up(about, "a fresh solver did not confirm in time that no event breaks it")


def _as_recorded(schema: Schema, action: Action) -> Action:
    """Every event that a record may hold, as it is judged there."""
    return action


def _shown(desk: Desk, about: Topic, rule: Rule, spoken: Spoken, events: Sequence[Shown], answer: Answer) -> Finding:
    """The smallest position from which the event that was found breaks the rule; judged in plain Python."""
    system, wanted = desk.system, any_of(e.when for e in events)
    found, numbers = _event(desk, events, answer, wanted)
    when = substitute(found.when, {v: integer(n) for v, n in numbers.items()})
    witness, state = desk.smallest(when, answer)
    event = found.event.event(numbers)
    action = system.action(event)
    if not Judge(system, spoken).holds(state, event, apply(system, state, action)):
        raise ReplayError(f"{event} does not break the rule {rule.name}")
    said = action.text if isinstance(action.text, str) else action.text(system.layout.values(state))
    message = f"an event breaks the rule {rule.name}: {rule.text}"
    return replace(about.finding(message, witness=replace(witness, then=(said,))), goal=spoken.term, of_event=True)


def _event(desk: Desk, events: Sequence[Shown], answer: Answer, wanted: Term) -> tuple[Shown, dict[Term, int]]:
    """The event that an answer is about, with its numbers."""
    slot = desk.system.layout.slot
    open_ = [v for v in variables(wanted) if v not in slot]
    places = {v: len(slot) + i for i, v in enumerate(open_)}
    state = desk.position(answer, [v for v in variables(wanted, *desk.bearing(wanted)) if v in slot])
    values = (*state, *(answer.values.get(v, v.lo) for v in open_))
    found = next(e for e in events if interpret(e.when, {**slot, **places}, values))
    return found, {v: answer.values.get(v, v.lo) for v in found.event.numbers.values()}
