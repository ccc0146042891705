"""Compile a parsed goal into a term, by looking up its names among the observables of a rule set.

A comparison is false where one of its values is undefined, for every operator, `!=` included. A Bool value by
itself holds where it is defined and true. So `not` of either also holds where a value is undefined.

A name beside `==` or `!=` is first looked for among the members that the other side can be, then among the
observables; anywhere else it is an observable without arguments. `name()` is always the observable. A variable stands
for a name, so it may be compared with what can also be another one, such as nobody.

What `before`, `happens` and `actor` mean is in `vclogic.terms.event_words`, what `count` and its like do in `forms`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from vclogic.errors import quoted
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
from vclogic.terms.forms import Alternatives, Calls, Forms
from vclogic.terms.goal import IN, parse
from vclogic.terms.names import (
    BOOL,
    COMPARE,
    INT,
    NOTHING,
    UNKNOWN,
    Bound,
    Names,
    Typed,
    expected,
    of_kind,
    written,
)
from vclogic.terms.partial import Partial
from vclogic.terms.sorts import EnumSort
from vclogic.terms.syntax import BEFORE, Binder, Call, Form, GoalSource, Node, Operation, Word
from vclogic.terms.term import Term
from vclogic.terms.vocabulary import CountedKind, Function

MAX_VALUE = 10**15  # a solver's floating point holds whole numbers up to here exactly

_EQUALITIES: dict[str, Callable[[Term, Term], Term]] = {"==": build.eq, "!=": build.ne}
_TESTS = {**_EQUALITIES, "<": build.lt, "<=": build.le, ">": build.gt, ">=": build.ge}


@dataclass(frozen=True)
class Goal:
    """A compiled goal.

    Attributes:
        text: As the user wrote it.
        term: Bool.
        mentions: Sort name and member name of every member that the text names, each once, in order.
        functions: The observables that it uses, in order, each with its values by the names that it is asked of.
        of_events: Whether it uses `before`, `happens` or `actor`; its term then contains their placeholders.
    """

    text: str
    term: Term
    mentions: tuple[tuple[str, str], ...]
    functions: Mapping[str, Mapping[tuple[str, ...], Partial]]
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
    functions: Mapping[str, Mapping[tuple[str, ...], Partial]]
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
    root = parse(text, label, vocabulary)
    found = resolver.resolve(root)
    if found.kind != BOOL:
        help = f"compare it with {'a name: ... == NAME' if found.values else 'a number: ... >= 1'}"
        message = f"a goal is true or false; this is {found.kind}"
        raise resolver.source.error(found.node.at, message, help, "wrong-value")
    names, of_events = resolver.names, any(step_words(root))
    return Goal(text, found.partial.holds, tuple(names.mentions), names.values, of_events)


def compile_value(text: str, vocabulary: Mapping[str, Function], label: str = "goal") -> Value:
    """Compile the text of an expression of any sort; arguments and errors as in `compile_goal`."""
    resolver = _Resolver(GoalSource(text, label), vocabulary)
    found = resolver.resolve(parse(text, label, vocabulary))
    return Value(text, found.partial, tuple(resolver.names.mentions), resolver.names.values, found.values)


def resolve_tree(
    root: Node, source: GoalSource, vocabulary: Mapping[str, Function], bound: Mapping[str, Bound]
) -> Typed:
    """What a tree of the text means where some variables stand for names.

    Args:
        root: The tree.
        source: The text.
        vocabulary: The observables by name.
        bound: The variables.

    Raises:
        InputError: All that is wrong with it.
    """
    return _Resolver(source, vocabulary, bound=bound).resolve(root)


def members_where(
    binder: Binder, source: GoalSource, vocabulary: Mapping[str, Function], bound: Mapping[str, Bound] | None = None
) -> tuple[str, CountedKind, dict[str, Term]]:
    """The name and the kind of a variable, and its members that may count, each with when it does.

    Args:
        binder: The variable.
        source: The text.
        vocabulary: The observables by name.
        bound: Other variables.

    Raises:
        InputError: All that is wrong with it.
    """
    resolver = _Resolver(source, vocabulary, bound=bound)
    named = resolver.names.kind_named(binder.kind)
    found = dict(resolver.forms.each(binder)) if named else {}
    resolver.names.check()
    assert named is not None, "else a report was made"
    return *named, found


def names_of(
    node: Word | Call,
    domain: Domain,
    source: GoalSource,
    vocabulary: Mapping[str, Function],
    bound: Mapping[str, Bound],
) -> Alternatives:
    """The names of a domain that an argument can be, each with when it is that one.

    Args:
        node: A name, a variable, or a call that is worth one.
        domain: The names.
        source: The text.
        vocabulary: The observables by name.
        bound: The variables.

    Raises:
        InputError: It is none of them, whatever the position.
    """
    resolver = _Resolver(source, vocabulary, bound=bound)
    found = resolver.calls.alternatives(domain, node)
    resolver.names.check()
    assert found is not None, "else a report was made"
    return found


class _Resolver:
    def __init__(
        self,
        source: GoalSource,
        vocabulary: Mapping[str, Function],
        steps: StepWords | RefusedWords = ONLY_REACH,
        bound: Mapping[str, Bound] | None = None,
    ):
        self.source, self.vocabulary, self.steps = source, vocabulary, steps
        self.names = Names(source, vocabulary)
        self.names.scope |= bound or {}
        self.report = self.names.report
        self.calls = Calls(self.names, self.resolved)
        self.forms = Forms(self.names, self.calls, self.resolved, self.want)

    def resolve(self, root: Node) -> Typed:
        """Resolve a whole text.

        Raises:
            InputError: All that is wrong with it.
        """
        found = self.resolved(root)
        self.names.check()
        return found

    def resolved(self, node: Node) -> Typed:
        """Resolve a node by itself; the operation around a bare word decides what it means."""
        if self.names.scope:
            self.names.worked(node.at)
        if isinstance(node, Operation):
            return self.operation(node)
        if isinstance(node, Form):
            return self.forms.resolve(node)
        return self.value(node) if isinstance(node, Word) else self.call(node)

    def operation(self, node: Operation) -> Typed:
        operator = node.operators[0]
        if operator in _TESTS:
            return self.comparison(node, operator, *self.sides(*node.parts))
        if operator == IN:
            return self.within(node)
        values = [self.resolved(part) for part in node.parts]
        if operator == BEFORE:
            return self.earlier(node, values[0])
        if operator in ("+", "-", "*"):
            numbers = [self.want(INT, value) for value in values]
            term = self.product(node, numbers) if operator == "*" else self.sum(node, numbers)
            if max(-term.lo, term.hi) > MAX_VALUE:
                self.report(node.places[0], "limit", "the numbers here go beyond 10^15")
                return Typed(node, UNKNOWN)
            return Typed(node, INT, Partial(term, build.all_of(n.defined for n in numbers)))
        terms = [self.want(BOOL, value, COMPARE).holds for value in values]
        join = {"and": build.all_of, "or": build.any_of}.get(operator)
        return Typed(node, BOOL, Partial(join(terms) if join else build.not_(*terms)))

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

    def comparison(self, node: Operation, operator: str, a: Typed, b: Typed) -> Typed:
        for side, other in ((a, b), (b, a)):
            if isinstance(side.node, Word) and other.values is not None:
                self.names.of_several(side.node, other.values)
        a = self.one_kind(a, b)
        b = self.one_kind(b, a)  # after that: of two names one is of the other's kind, not each
        sorts = {side.values.sort for side in (a, b) if side.values}
        if operator not in _EQUALITIES:
            named = next((side for side in (a, b) if side.values), None)
            if named is not None:
                message = f"{quoted(operator)} compares numbers; {named}"
                self.report(node.places[0], "wrong-value", message, "names are equal or not: write == or !=")
            for side in () if named else (a, b):
                self.want(INT, side)
        elif a.kind and b.kind and (a.kind != b.kind or len(sorts) > 1):
            help = next((expected(side.values) for side in (a, b) if side.values), None)
            self.report(node.places[0], "wrong-value", f"{a} and {b}: they cannot be compared", help)
        if self.names.errors:
            return Typed(node, BOOL)
        # A value in cases is compared in each: comparing it with all of them at once is harder to decide.
        tests = (
            build.all_of((when, other, x.defined, y.defined, _tested(operator, x.value, y.value)))
            for when, x in (a.cases or {atoms.TRUE: a.partial}).items()
            for other, y in (b.cases or {atoms.TRUE: b.partial}).items()
        )
        return Typed(node, BOOL, Partial(build.any_of(tests)))

    def one_kind(self, a: Typed, b: Typed) -> Typed:
        """A name as one of those that the other side can be, where both have names of their own, such as `nobody`."""
        if a.name is None or not a.values or not b.values or a.values.sort == b.values.sort:
            return a
        found = b.values.find(a.name)
        if found is None and not any(b.values.find(m) for m in a.values.sort.members):
            return a
        if found is not None:
            return replace(a, kind=b.kind, partial=Partial(atoms.member(b.values.sort, found)), values=b.values)
        return replace(a, kind=b.kind, values=b.values)  # none of them: a name that nothing there is

    def within(self, node: Operation) -> Typed:
        """Resolve `in`: a name is one of a group."""
        part, word = node.parts
        assert isinstance(word, Word), "the parser takes a name there"
        found = self.names.written_out(part, word) or self.resolved(part)
        if found.kind == UNKNOWN:
            return Typed(node, BOOL)
        sort = found.partial.value.sort
        if not found.values or not isinstance(sort, EnumSort):
            self.report(node.at, "wrong-kind", f"{found}, which is in no group")
            return Typed(node, BOOL)
        members = self.names.members_in(word, found.values)
        inside = build.is_in(found.partial.value, (m for m in sort.members if m in members))
        return Typed(node, BOOL, Partial(inside, found.partial.defined))

    def want(self, kind: str, part: Typed, help: str | None = None) -> Partial:
        """The value of a part that must be of a kind."""
        if part.kind not in (kind, UNKNOWN):
            self.report(part.node.at, "wrong-value", f"{part}, not {kind}", help)
        return part.partial if part.kind == kind else NOTHING

    def sides(self, a: Node, b: Node) -> tuple[Typed, Typed]:
        """Resolve both sides of a comparison; where both are words, the observable decides what the other means."""
        names, scope = self.vocabulary, self.names.scope
        of_a, of_b = (isinstance(side, Word) and side.text not in scope for side in (a, b))
        if not of_a or (of_b and (_text(a) in names or _text(b) not in names)):
            left = self.resolved(a)
            return left, self.beside(b, left)
        right = self.resolved(b)
        return self.beside(a, right), right

    def beside(self, part: Node, other: Typed) -> Typed:
        """Resolve a word as a member of the other side's Enum, else as a value."""
        if not isinstance(part, Word) or part.text in self.names.scope:
            return self.resolved(part)
        domain, strange = other.values, part.text not in self.vocabulary and not part.literal
        if domain and (strange or domain.find(part.text) is not None):
            found = self.names.member(domain, part)
            partial = Partial(atoms.member(domain.sort, found)) if found is not None else NOTHING
            return Typed(part, other.kind, partial, domain)
        kind = self.names.kind_of(part.text) if strange and other.kind == INT else None
        if kind:
            help = "compare it with a number" + self.number_of(part, other)
            message = f"{other} and {part.text} is {of_kind(kind)}: they cannot be compared"
            self.report(part.at, "wrong-kind", message, help)
            return Typed(part, UNKNOWN)
        if strange and other.kind == UNKNOWN:
            self.names.unknown(part)
            return Typed(part, UNKNOWN)
        return self.resolved(part)

    def number_of(self, word: Word, other: Typed) -> str:
        """The suggestion for a word beside a number: the same number of the thing that it names, if there is one."""
        if not isinstance(other.node, Call):
            return ""
        function = self.vocabulary.get(other.node.text)
        kinds = function.parameters if function is not None else ()
        same = len(kinds) == 1 and kinds[0].find(word.text) is not None
        return f", or with {other.node.text}({written(word.text)})" if same else ""

    def value(self, word: Word) -> Typed:
        """A word by itself: a constant, a variable, or an observable without arguments."""
        bound = None if word.literal else self.names.scope.get(word.text)
        if bound is not None:
            if bound.kind.numbers:
                return Typed(word, INT, Partial(atoms.integer(int(bound.member))))
            domain = bound.kind.domain
            partial = Partial(atoms.member(domain.sort, bound.member))
            return Typed(word, of_kind(domain.sort.name), partial, domain, bound.member)
        if not word.literal:
            return self.call(Call(word.text, (), word.at))
        if word.text.isdigit():
            return Typed(word, INT, Partial(atoms.integer(int(word.text))))
        return Typed(word, BOOL, Partial(atoms.boolean(word.text == "true")))

    def call(self, node: Call) -> Typed:
        return self.of_event(node) if node.text in (HAPPENS, ACTOR) else self.calls.resolve(node)

    def earlier(self, node: Operation, value: Typed) -> Typed:
        """Resolve `before`: the value as it was before the last event."""
        if isinstance(self.steps, RefusedWords):
            self.refuse(BEFORE, node.at, self.steps)
            return Typed(node, value.kind, value.partial, value.values)
        inner = list(step_words(node.parts[0]))
        for word, at in inner:
            help = "it takes what is so in a position; say the rest beside it, with `and`"
            self.report(at, "not-here", f"{word} cannot stand inside {BEFORE}", help)
        partial = value.partial if inner else self.steps.before(value.partial)
        return Typed(node, value.kind, partial, value.values)

    def of_event(self, node: Call) -> Typed:
        """Resolve `happens` or `actor`."""
        if isinstance(self.steps, RefusedWords):
            self.refuse(node.text, node.at, self.steps)
            return Typed(node, BOOL)
        read = read_event if node.text == HAPPENS else read_actor
        found = read(self.steps, self.names.in_place_of_variables(node), self.report)
        if found is None:
            return Typed(node, BOOL)
        if not self.names.scope:
            self.names.mentions |= dict.fromkeys(found[1])
        return Typed(node, BOOL, Partial(found[0]))

    def refuse(self, word: str, at: int, refused: RefusedWords) -> None:
        self.report(at, "not-here", f"{quoted(word)} {refused.why}", refused.help)


def _tested(operator: str, a: Term, b: Term) -> Term:
    """A comparison of two values; a name that the other side can never be equals nothing there."""
    if a.sort != b.sort and isinstance(a.sort, EnumSort):
        return atoms.boolean(operator == "!=")
    return _TESTS[operator](a, b)


def _text(node: Node) -> str:
    return node.text if isinstance(node, Word) else ""
