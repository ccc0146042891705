"""Names of the goal language looked up in a rule set, and what is wrong with those that mean nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property

from vclogic.choices import by_command
from vclogic.errors import Diagnostic, InputError, did_you_mean, nearest, quoted
from vclogic.terms import atoms
from vclogic.terms.domain import Domain
from vclogic.terms.lexer import check_hex, is_hex
from vclogic.terms.partial import Partial
from vclogic.terms.sorts import Sort
from vclogic.terms.syntax import Call, Form, GoalSource, Node, Word
from vclogic.terms.term import Term
from vclogic.terms.vocabulary import CountedKind, Function, help_with, kinds_of
from vclogic.words import amount

BOOL, INT, UNKNOWN = "true or false", "a number", ""
NOTHING = Partial(atoms.FALSE)
COMPARE = "compare it with something: ... == NAME, or ... >= 1"
"""What to do about a value where something true or false is needed."""


# ---- resolved nodes of a text in the goal language, and how they are called in messages


@dataclass(frozen=True, slots=True)
class Typed:
    """A resolved node.

    Attributes:
        node: The node.
        kind: Its kind in words; empty if unknown.
        partial: Its value; arbitrary if part of it is wrong.
        values: The names that it can be.
        name: The name that it always is, of a variable.
        cases: Its value in cases that exclude each other, where it is of something that changes; elsewhere undefined.
    """

    node: Node
    kind: str
    partial: Partial = NOTHING
    values: Domain | None = None
    name: str | None = None
    cases: Mapping[Term, Partial] | None = None

    def __str__(self) -> str:
        named = isinstance(self.node, Word | Call | Form)
        return f"{called(self.node) if named else 'this'} is {self.kind}"


@dataclass(frozen=True, slots=True)
class Bound:
    """The member that a variable stands for."""

    kind: CountedKind
    member: str


def called(node: Node) -> str:
    """What a message calls a name, a call, or one of the language's own words."""
    return node.text if isinstance(node, Word | Call) else node.word if isinstance(node, Form) else "this"


def of_kind(noun: str) -> str:
    """A noun with its article."""
    vowel = noun[:1].lower() in "aeiou" and not noun.lower().startswith(("uni", "us ", "eu", "one"))
    return f"{'an' if vowel else 'a'} {noun}"


def names_needed(count: int) -> str:
    """So many names, in words."""
    return amount(count, "name") if count else "nothing"


def written(name: str, *, beside: bool = False) -> str:
    """A name as a goal has it, in parentheses or beside a comparison: in quotes where it needs them."""
    bare = r"(?!\d+$)\w[\w.]*" if beside else r"[\w./]+(?: [\w./]+)*"
    return name if re.fullmatch(bare, name) else f"'{name}'"


def expected(domain: Domain) -> str:
    """The names that something can be, or the first of them."""
    names, more = domain.sort.members[:12], len(domain.sort.members) - 12
    return f"{domain.sort.name}: {', '.join(names)}" + (f" and {more} more" if more > 0 else "")


def expected_groups(kind: CountedKind, near: str = "") -> str | None:
    """The groups that a kind has, the nearest to a name first."""
    return did_you_mean(near, kind.every_group) if kind.every_group else "it has no groups"


MAX_ERRORS = 20
_EVERY, _ANY = "write no(KIND where not ...)", "write some(KIND where ...)"
_OTHER_WORDS = {"every": _EVERY, "each": _EVERY, "all": _EVERY, "forall": _EVERY, "any": _ANY, "exists": _ANY}
_OTHER_WORDS |= dict.fromkeys(("number", "how_many", "COUNT", "Count"), "write count(KIND where ...)")
MAX_WORK = 200_000
"""Names, calls and operations that variables may stand for, all together."""


