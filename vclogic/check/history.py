"""Looks for play from the start that leads to a finding: the cheapest, or a proof that none does."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from vclogic.check.event_rules import Done, by_an_event
from vclogic.check.findings import Cleared, Finding, FindingKey
from vclogic.check.oracle import Oracle
from vclogic.check.outcomes import fresh
from vclogic.clock import TIME_UP, TimeUp, check_deadline, until
from vclogic.encode.python.evaluator import interpret
from vclogic.files.record import RecordStep as Record
from vclogic.model.event_terms import before, happened
from vclogic.model.fluents import State
from vclogic.query.answers import Step
from vclogic.query.plan_record import record_plan
from vclogic.query.plan_search import find
from vclogic.query.reach.all_events import reach_by_events
from vclogic.query.reach.answer import Reach
from vclogic.query.reach.by_last_event import reach_by_last_event
from vclogic.query.replay import play_record, replay_plan
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.solve import budgets
from vclogic.terms.build import and_, any_of, not_
from vclogic.terms.expressions.compiled import Goal
from vclogic.terms.term import Term


@dataclass(frozen=True)
class Led:
    """The result of play from the start: a witness, a proof that there is none, or the reason for neither.

    Attributes:
        steps: The steps found, if any; the events of a record.
        state: The state that they lead to.
        then: What happens there, where the finding is about that.
        cheapest: Whether it is proved that no plan by the game's default metric is cheaper.
        proof: Why no record leads there, if that is proved.
        reason: Why nothing is known, otherwise.
    """

    steps: tuple[Step, ...] = ()
    state: State | None = None
    then: tuple[str, ...] = ()
    cheapest: bool = False
    proof: str = ""
    reason: str = ""


def unreached(oracle: Oracle, found: Sequence[Finding]) -> tuple[list[Finding], tuple[Cleared, ...]]:
    """The findings over positions, and those that the start never leads to where all positions of play are known.

    A witness that play does not lead to gives way to the nearest that it leads to: the smallest position may be one
    that nobody could set up, such as one with more units than there are.
    """
    asked = [f for f in found if f.goal is not None and not f.of_event and (f.suppressed is None or not f.witness)]
    play = oracle.play if asked else None
    if play is None or not play.complete:
        return _unbrought(oracle, found)
    rows = dict(zip(map(id, asked), play.first([f.goal for f in asked if f.goal is not None]), strict=True))
    kept: list[Finding] = []
    for f in found:
        row = rows.get(id(f), 0)
        smallest = oracle.shown_by(f.goal) if id(f) in rows and f.goal is not None else None
        unshown = f.witness is None if smallest is None else not play.reaches(smallest)
        if row >= 0 and id(f) in rows and unshown:
            witness = oracle.witness(play.state(row), minimal=True)
            f = replace(f, scope="reachable", witness=witness, steps=play.steps(row))
        if row >= 0:
            kept.append(f)
    return kept, tuple(Cleared(f.code, f.rule, play.looked_at) for f in asked if rows[id(f)] < 0)


def _unbrought(oracle: Oracle, found: Sequence[Finding]) -> tuple[list[Finding], tuple[Cleared, ...]]:
    """The findings without those at the end of a game that no event can bring about.

    A position may meet both outcomes where the first of them has ended the game before. And a fact that the rules
    write down for themselves follows from the event before it: what a position says with one is told only if an
    event leads there.
    """
    kept, cleared = list(found), list[Cleared]()
    asked = [f for f in found if f.goal is not None and not f.of_event and _at_the_end(f)]
    if not asked:
        return kept, ()
    system = oracle.system
    ended = (*(o.now for o in system.outcomes), *(() if system.ends is None else (system.ends,)))
    open_ = and_(before(fresh(oracle)), before(not_(any_of(ended))))
    for f in asked:
        assert f.goal is not None, "those were chosen"
        if f.witness is not None and (oracle.time_is_up or interpret(f.goal, system.layout.slot, oracle.rules.state)):
            continue
        about, undecided, done = FindingKey(f.code, f.rule, (), ()), len(oracle.undecided), Done()
        with suppress(TimeUp):
            done = by_an_event(oracle, about, and_(open_, f.goal), shown=f.witness is None)
        why = oracle.undecided[undecided].reason if len(oracle.undecided) > undecided else TIME_UP
        del oracle.undecided[undecided:]  # of positions that show it themselves it stays a finding
        if done.excluded:
            kept.remove(f)
            what = "both" if f.code == "VC101" else "it"
            cleared.append(Cleared(f.code, f.rule, f"{_NO_EVENT.format(what)} ({done.excluded})"))
        elif done.witness is not None:
            kept[kept.index(f)] = replace(f, witness=done.witness, goal=and_(happened(), f.goal), of_event=True)
        elif f.witness is None:
            kept.remove(f)
            oracle.give_up(about, f"whether an event brings it about: {why}")
    return kept, tuple(cleared)


def _at_the_end(finding: Finding) -> bool:
    """True if it is told of a position that ended the game, or of one that no position alone shows."""
    return finding.witness is None or (finding.code == "VC101" and finding.suppressed is None)


_NO_EVENT = "no event brings {} about where nobody has won yet"


def explored(oracle: Oracle, found: Sequence[Finding]) -> tuple[list[Finding], tuple[Cleared, ...]]:
    """The findings that play from the start leads to, and those that it never does.

    A finding of which neither is known stays as one over all positions, and is listed as undecided.
    """
    kept: list[Finding] = []
    cleared: list[Cleared] = []
    asked = sum(f.goal is not None for f in found)
    for f in found:
        if f.goal is None:
            kept.append(f)
            continue
        led = led_to(oracle, f.goal, 1 / asked, of_event=f.of_event)
        asked -= 1
        if led.state is not None:
            witness = oracle.witness(led.state, minimal=led.cheapest, then=led.then)
            kept.append(replace(f, scope="reachable", witness=witness, steps=led.steps))
        elif led.proof:
            cleared.append(Cleared(f.code, f.rule, led.proof))
        else:
            kept += [f] if f.witness is not None else []
            oracle.give_up(FindingKey(f.code, f.rule, (), ()), f"whether play leads there: {led.reason}")
    return kept, tuple(cleared)


def led_to(oracle: Oracle, goal: Term, share: float = 1.0, *, of_event: bool = False, most: float = math.inf) -> Led:
    """The play to a goal, or to an event that the goal speaks of.

    Args:
        share: The part of the time that is left which it may take.
        of_event: Whether the goal speaks of an event.
        most: Seconds that it may take.
    """
    if oracle.ask is None:
        return Led(reason="play was not asked for")
    resolved = oracle.ask(oracle.effort.part(share, min(most, oracle.time_left)))
    resolved = replace(resolved, goal=Goal("", goal))
    try:
        with until(resolved.effort.deadline):
            check_deadline()
            if of_event:
                return _led_to_event(resolved)
            planned = _planned(replace(resolved, effort=resolved.effort.part(budgets.CHEAPEST_PLAY)))
            return planned or _by_events(resolved)
    except TimeUp:
        return Led(reason=TIME_UP)


def _led_to_event(resolved: ResolvedQuestion) -> Led:
    """A record that leads to where an event does what a goal says, or that by all events of the rules none does."""
    found = reach_by_last_event(resolved, assumed=True)
    if found.record is not None and found.record.events is not None:
        there = play_record(resolved.system, resolved.state, [Record(e) for e in found.record.events[:-1]])
        return Led(found.steps[:-1], there, (found.steps[-1].text,))
    return _unmet(found)


def _planned(resolved: ResolvedQuestion) -> Led | None:
    """The cheapest plan for a goal by the game's default metric, if the rules accept it as a record; or None."""
    try:
        with until(resolved.effort.deadline):
            problem = resolved.problem()
            search = find(resolved, problem)
    except TimeUp:
        return None
    if search.steps is None:
        return None
    play = replay_plan(resolved.system, resolved.state, problem.plain, search)
    record = record_plan(resolved.system, resolved.state, play.events, resolved.goal.term, resolved.effort.deadline)
    if record.events is None:
        return None
    end = play_record(resolved.system, resolved.state, [Record(e) for e in record.events])
    return Led(play.steps, end, cheapest=search.cost == search.lower_bound)


def _by_events(resolved: ResolvedQuestion) -> Led:
    """A record that leads to a goal, or that by all events of the rules there is none."""
    found = reach_by_events(resolved, assumed=True, planning=False)
    if found.record is not None and found.record.events is not None:
        end = play_record(resolved.system, resolved.state, [Record(e) for e in found.record.events])
        return Led(found.steps, end)
    return _unmet(found)


def _unmet(found: Reach) -> Led:
    """The result where no record was found."""
    if found.status == "unreachable" and found.proof is not None:
        return Led(proof=f"no record leads there, however long ({found.proof.method})")
    return Led(reason=found.reason or "no method decided it")
