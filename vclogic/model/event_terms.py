"""Statements about the last event of a record: the values before it, its kind, who decided it.

Such a statement is a term over fluents, which stand for their values after the event, and over placeholder variables
for `before`, `happens` and `actor`. For a ground event it becomes a term over the state before it (`Spoken.of`). A
question about events then becomes a question about positions with one more fluent: whether some event so far
satisfied the statement (`watched`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

from vclogic.model.actions import Action, Schema
from vclogic.model.fluents import Family, Value
from vclogic.model.rules import Rule
from vclogic.model.system import System
from vclogic.terms.atoms import FALSE, TRUE, boolean, var
from vclogic.terms.build import add, all_of, and_, eq, ge, is_in, ite, linear, or_, scale
from vclogic.terms.domain import Domain
from vclogic.terms.expressions.event_words import Given
from vclogic.terms.partial import Partial
from vclogic.terms.rewrite import Substitution, substitute
from vclogic.terms.sorts import BOOL, EnumSort
from vclogic.terms.term import Op, Term, postorder, variables

SHOWN = "the goal has held"
"""The fluent that says whether some event so far has shown what is asked for."""
Arguments = Mapping[str, Value | Term]
"""The arguments of an event; numbers may be open."""


@dataclass(frozen=True)
class ValueBefore:
    """The value of a fluent before the last event.

    Attributes:
        fluent: The fluent.
    """

    fluent: Term


@dataclass(frozen=True)
class Happening:
    """Says that the last event is of a kind.

    Attributes:
        event: Name of its schema; None: any event will do.
        given: The arguments that it must have, by name.
    """

    event: str | None
    given: tuple[tuple[str, int | str], ...] = ()

    def of(self, event: str, arguments: Arguments) -> Term:
        """A Bool term: an event is one of these; not constant if a numeric argument is symbolic."""
        if self.event not in (None, event):
            return FALSE
        return all_of(_is(arguments[name], value) for name, value in self.given)


@dataclass(frozen=True)
class Acting:
    """Says who decided the last event.

    Attributes:
        name: A side or a power.
    """

    name: str

    def of(self, system: System, actor: str | Term | None) -> Term:
        """A Bool term: this side or power decides an event; a side also stands for each of its powers."""
        names = {self.name, *system.sides.get(self.name, ())}
        if isinstance(actor, Term):
            assert isinstance(actor.sort, EnumSort)
            return is_in(actor, [m for m in actor.sort.members if m in names])
        return boolean(actor in names)


Meaning = ValueBefore | Happening | Acting
_MEANINGS: WeakKeyDictionary[Term, Meaning] = WeakKeyDictionary()


def _is(argument: Value | Term, value: int | str) -> Term:
    return eq(argument, value) if isinstance(argument, Term) else boolean(argument == value)


def _standing(variable: Term, meaning: Meaning) -> Term:
    """The placeholder variable of a meaning; its name determines the meaning."""
    _MEANINGS[variable] = meaning
    return variable


# ---- the words


def before(term: Term) -> Term:
    """A term as it was before the last event.

    Raises:
        ValueError: The term is itself about the last event.
    """
    if meanings(term):
        raise ValueError("`before` takes what is so in a position: no before, happens or actor inside it")
    earlier = {v: _standing(var(f"before({v.name})", v.sort, mask=v.mask), ValueBefore(v)) for v in variables(term)}
    return Substitution(earlier)(term)


def happens(event: str, /, **arguments: int | str) -> Term:
    """A Bool term: the last event is of a kind and has the given arguments; others may be any."""
    given = tuple(sorted(arguments.items()))
    named = ", ".join([event, *(f"{name}={value!r}" for name, value in given)])
    return _standing(var(f"happens({named})", BOOL), Happening(event, given))


def actor(name: str) -> Term:
    """A Bool term: a side (or a power of it), or one power, decided the last event; false where nobody did."""
    return _standing(var(f"actor({name})", BOOL), Acting(name))


def happened() -> Term:
    """A Bool term: there was any event."""
    return _standing(var("happens", BOOL), Happening(None))


def meanings(term: Term) -> dict[Term, Meaning]:
    """The meanings of a term's placeholder variables."""
    return {v: _MEANINGS[v] for v in variables(term) if v in _MEANINGS}


