"""Terms for z3 as linear arithmetic over integers: another way to write them than the one that vclogic has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import z3

from vclogic.encode.linear.affine import Program
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Op, Term


class Integers:
    """A solver over integers; an Enum's value is its member's number."""

    def __init__(self) -> None:
        self.solver = z3.SolverFor("QF_LIA")
        self._known: dict[Term, Any] = {}

    def add(self, terms: Iterable[Term]) -> None:
        """Takes down what holds."""
        for t in terms:
            self.solver.add(self.expression(t))

    def possible(self, term: Term) -> bool:
        """Whether a Bool term can be true."""
        status = self.solver.check(self.expression(term))
        assert status in (z3.sat, z3.unsat), self.solver.reason_unknown()
        return bool(status == z3.sat)

    def cheaper(self, program: Program, cost: int | None) -> bool:
        """Whether a mixed-integer program has a solution that costs less; None: whether it has any."""
        columns = [z3.Int(f"column {i}") for i in range(len(program.columns))]
        held = [z3.And(lo <= x, x <= hi) for x, (lo, hi) in zip(columns, program.columns, strict=True)]
        for row in program.rows:
            total = _sum(row.weights, columns)
            held += [] if row.lo is None else [total >= row.lo]
            held += [] if row.hi is None else [total <= row.hi]
        if cost is not None:
            objective = program.objective
            held.append(_sum(objective.weights.items(), columns) + objective.constant < cost)
        status = self.solver.check(*held, not program.impossible)
        assert status in (z3.sat, z3.unsat), self.solver.reason_unknown()
        return bool(status == z3.sat)

    def expression(self, t: Term) -> Any:
        """A term as z3 has it."""
        if t not in self._known:
            self._known[t] = self._written(t, [self.expression(a) for a in t.args])
        return self._known[t]

    def _written(self, t: Term, args: list[Any]) -> Any:
        match t.op:
            case Op.CONST:
                return z3.BoolVal(bool(t.payload)) if t.is_bool else z3.IntVal(int(t.payload))
            case Op.VAR:
                return self._variable(t)
            case Op.NOT:
                return z3.Not(args[0])
            case Op.AND:
                return z3.And(*args)
            case Op.OR:
                return z3.Or(*args)
            case Op.ITE:
                return z3.If(*args)
            case Op.LIN:
                weights, constant = t.payload
                return z3.Sum(constant, *(k * _number(a) for k, a in zip(weights, args, strict=True)))
            case Op.GE:
                return _number(args[0]) >= t.payload
            case Op.IN:
                return z3.Or(*(args[0] == i for i in range(t.args[0].hi + 1) if t.payload >> i & 1))
            case Op.DIV:
                return args[0] / t.payload
        raise AssertionError(t.op)

    def _variable(self, t: Term) -> Any:
        if t.is_bool:
            return z3.Bool(t.name)
        found = z3.Int(t.name)
        self.solver.add(t.lo <= found, found <= t.hi)
        if isinstance(t.sort, EnumSort):
            self.solver.add(z3.Or(*(found == i for i in range(t.hi + 1) if t.mask >> i & 1)))
        return found


def _sum(weights: Iterable[tuple[int, int]], columns: Sequence[Any]) -> Any:
    return z3.Sum(0, *(k * columns[c] for c, k in weights))


def _number(e: Any) -> Any:
    return z3.If(e, 1, 0) if z3.is_bool(e) else e
