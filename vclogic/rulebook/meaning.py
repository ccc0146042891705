"""The meaning of statements over a game: what they define, what they remember, and what is won by them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.model.citation import said_by
from vclogic.model.fluents import Family, Value
from vclogic.model.rules import LevelTable, Observable, Outcome
from vclogic.model.system import System
from vclogic.rulebook.defined import Defined
from vclogic.rulebook.remembered import Change as Remembering
from vclogic.rulebook.remembered import Happening, Memory
from vclogic.rulebook.source import RulesSource
from vclogic.rulebook.statements import (
    BECOMES,
    EACH_SIDE,
    END,
    FALLS,
    NOBODY,
    ONCE,
    TURN_ENDS,
    TURN_STARTS,
    Definition,
    Fact,
    Group,
    Moment,
    Statement,
    Table,
    Win,
)
from vclogic.rulebook.tables import applying
from vclogic.terms import build
from vclogic.terms.atoms import TRUE, constant, integer
from vclogic.terms.build import and_, any_of, gt, lt, not_, or_
from vclogic.terms.domain import Domain
from vclogic.terms.names import BOOL, INT, Bound, Typed
from vclogic.terms.partial import Partial
from vclogic.terms.resolve import members_where, resolve_tree
from vclogic.terms.sorts import BOOL as TRUTH
from vclogic.terms.sorts import EnumSort, IntSort, Sort, between
from vclogic.terms.syntax import Node, Operation, Word
from vclogic.terms.term import Term
from vclogic.terms.vocabulary import CountedKind, Vocabulary, of_sides

MET = "met"
"""The facts that remember which outcomes were met at their moments."""
Bindings = Mapping[str, Bound]


@dataclass(frozen=True)
class Judged:
    """A way to win by a text.

    Attributes:
        name: The outcome.
        side: Who wins, or `nobody`.
        moment: When it is judged.
        condition: What is needed.
        source: The text.
        statement: The line.
        have: How far the side is, of a threshold.
        need: The threshold.
    """

    name: str
    side: str
    moment: Moment
    condition: Partial
    source: RulesSource
    statement: Statement
    have: Term | None = None
    need: Term | None = None


class Meaning:
    """What the statements of some texts add to a game.

    Args:
        system: The game, without the outcomes that the texts leave out.
        sources: The texts.

    Attributes:
        families: The facts.
        memory: How they change.
        observables: What goals can speak of.
        kinds: The kinds with the groups that the texts add.
        outcomes: Who wins what.
        levels: The tables.
        over: Bool: whether the game has ended by them.

    Raises:
        InputError: All that is wrong with the texts, at places of their files.
    """

    def __init__(self, system: System, sources: Sequence[RulesSource]):
        self.system, self.sources = system, sources
        self._wrong: list[Diagnostic] = []
        self._known: dict[str, Observable] = dict(system.vocabulary)
        self._kinds: dict[str, CountedKind] = dict(system.vocabulary.kinds)
        self._kinds.setdefault(EACH_SIDE, of_sides(Domain(EnumSort(EACH_SIDE, tuple(system.sides)))))
        self.kinds: dict[str, CountedKind] = {}
        self._groups()
        self.families: list[Family] = []
        self.observables: list[Observable] = []
        self._families: dict[str, Family] = {}
        for source, statement, fact in self._each(Fact):
            with self._at(source):
                self._declare(source, statement, fact)
        self._define()
        self.check()
        changes = [c for s, st, fact in self._each(Fact) for c in self._changes(s, st, fact)]
        judged = [j for source in sources for j in self._judged(source)]
        self.levels = tuple(self._tables())
        self.check()
        self._add(changes, judged)

    # ---- mistakes

    @contextmanager
    def _at(self, source: RulesSource) -> Iterator[None]:
        """Collect what is wrong."""
        try:
            yield
        except InputError as error:
            self._wrong += error.diagnostics

    def check(self) -> None:
        """Raise all that is wrong so far.

        Raises:
            InputError: Something is.
        """
        if self._wrong:
            placed = {s.label: s for s in self.sources}
            found = (placed[d.file].placed(d) if d.file in placed else d for d in dict.fromkeys(self._wrong))
            raise InputError(list(found))

    def _each(self, kind: type) -> Iterator[tuple[RulesSource, Statement, object]]:
        for source in self.sources:
            for statement in source.statements:
                if isinstance(statement.content, kind):
                    yield source, statement, statement.content

    # ---- names

    @property
    def vocabulary(self) -> Vocabulary[Observable]:
        """All that the texts can speak of."""
        return Vocabulary(self._known, self.system.vocabulary.elsewhere, tuple(self._kinds.values()))

    def _groups(self) -> None:
        for source, _, group in self._each(Group):
            assert isinstance(group, Group)
            with self._at(source):
                kind, members = self._grouped(source, group)
                found = replace(kind, groups={**kind.groups, group.name.text: members})
                self._kinds[kind.name] = self.kinds[kind.name] = found

    def _grouped(self, source: RulesSource, group: Group) -> tuple[CountedKind, tuple[str, ...]]:
        if group.binder is not None:
            kind, where = members_where(group.binder, source.goal, self.vocabulary)
            open_ = next((m for m, w in where.items() if not w.is_const), None)
            if open_ is not None:
                message = f"whether {open_} belongs to the group {group.name.text} can change in the game"
                help = "name what the board alone decides; what can change stands behind `where` of a count"
                raise source.goal.error(group.binder.kind.at, message, help, "wrong-value")
            return kind, tuple(m for m, w in where.items() if w is TRUE)
        kinds = self._kinds.values()
        fits = {k.name: [m for m in group.members if k.domain.find(m.text) is None] for k in kinds}
        best = min(fits, key=lambda name: len(fits[name]))
        kind = self._kinds[best]
        strange = fits[best]
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
        return kind, tuple(str(kind.domain.find(m.text)) for m in group.members)

    def _new_name(self, source: RulesSource, word: Word) -> None:
        """Make sure that a name means nothing yet."""
        taken = {**self._known, **self._kinds, **self._families, **self.system.layout.families, **self.system.schemas}
        if word.text in taken:
            message = f"{quoted(word.text)} means something already"
            raise source.goal.error(word.at, message, "give it another name", "taken-name")

    def parameters(self, source: RulesSource, words: Sequence[Word]) -> tuple[tuple[str, CountedKind], ...]:
        """The variables and kinds of parameters.

        Raises:
            InputError: There is no such kind.
        """
        found: list[tuple[str, CountedKind]] = []
        for word in words:
            first, _, rest = word.text.partition(" ")
            name, kind = (word.text, word.text) if word.text in self._kinds else (first, rest)
            if kind not in self._kinds:
                help = did_you_mean(word.text, self._kinds) or "`vclogic rules GAME` lists what there is"
                message = f"there is no kind of thing {quoted(word.text)}"
                raise source.goal.error(word.at, message, help, "unknown-name")
            found.append((name, self._kinds[kind]))
        return tuple(found)

    def resolved(self, source: RulesSource, node: Node, bound: Bindings) -> Typed:
        """What an expression of a text means.

        Raises:
            InputError: All that is wrong with it.
        """
        return resolve_tree(node, source.goal, self.vocabulary, bound)

    def condition(self, source: RulesSource, node: Node | None, bound: Bindings) -> Partial:
        """A condition; true where there is none.

        Raises:
            InputError: It is none.
        """
        if node is None:
            return Partial(TRUE)
        found = self.resolved(source, node, bound)
        if found.kind != BOOL:
            raise source.goal.error(found.node.at, f"{found}, and a condition is true or false", None, "wrong-value")
        return found.partial

    # ---- facts

    def _declare(self, source: RulesSource, statement: Statement, fact: object) -> None:
        assert isinstance(fact, Fact)
        self._new_name(source, fact.name)
        parameters = self.parameters(source, fact.parameters)
        sort, values = self._sort(source, fact)
        text = statement.text.partition(" rises ")[0].partition(" becomes ")[0].partition(" falls ")[0]
        indices = tuple(kind.domain for _, kind in parameters)
        least = fact.range[0] if fact.range else None
        family = Family(fact.name.text, sort, text, indices, values, least)
        self._families[fact.name.text] = family
        self.families.append(family)
        self._know(source, statement, fact.name.text, indices, lambda *names: family[names], values)

    def _know(
        self,
        source: RulesSource,
        statement: Statement,
        name: str,
        parameters: tuple[Domain, ...],
        term: Callable[..., Term | Partial],
        values: Domain | None,
    ) -> None:
        cites = source.cites(statement)
        found = Observable(name, parameters, term, statement.text, cites, values)
        self._known[name] = found
        self.observables.append(found)

    def _sort(self, source: RulesSource, fact: Fact) -> tuple[Sort, Domain | None]:
        if fact.range is not None:
            return between(*fact.range), None
        if not fact.names:
            return TRUTH, None
        members: dict[str, None] = {}
        for word in fact.names:
            kind = self._kinds.get(word.text)
            members |= dict.fromkeys([word.text] if kind is None else kind.members)
        sort = EnumSort(f"value of {fact.name.text}", tuple(members))
        return sort, Domain(sort)

    def initial(self) -> dict[Term, Value]:
        """The value of each fact at the start."""
        found: dict[Term, Value] = {}
        for source, _, fact in self._each(Fact):
            assert isinstance(fact, Fact)
            family = self._families[fact.name.text]
            found |= dict.fromkeys(family.fluents.values(), _start(source, fact, family))
        return found | {f: False for family in self.families if family.name == MET for f in family.fluents.values()}

    def _changes(self, source: RulesSource, statement: Statement, content: object) -> list[Remembering]:
        assert isinstance(content, Fact)
        family = self._families[content.name.text]
        parameters = self.parameters(source, content.parameters)
        found: list[Remembering] = []
        with self._at(source):
            _start(source, content, family)
            for change in content.changes:
                happening = self.happening(source, change.moment)
                for index, fluent in family.fluents.items():
                    bound = {n: Bound(k, m) for (n, k), m in zip(parameters, index, strict=True)}
                    value = self._value(source, family, fluent, change.kind, change.value, bound)
                    condition = self.condition(source, change.condition, bound)
                    always = change.kind == BECOMES
                    found.append(Remembering(fluent, happening, condition.holds, value, repeated=always))
        return found

    def _value(
        self, source: RulesSource, family: Family, fluent: Term, kind: str, node: Node, bound: Bindings
    ) -> Term:
        """What a fact becomes, over the position in which it changes; a number stays within its range."""
        if kind == BECOMES and isinstance(node, Word) and family.values is not None:
            named = bound[node.text].member if node.text in bound else node.text
            member = family.values.find(named)
            if member is not None:
                return constant(family.sort, member)
            help = did_you_mean(named, family.values.sort.members)
            raise source.goal.error(node.at, f"{family.name} can never be {quoted(named)}", help, "wrong-value")
        found = self.resolved(source, node, bound)
        wanted = INT if isinstance(family.sort, IntSort) else BOOL
        if found.kind != wanted or (kind != BECOMES and wanted != INT):
            what = "a number" if kind != BECOMES or wanted == INT else "true or false"
            raise source.goal.error(node.at, f"{found}, and {family.name} {kind} {what}", None, "wrong-value")
        value = found.partial.value
        if kind != BECOMES:
            value = build.sub(fluent, value) if kind == FALLS else build.add(fluent, value)
        if not isinstance(family.sort, IntSort):
            return build.ite(found.partial.defined, value, fluent)
        low, high = family.sort.lo, family.sort.hi
        within = build.ite(lt(value, low), integer(low), build.ite(gt(value, high), integer(high), value))
        return build.ite(found.partial.defined, within, fluent)

    # ---- moments

    def happening(self, source: RulesSource, moment: Moment) -> Happening:
        """When a moment is.

        Raises:
            InputError: The game has no such moment.
        """
        if moment.name == ONCE:
            return Happening(ONCE, (TRUE,))
        if moment.name in (TURN_ENDS, TURN_STARTS):
            return Happening(moment.name, self._turns(source, moment))
        moments = self.system.moments
        term = {END: self.system.ends}.get(moment.name)
        if moment.name != END:
            term = moments.round_ends if "end" in moment.name else moments.round_starts
        if term is None:
            what = "end that could be judged" if moment.name == END else "rounds"
            raise self._no_moment(source, f"this game has no {what}")
        return Happening(moment.name, (term,))

    def _turns(self, source: RulesSource, moment: Moment) -> tuple[Term, ...]:
        moments = self.system.moments
        of = moments.turn_ends if moment.name == TURN_ENDS else moments.turn_starts
        if not of:
            raise self._no_moment(source, "this game has no turns")
        if moment.of is None:
            return tuple(of.values())
        name = next((a for a in (moment.of.text, self.system.aliases.get(moment.of.text, "")) if a), "")
        powers = [p for p in (name, *self.system.sides.get(name, ())) if p in of]
        if not powers:
            help = did_you_mean(name, [*of, *self.system.sides])
            raise source.goal.error(moment.of.at, f"there is no turn of {quoted(name)}", help, "unknown-name")
        return tuple(of[p] for p in dict.fromkeys(powers))

    def _no_moment(self, source: RulesSource, message: str) -> InputError:
        known = ["at once"]
        known += ["at the end"] if self.system.ends is not None else []
        known += ["at the start or the end of a turn"] if self.system.moments.turn_ends else []
        known += ["at the start or the end of a round"] if self.system.moments.round_ends is not None else []
        at = self._place
        return source.goal.error(at, message, f"it has: {', '.join(known)}", "not-here")

    _place = 0

    # ---- definitions

    def _define(self) -> None:
        """Make each definition known, with its exceptions, before any is worked out."""
        made: dict[str, tuple[RulesSource, Statement, Defined]] = {}
        for source, statement, content in self._each(Definition):
            assert isinstance(content, Definition)
            if content.exception:
                continue
            with self._at(source):
                self._new_name(source, content.name)
                parameters = self.parameters(source, content.parameters)
                defined = Defined(content, source, statement, parameters, self.resolved)
                made[content.name.text] = source, statement, defined
                self._known[content.name.text] = Observable(
                    content.name.text,
                    defined.parameters,
                    defined.partial,
                    statement.text,
                    source.cites(statement),
                )
        for source, statement, content in self._each(Definition):
            assert isinstance(content, Definition)
            if content.exception:
                with self._at(source):
                    self._except(made, source, statement, content)
        self.check()
        for name, (source, _, defined) in made.items():
            with self._at(source):
                found = replace(self._known[name], values=defined.values)
                self._known[name] = found
                self.observables.append(found)

    def _except(
        self,
        made: Mapping[str, tuple[RulesSource, Statement, Defined]],
        source: RulesSource,
        statement: Statement,
        content: Definition,
    ) -> None:
        if content.name.text not in made:
            help = did_you_mean(content.name.text, made) or f"write {content.name.text}(...) means ... first"
            message = f"nothing is defined that {quoted(content.name.text)} could be an exception of"
            raise source.goal.error(content.name.at, message, help, "unknown-name")
        made[content.name.text][2].add_exception(content, source, statement)

    # ---- outcomes

    def _judged(self, source: RulesSource) -> list[Judged]:
        """The ways to win by the lines of a text; `otherwise` looks at the lines directly above."""
        found: list[Judged] = []
        above: list[Judged] = []
        for statement in source.statements:
            content = statement.content
            if not isinstance(content, Win):
                above = []
                continue
            with self._at(source):
                if not content.otherwise and above and str(above[0].moment) != str(content.moment):
                    above = []
                made = self._won(source, statement, content, above)
                found += made
                above = above if content.otherwise else [*above, *made]
        return found

    def _won(self, source: RulesSource, statement: Statement, win: Win, above: Sequence[Judged]) -> list[Judged]:
        if win.otherwise and not above:
            raise source.goal.error(statement.at, "nothing stands above it", "`otherwise` follows other outcomes")
        moment = win.moment or above[0].moment
        self._place = statement.at
        self.happening(source, moment)
        found = []
        for side, bound in self._sides(source, win.who):
            if win.otherwise:
                condition, have, need = Partial(not_(any_of(j.condition.holds for j in above))), None, None
            else:
                stated = self.condition(source, win.condition, bound)
                condition = said_by(source.cited(statement), lambda stated=stated: stated)  # type: ignore[misc]
                have, need = self._threshold(source, win.condition, bound)
            winner = self._other(source, win.who, side) if win.loses else side
            found.append(Judged(win.name.text, winner, moment, condition, source, statement, have, need))
        return found

    def _sides(self, source: RulesSource, who: Word) -> list[tuple[str, Bindings]]:
        sides = self._kinds[EACH_SIDE]
        if who.text == EACH_SIDE:
            return [(s, {EACH_SIDE: Bound(sides, s)}) for s in self.system.sides]
        name = self.system.aliases.get(who.text, who.text)
        if name in self.system.sides or name == NOBODY:
            return [(name, {})]
        side = self.system.side_of(name)
        if side is not None:
            message = f"{who.text} is a power of the {side} side: sides win, not powers"
            raise source.goal.error(who.at, message, f"write {side} wins ...", "wrong-kind")
        help = did_you_mean(who.text, [*self.system.sides, EACH_SIDE, NOBODY])
        help = help or f"sides: {', '.join(self.system.sides)}; `side` stands for each of them"
        raise source.goal.error(who.at, f"there is no side {quoted(who.text)}", help, "unknown-name")

    def _other(self, source: RulesSource, who: Word, side: str) -> str:
        others = [s for s in self.system.sides if s != side]
        if len(others) != 1 or side == NOBODY:
            message = f"if {side} loses, it is not said who wins"
            raise source.goal.error(who.at, message, "write SIDE wins ...", "wrong-value")
        return others[0]

    def _threshold(self, source: RulesSource, node: Node | None, bound: Bindings) -> tuple[Term | None, Term | None]:
        """How far a side is and what it needs, where its condition is that a number is large enough."""
        if not isinstance(node, Operation) or node.operators not in ((">=",), (">",)):
            return None, None
        have, need = (self.resolved(source, part, bound) for part in node.parts)
        if have.kind != INT or need.kind != INT or have.partial.defined is not TRUE:
            return None, None
        return have.partial.value, build.add(need.partial.value, int(node.operators == (">",)))

    def _tables(self) -> Iterator[LevelTable]:
        self._of_tables: list[Judged] = []
        for source, statement, content in self._each(Table):
            assert isinstance(content, Table)
            with self._at(source):
                self._place = statement.at
                timing = self.happening(source, content.moment)
                value = self._number(source, content.value)
                to = None if content.to is None else self._number(source, content.to)
                rows = applying(content.rows, value, to)
                for row, applies in rows.items():
                    for side, _ in self._sides(source, row.who):
                        winner = self._other(source, row.who, side) if row.loses else side
                        name = (row.name or content.name).text
                        self._of_tables.append(Judged(name, winner, content.moment, applies, source, statement))
                lines = {source.line_of(row.at): applies for row, applies in rows.items()}
                now = any_of(timing.terms) if content.moment.name == END else TRUE
                yield LevelTable(
                    content.name.text,
                    lines,
                    f"{statement.text.partition('  ')[0][:80]} ({source.name})",
                    source.cites(statement),
                    timing=now,
                    made=source.made(statement.at),
                )

    def _number(self, source: RulesSource, node: Node) -> Partial:
        found = self.resolved(source, node, {})
        if found.kind != INT:
            raise source.goal.error(found.node.at, f"{found}, and a table is read by a number", None, "wrong-value")
        return found.partial

    # ---- all of it

    def _add(self, changes: list[Remembering], judged: list[Judged]) -> None:
        """Make the outcomes; those of a moment that the position does not show are remembered."""
        judged += self._of_tables
        latched = [j for j in judged if j.moment.name not in (ONCE, END)]
        met = self._met(latched)
        over: list[Term] = []
        outcomes: list[Outcome] = []
        for j in judged:
            condition, timing = j.condition, TRUE
            if j.moment.name == END:
                (timing,) = self.happening(j.source, j.moment).terms
            elif j in latched:
                timing = met[j.name, j.side]
                condition = Partial(or_(timing, condition.holds))
                happening = self.happening(j.source, j.moment)
                changes.append(Remembering(timing, happening, j.condition.holds, TRUE, judges=True))
            outcomes.append(self._outcome(j, condition, timing))
            if j.moment.name != END:
                over.append(and_(timing, condition.holds))
        self.outcomes = tuple(outcomes)
        self.over = any_of(over)
        clock = self.system.moments.clock
        self.memory = Memory(tuple(changes), clock, self._circle)

    def _met(self, latched: Sequence[Judged]) -> dict[tuple[str, str], Term]:
        if not latched:
            return {}
        names = EnumSort("outcome at its moment", tuple(dict.fromkeys(j.name for j in latched)))
        sides = EnumSort("who wins", tuple(dict.fromkeys(j.side for j in latched)))
        text = "whether the outcome was met at its moment"
        family = Family(MET, TRUTH, text, (Domain(names), Domain(sides)))
        self.families.append(family)
        return {(j.name, j.side): family[j.name, j.side] for j in latched}

    def _outcome(self, j: Judged, condition: Partial, timing: Term) -> Outcome:
        return Outcome(
            j.name,
            j.side,
            condition,
            timing,
            when="at every moment" if j.moment.name == ONCE else str(j.moment),
            text=j.statement.text,
            cites=j.source.cites(j.statement),
            have=j.have,
            need=j.need,
            lacks="" if condition.defined is TRUE else "a value in it is not defined",
            made=j.source.made(j.statement.at),
        )

    def _circle(self, fluent: Term) -> None:
        """Report that a fact depends on itself at one moment."""
        name = fluent.name.partition("[")[0]
        for source, statement, fact in self._each(Fact):
            assert isinstance(fact, Fact)
            if fact.name.text == name:
                message = f"{name} depends on facts that depend on it at the same moment"
                error = source.goal.error(statement.at, message, "let one of them change at another moment", "circle")
                self._wrong += error.diagnostics
        self.check()


def _start(source: RulesSource, fact: Fact, family: Family) -> Value:
    """The value of a fact at the start."""
    sort, word = family.sort, fact.starts
    if isinstance(sort, EnumSort):
        found = sort.members[0] if word is None else word.text
        if found in sort.index:
            return found
    elif isinstance(sort, IntSort):
        number = max(sort.lo, min(0, sort.hi)) if word is None else _whole(word.text)
        if number is not None and sort.lo <= number <= sort.hi:
            return number
    elif word is None or word.text in ("true", "false"):
        return word is not None and word.text == "true"
    assert word is not None, "what starts somewhere is said"
    known = did_you_mean(word.text, sort.members) if isinstance(sort, EnumSort) else None
    raise source.goal.error(word.at, f"{family.name} cannot start as {quoted(word.text)}", known, "wrong-value")


def _whole(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() else None
