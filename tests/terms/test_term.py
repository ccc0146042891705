"""Hash-consing: one object per structure, held weakly, immutable, also after pickling."""

from __future__ import annotations

import copy
import gc
import os
import pickle
import subprocess
import sys
import weakref
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given

from tests.fixtures.pace import examples
from tests.terms.specs import Spec, cases, term
from vclogic.terms.atoms import TRUE, integer, member, var
from vclogic.terms.build import add, and_, eq, ge, gt, is_in, ite, le, lt, not_, or_, sub
from vclogic.terms.reach import Graph, reach
from vclogic.terms.sorts import BOOL, EnumSort, IntSort
from vclogic.terms.term import _TABLE, Op, Term, _forget, postorder, variables

E = EnumSort("three", ("A", "B", "C"))
p, q = var("p", BOOL), var("q", BOOL)
x = var("x", IntSort(-2, 5))


@examples(600)
@given(cases())
def test_pickling_gives_the_same_object(case: tuple[tuple[Term, ...], Spec]) -> None:
    t = term(case[1])
    assert pickle.loads(pickle.dumps(t)) is t
    assert copy.copy(t) is copy.deepcopy(t) is t


def test_equal_structures_are_one_object() -> None:
    assert and_(p, ge(x, 2)) is and_(p, ge(x, 2))
    assert var("x", IntSort(-2, 5)) is x
    assert EnumSort("three", ("A", "B", "C")) is not E
    assert var("c", EnumSort("three", ("A", "B", "C"))) is var("c", E)


def test_what_differs_in_sort_or_bounds_is_another_term() -> None:
    assert var("x", IntSort(-2, 6)) is not x
    assert var("x", BOOL) is not x
    assert var("c", E, mask=0b011) is not var("c", E)
    assert var("c", EnumSort("three", ("C", "B", "A"))) is not var("c", E)
    assert member(E, "B") is not integer(1)
    assert integer(1) is not TRUE


def test_terms_are_immutable_and_have_no_truth_value() -> None:
    with pytest.raises(AttributeError):
        p.payload = "other"
    with pytest.raises(AttributeError):
        del p.payload
    with pytest.raises(AttributeError):
        p.extra = 1
    with pytest.raises(TypeError):
        bool(ge(x, 2))
    with pytest.raises(TypeError):
        _ = and_(p, q).name
    with pytest.raises(TypeError):
        _ = x.value


@pytest.mark.usefixtures("only_new_objects_collected")
def test_unused_terms_are_freed_even_deep_ones() -> None:
    flags = [var(f"freed{i}", BOOL) for i in range(20_000)]
    t: Term = x
    for i, b in enumerate(flags):
        t = ite(b, integer(i + 1_000_000), t)
    gone = [weakref.ref(t), weakref.ref(t.args[2]), weakref.ref(flags[7])]
    del t, b, flags
    gc.collect()
    assert [ref() for ref in gone] == [None] * 3


def test_threads_get_the_same_objects() -> None:
    def build(_: int) -> list[Term]:
        return [and_(var(f"t{i}", BOOL), ge(add(x, i % 5), 3)) for i in range(300)]

    with ThreadPoolExecutor(8) as pool:
        first, *others = pool.map(build, range(8))
    assert all(a is b for other in others for a, b in zip(first, other, strict=True))


def test_threads_may_make_and_drop_the_same_terms() -> None:
    def make(i: int) -> Term:
        return and_(var(f"dropped{i}", BOOL), ge(add(x, var(f"lost{i}", IntSort(0, 9))), 3))

    def make_and_drop(_: int) -> bool:
        return all(make(i) is make(i) for _ in range(200) for i in range(5))

    switch = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pool:
            assert all(pool.map(make_and_drop, range(8)))
    finally:
        sys.setswitchinterval(switch)
    made = {f"{what}{i}" for what in ("dropped", "lost") for i in range(5)}
    assert made.isdisjoint(key[1] for key in _TABLE if isinstance(key[1], str))


def test_a_term_that_was_made_once_more_is_not_forgotten_with_the_old_one() -> None:
    old = var("made again", BOOL)
    key = next(key for key in _TABLE if key[1] == "made again")
    entry = _TABLE[key]
    del old
    assert key not in _TABLE
    new = var("made again", BOOL)
    _forget(entry)  # another thread may come late with it
    assert var("made again", BOOL) is new


