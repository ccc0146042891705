"""Reachability of goals about the last event of a record."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from vclogic.clock import ANSWERING, TimeUp, check_deadline, grace_period, until
from vclogic.encode.grounding import Admits, TooManyToBuild, changing, directly, one_event, places
from vclogic.encode.narrowing import propagated
from vclogic.encode.python.evaluator import apply, failed, interpret
from vclogic.model.actions import Event
from vclogic.model.event_terms import Acting, Happening, Meaning, Spoken, ValueBefore, watched
from vclogic.model.fluents import State, Value
from vclogic.model.grounded import Grounded, choices, number_of
from vclogic.model.step_text import decider
from vclogic.model.system import System
from vclogic.query.answers import Recorded
from vclogic.query.reach.admitted import ALL, admitting, of_events, only
from vclogic.query.reach.all_events import by_each_method, by_names, looked_at
from vclogic.query.reach.answer import Reach
from vclogic.query.reach.bearing_events import MOST, lasting, never_by, steps_about
from vclogic.query.reach.by_steps import holding, proof_text, unanswered
from vclogic.query.reach.found_records import as_played, by_trying
from vclogic.query.reach.record_search import of_given_events
from vclogic.query.replay import ReplayError
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.solve import budgets
from vclogic.solve.backends.claims import Claim
from vclogic.solve.problem import Proof, ProofMethod
from vclogic.solve.proofs.invariants import by_invariants, easy
from vclogic.solve.proofs.lost_for_good import LostForGood
from vclogic.solve.proofs.unreachability import by_one_step
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.build import and_, any_of
from vclogic.terms.term import Term, variables

# ---- statements about the last event, in Python


class Judge:
    """Evaluates a statement for events; independent of the encoding for solvers.

    Args:
        system: The rule set.
        spoken: The statement.
    """

    def __init__(self, system: System, spoken: Spoken):
        self._system = system
        self._spoken = spoken
        places = {v: len(system.layout.fluents) + i for i, v in enumerate(spoken.meanings)}
        self._slot = {**system.layout.slot, **places}

    def at_start(self, state: State) -> bool:
        """True if the goal holds before any event."""
        values = [
            state[self._slot[m.fluent]] if isinstance(m, ValueBefore) else 0 for m in self._spoken.meanings.values()
        ]
        return bool(interpret(self._spoken.term, self._slot, (*state, *values)))

    def holds(self, before: State, event: Event, after: State) -> bool:
        """True if the goal holds after an event.

        Args:
            before: The state before the event.
            after: The state after it.
        """
        values = [self._value(m, before, event) for m in self._spoken.meanings.values()]
        return bool(interpret(self._spoken.term, self._slot, (*after, *values)))

    def until_shown(self, state: State, events: Iterable[Event]) -> tuple[Event, ...]:
        """The prefix of a record up to the first event that satisfies it.

        Args:
            state: The state before the record.
            events: The record.

        Raises:
            ReplayError: An event breaks a rule, or none satisfies it.
        """
        made: list[Event] = []
        for event in events:
            action = self._system.action_in(state, event)
            if failed(self._system, state, action):
                raise ReplayError(f"{event} is not legal")
            after = apply(self._system, state, action)
            made.append(event)
            if self.holds(state, event, after):
                return tuple(made)
            state = after
        raise ReplayError("no event of the record shows the goal")

    def _value(self, meaning: Meaning, before: State, event: Event) -> int:
        if isinstance(meaning, ValueBefore):
            return before[self._slot[meaning.fluent]]
        if isinstance(meaning, Happening):
            given = dict(event.args)
            return int(meaning.event in (None, event.name) and all(given[name] == x for name, x in meaning.given))
        return int(self._decided(meaning, before, event))

    def _decided(self, meaning: Acting, before: State, event: Event) -> bool:
        who = decider(self._system.action(event).actor, self._system.layout.values(before))
        powers = self._system.sides.get(meaning.name, ())
        return who is not None and (who == meaning.name or who in powers)


# ---- the events that may show it


@dataclass(frozen=True)
class Shown:
    """An event that may satisfy a statement.

    Attributes:
        event: The event.
        when: Bool, over the state before it and its open numbers: it is allowed and satisfies the statement.
    """

    event: Grounded
    when: Term


def showing(system: System, spoken: Spoken, admits: Admits, most: int) -> list[Shown] | None:
    """Every event that may satisfy a statement from some state.

    Args:
        spoken: The statement.
        admits: Which events may happen, and what they need.
        most: The largest number of events.

    Returns:
        The events; None if there are more.
    """
    where = places(system.layout)
    chosen: dict[tuple[str, tuple[Value, ...]], dict[str, Value]] = {}
    for schema in (s for s in system.events if spoken.may_be(s.name, {})):
        # A statement that may hold though nothing changes asks about every event; else about those of its facts.
        still = spoken.may_be(schema.name, {}, still=True)
        for given in [{}] if still else changing(schema, spoken.fluents, where):
            for args in choices(schema, given):
                check_deadline()
                if spoken.may_be(schema.name, args):
                    chosen[schema.name, tuple(args.values())] = args
                if len(chosen) > most:
                    return None
    found = []
    for (name, _), args in chosen.items():
        schema = system.schemas[name]
        g = system.opened(schema, args)
        says = spoken.of(schema.name, {**args, **g.numbers}, g.action)
        action = None if says is FALSE else admits(schema, g.action)
        when = FALSE if action is None else and_(action.guard, says)
        if action is not None and when is not FALSE:
            found.append(Shown(replace(g, action=action), when))
    return found


# ---- the answer


_FEW_SHOWING = 8  # events that may show what is asked for, before each of which something must hold
_FEW = 400  # events that may show what is asked for, which are tried before all others are built


def reach_by_last_event(resolved: ResolvedQuestion, *, assumed: bool) -> Reach:
    """Decide whether some reachable event satisfies a goal about the last event of a record.

    Planning models are not used, since their steps may combine many events.

    Args:
        assumed: Whether events also need what the game assumes beyond its text.

    Returns:
        A replayed witness whose last event satisfies the goal; a proof that none does; or `unknown`.
    """
    spoken = Spoken(resolved.system, resolved.goal.term)
    judge, (system, shown) = Judge(resolved.system, spoken), watched(resolved.system, spoken)
    state = (*resolved.state, int(judge.at_start(resolved.state)))
    asked = replace(resolved, system=system, state=state, metric=of_events(resolved, (), assumed=assumed))
    asked = replace(asked, goal=replace(resolved.goal, term=shown))
    admits = admitting(asked, assumed=assumed)
    if state[-1]:
        return holding(asked)
    found = _by_those_that_show(asked, spoken, admits)
    lost = LostForGood()
    if found is None:
        lost = lasting(asked, spoken.term, admits)
        admits = lost.admits(admits)
    found = found or looked_at(asked, admits, assumed=assumed) or by_names(asked, admits)
    found = found or by_each_method(asked, admits, lost, assumed=assumed)
    if found.status != "reachable" or not found.steps:
        return found
    assert found.record is not None
    happened = found.record.events or tuple(Event(s.action, tuple(s.args.items())) for s in found.steps)
    # The search may have gone on after the first event that shows the goal: the witness ends there.
    with grace_period(ANSWERING):
        events = judge.until_shown(resolved.state, happened)
        steps = as_played(resolved.system, resolved.state, events, admits)
    assert steps is not None
    return replace(found, depth=len(steps), steps=steps, record=Recorded(events))


def _never_before(resolved: ResolvedQuestion, shown_by: Sequence[Shown], admits: Admits) -> Reach | None:
    """Prove that play never comes to a position from which an event shows the goal, by invariants; else None.

    What the event needs and what the goal says are one condition on the position before it. Its small parts, such as
    the latches of who has won, are asked about, once what its larger parts tell of them is put in.
    """
    if len(shown_by) > _FEW_SHOWING:
        return None
    resolved.progress("looking at what must hold before the event")

    def touching(fluents: Collection[Term]) -> list[Grounded]:
        return directly(resolved.system, fluents, admits, most=budgets.LEADING_EVENTS)

    laws: dict[Term, None] = {}
    claims: dict[Claim, None] = {}
    looked: dict[str, None] = {}
    effort = resolved.effort.part(budgets.GUESSES_SHARE)
    for s in shown_by:
        small = easy(propagated(s.when))
        if not set(resolved.system.layout.slot) >= set(variables(small)) or small is TRUE:
            return None
        try:
            with until(effort.deadline):
                events, step = steps_about(small, touching, lambda few: one_event(resolved.system, few, ALL))
        except (TooManyToBuild, TimeUp):
            return None
        proof = by_invariants(small, step, resolved.start, resolved.invariants, effort, most=1)
        if proof is None or not proof.rechecked:
            return None
        laws |= dict.fromkeys(proof.invariant)
        claims |= dict.fromkeys(proof.claims)
        looked |= dict.fromkeys(g.schema.name for g in (*events, s.event))
    kinds = tuple(e.name for e in resolved.system.events if e.name in looked)
    return replace(
        never_by(resolved, Proof(ProofMethod.INVARIANTS, tuple(laws), claims=tuple(claims))),
        events=only(resolved.system, kinds),
    )


def _by_those_that_show(resolved: ResolvedQuestion, spoken: Spoken, admits: Admits) -> Reach | None:
    """Try the candidate events: none satisfies the goal from any position, or one soon does; else None."""
    resolved.progress("looking at one event from any position")
    try:
        with until(resolved.effort.deadline.part(budgets.EVENTS_OF_ONE_STEP)):
            shown_by = showing(resolved.system, spoken, admits, MOST)
    except TimeUp:
        return None
    if shown_by is None:
        return None
    events = [s.event for s in shown_by]
    proof = by_one_step(any_of(s.when for s in shown_by), resolved.invariants, resolved.effort)
    if proof is not None:
        kinds = tuple(s.name for s in resolved.system.events if any(g.schema.name == s.name for g in events))
        told = proof_text(resolved, proof, None)
        return replace(
            unanswered(resolved, ""), status="unreachable", events=only(resolved.system, kinds), proof=told
        )
    if len(events) > _FEW:
        return None
    never = _never_before(resolved, shown_by, admits)
    if never is not None:
        return never
    routine = [s for s in resolved.system.events if s.routine and number_of([s]) <= _FEW]
    between = [resolved.system.opened(s, args) for s in routine for args in choices(s)]
    more = [replace(g, action=a) for g in between if (a := admits(g.schema, g.action)) is not None]
    glance = replace(resolved, effort=resolved.effort.part(most=budgets.GLANCE_AT_EVENTS))
    few = list({g.action.key: g for g in (*events, *more)}.values())
    return by_trying(glance, admits, lambda *_: of_given_events(glance.system, few, resolved.goal.term))
