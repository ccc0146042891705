"""Plans of any length up to a growing one, in one session of a solver.

Whether a plan takes one step more is a Bool of its own (`going`). The laws of a step hold only where the plan takes
it; after its end nothing is chosen. So a question about plans of all lengths is one question, and what the solver
learns from one serves the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

from vclogic.clock import TIME_UP, Deadline
from vclogic.collector_paused import collector_paused
from vclogic.encode.goal_regression import after_each
from vclogic.encode.python.codegen import interpret
from vclogic.encode.unroll import Unrolling, defining
from vclogic.model.fluents import numbered
from vclogic.model.transition import actions_of, undone
from vclogic.solve.backends.session import Answer, Session
from vclogic.solve.problem import Problem, SearchResult
from vclogic.solve.searches.bmc import depths, plan_of
from vclogic.solve.searches.cost_bounds import number
from vclogic.terms.atoms import TRUE, integer, var
from vclogic.terms.build import add, all_of, and_, any_of, implies, ite, not_, or_, sub
from vclogic.terms.reach import Graph
from vclogic.terms.rewrite import NEGATIVE, POSITIVE, Substitution, polarities
from vclogic.terms.sorts import BOOL, EnumSort
from vclogic.terms.term import Op, Term, postorder, variables

# ---- fixpoints on demand: reachability is told to a solver only as far as its answers get it wrong
#
# A formula for the least fixpoint needs a rank for each node. Here each reached node that a term asks for is a Bool
# of its own, free at first. Where an answer gives it the wrong value, the reason is told: a path of passable nodes
# that leads there, or the closed nodes that cut it off from all sources. A reason holds in all answers.


class LazyReach:
    """Terms without fixpoints that stand for terms with some."""

    def __init__(self) -> None:
        self._reached: dict[Term, Term] = {}
        self._nodes: dict[Term, list[Term]] = {}

    def free(self, term: Term) -> Term:
        """A term with a Bool of its own for each node that it asks for."""
        nodes = [t for t in postorder([term]) if t.op is Op.REACH]
        if not nodes:
            return term
        for t in nodes:
            self._reached.setdefault(t, var(f"reached {len(self._reached)}", BOOL))
        self._nodes[term] = nodes
        return Substitution({t: self._reached[t] for t in nodes})(term)

    def linked(self, term: Term) -> tuple[Term, list[Term]]:
        """A term over the same Bools where others have asked for its nodes, and laws that keep its meaning.

        The laws say in full what is reached, as far as the term asks: what it needs to be reached is reached, and
        what it needs not to be is not. So what is known of a node for the sake of others bears on this term too.
        """
        signs = polarities([term])
        known = {t: self._reached[t] for t in signs if t in self._reached}
        laws = [implies(t, reached) for t, reached in known.items() if signs[t] & NEGATIVE]
        laws += [implies(reached, t) for t, reached in known.items() if signs[t] & POSITIVE]
        return Substitution(known)(term), laws

    def reasons(self, term: Term, answer: Answer) -> Iterator[Term]:
        """Why nodes that a term asks for are reached or not, where an answer has them wrong.

        Args:
            term: The term, as `free` was given it.
            answer: An answer with a value for each variable; those it leaves out have their least.
        """
        for t in self._nodes.get(term, ()):
            fix, reached = t.args[0], self._reached[t]
            known = {v: answer.values.get(v, v.lo) for v in variables(fix)}
            half = len(fix.args) // 2
            now = interpret(list(fix.args), {v: i for i, v in enumerate(known)}, list(known.values()))
            path = _path(fix.payload, t.payload, now[:half], now[half:])
            if path is not None and not answer.values.get(reached, 0):
                yield implies(all_of((fix.args[path[0]], *(fix.args[half + v] for v in path[1:]))), reached)
            if path is None and answer.values.get(reached, 0):
                cut = _cut(fix.payload, t.payload, now[half:])
                ways = [*(fix.args[v] for v in cut), *(fix.args[half + v] for v in cut if not now[half + v])]
                yield implies(reached, any_of(ways))


def _path(graph: Graph[Any], target: int, src: Sequence[int], free: Sequence[int]) -> list[int] | None:
    """A shortest path of passable nodes from a source to a node; None if there is none."""
    before: dict[int, int | None] = {v: None for v, source in enumerate(src) if source}
    queue = [*before]
    for u in queue:
        for v in graph.successors[u]:
            if free[v] and v not in before:
                before[v] = u
                queue.append(v)
    if target not in before:
        return None
    path: list[int] = []
    node: int | None = target
    while node is not None:
        path.append(node)
        node = before[node]
    return path[::-1]


def _cut(graph: Graph[Any], target: int, free: Sequence[int]) -> list[int]:
    """All nodes from which passable nodes lead to a node, and those that would if they were passable themselves."""
    found = {target: None}
    queue = [target]
    for v in queue:
        for u in graph.predecessors[v] if free[v] else ():
            if u not in found:
                found[u] = None
                queue.append(u)
    return queue


class AnyLength:
    """The plans for a problem, and which of some terms are ever true in them.

    A term is *ever* true if it is true after some step, the passing of turns at the end included. Whether terms are
    closed is assumed in each question, of each of them: what it takes to know one is worked out only where it is.

    Args:
        problem: The problem; the terms are in its cone.
        watched: Bool terms over fluents.
        session: A fresh session.

    Attributes:
        problem: The problem.
        session: The session.
        unrolled: The steps so far.
        complete: Whether no plan takes more steps.
    """

    def __init__(self, problem: Problem, watched: Sequence[Term], session: Session):
        self.problem = problem
        self.session = session
        self.unrolled = Unrolling(problem.transition, problem.start)
        self.complete = False
        self._closed = {w: var(f"closed {i}", BOOL) for i, w in enumerate(watched)}
        self._late = self._in_tail(self._closed)
        self._lazy = LazyReach()
        self._ordered = False  # whether the last question was about what comes first
        self._prices: list[Term] = []
        self._depths = depths(problem, self.unrolled, self._add)
        self._most = -1
        self.grow()

    # ---- lengths

    @collector_paused()
    def grow(self) -> bool:
        """Allow plans one step more; returns whether any plan may take one. If it is cut short, drop all of it."""
        depth = next(self._depths, None)
        if depth is None:
            self.complete = True
            self.session.add(self.within)
            return False
        self._most = depth
        if depth:
            taken = _going(depth - 1)
            self._idle_unless(taken)
            if actions_of(self.problem.transition):  # a step without an action is none
                self.session.add(implies(taken, any_of(self.unrolled.choices[-1].values())))
            for w, closed in self._closed.items():
                self.session.add(implies(and_(taken, closed), not_(self._free(w, depth))))
            if depth > 1:
                self.session.add(implies(taken, _going(depth - 2)))
        self._end(depth)
        return True

    @property
    def within(self) -> Term:
        """A Bool term: a plan takes no more steps than there are so far."""
        return not_(_going(self._most))

    def no_shorter(self) -> None:
        """Say that no plan is as short as those so far may be: all take one step more."""
        self.session.add(*(_going(i) for i in range(self._most + 1)))

    @property
    def cost(self) -> Term:
        """The cost of a plan."""
        return add(integer(0), *self._prices)

    def _add(self, *laws: Term) -> None:
        """Add what holds in plans that take the last step so far; what a state is, is no law and always holds."""
        unrolled = self.unrolled
        state = (v for v in unrolled.states[-1].values() if v in unrolled.meaning)
        known = ((v, unrolled.meaning[v]) for v in state)
        always = {defining(v, t) for v, t in known if (v.lo, v.hi) == (t.lo, t.hi)}
        taken = _going(unrolled.depth - 1)
        self.session.add(*(law if law in always else implies(taken, law) for law in laws))

    def _idle_unless(self, taken: Term) -> None:
        """Say of the last step that nothing is chosen in it unless it is taken, and what it costs."""
        cost, chosen = self.unrolled.costs[-1], self.unrolled.choices[-1].values()
        if all(map(_can_be_undone, chosen)):
            self.session.add(*(or_(taken, undone(v)) for v in chosen))
            idle = Substitution({v: numbered(v, 0) for v in chosen})(cost)
            if idle.is_const:
                self._prices.append(sub(cost, ite(taken, integer(0), idle)))
                return
        self._prices.append(ite(taken, cost, integer(0)))

    # ---- the end

    def _here(self, depth: int) -> Term:
        """A Bool term: a plan ends after so many steps."""
        return and_(_going(depth - 1) if depth else TRUE, not_(_going(depth)))

    def _end(self, depth: int) -> None:
        """Say what holds where a plan ends after so many steps."""
        here, goals = self._here(depth), self.problem.regressions.goals
        if not self._late:
            self.session.add(implies(here, self._linked(self.problem.goal, depth)))
            return
        met = (and_(_passing(n), self._linked(goal, depth)) for goal, n in goals.items())
        self.session.add(implies(here, any_of(met)))
        for passed, after in enumerate(self._late, 1):
            for w, t in after.items():
                has = and_(here, self._passes(passed), self._closed[w])
                self.session.add(implies(has, not_(self._free(t, depth))))

    @property
    def passed(self) -> Term:
        """The repetitions of the tail, as far as they bear on what is watched: their sum, where several would do."""
        late = self._repetitions if self._late else ()
        return add(integer(0), *(ite(_passing(n), integer(n), integer(0)) for n in sorted(late)))

    @cached_property
    def _repetitions(self) -> set[int]:
        """The possible numbers of repetitions of the tail."""
        return {*self.problem.regressions.goals.values()}

    def _passes(self, repetitions: int) -> Term:
        """A Bool term: the tail is repeated at least so many times."""
        return any_of(_passing(n) for n in self._repetitions if n >= repetitions)

    def _in_tail(self, watched: Iterable[Term]) -> list[dict[Term, Term]]:
        """The watched terms on which the tail bears, after it, after it once more, ..."""
        action = self.problem.regressions.action
        return [] if action is None else after_each(watched, action, max(self._repetitions))

    def _free(self, term: Term, depth: int) -> Term:
        """A term after so many steps, with its fixpoints left open."""
        return self._lazy.free(self.unrolled.holds(term, depth))

    def _linked(self, goal: Term, depth: int) -> Term:
        """A goal after so many steps, by the fixpoints of the watched terms where it has them."""
        found, laws = self._lazy.linked(self.unrolled.holds(goal, depth))
        self.session.add(*laws)
        return found

    # ---- what is asked of plans

    def check(
        self, closed: Sequence[Term], first: tuple[Term, Sequence[Term]] | None, *more: Term, seconds: float
    ) -> Answer:
        """Ask for a plan of the steps so far.

        Args:
            closed: Watched terms that are never true after a step.
            first: A watched term that is true after some step, and others of which none is after an earlier step.
            more: What else is to hold.
            seconds: Time limit.
        """
        deadline, now, self._ordered = Deadline(seconds), {*closed}, first is not None
        assumed = [self.within, *(c if w in now else not_(c) for w, c in self._closed.items()), *more]
        if first is not None:
            assumed.append(self._first(*first))
        while True:
            left = deadline.left
            if left <= 0:
                return Answer("unknown", reason=TIME_UP)
            answer = self.session.check(*assumed, seconds=left)
            reasons = [*self._reasons(answer, closed, first)] if answer.verdict == "sat" else []
            if not reasons:
                return answer
            self.session.add(*reasons)

    def _first(self, watched: Term, others: Sequence[Term]) -> Term:
        """A Bool term: one term is true after some step, and none of some others is after an earlier step."""
        ways: list[Term] = []
        before: list[Term] = []
        for depth in range(self._most + 1):
            if depth:
                ways.append(and_(_going(depth - 1), self._free(watched, depth), *map(not_, before)))
                before += [self._free(w, depth) for w in others]
            earlier = [*before]
            for passed, after in enumerate(self._late, 1):
                if watched in after:
                    now = self._free(after[watched], depth)
                    ways.append(and_(self._here(depth), self._passes(passed), now, *map(not_, earlier)))
                earlier += [self._free(after[w], depth) for w in others if w in after]
        return any_of(ways)

    def _reasons(
        self, answer: Answer, closed: Sequence[Term], first: tuple[Term, Sequence[Term]] | None
    ) -> Iterator[Term]:
        """The constraints on fixpoints that bear on a question, where an answer has them wrong."""
        ordered = () if first is None else (first[0], *first[1])
        length = self._length(answer)
        for w in dict.fromkeys((*closed, *ordered)):
            late = [(after[w], length) for after in self._late if w in after]
            for t, depth in [*((w, i) for i in range(1, length + 1)), *late]:
                now = self.unrolled.holds(t, depth)
                if w in ordered or number(now, answer):
                    yield from self._lazy.reasons(now, answer)

    # ---- answers

    def plan(self, answer: Answer) -> SearchResult:
        """The plan of an answer."""
        return plan_of(self.unrolled, answer, self._length(answer))

    def passes(self, answer: Answer) -> int | None:
        """The repetitions of the tail; None: as many as the goal needs, since nothing watched depends on it."""
        if not self._late:
            return None
        holds, depth = self.unrolled.holds, self._length(answer)
        goals = self.problem.regressions.goals.items()
        return min(n for t, n in goals if number(_passing(n), answer) and number(holds(t, depth), answer))

    def ever(self, answer: Answer) -> set[Term]:
        """The watched terms that are ever true in the plan of an answer."""
        depth, passed = self._length(answer), self.passes(answer) or 0
        found: set[Term] = set()
        for w in self._closed:
            late = [(after[w], depth) for after in self._late[:passed] if w in after]
            moments = [*((w, i) for i in range(1, depth + 1)), *late]
            if any(number(self.unrolled.holds(t, i), answer) for t, i in moments):
                found.add(w)
        return found

    def _length(self, answer: Answer) -> int:
        """The number of steps in the plan of an answer; it ends where it has reached all that it was asked for."""
        longest = sum(answer.values.get(_going(i), 0) for i in range(self._most))
        if self._late or self._ordered:
            return longest
        goal, holds = self.problem.goal, self.unrolled.holds
        return next(d for d in range(longest + 1) if number(holds(goal, d), answer))


def _going(step: int) -> Term:
    """A Bool variable: a plan takes a step."""
    return var(f"going on {step}", BOOL)


def _passing(repetitions: int) -> Term:
    """A Bool variable: the tail is repeated so many times."""
    return var(f"passing {repetitions}", BOOL)


def _can_be_undone(choice: Term) -> bool:
    return bool(choice.mask & 1) if isinstance(choice.sort, EnumSort) else choice.lo <= 0 <= choice.hi
