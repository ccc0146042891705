"""Names of the goal language looked up in a rule set, and what is wrong with those that mean nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property

from vclogic.choices import by_command
from vclogic.errors import Diagnostic, InputError, did_you_mean, nearest, quoted
from vclogic.terms import atoms
from vclogic.terms.domain import Domain
from vclogic.terms.expressions.lexer import check_hex, hyphened, is_hex
from vclogic.terms.expressions.named import NOBODY
from vclogic.terms.expressions.syntax import Call, GoalSource, Node, Word, in_braces
from vclogic.terms.partial import Partial
from vclogic.terms.sorts import EnumSort, Sort
from vclogic.terms.typed.form import Constant, Env, Slot
from vclogic.terms.vocabulary import CountedKind, Function, help_with, kinds_of
from vclogic.words import amount, joined

COMPARE = "compare it with something: ... == NAME, or ... >= 1"
"""What to do about a value where something true or false is needed."""


@dataclass(frozen=True, slots=True)
class BoundVariable:
    """The member that a variable stands for."""

    kind: CountedKind
    member: str


def of_kind(noun: str) -> str:
    """A noun with its article."""
    vowel = noun[:1].lower() in "aeiou" and not noun.lower().startswith(("uni", "us ", "eu", "one"))
    return f"{'an' if vowel else 'a'} {noun}"


def names_needed(count: int) -> str:
    """So many names, in words."""
    return amount(count, "name") if count else "nothing"


def written_name(name: str, *, beside: bool = False) -> str:
    """A name as a goal has it, in parentheses or beside a comparison: in quotes where it needs them."""
    bare = r"(?!\d+$)\w[\w.]*" if beside else r"[\w./]+(?: [\w./]+)*"
    return name if re.fullmatch(bare, name) else f"'{name}'"


def expected_names(domain: Domain) -> str:
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
_AGAIN = re.compile(r"(\w[\w.]*(?:\([^()]*\))?)\s*(==|!=)\s*[^()=]*\b(?:or|and)\s+(?:not\s+)?$")
"""A comparison that a name is meant to go on with: `owner(hill) == Red or Blue`."""
_TURN = "turn"
MAX_WORK = 1_000_000
"""So many members a line may look at for each of the names that it is asked of, beside what the board rules out."""


@dataclass(frozen=True)
class MemberGroups:
    """The group that a variable is, for each member that it can stand for."""

    slot: Slot
    of: Mapping[str, frozenset[str]]


class NameLookup:
    """The names of one text.

    Args:
        source: The text.
        vocabulary: The observables by name.
        values: Where values of observables are kept; None: those of this text alone, each that it asks for.

    Attributes:
        vocabulary: The same.
        recorded: Whether it is told which values the text asks for.
        scope: The variables that can be spoken of here.
        slots: How many variables there are in all.
        mentions: Sort name and member name of each member that the text names.
        values: The observables that it uses, each with its values so far, by the names that it is asked of.
        errors: What is wrong so far.
    """

    def __init__(
        self,
        source: GoalSource,
        vocabulary: Mapping[str, Function],
        values: dict[str, dict[tuple[str, ...], Partial]] | None = None,
    ):
        self.source, self.vocabulary = source, vocabulary
        self.recorded = values is None
        self.scope: dict[str, Slot] = {}
        self.slots = 0
        self.mentions: dict[tuple[str, str], None] = {}
        self.values: dict[str, dict[tuple[str, ...], Partial]] = {} if values is None else values
        self.errors: list[Diagnostic] = []
        self.work = 0
        self._fitting: dict[Sort, CountedKind | None] = {}
        self._grouped: dict[tuple[str, str], Mapping[str, frozenset[str]]] = {}

    @cached_property
    def domains(self) -> list[Domain]:
        """The kinds of names that observables are asked of or are worth."""
        return [d for f in self.vocabulary.values() for d in (*f.parameters, f.values) if d]

    @cached_property
    def kinds(self) -> Mapping[str, CountedKind]:
        """The kinds that a variable can range over, by name."""
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

    def count_work(self, at: int) -> None:
        """Count a member that is looked at.

        Raises:
            InputError: There are too many.
        """
        self.work += 1
        if self.work > MAX_WORK:
            raise self.too_many(at)

    def too_many(self, at: int) -> InputError:
        """The error for a line that looks at too many members."""
        message = f"this asks for more than {MAX_WORK:,} things, one for each name that it looks at"
        return self.source.error(at, message, "look at fewer: a group, or one variable less", "limit")

    def failed(self, at: int, code: str, message: str, help: str | None = None) -> InputError:
        """The error for what shows only for some of the members that variables stand for."""
        return self.source.error(at, message, help, code)

    # ---- variables

    def new_slot(self, kind: CountedKind) -> Slot:
        """A variable of a kind."""
        self.slots += 1
        return Slot(self.slots - 1, kind)

    def nothing_bound(self) -> Env:
        """Places for what the variables of the text stand for."""
        self.work = 0
        return [""] * self.slots

    @contextmanager
    def bound(self, name: str, slot: Slot) -> Iterator[None]:
        """Let a name be that of a variable."""
        self.scope[name] = slot
        try:
            yield
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
                if name != kind and any(name in of.values() for of in self.kinds[kind].properties.values()):
                    message = f"{quoted(name)} would be the name of a variable here, and {kind}s can be of it"
                    help = f"write {kind} of {name}, or {kind} in GROUP of {name}"
                    self.report(word.at, "taken-name", message, help)
                    return None
                return name, self.kinds[kind]
        help = did_you_mean(word.text, self.kinds) or by_command("`vclogic rules GAME` lists what there is", _OFFERED)
        if word.text in self.vocabulary or self.kind_of(word.text):
            help = f"{help}; {quoted(word.text)} is none of them"
        self.report(word.at, "unknown-name", f"there is no kind of thing {quoted(word.text)}", help)
        return None

    def group(self, word: Word, kind: CountedKind) -> frozenset[str] | MemberGroups | None:
        """The members of a group of a kind, or of what a variable is; None, with a report, if there is none."""
        slot = self.scope.get(word.text)
        if slot is not None:
            grouped = self.grouped(slot.kind, kind)
            if any(grouped.values()):
                return MemberGroups(slot, grouped)
            message = f"{word.text} is {of_kind(slot.kind.name)}, no group of {kind.name}"
            owned = any(value in slot.members for of in kind.properties.values() for value in of.values())
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

    def begins(self, word: Word, kind: CountedKind) -> frozenset[str] | MemberGroups | None:
        """The places of a group from which a path may begin; None where a word is no group."""
        slot = self.scope.get(word.text)
        if slot is None:
            return None if kind.domain.find(word.text) is not None else kind.several(word.text)
        grouped = self.grouped(slot.kind, kind)
        return (
            MemberGroups(slot, grouped) if any(grouped.values()) and slot.kind.name not in kind.properties else None
        )

    def of_several(self, word: Word, values: Domain) -> bool:
        """True, with a report, if a variable can stand for a group of several names where one of them is needed."""
        slot = self.scope.get(word.text)
        kind = None if slot is None or slot.domain is values else self._kind_within(values)
        if slot is None or kind is None or slot.kind.name in (kind.name, *kind.properties):
            return False
        grouped = self.grouped(slot.kind, kind)
        larger = next((m for m in slot.members if len(grouped[m]) > 1), None)
        if larger is None:
            return False
        names = [m for m in kind.members if m in grouped[larger]]
        message = f"{word.text} is {of_kind(slot.kind.name)}, which may be several of {kind.name}"
        more = " ..." if len(names) > 3 else ""
        help = f"{larger} is {' and '.join(names[:3])}{more}: say which, as by {kind.name} in {word.text}"
        self.report(word.at, "wrong-kind", message, help)
        return True

    def _kind_within(self, values: Domain) -> CountedKind | None:
        """The kind of some names, or the largest that all are among them, such as the hexes where a unit can be."""
        if values.sort not in self._fitting:
            among = [k for k in self.kinds.values() if k.domain.sort == values.sort]
            among = among or [k for k in self.kinds.values() if values.sort.index.keys() >= {*k.members}]
            self._fitting[values.sort] = max(among, key=lambda k: len(k.members), default=None)
        return self._fitting[values.sort]

    def members_in(self, word: Word, values: Domain) -> frozenset[str] | MemberGroups:
        """The members of a group among some names; none, with a report, where there is no such group of any of them.

        A name also belongs to a group of what it is part of, as a Location of a hex, if a property is called so.

        Args:
            word: The group, or a variable that stands for what is one.
            values: The names.
        """
        slot = self.scope.get(word.text)
        fitting = [k for k in self.kinds.values() if k.shares(values)]
        if slot is not None:
            if not any(any(self.grouped(slot.kind, k).values()) for k in fitting):
                message = f"{word.text} is {of_kind(slot.kind.name)}, no group of {values.sort.name}"
                self.report(word.at, "wrong-kind", message)
            return MemberGroups(slot, {m: self._inside(list(self._groups_of(slot, m)), values) for m in slot.members})
        groups = list(self._groups_called(word))
        members = self._inside(groups, values)
        if not members and not any(kind in fitting for kind, _ in groups):  # else it has no members
            known = dict.fromkeys(n for k in fitting for n in (k.name, *k.every_group))
            near = did_you_mean(word.text, known) if known else "there are no groups of it"
            self.report(word.at, "unknown-name", f"there is no group {quoted(word.text)} of {values.sort.name}", near)
        return members

    def _inside(self, groups: Sequence[tuple[CountedKind, frozenset[str]]], values: Domain) -> frozenset[str]:
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
        return frozenset()

    def _groups_of(self, slot: Slot, member: str) -> Iterator[tuple[CountedKind, frozenset[str]]]:
        """The kinds that what a variable stands for is a group of, each with its members in it."""
        for kind in self.kinds.values():
            if inside := self.grouped(slot.kind, kind)[member]:
                yield kind, inside

    def _groups_called(self, word: Word) -> Iterator[tuple[CountedKind, frozenset[str]]]:
        """The kinds that a word is a group of, each with its members in it."""
        for kind in self.kinds.values():
            if word.text == kind.name:
                yield kind, frozenset(kind.members)
            elif word.text not in kind.domain.aliases and (named := kind.several(word.text)) is not None:
                yield kind, named
        for kind in self.kinds.values():
            if word.text in kind.domain.aliases:  # the own name of another counts first
                yield kind, kind.group(word.text)

    def written_out(self, part: Node, group: Word) -> Constant | None:
        """A name that is written out before `in`; None if that is none of what there are groups of."""
        if not isinstance(part, Word) or part.literal or part.text in (*self.scope, *self.vocabulary):
            return None
        kinds = [k for k in self.kinds.values() if k.domain.find(part.text) is not None]
        kind = next((k for k in kinds if group.text in (k.name, *k.every_group)), next(iter(kinds), None))
        found = None if kind is None else self.member(kind.domain, part)
        if kind is None or found is None:
            return None
        return Constant(part, kind.name, Partial(atoms.member(kind.domain.sort, found)), kind.domain)

    @staticmethod
    def in_place_of_variables(node: Call, standing: Mapping[str, str]) -> Call:
        """A call with the names for which variables stand."""

        def named(word: Word) -> Word:
            return Word(standing[word.text], word.at) if word.text in standing else word

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
            said = wrong.help if word.text in domain.refused else wrong.help or expected_names(domain)
            if word.text == kind:
                turn = self.vocabulary.get(_TURN)
                of_turn = turn is not None and turn.values is not None and turn.values.sort == domain.sort
                said = f"nothing says which {kind} it is: name one" + (f", or write {_TURN}" if of_turn else "")
            self.report(word.at, wrong.code, wrong.message, said)
            return None
        self.mentions[domain.sort.name, found] = None
        return found

    def is_spelled(self, word: Word) -> bool:
        """True if a name has variables in braces, such as `left by {edge}`."""
        inside = () if word.literal else in_braces(word.text)
        return bool(inside) and all(name in self.scope for name in inside)

    def alone(self, word: Word, beside: Domain | None = None) -> Constant | None:
        """A name that stands by itself, as what `if` chooses; None where nothing is called so.

        Args:
            beside: The names among which it is looked for first.
        """
        known = self.vocabulary.get(word.text)
        if (
            word.literal
            or word.text in self.scope
            or self.is_spelled(word)
            or (known is not None and not known.parameters)
        ):
            return None
        several = sorted(self.kinds.values(), key=lambda k: word.text not in k.domain.sort.index)
        named = (d for d in (beside, *(k.domain for k in several)) if d is not None and d.find(word.text) is not None)
        domain = next(named, None)
        if domain is None and (word.text == NOBODY or self.kind_of(word.text) is not None):
            only = Domain(EnumSort(word.text, (word.text,)))
            return Constant(word, word.text, Partial(atoms.member(only.sort, word.text)), only)
        found = None if domain is None else self.member(domain, word)
        if domain is None or found is None:
            return None
        return Constant(word, of_kind(domain.sort.name), Partial(atoms.member(domain.sort, found)), domain)

    def kind_of(self, name: str, but: str = "") -> str | None:
        """A kind other than `but` that has a member of this name."""
        return next((d.sort.name for d in self.domains if d.sort.name != but and d.find(name)), None)

    def kinds_like(self, domain: Domain) -> str:
        """The kinds of which each member is one of some names, as a help line proposes them; else those names."""
        fitting = [k.name for k in self.kinds.values() if domain.sort.index.keys() >= {*k.members}]
        return f"ask it of {joined([*map(of_kind, fitting)], 'or')}" if fitting else expected_names(domain)

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
            bare = self.source.text[node.at : node.at + 1] not in ("'", '"')
            hint = (hyphened(self.source.text, node.at) if bare else None) or help_with(self.vocabulary, node.text)
            if node.text in self.kinds:
                near = f"it is a kind: name one of them, or write count({node.text} where ...)"
            if any(node.text in k.relations for k in self.kinds.values()):
                hint = f"it has several values: write NAME in {node.text}(...)"
            hint = hint or _OTHER_WORDS.get(node.text) or near
            self.report(node.at, "unknown-name", f"unknown name {quoted(node.text)}", hint)
        elif isinstance(node, Call):
            message = f"{quoted(node.text)} is {of_kind(kind)}, which says nothing by itself"
            self.report(node.at, "wrong-kind", message, self._comparison(node))
        for word in node.arguments if isinstance(node, Call) and node.text not in _OTHER_WORDS else ():
            known = self.scope if isinstance(word, Word) else {**self.vocabulary, **self._properties}
            if word.text not in known:
                self.unknown(word)

    def _comparison(self, node: Call) -> str:
        """Help for a name that stands by itself: a comparison with it."""
        name = written_name(node.text, beside=True)
        if again := _AGAIN.search(self.source.text[: node.at].rstrip("'\"")):
            return f"say of each what is compared with it: {again[1]} {again[2]} {name}"
        fitting = [(o, f) for o, f in self.vocabulary.items() if f.values is not None and f.values.find(node.text)]
        if not fitting:
            return f"compare something with it: ... == {name}"
        called, function = min(fitting, key=lambda known: len(known[1].parameters))
        of = ", ".join(d.sort.name for d in function.parameters)
        return f"compare something with it, such as {called}{f'({of})' if of else ''} == {name}"


_OFFERED = "the names that there are are offered as one types"


def _near(name: str, names: Iterable[str]) -> str:
    """The names that are near, or where all of them stand."""
    return nearest(name, names) or by_command("`vclogic rules GAME` lists what can be asked about", _OFFERED)
