"""Reasons and distances against every state of a few variables."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

from tests.fixtures.pace import examples
from tests.terms.specs import Spec, meaning, specs, term
from tests.toys.small_systems import FLUENTS, all_values
from vclogic.encode.distance import fewest_changes
from vclogic.encode.python.reasons import Reasons
from vclogic.terms.atoms import var
from vclogic.terms.build import add, floordiv, ge, ite, not_
from vclogic.terms.reach import Graph, reach
from vclogic.terms.sorts import BOOL
from vclogic.terms.term import Op, Term, variables

SLOW = examples(120)
Case = tuple[tuple[Term, ...], dict[Term, int], Spec]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    fluents = tuple(draw(st.lists(st.sampled_from(FLUENTS), min_size=2, max_size=5, unique=True)))
    return fluents, draw(st.sampled_from(all_values(fluents))), draw(specs(fluents, "B", 4))


def ends(reason: frozenset[Term]) -> set[Term]:
    """The variables that a reason rests on."""
    return {v for t in reason if t.op in (Op.VAR, Op.IN) for v in variables(t)}


@SLOW
@given(cases())
def test_what_is_no_reason_cannot_change_the_value(case: Case) -> None:
    fluents, now, spec = case
    t = term(spec)
    assume(not t.is_const)
    state = list(now.values())
    reasons = Reasons([t], {v: i for i, v in enumerate(fluents)}, state)
    deciding = ends(reasons(t))
    assert bool(reasons.value(t)) == bool(meaning(spec, now))
    for other in all_values(fluents):
        if all(other[v] == now[v] for v in deciding):
            assert bool(meaning(spec, other)) == bool(meaning(spec, now)), deciding


@SLOW
@given(cases())
def test_no_fewer_changes_than_the_distance_do(case: Case) -> None:
    fluents, now, spec = case
    t = term(spec)
    least = fewest_changes(t, {v: i for i, v in enumerate(fluents)}, list(now.values()))
    needed = [sum(s[v] != now[v] for v in fluents) for s in all_values(fluents) if meaning(spec, s)]
    if needed:
        assert least <= min(needed)
    assert (least == 0) == bool(meaning(spec, now))


NODES = tuple("abcde")
FREE = {n: var(f"free {n}", BOOL) for n in NODES}


@examples(60)
@given(
    st.lists(st.tuples(st.sampled_from(NODES), st.sampled_from(NODES)), max_size=9),
    st.tuples(*[st.booleans()] * 5),
    st.sampled_from(NODES[1:]),
)
def test_reasons_for_reachability(edges: list[tuple[str, str]], free: tuple[bool, ...], target: str) -> None:
    graph = Graph(NODES, tuple(dict.fromkeys(edges)))
    reached = reach(graph, {"a": FREE["a"]}, FREE)[target]
    assume(not reached.is_const)
    used = tuple(FREE.values())
    slot = {v: i for i, v in enumerate(used)}
    for t in (reached, not_(reached)):
        deciding = ends(Reasons([t], slot, free)(t))
        for other in all_values_of(len(NODES)):
            if all(other[slot[v]] == free[slot[v]] for v in deciding):
                assert Reasons([t], slot, other).value(t) == Reasons([t], slot, free).value(t)


def test_reasons_for_deep_numbers_that_share_their_parts() -> None:
    first, second = var("first", BOOL), var("second", BOOL)
    number: Term = add(first, second)
    for _ in range(3_000):
        number = floordiv(add(ite(first, number, add(second, 1)), number, 1), 2)
    t = ge(number, 1)
    assert ends(Reasons([t], {first: 0, second: 1}, [0, 0])(t)) == {first}


def all_values_of(n: int) -> list[tuple[bool, ...]]:
    return [tuple(bool(i >> k & 1) for k in range(n)) for i in range(2**n)]


def test_a_sum_holds_on_to_as_few_facts_as_its_bound_needs() -> None:
    from vclogic.terms.build import ge, total

    worth = [5, 4, 3, 2, 1]
    facts = [var(f"fact {i}", BOOL) for i in range(5)]
    t = ge(total(zip(worth, facts, strict=True)), 6)
    slot = {v: i for i, v in enumerate(facts)}
    assert ends(Reasons([t], slot, [1, 1, 1, 0, 0])(t)) == {facts[0], facts[1]}
    assert fewest_changes(t, slot, [0] * 5) == 2
    assert fewest_changes(t, slot, [0, 0, 0, 1, 1]) == 1
