"""Terms as SMT-LIB text.

An Enum variable becomes one Boolean per member, a weighted sum of Booleans a pseudo-Boolean atom, other numbers
bit-vectors that tell how far they lie above their least value, floor division a linear definition. Each composite
term is defined once and then used by name, so a session can be fed incrementally: only new definitions are written.
The portable dialect, in which numbers are whole numbers of any size, is in `vclogic.encode.portable`.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Iterator

from vclogic.terms.rewrite import NEGATIVE, POSITIVE, polarities
from vclogic.terms.sorts import EnumSort, IntSort, members_of
from vclogic.terms.term import Op, Term, postorder

_MANY = 20  # of more members than this no two hold: said by groups, not by pairs
_GROUP = 5
_WEIGHED = 1 << 31
"""z3 reads weights and bounds of so much and more as negative numbers, without a word. Where all weights together are
below it, it reads each number of such an atom as it is written; larger sums are bit-vectors, of any width."""


class SmtWriter:
    """Writes terms for one session of z3, and remembers what it has declared."""

    def __init__(self) -> None:
        self._names: dict[Term, str] = {}
        self._declared: dict[Term, None] = {}
        self._symbols: dict[Term, list[tuple[str, int]]] = {}
        self._reached: dict[Term, tuple[list[str], int]] = {}
        self._bounds: dict[Term, list[tuple[int, str]]] = {}
        self._fresh = 0
        self._lines: list[str] = []  # written, and not given yet: what is cut short by the clock is not lost

    def assertions(self, terms: Iterable[Term]) -> str:
        """Text that asserts Bool terms, with the declarations and definitions that they need first."""
        terms = list(terms)
        self._define_all(terms)
        return self._given([f"(assert {self._names[t]})" for t in terms])

    def assumption(self, term: Term) -> tuple[str, str]:
        """A literal that implies a Bool term, for use as an assumption: the text that defines it, and its name."""
        self._define_all([term])
        name = self._new("a")
        return self._given([f"(declare-fun {name} () Bool)", f"(assert (=> {name} {self._names[term]}))"]), name

    @property
    def variables(self) -> tuple[Term, ...]:
        """The variables declared so far."""
        return tuple(self._declared)

    def symbols(self, v: Term) -> list[tuple[str, int]]:
        """The solver's symbols for a variable: an Enum's Booleans with their members' numbers, else (name, 0)."""
        found = self._symbols.get(v)
        if found is None:
            found = [(_quoted(v.name), 0)]
            if isinstance(v.sort, EnumSort):
                members = members_of(v.mask)
                if len(members) == 2:  # one Boolean tells two members apart
                    members = members[1:]
                found = [(_quoted(v.name, v.sort.members[m]), m) for m in members]
            self._symbols[v] = found
        return found

    def value(self, v: Term, model: dict[str, int]) -> int:
        """A variable's number in a model, which names symbols without their quotes.

        What the model leaves open is the first possible value.
        """
        symbols = self.symbols(v)
        if isinstance(v.sort, EnumSort):
            default = members_of(v.mask)[0]
            return next((number for name, number in symbols if model.get(name.strip("|"))), default)
        found = model.get(symbols[0][0].strip("|"))
        return (0 if v.is_bool else v.lo) if found is None else self._number(v, found)

    def _number(self, v: Term, found: int) -> int:
        """A number by what a model says: a bit-vector tells how far an Int lies above its least value."""
        return found if v.is_bool else v.lo + found

    # ---- definitions

    def _new(self, prefix: str) -> str:
        self._fresh += 1
        return f"{prefix}!{self._fresh}"

    def _define_all(self, roots: list[Term]) -> None:
        """Writes all that is to be defined before some terms; where the time is up, what is left is for next time."""
        for line in self._definitions(roots, polarities(roots)):
            self._lines.append(line)

    def _given(self, more: list[str]) -> str:
        """The text so far, with some more lines."""
        lines, self._lines = [*self._lines, *more], []
        return "\n".join(lines) + "\n"

    def _definitions(self, roots: list[Term], signs: dict[Term, int]) -> Iterator[str]:
        for t in postorder(roots):
            if t.op is Op.FIX:
                yield from self._fixpoint(t, signs.get(t, POSITIVE | NEGATIVE))
            elif t.op is Op.REACH:
                # A later use may need more of the fixpoint than this one did, so its name is looked up each time.
                self._names[t] = self._reached[t.args[0]][0][t.payload]
            elif t not in self._names:
                if t.op is Op.VAR:
                    yield from self._declare(t)
                elif t.op is Op.CONST:
                    self._names[t] = str(t.value).lower() if t.is_bool else numeral(t.lo)
                elif t.op is Op.DIV:
                    yield from self._quotient(t)
                elif not (t.op is Op.LIN and all(a.is_bool for a in t.args)):
                    yield from self._define(t)

    def _define(self, t: Term) -> Iterator[str]:
        name = self._new("t")
        yield f"(define-fun {name} () {'Bool' if t.is_bool else self._sort(t)} {self._body(t)})"
        self._names[t] = name
        if t.op is Op.GE:
            yield from self._order(t.args[0], t.payload, name)

    def _sort(self, t: Term) -> str:
        """The sort of an Int."""
        return f"(_ BitVec {width_of(t)})"

    def _order(self, t: Term, k: int, name: str) -> Iterator[str]:
        """Tells the solver that "at least k" of one sum follows from the next higher bound that is in use."""
        bounds = self._bounds.setdefault(t, [])
        place = bisect(bounds, (k, name))
        if place:
            yield f"(assert (=> {name} {bounds[place - 1][1]}))"
        if place < len(bounds):
            yield f"(assert (=> {bounds[place][1]} {name}))"
        bounds.insert(place, (k, name))

    def _declare(self, v: Term) -> Iterator[str]:
        self._declared[v] = None
        names = [name for name, _ in self.symbols(v)]
        if isinstance(v.sort, IntSort):
            yield f"(declare-fun {names[0]} () {self._sort(v)})"
            yield from self._within(v, names[0])
        else:
            yield from (f"(declare-fun {n} () Bool)" for n in names)
            if len(names) > 1:
                yield f"(assert (or {' '.join(names)}))"
                yield from self._at_most_one(names)
        self._names[v] = names[0]

    def _within(self, v: Term, name: str) -> Iterator[str]:
        """Assert that an Int lies within its bounds."""
        if (v.hi - v.lo + 1).bit_count() != 1:
            yield f"(assert (bvule {name} {_bits(v.hi - v.lo, width_of(v))}))"

    def _at_most_one(self, names: list[str]) -> Iterator[str]:
        """At most one of some Booleans holds: pairwise, or by groups if they are many."""
        while len(names) > _MANY:
            groups = [names[i : i + _GROUP] for i in range(0, len(names), _GROUP)]
            names = []
            for group in groups:
                yield from _pairs(group)
                name = self._new("g")
                yield f"(declare-fun {name} () Bool)"
                yield from (f"(assert (=> {a} {name}))" for a in group)
                names.append(name)
        yield from _pairs(names)

    def _body(self, t: Term) -> str:
        args = [self._names.get(a, "") for a in t.args]
        match t.op:
            case Op.NOT:
                return f"(not {args[0]})"
            case Op.AND | Op.OR:
                return f"({t.op.value} {' '.join(args)})"
            case Op.ITE:
                branches = args[1:] if t.is_bool else self._branches(t)
                return f"(ite {args[0]} {' '.join(branches)})"
            case Op.LIN:
                return self._sum(t)
            case Op.GE:
                return self._at_least(t.args[0], t.payload)
            case Op.IN:
                return self._membership(t.args[0], t.payload)
        raise AssertionError(f"no SMT-LIB for {t.op}")

    def _branches(self, t: Term) -> list[str]:
        return [self._above(a, t.lo, width_of(t)) for a in t.args[1:]]

    def _above(self, t: Term, base: int, width: int) -> str:
        """An Int or Bool term minus a base no greater than its least value, in so many bits."""
        if t.is_const:
            return _bits(t.lo - base, width)
        if t.is_bool:
            return f"(ite {self._names[t]} {_bits(1 - base, width)} {_bits(-base, width)})"
        bits = self._widened(self._names[t] if t in self._names else self._sum(t), width_of(t), width)
        return bits if t.lo == base else f"(bvadd {bits} {_bits(t.lo - base, width)})"

    @staticmethod
    def _widened(name: str, width: int, to: int) -> str:
        return f"((_ zero_extend {to - width}) {name})" if to > width else name

    def _sum(self, t: Term) -> str:
        """A sum minus its least value; no part of it can overflow."""
        width = width_of(t)
        parts = []
        for k, a in zip(t.payload[0], t.args, strict=True):
            if a.is_bool:
                branches = (_bits(abs(k), width), _bits(0, width))
                one, zero = branches if k > 0 else branches[::-1]
                parts.append(f"(ite {self._names[a]} {one} {zero})")
            else:
                part = self._above(a, a.lo, width)
                if k < 0:
                    part = f"(bvsub {_bits(a.hi - a.lo, width)} {part})"
                parts.append(part if abs(k) == 1 else f"(bvmul {_bits(abs(k), width)} {part})")
        return f"(bvadd {' '.join(parts)})" if len(parts) > 1 else parts[0]

    def _at_least(self, t: Term, k: int) -> str:
        small = t.hi - t.lo < _WEIGHED  # the sum of all weights, than which no weight and no bound is larger
        if t.op is not Op.LIN or not small or not all(a.is_bool for a in t.args):
            bits = self._names[t] if t in self._names else self._sum(t)
            return f"(bvuge {bits} {_bits(k - t.lo, width_of(t))})"
        ks, c = t.payload
        weights, literals = [], []
        bound = k - c
        for weight, a in zip(ks, t.args, strict=True):
            name = self._names[a]
            if weight < 0:  # -w*a is w*(not a) - w
                bound -= weight
                name = f"(not {name})"
            weights.append(str(abs(weight)))
            literals.append(name)
        return f"((_ pbge {bound} {' '.join(weights)}) {' '.join(literals)})"

    def _membership(self, v: Term, mask: int) -> str:
        symbols = self.symbols(v)
        if len(symbols) == 1:
            name, number = symbols[0]
            return name if mask >> number & 1 else f"(not {name})"
        inside = [name for name, number in symbols if mask >> number & 1]
        return f"(or {' '.join(inside)})" if len(inside) > 1 else inside[0]

    def _quotient(self, t: Term) -> Iterator[str]:
        """Floor division: with d = k*a + r above the dividend's base, a quotient q with k*q <= d <= k*q + k-1."""
        name, k, dividend = self._new("q"), t.payload, t.args[0]
        width = (dividend.hi - k * t.lo + k).bit_length()
        d = self._above(dividend, k * t.lo, width)
        yield f"(declare-fun {name} () (_ BitVec {width_of(t)}))"
        kq = f"(bvmul {_bits(k, width)} {self._widened(name, width_of(t), width)})"
        yield f"(assert (bvule {self._widened(name, width_of(t), width)} {_bits(t.hi - t.lo, width)}))"
        yield f"(assert (and (bvule {kq} {d}) (bvule {d} (bvadd {kq} {_bits(k - 1, width)}))))"
        self._names[t] = name

    # ---- reachability

    def _fixpoint(self, t: Term, sign: int) -> Iterator[str]:
        """Defines the reached nodes of a FIX term, as far as its polarity asks.

        Where it occurs negatively only, any set closed under reaching will do; else each reached node must also
        rest on a node of lower rank. A fixpoint defined for one polarity is completed when the other turns up.
        """
        names, done = self._reached.get(t, ([], 0))
        graph, n = t.payload, len(t.args) // 2
        src, free = t.args[:n], t.args[n:]
        if not names:
            names = [self._new("r") for _ in range(n)]
            yield from (f"(declare-fun {name} () Bool)" for name in names)
        if sign & NEGATIVE and not done & NEGATIVE:
            yield from (f"(assert (=> {self._names[s]} {names[i]}))" for i, s in enumerate(src))
            for u, successors in enumerate(graph.successors):
                for v in successors:
                    yield f"(assert (=> (and {names[u]} {self._names[free[v]]}) {names[v]}))"
        if sign & POSITIVE and not done & POSITIVE:
            ranks = [self._new("k") for _ in range(n)]
            for rank in ranks:
                yield f"(declare-fun {rank} () {self._rank_sort(n)})"
            for v, predecessors in enumerate(graph.predecessors):
                earlier = " ".join(f"(and {names[u]} ({self._less} {ranks[u]} {ranks[v]}))" for u in predecessors)
                support = f"(and {self._names[free[v]]} (or {earlier} false))"
                yield f"(assert (=> {names[v]} (or {self._names[src[v]]} {support})))"
        self._reached[t] = (names, done | sign)

    _less = "bvult"

    def _rank_sort(self, n: int) -> str:
        """The sort of ranks of so many nodes."""
        return f"(_ BitVec {n.bit_length()})"


def width_of(t: Term) -> int:
    """The bits of an Int above its least value."""
    return max((t.hi - t.lo).bit_length(), 1)


def _bits(n: int, width: int) -> str:
    return f"(_ bv{n} {width})"


def _pairs(names: list[str]) -> Iterator[str]:
    return (f"(assert (not (and {a} {b})))" for i, a in enumerate(names) for b in names[i + 1 :])


def numeral(n: int) -> str:
    """A whole number in SMT-LIB."""
    return str(n) if n >= 0 else f"(- {-n})"


_ESCAPES = str.maketrans({c: f"%{ord(c):02X}" for c in "%|\\=!"})
_RESERVED = {"", "_", "and", "as", "false", "or", "true"}


def _quoted(*names: str) -> str:
    """A symbol of SMT-LIB for a name, or for a variable and a member.

    What the symbol cannot hold is escaped, and so is what would make it another one's: the `=` between variable and
    member, the `!` of the writer's own names, and words that z3 knows even in quotes.
    """
    symbol = "=".join(name.translate(_ESCAPES) for name in names)
    return f"|{symbol if symbol not in _RESERVED else symbol + '%'}|"
