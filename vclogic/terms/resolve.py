"""Compile a parsed goal into a term, by looking up its names among the observables of a rule set.

A comparison is false where one of its values is undefined, for every operator, `!=` included. A Bool value by
itself holds where it is defined and true. So `not` of either also holds where a value is undefined.

A name beside `==` or `!=` is first looked for among the members that the other side can be, then among the
observables; anywhere else it is an observable without arguments. `name()` is always the observable.

What `before`, `happens` and `actor` mean is in `vclogic.terms.event_words`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Protocol

from vclogic.errors import Diagnostic, InputError, nearest, quoted
from vclogic.terms import atoms, build
from vclogic.terms.domain import Domain
from vclogic.terms.event_words import (
    ACTOR,
    HAPPENS,
    ONLY_REACH,
    RefusedWords,
    StepWords,
    read_actor,
    read_event,
    step_words,
)
from vclogic.terms.goal import BEFORE, Call, GoalSource, Node, Operation, Word, check_hex, is_hex, parse
from vclogic.terms.partial import Partial
from vclogic.terms.sorts import BoolSort, EnumSort
from vclogic.terms.term import Term
from vclogic.terms.vocabulary import help_with
from vclogic.words import amount

MAX_ERRORS = 20
MAX_VALUE = 10**15  # a solver's floating point holds whole numbers up to here exactly

_BOOL, _INT, _UNKNOWN = "true or false", "a number", ""
_COMPARE = "compare it with something: ... == NAME, or ... >= 1"
_MOST_SWAPPED = 4
_EQUALITIES: dict[str, Callable[[Term, Term], Term]] = {"==": build.eq, "!=": build.ne}
_TESTS = {**_EQUALITIES, "<": build.lt, "<=": build.le, ">": build.gt, ">=": build.ge}
_NOTHING = Partial(atoms.FALSE)


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
class Goal:
    """A compiled goal.

    Attributes:
        text: As the user wrote it.
        term: Bool.
        mentions: Sort name and member name of every member that the text names, each once, in order.
        functions: The observables that it uses, each once, in order.
        of_events: Whether it uses `before`, `happens` or `actor`; its term then contains their placeholders.
    """

    text: str
    term: Term
    mentions: tuple[tuple[str, str], ...]
    functions: tuple[str, ...]
    of_events: bool = False


@dataclass(frozen=True)
class Value:
    """A compiled expression of any sort; `text`, `mentions` and `functions` as in `Goal`.

    Attributes:
        partial: Its value, and where that is defined.
        values: For an Enum value: the names it can be compared with.
    """

    text: str
    partial: Partial
    mentions: tuple[tuple[str, str], ...]
    functions: tuple[str, ...]
    values: Domain | None


def compile_goal(
    text: str, vocabulary: Mapping[str, Function], label: str = "goal", steps: StepWords | RefusedWords = ONLY_REACH
) -> Goal:
    """Compile the text of a goal.

    Args:
        text: The text; see `vclogic.terms.goal` for the grammar.
        vocabulary: The observables by name.
        label: What to call the text in a diagnostic, such as `--goal`.
        steps: What `before`, `happens` and `actor` mean, or why they may not stand here.

    Raises:
        InputError: The first mistake in grammar, or else every unknown name and wrong sort, with places.
    """
    resolver = _Resolver(GoalSource(text, label), vocabulary, steps)
    root = parse(text, label)
    found = resolver.resolve(root)
    if found.kind != _BOOL:
        help = f"compare it with {'a name: ... == NAME' if found.values else 'a number: ... >= 1'}"
        message = f"a goal is true or false; this is {found.kind}"
        raise resolver.source.error(found.node.at, message, help, "wrong-value")
    of_events = any(step_words(root))
    return Goal(text, found.partial.holds, tuple(resolver.mentions), tuple(resolver.functions), of_events)


def compile_value(text: str, vocabulary: Mapping[str, Function], label: str = "goal") -> Value:
    """Compile the text of an expression of any sort; arguments and errors as in `compile_goal`."""
    resolver = _Resolver(GoalSource(text, label), vocabulary)
    found = resolver.resolve(parse(text, label))
    return Value(text, found.partial, tuple(resolver.mentions), tuple(resolver.functions), found.values)


@dataclass(frozen=True, slots=True)
class _Typed:
    """A resolved node: its kind in words (empty if unknown) and its value (arbitrary if part of it is wrong)."""

    node: Node
    kind: str
    partial: Partial = _NOTHING
    values: Domain | None = None

    def __str__(self) -> str:
        return f"{'this' if isinstance(self.node, Operation) else self.node.text} is {self.kind}"


def _a(noun: str) -> str:
    return f"an {noun}" if noun[:1] in "aeiou" else f"a {noun}"


def _names(count: int) -> str:
    return amount(count, "name") if count else "nothing"


def _written(name: str, *, beside: bool = False) -> str:
    """A name as a goal has it, in parentheses or beside a comparison: in quotes where it needs them."""
    bare = r"(?!\d+$)\w[\w.]*" if beside else r"[\w./]+(?: [\w./]+)*"
    return name if re.fullmatch(bare, name) else f"'{name}'"


def _near(name: str, names: Iterable[str]) -> str:
    """The names that are near, or where all of them stand."""
    return nearest(name, names) or "`vclogic rules GAME` lists what can be asked about"


def _expected(domain: Domain) -> str:
    names, more = domain.sort.members[:12], len(domain.sort.members) - 12
    return f"{domain.sort.name}: {', '.join(names)}" + (f" and {more} more" if more > 0 else "")


class _Resolver:
    def __init__(
        self, source: GoalSource, vocabulary: Mapping[str, Function], steps: StepWords | RefusedWords = ONLY_REACH
    ):
        self.source, self.vocabulary, self.steps = source, vocabulary, steps
        self.mentions: dict[tuple[str, str], None] = {}
        self.functions: dict[str, dict[tuple[str, ...], Partial]] = {}  # with their values so far
        self.errors: list[Diagnostic] = []
        self.domains = [d for f in vocabulary.values() for d in (*f.parameters, f.values) if d]

    def report(self, at: int, code: str, message: str, help: str | None = None) -> None:
        self.errors += self.source.error(at, message, help, code).diagnostics
        self.check(MAX_ERRORS)

    def check(self, most: int = 1) -> None:
        if len(self.errors) >= most:
            raise InputError(sorted(self.errors, key=lambda d: (d.line or 0, d.column or 0)))

    def resolve(self, root: Node) -> _Typed:
        """Resolve the tree from the leaves up; the operation around a bare word decides what it means."""
        done: list[_Typed | Word] = []
        todo: list[tuple[Node, bool]] = [(root, False)]
        while todo:
            node, ready = todo.pop()
            if not isinstance(node, Operation):
                done.append(node if isinstance(node, Word) else self.call(node))
            elif ready:
                first = len(done) - len(node.parts)
                done[first:] = [self.operation(node, done[first:])]
            else:
                todo.append((node, True))
                todo.extend((part, False) for part in reversed(node.parts))
        found = self.value(done.pop())
        self.check()
        return found

    def operation(self, node: Operation, parts: Sequence[_Typed | Word]) -> _Typed:
        operator = node.operators[0]
        if operator in _TESTS:
            return self.comparison(node, operator, *self.sides(parts[0], parts[1]))
        values = [self.value(part) for part in parts]
        if operator == BEFORE:
            return self.earlier(node, values[0])
        if operator in ("+", "-", "*"):
            numbers = [self.want(_INT, value) for value in values]
            term = self.product(node, numbers) if operator == "*" else self.sum(node, numbers)
            if max(-term.lo, term.hi) > MAX_VALUE:
                self.report(node.places[0], "limit", "the numbers here go beyond 10^15")
                return _Typed(node, _UNKNOWN)
            return _Typed(node, _INT, Partial(term, build.all_of(n.defined for n in numbers)))
        terms = [self.want(_BOOL, value, _COMPARE).holds for value in values]
        join = {"and": build.all_of, "or": build.any_of}.get(operator)
        return _Typed(node, _BOOL, Partial(join(terms) if join else build.not_(*terms)))

    def sum(self, node: Operation, numbers: Sequence[Partial]) -> Term:
        """Also the unary minus: one operator for one number."""
        signs = node.operators if len(numbers) == 1 else ("+", *node.operators)
        return build.linear((1 if s == "+" else -1, n.value) for s, n in zip(signs, numbers, strict=True))

    def product(self, node: Operation, numbers: Sequence[Partial]) -> Term:
        factor, base = 1, atoms.integer(1)
        for at, number in zip((node.at, *node.places), numbers, strict=True):
            if number.value.is_const:
                factor *= number.value.lo
            elif base.is_const:
                base = number.value
            else:
                self.report(at, "wrong-value", "one side of '*' must be a constant")
        return build.scale(base, factor)

    def comparison(self, node: Operation, operator: str, a: _Typed, b: _Typed) -> _Typed:
        sorts = {side.values.sort for side in (a, b) if side.values}
        if operator not in _EQUALITIES:
            named = next((side for side in (a, b) if side.values), None)
            if named is not None:
                message = f"{quoted(operator)} compares numbers; {named}"
                self.report(node.places[0], "wrong-value", message, "names are equal or not: write == or !=")
            for side in () if named else (a, b):
                self.want(_INT, side)
        elif a.kind and b.kind and (a.kind != b.kind or len(sorts) > 1):
            help = next((_expected(side.values) for side in (a, b) if side.values), None)
            self.report(node.places[0], "wrong-value", f"{a} and {b}: they cannot be compared", help)
        if self.errors:
            return _Typed(node, _BOOL)
        test = _TESTS[operator](a.partial.value, b.partial.value)
        return _Typed(node, _BOOL, Partial(build.and_(a.partial.defined, b.partial.defined, test)))

    def want(self, kind: str, part: _Typed, help: str | None = None) -> Partial:
        """The value of a part that must be of a kind."""
        if part.kind not in (kind, _UNKNOWN):
            self.report(part.node.at, "wrong-value", f"{part}, not {kind}", help)
        return part.partial if part.kind == kind else _NOTHING

    def sides(self, a: _Typed | Word, b: _Typed | Word) -> tuple[_Typed, _Typed]:
        """Resolve both sides of a comparison; where both are words, the observable decides what the other means."""
        names = self.vocabulary
        if not isinstance(a, Word) or (isinstance(b, Word) and (a.text in names or b.text not in names)):
            left = self.value(a)
            return left, self.beside(b, left)
        right = self.value(b)
        return self.beside(a, right), right

    def beside(self, part: _Typed | Word, other: _Typed) -> _Typed:
        """Resolve a word as a member of the other side's Enum, else as a value."""
        if not isinstance(part, Word):
            return part
        domain, strange = other.values, part.text not in self.vocabulary and not part.literal
        if domain and (strange or domain.find(part.text) is not None):
            found = self.member(domain, part)
            partial = Partial(atoms.member(domain.sort, found)) if found is not None else _NOTHING
            return _Typed(part, other.kind, partial, domain)
        kind = self.kind_of(part.text) if strange and other.kind == _INT else None
        if kind:
            help = "compare it with a number" + self.number_of(part, other)
            self.report(
                part.at, "wrong-kind", f"{other} and {part.text} is {_a(kind)}: they cannot be compared", help
            )
            return _Typed(part, _UNKNOWN)
        return self.unknown(part) if strange and other.kind == _UNKNOWN else self.value(part)

    def number_of(self, word: Word, other: _Typed) -> str:
        """The suggestion for a word beside a number: the same number of the thing that it names, if there is one."""
        if not isinstance(other.node, Call):
            return ""
        kinds = self.vocabulary[other.node.text].parameters
        same = len(kinds) == 1 and kinds[0].find(word.text) is not None
        return f", or with {other.node.text}({_written(word.text)})" if same else ""

    def value(self, part: _Typed | Word) -> _Typed:
        """A part by itself: a word is a constant or an observable without arguments."""
        if not isinstance(part, Word):
            return part
        if not part.literal:
            return self.call(Call(part.text, (), part.at))
        if part.text.isdigit():
            return _Typed(part, _INT, Partial(atoms.integer(int(part.text))))
        return _Typed(part, _BOOL, Partial(atoms.boolean(part.text == "true")))

    def earlier(self, node: Operation, value: _Typed) -> _Typed:
        """Resolve `before`: the value as it was before the last event."""
        if isinstance(self.steps, RefusedWords):
            self.refuse(BEFORE, node.at, self.steps)
            return _Typed(node, value.kind, value.partial, value.values)
        inner = list(step_words(node.parts[0]))
        for word, at in inner:
            help = "it takes what is so in a position; say the rest beside it, with `and`"
            self.report(at, "not-here", f"{word} cannot stand inside {BEFORE}", help)
        partial = value.partial if inner else self.steps.before(value.partial)
        return _Typed(node, value.kind, partial, value.values)

    def of_event(self, node: Call) -> _Typed:
        """Resolve `happens` or `actor`."""
        if isinstance(self.steps, RefusedWords):
            self.refuse(node.text, node.at, self.steps)
            return _Typed(node, _BOOL)
        read = read_event if node.text == HAPPENS else read_actor
        found = read(self.steps, node, self.report)
        if found is None:
            return _Typed(node, _BOOL)
        self.mentions |= dict.fromkeys(found[1])
        return _Typed(node, _BOOL, Partial(found[0]))

    def refuse(self, word: str, at: int, refused: RefusedWords) -> None:
        self.report(at, "not-here", f"{quoted(word)} {refused.why}", refused.help)

    def call(self, node: Call) -> _Typed:
        if node.text in (HAPPENS, ACTOR):
            return self.of_event(node)
        function = self.vocabulary.get(node.text)
        for name, _ in node.named:
            help = f"`=` stands in events alone: {HAPPENS}(EVENT, {name.text}=...)"
            self.report(name.at, "arguments", f"{node.text} takes names without `=`", help)
        if function is None:
            return self.unknown(node)
        values, kinds = function.values, [d.sort.name for d in function.parameters]
        failed = _Typed(node, _a(values.sort.name) if values else _UNKNOWN, values=values)
        if len(kinds) != len(node.arguments) + len(node.named):
            self.check_hexes(node.arguments, self.domains)
            message = f"{node.text} needs {_names(len(kinds))} in parentheses, not {len(node.arguments)}"
            some = ", ".join(_written(d.sort.members[0]) for d in function.parameters)
            such = f"write {node.text}({', '.join(kinds)}), such as {node.text}({some})"
            help = such if kinds else f"write {node.text} alone"
            self.report(node.at, "arguments", message, help)
            return failed
        if node.named:
            return failed
        given = tuple(zip(function.parameters, node.arguments, strict=True))
        # Names in the wrong order are one fault, not one for each name.
        if any(d.find(word.text) is None for d, word in given):
            self.check_hexes(node.arguments, function.parameters)
            if self.disordered(node, function.parameters):
                return failed
        found = [self.member(d, word) for d, word in given]
        names = tuple(name for name in found if name is not None)
        if len(names) < len(found):
            return failed
        known = self.functions.setdefault(node.text, {})
        partial = known[names] = known.get(names) or function.partial(*names)
        sort = partial.value.sort
        if isinstance(sort, EnumSort):
            return _Typed(node, _a(sort.name), partial, values or Domain(sort))
        return _Typed(node, _BOOL if isinstance(sort, BoolSort) else _INT, partial)

    def member(self, domain: Domain, word: Word) -> str | None:
        """The member that a word names; an unknown name is reported."""
        try:
            found = domain.resolve(word.text)
        except InputError as error:
            (wrong,), kind = error.diagnostics, domain.sort.name
            other = None if word.text in domain.refused else self.kind_of(word.text, but=kind)
            if other:
                wrong = Diagnostic("wrong-kind", f"{quoted(word.text)} is {_a(other)}, not {_a(kind)}")
            said = wrong.help if word.text in domain.refused else wrong.help or _expected(domain)
            self.report(word.at, wrong.code, wrong.message, said)
            return None
        self.mentions[domain.sort.name, found] = None
        return found

    def disordered(self, node: Call, parameters: Sequence[Domain]) -> bool:
        """True if the names of a call fit in another order only, which is then reported."""
        if len(parameters) > _MOST_SWAPPED:
            return False
        for words in permutations(node.arguments):
            if all(d.find(w.text) is not None for d, w in zip(parameters, words, strict=True)):
                help = f"write {node.text}({', '.join(_written(w.text) for w in words)})"
                self.report(
                    node.arguments[0].at, "arguments", "the names in the parentheses stand in the wrong order", help
                )
                return True
        return False

    def check_hexes(self, words: Iterable[Word], domains: Iterable[Domain]) -> None:
        """Raise an error at an unquoted hex, where names may be hexes."""
        if any(is_hex(name) for d in domains for name in d.sort.members):
            for word in words:
                check_hex(self.source, word.at)

    def kind_of(self, name: str, but: str = "") -> str | None:
        """A kind other than `but` that has a member of this name."""
        return next((d.sort.name for d in self.domains if d.sort.name != but and d.find(name)), None)

    def unknown(self, node: Word | Call) -> _Typed:
        """Reports a name that no observable has; a waiting word may still be a member of something."""
        kind = self.kind_of(node.text)
        if not kind or (isinstance(node, Call) and node.arguments):
            members = (n for d in self.domains for n in (*d.sort.members, *d.aliases))
            names = self.vocabulary if isinstance(node, Call) else [*self.vocabulary, *members]
            given = len(node.arguments) if isinstance(node, Call) else 0
            fitting = [n for n in names if n not in self.vocabulary or len(self.vocabulary[n].parameters) == given]
            near = nearest(node.text, fitting) or _near(node.text, names)
            hint = help_with(self.vocabulary, node.text) or near
            self.report(node.at, "unknown-name", f"unknown name {quoted(node.text)}", hint)
        elif isinstance(node, Call):
            message = f"{quoted(node.text)} is {_a(kind)}, which says nothing by itself"
            self.report(
                node.at,
                "wrong-kind",
                message,
                f"compare something with it: ... == {_written(node.text, beside=True)}",
            )
        for word in node.arguments if isinstance(node, Call) else ():
            self.unknown(word)
        return _Typed(node, _UNKNOWN)