PICKLE = """
import pickle, sys
from vclogic.terms.atoms import var
from vclogic.terms.build import and_, eq, ge
from vclogic.terms.reach import Graph, reach
from vclogic.terms.sorts import BOOL, EnumSort, IntSort
a, b = var("a", BOOL), var("b", BOOL)
reached = reach(Graph(("n", "m"), (("n", "m"),)), {"n": a}, {"m": b})["m"]
t = and_(reached, ge(var("x", IntSort(0, 3)), 2), eq(var("c", EnumSort("three", ("A", "B", "C"))), "B"))
if sys.argv[1] == "write":
    sys.stdout.buffer.write(pickle.dumps(t))
else:
    assert pickle.loads(sys.stdin.buffer.read()) is t
"""


def test_pickles_cross_processes_with_other_string_hashes() -> None:
    def run(action: str, seed: str, data: bytes = b"") -> bytes:
        env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        command = [sys.executable, "-c", PICKLE, action]
        return subprocess.run(command, input=data, env=env, check=True, stdout=subprocess.PIPE).stdout

    run("read", "2", run("write", "1"))


def test_postorder_gives_each_term_once_after_its_arguments() -> None:
    shared = or_(p, q)
    roots = [ite(shared, add(x, 1), x), not_(shared), ge(ite(shared, add(x, 1), x), 2)]
    order = list(postorder(roots))
    assert len(order) == len(set(order))
    place = {t: i for i, t in enumerate(order)}
    assert all(place[a] < place[t] for t in order for a in t.args)
    assert set(roots) <= set(order)
    assert variables(*roots) == (p, q, x)
    for left_out in postorder(roots):
        below = set(postorder([left_out]))
        assert variables(*roots, beside=below) == tuple(v for v in variables(*roots) if v not in below)


def test_names_and_values() -> None:
    assert p.name == "p"
    assert TRUE.value is True
    assert integer(-3).value == -3
    assert member(E, "C").value == "C"
    assert (x.lo, x.hi, x.mask) == (-2, 5, 0)
    assert is_in(var("c", E), ["A", "C"]).payload == 0b101


def test_sorts_refuse_nonsense() -> None:
    with pytest.raises(ValueError, match="lo <= hi"):
        IntSort(2, 1)
    with pytest.raises(ValueError, match="needs members"):
        EnumSort("bad", ())
    with pytest.raises(ValueError, match="'A'"):
        EnumSort("bad", ("A", "A"))
    assert [str(s) for s in (BOOL, IntSort(-1, 2), E)] == ["Bool", "-1..2", "three"]


def test_text_of_terms() -> None:
    c = var("owner[Caucasus]", E)
    graph = Graph(("n", "m"), (("n", "m"),))
    reached = reach(graph, {"n": p}, {"m": q})["m"]
    assert repr(and_(is_in(c, ["A", "B"]), not_(p))) == "((owner[Caucasus] in {A, B}) and not p)"
    first, second = var("first", IntSort(-2, 5)), var("second", BOOL)  # summands stand in the order of making
    assert repr(ge(add(second, first, first, 3), 4)) == "((2*first + second) >= 1)"
    assert repr(ite(p, x, add(x, -1))) == "(if p then x else (x - 1))"
    assert repr(or_(reached, eq(c, "C"))) == "(reach(m) or (owner[Caucasus] in {C}))"
    long = and_(*(var(f"b{i}", BOOL) for i in range(1000)))
    assert len(repr(long)) == 400
    assert repr(long).endswith("...")
    assert reached.args[0].op is Op.FIX


def test_comparisons_and_members_are_shown_as_one_says_them() -> None:
    x, y, z = (var(name, IntSort(0, 9)) for name in "xyz")
    assert repr(not_(ge(x, 3))) == "(x <= 2)"
    assert repr(ge(add(x, y), add(z, 2))) == "((x + y) >= (z + 2))"
    assert repr(lt(add(x, y), z)) == "((x + y) < z)"
    assert repr(gt(x, add(y, z))) == "(x > (y + z))"
    assert repr(le(add(x, y), sub(z, 4))) == "((x + y) <= (z - 4))"
    assert repr(ge(sub(4, add(x, y)), 1)) == "((x + y) <= 3)"
    many = var("place", EnumSort("place", tuple(f"hex {i}" for i in range(20))))
    assert repr(not_(is_in(many, ["hex 3"]))) == "(place not in {hex 3})"
    assert repr(is_in(many, ["hex 3", "hex 4"])) == "(place in {hex 3, hex 4})"
