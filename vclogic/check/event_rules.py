"""Faults of single events from well-formed positions: broken rules about events, lost lasting things, two winners."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from vclogic.check.family import LookCost, looks_for
from vclogic.check.findings import Finding, FindingKey, Witness
from vclogic.check.oracle import Oracle
from vclogic.check.outcomes import claims, fresh, pair, rivals, winner_of
from vclogic.clock import TIME_UP, TimeUp
from vclogic.encode.python.evaluator import apply, interpret
from vclogic.model.actions import Action, Schema
from vclogic.model.event_terms import Spoken, before, happened
from vclogic.model.fluents import State
from vclogic.query.reach.by_last_event import Judge, Shown, showing
from vclogic.query.replay import ReplayError
from vclogic.solve.backends.session import Answer
from vclogic.terms.atoms import FALSE, integer
from vclogic.terms.build import and_, any_of, not_
from vclogic.terms.rewrite import substitute
from vclogic.terms.term import Term, variables

_MOST = 40_000  # events that are looked at
_FEW = 50  # of them are asked about first, where one is expected to do it


@looks_for("VC102", over="the order of evaluation", cost=LookCost.EVENTS)
def evaluation(oracle: Oracle) -> Iterator[Finding]:
    """VC102: one event meets two sides' outcomes, and the record of who was first names one of them."""
    winner, layout = oracle.system.winner, oracle.system.layout
    latched = winner in layout.slot  # else nothing is recorded: it is judged anew each time
    recorded = latched or any(o.lost is not FALSE for o in oracle.system.outcomes)
    if not recorded or not oracle.wants("VC102"):
        return
    for a, b in rivals(oracle):
        both = and_(a.timing, a.condition.holds, b.timing, b.condition.holds)
        if oracle.possible(both).verdict == "unsat":
            continue
        about = pair("VC102", a, b)
        done = by_an_event(oracle, about, and_(before(fresh(oracle)), both))
        if done.witness is not None:
            first = str(layout.values(done.after)[winner]) if winner in layout.slot else "one of them"
            met = f"{a.name} of {winner_of(a)} and {b.name} of {winner_of(b)}"
            message = f"one event meets {met}; {first} is recorded"
            yield about.finding(message, witness=done.witness)


@looks_for("VC203", "VC204", over="what lasts", cost=LookCost.EVENTS)
def durations(oracle: Oracle) -> Iterator[Finding]:
    """VC203 and VC204: permanent things that an event loses, temporary things that none does."""
    for claim, term, lasting, said in claims(oracle, ""):
        code = "VC203" if lasting else "VC204"
        if lasting is None or not oracle.wants(code):
            continue
        about = replace(claim, code=code)
        done = by_an_event(oracle, about, and_(before(term), not_(term)), shown=bool(lasting))
        if lasting and done.witness is not None:
            yield about.finding(f"{said} is called permanent, and an event loses it", witness=done.witness)
        elif not lasting and done.excluded:
            proof = f"no event loses it, from any position that could stand on the board ({done.excluded})"
            yield about.finding(f"{said} is called temporary, and once met it is never lost", proof=proof)


@looks_for("VC205", over="rules about events", cost=LookCost.EVENTS)
def broken(oracle: Oracle) -> Iterator[Finding]:
    """VC205: rules about events that some event breaks."""
    if not oracle.wants("VC205"):
        return
    for rule in (r for r in oracle.system.rules if r.step):
        about = FindingKey("VC205", rule.name, rule.cites, rule.made)
        done = by_an_event(oracle, about, and_(happened(), not_(rule.kept)))
        if done.witness is not None:
            message = f"an event breaks the rule {rule.name}: {rule.text}"
            goal = and_(happened(), not_(rule.kept))
            yield replace(about.finding(message, witness=done.witness), goal=goal, of_event=True)


@dataclass(frozen=True)
class Done:
    """The effect of an event.

    Attributes:
        witness: The smallest position from which an event does it, if one does, with that event.
        after: The state after the event.
        excluded: Who confirms the proof that no event does it, in words; empty without one.
    """

    witness: Witness | None = None
    after: State = ()
    excluded: str = ""


def by_an_event(oracle: Oracle, about: FindingKey, says: Term, *, shown: bool = True) -> Done:
    """Look for an event of a record, allowed in a well-formed position, that does something; record an open question.

    Args:
        oracle: Where to ask.
        about: The finding that it would be.
        says: What the event does, in the words of `vclogic.model.event_terms`.
        shown: Whether to look for the smallest position from which an event does it.
    """
    spoken = Spoken(oracle.system, says)
    try:
        events = showing(oracle.system, spoken, _as_recorded, _MOST)
    except TimeUp:
        oracle.give_up(about, TIME_UP)
        return Done()
    if events is None:
        oracle.give_up(about, f"the rules have more than {_MOST:,} events that it is about")
        return Done()
    # A few of the events often show it: a smaller question than one about all.
    few = any_of(e.when for e in events[:: len(events) // _FEW + 1])
    if not shown and len(events) > _FEW and oracle.glance(few).verdict == "sat":
        return Done()
    wanted = any_of(e.when for e in events)
    answer = oracle.possible(wanted)
    if answer.verdict == "sat":
        return _shown(oracle, spoken, events, answer) if shown else Done()
    if answer.verdict == "unsat" and (confirmed := oracle.never(wanted)):
        return Done(excluded=confirmed)
    unconfirmed = "a fresh run of z3 did not confirm in time that no event does it"
    reason = oracle.bound(answer) if answer.verdict == "unknown" else unconfirmed
    oracle.give_up(about, reason)
    return Done()


def _as_recorded(schema: Schema, action: Action) -> Action:
    """Every event that a record may hold, as it is judged there."""
    return action


def _shown(oracle: Oracle, spoken: Spoken, events: Sequence[Shown], answer: Answer) -> Done:
    """The smallest position from which the event that was found does it; judged in plain Python."""
    system, wanted = oracle.system, any_of(e.when for e in events)
    found, numbers = _event(oracle, events, answer, wanted)
    when = substitute(found.when, {v: integer(n) for v, n in numbers.items()})
    witness, state = oracle.smallest(when, answer)
    event = found.event.event(numbers)
    action = system.action(event)
    after = apply(system, state, action)
    if not Judge(system, spoken).holds(state, event, after):
        raise ReplayError(f"{event} does not show what the solver says of it")
    return Done(replace(witness, then=(action.said(system.layout.values(state)),)), after)


def _event(oracle: Oracle, events: Sequence[Shown], answer: Answer, wanted: Term) -> tuple[Shown, dict[Term, int]]:
    """The event that an answer is about, with its numbers."""
    slot = oracle.system.layout.slot
    open_ = [v for v in variables(wanted) if v not in slot]
    places = {v: len(slot) + i for i, v in enumerate(open_)}
    state = oracle.position(answer, [v for v in variables(wanted, *oracle.bearing(wanted)) if v in slot])
    values = (*state, *(answer.values.get(v, v.lo) for v in open_))
    found = next(e for e in events if interpret(e.when, {**slot, **places}, values))
    return found, {v: answer.values.get(v, v.lo) for v in found.event.numbers.values()}
