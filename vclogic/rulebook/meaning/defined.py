"""Definitions with exceptions, as functions of the goal language.

An exception names what it excepts. Two that apply with one value agree; with two values the value is undefined there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import combinations, islice, product

from vclogic.errors import InputError, did_you_mean, quoted
from vclogic.model.citation import is_watched, said_by
from vclogic.model.rules import LevelTable, Rule
from vclogic.rulebook.meaning.names import TextNames
from vclogic.rulebook.meaning.tables import one_at_most, same
from vclogic.rulebook.source import RulesSource
from vclogic.rulebook.statements import Definition, Statement
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.build import and_, any_of, ite, not_
from vclogic.terms.domain import Domain
from vclogic.terms.expressions.line import Line, Typed
from vclogic.terms.expressions.named import OneOf, as_one_of, together
from vclogic.terms.expressions.names import BoundVariable, of_kind
from vclogic.terms.expressions.syntax import Node, Tabled, summands
from vclogic.terms.partial import Partial
from vclogic.terms.term import Term
from vclogic.terms.typed.form import BOOL, Expression, Slot
from vclogic.terms.vocabulary import CountedKind

_MOST_SUMS = 100  # names that a line is about, for each of which what it adds is looked at
Outside = Callable[[tuple[str, ...]], Typed]
"""What a function in Python says of some names."""


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
        names: Types the lines.
        outside: The function in Python that says it, if one does.

    Attributes:
        cases: What it means of the members that lines of their own are about; empty: one line is about all.
        exceptions: The exceptions.
        seen_through: Whether only values are asked for: where somebody looks at what each line says, none is put
            together with others.
    """

    def __init__(
        self,
        content: Definition,
        source: RulesSource,
        statement: Statement,
        variables: tuple[tuple[str, CountedKind], ...],
        names: TextNames,
        outside: Outside | None = None,
    ):
        self.content, self.source, self.statement, self.variables = content, source, statement, variables
        self.cases: list[ExceptionCase] = []
        self.exceptions: list[ExceptionCase] = []
        self.seen_through = outside is None and not is_watched()
        self._names, self._outside = names, outside
        self._whole = ExceptionCase(content, source, statement, tuple(variables))
        self._under_way = False
        self._like: Expression | None = None
        self._fixed = False
        self._named: Domain | None = None
        self._values: dict[tuple[str, ...], Partial] = {}

    @property
    def parameters(self) -> tuple[Domain, ...]:
        """The kinds of its arguments."""
        return tuple(kind.domain for _, kind in self.variables)

    @property
    def values(self) -> Domain | None:
        """For names: those that it can be.

        Raises:
            InputError: What is wrong with the definition or an exception of it.
        """
        return self.like().values

    @property
    def fixed(self) -> bool:
        """True if the board, Readings and options alone decide it, as far as it is seen through."""
        self.like()
        return self._fixed

    def like(self) -> Expression:
        """An expression of its kind.

        Raises:
            InputError: What is wrong with its lines, or one leads back to it.
        """
        if self._like is None:
            with self._working():
                self._like = self._typed()
        return self._like

    def _typed(self) -> Expression:
        """Type all its lines; the first tells the kind of all."""
        said: list[Expression] = []
        for case in self.cases or [self._whole]:
            if self._outside is not None and case is self._whole:
                some = self._outside(tuple(kind.members[0] for _, kind in self.variables))
                said.append(Expression(some.node, some.kind, (), some.values))
            else:
                said.append(self._line(case, case.content.value, name=True).root)
        conditions: list[Expression] = []
        for case in self.exceptions:
            if case.content.condition is not None:
                conditions.append(self._line(case, case.content.condition).root)
            said.append(self._line(case, case.content.value, name=True).root)
            for found in conditions[-1:]:
                if found.kind != BOOL:
                    raise self._wrong(case, found, f"{found}, and a condition is true or false")
        names = [found.values for found in said if found.values is not None]
        for case, found in zip((*(self.cases or [self._whole]), *self.exceptions), said, strict=True):
            if found.kind != said[0].kind and len(names) < len(said):
                raise self._wrong(case, found, f"{found}, and {case.content.name.text} is {said[0].kind}")
        self._fixed = self.seen_through and all(e.fixed for e in (*said, *conditions))
        if len(names) < len(said):
            return said[0]
        values = self._named = together(names)
        return OneOf(said[0], of_kind(values.sort.name), values)

    def _wrong(self, case: ExceptionCase, found: Expression, message: str) -> InputError:
        return case.source.goal.error(found.node.at, message, None, "wrong-value")

    @contextmanager
    def _working(self) -> Iterator[None]:
        if self._under_way:
            message = f"the meaning of {self.content.name.text} leads back to itself"
            raise self.source.goal.error(self.content.name.at, message, "say it without itself", "circle")
        self._under_way = True
        try:
            yield
        finally:
            self._under_way = False

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
        found = self._values.get(arguments)
        if found is None:
            found = self._values[arguments] = self._partial(arguments)
        return found

    def _partial(self, arguments: tuple[str, ...]) -> Partial:
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
        if self._outside is not None:
            with self._working():
                found = self._one_of(self._outside(arguments).partial)
            return said_by(self.source.cited(self.statement), lambda: found)
        if not self.cases:
            return self._said(self._whole, arguments)
        about = next((c for c in self.cases if _about(c, arguments)), None)
        if about is not None:
            return self._said(about, arguments)
        some = self._said(self.cases[0], self._some(self.cases[0]))
        return Partial(some.value, FALSE)

    def _applied(self, arguments: tuple[str, ...]) -> list[tuple[ExceptionCase, Term, Partial]]:
        """The exceptions that can apply to some names, each with when it does and what it says."""
        cases = [(c, self._condition(c, arguments)) for c in self.exceptions if _about(c, arguments)]
        return [(c, when, self._said(c, arguments)) for c, when in cases if when is not FALSE]

    # ---- of one that the board decides

    def where(self, place: int, arguments: Sequence[str]) -> int:
        """The names for which it holds in one place, as a mask, beside those in the others."""
        kind, others = self.variables[place][1], list(arguments)
        covered, excepted = 0, 0
        for case in self.exceptions:
            when = self._among(case, case.content.condition, place, others)
            if when & covered:  # two apply to a name: whether they agree is looked at for each
                return self._each(place, others)
            covered |= when
            excepted |= when & self._among(case, case.content.value, place, others)
        base = 0
        for case in self.cases or [self._whole]:
            base |= self._among(case, case.content.value, place, others)
        return base & ((1 << len(kind.members)) - 1) & ~covered | excepted

    def _each(self, place: int, others: list[str]) -> int:
        found = 0
        for n, member in enumerate(self.variables[place][1].members):
            if self.partial(*others[:place], member, *others[place:]).holds is TRUE:
                found |= 1 << n
        return found

    def _among(self, case: ExceptionCase, node: Node | None, place: int, others: list[str]) -> int:
        """The names in a place for which an expression of a line holds, of those that the line is about."""
        kind, here = self.variables[place][1], case.bound[place]
        given = [*others[:place], here if isinstance(here, str) else kind.members[0], *others[place:]]
        if not _about(case, tuple(given)):
            return 0
        bit = 1 << kind.domain.sort.index[here] if isinstance(here, str) else 0
        if node is None:
            return bit or (1 << len(kind.members)) - 1
        line = self._line(case, node, name=node is case.content.value)
        if isinstance(here, str):
            return bit if line.of(_standing(case, given)).holds is TRUE else 0
        env = line.names.nothing_bound()
        standing = _standing(case, given)
        env[: len(standing)] = standing
        return line.root.mask(line.variables[here[0]], env)

    def body(self) -> tuple[Expression, Sequence[Slot]] | None:
        """All that it says, with a variable for each argument; None: it has exceptions or cases, or is looked at."""
        if self.cases or self.exceptions or not self.seen_through:
            return None
        self.like()
        line = self._line(self._whole, self.content.value, name=True)
        return line.root, tuple(line.variables.values())

    # ---- findings

    def exclusive(self) -> Iterator[LevelTable]:
        """For each of the names the exceptions as a table: of those with different values one applies at most."""
        if not any(_overlap(a, b) for a, b in combinations(self.exceptions, 2)):
            return
        for arguments in product(*(kind.members for _, kind in self.variables)):
            if sum(_about(case, arguments) for case in self.exceptions) < 2:
                continue
            applied = self._applied(arguments)
            if applied:
                about = f"{self.content.name.text}({', '.join(arguments)})" if arguments else self.content.name.text
                lines = [(case.statement.text, when, value) for case, when, value in applied]
                cites = tuple(c for case, _, _ in applied for c in case.source.cites(case.statement))
                made = applied[0][0].source.made(applied[0][0].statement.at)
                yield from one_at_most(f"the exceptions of {about}", lines, cites, made)

    def excepted(self) -> Iterator[Rule]:
        """For each exception a rule that is so where it applies to any of the names."""
        for case in self.exceptions:
            members = [(b,) if isinstance(b, str) else b[1].members for b in case.bound]
            applies = any_of(self._condition(case, arguments) for arguments in product(*members))
            name, cites = self.content.name.text, case.source.cites(case.statement)
            yield Rule(name, applies, case.statement.text, cites, made=case.source.made(case.statement.at))

    def sums(self) -> Iterator[tuple[RulesSource, Statement, list[tuple[Node, Term]]]]:
        """For each line that adds, and each of the names that it is about, what it adds."""
        for case in (*(self.cases or (self._whole,)), *self.exceptions):
            added = summands(case.content.value)
            if len(added) > 1:
                members = [(b,) if isinstance(b, str) else b[1].members for b in case.bound]
                for arguments in islice(product(*members), _MOST_SUMS):
                    bound = _bound(case, arguments)
                    resolved = [(n, self._names.resolved(case.source, n, bound).partial.value) for n in added]
                    yield case.source, case.statement, resolved

    def tables(self) -> Iterator[LevelTable]:
        """For each of the names, the table that it is read off, as far as it is."""
        node, statement = self.content.value, self.statement
        if not isinstance(node, Tabled):
            return
        lines = [self.source.line_of(at) for at in node.lines]
        for arguments in islice(product(*(kind.members for _, kind in self.variables)), _MOST_SUMS):
            bound = _bound(self._whole, arguments)
            by = [self._names.resolved(self.source, part, bound).partial for part in node.read_by]
            rows = node.applying(by[0], by[1] if node.ratio else None)
            name = f"{self.content.name.text}({', '.join(arguments)})" if arguments else self.content.name.text
            cites, made = self.source.cites(statement), self.source.made(statement.at)
            text = self.source.line_of(statement.at)
            yield LevelTable(name, dict(zip(lines, rows, strict=True)), text, cites, made=made)

    # ---- one line

    def _line(self, case: ExceptionCase, node: Node, *, name: bool = False) -> Line:
        kinds = {b[0]: b[1] for b in case.bound if not isinstance(b, str)}
        return self._names.line(case.source, node, kinds, name=name)

    def _said(self, case: ExceptionCase, arguments: Sequence[str]) -> Partial:
        self.like()
        return self._one_of(self._worked_out(case, case.content.value, arguments, name=True))

    def _one_of(self, found: Partial) -> Partial:
        """A value; a name as one of all that the lines can say."""
        return found if self._named is None else as_one_of(found, self._named)

    def _condition(self, case: ExceptionCase, arguments: Sequence[str]) -> Term:
        if case.content.condition is None:
            return TRUE
        return self._worked_out(case, case.content.condition, arguments).holds

    def _worked_out(
        self, case: ExceptionCase, node: Node, arguments: Sequence[str], *, name: bool = False
    ) -> Partial:
        with self._working():
            found = self._line(case, node, name=name).of(_standing(case, arguments))
        return found if self.seen_through else said_by(case.source.cited(case.statement), lambda: found)

    def _some(self, case: ExceptionCase) -> tuple[str, ...]:
        return tuple(b if isinstance(b, str) else b[1].members[0] for b in case.bound)


def _about(case: ExceptionCase, arguments: tuple[str, ...]) -> bool:
    return all(not isinstance(b, str) or b == a for b, a in zip(case.bound, arguments, strict=True))


def _overlap(a: ExceptionCase, b: ExceptionCase) -> bool:
    """True if two lines are about the same names."""
    pairs = zip(a.bound, b.bound, strict=True)
    return all(x == y or not (isinstance(x, str) and isinstance(y, str)) for x, y in pairs)


def _standing(case: ExceptionCase, arguments: Sequence[str]) -> tuple[str, ...]:
    """The names that the variables of a line stand for."""
    return tuple(a for b, a in zip(case.bound, arguments, strict=True) if not isinstance(b, str))


def _bound(case: ExceptionCase, arguments: tuple[str, ...]) -> dict[str, BoundVariable]:
    pairs = zip(case.bound, arguments, strict=True)
    return {b[0]: BoundVariable(b[1], a) for b, a in pairs if not isinstance(b, str)}


def _clashes(applied: list[tuple[ExceptionCase, Term, Partial]]) -> Iterator[Term]:
    """When two exceptions give different values."""
    for i, (_, when, value) in enumerate(applied):
        for _, other, different in applied[:i]:
            yield and_(when, other, not_(same(value, different)))
