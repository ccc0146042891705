"""A writer of SMT-LIB and a solver that are fed together."""

from __future__ import annotations

import z3

from tests.terms.specs import Values
from vclogic.conformance.reading import model_of, solver_of
from vclogic.encode.smt import Writer
from vclogic.terms.atoms import boolean
from vclogic.terms.build import all_of, eq
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Term


class Checker:
    """A writer and a solver that are fed together."""

    def __init__(self, engine: str, portable: bool = False):
        self.writer = Writer(portable=portable)
        self.solver = solver_of(engine)

    def add(self, *terms: Term) -> None:
        self.solver.from_string(self.writer.assertions(terms))

    def check(self, *assumptions: Term) -> bool:
        literals = []
        for t in assumptions:
            text, name = self.writer.assumption(t)
            self.solver.from_string(text)
            literals.append(z3.Bool(name, self.solver.ctx))
        status = self.solver.check(*literals)
        assert status in (z3.sat, z3.unsat), self.solver.reason_unknown()
        return bool(status == z3.sat)

    def values(self) -> dict[Term, int]:
        model = model_of(self.solver)
        return {v: self.writer.value(v, model) for v in self.writer.variables}


def in_state(values: Values) -> Term:
    """That the variables have the values."""
    return all_of(is_(v, x) for v, x in values.items())


def is_(v: Term, x: int) -> Term:
    """That a variable has a state's number as its value."""
    if isinstance(v.sort, EnumSort):
        return eq(v, v.sort.members[x])
    return eq(v, boolean(bool(x)) if v.is_bool else x)
