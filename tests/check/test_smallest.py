"""Witnesses of `check` are the smallest there are: against every position of small random rule sets."""

from __future__ import annotations

import math
from collections.abc import Mapping
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.pace import examples
from tests.terms.specs import Spec, domain, meaning, specs, term
from tests.toys.small_systems import FLUENTS, all_values
from vclogic.check import oracle as oracle_module
from vclogic.check.catalogue import CATALOGUE
from vclogic.check.findings import CheckedRules, FindingKey
from vclogic.check.oracle import Oracle
from vclogic.clock import Deadline
from vclogic.model.fluents import Family, value
from vclogic.model.rules import Rule
from vclogic.model.system import System
from vclogic.progress import silent
from vclogic.solve.backends.session import Effort
from vclogic.terms.build import linear, ne
from vclogic.terms.term import Term

CHOSEN = tuple(FLUENTS[i] for i in (0, 1, 3, 4, 5))
KEY = FindingKey("VC101", "goal", (), ())


@st.composite
def rule_sets(draw: st.DrawFn) -> tuple[list[Spec], Spec, list[Spec]]:
    """Invariants, what counts as a piece, and goals."""
    laws = draw(st.lists(specs(CHOSEN, "B", 2), max_size=2))
    return laws, draw(specs(CHOSEN, "B", 1)), draw(st.lists(specs(CHOSEN, "B", 3), min_size=4, max_size=8))


def size(values: Mapping[Term, int], start: Mapping[Term, int], pieces: Spec | None) -> tuple[int, int]:
    """Pieces, then changes."""
    changed = sum(values[f] != start[f] for f in CHOSEN)
    return (0 if pieces is None else int(bool(meaning(pieces, values)))), changed


def oracle_of(laws: list[Spec], pieces: Spec | None, begin: Mapping[Term, int], *, smallest: bool = True) -> Oracle:
    """The oracle over a rule set."""
    families = tuple(Family(f.name, f.sort, "") for f in CHOSEN)
    assert tuple(f.fluent for f in families) == CHOSEN
    system = System(
        {},
        families,
        {},
        (),
        tuple(Rule(f"law {i}", term(law), "", ()) for i, law in enumerate(laws)),
        (),
        (),
        (),
        (),
        pieces=None if pieces is None else linear([(1, term(pieces))]),
    )
    start = system.layout.state({f: value(f.sort, begin[f]) for f in CHOSEN})
    rules, effort = CheckedRules("small/start", system, start), Effort(Deadline(60), silent)
    return Oracle(rules, tuple(CATALOGUE), effort, smallest=smallest)


@given(rule_sets(), st.booleans())
@examples(20)
def test_no_position_is_smaller(made: tuple[list[Spec], Spec, list[Spec]], counted: bool) -> None:
    laws, piece, goals = made
    states = [s for s in all_values(CHOSEN) if all(meaning(law, s) for law in laws)]
    if not states:
        return
    begin = states[len(states) // 2]
    with oracle_of(laws, piece if counted else None, begin) as oracle:
        for goal in goals:
            sizes = [size(s, begin, piece if counted else None) for s in states if meaning(goal, s)]
            found = list(oracle.exhibit(KEY, "so", term(goal)))
            assert oracle.undecided == []
            assert bool(found) == bool(sizes), goal
            if found:
                witness = found[0].witness
                assert witness is not None
                assert witness.minimal
                assert (witness.pieces or 0, len(witness.changes)) == min(sizes)


@given(rule_sets(), st.booleans())
@examples(10)
def test_a_witness_does_not_depend_on_questions_that_had_no_time(
    made: tuple[list[Spec], Spec, list[Spec]], counted: bool
) -> None:
    """On a busy machine a solver is stopped sooner; what others are shown stays."""
    laws, piece, (first, *goals) = made
    states = [s for s in all_values(CHOSEN) if all(meaning(law, s) for law in laws)]
    if not states:
        return
    shown = []
    with patch.object(oracle_module, "WIDE", 0):
        for answered in (True, False):
            with oracle_of(laws, piece if counted else None, states[len(states) // 2]) as oracle:
                if answered:
                    oracle._anywhere(term(first))
                shown.append([f.witness for goal in goals for f in oracle.exhibit(KEY, "so", term(goal))])
    assert shown[0] == shown[1]


def test_where_any_witness_will_do_none_is_made_smaller() -> None:
    begin = all_values(CHOSEN)[0]
    with (
        patch.object(Oracle, "_least", side_effect=AssertionError),
        oracle_of([], None, begin, smallest=False) as oracle,
    ):
        (found,) = oracle.exhibit(KEY, "so", ne(CHOSEN[0], value(CHOSEN[0].sort, begin[CHOSEN[0]])))
    assert found.witness is not None
    assert found.witness.changes
    assert not found.witness.minimal


def test_there_are_enough_positions() -> None:
    assert math.prod(len(domain(f)) for f in CHOSEN) == len(all_values(CHOSEN)) > 40
