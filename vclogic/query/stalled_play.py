"""Play that stalls at an idle side: none of its duties lets play go on."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import replace

from vclogic.clock import ANSWERING, TimeUp, check_deadline, grace_period
from vclogic.encode.conditions import NO_CONDITIONS
from vclogic.encode.grounding import Admits
from vclogic.encode.python.evaluator import failed, interpret
from vclogic.explore.endings import endings
from vclogic.model.actions import Event, Schema
from vclogic.model.fluents import State, value
from vclogic.model.grounded import choices, number_of
from vclogic.model.system import IDLE, System
from vclogic.query.plan.answer import Plan
from vclogic.query.reach.admitted import admitting
from vclogic.query.reach.answer import Reach
from vclogic.query.replay import state_after_action
from vclogic.query.resolved_question import ResolvedQuestion, check_defined
from vclogic.solve.problem import ProofMethod
from vclogic.words import of_side

_MOST_EVENTS = 2_000  # events of the rules that are all tried in a position
_MOST = 200  # positions that are looked at, and
_MOST_TRIED = 3_000  # events that are tried in them: counted, so that the answer is the same on every machine
_WHOEVER_MOVES = (ProofMethod.POSITIONS, ProofMethod.ONE_STEP)  # proofs that hold whatever an idle side does


def unless_stalled(resolved: ResolvedQuestion, found: Reach) -> Reach:
    """The answer; one that says "never" is none where it only holds since an idle side freezes play.

    Raises:
        InputError: The goal is undefined in every position.
    """
    proof = found.proof
    if found.status == "unreachable":
        check_defined(resolved.system, found.goal, resolved.goal.meaning, resolved.effort)
    if found.status != "unreachable" or proof is None or proof.method in _WHOEVER_MOVES:
        return found
    why = stall_reason(resolved)
    return replace(found, status="unknown", proof=None, reason=why) if why else found


def plan_unless_stalled(resolved: ResolvedQuestion, found: Plan) -> Plan:
    """The same of a plan that is called impossible.

    Raises:
        InputError: The goal is undefined in every position.
    """
    if found.status == "impossible":
        check_defined(resolved.system, found.goal, resolved.goal.meaning, resolved.effort)
    why = stall_reason(resolved) if found.status == "impossible" else ""
    return replace(found, status="unknown", reason=why) if why else found


def stall_reason(resolved: ResolvedQuestion) -> str:
    """Why play comes to a stop at an idle side; empty where it is not seen to, among few positions near the start."""
    if resolved.opponent != IDLE or resolved.side is None or number_of(resolved.system.events) > _MOST_EVENTS:
        return ""
    try:
        with grace_period(ANSWERING):
            return _StalledPlay(
                resolved.system, admitting(replace(resolved, conditions=NO_CONDITIONS), assumed=False)
            ).stop(resolved.state)
    except TimeUp:
        return ""


class _StalledPlay:
    """Plays what is admitted, and looks for a position where nothing is."""

    def __init__(self, system: System, admits: Admits):
        self._system, self._admits, self._slot = system, admits, system.layout.slot
        self._final = endings(system).final
        schemas = sorted(system.events, key=lambda s: not s.routine)
        self._events = [e for s in schemas for e in _events(s)]
        self._tried = 0

    def stop(self, start: State) -> str:
        """Why play stops in some position; empty: it does not, as far as was looked."""
        seen, queue = {start}, deque([(start, "now")])
        while queue and self._tried < _MOST_TRIED:
            now, last = queue.popleft()
            self._tried += len(self._events)
            after = list(self._after(now))
            why = "" if after or interpret(self._final, self._slot, now) else self._waits(now)
            if why:
                return f"{last} {why}"
            for event, there in after:
                if there not in seen and len(seen) < _MOST:
                    seen.add(there)
                    queue.append((there, f"after {event}"))
        return ""

    def _after(self, state: State) -> Iterator[tuple[Event, State]]:
        for event in self._events:
            check_deadline()
            action = self._admits(self._system.schemas[event.name], self._system.action(event))
            after = None if action is None else state_after_action(self._system, state, action)
            if after is not None:
                yield event, after

    def _waits(self, state: State) -> str:
        """The reason why play waits for an idle side; empty if it does not."""
        for event in self._events:
            check_deadline()
            action = self._system.action_in(state, event)
            if action.actor is None or failed(self._system, state, action):
                continue
            who = action.actor
            name = who if isinstance(who, str) else str(value(who.sort, int(interpret(who, self._slot, state))))
            return (
                f"play waits for {of_side(name)}, which is idle and need not do {event}, and the rules make it do "
                "nothing that ends its turn: so nothing is proved. Ask with an opponent who helps; for authors: say "
                "what even an idle side must do (`Schema.obliged`)"
            )
        return ""


def _events(schema: Schema) -> Iterator[Event]:
    """The events of a schema, of open numbers with the least one."""
    least = {p.name: p.values[0] for p in schema.parameters if p.term}
    return (schema.event({**least, **args}) for args in choices(schema))
