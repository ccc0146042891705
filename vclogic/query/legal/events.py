"""Legal events of a state, kind by kind, and the reasons against the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from heapq import heapify, heappop, heappush
from itertools import islice
from math import prod

from vclogic.collector_paused import collector_paused
from vclogic.encode.python.codegen import interpret
from vclogic.encode.python.evaluator import compiled_later
from vclogic.encode.ranges import Box, Range, boxes, merged
from vclogic.errors import InputError
from vclogic.model.actions import Parameter, Requirement, Schema, Ways
from vclogic.model.fluents import State, Value
from vclogic.model.grounded import Grounded
from vclogic.model.step_text import decider
from vclogic.model.system import System
from vclogic.query.legal.answer import Allowed, Lack, LegalKind, Refused
from vclogic.query.legal.arguments import Unrefused
from vclogic.query.replay import turn_of
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term, postorder
from vclogic.words import spanning

MOST = 10_000  # events of one kind that are looked at, those not counted that are refused unbuilt (`Schema.asks`)
MOST_FOUND = 50_000  # the same where those are left aside that no position allows (`Schema.ways`)
_COMPILED = 5_000  # terms of all events of a kind that are compiled at once; more would hold up whoever asks
_FEW, _FEW_TO_TARGET = 60, 400  # events of a kind with more, listed as their arguments are found one by one
_TRIED = 20  # events with a target that are looked at, to see whether one is allowed
Given = Mapping[str, Sequence[Value]]
"""Some arguments, each with the values that count."""


@dataclass(frozen=True)
class AtPlace:
    """The place of the board that events have to do with.

    Attributes:
        place: The place; None: they name none.
        names: True for a name of the place, or of something that is there; for no place: of anything at any.
        of: The places that a name names.
        target: Another place, which they name after it; None: whatever they name.
        later: The arguments that may name targets: those after the one that names the place, but for origins.
    """

    place: str | None
    names: Callable[[str], bool]
    of: Callable[[str], Sequence[str]]
    target: str | None = None
    later: Sequence[Parameter] = ()

    def aims(self, name: str) -> bool:
        """True for a name of the target."""
        return self.target is not None and self.target in self.of(name)

    def targets(self, args: Mapping[str, Value]) -> tuple[str, ...]:
        """The places that arguments name after the one that names the place."""
        named = (r for p in self.later if p.name in args for r in self.of(str(args[p.name])))
        return tuple(dict.fromkeys(r for r in named if r != self.place))


def _naming(
    parameters: Sequence[Parameter], given: Given, names: Callable[[str], bool]
) -> Iterator[tuple[int, Given]]:
    """The events of a kind that name something, in parts: which argument is the first that does, and what is given.

    Args:
        parameters: The arguments that count.
        given: Their values, for those that have not all.
        names: True for a name of it.
    """
    for i, p in enumerate(parameters):
        values = () if p.term else given.get(p.name, p.values)
        here = [v for v in values if names(str(v))]
        if here:
            yield i, {**given, p.name: here}
            given = {**given, p.name: [v for v in values if not names(str(v))]}


def _towards(later: Sequence[Parameter], given: Given, at: AtPlace) -> Iterator[Given]:
    """The events that lead to the target: whatever goes somewhere goes there, or nowhere."""
    for p in later:
        values = () if p.term else given.get(p.name, p.values)
        if p.is_goal and any(at.aims(str(v)) for v in values):
            given = {**given, p.name: [v for v in values if v == p.default or at.aims(str(v))]}
    yield from (part for _, part in _naming(later, given, at.aims))


class _EventsOfKind:
    """Events of one kind, and whether what they need of the fluents alone holds in a state."""

    def __init__(self, system: System, events: Sequence[Grounded]):
        self.events = events
        slot = system.layout.slot
        needs = [g.over_fluents for g in events]
        each = tuple(dict.fromkeys(t for terms in needs for t in terms))
        few = next(islice(postorder(each), _COMPILED, None), None) is None
        self.fixed = compiled_later([g.fixed for g in events], slot) if few else partial(_each_met, needs, each, slot)
        self._last: dict[int, tuple[Term, list[Box]]] = {}

    def boxes(self, i: int, condition: Term) -> list[Box]:
        """The solutions of a condition over the open numbers of an event; those of its last one are kept."""
        last = self._last.get(i)
        if last is None or last[0] is not condition:
            last = self._last[i] = condition, boxes(condition, list(self.events[i].numbers.values()))
        return last[1]


def _each_met(
    needs: Sequence[Sequence[Term]], each: Sequence[Term], slot: Mapping[Term, int], state: State
) -> list[bool]:
    """For each of many events whether all holds that it needs; what several of them need is asked once."""
    known = dict(zip(each, interpret(each, slot, state), strict=True))
    return [all(known[t] for t in terms) for terms in needs]


class Legality:
    """Judges events in a state.

    Args:
        system: The rule set.
        state: The state.
        who: Whose decisions count; None: all events, including forced ones.
        limit: How many refused events of each kind to list.
    """

    def __init__(self, system: System, state: State, who: frozenset[str] | None, limit: int = 0):
        self._system = system
        self._state = state
        self._who = who
        self._limit = limit
        self._values = system.layout.values(state)

    @cached_property
    def turn(self) -> dict[str, Value]:
        """The side or power on turn."""
        return turn_of(self._system, self._values)

    def kind(self, schema: Schema, given: Given) -> LegalKind:
        """Judge the events of one kind.

        Args:
            given: Fixed arguments.
        """
        return self._shown([self._whole(schema, given)])

    def naming(self, schema: Schema, given: Given, at: AtPlace) -> LegalKind | None:
        """Judge the events of one kind that have to do with a place, or name none; None if none can.

        Args:
            given: Fixed arguments.
            at: The place.
        """
        if at.place is None:
            unplaced = {
                p.name: [v for v in p.values if not at.names(str(v))] for p in schema.parameters if not p.term
            }
            return self.kind(schema, {**unplaced, **given}) if all(unplaced.values()) else None
        found: list[LegalKind] = []
        for i, part in _naming(schema.parameters, given, at.names):
            is_goal = schema.parameters[i].is_goal  # what comes to a place leads from it nowhere
            later = () if is_goal else tuple(p for p in schema.parameters[i + 1 :] if not p.is_origin)
            towards = [(part, later)]
            if at.target is not None:
                towards = [(both, ()) for both in _towards(later, part, at)]
            found += [self._whole(schema, args, replace(at, later=last)) for args, last in towards]
        return self._shown(found, at) if found else None

    def _whole(self, schema: Schema, given: Given, at: AtPlace | None = None) -> LegalKind:
        """All that can be said of the events of one kind with some arguments."""
        found = LegalKind(
            schema.name,
            schema.text,
            schema.decided_by,
            schema.not_judged,
            tuple(c.clause for c in schema.cites),
            {p.name: p.default for p in schema.parameters},
            (),
        )
        values: dict[str, Sequence[Value]] = {p.name: p.values for p in schema.parameters if not p.term}
        values |= given
        unrefused = Unrefused(schema, values, self._against)
        every: Sequence[Mapping[str, Value]] | None = None
        if schema.ways is not None and not self._limit:
            every = _few_ways(schema.ways, unrefused.values)
        elif unrefused.number <= MOST or unrefused.joint:
            few = _FEW if at is None or at.target is None else _FEW_TO_TARGET
            every = unrefused.few(MOST if unrefused.number <= MOST else few)
        if every is None:
            return replace(found, left_out=unrefused.number, targets=self._targets(schema, unrefused, at))
        allowed, more = self._judged(schema, self._events(schema, every))
        refused = [Refused(r.args, {}, r.count, self._lacks(r.failed)) for r in unrefused.refused if self._limit]
        ranges = [p.name for p in schema.parameters if isinstance(p.domain, range) and p.name in values]
        for name in ranges:
            allowed = _with_range(allowed, name, schema.text)
        if at is not None:
            allowed = [replace(a, targets=at.targets(a.args)) if self._moves(a.actor) else a for a in allowed]
        return replace(found, allowed=tuple(allowed), refused=(*refused, *more))

    def anything(self) -> bool:
        """True if an event is legal, or they are too many: those of few events first, built until one is legal.

        What each argument by itself rules out is asked of a kind only when none of fewer events is left.
        """
        found: list[tuple[int, int, Unrefused | None]] = []
        for i, schema in enumerate(self._system.events):
            found.append((prod(len(p.values) for p in schema.parameters if not p.term), i, None))
        heapify(found)
        while found:
            _, i, unrefused = heappop(found)
            schema = self._system.events[i]
            if unrefused is None:
                values = {p.name: p.values for p in schema.parameters if not p.term}
                unrefused = Unrefused(schema, values, self._against)
                heappush(found, (unrefused.number, i, unrefused))
                continue
            ways = schema.ways(unrefused.values) if schema.ways is not None else unrefused.each()
            try:
                if any(self._judged(schema, self._built(schema, [args]))[0] for args in ways):
                    return True
            except InputError:  # too many arguments are tried
                return True
        return False

    def _targets(self, schema: Schema, unrefused: Unrefused, at: AtPlace | None) -> tuple[str, ...]:
        """The places that events name after the one that is asked about, of more events than are looked at."""
        found: dict[str, None] = {}
        for p in at.later if at is not None and unrefused.joint and not schema.forced else ():
            for value in () if p.term else unrefused.values[p.name]:
                named = at.targets({p.name: value}) if at is not None else ()
                if named and not found.keys() >= {*named} and self._may(schema, unrefused, {p.name: (value,)}):
                    found |= dict.fromkeys(named)
        return tuple(found)

    def _may(self, schema: Schema, unrefused: Unrefused, given: Given) -> bool:
        """True if one of the first events with some arguments is allowed."""
        return any(
            self._judged(schema, self._events(schema, [args]))[0] for args in islice(unrefused.each(given), _TRIED)
        )

    def _shown(self, parts: Sequence[LegalKind], at: AtPlace | None = None) -> LegalKind:
        """Join several parts of the events of one kind, with as many refused ones as are asked for."""
        refused: dict[object, Refused] = {}
        for r in (r for part in parts for r in part.refused):
            key = (*r.args.items(), *r.numbers.items(), r.lacks)
            refused[key] = replace(r, count=r.count + (refused[key].count if key in refused else 0))
        aimed = at is not None and at.target is not None

        def odd(args: Mapping[str, Value]) -> int:
            """The number of arguments that a record may not leave out: between two places the usual first."""
            return sum(parts[0].parameters[n] not in (None, x) for n, x in args.items()) if aimed else 0

        def order(r: Refused) -> tuple[object, ...]:
            names = at is None or not aimed or any(at.aims(str(x)) for x in r.args.values())
            return not names, odd(r.args), not self._on_turn(r), len(r.lacks), r.count == 1

        ordered = sorted(refused.values(), key=order)
        shown, rest = ordered[: self._limit], ordered[self._limit :]
        return replace(
            parts[0],
            allowed=tuple(sorted((a for part in parts for a in part.allowed), key=lambda a: odd(a.args))),
            refused=tuple(shown),
            more=sum(r.count for r in rest),
            left_out=sum(part.left_out for part in parts),
            targets=tuple(dict.fromkeys(t for part in parts for t in part.targets)),
        )

    def _on_turn(self, refused: Refused) -> bool:
        """True if whoever is on turn would decide it, or is named by it."""
        return not {refused.decider, *refused.args.values()}.isdisjoint(self.turn.values())

    def _moves(self, actor: str | None) -> bool:
        """True if whoever decides an event is on turn, or may be: nobody decides what the rules do to a unit."""
        turn = [x for x in map(str, self.turn.values()) if self._system.side_of(x) is not None]
        return actor is not None and (not turn or actor in turn)

    # ---- which events

    def _events(self, schema: Schema, every: Sequence[Mapping[str, Value]]) -> _EventsOfKind:
        """Some events, built for this state only if the schema supports it; else the list is kept."""
        if schema.viewed and not any(p.term for p in schema.parameters):
            return self._built(schema, every)
        key = (schema.name, tuple(tuple(args.values()) for args in every))
        with collector_paused():
            return self._system.listed(key, lambda: self._built(schema, every))

    def _built(self, schema: Schema, every: Sequence[Mapping[str, Value]]) -> _EventsOfKind:
        """Some events; no list of them is kept."""
        system = self._system
        if not schema.viewed or any(p.term for p in schema.parameters):
            return _EventsOfKind(system, [system.opened(schema, args) for args in every])
        view = system.view(self._state)
        built = ((args, schema.action(tuple(args.items()), view)) for args in every)
        return _EventsOfKind(system, [Grounded(schema, args, {}, action) for args, action in built])

    # ---- what is allowed

    def _judged(self, schema: Schema, events: _EventsOfKind) -> tuple[list[Allowed], list[Refused]]:
        """The allowed and the refused ones of some events."""
        allowed: list[Allowed] = []
        refused: list[Refused] = []
        for i, (g, holds) in enumerate(zip(events.events, events.fixed(self._state), strict=True)):
            if self._who is not None and decider(g.action.actor, self._values) not in self._who:
                continue
            found = self._boxes(events, i) if holds else []
            allowed += [self._allowed(g, numbers) for numbers in found]
            if self._limit:
                refused += self._refused(schema, g, found)
        return allowed, refused

    def _met(self, terms: Sequence[Term]) -> Sequence[int]:
        return interpret(terms, self._system.layout.slot, self._state)

    def _boxes(self, events: _EventsOfKind, i: int) -> list[dict[str, tuple[Range, ...]]]:
        """The values of the open numbers for which an event is allowed."""
        g = events.events[i]
        found = events.boxes(i, self._constants(g.open) if g.numbers else TRUE)
        return [dict(zip(g.numbers, box, strict=True)) for box in found]

    @cached_property
    def _constants(self) -> Substitution:
        return Substitution(dict(self._system.layout.constants(self._state)))

    def _allowed(self, g: Grounded, numbers: Mapping[str, tuple[Range, ...]]) -> Allowed:
        action = g.action
        beyond = tuple(r.said(self._values) for r in self._failed(action.assumed)) if action.assumed else ()
        actor, agreed = (decider(x, self._values) for x in (action.actor, action.agreed))
        odds = None if numbers else action.odds
        weight = self._met([odds])[0] if isinstance(odds, Term) else odds
        return Allowed(actor, agreed, g.args, numbers, beyond, self._said(g, numbers), weight)

    def _said(self, g: Grounded, numbers: Mapping[str, tuple[Range, ...]]) -> str:
        """The sentence for an event, or for those that differ in open numbers."""
        if not numbers:
            return g.action.said(self._values)
        edges = ({n: found[i][i] for n, found in numbers.items()} for i in (0, -1))
        least, most = (self._system.opened(g.schema, {**g.args, **edge}).action for edge in edges)
        return spanning(least.said(self._values), most.said(self._values)) or g.schema.text

    # ---- what stands against an event

    def _refused(
        self, schema: Schema, g: Grounded, found: Sequence[Mapping[str, tuple[Range, ...]]]
    ) -> Iterable[Refused]:
        """The refusal of an event, for all or some numbers; None if it is allowed for all."""
        if not g.numbers:
            if not found:
                yield Refused(
                    g.args, {}, 1, self._lacks(self._failed(g.needs)), decider(g.action.actor, self._values)
                )
            return
        if len(g.numbers) > 1 and found:
            return  # some of the combinations are allowed
        wrong = {n: _gaps(v, found[0][n] if found else ()) for n, v in g.numbers.items()}
        if not all(wrong.values()):
            return
        least = {**g.args, **{n: ranges[0][0] for n, ranges in wrong.items()}}
        failed = self._failed(self._system.opened(schema, least).needs)
        who = decider(g.action.actor, self._values)
        yield Refused(g.args, wrong if found else {}, 0 if found else 1, self._lacks(failed), who)

    def _failed(self, needs: Sequence[Requirement]) -> list[Requirement]:
        met = self._met([r.term for r in needs])
        return [r for r, holds in zip(needs, met, strict=True) if not holds]

    def _against(self, needs: Iterable[Requirement]) -> list[Requirement]:
        """Those that do not hold; where refusals are not told, one that holds in no state is enough."""
        asked: list[Requirement] = []
        for r in needs:
            if r.term is FALSE and not self._limit:
                return [r]
            asked.append(r)
        return self._failed(asked)

    def _lacks(self, failed: Iterable[Requirement]) -> tuple[Lack, ...]:
        return tuple(Lack(r.said(self._values), tuple(c.clause for c in r.cites)) for r in failed)


def _few_ways(ways: Ways, values: Given) -> Sequence[Mapping[str, Value]] | None:
    """The arguments of the events that some position may allow; None: they are too many."""
    try:
        some = list(islice(ways(values), MOST_FOUND + 1)) if all(values.values()) else []
    except InputError:  # too many arguments are tried
        return None
    return some if len(some) <= MOST_FOUND else None


def _gaps(number: Term, allowed: Sequence[Range]) -> tuple[Range, ...]:
    """The numbers that are not allowed."""
    edges = [number.lo - 1, *(x for r in allowed for x in r), number.hi + 1]
    pairs = zip(edges[::2], edges[1::2], strict=True)
    return tuple((lo + 1, hi - 1) for lo, hi in pairs if lo + 1 <= hi - 1)


def _with_range(allowed: Iterable[Allowed], name: str, text: str) -> list[Allowed]:
    """Merge events that differ in a single number, with its ranges; `text` is said where no sentence is for all."""
    groups: dict[object, tuple[Allowed, dict[int, str]]] = {}
    for a in allowed:
        rest = {n: v for n, v in a.args.items() if n != name}
        key = (a.actor, a.agreed, tuple(rest.items()), tuple(a.numbers.items()), a.beyond, a.weight)
        n = int(a.args[name])
        groups.setdefault(key, (replace(a, args=rest), {}))[1][n] = a.text
    return [
        replace(
            a,
            numbers={name: merged([(n, n) for n in said]), **a.numbers},
            text=spanning(said[min(said)], said[max(said)]) or text,
        )
        for a, said in groups.values()
    ]