class Names:
    """The names of one text.

    Args:
        source: The text.
        vocabulary: The observables by name.

    Attributes:
        vocabulary: The same.
        scope: The variables, each with what it stands for now.
        mentions: Sort name and member name of each member that the text names.
        values: The observables that it uses, each with its values so far, by the names that it is asked of.
        errors: What is wrong so far.
    """

    def __init__(self, source: GoalSource, vocabulary: Mapping[str, Function]):
        self.source, self.vocabulary = source, vocabulary
        self.scope: dict[str, Bound] = {}
        self.mentions: dict[tuple[str, str], None] = {}
        self.values: dict[str, dict[tuple[str, ...], Partial]] = {}
        self.errors: list[Diagnostic] = []
        self._work = 0
        self._fitting: dict[Sort, CountedKind | None] = {}
        self._grouped: dict[tuple[str, str], Mapping[str, frozenset[str]]] = {}

    @cached_property
    def domains(self) -> list[Domain]:
        """The kinds of names that observables are asked of or are worth."""
        return [d for f in self.vocabulary.values() for d in (*f.parameters, f.values) if d]

    @cached_property
    def kinds(self) -> Mapping[str, CountedKind]:
        """What a variable can range over, by name."""
        return kinds_of(self.vocabulary)

    @property
    def _properties(self) -> Mapping[str, Function]:
        """The properties of members of all kinds."""
        return {name: f for kind in self.kinds.values() for name, f in kind.functions.items()}

    # ---- mistakes

    def report(self, at: int, code: str, message: str, help: str | None = None) -> None:
        """Note a mistake.

        Raises:
            InputError: All that is wrong so far, if that is enough.
        """
        self.errors += self.source.error(at, message, help, code).diagnostics
        self.check(MAX_ERRORS)

    def check(self, most: int = 1) -> None:
        """Raise all mistakes, if there are so many.

        Raises:
            InputError: There are.
        """
        if len(self.errors) >= most:
            raise InputError(sorted(self.errors, key=lambda d: (d.line or 0, d.column or 0)))

    def worked(self, at: int) -> None:
        """Count one step of what variables stand for.

        Raises:
            InputError: There are too many.
        """
        self._work += 1
        if self._work > MAX_WORK:
            message = f"this asks for more than {MAX_WORK:,} things, one for each name that it looks at"
            raise self.source.error(at, message, "look at fewer: a group, or one variable less", "limit")

    # ---- variables

    @contextmanager
    def bound(self, name: str, kind: CountedKind) -> Iterator[Iterator[str]]:
        """Let a variable stand for each member of a kind in turn, as they are drawn from what is yielded."""

        def members() -> Iterator[str]:
            for member in kind.members:
                self.scope[name] = Bound(kind, member)
                yield member

        try:
            yield members()
        finally:
            self.scope.pop(name, None)

    def kind_named(self, word: Word) -> tuple[str, CountedKind] | None:
        """The variable and the kind of `hex` or `near hex`; None, with a report, if there is no such kind."""
        for name, kind in ((word.text, word.text), (word.text.partition(" ")[0], word.text.partition(" ")[2])):
            if kind in self.kinds:
                if name in self.scope:
                    help = f"give it a name of its own: other {kind}"
                    self.report(word.at, "unknown-name", f"{quoted(name)} stands for something already", help)
                    return None
                return name, self.kinds[kind]
        help = did_you_mean(word.text, self.kinds) or by_command("`vclogic rules GAME` lists what there is", _OFFERED)
        if word.text in self.vocabulary or self.kind_of(word.text):
            help = f"{help}; {quoted(word.text)} is none of them"
        self.report(word.at, "unknown-name", f"there is no kind of thing {quoted(word.text)}", help)
        return None

    def group(self, word: Word, kind: CountedKind) -> frozenset[str] | None:
        """The members of a group of a kind; None, with a report, if there is no such group."""
        bound = self.scope.get(word.text)
        if bound is not None:
            grouped = self.grouped(bound.kind, kind)
            if any(grouped.values()):
                return grouped[bound.member]
            message = f"{word.text} is {of_kind(bound.kind.name)}, no group of {kind.name}"
            owned = any(value == bound.member for of in kind.properties.values() for value in of.values())
            help = f"for what is its own write {kind.name} of {word.text}" if owned else expected_groups(kind)
            self.report(word.at, "wrong-kind", message, help)
            return None
        try:
            return kind.group(word.text)
        except InputError as error:
            (wrong,) = error.diagnostics
            help = expected_groups(kind, word.text)
            self.report(word.at, wrong.code, f"{quoted(word.text)} is no group of {kind.name}", help)
            return None

    def grouped(self, larger: CountedKind, kind: CountedKind) -> Mapping[str, frozenset[str]]:
        """For each member of a kind, the members of another in the group that it is: of a place, its hexes."""
        key = larger.name, kind.name
        if key not in self._grouped:
            self._grouped[key] = {m: kind.grouped_by(larger.name, m) for m in larger.members}
        return self._grouped[key]

    def begins(self, word: Word, kind: CountedKind) -> frozenset[str] | None:
        """The places of a group from which a path may begin; None where a word is no group."""
        bound = self.scope.get(word.text)
        if bound is None:
            return None if kind.domain.find(word.text) is not None else kind.several(word.text)
        grouped = self.grouped(bound.kind, kind)
        return grouped[bound.member] if any(grouped.values()) and bound.kind.name not in kind.properties else None

    def of_several(self, word: Word, values: Domain) -> bool:
        """True, with a report, if a variable stands for a group of several names where one of them is needed."""
        bound = self.scope.get(word.text)
        kind = None if bound is None or bound.kind.domain is values else self._kind_within(values)
        if bound is None or kind is None or bound.kind.name in (kind.name, *kind.properties):
            return False
        members = self.grouped(bound.kind, kind)[bound.member]
        if len(members) < 2:
            return False
        some = " and ".join([m for m in kind.members if m in members][:3])
        message = f"{word.text} is {of_kind(bound.kind.name)}, which may be several of {kind.name}"
        more = " ..." if len(members) > 3 else ""
        help = f"{bound.member} is {some}{more}: say which, as by {kind.name} in {word.text}"
        self.report(word.at, "wrong-kind", message, help)
        return True

    def _kind_within(self, values: Domain) -> CountedKind | None:
        """The kind of some names, or the largest that all are among them, such as the hexes where a unit can be."""
        if values.sort not in self._fitting:
            among = [k for k in self.kinds.values() if k.domain.sort == values.sort]
            among = among or [k for k in self.kinds.values() if values.sort.index.keys() >= {*k.members}]
            self._fitting[values.sort] = max(among, key=lambda k: len(k.members), default=None)
        return self._fitting[values.sort]

    def members_in(self, word: Word, values: Domain) -> frozenset[str]:
        """The members of a group among some names; none, with a report, where there is no such group of any of them.

        A name also belongs to a group of what it is part of, as a Location of a hex, if a property is called so.

        Args:
            word: The group, or a variable that stands for what is one.
            values: The names.
        """
        groups = list(self._groups_called(word))
        for _, inside in groups:
            members = inside.intersection(values.sort.index)
            if members:
                return members
        for kind in self.kinds.values():
            for larger, inside in groups:
                of = kind.properties.get(larger.name, {})
                members = frozenset(m for m in of if of[m] in inside)
                if not members.isdisjoint(values.sort.index):
                    return members
        bound = self.scope.get(word.text)
        fitting = [k for k in self.kinds.values() if k.shares(values)]
        if bound is not None:
            if not any(any(self.grouped(bound.kind, k).values()) for k in fitting):
                message = f"{word.text} is {of_kind(bound.kind.name)}, no group of {values.sort.name}"
                self.report(word.at, "wrong-kind", message)
        elif not any(kind in fitting for kind, _ in groups):  # else it has no members
            known = dict.fromkeys(n for k in fitting for n in (k.name, *k.every_group))
            near = did_you_mean(word.text, known) if known else "there are no groups of it"
            self.report(word.at, "unknown-name", f"there is no group {quoted(word.text)} of {values.sort.name}", near)
        return frozenset()

    def _groups_called(self, word: Word) -> Iterator[tuple[CountedKind, frozenset[str]]]:
        """The kinds that a word is a group of, each with its members in it."""
        bound = self.scope.get(word.text)
        for kind in self.kinds.values():
            if bound is not None:
                if inside := self.grouped(bound.kind, kind)[bound.member]:
                    yield kind, inside
            elif word.text == kind.name:
                yield kind, frozenset(kind.members)
            elif word.text not in kind.domain.aliases and (named := kind.several(word.text)) is not None:
                yield kind, named
        for kind in self.kinds.values():
            if bound is None and word.text in kind.domain.aliases:  # the own name of another counts first
                yield kind, kind.group(word.text)

    def written_out(self, part: Node, group: Word) -> Typed | None:
        """A name that is written out before `in`; None if that is none of what there are groups of."""
        if not isinstance(part, Word) or part.literal or part.text in (*self.scope, *self.vocabulary):
            return None
        kinds = [k for k in self.kinds.values() if k.domain.find(part.text) is not None]
        kind = next((k for k in kinds if group.text in (k.name, *k.every_group)), next(iter(kinds), None))
        found = None if kind is None else self.member(kind.domain, part)
        if kind is None or found is None:
            return None
        return Typed(part, kind.name, Partial(atoms.member(kind.domain.sort, found)), kind.domain)

    def in_place_of_variables(self, node: Call) -> Call:
        """A call with the names for which variables stand."""

        def named(word: Word) -> Word:
            bound = self.scope.get(word.text)
            return word if bound is None else Word(bound.member, word.at)

        arguments = tuple(named(a) if isinstance(a, Word) else a for a in node.arguments)
        return replace(node, arguments=arguments, named=tuple((n, named(w)) for n, w in node.named))

    # ---- members

    def member(self, domain: Domain, word: Word) -> str | None:
        """The member that a word names; an unknown name is reported."""
        try:
            found = domain.resolve(word.text)
        except InputError as error:
            (wrong,), kind = error.diagnostics, domain.sort.name
            other = None if word.text in domain.refused else self.kind_of(word.text, but=kind)
            if other:
                wrong = Diagnostic("wrong-kind", f"{quoted(word.text)} is {of_kind(other)}, not {of_kind(kind)}")
            said = wrong.help if word.text in domain.refused else wrong.help or expected(domain)
            self.report(word.at, wrong.code, wrong.message, said)
            return None
        self.mentions[domain.sort.name, found] = None
        return found

    def kind_of(self, name: str, but: str = "") -> str | None:
        """A kind other than `but` that has a member of this name."""
        return next((d.sort.name for d in self.domains if d.sort.name != but and d.find(name)), None)

    def check_hexes(self, words: Iterable[Word | Call], domains: Iterable[Domain]) -> None:
        """Raise an error at an unquoted hex, where names may be hexes.

        Raises:
            InputError: There is one.
        """
        if any(is_hex(name) for d in domains for name in d.sort.members):
            for word in words:
                check_hex(self.source, word.at)

    def unknown(self, node: Word | Call) -> None:
        """Report a name that no observable has."""
        kind = self.kind_of(node.text)
        if not kind or (isinstance(node, Call) and node.arguments):
            members = (n for d in self.domains for n in (*d.sort.members, *d.aliases))
            names = self.vocabulary if isinstance(node, Call) else [*self.vocabulary, *self.scope, *members]
            given = len(node.arguments) if isinstance(node, Call) else 0
            fitting = [n for n in names if n not in self.vocabulary or len(self.vocabulary[n].parameters) == given]
            near = nearest(node.text, fitting) or _near(node.text, names)
            hint = help_with(self.vocabulary, node.text) or _OTHER_WORDS.get(node.text) or near
            self.report(node.at, "unknown-name", f"unknown name {quoted(node.text)}", hint)
        elif isinstance(node, Call):
            message = f"{quoted(node.text)} is {of_kind(kind)}, which says nothing by itself"
            help = f"compare something with it: ... == {written(node.text, beside=True)}"
            self.report(node.at, "wrong-kind", message, help)
        for word in node.arguments if isinstance(node, Call) and node.text not in _OTHER_WORDS else ():
            known = self.scope if isinstance(word, Word) else {**self.vocabulary, **self._properties}
            if word.text not in known:
                self.unknown(word)


_OFFERED = "the names that there are are offered as one types"


def _near(name: str, names: Iterable[str]) -> str:
    """The names that are near, or where all of them stand."""
    return nearest(name, names) or by_command("`vclogic rules GAME` lists what can be asked about", _OFFERED)
