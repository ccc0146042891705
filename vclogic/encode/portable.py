"""Terms as SMT-LIB 2.6 that any solver reads: linear arithmetic over whole numbers (QF_LIA), and Booleans.

Numbers have any size here, so none can wrap around. z3 is given bit-vectors instead (`vclogic.encode.smt`); each sum
has a comment that says between which numbers it lies and in how many bits z3 has it, which are enough for these.
"""

from __future__ import annotations

from collections.abc import Iterator

from vclogic.encode.smt import SmtWriter, numeral, width_of
from vclogic.terms.term import Op, Term

LOGIC = "QF_LIA"


class PortableWriter(SmtWriter):
    """Writes terms for any solver, and remembers what it has declared."""

    _less = "<"
    has_numbers = False
    """Whether a whole number has been written."""

    def comparison(self, number: Term, least: int) -> str:
        """Text that asserts that an Int is at least a number, also where its bounds decide that already."""
        self._define_all([number])
        self.has_numbers = True
        return self._given([f"(assert (>= {self._value(number)} {numeral(least)}))"])

    def _number(self, v: Term, found: int) -> int:
        return found

    def _sort(self, t: Term) -> str:
        self.has_numbers = True
        return "Int"

    def _rank_sort(self, n: int) -> str:
        self.has_numbers = True
        return "Int"

    def _within(self, v: Term, name: str) -> Iterator[str]:
        yield f"(assert (<= {numeral(v.lo)} {name} {numeral(v.hi)}))"

    def _define(self, t: Term) -> Iterator[str]:
        number = t.args[0] if t.op is Op.GE else t
        if number.op is Op.LIN and number not in self._names:
            yield f"; a sum from {number.lo} to {number.hi}: {width_of(number)} bits"
        yield from super()._define(t)

    def _order(self, t: Term, k: int, name: str) -> Iterator[str]:
        """Nothing: that one bound follows from another is for the other solver to find."""
        return iter(())

    def _branches(self, t: Term) -> list[str]:
        return [self._value(a) for a in t.args[1:]]

    def _value(self, t: Term) -> str:
        """A term as a whole number; a Bool counts as 0 or 1."""
        if t.is_const:
            return numeral(t.lo)
        if t.is_bool:
            return f"(ite {self._names[t]} 1 0)"
        return self._names[t] if t in self._names else self._sum(t)

    def _sum(self, t: Term) -> str:
        ks, c = t.payload
        parts = [numeral(c)] if c or len(ks) == 1 else []
        for k, a in zip(ks, t.args, strict=True):
            if a.is_bool:
                parts.append(f"(ite {self._names[a]} {numeral(k)} 0)")
            else:
                parts.append(self._value(a) if k == 1 else f"(* {numeral(k)} {self._value(a)})")
        return f"(+ {' '.join(parts)})"

    def _at_least(self, t: Term, k: int) -> str:
        self.has_numbers = True
        return f"(>= {self._value(t)} {numeral(k)})"

    def _quotient(self, t: Term) -> Iterator[str]:
        """Floor division: a quotient q of d by k with k*q <= d <= k*q + k-1."""
        name, k, d = self._new("q"), t.payload, self._value(t.args[0])
        yield f"(declare-fun {name} () Int)"
        yield from self._within(t, name)
        kq = f"(* {numeral(k)} {name})"
        yield f"(assert (and (<= {kq} {d}) (<= {d} (+ {kq} {numeral(k - 1)}))))"
        self._names[t] = name
