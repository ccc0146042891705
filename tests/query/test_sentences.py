"""Explanations in sentences: sums as so much of their parts, and parts that are alike told once."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import vclogic
from tests.fixtures.games import loaded
from tests.fixtures.pace import examples
from tests.fixtures.scenarios import smallest
from vclogic.conformance.games import legal_play
from vclogic.encode.python.evaluator import interpret
from vclogic.files.registry import encoding_names
from vclogic.query.explanation import Explained
from vclogic.query.sentences import at_least
from vclogic.report.text.page import render
from vclogic.report.text.reasons import outcome
from vclogic.terms.atoms import var
from vclogic.terms.build import ge, is_in, linear, not_
from vclogic.terms.sorts import BOOL, EnumSort, IntSort
from vclogic.terms.term import Term

COLOURS = EnumSort("colour", ("red", "green", "blue"))
PARTS = (var("a", BOOL), var("b", BOOL), var("n", IntSort(0, 3)), is_in(var("c", COLOURS), ("red", "green")))
SLOT = {var("a", BOOL): 0, var("b", BOOL): 1, var("n", IntSort(0, 3)): 2, var("c", COLOURS): 3}
STATES = st.tuples(st.integers(0, 1), st.integers(0, 1), st.integers(0, 3), st.integers(0, 2))


@given(
    st.lists(st.integers(-4, 4), min_size=4, max_size=4),
    st.integers(-3, 3),
    st.integers(-8, 8),
    STATES,
    st.booleans(),
)
@examples(1500, usual=30)
def test_a_bound_says_what_its_term_says(
    weights: list[int], start: int, bound: int, state: tuple[int, ...], denied: bool
) -> None:
    t: Term = ge(linear(zip(weights, PARTS, strict=True), start), bound)
    t = not_(t) if denied else t
    found = at_least(t)
    if found is None:
        return
    have = sum(p.weight * (interpret(p.term, SLOT, state) ^ p.flipped) for p in found.parts)
    assert (have >= found.need) == bool(interpret(t, SLOT, state))
    assert all(p.weight > 0 for p in found.parts if p.term.is_bool)


@pytest.mark.parametrize("game", encoding_names())
def test_no_term_is_shown(game: str) -> None:
    """Nothing that a program would write: no fact with its brackets, no set, no operator."""
    now = vclogic.load(smallest(game))
    for event, _ in [(None, None), *legal_play(now.setup.system, now.state, Random(f"say {game}"), 1)]:
        now = now.apply(event.name, **dict(event.args)) if event else now
        for why in now.explain():
            shown = render(outcome(why, whole=True), width=200)
            assert not re.search(r"\w\[[^\]/]*\]|[{}]|>=|<=|==", shown), shown


def test_parts_that_are_alike_are_told_once_and_none_is_lost() -> None:
    (total, *_) = (e for e in loaded("axis_allies").explain() if e.text == "total_victory, Allies")
    shown = render(outcome(total, whole=True), width=400)
    told = re.findall(r"(yes|no): (Archangel.*|Algeria.*|Wake.*) belongs? to the Germans or Japanese", shown)
    assert [(value, number(names)) for value, names in told] == [("no", 40), ("yes", 22), ("yes", 1)]
    assert "here Wake Island belongs to the Japanese" in shown


def number(names: str) -> int:
    """How many names are told: `A, B and 3 more`."""
    more = re.search(r" and (\d+) more$", names)
    return names.partition(" and ")[0].count(", ") + 1 + (int(more[1]) if more else 0)


def test_what_is_like_another_is_told_by_its_name() -> None:
    (why, *_) = loaded("asl").explain()
    shown = render(outcome(why, whole=True), width=200)
    assert "4-4-7 is broken" in shown
    assert "4-2-6 is broken" not in shown
    assert "the same as for 4-4-7: 4-2-6" in shown


def test_what_a_clause_says_is_told_in_full_once() -> None:
    part = Explained("enough points", True, cites=("1/1",), parts=(Explained("a hill is held", True),))
    other = Explained("enough points", True, cites=("1/1",), parts=(Explained("a hill is held", True),))
    above: set[object] = set()
    first = render(outcome(Explained("x", True, parts=(part,)), True, above))
    assert "a hill is held" in first
    again = render(outcome(Explained("y", True, parts=(other,)), True, above))
    assert "enough points [1/1], as above" in again
    assert "a hill" not in again
