"""Random expressions as nested tuples, what they mean by plain recursion, and the terms that they build."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from hypothesis import strategies as st

from vclogic.terms import atoms, build
from vclogic.terms.sorts import BOOL, BoolSort, EnumSort, IntSort
from vclogic.terms.term import Op, Term, postorder

E = EnumSort("three", ("A", "B", "C"))
F = EnumSort("five", ("V", "W", "X", "Y", "Z"))
VARS: dict[str, list[Term]] = {
    "B": [atoms.var(n, BOOL) for n in "pqr"],
    "I": [atoms.var("x", IntSort(-2, 1)), atoms.var("y", IntSort(0, 3)), atoms.var("z", IntSort(-4, -3))],
    "E": [atoms.var("c", E), atoms.var("d", E), atoms.var("e", E, mask=0b101)],
    "F": [atoms.var("f", F)],
}
KIND = {v: kind for kind, vs in VARS.items() for v in vs}


def kind_of(v: Term) -> str:
    """The kind of a variable, of these or another number or truth."""
    return KIND.get(v) or ("B" if v.is_bool else "I")


SORT = {"E": E, "F": F}
Spec = tuple[Any, ...]
Values = Mapping[Term, int]


@dataclass(frozen=True)
class Shape:
    """A constructor: the kind of its result, those of its arguments, and what it means.

    Kinds: B Bool, I Int, N Bool or Int, E and F enums; i a whole number, d a divisor, m a mask, s a member's
    name, S names; w a pair of coefficient and Bool, W of coefficient and number. A star after the last one
    stands for any number of them.
    """

    result: str
    args: str
    make: Callable[..., Term]
    meaning: Callable[..., int]


def _floor(a: int, k: int) -> int:
    return (a - a % k) // k


def _ceil(a: int, k: int) -> int:
    return -((-a) // k)


def _weigh(*pairs: tuple[int, int]) -> int:
    return sum(k * x for k, x in pairs)


SHAPES: dict[str, Shape] = {
    "not": Shape("B", "B", build.not_, lambda a: not a),
    "and": Shape("B", "B*", build.and_, lambda *a: all(a)),
    "or": Shape("B", "B*", build.or_, lambda *a: any(a)),
    "all_of": Shape("B", "B*", lambda *a: build.all_of(iter(a)), lambda *a: all(a)),
    "any_of": Shape("B", "B*", lambda *a: build.any_of(iter(a)), lambda *a: any(a)),
    "implies": Shape("B", "BB", build.implies, lambda a, b: not a or b),
    "iff": Shape("B", "BB", build.iff, lambda a, b: a == b),
    "xor": Shape("B", "BB", build.xor, lambda a, b: a != b),
    "ge": Shape("B", "NN", build.ge, lambda a, b: a >= b),
    "le": Shape("B", "NN", build.le, lambda a, b: a <= b),
    "gt": Shape("B", "NN", build.gt, lambda a, b: a > b),
    "lt": Shape("B", "NN", build.lt, lambda a, b: a < b),
    "eq": Shape("B", "NN", build.eq, lambda a, b: a == b),
    "ne": Shape("B", "NN", build.ne, lambda a, b: a != b),
    "ge number": Shape("B", "Ni", build.ge, lambda a, b: a >= b),
    "number le": Shape("B", "iN", build.le, lambda a, b: a <= b),
    "eq number": Shape("B", "Ni", build.eq, lambda a, b: a == b),
    "min bool": Shape("B", "BB", build.minimum, min),
    "linear": Shape("I", "iW*", lambda c, *pairs: build.linear(pairs, c), lambda c, *pairs: c + _weigh(*pairs)),
    "add": Shape("I", "N*", build.add, lambda *a: sum(a)),
    "add number": Shape("I", "Ni", build.add, lambda a, b: a + b),
    "sub": Shape("I", "NN", build.sub, lambda a, b: a - b),
    "scale": Shape("I", "Ni", build.scale, lambda a, k: a * k),
    "floordiv": Shape("I", "Nd", build.floordiv, _floor),
    "ceildiv": Shape("I", "Nd", build.ceildiv, _ceil),
    "count": Shape("I", "B*", lambda *a: build.count(a), lambda *a: sum(a)),
    "total": Shape("I", "w*", lambda *pairs: build.total(pairs), _weigh),
    "minimum": Shape("I", "II", build.minimum, min),
}
for _k in "BIEF":
    SHAPES[f"ite {_k}"] = Shape(_k, "B" + _k * 2, build.ite, lambda c, a, b: a if c else b)
for _k in "EF":
    _sort = SORT[_k]
    _index = _sort.index
    SHAPES[f"eq {_k}"] = Shape("B", _k * 2, build.eq, lambda a, b: a == b)
    SHAPES[f"ne {_k}"] = Shape("B", _k * 2, build.ne, lambda a, b: a != b)
    SHAPES[f"eq name {_k}"] = Shape("B", f"{_k}s", build.eq, lambda a, s, index=_index: a == index[s])
    SHAPES[f"is_in {_k}"] = Shape("B", f"{_k}S", build.is_in, lambda a, s, index=_index: a in map(index.get, s))
    SHAPES[f"in_mask {_k}"] = Shape("B", f"{_k}m", build.in_mask, lambda a, m: m // 2**a % 2 == 1)
OPERATORS = {kind: [name for name, s in SHAPES.items() if s.result == kind] for kind in "BIEF"}


# ---- Meaning, and the term


def _fold(spec: Spec, leaf: Callable[[Spec], Any], node: Callable[[Shape, list[Any]], Any]) -> Any:
    if spec[0] in ("var", "const"):
        return leaf(spec)
    shape = SHAPES[spec[0]]
    out: list[Any] = []
    for i, arg in enumerate(spec[1:]):
        letter = shape.args[min(i, len(shape.args) - 2)] if shape.args.endswith("*") else shape.args[i]
        if letter in "wW":
            out.append((arg[0], _fold(arg[1], leaf, node)))
        else:
            out.append(arg if letter.islower() or letter == "S" else _fold(arg, leaf, node))
    return node(shape, out)


def meaning(spec: Spec, values: Values) -> int:
    """The value of an expression, as a state's number."""

    def leaf(s: Spec) -> int:
        return values[s[1]] if s[0] == "var" else int(s[2])

    return int(_fold(spec, leaf, lambda shape, args: int(shape.meaning(*args))))


