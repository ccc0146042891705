"""A winner's lines as cases that a reader can follow: which answer is given to which turns of the other side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from vclogic.clock import TimeUp
from vclogic.encode.python.reasons import Reasons
from vclogic.model.fluents import numbered
from vclogic.solve.backends.session import Answer
from vclogic.solve.forcing.ahead import Turn, Valuation, is_made, number_of
from vclogic.solve.forcing.search import ForcingLine, Found, OpenTurns, SolverUndecided, TurnsAhead
from vclogic.terms.build import and_, eq, not_
from vclogic.terms.term import Op, Term, variables

Facts = Mapping[Term, int]
"""Numbers of some variables of a depth."""
_TRIED = 3  # lines of which it is looked at whether they answer all that is left


@dataclass(frozen=True)
class CasePath:
    """All plays that the cases above lead to.

    Attributes:
        depth: How many turns they have.
        at: The position after them: terms over the turns that are open.
        asked: What the open turns satisfy.
        turns: Each turn: known, or its choices where it is open.
    """

    depth: int
    at: Valuation
    asked: tuple[Term, ...] = ()
    turns: tuple[Turn | Mapping[str, Term], ...] = ()

    def played(self, answer: Answer) -> list[Turn]:
        """The turns of a model."""
        found: list[Turn] = []
        for turn in self.turns:
            numbers = {n: x if isinstance(x, int) else answer.values.get(x, x.lo) for n, x in turn.items()}
            found.append({name: n for name, n in numbers.items() if n})
        return found


@dataclass(frozen=True)
class Answered:
    """A case: what is answered to which turns.

    Attributes:
        when: What is so after the turns that are answered; see `query.duel.Case`.
        example: All turns of one play up to the answer.
        turns: The answer.
        then: What follows, case by case.
        partial: Whether cases are missing in what follows, since the time was up.
    """

    when: Facts
    example: Sequence[Turn]
    turns: Sequence[Turn]
    then: list[Answered] = field(default_factory=list)
    partial: bool = False


class Cases:
    """Puts a winner's lines into cases.

    Args:
        search: The search that found them.
        wins: Whether the planning side wins.

    Attributes:
        partial: Whether cases are missing, since the time was up or the solver gave up.
    """

    def __init__(self, search: TurnsAhead, *, wins: bool):
        self._search, self._game, self._wins = search, search.game, wins
        self.partial = False

    def of(self, found: Found, start: Valuation) -> list[Answered]:
        """The cases of what was found from the start."""
        here = CasePath(0, start)
        if found.wins is not self._game.plies[0].ours:
            return self._cases(here, found.lines)
        line = found.lines[0]
        return [Answered({}, (), line.turns, self._after(here, line), self.partial)]

    def _after(self, path: CasePath, line: ForcingLine) -> list[Answered]:
        """The cases after an answer."""
        if not line.then:
            return []
        now, asked, d = path.at, list(path.asked), path.depth
        for turn in line.turns:
            _, now, _, defined = self._search.step(d, now, turn)
            asked += defined
            d += 1
        return self._cases(CasePath(d, now, tuple(asked), (*path.turns, *line.turns)), line.then)

    def _cases(self, path: CasePath, lines: Sequence[ForcingLine]) -> list[Answered]:
        """The cases of a loser's turns, each with the first line that answers it, as far as the time allows."""
        cases: list[Answered] = []
        try:
            self._add_cases(cases, path, lines)
        except (TimeUp, SolverUndecided):
            self.partial = True
        return cases

    def _add_cases(self, cases: list[Answered], path: CasePath, lines: Sequence[ForcingLine]) -> None:
        """Add the cases of a loser's turns one by one."""
        block = self._open(path)
        j = self._game.block(path.depth)
        turns = (*path.turns, *block.choices)
        asked = (*path.asked, *block.asked, not_(block.over))
        left = asked
        idle = [not_(is_made(c)) for choices in block.choices for c in choices.values()]
        passed = self._search.check(and_(*left, *idle))
        usual: Mapping[Term, int] = {v: _number(t, passed) for v, t in block.after.items()} if passed else {}
        while (found := passed or self._search.check(and_(*left))) is not None:
            passed = None
            values = {v: _number(t, found) for v, t in block.after.items()}
            unchanged = {v for v, n in usual.items() if values[v] == n}
            line, facts = self._answer(j, block.after, values, left, lines, unchanged)
            same = tuple(eq(block.after[v], numbered(v, n)) for v, n in facts.items())
            below = CasePath(j, block.after, (*left, *same), turns)
            after = self._after(below, line)
            cases.append(Answered(facts, below.played(found), line.turns, after, self.partial))
            if not facts:
                break
            left = (*left, not_(and_(*same)))

    def _open(self, path: CasePath) -> OpenTurns:
        """The loser's turns, left open."""
        if self._wins:
            return self._search.theirs(path.depth, path.at, may_end=False)
        block, j = self._search.ours(path.depth, path.at), self._game.block(path.depth)
        if j == self._game.depth:
            return block
        goes_on = self._search.law(self._game.plies[j].open, block.after)  # else nothing can be answered, and need be
        return replace(block, asked=(*block.asked, goes_on))

    def _fails(self, j: int, at: Valuation, line: ForcingLine) -> Term:
        """A Bool term: a line is no answer in a position."""
        return (self._search.beats if self._wins else self._search.withstands)(j, at, line)

    def _answer(
        self,
        j: int,
        at: Valuation,
        values: Facts,
        left: Sequence[Term],
        lines: Sequence[ForcingLine],
        usual: Set[Term],
    ) -> tuple[ForcingLine, Facts]:
        """A line that answers in a known position, and facts under which it always does; none: it always does."""
        known = {v: numbered(v, n) for v, n in values.items()}
        good: list[ForcingLine] = []
        for line in lines:
            if self._search.check(self._fails(j, known, line)) is None:
                good.append(line)
                if self._search.check(and_(*left, self._fails(j, at, line))) is None:
                    return line, {}
            if len(good) == _TRIED:
                break
        assert good, "a winner's lines answer every turn"
        return good[0], self._facts(j, at, values, left, good[0], usual)

    def _facts(
        self, j: int, at: Valuation, values: Facts, left: Sequence[Term], line: ForcingLine, usual: Set[Term]
    ) -> Facts:
        """As few facts of a position as are found fast, such that a line is an answer wherever they hold."""
        fails = self._fails(j, at, line)
        free = self._fails(j, {v: v for v in at}, line)
        read = [v for v in variables(free) if v in at]
        if len(read) == len(variables(free)):  # a line of one turn: what it needs is read off the terms
            reasons = Reasons([free], {v: k for k, v in enumerate(read)}, [values[v] for v in read])
            ends = {v for t in reasons(free) if t.op in (Op.VAR, Op.IN) for v in variables(t)}
            read = [v for v in read if v in ends]
        facts = {eq(at[v], numbered(v, values[v])): v for v in read if not at[v].is_const}
        given = and_(*left, fails)
        kept = list(self._search.enough(given, list(facts)) or ())
        kept.sort(key=lambda t: facts[t] in usual)  # what is as usual is dropped last
        done = 0
        while done < len(kept):
            fewer = self._search.enough(given, [*kept[:done], *kept[done + 1 :]])
            if fewer is None:
                done += 1
            else:
                kept = [t for t in kept if t in fewer]
        return {facts[t]: values[facts[t]] for t in kept}


def _number(term: Term, answer: Answer) -> int:
    """The number of a constant or variable in a model."""
    return number_of(term) if term.is_const else answer.values.get(term, term.lo)
