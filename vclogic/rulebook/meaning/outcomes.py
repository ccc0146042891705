"""Outcomes of a text of rules: lines, tables, and the facts that remember which outcomes were met."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from vclogic.errors import did_you_mean, quoted
from vclogic.model.citation import said_by
from vclogic.model.fluents import Family
from vclogic.model.rules import NOBODY, LevelTable, Outcome, Rule
from vclogic.rulebook.meaning.happening import Occurrence
from vclogic.rulebook.meaning.judged import JudgedLine, all_of_them, met_family, outcome_of, together
from vclogic.rulebook.meaning.names import LOST, Bindings, TextNames
from vclogic.rulebook.meaning.remembered import Update
from vclogic.rulebook.meaning.tables import applying
from vclogic.rulebook.source import RulesSource
from vclogic.rulebook.statements import (
    ALL,
    ALONE,
    EACH_SIDE,
    END,
    MOMENTS,
    ONCE,
    PHASE_ENDS,
    ROUND_ENDS,
    TURN_ENDS,
    Moment,
    OutcomeTable,
    Statement,
    Win,
)
from vclogic.terms import build
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.build import and_, any_of, implies, not_, or_
from vclogic.terms.expressions.names import BoundVariable
from vclogic.terms.expressions.syntax import Node, Operation, Word
from vclogic.terms.partial import Partial
from vclogic.terms.rewrite import loosen
from vclogic.terms.term import Term, variables
from vclogic.terms.typed.form import INT

_NOBODY: list[tuple[str, Bindings]] = [(NOBODY, {})]


class Judgements:
    """The outcomes and tables of some texts.

    Args:
        names: What the texts can speak of.
        like: The outcomes under other Readings; None: there are none.

    Attributes:
        outcomes: Who wins what.
        levels: The tables.
        over: Bool: whether the game has ended by them.
        once: Bool: whether an outcome is met that is judged at every moment.
        met: The facts that remember which outcomes were met at their moments; None: there are none.
        remembering: How those change.

    Raises:
        InputError: All that is wrong with the texts so far.
    """

    def __init__(self, names: TextNames, like: Judgements | None = None):
        self._names, self._like = names, like
        self._above: tuple[str, list[JudgedLine]] = "", []
        self._of_line: dict[int, list[JudgedLine]] = {}
        lines = [j for source in names.sources for j in self._lines(source)]
        self._judged = [j for j in lines if not j.loser]
        self._losses = [j for j in lines if j.loser]
        self.levels = tuple(self._tables())
        self.remembering: list[Update] = []
        self.met: Family | None = None
        self.outcomes: tuple[Outcome, ...] = ()
        self.over: Term = FALSE
        self.once: Term = FALSE
        names.check()
        self._add()

    def _lines(self, source: RulesSource) -> list[JudgedLine]:
        """The ways to win by the lines of a text; `otherwise` looks at the lines directly above."""
        found: list[JudgedLine] = []
        file, above = self._above
        above = above if file == source.file and source.sentences else []  # the block before, of a rulebook
        wrong = False
        for statement in source.statements:
            content = statement.content
            if not isinstance(content, Win):
                above, wrong = [], False
                continue
            if content.otherwise and wrong:
                continue  # what it is the rest of is told already
            wrong = True
            with self._names.at(source):
                if not content.otherwise and above and str(above[0].said) != str(content.moment):
                    above = []
                made = self._of_line[id(statement)] = self._ways(source, statement, content, above)
                found += made
                above = above if content.otherwise and content.condition is None else [*above, *made]
                wrong = False
        self._above = source.file, above
        return found

    def _ways(
        self, source: RulesSource, statement: Statement, win: Win, above: Sequence[JudgedLine]
    ) -> list[JudgedLine]:
        """The ways to win by a line; as under other Readings, where it is the same with the lines above it."""
        if self._like is not None and self._names.keeps(win, *(j.statement.content for j in above)):
            return self._like._of_line[id(statement)]
        return self._won(source, statement, win, above)

    def _won(
        self, source: RulesSource, statement: Statement, win: Win, above: Sequence[JudgedLine]
    ) -> list[JudgedLine]:
        if win.otherwise and not above:
            raise source.goal.error(statement.at, "nothing stands above it", "`otherwise` follows other outcomes")
        if win.moment is None and len({str(j.moment) for j in above}) > 1:
            message = "what stands above it is judged at several moments"
            raise source.goal.error(statement.at, message, "write a moment: otherwise SIDE wins NAME MOMENT")
        found = []
        whose = self._whose(source, win.who, win.also)
        all_lose = win.loses and all_of_them(win, self._names.system.sides, self._names.system.aliases)
        for side, bound in _NOBODY if all_lose else whose:
            moment = self._names.moment(source, win.moment or above[0].moment, bound)
            happening = self._names.happening(source, moment, statement.at)
            stated = self._names.condition(source, win.condition, bound)
            condition = said_by(source.cited(statement), lambda stated=stated: stated)  # type: ignore[misc]
            have, need = self._threshold(source, win.condition, bound)
            if win.otherwise:
                rest = not_(any_of(j.condition.holds for j in above))
                condition, have, need = Partial(and_(rest, condition.holds)), None, None
            if win.loses and not all_lose and LOST in self._names.system.layout.families and side != NOBODY:
                out = JudgedLine(win.name.text, NOBODY, moment, condition, source, statement, happening, loser=side)
                found.append(out)
                continue
            winner = self._other(source, win.who, side) if win.loses and not all_lose else side
            line = JudgedLine(win.name.text, winner, moment, condition, source, statement, happening, have, need)
            found.append(replace(line, together=together(win), lost=all_lose))
        return found

    def _last_left(self) -> Iterator[JudgedLine]:
        """The wins of the last side that has not lost, of more than two: by the names of what the others lost."""
        family = self._names.system.layout.families.get(LOST)
        sides = tuple(self._names.system.sides)
        for name, j in {j.name: j for j in self._losses}.items():
            assert family is not None, "else nobody loses so"
            there = family.indices[0].sort.members
            lost = {s: any_of(family[n, s] for n in there) for s in sides}
            moment, now = Moment(ONCE), Occurrence(ONCE, (TRUE,))
            for winner in (*sides, NOBODY):
                others = [s for s in sides if s != winner]
                holds = and_(*(lost[s] for s in others), any_of(family[name, s] for s in others))
                if winner != NOBODY:
                    holds = and_(holds, not_(lost[winner]))
                line = JudgedLine(name, winner, moment, Partial(holds), j.source, j.statement, now)
                yield replace(line, lost=winner == NOBODY, implied=winner == NOBODY)

    def _whose(self, source: RulesSource, who: Word, also: Sequence[Word]) -> list[tuple[str, Bindings]]:
        """The winners or losers of a line, each once."""
        found = self._sides(source, who)
        for word in also:
            more = self._sides(source, word)
            if EACH_SIDE in (who.text, word.text) or more[0][0] in (NOBODY, *(s for s, _ in found)):
                help = "name sides: Red and Blue win NAME; `all win NAME` says that every side does"
                raise source.goal.error(word.at, f"{word.text} cannot stand here", help, "wrong-value")
            found += more
        if also and found[0][0] == NOBODY:
            raise source.goal.error(who.at, "nobody wins together with somebody", "name the sides that do")
        return found

    def _sides(self, source: RulesSource, who: Word) -> list[tuple[str, Bindings]]:
        sides = self._names.kinds[EACH_SIDE]
        if who.text == EACH_SIDE:
            return [(s, {EACH_SIDE: BoundVariable(sides, s)}) for s in self._names.system.sides]
        if who.text == ALL and ALL not in self._names.system.sides:
            return [(s, {}) for s in self._names.system.sides]
        name = self._names.system.aliases.get(who.text, who.text)
        if name in self._names.system.sides or name == NOBODY:
            return [(name, {})]
        if (party := self._alone(who)) is not None:
            return [(party, {})]
        side = self._names.system.side_of(name)
        if side is not None:
            message = f"{who.text} is a power of the {side} side: sides win, not powers"
            raise source.goal.error(who.at, message, f"write {side} wins ...", "wrong-kind")
        help = did_you_mean(who.text, [*self._names.system.sides, EACH_SIDE, NOBODY])
        if EACH_SIDE in who.text.split() or who.text in ("each", "every"):
            help = "`side` stands for each of them: write side wins ..."
        if who.text in ("both", "everybody", "everyone"):
            help = "`all win` says that all do together; `side` stands for each of them"
        help = help or f"sides: {', '.join(self._names.system.sides)}; `side` stands for each of them"
        raise source.goal.error(who.at, f"there is no side {quoted(who.text)}", help, "unknown-name")

    def _alone(self, who: Word) -> str | None:
        """The power, or the group of powers, that wins by itself; None if it is not said so."""
        name, system = who.text.removesuffix(f" {ALONE}"), self._names.system
        name = system.aliases.get(name, name)
        powers = {p for of in system.sides.values() for p in of}
        groups = (g for k in self._names.kinds.values() for n, g in k.groups.items() if n == name)
        known = name in powers or any(g and powers.issuperset(g) for g in groups)
        return name if who.text.endswith(f" {ALONE}") and known else None

    def _other(self, source: RulesSource, who: Word, side: str) -> str:
        others = [s for s in self._names.system.sides if s != side]
        if len(others) != 1 or side == NOBODY:
            message = f"if {side} loses, it is not said who wins"
            help = f"write who does, a line for each: {others[0]} wins NAME ..." if others else "write SIDE wins ..."
            raise source.goal.error(who.at, message, help, "wrong-value")
        return others[0]

    def _threshold(self, source: RulesSource, node: Node | None, bound: Bindings) -> tuple[Term | None, Term | None]:
        """The value of a side and what it needs, where its condition is that a number is large enough.

        Parts that hold by the options alone, such as `longest == yes and points(side) >= 9`, do not matter.
        """
        if isinstance(node, Operation) and set(node.operators) == {"and"}:
            open_parts = [p for p in node.parts if self._names.condition(source, p, bound).holds is not TRUE]
            node = open_parts[0] if len(open_parts) == 1 else node
        if not isinstance(node, Operation) or node.operators not in ((">=",), (">",)):
            return None, None
        have, need = (self._names.resolved(source, part, bound) for part in node.parts)
        if have.kind != INT or need.kind != INT or have.partial.defined is not TRUE:
            return None, None
        return have.partial.value, build.add(need.partial.value, int(node.operators == (">",)))

    def _tables(self) -> Iterator[LevelTable]:
        for source, statement, content in self._names.each(OutcomeTable):
            if content.moment is None:
                continue  # it says a value
            with self._names.at(source):
                timing = self._names.happening(source, content.moment, statement.at)
                value = self._number(source, content.value)
                to = None if content.to is None else self._number(source, content.to)
                rows = applying(content.rows, value, to)
                for row, applies in rows.items():
                    assert row.who is not None, "it says who wins"
                    system, name = self._names.system, (row.name or content.name).text
                    whose = self._whose(source, row.who, row.also)
                    all_lose = row.loses and all_of_them(row, system.sides, system.aliases)
                    for side, _ in _NOBODY if all_lose else whose:
                        winner = self._other(source, row.who, side) if row.loses and not all_lose else side
                        line = JudgedLine(name, winner, content.moment, applies, source, statement, timing)
                        self._judged.append(replace(line, together=together(row), lost=all_lose))
                lines = {source.line_of(row.at): applies for row, applies in rows.items()}
                now = any_of(timing.terms) if content.moment.name == END else TRUE
                yield LevelTable(
                    content.name.text,
                    lines,
                    source.line_of(statement.at),
                    source.cites(statement),
                    timing=now,
                    made=source.made(statement.at),
                )

    def _number(self, source: RulesSource, node: Node) -> Partial:
        found = self._names.resolved(source, node, {})
        if found.kind != INT:
            raise source.goal.error(found.node.at, f"{found}, and a table is read by a number", None, "wrong-value")
        return found.partial

    def _add(self) -> None:
        """Make the outcomes; those of a moment that the position does not show are remembered."""
        over: list[Term] = []
        outcomes: list[Outcome] = []
        for j in self._losses:
            fluent = self._names.system.layout.families[LOST][j.name, j.loser]
            self.remembering.append(Update(fluent, j.happening, j.condition.holds, TRUE))
        self._judged += self._last_left()
        latched = [j for j in self._judged if j.moment.name not in (ONCE, END)]
        self._one_end(latched)
        self.met = met_family(latched, self._names.system.layout.families)
        for j in self._judged:
            condition, timing = j.condition, TRUE
            if j.moment.name == END:
                (timing,) = j.happening.terms
            elif j in latched and self.met is not None:
                timing = self.met[j.name, j.side]
                condition = Partial(or_(timing, condition.holds), or_(timing, condition.defined))
                self.remembering.append(Update(timing, j.happening, j.condition.holds, TRUE, judges=True))
            moment = j.happening.terms if j in latched else ()
            outcomes.append(outcome_of(j, condition, timing, moment))
            if j.moment.name != END:
                over.append(and_(timing, condition.holds))
        self.over = any_of(over)
        self.once = any_of(j.condition.holds for j in self._judged if j.moment.name == ONCE)
        # The first outcome ends the game: what is judged at its end is not judged where one was met before.
        self.outcomes = tuple(
            o if j.moment.name != END else replace(o, timing=and_(o.timing, not_(self.over)))
            for j, o in zip(self._judged, outcomes, strict=True)
        )

    def _one_end(self, latched: Sequence[JudgedLine]) -> None:
        """Refuse one name for a draw and for what all lose, of which it is remembered that it was met."""
        for a, b in combinations(latched, 2):
            if (a.name, a.side) == (b.name, b.side) and a.lost != b.lost:
                with self._names.at(b.source):
                    message = f"by one line nobody wins {b.name}, by another all lose it"
                    raise b.source.goal.error(b.statement.at, message, "give one of them another name")
        self._names.check()

    def _first_met(self, line: JudgedLine) -> Term:
        """Bool: whether a line is met, and none was at an earlier moment of what one event brings about."""
        assert self.met is not None, "it is remembered"
        order = MOMENTS.index(line.moment.name)
        earlier = [j for j in self._judged if j.moment.name not in (ONCE, END)]
        met = (self.met[j.name, j.side] for j in earlier if MOMENTS.index(j.moment.name) < order)
        return and_(line.condition.holds, not_(any_of((self.once, *met))))

    def invariants(self, remembered: Sequence[Term], *, whole: bool) -> tuple[Rule, ...]:
        """The invariants of the facts that remember which outcomes were met.

        Nothing happens after that, so the condition still holds. Beside a game it is still the moment, and the turn
        has passed: the condition holds but for what it says of facts that change as the next turn begins.

        Args:
            remembered: All facts that remember.
            whole: Whether the texts are a whole rulebook, in which the turn at whose end it ends does not pass.
        """
        clock = {*self._names.system.moments.clock}
        alike: dict[Term, list[tuple[JudgedLine, Update]]] = {}
        latched = [j for j in self._judged if j.moment.name not in (ONCE, END)]
        for j, change in zip(latched, (c for c in self.remembering if c.judges), strict=True):
            alike.setdefault(change.fluent, []).append((j, change))
        found = []
        for fluent, lines in alike.items():
            so = []
            for j, change in lines:
                shown = change.happening.shown and not whole
                there = any_of(t for t in change.happening.terms if t.is_bool) if shown else TRUE
                alone = self._first_met(j)
                if whole:
                    alone = alone if clock.isdisjoint(variables(alone)) else change.condition
                else:
                    ended = change.happening.name in (PHASE_ENDS, TURN_ENDS, ROUND_ENDS)  # then the time was another
                    alone = loosen(alone, {*remembered, *(clock if ended else ())})
                so.append(and_(there, alone))
            j = lines[0][0]
            text = f"if {j.side} has been found to win {j.name} at its moment, it is that moment"
            cites, made = j.source.cites(j.statement), j.source.made(j.statement.at)
            found.append(Rule(fluent.name, implies(fluent, any_of(so)), text, cites, made=made))
        return (*found, *self._exclusive(alike))

    def _exclusive(self, alike: Mapping[Term, list[tuple[JudgedLine, Update]]]) -> Iterator[Rule]:
        """Of outcomes whose conditions exclude each other one alone was met, such as the rest of `otherwise`."""
        for (a, first), (b, second) in combinations(alike.items(), 2):
            both = any_of(and_(self._first_met(x), self._first_met(y)) for x, _ in first for y, _ in second)
            if both is FALSE:
                j = second[0][0]
                text = f"{first[0][0].name} and {j.name} exclude each other"
                made = j.source.made(j.statement.at)
                yield Rule(f"{a.name} or {b.name}", not_(and_(a, b)), text, j.source.cites(j.statement), made=made)
