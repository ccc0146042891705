"""Compile a parsed goal into a term, by looking up its names among the observables of a rule set.

A comparison is false where one of its values is undefined, for every operator, `!=` included. A Bool value by
itself holds where it is defined and true. So `not` of either also holds where a value is undefined.

A name beside `==` or `!=` is first looked for among the members that the other side can be, then among the
observables; anywhere else it is an observable without arguments. `name()` is always the observable. A variable stands
for a name, so it may be compared with what can also be another one, such as nobody.

What `before`, `happens` and `actor` mean is in `terms.expressions.event_words`, what `count` and its like do in
`forms`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from vclogic.errors import Diagnostic, InputError, quoted
from vclogic.terms import atoms, build
from vclogic.terms.domain import Domain
from vclogic.terms.expressions.calls import Calls, shared, variable
from vclogic.terms.expressions.compiled import Goal, Value
from vclogic.terms.expressions.event_words import (
    ACTOR,
    HAPPENS,
    ONLY_REACH,
    RefusedWords,
    StepWords,
    read_actor,
    read_event,
    step_words,
)
from vclogic.terms.expressions.forms import Forms
from vclogic.terms.expressions.names import (
    COMPARE,
    MAX_WORK,
    MemberGroups,
    NameLookup,
    expected_names,
    of_kind,
    written_name,
)
from vclogic.terms.expressions.parser import parse
from vclogic.terms.expressions.syntax import (
    BEFORE,
    IN,
    Call,
    Form,
    GoalSource,
    Node,
    Operation,
    Tabled,
    Word,
    in_braces,
    spelled_out,
)
from vclogic.terms.partial import Partial
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Term
from vclogic.terms.typed.compared import EQUALITIES, TESTS, ComparisonExpression
from vclogic.terms.typed.form import (
    BOOL,
    INT,
    NOTHING,
    UNKNOWN,
    Constant,
    Expression,
    Junction,
    Negation,
    Within,
    Worked,
    plain,
)
from vclogic.terms.typed.subjects import least_work, simplified
from vclogic.terms.vocabulary import Function, Vocabulary

MOST_FACTORS = 1_000
"""So many values may one of two factors have that change."""
MAX_VALUE = 10**15  # a solver's floating point holds whole numbers up to here exactly


def check_meaning(text: str, term: Term, meaning: Term, label: str) -> None:
    """Check that what is asked for is not undefined in every position, which is not the same as impossible.

    Args:
        text: The text.
        term: What is to hold.
        meaning: Bool: where that has a meaning.
        label: What to call the text.

    Raises:
        InputError: It is.
    """
    if term is atoms.FALSE and meaning is atoms.FALSE:
        raise without_meaning(text, label)


def without_meaning(text: str, label: str) -> InputError:
    """The error of a text that is undefined in every position."""
    message = f"{quoted(text)} is undefined in every position, so that it is neither possible nor impossible"
    help = "something that it asks for has no value: leave that out, as by `where`, or ask for something else"
    return InputError(Diagnostic("undefined", message, label, help=help))


def compile_goal(
    text: str, vocabulary: Mapping[str, Function], label: str = "goal", steps: StepWords | RefusedWords = ONLY_REACH
) -> Goal:
    """Compile the text of a goal.

    Args:
        text: The text; see `vclogic.terms.expressions.parser` for the grammar.
        vocabulary: The observables by name.
        label: What to call the text in a diagnostic, such as `--goal`.
        steps: What `before`, `happens` and `actor` mean, or why they may not stand here.

    Raises:
        InputError: The first mistake in grammar, or else every unknown name and wrong sort, with places.
    """
    names = NameLookup(GoalSource(text, label), vocabulary)
    root = parse(text, label, vocabulary)
    found = Resolver(names, steps).resolve(root)
    if found.kind != BOOL:
        help = f"compare it with {'a name: ... == NAME' if found.values else 'a number: ... >= 1'}"
        message = f"a goal is true or false; this is {found.kind}"
        raise names.failed(found.node.at, "wrong-value", message, help)
    holds, meaning = found.holds(names.nothing_bound()), found.defined_when(names.nothing_bound())
    return Goal(text, holds, tuple(names.mentions), names.values, any(step_words(root)), meaning)


def compile_value(text: str, vocabulary: Mapping[str, Function], label: str = "goal") -> Value:
    """Compile the text of an expression of any sort; arguments and errors as in `compile_goal`."""
    names = NameLookup(GoalSource(text, label), vocabulary)
    found = Resolver(names).resolve(parse(text, label, vocabulary))
    partial = plain(found.of(names.nothing_bound()))
    return Value(text, partial, tuple(names.mentions), names.values, found.values)


class Resolver:
    """Types the trees of one text.

    Args:
        names: Looks names up.
        steps: What `before`, `happens` and `actor` mean, or why they may not stand here; None: the vocabulary's.
    """

    def __init__(self, names: NameLookup, steps: StepWords | RefusedWords | None = None):
        own = names.vocabulary.steps if isinstance(names.vocabulary, Vocabulary) else ONLY_REACH
        self.names, self.steps, self.report = names, own if steps is None else steps, names.report
        self.calls = Calls(names, self.resolved)
        self.forms = Forms(names, self.calls, self.resolved, self.want)

    def resolve(self, root: Node, *, name: bool = False) -> Expression:
        """The typed form of a whole text.

        Args:
            name: Whether it may be a name by itself.

        Raises:
            InputError: All that is wrong with it.
        """
        found = (self.names.alone(root) if name and isinstance(root, Word) else None) or self.resolved(root)
        self.names.check()
        simple = simplified(found, self.names)
        if least_work(simple) > MAX_WORK:
            raise self.names.too_many(root.at)
        return simple

    def resolved(self, node: Node) -> Expression:
        """Resolve a node by itself; the operation around a bare word decides what it means."""
        if isinstance(node, Operation):
            return self.operation(node)
        if isinstance(node, Form):
            return self.forms.tabled(node) if isinstance(node, Tabled) else self.forms.resolve(node)
        return self.value(node) if isinstance(node, Word) else self.call(node)

    def operation(self, node: Operation) -> Expression:
        """Resolve operators of one level with what they join."""
        operator = node.operators[0]
        if operator in TESTS:
            return self.comparison(node, operator, *self.sides(*node.parts))
        if operator == IN:
            return self.within(node)
        values = [self.resolved(part) for part in node.parts]
        if operator == BEFORE:
            return self.earlier(node, values[0])
        if operator in ("+", "-", "*"):
            numbers = [self.want(INT, value) for value in values]
            make = self.product if operator == "*" else self.sum
            return Worked(node, INT, numbers, lambda parts: self.in_range(node, make(node, parts), parts))
        parts = [self.want(BOOL, value, COMPARE) for value in values]
        if operator == "not":
            return Negation(node, parts[0])
        return Junction(node, parts, both=operator == "and")

    def in_range(self, node: Operation, term: Term, parts: Sequence[Partial]) -> Partial:
        """A number that a solver can hold."""
        if max(-term.lo, term.hi) > MAX_VALUE:
            raise self.names.failed(node.places[0], "limit", "the numbers here go beyond 10^15")
        return Partial(term, build.all_of(n.defined for n in parts))

    def sum(self, node: Operation, numbers: Sequence[Partial]) -> Term:
        """Also the unary minus: one operator for one number."""
        signs = node.operators if len(numbers) == 1 else ("+", *node.operators)
        return build.linear((1 if s == "+" else -1, n.value) for s, n in zip(signs, numbers, strict=True))

    def product(self, node: Operation, numbers: Sequence[Partial]) -> Term:
        """The product; by what changes it is one for each number that this can be."""
        factor, found = 1, atoms.integer(1)
        for at, number in zip((node.at, *node.places), numbers, strict=True):
            if number.value.is_const:
                factor *= number.value.lo
            elif found.is_const:
                found = number.value
            else:
                found = self.by_cases(at, *sorted((found, number.value), key=lambda x: x.hi - x.lo))
        return build.scale(found, factor)

    def by_cases(self, at: int, few: Term, many: Term) -> Term:
        """The product of two numbers that change."""
        if few.hi - few.lo > MOST_FACTORS:
            message = (
                f"this multiplies two numbers that change, each of which can be more than {MOST_FACTORS} numbers"
            )
            raise self.names.failed(at, "limit", message, "one of them has to have a smaller range")
        found: Term = build.scale(many, few.lo)
        for n in range(few.lo + 1, few.hi + 1):
            found = build.ite(build.eq(few, n), build.scale(many, n), found)
        return found

    def comparison(self, node: Operation, operator: str, a: Expression, b: Expression) -> Expression:
        """Resolve a comparison."""
        for side, other in ((a, b), (b, a)):
            if isinstance(side.node, Word) and other.values is not None:
                self.names.of_several(side.node, other.values)
        sorts = {side.values.sort for side in (a, b) if side.values}
        if operator not in EQUALITIES:
            named = next((side for side in (a, b) if side.values), None)
            if named is not None:
                message = f"{quoted(operator)} compares numbers; {named}"
                self.report(node.places[0], "wrong-value", message, "names are equal or not: write == or !=")
            for side in () if named else (a, b):
                self.want(INT, side)
        elif a.kind and b.kind and (a.kind != b.kind or len(sorts) > 1) and not self.comparable(a, b):
            help, message = self.differ(a, b)
            self.report(node.places[0], "wrong-value", message, help)
        if self.names.errors:
            return Constant(node, BOOL)
        return ComparisonExpression(node, a, b)

    @staticmethod
    def differ(a: Expression, b: Expression) -> tuple[str | None, str]:
        """Help for two values that cannot be compared, and what is wrong."""
        help = next((expected_names(side.values) for side in (a, b) if side.values), None)
        if a.values is not None and b.values is not None:
            message = f"{a} and {b}: they are never the same"
            return f"no name is both; {help}", message
        return help, f"{a} and {b}: they cannot be compared"

    def comparable(self, a: Expression, b: Expression) -> bool:
        """True if both have names of their own, such as `nobody`, of which one can be the other's.

        A name with variables in braces is compared with any: a board may have none of what they stand for.
        """
        if a.values is None or b.values is None:
            return False
        if any(isinstance(side.node, Word) and self.names.is_spelled(side.node) for side in (a, b)):
            return True
        named = [(x, y) for x, y in ((a.values, b.values), (b.values, a.values))]
        return any(shared(y, x.sort.members) for x, y in named)

    def within(self, node: Operation) -> Expression:
        """Resolve `in`: a name is one of a group."""
        part, word = node.parts
        if isinstance(word, Call):
            return self.calls.among(node, part, word)
        assert isinstance(word, Word), "the parser takes a name there"
        found = self.names.written_out(part, word) or self.resolved(part)
        if found.kind == UNKNOWN:
            return Constant(node, BOOL)
        if found.values is None:
            self.report(node.at, "wrong-kind", f"{found}, which is in no group")
            return Constant(node, BOOL)
        index, members = found.values.sort.index, self.names.members_in(word, found.values)
        if isinstance(members, MemberGroups):
            masks = {name: sum(1 << index[m] for m in of if m in index) for name, of in members.of.items()}
            return Within(node, (found, variable(word, members.slot)), masks.__getitem__)
        mask = sum(1 << index[m] for m in members if m in index)
        return Within(node, (found,), lambda _: mask)

    def want(self, kind: str, part: Expression, help: str | None = None) -> Expression:
        """A part that must be of a kind."""
        if part.kind not in (kind, UNKNOWN):
            self.report(part.node.at, "wrong-value", f"{part}, not {kind}", help)
        return part if part.kind == kind else Constant(part.node, kind, NOTHING)

    def sides(self, a: Node, b: Node) -> tuple[Expression, Expression]:
        """Resolve both sides of a comparison; where both are words, the observable decides what the other means."""
        names, scope = self.names.vocabulary, self.names.scope
        of_a, of_b = (isinstance(side, Word) and side.text not in scope for side in (a, b))
        if not of_a or (of_b and (_text(a) in names or _text(b) not in names)):
            left = self.resolved(a)
            return left, self.beside(b, left)
        if isinstance(b, Word) and b.text in scope and _text(a) in names:
            left = self.resolved(a)
            if self.is_value(b, left):
                return left, self.beside(b, left)
        right = self.resolved(b)
        return self.beside(a, right), right

    def beside(self, part: Node, other: Expression) -> Expression:
        """Resolve a word as a member of the other side's Enum, else as a value."""
        if not isinstance(part, Word) or (part.text in self.names.scope and not self.is_value(part, other)):
            return self.resolved(part)
        if self.names.is_spelled(part):
            return self.value(part)
        domain, strange = other.values, part.text not in self.names.vocabulary and not part.literal
        if domain and (strange or domain.find(part.text) is not None):
            found = self.names.member(domain, part)
            partial = Partial(atoms.member(domain.sort, found)) if found is not None else NOTHING
            return Constant(part, other.kind, partial, domain)
        kind = self.names.kind_of(part.text) if strange and other.kind == INT else None
        if kind:
            help = "compare it with a number" + self.number_of(part, other)
            message = f"{other} and {part.text} is {of_kind(kind)}: they cannot be compared"
            self.report(part.at, "wrong-kind", message, help)
            return Constant(part, UNKNOWN)
        if strange and other.kind == UNKNOWN:
            self.names.unknown(part)
            return Constant(part, UNKNOWN)
        return self.resolved(part)

    def is_value(self, word: Word, other: Expression) -> bool:
        """True if a variable's name is that of a value of the other side, which nothing that it stands for can be."""
        slot, domain = self.names.scope[word.text], other.values
        return domain is not None and domain.find(word.text) is not None and not shared(domain, slot.members)

    def number_of(self, word: Word, other: Expression) -> str:
        """The suggestion for a word beside a number: the same number of the thing that it names, if there is one."""
        if not isinstance(other.node, Call):
            return ""
        function: Function | None = self.names.vocabulary.get(other.node.text)
        kinds = function.parameters if function is not None else ()
        same = len(kinds) == 1 and kinds[0].find(word.text) is not None
        return f", or with {other.node.text}({written_name(word.text)})" if same else ""

    def value(self, word: Word) -> Expression:
        """A word by itself: a constant, a variable, or an observable without arguments."""
        slot = None if word.literal else self.names.scope.get(word.text)
        if slot is not None:
            return variable(word, slot)
        if self.names.is_spelled(word):
            return self.spelled(word)
        if not word.literal:
            return self.call(Call(word.text, (), word.at))
        if word.text.isdigit():
            return Constant(word, INT, Partial(atoms.integer(int(word.text))))
        return Constant(word, BOOL, Partial(atoms.boolean(word.text == "true")))

    def spelled(self, word: Word) -> Expression:
        """A name with variables in braces, such as `left by {edge}`."""
        slots = {name: self.names.scope[name] for name in in_braces(word.text)}
        chosen = (dict(zip(slots, of, strict=True)) for of in product(*(slot.members for slot in slots.values())))
        names = dict.fromkeys(spelled_out(word.text, of) for of in chosen)
        domain = Domain(EnumSort(word.text, tuple(names) or (word.text,)))

        def made(parts: Sequence[Partial]) -> Partial:
            members = {name: str(p.value.value) for name, p in zip(slots, parts, strict=True)}
            return Partial(atoms.member(domain.sort, spelled_out(word.text, members)))

        each = [variable(Word(name, word.at), slot) for name, slot in slots.items()]
        return Worked(word, of_kind(word.text), each, made, values=domain)

    def call(self, node: Call) -> Expression:
        """Resolve a call."""
        return self.of_event(node) if node.text in (HAPPENS, ACTOR) else self.calls.resolve(node)

    def earlier(self, node: Operation, value: Expression) -> Expression:
        """Resolve `before`: the value as it was before the last event."""
        steps = self.steps
        earlier = steps.earlier if isinstance(steps, RefusedWords) else steps.before
        if isinstance(steps, RefusedWords) and earlier is None:
            self.refuse(BEFORE, node.at, steps)
        if earlier is None:
            return Constant(node, value.kind, values=value.values)
        inner = list(step_words(node.parts[0]))
        for word, at in inner:
            help = "it takes what is so in a position; say the rest beside it, with `and`"
            self.report(at, "not-here", f"{word} cannot stand inside {BEFORE}", help)

        def was(parts: Sequence[Partial]) -> Partial:
            return earlier(plain(parts[0]))

        return Worked(node, value.kind, (value,), was, decided=False, values=value.values)

    def of_event(self, node: Call) -> Expression:
        """Resolve `happens` or `actor`."""
        steps = self.steps
        if isinstance(steps, RefusedWords):
            self.refuse(node.text, node.at, steps)
            return Constant(node, BOOL)
        read = read_event if node.text == HAPPENS else read_actor
        words = {w.text for w in (*node.arguments, *(w for _, w in node.named)) if isinstance(w, Word)}
        scope = {name: slot for name, slot in self.names.scope.items() if name in words}

        def found(given: Sequence[str]) -> Partial:
            standing = dict(zip(scope, given, strict=True))
            made = read(steps, self.names.in_place_of_variables(node, standing), self.report)
            if made is not None and not self.names.scope and not scope:
                self.names.mentions |= dict.fromkeys(made[1])
            return NOTHING if made is None else Partial(made[0])

        if not scope:
            partial = found(())
            return Worked(node, BOOL, (), lambda _: partial, decided=False)
        found([slot.domain.sort.members[0] for slot in scope.values()])  # so that what is wrong of one is told

        def term(parts: Sequence[Partial]) -> Partial:
            partial = found([str(p.value.value) for p in parts])
            self.names.check()
            return partial

        each = [variable(Word(name, node.at), slot) for name, slot in scope.items()]
        return Worked(node, BOOL, each, term, decided=False)

    def refuse(self, word: str, at: int, refused: RefusedWords) -> None:
        """Report a word that may not stand here."""
        self.report(at, "not-here", f"{quoted(word)} {refused.why}", refused.help)


def _text(node: Node) -> str:
    return node.text if isinstance(node, Word) else ""
