"""Calls of the typed form: observables, definitions, and what the board says of members."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Protocol

from vclogic.terms.atoms import FALSE, TRUE, integer
from vclogic.terms.build import all_of, and_, any_of, in_mask, ite, total
from vclogic.terms.domain import Domain
from vclogic.terms.expressions.syntax import Node
from vclogic.terms.partial import Partial
from vclogic.terms.sorts import BoolSort, EnumSort, IntSort, members_of
from vclogic.terms.term import Op, Term
from vclogic.terms.typed.form import Cased, Constant, Env, Expression, Groups, Slot, Variable, cases_of
from vclogic.terms.vocabulary import ADJACENT, DISTANCE, RANGE, Between, FixedFunction, Function, Relation

Alternatives = Sequence[tuple[str, Term]]
"""The names that an argument can be, each with when it is that one."""


class Spelled(Protocol):
    """The lines of a text about names, as a function that can be looked into."""

    @property
    def fixed(self) -> bool:
        """True if the board, Readings and options alone decide it."""

    def like(self) -> Expression:
        """An expression of its kind.

        Raises:
            InputError: What is wrong with its lines.
        """

    def partial(self, *arguments: str) -> Partial:
        """Its value for some names."""

    def where(self, place: int, arguments: Sequence[str]) -> int:
        """Of one that the board decides: the names for which it holds in one place, beside those in the others."""

    def body(self) -> tuple[Expression, Sequence[Slot]] | None:
        """All that it says, with a variable for each argument; None: it has exceptions, or cases."""


def spelled(function: Function) -> Spelled | None:
    """The lines that a function is made of; None: it is no definition."""
    found: Spelled | None = getattr(function, "meaning", None)
    return found


@dataclass(frozen=True)
class ChangingName(Sequence[tuple[str, Term]]):
    """The names that a value can be: each with the number of the member that it is."""

    partial: Partial
    names: tuple[tuple[str, int], ...]

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, i: Any) -> Any:
        name, n = self.names[i]
        return name, and_(self.partial.defined, in_mask(self.partial.value, 1 << n))


class Asked(Expression):
    """A function asked of names.

    What is asked of something that changes, such as `terrain(at(unit))`, has a value in cases: one for each name that
    the argument can be. Where it is no name that fits, such as a unit that is on no hex, the value is undefined.

    Args:
        node: The call.
        function: What is asked.
        parts: The arguments.
        like: An expression of its kind.
        known: Its values so far, by names; None: it is cheap to ask.
    """

    def __init__(
        self,
        node: Node,
        function: Function,
        parts: Sequence[Expression],
        like: tuple[str, Domain | None, bool],
        known: dict[tuple[str, ...], Partial] | None,
    ):
        kind, values, self.decided = like
        self.function, self.meaning, self.known = function, spelled(function), known
        super().__init__(node, kind, parts, values)

    def _take(self, parts: tuple[Expression, ...]) -> None:
        super()._take(parts)
        domains = self.function.parameters
        self.direct = all(isinstance(p, Constant | Variable) for p in parts)
        self._places: list[tuple[int, str]] = []
        self._translated: list[tuple[int, Domain]] = []
        for n, (part, domain) in enumerate(zip(parts, domains, strict=True)):
            if isinstance(part, Variable):
                self._places.append((part.slot.place, ""))
                if not part.slot.is_of(domain):
                    self._translated.append((n, domain))
            elif isinstance(part, Constant):
                name = str(part.partial.value.value)
                self._places.append((-1, domain.find(name) or name))
                if domain.find(name) is None:
                    self._translated.append((n, domain))
        # What the board alone decides is the same whoever asks.
        self._cases: dict[object, dict[Partial, int]] = (
            self.function.known if isinstance(self.function, FixedFunction) else {}
        )
        self._here: dict[tuple[str, ...], Partial] = {}
        self._named: dict[int, dict[int, tuple[tuple[str, int], ...]]] = {n: {} for n in range(len(parts))}
        self._masks: dict[tuple[int, tuple[str, ...]], int] = {}

    # ---- its value

    def of(self, env: Env) -> Partial:
        """Its value."""
        if not self.direct:
            return self._in_cases(env)
        names = tuple([env[place] if place >= 0 else name for place, name in self._places])
        found = self._here.get(names)
        if found is None:
            found = self._here[names] = self._of_names(names)
        return found

    def _of_names(self, names: tuple[str, ...]) -> Partial:
        canonical: list[str | None] = [*names]
        for n, domain in self._translated:
            canonical[n] = domain.find(names[n])
        fitting = tuple(name for name in canonical if name is not None)
        return self.value(fitting) if len(fitting) == len(names) else self._nothing()

    def value(self, names: tuple[str, ...]) -> Partial:
        """Its value for canonical names."""
        if self.meaning is not None and self.known is None:
            return self.meaning.partial(*names)
        if self.known is None:
            return self.function.partial(*names)
        found = self.known.get(names)
        if found is None:
            found = self.known[names] = self.function.partial(*names)
        return found

    def _nothing(self) -> Partial:
        """No value: it fits nowhere; what it would be like is that of any other."""
        some = self.value(tuple(d.sort.members[0] for d in self.function.parameters))
        return Partial(some.value, FALSE)

    def _in_cases(self, env: Env) -> Partial:
        pairs = zip(self.function.parameters, self.parts, strict=True)
        each = [alternatives(domain, part, env, self._named[n]) for n, (domain, part) in enumerate(pairs)]
        merged = self._by_member(each) or self._by_names(each)
        if not merged:
            return self._nothing()
        found = merged.get(TRUE)
        if found is not None:
            return found
        whole = _merged(merged)
        return Cased(whole.value, whole.defined, merged)

    def _by_names(self, each: Sequence[Alternatives]) -> dict[Term, Partial]:
        """Its values for all names that its arguments can be, each with when it is that."""
        cases: dict[Partial, list[Term]] = {}
        for chosen in product(*each):
            when = all_of(condition for _, condition in chosen)
            if when is not FALSE:
                partial = self.value(tuple(name for name, _ in chosen))
                cases.setdefault(partial, []).append(when)
        return {any_of(when): partial for partial, when in cases.items()}

    def _by_member(self, each: Sequence[Alternatives]) -> dict[Term, Partial]:
        """The same where one argument alone changes, as one name of many: its names are put together by the value."""
        open_ = [i for i, a in enumerate(each) if isinstance(a, ChangingName)]
        if len(open_) != 1 or any(len(a) != 1 for a in each if not isinstance(a, ChangingName)):
            return {}
        (place,) = open_
        one, others = each[place], [a[0] for i, a in enumerate(each) if i != place]
        assert isinstance(one, ChangingName), "it was looked for"
        names = [name for name, _ in others]
        key = place, tuple(names), one.partial.value.sort, one.partial.value.mask
        masks = self._cases.get(key)
        if masks is None:
            masks = self._cases[key] = {}
            for name, n in one.names:
                partial = self.value((*names[:place], name, *names[place:]))
                masks[partial] = masks.get(partial, 0) | 1 << n
        given = all_of((one.partial.defined, *(condition for _, condition in others)))
        found = ((in_mask(one.partial.value, mask), p) for p, mask in masks.items())
        if given is not TRUE:
            found = ((and_(given, when), p) for when, p in found)
        return {when: p for when, p in found if when is not FALSE}

    # ---- for all that a variable can stand for

    def _place_of(self, over: Slot) -> int | None:
        """The only argument that is a variable; None: it stands in several, or inside of one."""
        places = [n for n, p in enumerate(self.parts) if over.place in p.slots]
        return places[0] if len(places) == 1 and self.direct else None

    def indexed(self, over: Slot) -> bool:
        """True if its mask is found without a look at each member."""
        if over.place not in self.slots:
            return True
        kinds = isinstance(self.function, Between | Relation)
        tabled = kinds or self.meaning is not None or len(self.parts) == 1
        return self.fixed and tabled and self._place_of(over) is not None

    def tabled(self, over: Slot) -> bool:
        """True if its groups are found without a look at each member."""
        return super().tabled(over) or (isinstance(self.function, Between) and self._place_of(over) is not None)

    def mask(self, over: Slot, env: Env) -> int:
        """The members for which it holds."""
        place = self._place_of(over)
        if place is None or not self.indexed(over):
            return super().mask(over, env)
        others = [env[p] if p >= 0 else name for n, (p, name) in enumerate(self._places) if n != place]
        key = place, tuple(others)
        found = self._masks.get(key)
        if found is None:
            for n, domain in self._translated:
                if n != place:
                    others[n - (n > place)] = domain.find(others[n - (n > place)]) or ""
            found = 0 if "" in others else over.mask_of(self.function.parameters[place], self._where(place, others))
            self._masks[key] = found
        return found

    def _where(self, place: int, others: Sequence[str]) -> int:
        """The names of a parameter for which it holds, as a mask."""
        domain = self.function.parameters[place]
        if self.meaning is not None:
            return self.meaning.where(place, others)
        if isinstance(self.function, Between) and self.function.name == ADJACENT:
            index = domain.sort.index
            return sum(1 << index[m] for m in self.function.kind.around(others[0]) if m in index)
        found = 0
        for n, member in enumerate(domain.sort.members):
            if self.value((*others[:place], member, *others[place:])).holds is TRUE:
                found |= 1 << n
        return found

    def _grouped(self, over: Slot, env: Env) -> Groups:
        place = self._place_of(over)
        function = self.function
        if not isinstance(function, Between) or function.name not in (DISTANCE, RANGE) or place is None:
            return super()._grouped(over, env)
        domain = function.domain
        (other,) = [env[p] if p >= 0 else name for n, (p, name) in enumerate(self._places) if n != place]
        found: dict[Term | None, int] = {}
        start = domain.find(other)
        far = {} if start is None else function.far_from(start)
        for n, member in enumerate(over.members):
            distance = far.get(domain.find(member) or "")
            value = None if distance is None else integer(distance)
            found[value] = found.get(value, 0) | 1 << n
        return found


def alternatives(
    domain: Domain, part: Expression, env: Env, known: dict[int, tuple[tuple[str, int], ...]]
) -> Alternatives:
    """The names of a domain that an argument can be; none where it fits nowhere.

    Args:
        domain: The names.
        part: The argument.
        env: What variables stand for.
        known: The names of the domain, with their numbers as the argument counts them, by what the argument can be.
    """
    if isinstance(part, Variable):
        named = domain.find(env[part.slot.place])
        return [] if named is None else [(named, TRUE)]
    found = part.of(env)
    sort = found.value.sort
    assert isinstance(sort, EnumSort), "its kind was looked at"
    if found.value.op is Op.CONST and found.defined is TRUE:
        name = domain.find(sort.members[int(found.value.payload)])
        return [] if name is None else [(name, TRUE)]
    if not isinstance(found, Cased):
        mask = found.value.mask
        if mask not in known:
            each_name = ((domain.find(sort.members[n]), n) for n in members_of(mask))
            known[mask] = tuple((name, n) for name, n in each_name if name is not None)
        return ChangingName(found, known[mask])
    each: dict[str, list[Term]] = {}
    for when, case in cases_of(found):
        for n in members_of(case.value.mask):
            name = domain.find(sort.members[n])
            if name is not None:
                each.setdefault(name, []).append(and_(when, case.defined, in_mask(case.value, 1 << n)))
    return [(name, any_of(when)) for name, when in each.items()]


def _merged(cases: Mapping[Term, Partial]) -> Partial:
    """One value for cases that exclude each other."""
    defined = any_of(when if p.defined is TRUE else and_(when, p.defined) for when, p in cases.items())
    pairs = [(when, p.value) for when, p in cases.items()]
    sort = pairs[0][1].sort
    if isinstance(sort, BoolSort):
        return Partial(any_of(and_(when, value) for when, value in pairs), defined)
    if isinstance(sort, IntSort) and all(value.is_const for _, value in pairs):
        return Partial(total((value.lo, when) for when, value in pairs) if pairs else integer(0), defined)
    found = pairs[-1][1]
    for when, value in reversed(pairs[:-1]):
        found = ite(when, value, found)
    return Partial(found, defined)
