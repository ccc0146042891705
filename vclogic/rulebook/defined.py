"""Definitions with exceptions, as functions of the goal language.

An exception names what it excepts. Two that apply with one value agree; with two values the value is undefined there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, product

from vclogic.errors import did_you_mean, quoted
from vclogic.model.citation import said_by
from vclogic.model.rules import LevelTable
from vclogic.rulebook.source import RulesSource
from vclogic.rulebook.statements import Definition, Statement
from vclogic.rulebook.tables import one_at_most, same
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.build import and_, any_of, ite, not_
from vclogic.terms.domain import Domain
from vclogic.terms.names import BOOL, Bound, Typed
from vclogic.terms.partial import Partial
from vclogic.terms.syntax import Node, summands
from vclogic.terms.term import Term
from vclogic.terms.vocabulary import CountedKind

_MOST_SUMS = 100  # names that a line is about, for each of which what it adds is looked at
Resolve = Callable[[RulesSource, Node, Mapping[str, Bound]], Typed]


@dataclass(frozen=True)
class ExceptionCase:
    """An exception.

    Attributes:
        content: What it says.
        source: The text.
        statement: The line.
        bound: For each parameter the member that it is about, or the variable that stands for any.
    """

    content: Definition
    source: RulesSource
    statement: Statement
    bound: tuple[tuple[str, CountedKind] | str, ...]


class Defined:
    """A definition.

    Args:
        content: What it says.
        source: The text.
        statement: The line.
        variables: The variable and kind of each parameter.
        resolve: Resolves an expression of the text.

    Attributes:
        cases: What it means of the members that lines of their own are about; empty: one line is about all.
        exceptions: The exceptions.
    """

    def __init__(
        self,
        content: Definition,
        source: RulesSource,
        statement: Statement,
        variables: tuple[tuple[str, CountedKind], ...],
        resolve: Resolve,
    ):
        self.content, self.source, self.statement, self.variables = content, source, statement, variables
        self.cases: list[ExceptionCase] = []
        self.exceptions: list[ExceptionCase] = []
        self._resolve = resolve
        self._under_way = False
        self._values: dict[tuple[str, ...], Typed] = {}

    @property
    def parameters(self) -> tuple[Domain, ...]:
        """The kinds of its arguments."""
        return tuple(kind.domain for _, kind in self.variables)

    @cached_property
    def values(self) -> Domain | None:
        """For names: those that it can be.

        Raises:
            InputError: What is wrong with the definition or an exception of it.
        """
        some = tuple(kind.members[0] for _, kind in self.variables)
        first = self._typed(self._some(self.cases[0]) if self.cases else some)
        for case in self.exceptions:
            self._value(case, self._some(case), first)
        return first.values

    def add_case(self, content: Definition, source: RulesSource, statement: Statement) -> None:
        """Add a line about some members.

        Raises:
            InputError: It is asked of something else than the definition, or of what another line is about.
        """
        case = self._case(content, source, statement)
        twice = next((c for c in self.cases if _overlap(c, case)), None)
        if twice is not None:
            message = f"{content.name.text} is defined twice: also in line {twice.source.line(twice.statement.at)}"
            raise source.goal.error(
                content.name.at, message, "write `except` before the one that comes first", "taken-name"
            )
        self.cases.append(case)

    def add_exception(self, content: Definition, source: RulesSource, statement: Statement) -> None:
        """Add an exception.

        Raises:
            InputError: It is asked of something else than the definition.
        """
        self.exceptions.append(self._case(content, source, statement))

    def _case(self, content: Definition, source: RulesSource, statement: Statement) -> ExceptionCase:
        if len(content.parameters) != len(self.variables):
            kinds = ", ".join(kind.name for _, kind in self.variables)
            help = f"write except {content.name.text}({kinds}) means ..." if kinds else "write no parentheses"
            message = f"{content.name.text} is not asked of {len(content.parameters)} names"
            raise source.goal.error(content.name.at, message, help, "arguments")
        bound: list[tuple[str, CountedKind] | str] = []
        for word, (_, kind) in zip(content.parameters, self.variables, strict=True):
            name, _, rest = word.text.partition(" ")
            member = kind.domain.find(word.text)
            if kind.name in (word.text, rest):
                bound.append((word.text if word.text == kind.name else name, kind))
            elif member is not None:
                bound.append(member)
            else:
                help = did_you_mean(word.text, kind.members) or f"write a {kind.name}, or {kind.name} for any"
                raise source.goal.error(word.at, f"there is no {kind.name} {quoted(word.text)}", help, "unknown-name")
        return ExceptionCase(content, source, statement, tuple(bound))

    def partial(self, *arguments: str) -> Partial:
        """The value for some names.

        Raises:
            InputError: It leads back to itself.
        """
        base = self._base(arguments)
        applied = self._applied(arguments)
        if not applied:
            return base
        value, defined = base.value, base.defined
        for _, when, other in reversed(applied):
            value, defined = ite(when, other.value, value), ite(when, other.defined, defined)
        return Partial(value, and_(defined, not_(any_of(_clashes(applied)))))

    def _base(self, arguments: tuple[str, ...]) -> Partial:
        """The value without exceptions; undefined where no line is about the names."""
        if not self.cases:
            return self._typed(arguments).partial
        about = next((c for c in self.cases if _about(c, arguments)), None)
        if about is not None:
            return self._value(about, arguments, None).partial
        some = self._value(self.cases[0], self._some(self.cases[0]), None).partial
        return Partial(some.value, FALSE)

    def _applied(self, arguments: tuple[str, ...]) -> list[tuple[ExceptionCase, Term, Partial]]:
        """The exceptions that can apply to some names, each with when it does and what it says."""
        cases = [(c, self._condition(c, arguments)) for c in self.exceptions if _about(c, arguments)]
        return [(c, when, self._value(c, arguments, None).partial) for c, when in cases if when is not FALSE]

    def exclusive(self) -> Iterator[LevelTable]:
        """For each of the names the exceptions as a table: of those with different values one applies at most."""
        if len(self.exceptions) < 2:
            return
        for arguments in product(*(kind.members for _, kind in self.variables)):
            applied = self._applied(arguments)
            if applied:
                about = f"{self.content.name.text}({', '.join(arguments)})" if arguments else self.content.name.text
                lines = [(case.statement.text, when, value) for case, when, value in applied]
                cites = tuple(c for case, _, _ in applied for c in case.source.cites(case.statement))
                made = applied[0][0].source.made(applied[0][0].statement.at)
                yield from one_at_most(f"the exceptions of {about}", lines, cites, made)

    def sums(self) -> Iterator[tuple[RulesSource, Statement, list[tuple[Node, Term]]]]:
        """For each line that adds, and each of the names that it is about, what it adds."""
        some = ExceptionCase(self.content, self.source, self.statement, tuple(self.variables))
        for case in (*(self.cases or (some,)), *self.exceptions):
            added = summands(case.content.value)
            if len(added) > 1:
                members = [(b,) if isinstance(b, str) else b[1].members for b in case.bound]
                for arguments in islice(product(*members), _MOST_SUMS):
                    bound = _bound(case, arguments)
                    resolved = [(n, self._resolve(case.source, n, bound).partial.value) for n in added]
                    yield case.source, case.statement, resolved

    # ---- one line

    def _typed(self, arguments: tuple[str, ...]) -> Typed:
        if self.cases:
            return self._value(next(c for c in self.cases if _about(c, arguments)), arguments, None)
        if arguments not in self._values:
            bound = {n: Bound(k, m) for (n, k), m in zip(self.variables, arguments, strict=True)}
            self._values[arguments] = self._worked_out(self.source, self.statement, self.content.value, bound)
        return self._values[arguments]

    def _worked_out(self, source: RulesSource, statement: Statement, node: Node, bound: Mapping[str, Bound]) -> Typed:
        if self._under_way:
            message = f"the meaning of {self.content.name.text} leads back to itself"
            raise self.source.goal.error(self.content.name.at, message, "say it without itself", "circle")
        self._under_way = True
        try:
            found = self._resolve(source, node, bound)
            return replace(found, partial=said_by(source.cited(statement), lambda: found.partial), cases=None)
        finally:
            self._under_way = False

    def _condition(self, case: ExceptionCase, arguments: tuple[str, ...]) -> Term:
        if case.content.condition is None:
            return TRUE
        found = self._worked_out(case.source, case.statement, case.content.condition, _bound(case, arguments))
        if found.kind != BOOL:
            message = f"{found}, and a condition is true or false"
            raise case.source.goal.error(found.node.at, message, None, "wrong-value")
        return found.partial.holds

    def _value(self, case: ExceptionCase, arguments: tuple[str, ...], like: Typed | None) -> Typed:
        found = self._worked_out(case.source, case.statement, case.content.value, _bound(case, arguments))
        if like is not None and found.kind != like.kind:
            message = f"{found}, and {case.content.name.text} is {like.kind}"
            raise case.source.goal.error(found.node.at, message, None, "wrong-value")
        return found

    def _some(self, case: ExceptionCase) -> tuple[str, ...]:
        return tuple(b if isinstance(b, str) else b[1].members[0] for b in case.bound)


def _about(case: ExceptionCase, arguments: tuple[str, ...]) -> bool:
    return all(not isinstance(b, str) or b == a for b, a in zip(case.bound, arguments, strict=True))


def _overlap(a: ExceptionCase, b: ExceptionCase) -> bool:
    """True if two lines are about the same names."""
    pairs = zip(a.bound, b.bound, strict=True)
    return all(x == y or not (isinstance(x, str) and isinstance(y, str)) for x, y in pairs)


def _bound(case: ExceptionCase, arguments: tuple[str, ...]) -> dict[str, Bound]:
    pairs = zip(case.bound, arguments, strict=True)
    return {b[0]: Bound(b[1], a) for b, a in pairs if not isinstance(b, str)}


def _clashes(applied: list[tuple[ExceptionCase, Term, Partial]]) -> Iterator[Term]:
    """When two exceptions give different values."""
    for i, (_, when, value) in enumerate(applied):
        for _, other, different in applied[:i]:
            yield and_(when, other, not_(same(value, different)))
