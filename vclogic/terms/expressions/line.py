"""Lines of a text: each is read, named and typed once, and then worked out for any names of its variables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from vclogic.terms.atoms import FALSE
from vclogic.terms.build import and_
from vclogic.terms.domain import Domain
from vclogic.terms.expressions.names import BoundVariable, NameLookup
from vclogic.terms.expressions.resolve import Resolver
from vclogic.terms.expressions.syntax import Binder, Call, GoalSource, Node, Word
from vclogic.terms.partial import Partial
from vclogic.terms.term import Term
from vclogic.terms.typed.asked import Alternatives, alternatives
from vclogic.terms.typed.form import Env, Expression, Slot, plain
from vclogic.terms.typed.looped import Members
from vclogic.terms.vocabulary import CountedKind, Function

Kinds = Mapping[str, CountedKind]
"""The variables of a line by name, each with what it stands for a member of."""
Values = dict[str, dict[tuple[str, ...], Partial]]
"""The values of observables so far, by the names that each is asked of."""


@dataclass(frozen=True, slots=True)
class Typed:
    """An expression of a text for some names.

    Attributes:
        node: The expression.
        kind: Its kind in words.
        partial: Its value.
        values: The names that it can be.
    """

    node: Node
    kind: str
    partial: Partial
    values: Domain | None = None

    def __str__(self) -> str:
        return str(Expression(self.node, self.kind))


class _Line:
    """The common part of lines: their variables.

    Args:
        source: The text.
        vocabulary: The observables by name.
        values: Where values of observables are kept.
        kinds: The variables.
    """

    def __init__(self, source: GoalSource, vocabulary: Mapping[str, Function], values: Values, kinds: Kinds):
        self.names = NameLookup(source, vocabulary, values)
        self.variables: dict[str, Slot] = {name: self.names.new_slot(kind) for name, kind in kinds.items()}
        self.names.scope |= self.variables

    def env(self, bound: Mapping[str, BoundVariable]) -> Env:
        """The values of the variables; nothing is looked up of one that is not given."""
        env = self.names.nothing_bound()
        for name, slot in self.variables.items():
            if name in bound:
                env[slot.place] = bound[name].member
        return env


class Line(_Line):
    """An expression; arguments as above, the node, and whether it may be a name by itself.

    Raises:
        InputError: All that is wrong with it.
    """

    def __init__(
        self,
        source: GoalSource,
        vocabulary: Mapping[str, Function],
        values: Values,
        kinds: Kinds,
        node: Node,
        *,
        name: bool = False,
    ):
        super().__init__(source, vocabulary, values, kinds)
        self.root = Resolver(self.names).resolve(node, name=name)

    def typed(self, bound: Mapping[str, BoundVariable]) -> Typed:
        """Its value for some names."""
        return Typed(self.root.node, self.root.kind, plain(self.root.of(self.env(bound))), self.root.values)

    def means_nothing(self, bound: Mapping[str, BoundVariable]) -> bool:
        """True if it is false for want of a meaning, whatever the position."""
        env = self.env(bound)
        return self.root.holds(env) is FALSE and self.root.defined_when(self.env(bound)) is FALSE

    def holds(self, members: Mapping[str, str]) -> Term:
        """When it is defined and true, for the members that its variables stand for."""
        env = self.names.nothing_bound()
        for name, member in members.items():
            env[self.variables[name].place] = member
        return self.root.holds(env)

    def of(self, members: tuple[str, ...]) -> Partial:
        """Its value for the members that its variables stand for, in their order."""
        env = self.names.nothing_bound()
        env[: len(members)] = members
        return plain(self.root.of(env))


class MembersLine(_Line):
    """A line about the members of a kind that count; arguments and errors as of a line."""

    def __init__(
        self, source: GoalSource, vocabulary: Mapping[str, Function], values: Values, kinds: Kinds, binder: Binder
    ):
        super().__init__(source, vocabulary, values, kinds)
        found = Resolver(self.names).forms.members(binder)
        self.names.check()
        assert found is not None, "else a report was made"
        self.name: str = found[0]
        self.members: Members = found[1]
        self.kind: CountedKind = self.members.slot.kind

    def where(self, bound: Mapping[str, BoundVariable]) -> dict[str, Term]:
        """The members that may count, each with when it does."""
        return dict(self.members.each(self.env(bound)))

    def each(
        self, around: Iterable[tuple[Mapping[str, BoundVariable], Term]]
    ) -> Iterator[tuple[Mapping[str, BoundVariable], Term]]:
        """Each of what variables around stand for, with when that is so, beside each member that may count."""
        for bound, when in around:
            for member, where in self.where(bound).items():
                yield {**bound, self.name: BoundVariable(self.kind, member)}, and_(when, where)


class Argument(_Line):
    """The argument of a fact or a function: a name, a variable, or a call that is worth one; errors as of a line."""

    def __init__(
        self,
        source: GoalSource,
        vocabulary: Mapping[str, Function],
        values: Values,
        kinds: Kinds,
        node: Word | Call,
        domain: Domain,
    ):
        super().__init__(source, vocabulary, values, kinds)
        found = Resolver(self.names).calls.argument(domain, node)
        self.names.check()
        assert found is not None, "else a report was made"
        self._argument: Expression = found
        self._domain = domain
        self._known: dict[int, tuple[tuple[str, int], ...]] = {}

    def alternatives(self, bound: Mapping[str, BoundVariable]) -> Alternatives:
        """The names that it can be, each with when it is that one."""
        return alternatives(self._domain, self._argument, self.env(bound), self._known)
