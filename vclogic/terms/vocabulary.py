"""The names of a rule set: its observables, and the kinds of things that variables of the goal language stand for."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol, TypeVar

from vclogic.errors import InputError, did_you_mean, quoted
from vclogic.provenance import Places
from vclogic.terms import atoms
from vclogic.terms.domain import Domain
from vclogic.terms.expressions.event_words import ONLY_REACH, RefusedWords
from vclogic.terms.partial import Partial
from vclogic.terms.reach import Graph
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Term
from vclogic.words import amount

Fixed = str | int | bool
"""A value that the board alone decides."""
_PLAIN = re.compile(r"(?!\d)\w+(?: \w+)?")


class Function(Protocol):
    """The part of an observable that the goal language uses."""

    @property
    def parameters(self) -> tuple[Domain, ...]:
        """The kinds of its arguments."""

    @property
    def values(self) -> Domain | None:
        """For an Enum value: the names it can be compared with."""

    def partial(self, *arguments: str) -> Partial:
        """Its value for canonical arguments."""


@dataclass(frozen=True)
class CountedKind:
    """Things that a variable stands for, such as the hexes of a map.

    Attributes:
        name: As users write it.
        domain: The members, and the groups that they form.
        groups: More groups of members.
        properties: For each property of members, such as the terrain of hexes, its value for each that has one.
        neighbours: The members that each member touches; None: they lie nowhere.
        numbers: Whether its members are whole numbers.
        named: For properties whose values are members of a kind: that kind's names.
        made: Where the text names each member, if one does.
        edges: Pairs of members that lie beside each other, by what lies between them, such as a river; both ways.
        none: Whether it has no members at all, as on a board without exits; its names are one that nothing has.
        straight: How far two members lie apart as the crow flies; None: they have no places of their own.
        truths: The properties that are true or false, also where no member has one.
        several_of: For each property with several values, such as the hexes of a place, those of each member.
    """

    name: str
    domain: Domain
    groups: Mapping[str, Collection[str]] = field(default_factory=dict)
    properties: Mapping[str, Mapping[str, Fixed]] = field(default_factory=dict)
    neighbours: Mapping[str, Iterable[str]] | None = None
    numbers: bool = False
    named: Mapping[str, Domain] = field(default_factory=dict)
    made: Mapping[str, Places] = field(default_factory=dict)
    several_of: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    truths: frozenset[str] = frozenset()
    edges: Mapping[str, Collection[tuple[str, str]]] = field(default_factory=dict)
    straight: Callable[[str, str], int | None] | None = field(default=None, compare=False)
    none: bool = False
    outside: Mapping[str, Collection[object]] = field(default_factory=dict, compare=False)

    @property
    def members(self) -> tuple[str, ...]:
        """The members, in their order."""
        return () if self.none else self.domain.sort.members

    def shares(self, names: Domain) -> bool:
        """True if some members go by a name among others."""
        return any(names.find(m) is not None for m in self.members)

    @property
    def every_group(self) -> Mapping[str, Collection[str]]:
        """All groups by name, those that a board names first."""
        return {**self.groups, **self.domain.groups}

    def group(self, name: str) -> frozenset[str]:
        """The members of a group, or of what else the name stands for.

        Raises:
            InputError: There is none of that name; with near names, without a place.
        """
        if name in self.groups:
            return frozenset(self.groups[name])
        return frozenset(self.domain.several(name))

    def several(self, name: str) -> frozenset[str] | None:
        """As `group`; None where there is none of that name."""
        try:
            return self.group(name)
        except InputError:
            return None

    def grouped_by(self, kind: str, name: str) -> frozenset[str]:
        """The members in the group that a member of another kind is, such as a place's hexes; none if it is none.

        Args:
            kind: The other kind.
            name: Its member.
        """
        if kind == self.name:
            return frozenset({name} & {*self.members})
        for called in (f"{kind} {name}", name):
            if called in self.every_group:
                return frozenset(self.every_group[called])
        if kind in self.properties:
            return frozenset(m for m, of in self.properties[kind].items() if of == name)
        return frozenset(m for m in (self.domain.find(name),) if m is not None)

    @cached_property
    def graph(self) -> Graph[str]:
        """The members and what they touch."""
        around = self.neighbours or {}
        known = self.domain.sort.index
        pairs = dict.fromkeys((a, b) for a in around if a in known for b in around[a] if b in known)
        # In the order of the game's own graphs, so that the same lines are the same terms.
        return Graph(self.members, tuple(e for e in Graph.undirected(self.members, pairs).edges if e in pairs))

    def around(self, member: str) -> list[str]:
        """The members that lie beside one."""
        graph = self.graph
        return [graph.nodes[i] for i in graph.successors[graph.index[member]]]

    @cached_property
    def functions(self) -> Mapping[str, Function]:
        """The properties of members and what lies between two of them, as functions of their names."""
        found: dict[str, Function] = {
            n: Property(n, self.domain, values, self.named.get(n), truth=n in self.truths)
            for n, values in self.properties.items()
        }
        if self.neighbours is not None:
            between = (ADJACENT, DISTANCE, *([RANGE] if self.straight is not None else []), *self.edges)
            between += (BEYOND,) if self.outside else ()
            found |= {n: Between(n, self.domain, self) for n in between}
        return found

    @cached_property
    def relations(self) -> Mapping[str, Relation]:
        """The properties with several values, each as what is true of a member and a value."""
        return {n: Relation(n, self.domain, self.named[n], of) for n, of in self.several_of.items()}

    @cached_property
    def distances(self) -> dict[str, Mapping[str, int]]:
        """The steps from a member to each that can be reached from it; for the members that were asked for."""
        return {}

    def distances_from(self, start: str) -> Mapping[str, int]:
        """The steps to each member that can be reached from one, itself included."""
        found = self.distances.get(start)
        if found is None:
            graph, steps = self.graph, {self.graph.index[start]: 0}
            queue = [*steps]
            for here in queue:
                for near in graph.successors[here]:
                    if near not in steps:
                        steps[near] = steps[here] + 1
                        queue.append(near)
            found = self.distances[start] = {graph.nodes[i]: n for i, n in steps.items()}
        return found


def of_numbers(numbers: range) -> CountedKind:
    """The numbers of a range, for a variable that is one of them."""
    return CountedKind("number", Domain(EnumSort("number", tuple(map(str, numbers)))), numbers=True)


def of_sides(domain: Domain) -> CountedKind:
    """The sides; where there are two, each is the other's `enemy`.

    Args:
        domain: The sides.
    """
    sides = domain.sort.members
    enemies = dict(zip(sides, sides[::-1], strict=True)) if len(sides) == 2 else {}
    return CountedKind("side", domain, properties={"enemy": enemies} if enemies else {})


@dataclass(frozen=True, kw_only=True)
class FixedFunction:
    """A function of names that the board alone decides.

    Attributes:
        known: Its values where one argument changes, by what the others are: each with the members that have it.
    """

    known: dict[object, dict[Partial, int]] = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True)
class Property(FixedFunction):
    """A property as a function of a name; undefined for members that do not have it."""

    name: str
    domain: Domain
    of: Mapping[str, Fixed]
    kind: Domain | None = None
    truth: bool = False

    @property
    def parameters(self) -> tuple[Domain, ...]:
        """The kind of thing that has it."""
        return (self.domain,)

    @cached_property
    def values(self) -> Domain | None:
        """Its values, where they are names."""
        if self.kind is not None:
            return self.kind
        names = dict.fromkeys(v for v in self.of.values() if isinstance(v, str))
        return Domain(EnumSort(self.name, tuple(names))) if names else None

    def partial(self, *arguments: str) -> Partial:
        """Its value for a member."""
        value = self.of.get(arguments[0])
        if value is None:
            return Partial(self._some, atoms.FALSE)
        return Partial(self._constant(value))

    @cached_property
    def _some(self) -> Term:
        some = next(iter(self.of.values()), None)
        if some is None:  # a property that no member has is a number, unless its names are known
            some = (False if self.truth else 0) if self.values is None else self.values.sort.members[0]
        return self._constant(some)

    def _constant(self, value: Fixed) -> Term:
        if isinstance(value, str) and self.values is not None and isinstance(self.values.sort, EnumSort):
            return atoms.member(self.values.sort, value)
        return atoms.boolean(value) if isinstance(value, bool) else atoms.integer(int(value))


@dataclass(frozen=True)
class Relation(FixedFunction):
    """The test that a name is among the values of a property that has several."""

    name: str
    domain: Domain
    among: Domain
    of: Mapping[str, tuple[str, ...]] = field(compare=False)

    @property
    def parameters(self) -> tuple[Domain, ...]:
        """The kind of thing that has it, and the values."""
        return self.domain, self.among

    @property
    def values(self) -> Domain | None:
        """None: it is true or false."""
        return None

    def partial(self, *arguments: str) -> Partial:
        """Its value for a member and a name."""
        return Partial(atoms.boolean(arguments[1] in self.of.get(arguments[0], ())))


ADJACENT, DISTANCE, RANGE, BEYOND = "adjacent", "distance", "range", "beyond"


@dataclass(frozen=True)
class Between(FixedFunction):
    """`adjacent`, `distance`, `range`, `beyond`, or what lies between two members of a kind, such as a river.

    There is no distance where no way leads from one to the other. A place beyond the map lies beyond those that it
    touches: so `beyond(a, a)` says that one is at its edge.
    """

    name: str
    domain: Domain
    kind: CountedKind = field(compare=False)

    @property
    def parameters(self) -> tuple[Domain, ...]:
        """Two of the kind."""
        return self.domain, self.domain

    @property
    def values(self) -> Domain | None:
        """None: it is true or false, or a number."""
        return None

    def partial(self, *arguments: str) -> Partial:
        """Its value for two members."""
        if self.name in self.kind.edges:
            return Partial(atoms.boolean(arguments in self.kind.edges[self.name]))
        if self.name == RANGE:
            far = None if self.kind.straight is None else self.kind.straight(*arguments)
            return Partial(atoms.integer(far or 0), atoms.boolean(far is not None))
        if self.name == BEYOND:
            a, b = (self.kind.outside.get(name, ()) for name in arguments)
            return Partial(atoms.boolean(not {*a}.isdisjoint(b)))
        steps = self.kind.distances_from(arguments[0]).get(arguments[1])
        if self.name == ADJACENT:
            return Partial(atoms.boolean(steps == 1))
        return Partial(atoms.integer(steps or 0), atoms.boolean(steps is not None))

    def far_from(self, member: str) -> Mapping[str, int]:
        """How far each member lies from one, by `distance` or `range`; those without such a number are left out."""
        if self.name != RANGE:
            return self.kind.distances_from(member)
        straight = self.kind.straight
        lengths = {} if straight is None else {m: straight(member, m) for m in self.domain.sort.members}
        return {m: far for m, far in lengths.items() if far is not None}


F = TypeVar("F", bound=Function)


class NotThere(LookupError):
    """Code asks for what a rule set does not have."""


def asked_of(known: Mapping[str, F], name: str, given: Sequence[object]) -> F:
    """The function of a name, if it can be asked of some names.

    Args:
        known: All functions, by name.
        name: Its name.
        given: What it is asked of.

    Raises:
        NotThere: There is none, or it is asked of others.
    """
    found = known.get(name)
    if found is None:
        near = did_you_mean(name, known)
        raise NotThere(f"there is no fact or definition {quoted(name)}{f'; {near}' if near else ''}")
    if len(given) != len(found.parameters):
        wanted, number = (amount(n, "name") if n else "nothing" for n in (len(found.parameters), len(given)))
        raise NotThere(f"{name} is asked of {wanted}, not of {number}")
    for member, domain in zip(given, found.parameters, strict=True):
        if member not in domain.sort.index:
            raise NotThere(f"{name} is not asked of {quoted(str(member))}: that is no {domain.sort.name}")
    return found


class Vocabulary(dict[str, F]):
    """The observables of a rule set by name.

    Args:
        kinds: The kinds that are more than what an observable is asked of; looked at when the first is asked for.

    Attributes:
        elsewhere: Names that are no observables here but mean something, such as events, each with what to do.
        steps: What `before` means in the lines of a text, and why other words of the last event may not stand there.
    """

    def __init__(self, known: Mapping[str, F], elsewhere: Mapping[str, str], kinds: Iterable[CountedKind] = ()):
        super().__init__(known)
        self.elsewhere = elsewhere
        self.steps: RefusedWords = ONLY_REACH
        self._more = kinds

    @cached_property
    def kinds(self) -> Mapping[str, CountedKind]:
        """The kinds of things by name."""
        return {k.name: k for k in (*plain_kinds(self.values()), *self._more)}


def plain_kinds(functions: Iterable[Function]) -> Iterator[CountedKind]:
    """The kinds that observables are asked of, where its name is plain: a word or two."""
    for name, domain in {d.sort.name: d for f in functions for d in f.parameters}.items():
        if _PLAIN.fullmatch(name):
            yield CountedKind(name, domain)


def kinds_of(vocabulary: Mapping[str, Function]) -> Mapping[str, CountedKind]:
    """The kinds of things that a vocabulary speaks of, by name."""
    if isinstance(vocabulary, Vocabulary):
        return vocabulary.kinds
    return {k.name: k for k in plain_kinds(vocabulary.values())}


def help_with(vocabulary: Mapping[str, object], name: str) -> str | None:
    """Advice about a name that is no observable; None where there is none.

    Args:
        vocabulary: The observables.
    """
    return vocabulary.elsewhere.get(name) if isinstance(vocabulary, Vocabulary) else None
