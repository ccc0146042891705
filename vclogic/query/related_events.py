"""Best-first search over the events that are related to a goal by the names in it, where all would be too many."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from math import prod

from vclogic.clock import look
from vclogic.encode.evaluator import Changes, OutOfBounds, changes, compile_terms, failed
from vclogic.encode.grounding import Admits
from vclogic.encode.influence import changing, places
from vclogic.encode.penalty import penalty
from vclogic.model.actions import Parameter
from vclogic.model.fluents import Layout, State, Value
from vclogic.model.grounded import choices
from vclogic.model.system import System
from vclogic.query.best_first import DECIDED, BestFirstSearch, Candidate
from vclogic.terms.sorts import EnumSort, members_of
from vclogic.terms.term import Op, Term, postorder, variables

SMALL = 12  # members, or values of an argument, that all count, whatever the goal names
_MOST = 4_000  # events
_NUMBERS = (1, 2, 3)  # tried for what an event takes as a number


class LazySearch(BestFirstSearch[Candidate]):
    """A best-first search whose events are built only for the state in which they are tried.

    Args:
        system: The rule set.
        admits: Which events may happen.
        goal: Bool, over fluents.
        events: The events to try.
        penalties: The distance of a state from the goal, as Int terms.
    """

    def __init__(
        self, system: System, admits: Admits, goal: Term, events: Iterable[Candidate], penalties: Sequence[Term]
    ):
        super().__init__(system, goal)
        self._admits = admits
        self._events = tuple(events)
        self._between: tuple[Candidate, ...] = ()
        self._penalties = compile_terms(penalties, system.layout.slot)

    def distance(self, state: State) -> tuple[int, ...]:
        """As in `BestFirstSearch`."""
        return tuple(map(int, self._penalties(state)))

    def possible(self, state: State) -> Iterator[tuple[Candidate, Changes]]:
        """As in `BestFirstSearch`."""
        for tried in self._events:
            look()
            found = self.changes(state, tried)
            if found is not None:
                yield tried, found

    def changes(self, state: State, tried: Candidate) -> Changes | None:
        """As in `BestFirstSearch`."""
        system = self.system
        action = self._admits(system.schemas[tried.event.name], system.action_in(state, tried.event))
        if action is None or failed(system, state, action):
            return None
        try:
            return changes(system, state, action)
        except OutOfBounds:
            return None


class RelatedEventsSearch(LazySearch):
    """Tries events whose arguments are names that occur in the goal: units, places and the like.

    Args:
        system: The rule set.
        admits: Which events may happen.
        goal: Bool, over fluents.
    """

    detour = 8

    def __init__(self, system: System, admits: Admits, goal: Term):
        penalties = [penalty(goal), penalty(goal, every=True)]
        super().__init__(system, admits, goal, _events(system, goal), penalties)


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


def _events(system: System, goal: Term) -> Iterable[Candidate]:
    """The events about the names in a goal, up to a limit.

    The kinds that may change the goal's fluents come first, those with the fewest events before the others.
    """
    names = _names(goal, system.layout)
    spoken, where = [v for v in variables(goal) if v in system.layout.slot], places(system.layout)
    kinds = [(s, [values_to_try(p, names) for p in s.parameters]) for s in system.events]
    sizes = {s.name: prod(map(len, values)) for s, values in kinds}
    direct = {s.name for s in system.events if changing(s, spoken, where)}
    left = _MOST
    for schema, values in sorted(kinds, key=lambda kind: (kind[0].name not in direct, sizes[kind[0].name])):
        left -= sizes[schema.name]
        if left < 0:
            return
        cost = 1 if schema.routine else DECIDED
        given = {p.name: v for p, v in zip(schema.parameters, values, strict=True)}
        yield from (Candidate(schema.event(args), cost) for args in choices(schema, given))


def values_to_try(parameter: Parameter, names: Set[str] = frozenset(), few: float = SMALL) -> Sequence[Value]:
    """Samples of a number; else the values that a goal names; else the default; else all values, if they are few."""
    if parameter.term:
        return [n for n in _NUMBERS if n in parameter.values]
    named = [x for x in parameter.values if x in names]
    if named:
        return named
    if parameter.default is not None:
        return [parameter.default]
    return parameter.values if len(parameter.values) <= few else []
