"""The points on which two rule sets are compared: outcomes, observables, and whether events are allowed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Literal

from vclogic.choices import choice
from vclogic.clock import check_deadline
from vclogic.encode.product import ActionPair, disagree, outline
from vclogic.errors import Diagnostic, InputError, did_you_mean
from vclogic.model.actions import Event, Parameter, Schema
from vclogic.model.citation import Cites
from vclogic.model.fluents import Value
from vclogic.model.rules import Observable, Outcome
from vclogic.model.system import HOLDS, System
from vclogic.solve.backends.claims import Claims
from vclogic.solve.problem import ProofMethod
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.build import all_of, and_, any_of, not_, or_
from vclogic.terms.domain import Domain
from vclogic.terms.expressions.resolve import compile_value, without_meaning
from vclogic.terms.partial import Partial
from vclogic.terms.term import Op, Term

Kind = Literal["outcome", "winner", "event", "observable", "expression"]
MOST_CALLS = 20_000  # ground observables or events of one name, beyond which they are left out


@dataclass(frozen=True)
class ComparisonPoint:
    """A point of comparison.

    Attributes:
        kind: Its kind.
        name: Its name: an outcome with its side, an event, or an expression.
        a: The first game's answer.
        b: The second game's answer.
        cites_a: The clauses that the first game cites for it.
        cites_b: The clauses that the second game cites for it.
        pair: For an event: the action of each game.
    """

    kind: Kind
    name: str
    a: Partial
    b: Partial
    cites_a: Cites = ()
    cites_b: Cites = ()
    pair: ActionPair | None = field(default=None, compare=False)

    @property
    def same(self) -> bool:
        """True if both answers are the same term."""
        return self.a.value is self.b.value and self.a.defined is self.b.defined

    @property
    def plain(self) -> bool:
        """True if both answers are the value of the same fluent."""
        return self.same and self.a.value.op is Op.VAR and self.a.defined is TRUE

    @cached_property
    def differs(self) -> Term:
        """The term that the answers differ in a position."""
        return FALSE if self.same else disagree(self.a, self.b)

    @property
    def outline(self) -> Term:
        """A cheap term that is implied by `differs`."""
        return outline(self.a, self.b)


@dataclass(frozen=True)
class ComparisonPoints:
    """The points of a comparison.

    Attributes:
        all: The points.
        left_out: What is not compared, in words.
        proof: How it is known that nothing else differs.
        claims: What nothing satisfies, if that proof is right.
    """

    all: tuple[ComparisonPoint, ...]
    left_out: tuple[str, ...] = ()
    proof: ProofMethod = ProofMethod.IDENTICAL
    claims: Claims = ()

    def __add__(self, other: ComparisonPoints) -> ComparisonPoints:
        """The points of both."""
        return ComparisonPoints(
            (*self.all, *other.all), (*self.left_out, *other.left_out), self.proof, (*self.claims, *other.claims)
        )


# ---- what goals can speak of


def named_points(a: System, b: System, on: str | None) -> ComparisonPoints:
    """The outcomes, the winner and every observable that both games have, or only the requested point.

    Args:
        a: The first system.
        b: The second one.
        on: The name of an outcome or observable, or an expression; None: everything.

    Raises:
        InputError: It does not exist in both games.
    """
    outcomes = tuple(_outcomes(a, b))
    if on is None:
        return ComparisonPoints((*outcomes, *_winners(a, b))) + _observables(a, b)
    chosen = tuple(m for m in outcomes if m.name.partition("(")[0] == on or m.name == on)
    if chosen:
        return ComparisonPoints(chosen)
    if on in a.vocabulary and on in b.vocabulary and a.vocabulary[on].parameters:
        return _calls(a.vocabulary[on], b.vocabulary[on])
    return ComparisonPoints((_expression(a, b, on),))


def _outcomes(a: System, b: System) -> Iterable[ComparisonPoint]:
    of_a, of_b = _by_name(a), _by_name(b)
    for name in dict.fromkeys((*of_a, *of_b)):
        met, cites = zip(*(_met(system.get(name, ())) for system in (of_a, of_b)), strict=True)
        yield ComparisonPoint("outcome", name, *met, *cites)


def _by_name(system: System) -> dict[str, list[Outcome]]:
    """All ways in which a side can win an outcome, by both."""
    found: dict[str, list[Outcome]] = {}
    for o in system.outcomes:
        found.setdefault(f"{o.name}({o.side})", []).append(o)
    return found


def _met(ways: Sequence[Outcome]) -> tuple[Partial, Cites]:
    """The verdict on an outcome, as `status` has it, with the clauses; where there is none, nobody wins it."""
    so = any_of(or_(o.won, and_(o.timing, o.condition.holds, not_(o.lost))) for o in ways)
    defined = all_of(or_(o.won, o.condition.defined) for o in ways)
    return Partial(so, defined), tuple(dict.fromkeys(c for o in ways for c in o.cites))


def _winners(a: System, b: System) -> Iterable[ComparisonPoint]:
    if a.winner is not None and b.winner is not None:
        yield ComparisonPoint("winner", "winner", Partial(a.winner), Partial(b.winner))


def _observables(a: System, b: System) -> ComparisonPoints:
    found = ComparisonPoints(())
    for name, observable in a.vocabulary.items():
        if name != HOLDS and name in b.vocabulary:
            found += _calls(observable, b.vocabulary[name])
    return found


def _calls(a: Observable, b: Observable) -> ComparisonPoints:
    if len(a.parameters) != len(b.parameters):
        return ComparisonPoints((), (f"{a.name}, since its arguments differ",))
    domains = [_common(p, q) for p, q in zip(a.parameters, b.parameters, strict=True)]
    if math.prod(map(len, domains)) > MOST_CALLS:
        return ComparisonPoints((), (f"{a.name}, since there are too many",))
    found = []
    for arguments in product(*domains):
        x, y = a.partial(*arguments), b.partial(*arguments)
        if type(x.value.sort) is type(y.value.sort):
            name = f"{a.name}({', '.join(arguments)})" if arguments else a.name
            found.append(ComparisonPoint("observable", name, x, y, a.cites, b.cites))
    return ComparisonPoints(tuple(found))


def _common(a: Domain, b: Domain) -> tuple[str, ...]:
    return tuple(m for m in a.sort.members if m in b.sort.index)


def _expression(a: System, b: System, text: str) -> ComparisonPoint:
    """The point of an expression of the goal language that both games understand."""
    known = [f"{o.name}" for o in a.outcomes] + list(a.schemas)
    try:
        x, y = (compile_value(text, s.vocabulary, choice("on")) for s in (a, b))
    except InputError as error:
        near = did_you_mean(text, known)
        first, *rest = error.diagnostics
        if near and first.help is None:
            first = Diagnostic(first.code, first.message, first.file, first.line, first.column, near)
        raise InputError([first, *rest]) from error
    if x.partial.defined is FALSE and y.partial.defined is FALSE:
        raise without_meaning(text, choice("on"))
    if type(x.partial.value.sort) is not type(y.partial.value.sort):
        raise InputError(Diagnostic("wrong-value", "the two have values of different kinds for it", choice("on")))
    of_a, of_b = (tuple(c for f in v.functions for c in s.vocabulary[f].cites) for v, s in ((x, a), (y, b)))
    return ComparisonPoint("expression", text, x.partial, y.partial, of_a, of_b)


# ---- what can happen


@dataclass(frozen=True)
class SharedEvents:
    """The events that both games have.

    Attributes:
        pairs: The actions of each event that either game allows in some position.
        left_out: What is not compared, in words.
    """

    pairs: Mapping[Event, ActionPair]
    left_out: tuple[str, ...]

    def points(self, kind: str | None = None) -> ComparisonPoints:
        """The points whether each event (of a kind) is allowed."""
        found = (
            ComparisonPoint("event", str(e), Partial(j.a.guard), Partial(j.b.guard), j.a.cites, j.b.cites, j)
            for e, j in self.pairs.items()
            if kind in (None, e.name)
        )
        return ComparisonPoints(tuple(found), self.left_out)


def shared_events(a: System, b: System, numbers: int) -> SharedEvents:
    """The events that both games have.

    Args:
        a: The first system.
        b: The second one.
        numbers: How many values of each numeric argument are compared, from the smallest.
    """
    pairs: dict[Event, ActionPair] = {}
    only = sorted(set(a.schemas) ^ set(b.schemas))
    left_out = [f"events that only one rule set has: {', '.join(only)}"] if only else []
    for name, schema in a.schemas.items():
        other = b.schemas.get(name)
        if other is None:
            continue
        if [p.name for p in schema.parameters] != [p.name for p in other.parameters]:
            left_out.append(f"{name}, since its arguments differ")
            continue
        domains = [_values(p, q, numbers) for p, q in zip(schema.parameters, other.parameters, strict=True)]
        if math.prod(map(len, domains)) > MOST_CALLS:
            left_out.append(f"{name}, since there are too many")
        else:
            for event, pair in _action_pairs(schema, other, domains):
                check_deadline()
                pairs[event] = pair
    return SharedEvents(pairs, tuple(left_out))


def _values(p: Parameter, q: Parameter, numbers: int) -> Sequence[Value]:
    if isinstance(p.domain, range) and isinstance(q.domain, range):
        return [n for n in p.domain if n in q.domain][:numbers]
    if isinstance(p.domain, range) or isinstance(q.domain, range):
        return []
    return _common(p.domain, q.domain)


def _action_pairs(a: Schema, b: Schema, domains: Sequence[Sequence[Value]]) -> Iterable[tuple[Event, ActionPair]]:
    names = [p.name for p in a.parameters]
    for values in product(*domains):
        arguments = dict(zip(names, values, strict=True))
        pair = ActionPair(a.action(arguments.items()), b.action(arguments.items()))
        if pair.a.guard is not FALSE or pair.b.guard is not FALSE:
            yield Event(a.name, tuple(arguments.items())), pair
