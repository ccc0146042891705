"""The winner within the turns ahead, by counterexample-guided expansion.

A turn is proposed, its best refutation is looked for, and what refutes it is asked of every further proposal: each
proposal must have an answer to all refutations known so far. So it is done for both sides (RAReQS, an algorithm for
quantified formulas). Positions are known at each node; what is looked for from there is a formula over turns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from vclogic.clock import check_deadline
from vclogic.encode.unroll import defining, narrowed
from vclogic.model.fluents import numbered
from vclogic.solve.backends.session import Answer
from vclogic.solve.forcing.ahead import Ahead, Turn, Valuation, is_made
from vclogic.terms.atoms import FALSE, TRUE, var
from vclogic.terms.build import all_of, and_, any_of, count, eq, le, not_, or_
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Op, Term

# ---- what is found


@dataclass
class ForcingLine:
    """Turns of one side that follow each other, and what comes after them.

    Attributes:
        turns: The turns.
        then: Lines of the same side after the other's next turns: one of them answers whatever is done. Empty: no
            answer is needed.
        reached: Whether the goal is reached by these turns, where that is what they are for.
        ended: Whether nobody can move after these turns, so that the play ends there.
        stuck: The position after which nobody can move, where the turns' rules do not show that it is such a one.
    """

    turns: tuple[Turn, ...]
    then: list[ForcingLine] = field(default_factory=list)
    reached: bool = False
    ended: bool = False
    stuck: Valuation | None = None


@dataclass(frozen=True)
class Found:
    """The winner from a position.

    Attributes:
        wins: Whether the planning side reaches the goal, whatever the other does.
        lines: What the winner does. If the winner decides now: one line. Else: lines of the winner, so that whatever
            is done now, one of them wins after it.
    """

    wins: bool
    lines: list[ForcingLine]


@dataclass(frozen=True)
class OpenTurns:
    """Turns of one side in a row, left open.

    Attributes:
        asked: What they must satisfy.
        over: Whether the goal is reached in them (one's own turns), or the play ends (the other side's).
        after: The position after them, unless they are over before.
        choices: The choices of each.
    """

    asked: Sequence[Term]
    over: Term
    after: Valuation
    choices: Sequence[Mapping[str, Term]]

    def turns_of(self, answer: Answer) -> list[Turn]:
        """The turns of a model."""
        found: list[Turn] = []
        for choices in self.choices:
            numbers = {name: answer.values.get(v, v.lo) for name, v in choices.items()}
            found.append({name: n for name, n in numbers.items() if n})
        return found


class SolverUndecided(Exception):
    """A question that the solver did not decide; the message says why."""


class TermSolver(Protocol):
    """Answers whether a term can be true."""

    @property
    def copies(self) -> Iterator[int]:
        """Numbers for new variables, each given once."""

    def __call__(self, *terms: Term) -> Answer:
        """Checks the terms together."""


# ---- the search


class TurnsAhead:
    """The search over the turns ahead.

    Args:
        game: The turns ahead.
        ask: The solver.
        first_at_most: The most choices of the very first turn; None: any number.
    """

    def __init__(self, game: Ahead, ask: TermSolver, first_at_most: int | None = None):
        self.game, self._ask = game, ask
        self._most = first_at_most
        self.asked = 0
        self._known: dict[tuple[int, tuple[Term, ...]], Found] = {}
        self._last: dict[int, list[ForcingLine]] = {}
        self._killers: dict[int, list[tuple[Turn, ...]]] = {}

    def solve(self) -> Found:
        """The winner from the start.

        Raises:
            Undecided: The solver gave up.
            TimeUp: The time was up.
        """
        return Found(True, []) if self.game.goals[0] is TRUE else self.from_here(0, self.start)

    @property
    def start(self) -> Valuation:
        """The position at the start: all is known there, and nothing is left open."""
        return {}

    def from_here(self, i: int, at: Valuation) -> Found:
        """The winner from a known position at depth `i` in which the goal does not hold yet."""
        check_deadline()
        if i == self.game.depth:
            return Found(False, [])
        key = i, tuple(at.values())
        if key not in self._known:
            self._known[key] = self._propose(i, at) if self.game.plies[i].ours else self._reply(i, at)
        return self._known[key]

    def _propose(self, i: int, at: Valuation) -> Found:
        """The planning side decides: propose a line, have it refuted, propose another that survives that."""
        # The least that a line must stand is that nothing is done against it: else the first proposals are lines
        # that fail by themselves, and each failure costs a look at all replies.
        refuted = self._idle(self.game.block(i))
        while True:
            block = self.ours(i, at)
            answer = self.check(self._survives(i, at, refuted, block))
            if answer is None:
                return Found(False, refuted)
            # The model chose turns for the whole block; played, they may reach the goal before its end.
            line, after, j = self.play(i, at, block.turns_of(answer))
            if self.holds(j, after):
                line.reached = True
                return Found(True, [line])
            found = self.from_here(j, after)
            if found.wins:
                line.then = found.lines
                return Found(True, [line])
            _learn(refuted, found.lines)

    def _reply(self, i: int, at: Valuation) -> Found:
        """The other side decides: look for a reply to which no known line is an answer."""
        j = self.game.block(i)
        # Lines that won from other positions of this depth are tried here too: mostly some of them still do.
        answers = list(self._last.get(j, ()))
        if self.law(self.game.plies[i].passing, at) is not TRUE and not self._can_move(i, at):
            seen = self.law(self.game.plies[i].open, at) is not TRUE
            return Found(False, [ForcingLine((), ended=True, stuck=None if seen else at)])
        while True:
            block = self.theirs(i, at, may_end=False)
            answer = self.check(self._escapes(i, at, answers, block))
            if answer is None:
                return Found(True, answers)
            line, after, j = self.play(i, at, block.turns_of(answer))
            if line.ended or j == self.game.depth:
                return Found(False, [line])
            found = self.from_here(j, after)
            if not found.wins:
                line.then = found.lines
                return Found(False, [line])
            _learn(answers, found.lines)
            last = self._last.setdefault(j, [])
            last[:] = [*(line for line in found.lines if line.reached), *last][:_FEW]

    def _idle(self, j: int) -> list[ForcingLine]:
        """The reply that nothing is done from depth `j` on by the other side."""
        if j == self.game.depth:
            return []
        end = self.game.block(j)
        passes: Turn = {}
        then = self._idle(self.game.block(end)) if end < self.game.depth else []
        return [ForcingLine((passes,) * (end - j), then)]

    def _can_move(self, i: int, at: Valuation) -> bool:
        laws, _, _, defined = self.step(i, at, None)
        return self.check(and_(*defined, *laws)) is not None

    # ---- formulas

    def ours(self, i: int, at: Valuation) -> OpenTurns:
        """The turns of the planning side from depth `i`, as far as they are needed to reach the goal."""
        asked, done, now, chosen = list[Term](), [self.holding(i, at)], at, list[Mapping[str, Term]]()
        j = self.game.block(i)
        for d in range(i, j):
            laws, now, choices, defined = self.step(d, now, None)
            asked += [*defined, *(or_(*done, law) for law in laws), *self._few(d, choices)]
            done.append(self.holding(d + 1, now))
            chosen.append(choices)
        return OpenTurns(asked, any_of(done), now, chosen)

    def theirs(self, i: int, at: Valuation, *, may_end: bool) -> OpenTurns:
        """The turns of the other side from depth `i` that avoid the goal, as far as the play does not end.

        Args:
            i: The depth.
            may_end: Whether the play may end before the first of them.
        """
        asked, ended, now, chosen = [not_(self.holding(i, at))], FALSE, at, list[Mapping[str, Term]]()
        for d in range(i, self.game.block(i)):
            if d > i or may_end:
                ended = or_(ended, not_(self.law(self.game.plies[d].passing, now)))
            laws, now, choices, defined = self.step(d, now, None)
            asked += [*defined, *(or_(ended, law) for law in laws), *self._few(d, choices)]
            asked.append(or_(ended, not_(self.holding(d + 1, now))))
            chosen.append(choices)
        return OpenTurns(asked, ended, now, chosen)

    def _survives(
        self, i: int, at: Valuation, replies: Sequence[ForcingLine], block: OpenTurns | None = None
    ) -> Term:
        """A Bool term: the planning side has turns from depth `i` that reach the goal or survive known replies."""
        if i == self.game.depth:
            return self.holding(i, at)
        j = self.game.block(i)
        block = block or self.ours(i, at)
        if j == self.game.depth:
            return and_(*block.asked, block.over)
        needed = [self.law(self.game.plies[j].open, block.after)]
        needed += [self.withstands(j, block.after, reply) for reply in replies]
        return and_(*block.asked, *(or_(block.over, term) for term in needed))

    def withstands(self, j: int, at: Valuation, reply: ForcingLine) -> Term:
        """A Bool term: the planning side survives a known reply, where that is legal."""
        # A position in which nobody can move is known only as a whole: it is enough to come to any other one.
        if reply.stuck is not None:
            return not_(all_of(eq(at[v], c) for v, c in reply.stuck.items() if v in at))
        now, legal, done, defined = at, list[Term](), list[Term](), list[Term]()
        d = j
        for turn in reply.turns:
            laws, now, _, more = self.step(d, now, turn)
            legal += laws
            defined += more
            d += 1
            done.append(self.holding(d, now))
        # The reply fails if it is illegal here, if the goal comes amid it, or if what follows it survives.
        further = self.law(self.game.plies[d].open, now) if reply.ended else self._survives(d, now, reply.then)
        return and_(*defined, or_(not_(and_(*legal)), *done, further))

    def _escapes(self, i: int, at: Valuation, lines: Sequence[ForcingLine], block: OpenTurns | None = None) -> Term:
        """A Bool term: the other side has turns from depth `i` that avoid the goal and that no line answers."""
        if i == self.game.depth:
            return not_(self.holding(i, at))
        j = self.game.block(i)
        block = block or self.theirs(i, at, may_end=True)
        if j == self.game.depth:
            return and_(*block.asked)
        return and_(*block.asked, *(or_(block.over, self.beats(j, block.after, line)) for line in lines))

    def beats(self, j: int, at: Valuation, line: ForcingLine) -> Term:
        """A Bool term: a known line of the planning side is illegal, or has a reply to which it has no answer."""
        now, legal, asked, defined = at, list[Term](), list[Term](), list[Term]()
        d = j
        for turn in line.turns:
            laws, now, _, more = self.step(d, now, turn)
            legal += laws
            defined += more
            d += 1
            # As far as the line is legal, it does not reach the goal.
            asked.append(not_(and_(*legal, self.holding(d, now))))
        if line.reached:
            return and_(*defined, *asked)
        further = self._escapes(d, now, line.then)
        return and_(*defined, *asked, or_(not_(and_(*legal)), further))

    def _few(self, d: int, choices: Mapping[str, Term]) -> list[Term]:
        if d or self._most is None:
            return []
        return [le(count(map(is_made, choices.values())), self._most)]

    def law(self, term: Term, at: Valuation) -> Term:
        """A term over the variables of a depth, in a position there."""
        return Substitution(at)(term)

    def holding(self, d: int, at: Valuation) -> Term:
        """The goal at a depth."""
        return Substitution(at)(self.game.goals[d])

    def holds(self, d: int, at: Valuation) -> bool:
        """True if the goal holds in a known position."""
        return self.holding(d, at) is TRUE

    # ---- turns

    def step(
        self, d: int, at: Valuation, turn: Turn | None
    ) -> tuple[list[Term], Valuation, Mapping[str, Term], list[Term]]:
        """A turn from a position: its laws, the position after it, its choices, and what defines new variables.

        Args:
            d: The depth.
            at: A term for each variable of that depth.
            turn: What is chosen; None: that is open, and new variables stand for it.
        """
        ply = self.game.plies[d]
        copy = next(self._ask.copies)
        if turn is None:
            made = {name: var(f"{v.name}#{copy}", v.sort, mask=v.mask) for name, v in ply.choices.items()}
        elif all(name in ply.choices for name in turn):
            made = {name: numbered(v, turn.get(name, 0)) for name, v in ply.choices.items()}
        else:
            return [FALSE], self.anything(d + 1), {}, []
        here = Substitution({**at, **{ply.choices[name]: v for name, v in made.items()}})
        defined: list[Term] = []
        following: dict[Term, Term] = {}
        for v, value in ply.after.items():
            new = here(value)
            # A variable for each value, defined once: terms written into each other grow with every turn.
            if new.op not in (Op.CONST, Op.VAR):
                fresh = narrowed(v, copy, new)
                if not fresh.is_const:
                    defined.append(defining(fresh, new))
                new = fresh
            following[v] = new
        return [here(law) for law in ply.laws], following, made if turn is None else {}, defined

    def anything(self, d: int) -> Valuation:
        """Some position at a depth, where none can have come about."""
        return {v: v for v in self.game.fluents[d].values() if not v.is_const}

    def play(self, i: int, at: Valuation, turns: Sequence[Turn]) -> tuple[ForcingLine, Valuation, int]:
        """Play turns from a known position until the goal holds or nobody can move: line, position and its depth."""
        made: list[Turn] = []
        d = i
        for turn in turns:
            if made and not self.game.plies[d].ours and self.law(self.game.plies[d].passing, at) is not TRUE:
                if self.law(self.game.plies[d].open, at) is TRUE:
                    raise SolverUndecided("in a turn that may follow, something must be done: that is not looked at")
                return ForcingLine(tuple(made), ended=True), at, d
            _, at, _, _ = self.step(d, at, turn)
            made.append(turn)
            d += 1
            if self.holds(d, at):
                break
        return ForcingLine(tuple(made)), at, d

    def enough(self, term: Term, facts: Sequence[Term]) -> Sequence[Term] | None:
        """Some of the facts with which a term is contradictory; None if it is not so with all of them."""
        check_deadline()
        self.asked += 1
        answer = self._ask(term, *facts)
        if answer.verdict == "unknown":
            raise SolverUndecided(answer.reason)
        if answer.verdict == "sat":
            return None
        return facts if answer.core is None else [t for t in facts if t in answer.core]

    def check(self, term: Term) -> Answer | None:
        """A model of a term, or None if there is none."""
        check_deadline()
        self.asked += 1
        if term is FALSE:
            return None
        answer = self._ask(term)
        if answer.verdict == "unknown":
            raise SolverUndecided(answer.reason)
        return answer if answer.verdict == "sat" else None


_FEW = 12


def _learn(known: list[ForcingLine], more: Sequence[ForcingLine]) -> None:
    """Add lines; what follows the same turns is put together."""
    for line in more:
        same = next(
            (k for k in known if k.turns == line.turns and k.ended == line.ended and line.stuck is None), None
        )
        if same is None:
            known.append(line)
        elif same is not line:
            # Two lines that begin alike are one, to which both have what follows; it wins at once only if both do.
            same.reached = same.reached and line.reached
            _learn(same.then, line.then)
