"""The possible values of each fluent at each moment of play: bounds turn by turn, of the fluents that bear on a goal.

A bound over a whole game says little: somebody may have anything some day. What a power has in its next turn is
bounded by what it has now. Moments are the values of a few fluents, such as the round and whose turn it is; events
lead from moment to moment (abstract interpretation, flow-sensitive in the clock). Moments from which the goal is out
of reach are cut, and the others are bounded again without them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, product

from vclogic.clock import check_deadline
from vclogic.encode.abstractions import as_laws, to_the_end, widest
from vclogic.encode.grounding import Admits, changing, places
from vclogic.encode.narrowing import narrowed_by
from vclogic.model.actions import Schema
from vclogic.model.fluents import State, Value, numbered
from vclogic.model.grounded import Grounded, choices
from vclogic.model.system import System
from vclogic.terms.atoms import FALSE, TRUE, integer, var
from vclogic.terms.build import all_of, and_, any_of, eq, ge, implies, not_, sub
from vclogic.terms.rewrite import NEGATIVE, POSITIVE, Substitution, polarities
from vclogic.terms.sorts import EnumSort, IntSort, members_of
from vclogic.terms.term import Term, conjuncts, variables

_MOMENTS = 300
_PATIENCE = 3  # looks at one moment in which an Int may still grow before it is let grow to the end of its sort
_EITHER = POSITIVE | NEGATIVE
_TOGETHER = 4  # fluents of one condition that are looked at before those of larger ones, such as sums over a board
_BATCH = 100  # more fluents that are looked at together
_ROUNDS = 12  # in which more fluents are looked at
Moment = tuple[int, ...]
"""The values of the clock."""
_Key = tuple[str, tuple[Value, ...]]
Bounds = dict[Term, Term]
"""For each fluent that is looked at a constant, or a variable of its name that can have fewer values."""


class TooWide(Exception):
    """More moments, fluents or events would have to be looked at than pays."""


@dataclass(frozen=True)
class Limits:
    """The limits of what is looked at.

    Attributes:
        fluents: The most fluents.
        events: The most events.
        work: How often an event is looked at in a moment.
    """

    fluents: int
    events: int
    work: int


@dataclass
class _Pass:
    """The bounds that one pass over the moments finds, and which moment leads to which."""

    bounds: dict[Moment, Bounds] = field(default_factory=dict)
    before: dict[Moment, set[Moment]] = field(default_factory=dict)


@dataclass(frozen=True)
class TurnBounds:
    """Bounds that exclude a goal at every moment.

    Attributes:
        laws: They, as Bool terms over fluents: they hold at the start, and every event keeps them.
        moments: The values of the clock at each moment that events lead to.
        fluents: The fluents that they speak of.
        events: The events that change one of them and may happen.
    """

    laws: tuple[Term, ...]
    moments: tuple[Mapping[Term, Term], ...]
    fluents: tuple[Term, ...]
    events: tuple[Grounded, ...]


class _Analysis:
    """Bounds of ever more fluents, until they exclude the goal."""

    def __init__(
        self, system: System, goal: Term, admits: Admits, start: State, clock: Sequence[Term], limits: Limits
    ):
        self._system = system
        self._goal = goal
        self._admits = admits
        self._start = system.layout.constants(start)
        self._clock = tuple(clock)
        self._limits = limits
        self._where = places(system.layout)
        self._seen: set[_Key] = set()
        self._dear: set[Term] = set()
        self._events: list[Grounded] = []
        self._reads: dict[int, tuple[Term, ...]] = {}
        self._tracked: dict[Term, None] = {}
        self._allowed: set[Moment] | None = None
        self._cut: dict[Moment, Bounds] = {}
        self._work = limits.work

    def excluded(self) -> TurnBounds | None:
        """Bounds that exclude the goal; None where none are found."""
        fluents = self._system.layout.slot
        more: Sequence[Term] = [v for v in (*self._clock, *variables(self._goal)) if v in fluents]
        for _ in range(_ROUNDS):
            if not self._track(more):
                return None
            found, aimed = self._narrowed()
            if not aimed:
                return self._as_laws(found)
            more = self._open(found, aimed)
        return None

    def _track(self, fluents: Iterable[Term]) -> bool:
        """Look at more fluents, those that few events change first; False if none could be added.

        A fluent that too many events change can have any value.
        """
        new = [f for f in fluents if f not in self._tracked and f not in self._dear]
        some = False
        for f in new[:_BATCH]:
            events = self._changing(f)
            more = [(s, args, key) for s, args, key in events if key not in self._seen]
            if len(self._seen) + len(more) > self._limits.events or len(self._tracked) >= self._limits.fluents:
                self._dear.add(f)
                continue
            some = True
            self._tracked[f] = None
            for schema, args, key in more:
                check_deadline()
                self._seen.add(key)
                g = self._system.opened(schema, args)
                action = self._admits(schema, g.action)
                if action is not None and action.guard is not FALSE:
                    self._events.append(Grounded(schema, args, g.numbers, action))
        return some

    def _changing(self, fluent: Term) -> list[tuple[Schema, dict[str, Value], _Key]]:
        """The events that can change a fluent; one more than are ever looked at where they are too many."""
        found: list[tuple[Schema, dict[str, Value], _Key]] = []
        for schema in self._system.events:
            for given in changing(schema, [fluent], self._where):
                few = islice(choices(schema, given), self._limits.events + 1)
                found += [(schema, args, (schema.name, tuple(args.values()))) for args in few]
        return found[: self._limits.events + 1]

    def _narrowed(self) -> tuple[_Pass, set[Moment]]:
        """Bounds, without moments that lead to none where the goal may hold; and those where it may."""
        while True:
            found = self._forward()
            aimed = {m for m, b in found.bounds.items() if Substitution(b)(self._goal) is not FALSE}
            leads, queue = set(aimed), list(aimed)
            while queue:
                for m in found.before.get(queue.pop(), set()) - leads:
                    leads.add(m)
                    queue.append(m)
            gone = found.bounds.keys() - leads
            if not aimed or not gone:
                return found, aimed
            self._cut |= {m: found.bounds[m] for m in gone}
            self._allowed = leads

    def _forward(self) -> _Pass:
        """The least bounds that hold at the start and that events keep, as far as moments are not cut."""
        begin = tuple(int(self._start[f].payload) for f in self._clock)
        found = _Pass({begin: {f: self._start[f] for f in self._tracked}})
        if self._allowed is not None and begin not in self._allowed:
            return _Pass()
        queue = {begin: None}
        times: dict[Moment, int] = {}
        while queue:
            check_deadline()
            m = min(queue)
            del queue[m]
            self._stay(m, found)
            for after, bounds in self._leave(m, found):
                if self._allowed is not None and after not in self._allowed:
                    continue
                found.before.setdefault(after, set()).add(m)
                times[after] = times.get(after, 0) + 1
                if _join(found.bounds.setdefault(after, {}), bounds, widen=times[after] > 40):
                    queue[after] = None
            if len(found.bounds) > _MOMENTS:
                raise TooWide
        return found

    def _stay(self, m: Moment, found: _Pass) -> None:
        """Widen the bounds of a moment by the events that stay in it."""
        bounds, waiting = found.bounds[m], list(range(len(self._events)))
        for times in range(1_000):
            here = Substitution(bounds)
            grown: Bounds = {}
            for i in waiting:
                check_deadline()
                for after, changes in self._led_to(self._events[i], here, m):
                    if after == m:
                        _join(grown, changes, widen=False)
            changed = _join(bounds, grown, widen=times >= _PATIENCE)
            if not changed:
                return
            waiting = [i for i in range(len(self._events)) if not changed.isdisjoint(self._read(i))]
        raise TooWide

    def _read(self, i: int) -> tuple[Term, ...]:
        if i not in self._reads:
            action = self._events[i].action
            self._reads[i] = variables(action.guard, *(new for _, new in action.effects))
        return self._reads[i]

    def _leave(self, m: Moment, found: _Pass) -> Iterator[tuple[Moment, Bounds]]:
        """The moments that events lead to from a moment, with the bounds after them."""
        here = Substitution(found.bounds[m])
        clock = set(self._clock)
        for g in self._events:
            if not clock.isdisjoint(f for f, _ in g.action.effects):
                for after, changes in self._led_to(g, here, m):
                    if after != m:
                        yield after, {**found.bounds[m], **changes}

    def _led_to(self, g: Grounded, here: Substitution, m: Moment) -> Iterator[tuple[Moment, Bounds]]:
        """The moments after an event and what it changes; none where it cannot happen."""
        self._work -= 1
        if self._work < 0:
            raise TooWide
        needs = self._needs(g, here)
        if needs is FALSE:
            return
        closer = Substitution({v: x for t in conjuncts(needs) for v, x in narrowed_by(t).items()})
        changes = {f: closer(here(new)) for f, new in g.action.effects if f in self._tracked}
        moved = [_values(f, changes[f]) if f in changes else (x,) for f, x in zip(self._clock, m, strict=True)]
        for values in product(*moved):
            told = {f: numbered(f, x) for f, x in zip(self._clock, values, strict=True)}
            yield values, {f: told.get(f, new) for f, new in changes.items()}

    def _needs(self, g: Grounded, here: Substitution) -> Term:
        """The requirements of an event beyond some bounds."""
        left = []
        for r in g.action.requirements:
            t = here(r.term)
            if t is FALSE:
                return FALSE
            if t is not TRUE:
                left.append(t)
        return and_(*left)

    def _open(self, found: _Pass, aimed: Iterable[Moment]) -> list[Term]:
        """The fluents that are not looked at yet on which it depends whether the goal is reached.

        They are followed backwards from the goal and the clock: by the events that change a fluent, to what these
        need beyond the bounds.
        """
        of_name = {f.name: f for f in self._system.layout.slot}
        here = {m: Substitution(b) for m, b in found.bounds.items()}
        changed: dict[Term, list[Grounded]] = {}
        for g in self._events:
            for f, _ in g.action.effects:
                changed.setdefault(f, []).append(g)
        more: dict[Term, int] = {}  # the fewest others that one condition asks about beside it
        seen = dict.fromkeys(self._clock, _EITHER)  # in which direction it is asked for
        queue = deque(self._clock)

        def read(t: Term, sign: int = POSITIVE) -> None:
            signs = polarities([t])
            about = variables(t)
            for v in about:
                f = of_name.get(v.name)
                if f is None:
                    continue
                if f not in self._tracked:
                    more[f] = min(more.get(f, len(about)), len(about))
                    continue
                way = _EITHER if sign == _EITHER else signs[v]
                if seen.get(f, 0) | way != seen.get(f):
                    seen[f] = seen.get(f, 0) | way
                    queue.append(f)

        for m in aimed:
            for t in conjuncts(here[m](self._goal)):
                read(t)
        while queue:
            f = queue.popleft()
            for g in changed.get(f, ()):
                check_deadline()
                new = next(new for to, new in g.action.effects if to is f)
                for now in here.values():
                    if not _moves(f, now(new), now(f), seen[f]):
                        continue
                    needs = self._needs(g, now)
                    if needs is not FALSE:
                        for t in conjuncts(needs):
                            read(t)
                        read(now(new), _EITHER)
        few = max(min(more.values(), default=0), _TOGETHER)
        return [f for f, others in sorted(more.items(), key=lambda x: x[1]) if others <= few]

    def _as_laws(self, found: _Pass) -> TurnBounds:
        moments = {**self._cut, **found.bounds}
        here = {m: all_of(eq(f, numbered(f, x)) for f, x in zip(self._clock, m, strict=True)) for m in moments}
        when: dict[Term, list[Term]] = {}
        for m, bounds in moments.items():
            for law in as_laws({f: b for f, b in bounds.items() if f not in self._clock}):
                when.setdefault(law, []).append(here[m])
        laws = [any_of(here.values()), *(implies(any_of(ms), law) for law, ms in when.items())]
        told = tuple({f: numbered(f, x) for f, x in zip(self._clock, m, strict=True)} for m in moments)
        return TurnBounds(tuple(t for t in laws if t is not TRUE), told, tuple(self._tracked), tuple(self._events))


def _values(fluent: Term, new: Term) -> Sequence[int]:
    """The values that a new value of a fluent may have, within its sort."""
    if isinstance(fluent.sort, EnumSort):
        return members_of(new.mask)
    if new.hi - new.lo > _MOMENTS:
        raise TooWide
    return range(max(new.lo, fluent.lo), min(new.hi, fluent.hi) + 1)


def _settled(fluent: Term, bound: Term) -> Term:
    """A bound within the fluent's sort, outside of which no event leads; a constant where that is one value."""
    if isinstance(fluent.sort, EnumSort):
        return numbered(fluent, bound.mask.bit_length() - 1) if bound.mask.bit_count() == 1 else bound
    if not isinstance(fluent.sort, IntSort):
        return bound
    lo, hi = max(bound.lo, fluent.lo), min(bound.hi, fluent.hi)
    if lo >= hi:
        return integer(min(lo, fluent.hi))
    return var(fluent.name, IntSort(lo, hi))


