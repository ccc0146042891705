"""The names of some texts of rules over a game: kinds, groups, moments, observables, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from itertools import product
from math import prod
from typing import Any, Protocol, TypeVar

from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.model.fluents import Family
from vclogic.model.rules import Observable, Option, Reading
from vclogic.model.system import HOLDS, Settings, System
from vclogic.rulebook.meaning.earlier import Earlier
from vclogic.rulebook.meaning.happening import Occurrence
from vclogic.rulebook.meaning.secrets import Secrets
from vclogic.rulebook.meaning.some import some
from vclogic.rulebook.source import RulesSource
from vclogic.rulebook.statements import (
    EACH_SIDE,
    END,
    ONCE,
    PHASE_ENDS,
    PHASE_STARTS,
    ROUND_ENDS,
    ROUND_STARTS,
    TURN_ENDS,
    TURN_STARTS,
    Moment,
    NamedGroup,
    Statement,
    calls,
)
from vclogic.terms.atoms import FALSE, TRUE, constant, integer
from vclogic.terms.build import not_
from vclogic.terms.domain import Domain
from vclogic.terms.expressions.event_words import ONLY_REACH, WORDS
from vclogic.terms.expressions.lexer import CLAUSES, JOINING, TRUTHS, check_hex
from vclogic.terms.expressions.line import Argument, Line, MembersLine, Typed, Values
from vclogic.terms.expressions.names import COMPARE, BoundVariable
from vclogic.terms.expressions.syntax import (
    FORMS,
    SHARED,
    Binder,
    Call,
    GoalSource,
    Node,
    Word,
    free_words,
)
from vclogic.terms.partial import Partial
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Term
from vclogic.terms.typed.form import BOOL
from vclogic.terms.vocabulary import CountedKind, Vocabulary, of_sides

MOST_CASES = 200_000
"""So many members the names of kinds of a line may stand for together."""
MET = "met"
"""The facts that remember which outcomes were met at their moments."""
LOST = "has_lost"
"""The facts that remember which of more than two sides are out, and by what."""
_OWN = (*(w for w in FORMS if w not in SHARED), *CLAUSES, *JOINING, *TRUTHS, *WORDS, "if", MET, LOST, HOLDS)
"""Words of the language, which nothing can be called."""
Bindings = Mapping[str, BoundVariable]
T = TypeVar("T")


class Statements:
    """The statements of some texts, and what is wrong with them.

    Args:
        sources: The texts.
    """

    def __init__(self, sources: Sequence[RulesSource]):
        self.sources = sources
        self._wrong: list[Diagnostic] = []
        self._unknown: set[str] = set()

    @contextmanager
    def at(self, source: RulesSource, unknown: str = "") -> Iterator[None]:
        """Collect what is wrong.

        Args:
            unknown: A name that means nothing then; nobody is told that it is unknown.
        """
        try:
            yield
        except InputError as error:
            self._wrong += error.diagnostics
            self._unknown.add(f"unknown name {quoted(unknown)}")
            self._unknown |= {f"{quoted(unknown)} is no group of {kind}" for kind in self._kinds()}

    def _kinds(self) -> Iterable[str]:
        """The kinds of things of which there may be groups."""
        return ()

    def check(self) -> None:
        """Raise all that is wrong so far.

        Raises:
            InputError: Something is.
        """
        if self._wrong:
            placed = {s.label: s for s in self.sources}
            told = [d for d in dict.fromkeys(self._wrong) if d.message not in self._unknown]
            told.sort(key=lambda d: (d.file or "", d.line or 0, d.column or 0))
            raise InputError([placed[d.file].placed(d) if d.file in placed else d for d in told])

    @cached_property
    def called(self) -> frozenset[str]:
        """The words that lines ask of something in parentheses."""
        return frozenset(c.text for source in self.sources for s in source.statements for c in calls(s.content))

    def each(self, kind: type[T]) -> Iterator[tuple[RulesSource, Statement, T]]:
        """The statements of a kind, each with its text."""
        for source in self.sources:
            for statement in source.statements:
                if isinstance(statement.content, kind):
                    yield source, statement, statement.content


class CommonLines(Protocol):
    """All that is the same in a rule set under other Readings."""

    @property
    def names(self) -> TextNames:
        """The names of that rule set, and its lines, typed."""

    def keeps(self, *parts: object) -> bool:
        """True if statements, or parts of them, look up no Reading that differs."""


_GROUP = "a group of "


class TextNames(Statements):
    """The names that the statements of some texts can speak of.

    Args:
        system: The game, without the outcomes that the texts leave out.
        sources: The texts.
        on_a_board: Whether a board fills them, so that there may be none of what they speak of.
        common: What is the same as under other Readings; None: there is nothing to share.

    Attributes:
        on_a_board: The same.
        common: The same.
        known: The observables by name, those of the texts too.
        kinds: The kinds by name, with the groups that the texts add.
        grouped: The kinds that have more groups than in the game.
        listed: The groups whose members the texts list.
        observables: Those of the texts.
        families: The facts of the texts by name.
        secrets: Those that a side keeps from the other.
        earlier: Those that remember what was so before the last event.
    """

    def __init__(
        self,
        system: System,
        sources: Sequence[RulesSource],
        *,
        on_a_board: bool = False,
        common: CommonLines | None = None,
    ):
        super().__init__(sources)
        self.system, self.on_a_board, self.common = system, on_a_board, common
        self._spoken: Vocabulary[Observable] | None = None
        self.known: dict[str, Observable] = dict(system.vocabulary)
        self.kinds: dict[str, CountedKind] = dict(system.vocabulary.kinds)
        self.kinds.setdefault(EACH_SIDE, of_sides(Domain(EnumSort(EACH_SIDE, tuple(system.sides)))))
        self.grouped: dict[str, CountedKind] = {}
        self.listed: list[tuple[str, tuple[str, ...]]] = []
        self.observables: list[Observable] = []
        self.families: dict[str, Family] = {}
        self.lacking: dict[str, Family] = {}  # facts that are not there under these settings
        self.secrets = Secrets()
        self.earlier = Earlier(system, self.families, self.secrets)
        self._lines: dict[tuple[Hashable, ...], Any] = {}
        self._values: Values = {}
        if common is not None:
            base = common.names
            self.kinds, self.grouped, self.listed = {**base.kinds}, {**base.grouped}, [*base.listed]
        for source, _, group in self.each(NamedGroup) if common is None else ():
            with self.at(source, unknown=group.name.text):
                if group.name.text in self.kinds or any(group.name.text in k.groups for k in self.kinds.values()):
                    raise taken(source, group.name, self._meaning(group.name.text))
                for kind, members in self._grouped(source, group):
                    if group.binder is None:
                        self.listed.append((group.name.text, members))
                    found = replace(kind, groups={**kind.groups, group.name.text: members})
                    self.kinds[kind.name] = self.grouped[kind.name] = found
                    self._spoken = None

    # ---- names

    def _kinds(self) -> Iterable[str]:
        return self.kinds

    @property
    def vocabulary(self) -> Vocabulary[Observable]:
        """All that the texts can speak of."""
        if self._spoken is None or len(self._spoken) != len(self.known):
            kinds = tuple(self.kinds.values())
            self._spoken = Vocabulary(self.known, self.system.vocabulary.elsewhere, kinds)
            self._spoken.steps = replace(ONLY_REACH, earlier=self.earlier.before)
        return self._spoken

    def _grouped(self, source: RulesSource, group: NamedGroup) -> list[tuple[CountedKind, tuple[str, ...]]]:
        """The kinds that a group is of, each with its members: names may be those of a hex and of a building."""
        if group.binder is not None:
            line = self.members(source, group.binder, {})
            kind, where = line.kind, line.where({})
            open_ = next((m for m, w in where.items() if not w.is_const), None)
            if open_ is not None:
                message = f"whether {open_} belongs to the group {group.name.text} can change in the game"
                help = "name what the board alone decides; what can change stands behind `where` of a count"
                raise source.goal.error(group.binder.kind.at, message, help, "wrong-value")
            return [(kind, tuple(m for m, w in where.items() if w is TRUE))]
        kinds = self.kinds.values()
        known = {k.name: [_named(k, m.text) for m in group.members] for k in kinds}
        # A hex may also be another name of its Location, and the name of a building: it is what is called so itself.
        others = {k.name: sum(m.text in k.domain.aliases for m in group.members) for k in kinds}
        ranks = {n: (found.count(()), others[n]) for n, found in known.items()}
        best = [n for n in known if ranks[n] == min(ranks.values())]
        kind = self.kinds[best[0]]
        strange = [m for m, found in zip(group.members, known[kind.name], strict=True) if not found]
        for word in strange:
            check_hex(source.goal, word.at)
        if len(strange) == len(group.members):
            word = strange[0]
            names = (m for k in kinds for m in k.members)
            help = did_you_mean(word.text, names) or "write group NAME: KIND where ..., or the names of members"
            raise source.goal.error(word.at, f"nothing is called {quoted(word.text)}", help, "unknown-name")
        if strange:
            found = [
                d
                for word in strange
                for d in source.goal.error(
                    word.at,
                    f"there is no {kind.name} {quoted(word.text)}",
                    did_you_mean(word.text, kind.members),
                    "unknown-name",
                ).diagnostics
            ]
            raise InputError(found)
        return [(self.kinds[n], tuple(dict.fromkeys(m for found in known[n] for m in found))) for n in best]

    def new_name(self, source: RulesSource, word: Word) -> None:
        """Make sure that a name means nothing yet.

        Raises:
            InputError: It means something.
        """
        means = self._meaning(word.text)
        if means and not means.startswith(_GROUP):  # a group is asked for where no value can stand
            raise taken(source, word, means)

    def is_chosen(self, name: str) -> bool:
        """True if a name is that of an option or a Reading."""
        return name in self.known and self.known[name].text == _CHOSEN.format(name)

    def _meaning(self, name: str) -> str:
        """A name's meaning in a few words; empty where it has none."""
        group_of = next((k.name for k in self.kinds.values() if name in k.groups), "")
        meanings = (
            ("a word of the language", name in _OWN),
            ("a kind of thing", name in self.kinds),
            ("a fact of these rules", name in self.families or name in self.lacking),
            ("a value that these rules define", name in self.known and name not in self.system.vocabulary),
            ("a value of the game, which goals may ask for", name in self.known),
            ("a fact of the game, as position files have it", name in self.system.layout.families),
            ("an event of the game", name in self.system.schemas),
            (f"{_GROUP}{group_of}", bool(group_of)),
        )
        return next((means for means, so in meanings if so), "")

    def parameters(self, source: RulesSource, words: Sequence[Word | Binder]) -> tuple[tuple[str, CountedKind], ...]:
        """The variables and kinds of parameters; of some members alone a kind of these.

        Raises:
            InputError: There is no such kind, or the board does not decide which members they are.
        """
        found: list[tuple[str, CountedKind]] = []
        for given in words:
            word = given.kind if isinstance(given, Binder) else given
            first, _, rest = word.text.partition(" ")
            name, kind = (word.text, word.text) if word.text in self.kinds else (first, rest)
            if kind not in self.kinds:
                help = did_you_mean(word.text, self.kinds) or "`vclogic rules GAME` lists what there is"
                message = f"there is no kind of thing {quoted(word.text)}"
                raise source.goal.error(word.at, message, help, "unknown-name")
            if name in dict(found):
                message, help = f"{quoted(name)} stands here twice", f"name the second one: other {kind}"
                raise source.goal.error(word.at, message, help, "taken-name")
            found.append((name, some(self, source, given) if isinstance(given, Binder) else self.kinds[kind]))
        return tuple(found)

    def asked_of(
        self, source: RulesSource, words: Sequence[Word]
    ) -> tuple[tuple[tuple[str, CountedKind], ...], bool]:
        """The variables and kinds of what a definition is asked of, and whether it is about some members alone.

        Raises:
            InputError: There is no such kind, and nothing is called so.
        """
        of_some = False
        kinds: list[Word] = []
        for word in words:
            kind = next((k for k in self.kinds.values() if k.domain.find(word.text) is not None), None)
            is_kind = word.text in self.kinds or word.text.partition(" ")[2] in self.kinds
            of_some = of_some or (kind is not None and not is_kind)
            kinds.append(word if kind is None or is_kind else Word(kind.name, word.at))
        return self.parameters(source, kinds), of_some

    def free_kinds(
        self, source: RulesSource, nodes: Sequence[Node], bound: Collection[str]
    ) -> Iterator[dict[str, BoundVariable]]:
        """The members that names of kinds in expressions stand for, where no variable is called so: each in turn.

        Args:
            source: The text.
            nodes: The expressions.
            bound: The variables around them.
        """
        kinds = self.free(source, nodes, bound)
        for chosen in product(*(k.members for k in kinds)):
            yield {k.name: BoundVariable(k, member) for k, member in zip(kinds, chosen, strict=True)}

    def free(self, source: RulesSource, nodes: Sequence[Node], bound: Collection[str]) -> list[CountedKind]:
        """The kinds whose names stand for each of their members in some expressions; arguments as in `free_kinds`.

        Raises:
            InputError: They have too many members together.
        """
        words = {
            w.text for node in nodes for w in free_words(node) if w.text in self.kinds and w.text not in self.known
        }
        kinds = [self.kinds[w] for w in self.kinds if w in words and w not in bound]
        if prod(len(k.members) for k in kinds) > MOST_CASES:
            message = (
                f"this asks for more than {MOST_CASES:,} things, one for each {' and '.join(k.name for k in kinds)}"
            )
            raise source.goal.error(next(iter(nodes)).at, message, "ask of fewer", "limit")
        return kinds

    def keeps(self, *parts: object) -> bool:
        """True if statements, or parts of them, are the same as under the Readings of the rule set beside it."""
        return self.common is not None and self.common.keeps(*parts)

    def resolved(self, source: RulesSource, node: Node, bound: Bindings) -> Typed:
        """The meaning of an expression of a text.

        Raises:
            InputError: All that is wrong with it.
        """
        return self.line(source, node, {name: b.kind for name, b in bound.items()}).typed(bound)

    def line(self, source: RulesSource, node: Node, kinds: Mapping[str, CountedKind], *, name: bool = False) -> Line:
        """An expression of a text, typed once for the kinds of its variables.

        Args:
            name: Whether it may be a name by itself.

        Raises:
            InputError: All that is wrong with it.
        """
        if self.common is not None and self.common.keeps(node):
            return self.common.names.line(source, node, kinds, name=name)
        key = Line, id(node), name
        return self._once(key, kinds, node, lambda: Line(*self._at(source), kinds, node, name=name))

    def members(self, source: RulesSource, binder: Binder, kinds: Mapping[str, CountedKind]) -> MembersLine:
        """The meaning of a condition on the members of a kind; as `line`."""
        if self.common is not None and self.common.keeps(binder):
            return self.common.names.members(source, binder, kinds)
        return self._once(
            (MembersLine, id(binder)), kinds, binder, lambda: MembersLine(*self._at(source), kinds, binder)
        )

    def within(self, source: RulesSource, binder: Binder, kinds: Mapping[str, CountedKind]) -> list[MembersLine]:
        """The meaning of conditions on the members of some kinds, one within the other; as `line`."""
        found: list[MembersLine] = []
        for one in binder.each:
            found.append(self.members(source, one, kinds))
            kinds = {**kinds, found[-1].name: found[-1].kind}
        return found

    def arguments(
        self, source: RulesSource, fact: Call | Word, family: Family, kinds: Mapping[str, CountedKind]
    ) -> list[Argument]:
        """The arguments of the fact that a line changes.

        Raises:
            InputError: It is asked of something else.
        """
        given = fact.arguments if isinstance(fact, Call) else ()
        if len(given) != len(family.indices):
            of = ", ".join(d.sort.name for d in family.indices)
            help = f"write {fact.text}({of})" if of else f"write {fact.text} alone"
            raise source.goal.error(fact.at, f"{fact.text} is not asked of {len(given)} names", help, "arguments")
        pairs = zip(family.indices, given, strict=True)
        return [self.argument(source, argument, domain, kinds) for domain, argument in pairs]

    def argument(
        self, source: RulesSource, node: Word | Call, domain: Domain, kinds: Mapping[str, CountedKind]
    ) -> Argument:
        """The argument of a fact, as one of the names of a domain; as `line`."""
        if self.common is not None and self.common.keeps(node):
            return self.common.names.argument(source, node, domain, kinds)
        key = Argument, id(node), id(domain)
        return self._once(key, kinds, (node, domain), lambda: Argument(*self._at(source), kinds, node, domain))

    def _at(self, source: RulesSource) -> tuple[GoalSource, Vocabulary[Observable], Values]:
        return source.goal, self.vocabulary, self._values

    def _once(
        self, key: tuple[Hashable, ...], kinds: Mapping[str, CountedKind], alive: object, make: Callable[[], T]
    ) -> T:
        """The typed form for a node and the kinds of its variables, made once; the node is kept alive with it."""
        whole = (*key, *((name, id(kind)) for name, kind in kinds.items()))
        if whole not in self._lines:
            self._lines[whole] = make(), alive, tuple(kinds.values())
        found: T = self._lines[whole][0]
        return found

    def condition(self, source: RulesSource, node: Node | None, bound: Bindings) -> Partial:
        """A condition; true where there is none.

        Raises:
            InputError: It is none.
        """
        if node is None:
            return Partial(TRUE)
        line = self.true_or_false(source, node, {name: b.kind for name, b in bound.items()})
        return Partial(FALSE, FALSE) if line.means_nothing(bound) else line.typed(bound).partial

    def true_or_false(self, source: RulesSource, node: Node, kinds: Mapping[str, CountedKind]) -> Line:
        """A condition as a line.

        Raises:
            InputError: It is none.
        """
        line = self.line(source, node, kinds)
        if line.root.kind != BOOL:
            message = f"{line.root}, and a condition is true or false"
            raise source.goal.error(line.root.node.at, message, COMPARE, "wrong-value")
        return line

    # ---- moments

    def moment(self, source: RulesSource, moment: Moment, bound: Bindings) -> Moment:
        """A moment for the members that variables stand for.

        Raises:
            InputError: Whose turn it is about can change.
        """
        if not moment.asks:
            return moment.bound({n: b.member for n, b in bound.items()})
        assert moment.of is not None, "it asks"
        found = self.resolved(source, moment.of, bound)
        value = found.partial.value
        if found.values is None or not value.is_const or found.partial.defined is not TRUE:
            message = f"{found}, which does not say whose turn it is"
            help = "name what the board alone decides: a side, enemy(side), or a column of sides such as side(unit)"
            raise source.goal.error(moment.of.at, message, help, "wrong-value")
        return replace(moment, of=Word(str(value.value), moment.of.at))

    def happening(self, source: RulesSource, moment: Moment, at: int) -> Occurrence:
        """When a moment is.

        Args:
            at: Where the line begins that names it.

        Raises:
            InputError: The game has no such moment.
        """
        if moment.name == ONCE:
            return Occurrence(ONCE, (TRUE,))
        moments = self.system.moments
        if moment.name in (TURN_ENDS, TURN_STARTS):
            powers = self._turns(source, moment, at)
            of = moments.turn_ends if moment.name == TURN_ENDS else moments.turn_starts
            exact = tuple(moments.exact[moment.name, p] for p in powers if moments.exact)
            return Occurrence(moment.name, tuple(of[p] for p in powers), exact)
        if moment.name in (PHASE_ENDS, PHASE_STARTS):
            return self._phases(source, moment, at)
        term = {END: self.system.ends}.get(moment.name)
        if moment.name != END:
            term = moments.round_ends if "end" in moment.name else moments.round_starts
        if term is None:
            what = "end that could be judged" if moment.name == END else "rounds"
            raise self._no_moment(source, at, f"this game has no {what}")
        exact = () if moment.name == END else tuple(x for key, x in moments.exact.items() if key == (moment.name, ""))
        return Occurrence(moment.name, (term,), exact)

    def _turns(self, source: RulesSource, moment: Moment, at: int) -> tuple[str, ...]:
        """The sides or powers whose turns a moment is about."""
        moments = self.system.moments
        of = moments.turn_starts if moment.name in (TURN_STARTS, PHASE_STARTS) else moments.turn_ends
        if not of:
            raise self._no_moment(source, at, "this game has no turns")
        if moment.of is None:
            return tuple(of)
        name = next((a for a in (moment.whose, self.system.aliases.get(moment.whose, "")) if a), "")
        own = (name, *self.system.sides.get(name, ()))
        if isinstance(moment.of, Call):  # of all others
            side = name if name in self.system.sides else self.system.side_of(name)
            own = () if side is None else tuple(n for s, p in self.system.sides.items() if s != side for n in (s, *p))
        powers = [p for p in own if p in of]
        if not powers:
            help = did_you_mean(name, [*of, *self.system.sides])
            raise source.goal.error(moment.of.at, f"there is no turn of {quoted(name)}", help, "unknown-name")
        return tuple(dict.fromkeys(powers))

    def _phases(self, source: RulesSource, moment: Moment, at: int) -> Occurrence:
        """When phases begin or end."""
        moments = self.system.moments
        if not moments.phases:
            raise self._no_moment(source, at, "this game has no phases")
        if moment.phase is not None and moment.phase.text not in moments.phases:
            help = did_you_mean(moment.phase.text, moments.phases) or f"phases: {', '.join(moments.phases)}"
            message = f"there is no phase {quoted(moment.phase.text)}"
            raise source.goal.error(moment.phase.at, message, help, "unknown-name")
        named = tuple(moments.phases) if moment.phase is None else (moment.phase.text,)
        pairs = [(phase, p) for phase in named for p in self._turns(source, moment, at)]
        exact = tuple(moments.exact[moment.name, f"{phase} of {p}"] for phase, p in pairs)
        terms = (moments.phases[phase] for phase in named)
        shown = terms if moment.name == PHASE_STARTS else map(not_, terms)
        return Occurrence(moment.name, tuple(shown), exact)

    def _no_moment(self, source: RulesSource, at: int, message: str) -> InputError:
        return source.goal.error(at, message, f"it has: {', '.join(moments_of(self.system))}", "not-here")

    def keep_secrets(self) -> None:
        """Hide what would tell of a secret fact: each side sees the values that rest on nothing of the other's."""
        if not self.secrets.there:
            return
        for i, o in enumerate(self.observables):
            if o.seen is None:
                hidden = replace(o, seen=self.secrets.seen_of(o))
                self.observables[i] = hidden
                if self.known.get(o.name) is o:
                    self.known[o.name] = hidden

    def know(
        self,
        source: RulesSource,
        statement: Statement,
        name: str,
        parameters: tuple[Domain, ...],
        term: Callable[..., Term | Partial],
        values: Domain | None,
        seen: Callable[..., Term] | None = None,
    ) -> None:
        """Make something known that goals can speak of."""
        cites = source.cites(statement)
        found = Observable(name, parameters, term, statement.text, cites, values, seen=seen)
        self.known[name] = found
        self.observables.append(found)