def of_positions(rule: Rule) -> list[Term]:
    """The terms of a rule about positions; for a rule about events, the fluents that it reads."""
    terms = [rule.term.value, rule.term.defined] if isinstance(rule.term, Partial) else [rule.term]
    if not rule.step:
        return terms
    said = {v: m for t in terms for v, m in meanings(t).items()}
    before = [m.fluent for m in said.values() if isinstance(m, ValueBefore)]
    return before + [v for v in variables(*terms) if v not in said]


class EventWords:
    """The meaning of the three words in goals over a rule set; implements `expressions.event_words.StepWords`.

    Args:
        system: The rule set.
    """

    def __init__(self, system: System):
        names = dict.fromkeys([*system.sides, *(p for powers in system.sides.values() for p in powers)])
        self.actors = Domain(EnumSort("side or power", tuple(names)), system.aliases)
        self.events = {s.name: {p.name: p.domain for p in s.parameters} for s in system.events}

    def before(self, value: Partial) -> Partial:
        """As the protocol says."""
        return Partial(before(value.value), and_(happened(), before(value.defined)))

    def happens(self, event: str, given: Given) -> Term:
        """As the protocol says."""
        return happens(event, **given)

    def actor(self, name: str) -> Term:
        """As the protocol says."""
        return actor(name)


# ---- what a statement says of single events


class Spoken:
    """A statement about the last event, to be evaluated for each event.

    Attributes:
        term: Bool, over fluents and placeholder variables.
        meanings: The meanings of the placeholders.

    Args:
        system: The rule set.
        term: As above.
    """

    def __init__(self, system: System, term: Term):
        self.term = term
        self.meanings = meanings(term)
        self._system = system
        self._users: dict[Term, list[Term]] = {}
        for t in postorder([term]):
            for a in t.args:
                self._users.setdefault(a, []).append(t)
        earlier = {v: m.fluent for v, m in self.meanings.items() if isinstance(m, ValueBefore)}
        self._still = Substitution({v: earlier.get(v, FALSE) for v in self.meanings})
        self._made: dict[frozenset[tuple[Term, Term]], Term] = {}
        self._open: dict[frozenset[tuple[Term, Term]], bool] = {}

    def of(self, schema: str, arguments: Arguments, action: Action) -> Term:
        """The statement for one event, as a term over the state before it and the event's symbolic numbers."""
        changed = {f: new for f, new in action.effects if f in self._users or f is self.term}
        for v, m in self.meanings.items():
            if not isinstance(m, ValueBefore):
                is_so = m.of(self._system, action.actor) if isinstance(m, Acting) else m.of(schema, arguments)
                changed |= {} if is_so is FALSE else {v: is_so}
        key = frozenset(changed.items())
        if key not in self._made:
            self._made[key] = told_apart(self._where(changed))
        return self._made[key]

    def _where(self, changed: Mapping[Term, Term]) -> Term:
        """The term after substituting some variables and leaving all others as before the event."""
        above: set[Term] = set()
        queue = list(changed)
        while queue:
            new = [t for t in self._users.get(queue.pop(), ()) if t not in above]
            above.update(new)
            queue += new
        beside = {a: self._still(a) for t in above for a in t.args if a not in above}
        return Substitution(beside | dict(changed))(self.term) if changed else self._still(self.term)

    def may_be(self, schema: str, arguments: Arguments, *, still: bool = False) -> bool:
        """True if an event of a kind with some arguments can satisfy it, as far as these alone tell.

        Args:
            schema: Name of the kind.
            arguments: Some of its arguments.
            still: Whether it is known to change no fluent that the statement reads.
        """
        happenings = {v: m for v, m in self.meanings.items() if isinstance(m, Happening)}
        known = {
            v: m.of(schema, arguments)
            for v, m in happenings.items()
            if m.event not in (None, schema) or all(name in arguments for name, _ in m.given)
        }
        if still:
            known |= {v: m.fluent for v, m in self.meanings.items() if isinstance(m, ValueBefore)}
        key = frozenset(known.items())
        if key not in self._open:
            self._open[key] = Substitution(known)(self.term) is not FALSE
        return self._open[key]

    @property
    def fluents(self) -> tuple[Term, ...]:
        """The fluents whose value after the event it reads."""
        return tuple(v for v in variables(self.term) if v not in self.meanings)

    def strange(self) -> Iterator[str]:
        """The events, arguments, sides and powers that it names but the rule set does not have, in words."""
        words = EventWords(self._system)
        for m in self.meanings.values():
            if isinstance(m, Acting) and m.name not in words.actors.sort.index:
                yield f"{m.name!r}, which is no side or power"
            if isinstance(m, Happening) and m.event is not None:
                if m.event not in words.events:
                    yield f"{m.event!r}, which is no event"
                    continue
                known = words.events[m.event]
                for name, value in m.given:
                    if name not in known:
                        yield f"{name!r}, which {m.event} does not take"
                    elif not _fits(known[name], value):
                        yield f"{name}={value!r}, which is no such thing"


