"""Minimal changes and minimal conflicts, against trying every state and every subset."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import chain, combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.pace import examples
from tests.terms.specs import KIND, Spec, domain, literal, meaning, specs, term
from tests.toys.small_systems import FLUENTS, all_values
from vclogic.clock import Deadline
from vclogic.progress import silent
from vclogic.solve.backends.session import Effort
from vclogic.solve.searches.minimal_sets import correction_sets, unsat_subsets
from vclogic.terms.atoms import FALSE, TRUE, integer, var
from vclogic.terms.build import count, ge, iff, ite, le, not_, or_
from vclogic.terms.sorts import BOOL, IntSort
from vclogic.terms.term import Term

SLOW = examples(15)
ALL = 1000


def effort() -> Effort:
    return Effort(Deadline(30), silent)


def subsets(items: Iterable[int]) -> Iterable[frozenset[int]]:
    pool = list(items)
    return map(frozenset, chain.from_iterable(combinations(pool, n) for n in range(len(pool) + 1)))


def minimal(sets: Iterable[frozenset[object]]) -> set[frozenset[object]]:
    known = set(sets)
    return {s for s in known if not any(t < s for t in known)}


def smallest(ends: Sequence[dict[Term, int]]) -> list[dict[Term, int]]:
    """The changes of which no part, with the same values, is enough."""
    known = {frozenset(e.items()) for e in ends}
    return [e for e in ends if not any(s < e.items() for s in known)]


def needed(fluents: Sequence[Term], start: dict[Term, int], good: Sequence[dict[Term, int]]) -> set[frozenset[Term]]:
    """What is changed by changes of which no part, with the same values, is enough."""
    ends = smallest([{v: s[v] for v in fluents if s[v] != start[v]} for s in good])
    return {frozenset(e) for e in ends}


Wish = tuple[tuple[Term, ...], dict[Term, int], list[Spec]]


@st.composite
def wishes(draw: st.DrawFn) -> Wish:
    fluents = tuple(draw(st.lists(st.sampled_from(FLUENTS), min_size=2, max_size=4, unique=True)))
    start = {v: draw(st.sampled_from(domain(v))) for v in fluents}
    return fluents, start, draw(st.lists(specs(fluents, "B", 3), min_size=1, max_size=3))


@SLOW
@given(wishes())
def test_minimal_changes_are_those_of_brute_force(wish: Wish) -> None:
    fluents, start, goal = wish
    good = [s for s in all_values(fluents) if all(meaning(g, s) for g in goal)]
    expected = needed(fluents, start, good)
    constants = {v: literal(KIND[v], x) for v, x in start.items()}
    found = correction_sets([term(g) for g in goal], constants, ALL, effort())
    assert found.complete
    assert found.impossible == (not good)
    assert {frozenset(c) for c in found.sets} == expected
    assert [len(c) for c in found.sets] == sorted(map(len, expected))
    assert found.least == min(map(len, expected), default=0)
    ends = smallest([{v: s[v] for v in fluents if s[v] != start[v]} for s in good])
    for changes in found.sets:
        assert all(meaning(g, {**start, **changes}) for g in goal)
        assert changes == min((x for x in ends if x.keys() == changes.keys()), key=partial(first, start))
    assert list(found.sets) == sorted(found.sets, key=lambda c: (len(c), [v not in c for v in fluents]))


@SLOW
@given(wishes(), st.data())
def test_what_follows_from_changes_is_no_change(wish: Wish, data: st.DataObject) -> None:
    fluents, start, goal = wish
    flags = [v for v in fluents if KIND[v] == "B"]
    if not flags:
        return
    flag = data.draw(st.sampled_from(flags))
    law = data.draw(specs(tuple(v for v in fluents if v is not flag), "B", 2))
    before = meaning(law, start)

    def usual(s: dict[Term, int]) -> int:
        return start[flag] if meaning(law, s) == before else meaning(law, s)

    ends = []
    for s in all_values(fluents):
        if all(meaning(g, s) for g in goal):
            ends.append({v: s[v] for v in fluents if s[v] != (usual(s) if v is flag else start[v])})
    expected = {frozenset(e) for e in smallest(ends)}
    constants = {v: literal(KIND[v], x) for v, x in start.items()}
    now = constants[flag]
    follows = ite(iff(term(law), TRUE if before else FALSE), now, term(law))
    found = correction_sets([term(g) for g in goal], constants, ALL, effort(), {flag: follows})
    assert found.complete
    read = {frozenset(c) for c in found.sets}
    assert read == expected
    assert all(dict(c) in ends for c in found.sets)


def first(start: dict[Term, int], changes: dict[Term, int]) -> tuple[list[int], list[tuple[int, int]]]:
    """What comes first: members of Enums in their order, the first one last, then the nearest numbers."""
    names = [(n - 1) % len(domain(v)) for v, n in changes.items() if KIND[v] not in "BI"]
    return names, [(abs(n - start[v]), n) for v, n in changes.items() if KIND[v] == "I"]


def test_a_limit_is_kept_and_told() -> None:
    x, y = (v for v in FLUENTS if KIND[v] == "B" and v.name in "pq")
    either = [term(("or", ("var", x), ("var", y)))]
    start = {x: literal("B", 0), y: literal("B", 0)}
    one, both = (correction_sets(either, start, n, effort()) for n in (1, 2))
    assert (len(one.sets), one.complete) == (1, False)
    assert (len(both.sets), both.complete) == (2, True)


def test_of_many_sets_the_first_are_found() -> None:
    """Whatever a solver would find first; of numbers the nearest, of two as near the smaller one."""
    flags = [var(f"flag {i}", BOOL) for i in range(12)]
    level = var("level", IntSort(0, 20))
    start = {**dict.fromkeys(flags, FALSE), level: integer(9)}
    wanted = [ge(count(flags), 2), or_(le(level, 6), ge(level, 12))]
    found = correction_sets(wanted, start, 5, effort())
    assert list(found.sets) == [{flags[0]: 1, flags[i]: 1, level: 6} for i in range(1, 6)]
    assert (found.least, found.complete) == (3, False)


@st.composite
def quarrels(draw: st.DrawFn) -> tuple[tuple[Term, ...], list[Spec]]:
    fluents = tuple(draw(st.lists(st.sampled_from(FLUENTS), min_size=1, max_size=3, unique=True)))
    return fluents, draw(st.lists(specs(fluents, "B", 2), min_size=1, max_size=6))


@SLOW
@given(quarrels())
def test_minimal_conflicts_are_those_of_brute_force(quarrel: tuple[tuple[Term, ...], list[Spec]]) -> None:
    fluents, claims = quarrel
    worlds = all_values(fluents)

    def can_hold(some: Sequence[int] | frozenset[int]) -> bool:
        return any(all(meaning(claims[i], w) for i in some) for w in worlds)

    expected = minimal(s for s in subsets(range(len(claims))) if not can_hold(s))
    found = unsat_subsets([term(c) for c in claims], ALL, effort())
    assert found.complete
    assert {frozenset(s) for s in found.sets} == expected
    assert len(found.sets) == len(expected)


@pytest.mark.parametrize(("limit", "sets", "complete"), [(1, 1, False), (3, 2, True)])
def test_contradictions_are_all_only_if_no_other_is_left(limit: int, sets: int, complete: bool) -> None:
    p, q = (var(n, BOOL) for n in "pq")
    found = unsat_subsets([p, not_(p), q, not_(q)], limit, effort())
    assert (len(found.sets), found.complete) == (sets, complete)


def test_without_time_nothing_is_called_impossible() -> None:
    p, q = (var(n, BOOL) for n in "pq")
    found = correction_sets([or_(p, q)], {p: FALSE, q: FALSE}, 1, Effort(Deadline(0.0), silent))
    assert (found.sets, found.complete, found.impossible) == ((), False, False)
    assert found.reason
