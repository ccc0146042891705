"""All events that can bear on a goal, as one step of which each is a choice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from math import inf

from vclogic.clock import look
from vclogic.encode.influence import Candidates, unsettled, wanting
from vclogic.model.actions import Action, Schema
from vclogic.model.fluents import State, Value
from vclogic.model.grounded import Grounded
from vclogic.model.system import System
from vclogic.model.transition import Chosen, StepText, Transition, Values, one_at_a_time, plain, step_text
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.rewrite import Substitution, substitute
from vclogic.terms.term import Op, Term, variables

_MANY = 1_500  # events, beyond which what is known of single ones (`SingleActions.actions`) costs more than it tells
Admits = Callable[[Schema, Action], Action | None]
"""An event of a schema as it may happen; None if it may not."""


def relevant(
    system: System,
    goal: Iterable[Term],
    admits: Admits,
    *,
    start: State | None = None,
    most: float = inf,
) -> list[Grounded]:
    """Every event that can bear on a goal, directly or through what other such events read.

    What the others change no such event reads, so leaving them out loses nothing. Only what may change a fluent that
    is read is built (`Schema.touches`).

    Where the start is given, a part of a requirement (or of the goal) reads nothing if it holds as long as the
    fluents that do not count are what they are at the start, and else only fluents whose change could make it true;
    unless an event that bears on the goal takes them from what they are at the start. So a record to the goal needs
    no other events: take them out of one, and each fluent that the rest reads is as it was in it, or what it is at
    the start, by which what was required still holds.

    Args:
        system: The rule set.
        goal: Terms over fluents; of sort Bool where a start is given, and one state has to satisfy all.
        admits: Which events may happen, and what they need.
        start: The state that all records begin from; None: any.
        most: How many events may be built.

    Raises:
        TooMany: More events would have to be built.
    """
    slot = system.layout.slot
    candidates = Candidates(system.events, system.layout, most)
    asked = list(goal)
    reading = _Reading(system, start)
    needed: set[Term] = set()
    fresh = reading.of_needs(asked, needed)
    pool: list[Grounded] = []
    kept: list[Grounded] = []
    while fresh:
        needed |= fresh
        pool += _admitted(_built(system, candidates.more(fresh)), admits)
        kept = [g for g in pool if any(fluent in needed for fluent, _ in g.action.effects)]
        effects = [new for g in kept for fluent, new in g.action.effects if fluent in needed]
        needs = [*asked, *(r.term for g in kept for r in g.action.requirements)]
        fresh = {v for v in variables(*effects) if v in slot} - needed
        fresh = fresh or reading.of_needs(needs, needed) or reading.unsettled(needs, kept, needed)
    return [reading.settled(g, needed) for g in _in_order(system, kept)]


class _Reading:
    """Which fluents requirements read.

    Args:
        system: The rule set.
        start: The state that all records begin from; None: any.
    """

    def __init__(self, system: System, start: State | None):
        self._layout = system.layout
        self._start = start
        self._values = {} if start is None else system.layout.constants(start)
        self._read: dict[Term, set[Term]] = {}
        self._wanting: dict[Term, set[Term]] = {}

    def fluents(self, term: Term) -> set[Term]:
        """All fluents of a term."""
        found = self._read.get(term)
        if found is None:
            found = self._read[term] = {v for v in variables(term) if v in self._layout.slot}
        return found

    def of_needs(self, terms: Iterable[Term], needed: Set[Term]) -> set[Term]:
        """The fluents, besides those that count already, that Bool terms read, whatever the other fluents are.

        A part that holds as long as all others are what they are at the start reads none.
        """
        found: set[Term] = set()
        for part in _parts(terms):
            if self._start is None:
                found |= self.fluents(part)
                continue
            if part not in self._wanting:
                self._wanting[part] = wanting([part], self._layout, self._start)
            more = self._wanting[part] - needed
            if more and substitute(part, {v: self._values[v] for v in self.fluents(part) - needed}) is not TRUE:
                found |= more
        return found - needed

    def unsettled(self, terms: Iterable[Term], kept: Iterable[Grounded], needed: Set[Term]) -> set[Term]:
        """The fluents that they read as well since events that are kept take them from their value at the start."""
        if self._start is None:
            return set()
        watched = {v for part in _parts(terms) for v in self.fluents(part)} - needed
        effects = dict.fromkeys(e for g in kept for e in g.action.effects)
        return unsettled(effects, self._values.__getitem__, watched)

    def settled(self, g: Grounded, needed: Set[Term]) -> Grounded:
        """An event that reads what counts alone: in its requirements all else is what it is at the start.

        So what is found out about the events that count never speaks of what others may change. It asks for no more
        than before: an event that may happen in a state may happen in it by these requirements too.
        """
        if self._start is None:
            return g
        asked = [r.term for r in g.action.requirements]
        other = {v: self._values[v] for t in asked for v in self.fluents(t) if v not in needed}
        if not other:
            return g
        at_start = Substitution(other)
        needs = (replace(r, term=at_start(r.term)) for r in g.action.requirements)
        return replace(g, action=replace(g.action, requirements=tuple(r for r in needs if r.term is not TRUE)))


def _parts(terms: Iterable[Term]) -> Iterable[Term]:
    """What Bool terms ask for, part by part."""
    return dict.fromkeys(part for t in terms for part in (t.args if t.op is Op.AND else (t,)))


def directly(system: System, goal: Iterable[Term], admits: Admits) -> list[Grounded]:
    """Every event that changes what a goal speaks of; arguments as in `relevant`."""
    wanted = {v for v in variables(*goal) if v in system.layout.slot}
    built = _built(system, Candidates(system.events, system.layout, inf).more(wanted))
    changing = [g for g in built if any(fluent in wanted for fluent, _ in g.action.effects)]
    return _in_order(system, _admitted(changing, admits))


def _built(system: System, events: Iterable[tuple[Schema, Mapping[str, Value]]]) -> Iterator[Grounded]:
    for schema, args in events:
        look()
        yield system.opened(schema, args)


def _in_order(system: System, events: Iterable[Grounded]) -> list[Grounded]:
    """Events in the order in which the game declares them, and their arguments."""
    number = {s.name: i for i, s in enumerate(system.events)}
    places = {s.name: {p.name: {x: i for i, x in enumerate(p.values)} for p in s.parameters} for s in system.events}

    def place(g: Grounded) -> tuple[int, ...]:
        at = places[g.schema.name]
        return (number[g.schema.name], *(at[name][x] for name, x in g.args.items()))

    return sorted(events, key=place)


def _admitted(events: Iterable[Grounded], admits: Admits) -> Iterator[Grounded]:
    for g in events:
        action = admits(g.schema, g.action)
        if action is not None and action.guard is not FALSE:
            yield replace(g, action=action)


def one_event(system: System, events: Sequence[Grounded], metric: str) -> Transition:
    """A step is at most one of some events; each costs 1 of the metric."""
    single = one_at_a_time([replace(g.action, costs={metric: 1}) for g in events], metric)
    numbers = [v for g in events for v in g.numbers.values()]
    if len(events) <= _MANY and not numbers:
        return single
    taken = dict(zip(single.choices, events, strict=True))

    def describe(chosen: Chosen, values: Values) -> list[StepText]:
        return [step_text(system.action(g.event(chosen)), values) for t, g in taken.items() if chosen[t]]

    return replace(plain(single), choices=(*taken, *numbers), describe=describe)
