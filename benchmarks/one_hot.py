"""Owners as one-hot Booleans or as bit-vectors, in bounded model checking: which does z3 like better?

The bit-vectors come in two kinds. *Tests* is the same text with other variables: `x` is one of some members becomes
a few comparisons. *Words* also gives an owner's next value as one word, not member by member.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import z3

from benchmarks.questions import Question, ask
from benchmarks.runner import Answer, Comparison, within
from vclogic.encode.merge import merge
from vclogic.encode.smt import Writer
from vclogic.encode.unroll import Unrolling, cone
from vclogic.model.system import ANY
from vclogic.model.transition import Transition
from vclogic.terms.rewrite import Substitution, polarities
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Op, Term

AIM = "answer the design question: one-hot or bit-vector, by measurement"
LIMIT = 20.0
GOAL = "vcp(Axis) >= 40"
SOLVERS: dict[str, Callable[[], Any]] = {"QF_FD": lambda: z3.SolverFor("QF_FD"), "default": z3.Solver}


class BitVectors(Writer):
    """Enum variables as bit-vectors that hold the member's number."""

    def symbols(self, v: Term) -> list[tuple[str, int]]:
        """One symbol for any variable."""
        name = super().symbols(v)[0][0]
        return [(name.partition("=")[0] + "|", 0)] if isinstance(v.sort, EnumSort) else [(name, 0)]

    def _declare(self, v: Term) -> Iterator[str]:
        if not isinstance(v.sort, EnumSort):
            yield from super()._declare(v)
            return
        self._declared[v] = None
        name = self._names[v] = self.symbols(v)[0][0]
        yield f"(declare-fun {name} () (_ BitVec {_width(v)}))"
        if v.mask.bit_count() != 1 << _width(v):
            yield f"(assert {self._membership(v, v.mask)})"

    def _membership(self, v: Term, mask: int) -> str:
        inside = _members(mask)
        outside = _members(v.mask & ~mask)
        few = outside if outside and len(outside) < len(inside) else inside
        tests = [f"(= {self.symbols(v)[0][0]} {_bits(v, n)})" for n in few]
        either = tests[0] if len(tests) == 1 else f"(or {' '.join(tests)})"
        return either if few is inside else f"(not {either})"


class Words(BitVectors):
    """Bit-vectors whose next value is an expression of words."""

    def equation(self, v: Term, value: Term) -> str:
        """Text that asserts that a variable is a value."""
        conditions = [v]
        branches = [value]
        while branches:
            t = branches.pop()
            conditions += [t.args[0]] if t.op is Op.ITE else [t] if t.op is Op.VAR else []
            branches += t.args[1:] if t.op is Op.ITE else ()
        lines = list(self._definitions(conditions, polarities(conditions)))
        return "\n".join([*lines, f"(assert (= {self._names[v]} {self._word(v, value)}))"]) + "\n"

    def _word(self, like: Term, t: Term) -> str:
        if t.op is Op.ITE:
            then, otherwise = (self._word(like, a) for a in t.args[1:])
            return f"(ite {self._names[t.args[0]]} {then} {otherwise})"
        return _bits(like, t.payload) if t.is_const else self._names[t]


WRITERS = {"one-hot": Writer, "bit-vector, tests": BitVectors, "bit-vector, words": Words}


def run() -> Iterator[Comparison]:
    """Owners as vclogic plans them, with few values each; and every power's owners."""
    idle = ask(GOAL, "Axis", sea_range=1)
    transition, _ = merge(cone(idle.transition, [idle.goal])[1], [idle.goal], "captures")
    yield _compare(f"{GOAL}, sea_range=1: 2 owners a territory", idle, transition)
    free = ask(GOAL, "Axis", opponent=ANY, sea_range=1)
    transition = cone(free.transition, [free.goal])[1]
    yield _compare(f"{GOAL}, sea_range=1, all sides move: up to 5 owners a territory", free, transition)


def _compare(title: str, question: Question, transition: Transition) -> Comparison:
    calls: dict[str, Callable[[float], Answer]] = {
        f"{encoding}, {name}": partial(_search, question, transition, writer, solver)
        for name, solver in SOLVERS.items()
        for encoding, writer in WRITERS.items()
    }
    return Comparison(title, within(LIMIT, calls, runs=3, budget=6.0))


def _search(
    question: Question, transition: Transition, writer: type[Writer], make: Callable[[], Any], limit: float
) -> Answer:
    """The first depth at which the goal holds, in one incremental session."""
    text, solver = writer(), make()
    unrolled = Unrolling(transition, _needed(question, transition))
    depth, times = 0, []
    while True:
        began = time.perf_counter()
        definition, name = text.assumption(unrolled.holds(question.goal, depth))
        solver.from_string(definition)
        verdict = solver.check(z3.Bool(name))
        times.append(f"{time.perf_counter() - began:.1f}")
        ...
