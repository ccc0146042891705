"""The events that a search for a record tries: built beforehand, or only in the state in which they are tried."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import product
from math import inf, prod
from typing import Protocol

from vclogic.clock import check_deadline
from vclogic.encode.distance import penalty
from vclogic.encode.grounding import Admits, changing, places
from vclogic.encode.python.evaluator import Changes, OutOfBounds, changes, compile_terms, failed, interpret
from vclogic.encode.relaxed_costs import price
from vclogic.model.actions import Action, Event, Parameter, Schema
from vclogic.model.fluents import Layout, State, Value
from vclogic.model.grounded import Grounded, choices
from vclogic.model.system import System
from vclogic.terms.build import and_, any_of
from vclogic.terms.rewrite import substitute
from vclogic.terms.sorts import EnumSort, members_of
from vclogic.terms.term import Op, Term, postorder, variables

SMALL = 12  # members, or values of an argument, that all count, whatever the goal names
_OPEN_NUMBERS = (1, 2, 3, 4, 6)  # tried for what a built event leaves open
_NUMBERS = (1, 2, 3)  # tried for what another event takes as a number
_NAMED = 4  # of the numbers that a goal names
_FEW = 400  # events that can bring the goal about, beyond which what they need is no guide
_MOST_RELATED = 4_000  # events
_MOST_DIRECT = 50_000  # events
_EACH = 64  # that can change one fluent: with more it takes a search to choose among them
Distance = Callable[[State], tuple[int, ...]]
"""The heuristic distance of a state from a goal; the first number counts most."""


@dataclass(frozen=True)
class Candidate:
    """An event to try.

    Attributes:
        event: The event.
        cost: What it counts, by which equally promising records are compared.
        built: The same with its numbers open, if it was built beforehand.
    """

    event: Event
    cost: int
    built: Grounded | None = None


def candidate(schema: Schema, event: Event, built: Grounded | None = None) -> Candidate:
    """An event to try, at its cost."""
    return Candidate(event, price(schema), built)


class TriedEvents(Protocol):
    """Events to try."""

    def possible(self, state: State) -> Iterator[tuple[Candidate, Changes]]:
        """The events to try in a state, each with its changes."""

    def changes(self, state: State, tried: Candidate) -> Changes | None:
        """The changes of an event; None if it is not allowed, or leaves a fluent's sort."""


def _changes(system: System, state: State, action: Action) -> Changes | None:
    """The changes of an action; None if it leaves a fluent's sort."""
    try:
        return changes(system, state, action)
    except OutOfBounds:
        return None


# ---- built beforehand


class BuiltEvents:
    """Events that were built beforehand, with sample values for their open numbers.

    Args:
        system: The rule set.
        events: The events.
        goal: Bool, over fluents; the numbers that it names are tried, too.
    """

    def __init__(self, system: System, events: Sequence[Grounded], goal: Term):
        self._system = system
        self._events = events
        by_open: dict[int, list[Grounded]] = {}
        for g in events:
            by_open.setdefault(len(g.numbers), []).append(g)
        first = len(system.layout.fluents)  # the numbers that an event leaves open stand after the state
        numbers = {v: first + i for g in events for i, v in enumerate(g.numbers.values())}
        self._slot = {**system.layout.slot, **numbers}
        tried = numbers_to_try(goal)
        self._kinds = [
            (alike, tuple(_combinations(n, tried)), compile_terms([g.action.guard for g in alike], self._slot))
            for n, alike in sorted(by_open.items())
        ]
        self._guide = tuple(_combinations(max(by_open, default=0), tried))[:2]

    def possible(self, state: State) -> Iterator[tuple[Candidate, Changes]]:
        """As in `TriedEvents`."""
        for events, combinations, guards in self._kinds:
            for numbers in combinations:
                for g, legal in zip(events, guards((*state, *numbers)), strict=True):
                    if legal and all(v.lo <= n <= v.hi for v, n in zip(g.numbers.values(), numbers, strict=True)):
                        event = g.event(dict(zip(g.numbers.values(), numbers, strict=True)))
                        found = _changes(self._system, state, self._system.action(event))
                        if found is not None:
                            yield candidate(g.schema, event, g), found

    def changes(self, state: State, tried: Candidate) -> Changes | None:
        """As in `TriedEvents`."""
        assert tried.built is not None
        given = dict(tried.event.args)
        numbers = (int(given[name]) for name in tried.built.numbers)
        allowed = interpret(tried.built.action.guard, self._slot, (*state, *numbers))
        return _changes(self._system, state, self._system.action(tried.event)) if allowed else None

    def distance(self, goal: Term) -> Distance:
        """The penalty of a goal, and of the events that achieve it."""
        wanted = set(variables(goal))
        direct = [g for g in self._events if any(fluent in wanted for fluent, _ in g.action.effects)]
        before = [and_(g.action.guard, substitute(goal, dict(g.action.effects))) for g in direct[:_FEW]]
        penalties = compile_terms([penalty(goal), penalty(any_of(before))], self._slot)

        def distance(state: State) -> tuple[int, ...]:
            lacks = (penalties((*state, *numbers)) for numbers in self._guide)
            return (min(int(goal and goal + before) for goal, before in lacks),)

        return distance


