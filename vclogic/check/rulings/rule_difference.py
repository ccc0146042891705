"""Differences of two rule sets with the same facts, and what a ruling there says: each answer is tried in Python."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

from vclogic.check.findings import FindingKey, Witness
from vclogic.check.oracle import Oracle
from vclogic.check.rulings.suggested_rulings import PastedRuling
from vclogic.encode.python.evaluator import OutOfBounds, apply, compile_term, failed, interpret
from vclogic.errors import InputError
from vclogic.files.state import value_for_file
from vclogic.model.actions import Action, Event, Schema
from vclogic.model.fluents import State, Value, value, written
from vclogic.model.system import HOLDS, System
from vclogic.query.compare.points import named_points
from vclogic.query.status.progress import expression, value_of
from vclogic.terms.atoms import FALSE
from vclogic.terms.build import all_of, and_, any_of, eq, ge, le, ne, or_, xor
from vclogic.terms.domain import Domain
from vclogic.terms.expressions.resolve import compile_value
from vclogic.terms.partial import Partial
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import IntSort
from vclogic.terms.term import Term, variables

MOST_EVENTS = 3_000
"""Events of one kind, beyond which they are not compared."""
_NUMBERS, _NEAR = 3, 20


@dataclass(frozen=True)
class Difference:
    """A position in which two rule sets differ.

    Attributes:
        ruling: The ruling there, with the answer of the first.
        asked: What is asked, as a question.
        now: The answer of the first.
        instead: The answer of the second.
        witness: The position.
    """

    ruling: PastedRuling
    asked: str
    now: str
    instead: str
    witness: Witness


@dataclass(frozen=True)
class _Point:
    """Something that two rule sets may see differently: what a goal asks, or an event."""

    differs: Term
    text: str = ""
    event: Event | None = None
    pair: tuple[Action, Action] | None = None


class Telling:
    """Looks for the smallest position in which two rule sets differ.

    Args:
        oracle: Answers questions about the first one; nothing has been asked of it, so that what is shown is the
            same in every run.
        other: The second one, with the same names of facts.
        shared: Decides whether there is a position at all; what it has learnt from other changes makes it quick.
    """

    def __init__(self, oracle: Oracle, other: System, shared: Oracle):
        self._shared = shared
        self.oracle, self.system, self.other = oracle, oracle.system, other
        own, its = self.system.layout.by_name, other.layout.by_name
        self.comparable = [*own] == [*its] and all(_alike(its[n], f) for n, f in own.items())
        self._standing = {its[n]: f for n, f in own.items() if its[n] is not f} if self.comparable else {}
        self._same = Substitution(self._standing)
        self.left_out = False
        # Nobody can give a ruling what the rules write down for themselves: an event has to bring it about.
        begin = oracle.start
        self._unwritten = Substitution({f: begin[f] for f in self.system.written})

    def first(self, key: FindingKey, title: str, focus: str) -> Difference | None:
        """The smallest position in which they differ, of the first points that tell them apart.

        Args:
            key: The finding that it would be.
            title: The title of the ruling.
            focus: The name of the definition or event whose line it is about, which is looked at first.
        """
        for points in self._groups(focus):
            wanted = and_(any_of(p.differs for p in points), *self._laws())
            answer = self._shared.possible(wanted)
            if answer.verdict == "unknown":
                self.oracle.give_up(key, self._shared.bound(answer))
            for witness, state in self.oracle.shown(key, wanted) if answer.verdict == "sat" else ():
                point = next(p for p in points if interpret(p.differs, self.system.layout.slot, state))
                near = self._nearer(state, and_(point.differs, *self._laws()))
                found = self._told(point, title, self.oracle.witness(near, minimal=witness.minimal), near)
                if found is not None:
                    return found
        return None

    def _laws(self) -> Iterator[Term]:
        """The laws of every position of the second one, and where both can have the same values."""
        known = self.oracle.laws
        yield from (eq(f, self.oracle.start[f]) for f in self.system.written)
        yield from (t for rule in self.other.laws if (t := self._same(rule.kept)) not in known)
        for theirs, ours in self._standing.items():
            if isinstance(theirs.sort, IntSort):
                yield from (ge(ours, theirs.lo), le(ours, theirs.hi))

    def _nearer(self, state: State, wanted: Term) -> State:
        """A position with the same facts changed, each number as near to that of the start as can be."""
        holds = compile_term(all_of([wanted, *self.oracle.bearing(wanted)]), self.system.layout.slot)
        found = [*state]
        for i, (fluent, begin) in enumerate(zip(self.system.layout.fluents, self.oracle.rules.state, strict=True)):
            if isinstance(fluent.sort, IntSort) and found[i] != begin:
                step = 1 if found[i] > begin else -1
                nearer = range(begin + step, found[i], step)[:_NEAR]
                found[i] = next((n for n in nearer if holds((*found[:i], n, *found[i + 1 :]))), found[i])
        return tuple(found)

    # ---- what may differ

    def _groups(self, focus: str) -> Iterator[list[_Point]]:
        """Points that may differ, in groups of which each is one question; no empty ones."""
        a, b = self.system, self.other
        outcomes = dict.fromkeys(o.name for o in a.outcomes)
        kinds = sorted(a.events, key=lambda s: (s.name != focus, len(s.parameters)))
        names = [*([focus] if focus in a.vocabulary and focus in b.vocabulary else []), *outcomes]
        groups: list[Iterator[_Point]] = [self._named(n, of=n in outcomes) for n in names]
        groups += [self._events(s, b.schemas[s.name]) for s in kinds if s.name in b.schemas]
        for group in groups:
            points = [replace(p, differs=self._unwritten(p.differs)) for p in group]
            points = [p for p in points if p.differs is not FALSE]
            if points:
                yield points

    def _named(self, name: str, *, of: bool) -> Iterator[_Point]:
        """The answers of an outcome or a definition for each side, or for whatever it is asked of."""
        for p in named_points(self.system, self.other, name).all:
            there = replace(p, b=Partial(self._same(p.b.value), self._same(p.b.defined)))
            text = expression(HOLDS, name, p.name[len(name) + 1 : -1]) if of else p.name
            yield _Point(there.differs, text)

    def _events(self, a: Schema, b: Schema) -> Iterator[_Point]:
        """For each event of a kind: if it is allowed, and what it changes."""
        if [p.name for p in a.parameters] != [p.name for p in b.parameters]:
            return
        values = [_values(p.domain) for p in a.parameters]
        if math.prod(map(len, values)) > MOST_EVENTS:
            self.left_out = True
            return
        for given in product(*values):
            event = Event(a.name, tuple(zip((p.name for p in a.parameters), given, strict=True)))
            ours, its = a.action(event.args), b.action(event.args)
            guards = ours.guard, self._same(its.guard)
            if guards == (FALSE, FALSE):
                continue
            mine, theirs = dict(ours.effects), {self._same(f): self._same(x) for f, x in its.effects}
            news = [ne(mine.get(f, f), theirs.get(f, f)) for f in {**mine, **theirs}]
            if not self.system.written.keys().isdisjoint(mine):
                then, otherwise = Substitution(mine), Substitution(theirs)
                news += [xor(then(a), otherwise(b)) for a, b in self._judged]
            yield _Point(or_(xor(*guards), and_(*guards, any_of(news))), event=event, pair=(ours, its))

    @cached_property
    def _judged(self) -> Sequence[tuple[Term, Term]]:
        """The outcomes that both judge otherwise where an event writes down that their moment is there."""
        pairs = [(o.now, self._same(x.now)) for o, x in zip(self.system.outcomes, self.other.outcomes, strict=False)]
        return [(a, b) for a, b in pairs if a is not b and not self.system.written.keys().isdisjoint(variables(a))]

    # ---- what a ruling says there

    def _told(self, point: _Point, title: str, witness: Witness, state: State) -> Difference | None:
        """The difference as a question with a ruling; None where no ruling can say it."""
        ruling = PastedRuling(title, tuple(self._given(state)))
        if point.pair is None or point.event is None:
            return self._answered(ruling, witness, [point.text], (state, state), "here")
        ours, its = point.pair
        schema = self.system.schemas[point.event.name]
        now = dict(zip(self.system.layout.fluents, state, strict=True))
        turn = {name: value(f.sort, now[f]) for name, f in schema.implied.items() if f in now}
        event = replace(point.event, args=tuple(a for a in point.event.args if turn.get(a[0]) != a[1]))
        ruling = replace(ruling, play=event)
        both = (self.system, ours), (self.other, its)
        allowed = [not failed(s, state, action) for s, action in both]
        try:
            after = [apply(s, state, action) if ok else state for (s, action), ok in zip(both, allowed, strict=True)]
        except OutOfBounds:
            return None
        if all(allowed):
            shown = [*self._outcomes(), *self._changed((after[0], after[1]))]
            return self._answered(ruling, witness, shown, (after[0], after[1]), f"after {point.event}")
        asked = f"Is {point.event} allowed here?"
        if not allowed[0]:
            return Difference(replace(ruling, refused=True, other="it is allowed"), asked, "no", "yes", witness)
        expect = next((t for f in self._changed((state, after[0])) if (t := self._so(f, self.system, after[0]))), "")
        return Difference(replace(ruling, expect=expect, other="it is refused"), asked, "yes", "no", witness)

    def _given(self, state: State) -> Iterator[tuple[str, tuple[str, ...], Value]]:
        """The facts of a position that are otherwise than at the start."""
        layout = self.system.layout
        before, after = layout.values(self.oracle.rules.state), layout.values(state)
        for fluent, (family, index) in layout.entries.items():
            given = value_for_file(family, after[fluent])
            if before[fluent] != after[fluent] and given is not None:
                yield family.name, index, given

    def _outcomes(self) -> Iterator[str]:
        for o in self.system.outcomes:
            yield expression(HOLDS, o.name, o.side)

    def _changed(self, states: tuple[State, State]) -> Iterator[str]:
        """The facts in which two states differ, as goals name them; the time last."""
        layout = self.system.layout
        changed = [f for f, x, y in zip(layout.fluents, *states, strict=True) if x != y]
        times = {f: n for n, f in enumerate(reversed(self.system.schedule), 1)}
        for fluent in sorted(changed, key=lambda f: times.get(f, 0)):  # whose turn it is tells least
            family, index = layout.entries[fluent]
            if family.name in self.system.vocabulary:
                yield expression(family.name, *index)

    def _answered(
        self, ruling: PastedRuling, witness: Witness, asked: Iterable[str], states: tuple[State, State], when: str
    ) -> Difference | None:
        """The first of some goals or values on whose answers they differ."""
        for text in asked:
            now, instead = (
                self._value(text, s, state) for s, state in zip((self.system, self.other), states, strict=True)
            )
            if now is None or instead is None or now == instead:
                continue
            said = replace(ruling, expect=_so(text, now), other=_so(text, instead))
            if isinstance(now, bool):
                answers = ("yes", "no") if now else ("no", "yes")
                return Difference(said, self._question(text, when), *answers, witness)
            return Difference(said, f"What is {text} {when}?", written(now), written(instead), witness)
        return None

    def _question(self, text: str, when: str) -> str:
        """A condition as a question."""
        won = next((o for o in self.system.outcomes if text == expression(HOLDS, o.name, o.side)), None)
        return f"Is {text} so {when}?" if won is None else f"Is {won.name} won by {won.side} {when}?"

    def _so(self, text: str, system: System, state: State) -> str:
        found = self._value(text, system, state)
        return "" if found is None else _so(text, found)

    def _value(self, text: str, system: System, state: State) -> Value | None:
        try:
            found = compile_value(text, system.vocabulary).partial
        except InputError:
            return None
        return value_of(system, state, found)


def _so(text: str, found: Value) -> str:
    """The goal that something has a value."""
    if isinstance(found, bool):
        return text if found else f"not {text}"
    return f"{text} == {written(found)}"


def _alike(a: Term, b: Term) -> bool:
    """True if two facts have values of one kind; numbers may have other ranges."""
    return a.sort == b.sort or (isinstance(a.sort, IntSort) and isinstance(b.sort, IntSort))


def _values(domain: Domain | range) -> list[Value]:
    return [*(domain[:_NUMBERS] if isinstance(domain, range) else domain.sort.members)]