def _moves(fluent: Term, new: Term, old: Term, way: int) -> bool:
    """True if a new value may be larger than the old one, or smaller, as is asked for; for an Enum: other."""
    if isinstance(fluent.sort, EnumSort):
        return new is not old or not new.is_const
    ways = []
    if way & POSITIVE:
        ways.append(and_(new, not_(old)) if fluent.is_bool else ge(sub(new, old), 1))
    if way & NEGATIVE:
        ways.append(and_(old, not_(new)) if fluent.is_bool else ge(sub(old, new), 1))
    return any(t is not FALSE for t in ways)


def _join(bounds: Bounds, more: Mapping[Term, Term], *, widen: bool) -> set[Term]:
    """Widen bounds so that they cover some more; returns the fluents whose bounds grew."""
    grown: set[Term] = set()
    for f, new in more.items():
        old = bounds.get(f)
        if new is old:
            continue
        wider = _settled(f, widest(f, [new] if old is None else [old, new]))
        if old is not None and wider is not old and widen and isinstance(f.sort, IntSort):
            wider = to_the_end(f, old, wider)
        if wider is not old:
            bounds[f] = wider
            grown.add(f)
    return grown


def turn_bounds(
    system: System, goal: Term, admits: Admits, start: State, clock: Sequence[Term], limits: Limits
) -> TurnBounds | None:
    """Bounds for each moment that exclude a goal; None where none are found.

    Args:
        system: The rule set.
        goal: Bool, over fluents.
        admits: Which events may happen.
        start: The state in which records begin.
        clock: The fluents whose values are a moment.
        limits: How much is looked at.
    """
    try:
        return _Analysis(system, goal, admits, start, clock, limits).excluded()
    except TooWide:
        return None