def term(spec: Spec) -> Term:
    """The term of an expression, by the constructors."""

    def leaf(s: Spec) -> Term:
        return s[1] if s[0] == "var" else literal(s[1], s[2])

    found: Term = _fold(spec, leaf, lambda shape, args: shape.make(*args))
    return found


def literal(kind: str, x: int) -> Term:
    """The constant of a kind with the value x, as a state's number."""
    if kind == "B":
        return atoms.boolean(bool(x))
    return atoms.integer(x) if kind == "I" else atoms.member(SORT[kind], SORT[kind].members[x])


def domain(v: Term) -> list[int]:
    """The values of a variable."""
    return [i for i in range(v.hi + 1) if v.mask >> i & 1] if v.mask else list(range(v.lo, v.hi + 1))


def states(pool: tuple[Term, ...]) -> Iterator[dict[Term, int]]:
    """Every state of some variables."""
    for xs in product(*map(domain, pool)):
        yield dict(zip(pool, xs, strict=True))


# ---- Random expressions


@st.composite
def pools(draw: st.DrawFn) -> tuple[Term, ...]:
    """A few variables, so that all their states can be tried."""
    return tuple(draw(st.lists(st.sampled_from(list(KIND)), min_size=1, max_size=4, unique=True)))


Numbers = st.SearchStrategy[int]


@st.composite
def specs(
    draw: st.DrawFn, pool: tuple[Term, ...], kinds: str = "BIEF", depth: int = 4, numbers: Numbers | None = None
) -> Spec:
    """An expression over the variables of a pool.

    Args:
        numbers: The whole numbers in it; None: small ones.
    """
    return _spec(draw, pool, draw(st.sampled_from(kinds)), depth, numbers)