def moments_of(system: System) -> tuple[str, ...]:
    """The moments that a game has, as texts of rules name them."""
    moments = system.moments
    there = {
        ONCE: True,
        TURN_STARTS: bool(moments.turn_starts),
        TURN_ENDS: bool(moments.turn_ends),
        ROUND_STARTS: moments.round_starts is not None,
        ROUND_ENDS: moments.round_ends is not None,
        END: system.ends is not None,
    }
    there |= {f"at the {edge} of {phase}": True for phase in moments.phases for edge in ("start", "end")}
    return tuple(name for name, has in there.items() if has)


_CHOSEN = "the value of {} that is chosen"


def choices(found: Iterable[Reading | Option], settings: Settings) -> Iterator[Observable]:
    """Readings and options, as what lines can compare with a value.

    Args:
        found: The Readings and options.
        settings: The value of each.
    """
    for choice in found:
        if isinstance(choice.values, range):
            number = int(str(settings.options[choice.name]))
            yield Observable(choice.name, (), lambda number=number: integer(number), _CHOSEN.format(choice.name))
            continue
        of: Mapping[str, object] = settings.readings if isinstance(choice, Reading) else settings.options
        domain = Domain(EnumSort(choice.name, tuple(choice.values)))

        def chosen(name: str = choice.name, of: Mapping[str, object] = of, domain: Domain = domain) -> Term:
            return constant(domain.sort, str(of[name]))

        yield Observable(choice.name, (), chosen, _CHOSEN.format(choice.name), (), domain)


def _named(kind: CountedKind, name: str) -> tuple[str, ...]:
    """The member of that name, or the members of the group of that name; none where nothing is called so."""
    found = kind.domain.find(name)
    if found is not None or " to " not in name:
        return (found,) if found is not None else tuple(kind.every_group.get(name, ()))
    try:
        return kind.domain.several(name)
    except InputError:
        return ()


def taken(source: RulesSource, word: Word, means: str) -> InputError:
    """The error for a name that means something already.

    Args:
        means: What it means.
    """
    message = f"{quoted(word.text)} means something already: {means}"
    return source.goal.error(word.at, message, "give it another name", "taken-name")
