"""Owners as one-hot Booleans or as bit-vectors, in bounded model checking: which suits z3 better?

The bit-vectors come in two kinds. With *tests*, "is one of these members" becomes a few comparisons and all else
stays as it is. With *words*, an owner's next value is one expression of words too, not one formula per member.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import z3

from benchmarks.questions import Question, ask
from benchmarks.runner import Answer, Comparison, within
from vclogic.encode.dominance import without_dominated
from vclogic.encode.smt import SmtWriter
from vclogic.encode.unroll import Unrolling, cone
from vclogic.model.system import ANY
from vclogic.model.transition import Transition
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Op, Term

AIM = "answers a question of the design, one-hot or bit-vector, by measurement"
LIMIT = 15.0
SOLVERS: dict[str, Callable[[], Any]] = {"QF_FD": lambda: z3.SolverFor("QF_FD"), "z3's default": z3.Solver}


# ---- writers


class Tests(SmtWriter):
    """An Enum variable as a bit-vector that holds the place of its value among those it can have."""

    def symbols(self, v: Term) -> list[tuple[str, int]]:
        """The one symbol of a variable."""
        return [(f"|{v.name}|", 0)] if isinstance(v.sort, EnumSort) else super().symbols(v)

    def _declare(self, v: Term) -> Iterator[str]:
        if not isinstance(v.sort, EnumSort):
            yield from super()._declare(v)
            return
        self._declared[v] = None
        name = self._names[v] = self.symbols(v)[0][0]
        yield f"(declare-fun {name} () (_ BitVec {self.width(v)}))"
        if v.mask.bit_count() != 1 << self.width(v):
            yield f"(assert {self._membership(v, v.mask)})"

    def _membership(self, v: Term, mask: int) -> str:
        inside, outside = _members(mask & v.mask), _members(v.mask & ~mask)
        few = outside if outside and len(outside) < len(inside) else inside
        tests = " ".join(f"(= {self.symbols(v)[0][0]} {self.word(v, n)})" for n in few)
        either = f"(or {tests})" if len(few) > 1 else tests
        return either if few is inside else f"(not {either})"

    def width(self, v: Term) -> int:
        """The bits of a variable."""
        return max((v.mask.bit_count() - 1).bit_length(), 1)

    def word(self, v: Term, member: int) -> str:
        """A member as a value of a variable."""
        return f"(_ bv{_members(v.mask).index(member)} {self.width(v)})"


class Words(Tests):
    """An Enum variable as a bit-vector that holds the number of its value, so that words can be compared."""

    def width(self, v: Term) -> int:
        """The same bits for all variables of a sort."""
        return max(v.hi.bit_length(), 1)

    def word(self, v: Term, member: int) -> str:
        """A member's number."""
        return f"(_ bv{member} {self.width(v)})"

    def equation(self, v: Term, value: Term) -> str:
        """Text that asserts that a variable has a value."""
        parts, branches = [v], [value]
        while branches:
            t = branches.pop()
            if t.op is Op.ITE:
                parts.append(t.args[0])
                branches += t.args[1:]
            elif t.op is Op.VAR:
                parts.append(t)
        lines = list(self._definitions(parts, {}))
        return "\n".join([*lines, f"(assert (= {self._names[v]} {self._written(v, value)}))"]) + "\n"

    def _written(self, v: Term, value: Term) -> str:
        if value.op is Op.ITE:
            then, otherwise = (self._written(v, a) for a in value.args[1:])
            return f"(ite {self._names[value.args[0]]} {then} {otherwise})"
        return self.word(v, value.payload) if value.is_const else self._names[value]


def _members(mask: int) -> list[int]:
    return [i for i in range(mask.bit_length()) if mask >> i & 1]


WRITERS = {"one-hot": SmtWriter, "bit-vector tests": Tests, "bit-vector words": Words}


# ---- the search


def run() -> Iterator[Comparison]:
    """Few owners a territory, as vclogic plans with powers that are interchangeable; then every power for itself."""
    question = ask("vcp(Axis) >= 40", "Axis", sea_range=1)
    merged, _ = without_dominated(question.transition, [question.goal], "captures")
    yield _compare("vcp(Axis) >= 40, 2 possible owners a territory", question, merged)
    for goal in "vcp(Axis) >= 40", "vcp(Axis) >= 47":
        question = ask(goal, "Axis", opponent=ANY, sea_range=1)
        yield _compare(f"{goal}, both sides capture, 5 possible owners a territory", question, question.transition)


def _compare(title: str, question: Question, transition: Transition) -> Comparison:
    needed, smaller = cone(transition, [question.goal])
    start = {fluent: question.start[fluent] for fluent in needed}
    calls: dict[str, Callable[[float], Answer]] = {
        f"{encoding}, {name}": partial(_search, question.goal, start, smaller, writer, solver)
        for name, solver in SOLVERS.items()
        for encoding, writer in WRITERS.items()
    }
    return Comparison(f"{title} (sea_range=1)", within(LIMIT, calls, budget=2.5))


def _search(
    goal: Term,
    start: dict[Term, Term],
    transition: Transition,
    writer: type[SmtWriter],
    new_solver: Callable[[], Any],
    limit: float,
) -> Answer:
    """The first depth at which the goal holds, in one incremental session, with the time that each depth took."""
    text, solver, unrolled = writer(), new_solver(), Unrolling(transition, start)
    end = time.perf_counter() + limit
    times: list[str] = []
    verdict = z3.unsat
    while verdict == z3.unsat:
        began = time.perf_counter()
        if times:
            solver.from_string(_step(unrolled, transition, text))
        definition, name = text.assumption(unrolled.holds(goal, unrolled.depth))
        solver.from_string(definition)
        solver.set("timeout", max(1, int(1000 * (end - began))))
        verdict = solver.check(z3.Bool(name))
        times.append(f"{time.perf_counter() - began:.2f}")
    return Answer(f"{unrolled.depth} captures; by depth {' '.join(times)} s", finished=verdict == z3.sat)


def _step(unrolled: Unrolling, transition: Transition, text: SmtWriter) -> str:
    """One step more, as text."""
    constraints = unrolled.extend()
    if not isinstance(text, Words):
        return text.assertions(constraints)
    before, after = unrolled.states[-2:]
    value = Substitution({**before, **unrolled.choices[-1]})
    changed = [f for f in transition.next if f in after and after[f].op is Op.VAR and after[f] is not before[f]]
    laws = text.assertions(constraints[: len(transition.legality)])
    return laws + "".join(text.equation(after[f], value(transition.next[f])) for f in changed)