@st.composite
def cases(draw: st.DrawFn, kinds: str = "BIEF", depth: int = 4) -> tuple[tuple[Term, ...], Spec]:
    """A pool, and an expression over it."""
    pool = draw(pools())
    return pool, draw(specs(pool, kinds, depth))


def _spec(draw: st.DrawFn, pool: tuple[Term, ...], kind: str, depth: int, numbers: Numbers | None) -> Spec:
    if depth == 0 or draw(st.integers(0, 5)) == 0:
        leaves: list[Spec] = [("var", v) for v in pool if kind_of(v) == kind]
        if not leaves or draw(st.integers(0, 4)) == 0:
            sort = SORT.get(kind)
            low, high = (0, len(sort.members) - 1) if sort else (0, 1) if kind == "B" else (-3, 3)
            return ("const", kind, draw(numbers if numbers is not None and kind == "I" else st.integers(low, high)))
        return draw(st.sampled_from(leaves))
    name = draw(st.sampled_from(OPERATORS[kind]))
    letters = SHAPES[name].args
    if letters.endswith("*"):
        letters = letters[:-2] + letters[-2] * draw(st.integers(0, 3))
    sort = SORT.get(letters[:1])
    return (name, *[_argument(draw, pool, letter, sort, depth, numbers) for letter in letters])


def _argument(
    draw: st.DrawFn, pool: tuple[Term, ...], letter: str, sort: EnumSort | None, depth: int, numbers: Numbers | None
) -> Any:
    match letter:
        case "N":
            return _spec(draw, pool, draw(st.sampled_from("IB")), depth - 1, numbers)
        case "w" | "W":
            kind = "B" if letter == "w" else draw(st.sampled_from("IB"))
            weight = draw(st.integers(-3, 3) if numbers is None else numbers)
            return weight, _spec(draw, pool, kind, depth - 1, numbers)
        case "i":
            return draw(st.integers(-4, 4) if numbers is None else numbers)
        case "d":
            return draw(st.integers(1, 4) if numbers is None else numbers.map(lambda n: abs(n) + 1))
        case "m":
            return draw(st.integers(0, 31))
        case "s" | "S":
            assert sort is not None
            name = st.sampled_from(sort.members)
            return draw(name if letter == "s" else st.lists(name, max_size=3))
    return _spec(draw, pool, letter, depth - 1, numbers)


# ---- The normal form that build.py promises


def assert_normal(root: Term) -> None:
    """Fails if a subterm could have been folded, or is not in the form that the encoders rely on."""
    for t in postorder([root]):
        if not t.is_const and t.op is not Op.FIX:
            assert t.mask.bit_count() > 1 if isinstance(t.sort, EnumSort) else t.lo < t.hi, t
        match t.op:
            case Op.NOT:
                assert t.args[0].op not in (Op.NOT, Op.IN, Op.CONST), t
            case Op.AND | Op.OR:
                atoms = [a.args[0] for a in t.args if a.op is Op.IN]
                assert len(t.args) == len(set(t.args)) >= 2, t
                assert len(atoms) == len(set(atoms)), t
                assert all(a.op not in (Op.CONST, t.op) and a.is_bool for a in t.args), t
            case Op.ITE:
                assert t.args[0].op not in (Op.NOT, Op.CONST), t
                assert t.args[1] is not t.args[2], t
            case Op.LIN:
                assert all(t.payload[0]), t
                assert len(t.args) == len(set(t.args)) >= 1, t
                assert all(a.op not in (Op.NOT, Op.LIN, Op.CONST) for a in t.args), t
                assert all(isinstance(a.sort, BoolSort | IntSort) for a in t.args), t
            case Op.GE:
                (a,) = t.args
                assert a.lo < t.payload <= a.hi, t
                assert a.op is not Op.LIN or (a.payload[0][0] > 0 and a.payload[1] == 0), t
            case Op.IN:
                v = t.args[0]
                assert v.op is Op.VAR, t
                assert 0 < t.payload != v.mask == t.payload | v.mask, t
            case Op.DIV:
                assert t.payload > 1, t