def _fits(domain: Domain | range, value: int | str) -> bool:
    return value in (domain.sort.index if isinstance(domain, Domain) else domain)


def watched(system: System, spoken: Spoken) -> tuple[System, Term]:
    """Extend a rule set by a fluent that records whether some event so far satisfied a statement.

    Returns:
        The extended rule set, and that fluent, the last one of its states.
    """
    shown = Family(SHOWN, BOOL, "whether some event has shown what is asked for")
    events = tuple(_watched(s, spoken, shown.fluent) for s in system.events)
    families = (*system.families, shown)
    fresh: dict[str, object] = {"_instances": {}, "_opened": {}, "_views": []}
    initial = {**system.initial, shown.fluent: False}
    return replace(system, families=families, events=events, initial=initial, **fresh), shown.fluent  # type: ignore[arg-type]


def _watched(schema: Schema, spoken: Spoken, shown: Term) -> Schema:
    def instantiate(*view: object, **arguments: Value | Term) -> Action:
        action: Action = schema.instantiate(*view, **arguments)
        shows = spoken.of(schema.name, arguments, action)
        return action if shows is FALSE else replace(action, effects=(*action.effects, (shown, or_(shown, shows))))

    if schema.touches is None or not spoken.may_be(schema.name, {}):
        return replace(schema, instantiate=instantiate)
    return replace(schema, instantiate=instantiate, touches=(*schema.touches, (shown.name,)))


def unwatched(laws: Iterable[Term]) -> tuple[Term, ...]:
    """Turn laws of a watched rule set in which no event satisfies the statement into laws of the original one."""
    never = Substitution({var(SHOWN, BOOL): FALSE})
    return tuple(t for t in map(never, laws) if t is not TRUE)


def told_apart(term: Term) -> Term:
    """The same Bool term, in which a comparison of a sum is one for each case where parts of the sum cancel then.

    By how much a capped number has risen, min(n + k, 99) - n, is k in one case and 99 - n in the other: a solver that
    is told so need not add up n.
    """
    new = {t: _by_case(t) for t in _comparisons(term)}
    return substitute(term, new) if any(t is not by_case for t, by_case in new.items()) else term


def _comparisons(term: Term) -> Iterator[Term]:
    """The comparisons of sums of which a Bool term is made, without those in numbers."""
    seen, queue = {term}, [term]
    while queue:
        t = queue.pop()
        if t.op is Op.GE and t.args[0].op is Op.LIN:
            yield t
        elif t.op in (Op.NOT, Op.AND, Op.OR, Op.ITE):
            new = [a for a in t.args if a not in seen]
            seen.update(new)
            queue += new


def _by_case(comparison: Term) -> Term:
    (number,), least = comparison.args, comparison.payload
    if number.op is not Op.LIN:
        return comparison
    weights, c = number.payload
    parts = list(zip(weights, number.args, strict=True))
    for i, (k, a) in enumerate(parts):
        if a.op is not Op.ITE or a.is_bool:
            continue
        rest = linear([*parts[:i], *parts[i + 1 :]], c)
        cases = [add(rest, scale(b, k)) for b in a.args[1:]]
        if any(not _addends(rest) <= _addends(x) for x in cases):
            then, otherwise = map(_told, cases, [least] * 2)
            return ite(a.args[0], then, otherwise)
    return comparison


def _told(number: Term, least: int) -> Term:
    found = ge(number, least)
    return _by_case(found) if found.op is Op.GE else found


def _addends(number: Term) -> set[Term]:
    return {*number.args} if number.op is Op.LIN else set() if number.is_const else {number}
