"""Hill climbing for a record: take events that reduce the goal's penalty, among those that change its fluents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import inf, prod

from vclogic.clock import look
from vclogic.encode.evaluator import interpret
from vclogic.encode.grounding import Admits
from vclogic.encode.influence import changing, places
from vclogic.encode.penalty import penalty
from vclogic.model.actions import Event, Schema
from vclogic.model.fluents import State, Value
from vclogic.model.grounded import choices, number_of
from vclogic.model.system import System
from vclogic.query.best_first import DECIDED, Candidate
from vclogic.query.related_events import SMALL, LazySearch, values_to_try
from vclogic.terms.term import Op, Term, postorder, variables

_MOST = 50_000  # events
_EACH = 64  # that can change one fluent: with more it takes a search to choose among them
_IN_BETWEEN = 12  # routine events in a row, such as the ends of a round's turns, that may bring nothing nearer


class HillClimbing(LazySearch):
    """Applies every event that reduces the goal's penalty as soon as it is found, and no other.

    Routine events are applied if no other helps. It succeeds where many independent events lead to the goal, on
    boards of any size: an event is built only when it is tried, for the state at that time. It gives up where a step
    is needed that does not reduce the penalty.

    Args:
        system: The rule set.
        admits: Which events may happen.
        goal: Bool, over fluents.
    """

    def __init__(self, system: System, admits: Admits, goal: Term):
        super().__init__(system, admits, goal, _direct(system, goal), [penalty(goal, even=True)])
        few = [s for s in system.events if s.routine and number_of([s]) <= SMALL]
        self._between = tuple(Candidate(s.event(args), 1) for s in few for args in choices(s))
        self._asked = {s.name: _asking(s) for s in system.events}

    def _found(self, state: State, within: int | None) -> tuple[Event, ...] | None:
        """As in `Search`; see the class."""
        start, lacks = state, self.distance(state)
        way: list[Candidate] = []
        seen, waited = {state}, 0
        while lacks[0] and waited <= _IN_BETWEEN:
            before = len(way)
            for tried, after, left in self._nearer(state, lacks):
                state, lacks = after, left
                way.append(tried)
            if len(way) > before:
                waited = 0
                continue
            passed = next(((e, s) for e in self._between if (s := self._after(state, e)) is not None), None)
            if passed is None or passed[1] in seen:
                return None
            state, lacks, waited = passed[1], self.distance(passed[1]), waited + 1
            seen.add(state)
            way.append(passed[0])
        if lacks[0]:
            return None
        tidied = self._tidied(start, tuple(way))
        return tuple(t.event for t in tidied) if within is None or len(tidied) <= within else None

    def _nearer(self, state: State, lacks: tuple[int, ...]) -> Iterator[tuple[Candidate, State, tuple[int, ...]]]:
        """Apply one event after the other that reduces the penalty, until the goal holds."""
        refused = self._refused(state)
        for tried in self._events:
            look()
            if any(pair in refused for pair in _named(tried)):
                continue
            after = self._after(state, tried)
            left = lacks if after is None else self.distance(after)
            if after is not None and left < lacks:
                state, lacks = after, left
                yield tried, state, lacks
                if not lacks[0]:
                    return
                refused = self._refused(state)

    def _refused(self, state: State) -> set[tuple[str, str, Value]]:
        """The argument values that no event of a kind may have in a state, whatever its other arguments."""
        slot = self.system.layout.slot
        return {
            key
            for asked in self._asked.values()
            for key, needs in asked.items()
            if not all(interpret(t, slot, state) for t in needs)
        }


def _asking(schema: Schema) -> Mapping[tuple[str, str, Value], tuple[Term, ...]]:
    """The shared requirements of all events of a kind with a given value of an argument (`Schema.asks`)."""
    asks = ((p.name, x, ask) for p in schema.parameters if (ask := schema.asks.get(p.name)) for x in p.values)
    return {(schema.name, name, x): tuple(r.term for r in ask(str(x))) for name, x, ask in asks}


def _named(tried: Candidate) -> Iterable[tuple[str, str, Value]]:
    return ((tried.event.name, name, x) for name, x in tried.event.args)


def _direct(system: System, goal: Term) -> Iterable[Candidate]:
    """The events that can change a goal's fluents, those of the greatest weight first, up to a limit."""
    where = places(system.layout)
    told = [s for s in system.events if s.touches is not None]
    parts = [(s, given) for v in _by_weight(system, goal) for s in told for given in changing(s, [v], where)]
    parts += [(s, {}) for s in system.events if s.touches is None]
    found: dict[tuple[str, tuple[Value, ...]], Candidate] = {}
    done: set[tuple[str, tuple[tuple[str, tuple[Value, ...]], ...]]] = set()
    for schema, given in parts:
        look()
        key = schema.name, tuple((name, tuple(values)) for name, values in given.items())
        values = {p.name: given.get(p.name) or values_to_try(p, few=inf) for p in schema.parameters}
        number = prod(map(len, values.values()))
        if key in done or number > _EACH:
            continue
        if len(found) + number > _MOST:
            break
        done.add(key)
        for args in choices(schema, values):
            event = schema.event(args)
            found.setdefault((event.name, tuple(args.values())), Candidate(event, 1 if schema.routine else DECIDED))
    return found.values()


def _by_weight(system: System, goal: Term) -> list[Term]:
    """The fluents of a goal, those with the greatest weight in its sums first."""
    weight: dict[Term, int] = {}
    for t in postorder([goal]):
        if t.op is Op.LIN:
            for k, part in zip(t.payload[0], t.args, strict=True):
                v = part.args[0] if part.op is Op.IN else part
                weight[v] = max(weight.get(v, 0), abs(k))
    spoken = [v for v in variables(goal) if v in system.layout.slot]
    return sorted(spoken, key=lambda v: -weight.get(v, 0))
