"""Grounding: the events that are relevant to a goal, as a step that chooses among them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from math import inf, prod

from vclogic.clock import check_deadline
from vclogic.model.actions import Action, Schema
from vclogic.model.fluents import Layout, State, Value
from vclogic.model.grounded import Grounded, choices
from vclogic.model.step_text import StepText, Values, step_text
from vclogic.model.system import System
from vclogic.model.transition import Chosen, Transition, one_at_a_time, plain
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.domain import Domain
from vclogic.terms.rewrite import NEGATIVE, POSITIVE, Substitution, polarities, substitute
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Op, Term, conjuncts, variables

Places = Mapping[Term, tuple[str, tuple[str, ...]]]
"""The family of each fluent by name, and the indices it has there."""
Given = Mapping[str, Sequence[Value]]
"""Some arguments, each with the values that count."""


# ---- events that can change some fluents, found before the events are built


class TooManyToBuild(Exception):
    """More events would have to be built than the caller allows."""


# ---- which events can change a fluent


def places(layout: Layout) -> dict[Term, tuple[str, tuple[str, ...]]]:
    """The family and indices of each fluent."""
    return {v: (f.name, key) for f in layout.families.values() for key, v in f.fluents.items()}


def changing(schema: Schema, fluents: Iterable[Term], where: Places) -> list[Given]:
    """The arguments with which events of a schema can change one of some fluents, by `Schema.touches`.

    Args:
        where: See `places`.

    Returns:
        Sets of argument combinations, each a product; they may overlap.
    """
    if schema.touches is None:
        return [{}] if any(True for _ in fluents) else []
    found: dict[tuple[tuple[str, Value], ...], Given] = {}
    domains = {p.name: p.domain for p in schema.parameters if not p.term}
    for fluent in fluents:
        name, index = where[fluent]
        for family, *pattern in schema.touches:
            if family != name:
                continue
            given: dict[str, Value] = {}
            named = [(p, x) for p, x in zip(pattern, index, strict=False) if p]
            if all(_may_be(x, domains[p]) and given.setdefault(p, x) == x for p, x in named):
                found[tuple(sorted(given.items()))] = {p: (x,) for p, x in given.items()}
    return [{}] if () in found else list(found.values())


def _may_be(x: Value, domain: Domain | range) -> bool:
    return x in (domain if isinstance(domain, range) else domain.sort.index)


def size(schema: Schema, given: Given) -> int:
    """The number of events in a product of arguments."""
    return prod(len(given.get(p.name, p.values)) for p in schema.parameters if not p.term)


class Candidates:
    """Collects the events that can change fluents, as more and more fluents become relevant; each event once.

    Args:
        schemas: The kinds of events.
        layout: The order of the fluents.
        most: The largest number of events in all.
    """

    def __init__(self, schemas: Iterable[Schema], layout: Layout, most: float):
        self._schemas = tuple(schemas)
        self._where = places(layout)
        self._most = most
        self._seen: dict[str, set[tuple[Value, ...]]] = {s.name: set() for s in self._schemas}
        self._whole: set[str] = set()
        self._number = 0

    def more(self, fluents: Iterable[Term]) -> Iterator[tuple[Schema, dict[str, Value]]]:
        """The events that can change one of some fluents and were not returned before.

        Raises:
            TooManyToBuild: There are more than `most`.
        """
        new = list(fluents)
        wanted = [(s, changing(s, new, self._where)) for s in self._schemas if s.name not in self._whole]
        whole = {s.name: size(s, {}) for s, parts in wanted if {} in parts}
        if sum(whole.get(name, len(seen)) for name, seen in self._seen.items()) > self._most:
            raise TooManyToBuild
        for schema, parts in wanted:
            seen = self._seen[schema.name]
            for args in (a for given in parts for a in choices(schema, given)):
                key = tuple(args.values())
                if key not in seen:
                    seen.add(key)
                    self._number += 1
                    if self._number > self._most:
                        raise TooManyToBuild
                    yield schema, args
        self._whole.update(whole)


# ---- which fluents an event or a goal needs changed


def wanting(terms: Iterable[Term], layout: Layout, start: State) -> set[Term]:
    """The fluents for which a value other than the starting one could make one of some Bool terms true.

    For any other fluent: if a term holds, it also holds with the fluent at its starting value, whatever the values of
    all other fluents.
    """
    found: set[Term] = set()
    for t, sign in polarities(terms).items():
        if t.op is Op.IN:
            at = layout.slot.get(t.args[0])
            if at is not None and sign != (POSITIVE if t.payload >> start[at] & 1 else NEGATIVE):
                found.add(t.args[0])
        elif t.op is Op.VAR and not isinstance(t.sort, EnumSort):
            at = layout.slot.get(t)
            if at is not None and not (
                (sign == POSITIVE and start[at] == t.hi) or (sign == NEGATIVE and start[at] == t.lo)
            ):
                found.add(t)
        else:
            found.update(a for a in t.args if a.op is Op.VAR and isinstance(a.sort, EnumSort) and a in layout.slot)
    return found


def unsettled(
    effects: Iterable[tuple[Term, Term]], start: Callable[[Term], Term], fluents: frozenset[Term] | set[Term]
) -> set[Term]:
    """The fluents that effects can move away from their starting value."""
    found = set()
    for fluent, new in effects:
        if fluent in fluents:
            value = start(fluent)
            if new is not value and substitute(new, {fluent: value}) is not value:
                found.add(fluent)
    return found


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
    """The events that are relevant to a goal: those that change a fluent which the goal or a relevant event reads.

    No relevant event reads what the others change, so leaving the others out loses nothing. Only events that may
    change a fluent that is read are built (`Schema.touches`).

    If the start is given, fewer fluents count as read. A part of a requirement (or of the goal) reads no fluent if it
    holds as long as the irrelevant fluents keep their starting values; otherwise it reads only fluents whose change
    could make it true, and those that a relevant event moves away from their starting value. A record that reaches
    the goal then still reaches it without the other events: each fluent that the rest reads has the same value as
    before, or its starting value, with which the requirements still hold.

    Args:
        goal: Terms over fluents; of sort Bool where a start is given, and one state has to satisfy all.
        admits: The events that may happen, and what they need.
        start: The state in which all records begin; None: any state.
        most: The largest number of events to build.

    Raises:
        TooManyToBuild: More events would have to be built.
    """
    slot = system.layout.slot
    candidates = Candidates(system.events, system.layout, most)
    asked = list(goal)
    reading = _ReadFluents(system, start)
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
        # Effects first: a part of a need that the start satisfies reads nothing while no kept event changes it.
        fresh = {v for v in variables(*effects) if v in slot} - needed
        fresh = fresh or reading.of_needs(needs, needed) or reading.unsettled(needs, kept, needed)
    return [reading.settled(g, needed) for g in _in_order(system, kept)]


class _ReadFluents:
    """The fluents that requirements read in records from a start (None: from any state); see `relevant`."""

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
        """The fluents that Bool terms read, besides those that are relevant already.

        A part that holds as long as all irrelevant fluents keep their starting values reads none.
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
        """The further fluents that the terms read because relevant events change their starting value."""
        if self._start is None:
            return set()
        watched = {v for part in _parts(terms) for v in self.fluents(part)} - needed
        effects = dict.fromkeys(e for g in kept for e in g.action.effects)
        return unsettled(effects, self._values.__getitem__, watched)

    def settled(self, g: Grounded, needed: Set[Term]) -> Grounded:
        """An event whose requirements read relevant fluents only: all others are replaced by their starting values.

        So what is derived about relevant events never mentions what others may change. The requirements get no
        stronger: an event that is allowed in a state is also allowed by these requirements.
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
    """The conjuncts of Bool terms."""
    return dict.fromkeys(part for t in terms for part in conjuncts(t))


def directly(system: System, goal: Iterable[Term], admits: Admits, *, most: float = inf) -> list[Grounded]:
    """The events that change a fluent which the goal reads; arguments and errors as in `relevant`."""
    wanted = {v for v in variables(*goal) if v in system.layout.slot}
    built = _built(system, Candidates(system.events, system.layout, most).more(wanted))
    changing = [g for g in built if any(fluent in wanted for fluent, _ in g.action.effects)]
    return _in_order(system, _admitted(changing, admits))


def _built(system: System, events: Iterable[tuple[Schema, Mapping[str, Value]]]) -> Iterator[Grounded]:
    for schema, args in events:
        check_deadline()
        yield system.opened(schema, args)


def _in_order(system: System, events: Iterable[Grounded]) -> list[Grounded]:
    """Sort events in the order in which the game declares their schemas and arguments."""
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
    """A transition of at most one event per step; each costs 1 in the metric."""
    single = one_at_a_time([replace(g.action, costs={metric: 1}) for g in events], metric)
    numbers = [v for g in events for v in g.numbers.values()]
    if len(events) <= _MANY and not numbers:
        return single
    taken = dict(zip(single.choices, events, strict=True))

    def describe(chosen: Chosen, values: Values) -> list[StepText]:
        return [step_text(system.action(g.event(chosen)), values) for t, g in taken.items() if chosen[t]]

    return replace(plain(single), choices=(*taken, *numbers), describe=describe)
