"""The legal events of a state, and the reasons against the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import islice
from math import prod

from vclogic.choices import choice
from vclogic.encode.codegen import interpret
from vclogic.encode.evaluator import compiled_later
from vclogic.encode.ranges import Box, Range, boxes, merged
from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.files.record import read_events
from vclogic.files.tree import Node
from vclogic.model.actions import Requirement, Schema
from vclogic.model.fluents import State, Value
from vclogic.model.grounded import Grounded, choices
from vclogic.model.step_text import decider
from vclogic.model.system import System
from vclogic.query.legality import Allowed, Lack, Legal, LegalKind, Refused
from vclogic.query.replay import turn_of
from vclogic.terms.atoms import TRUE
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term, postorder

MOST = 10_000  # events of one kind that are looked at, those not counted that are refused unbuilt (`Schema.asks`)
_COMPILED = 5_000  # terms of all events of a kind that are compiled at once; more would hold up whoever asks
Given = Mapping[str, Sequence[Value]]
"""Some arguments, each with the values that count."""


def who_decides(system: System, side: str | None) -> frozenset[str] | None:
    """The sides and powers whose decisions count; None: everybody's.

    Args:
        side: A side, which stands for its powers too, or a power.

    Raises:
        InputError: There is no such side or power.
    """
    if side is None:
        return None
    name = system.aliases.get(side, side)
    if system.side_of(name) is None:
        known = [*system.sides, *(p for powers in system.sides.values() for p in powers), *system.aliases]
        help = did_you_mean(side, known)
        raise InputError(
            Diagnostic("unknown-name", f"unknown side or power {quoted(side)}", choice("side"), help=help)
        )
    return frozenset((name, *system.sides.get(name, ())))


def legal(
    game: str,
    system: System,
    state: State,
    side: str | None,
    event: Node | None,
    limit: int,
    rests_on: tuple[str, ...],
    names: Callable[[str], bool] | None = None,
) -> Legal:
    """The legal events of a state.

    Args:
        game: What it is called: `encoding/scenario`, or `encoding: title`.
        side: The side or power whose decisions count; None: all events.
        event: A kind of event with some of its arguments, as a record writes it; None: every kind.
        limit: How many refused events of each kind to list.
        rests_on: What the answer rests on.
        names: Only events with an argument of which this is true; None: all.

    Raises:
        InputError: There is no such side, power or event, or an argument is wrong.
    """
    schemas: Sequence[tuple[Schema, Given]] = [(s, {}) for s in system.events]
    if event is not None:
        schemas = [read_events(system, event)]
    who = who_decides(system, side)
    legality = Legality(system, state, who, limit)
    asked = [(schema, given) for schema, given in schemas if who is None or not schema.forced]
    if names is None:
        kinds = [legality.kind(schema, given) for schema, given in asked]
    else:
        kinds = [kind for schema, given in asked if (kind := legality.naming(schema, given, names)) is not None]
    name = None if event is None else schemas[0][0].name
    decides = None if side is None else system.aliases.get(side, side)
    return Legal(
        game=game,
        turn=legality.turn,
        side=decides,
        event=name,
        kinds=tuple(kinds),
        assumptions=rests_on,
        reach_assumes=system.assumed,
        why_not=limit > 0,
    )


class _EventsOfKind:
    """Events of one kind, and whether what they need of the fluents alone holds in a state."""

    def __init__(self, system: System, events: Sequence[Grounded]):
        self.events = events
        terms, slot = [g.fixed for g in events], system.layout.slot
        few = next(islice(postorder(terms), _COMPILED, None), None) is None
        self.fixed = compiled_later(terms, slot) if few else partial(interpret, terms, slot)
        self._last: dict[int, tuple[Term, list[Box]]] = {}

    def boxes(self, i: int, condition: Term) -> list[Box]:
        """The solutions of a condition over the open numbers of an event; those of its last one are kept."""
        last = self._last.get(i)
        if last is None or last[0] is not condition:
            last = self._last[i] = condition, boxes(condition, list(self.events[i].numbers.values()))
        return last[1]


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
        """Whose turn it is."""
        return turn_of(self._system, self._values)

    def kind(self, schema: Schema, given: Given) -> LegalKind:
        """Judge the events of one kind.

        Args:
            given: Fixed arguments.
        """
        return self._shown([self._whole(schema, given)])

    def naming(self, schema: Schema, given: Given, names: Callable[[str], bool]) -> LegalKind | None:
        """Judge the events of one kind that name something; None if none can.

        Args:
            given: Fixed arguments.
            names: Whether an argument is such a name.
        """
        found: list[LegalKind] = []
        others = given  # the events of which no argument before names it
        for p in schema.parameters:
            values = () if p.term else others.get(p.name, p.values)
            here = [v for v in values if names(str(v))]
            if here:
                found.append(self._whole(schema, {**others, p.name: here}))
                others = {**others, p.name: [v for v in values if not names(str(v))]}
        return self._shown(found) if found else None

    def _whole(self, schema: Schema, given: Given) -> LegalKind:
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
        refused = self._asked(schema, values)
        number = prod(map(len, values.values()))
        if number > MOST:
            return replace(found, left_out=number)
        allowed, more = self._judged(schema, self._events(schema, values))
        ranges = [p.name for p in schema.parameters if isinstance(p.domain, range) and p.name in values]
        for name in ranges:
            allowed = _with_range(allowed, name)
        return replace(found, allowed=tuple(allowed), refused=(*refused, *more))

    def _shown(self, parts: Sequence[LegalKind]) -> LegalKind:
        """Join several parts of the events of one kind, with as many refused ones as are asked for."""
        refused: dict[object, Refused] = {}
        for r in (r for part in parts for r in part.refused):
            key = (*r.args.items(), *r.numbers.items(), r.lacks)
            refused[key] = replace(r, count=r.count + (refused[key].count if key in refused else 0))
        ordered = sorted(refused.values(), key=lambda r: (not self._on_turn(r), len(r.lacks), r.count == 1))
        shown, rest = ordered[: self._limit], ordered[self._limit :]
        return replace(
            parts[0],
            allowed=tuple(a for part in parts for a in part.allowed),
            refused=tuple(shown),
            more=sum(r.count for r in rest),
            left_out=sum(part.left_out for part in parts),
        )

    def _on_turn(self, refused: Refused) -> bool:
        """True if whoever is on turn would decide it, or is named by it."""
        return not {refused.decider, *refused.args.values()}.isdisjoint(self.turn.values())

    # ---- which events

    def _asked(self, schema: Schema, values: dict[str, Sequence[Value]]) -> list[Refused]:
        """Refuse the argument values that the schema rules out for all events, and remove them from the values."""
        found: list[Refused] = []
        for name, asks in schema.asks.items():
            others = prod(len(v) for n, v in values.items() if n != name)
            kept = []
            for value in values[name]:
                failed = self._failed(list(asks(str(value))))
                if failed:
                    found.append(Refused({name: value}, {}, others, self._lacks(failed)))
                else:
                    kept.append(value)
            values[name] = kept
        return found

    def _events(self, schema: Schema, values: Given) -> _EventsOfKind:
        """Build events, for this state only if the schema supports it."""
        system = self._system
        if not schema.viewed or any(p.term for p in schema.parameters):
            key = (schema.name, tuple((name, tuple(given)) for name, given in values.items()))
            return system.listed(
                key, lambda: _EventsOfKind(system, [system.opened(schema, v) for v in choices(schema, values)])
            )
        view = system.view(self._state)
        built = ((args, schema.action(tuple(args.items()), view)) for args in choices(schema, values))
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
        beyond = tuple(r.said(self._values) for r in self._failed(action.assumed))
        actor, agreed = (decider(x, self._values) for x in (action.actor, action.agreed))
        odds = None if numbers else action.odds
        weight = self._met([odds])[0] if isinstance(odds, Term) else odds
        return Allowed(actor, agreed, g.args, numbers, beyond, "" if numbers else action.said(self._values), weight)

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

    def _lacks(self, failed: Iterable[Requirement]) -> tuple[Lack, ...]:
        return tuple(Lack(r.said(self._values), tuple(c.clause for c in r.cites)) for r in failed)


def _gaps(number: Term, allowed: Sequence[Range]) -> tuple[Range, ...]:
    """The numbers that are not allowed."""
    edges = [number.lo - 1, *(x for r in allowed for x in r), number.hi + 1]
    pairs = zip(edges[::2], edges[1::2], strict=True)
    return tuple((lo + 1, hi - 1) for lo, hi in pairs if lo + 1 <= hi - 1)


def _with_range(allowed: Iterable[Allowed], name: str) -> list[Allowed]:
    """Merge events that differ in a single number, with its ranges."""
    groups: dict[object, tuple[Allowed, list[Range]]] = {}
    for a in allowed:
        rest = {n: v for n, v in a.args.items() if n != name}
        key = (a.actor, a.agreed, tuple(rest.items()), tuple(a.numbers.items()), a.beyond, a.weight)
        n = int(a.args[name])
        groups.setdefault(key, (replace(a, args=rest), []))[1].append((n, n))
    return [replace(a, numbers={name: merged(found), **a.numbers}) for a, found in groups.values()]