def numbers_to_try(goal: Term) -> tuple[int, ...]:
    """The values to try for open numbers: small ones, and some with which the goal compares a fluent."""
    compared = (t for t in postorder([goal]) if t.op is Op.GE and t.args[0].op is Op.VAR)
    named = dict.fromkeys(int(t.payload) for t in compared if t.payload > 0)
    return tuple(dict.fromkeys((*_OPEN_NUMBERS, *list(named)[:_NAMED])))


def _combinations(open_: int, numbers: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Combinations of values for open numbers: all equal, then one larger than the others."""
    if not open_:
        yield ()
        return
    for n in numbers:
        yield (n,) * open_
    for i, n in product(range(open_), numbers[1:] if open_ > 1 else ()):
        yield tuple(n if j == i else numbers[0] for j in range(open_))


# ---- built only for the state in which they are tried


class UnbuiltEvents:
    """Events that are built only for the state in which they are tried.

    Args:
        system: The rule set.
        admits: Which events may happen.
        events: The events.
        built: More events, which were built beforehand.

    Attributes:
        events: The same.
    """

    def __init__(
        self, system: System, admits: Admits, events: Iterable[Candidate] = (), built: TriedEvents | None = None
    ):
        self._system = system
        self._admits = admits
        self._built = built
        self.events = tuple(events)

    def possible(self, state: State) -> Iterator[tuple[Candidate, Changes]]:
        """As in `TriedEvents`."""
        for tried in self.events:
            check_deadline()
            found = self.changes(state, tried)
            if found is not None:
                yield tried, found
        if self._built is not None:
            yield from self._built.possible(state)

    def changes(self, state: State, tried: Candidate) -> Changes | None:
        """As in `TriedEvents`."""
        if tried.built is not None and self._built is not None:
            return self._built.changes(state, tried)
        system = self._system
        action = self._admits(system.schemas[tried.event.name], system.action_in(state, tried.event))
        allowed = action is not None and not failed(system, state, action)
        return _changes(system, state, action) if action is not None and allowed else None


def related(system: System, goal: Term) -> Iterator[Candidate]:
    """The events whose arguments are names that occur in a goal (units, places and the like), up to a limit.

    The kinds that may change the goal's fluents come first, those with the fewest events before the others.
    """
    names = _names(goal, system.layout)
    spoken, where = [v for v in variables(goal) if v in system.layout.slot], places(system.layout)
    kinds = [(s, [_values_to_try(p, names) for p in s.parameters]) for s in system.events]
    sizes = {s.name: prod(map(len, values)) for s, values in kinds}
    direct = {s.name for s in system.events if changing(s, spoken, where)}
    left = _MOST_RELATED
    for schema, values in sorted(kinds, key=lambda kind: (kind[0].name not in direct, sizes[kind[0].name])):
        left -= sizes[schema.name]
        if left < 0:
            return
        given = {p.name: v for p, v in zip(schema.parameters, values, strict=True)}
        yield from (candidate(schema, schema.event(args)) for args in choices(schema, given))


def _names(goal: Term, layout: Layout) -> frozenset[str]:
    """The names in a goal: the indices of its fluents, and the members that its tests single out."""
    found: set[str] = set()
    keys = {v: key for f in layout.families.values() for key, v in f.fluents.items()}
    for t in postorder([goal]):
        found.update(keys.get(t, ()))
        if t.op is Op.IN:
            v = t.args[0]
            assert isinstance(v.sort, EnumSort)
            mask = v.mask
            if mask.bit_count() > SMALL:
                mask = min(t.payload, mask & ~t.payload, key=int.bit_count)
            found.update(v.sort.members[i] for i in members_of(mask))
    return frozenset(found)


def _values_to_try(parameter: Parameter, names: Set[str] = frozenset(), few: float = SMALL) -> Sequence[Value]:
    """Samples of a number; else the values that a goal names; else the default; else all values, if they are few."""
    if parameter.term:
        return [n for n in _NUMBERS if n in parameter.values]
    named = [x for x in parameter.values if x in names]
    if named:
        return named
    if parameter.default is not None:
        return [parameter.default]
    return parameter.values if len(parameter.values) <= few else []


def direct(system: System, goal: Term) -> Iterable[Candidate]:
    """The events that can change a goal's fluents, those of the greatest weight first, up to a limit."""
    where = places(system.layout)
    told = [s for s in system.events if s.touches is not None]
    parts: list[tuple[Schema, Mapping[str, Sequence[Value]]]] = [
        (s, given) for v in _by_weight(system, goal) for s in told for given in changing(s, [v], where)
    ]
    parts += [(s, {}) for s in system.events if s.touches is None]
    found: dict[tuple[str, tuple[Value, ...]], Candidate] = {}
    done: set[tuple[str, tuple[tuple[str, tuple[Value, ...]], ...]]] = set()
    for schema, given in parts:
        check_deadline()
        key = schema.name, tuple((name, tuple(values)) for name, values in given.items())
        values = {p.name: given.get(p.name) or _values_to_try(p, few=inf) for p in schema.parameters}
        number = prod(map(len, values.values()))
        if key in done or number > _EACH:
            continue
        if len(found) + number > _MOST_DIRECT:
            break
        done.add(key)
        for args in choices(schema, values):
            event = schema.event(args)
            found.setdefault((event.name, tuple(args.values())), candidate(schema, event))
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
