"""Every clause of a rule text is encoded and exercised, or there is a reason why not."""

from __future__ import annotations

import pytest

from vclogic.files.cases import load_cases
from vclogic.files.coverage import load_coverage
from vclogic.files.registry import encoding_names, scenario_names
from vclogic.query.game import Game

CLAUSES = {"asl": 116, "axis_allies": 66, "moscow": 22, "napoleonics": 23, "okinawa": 28}
"""Number of sentences, exceptions and examples of each rule text."""


def names(game: str) -> set[str]:
    """What a game's coverage may name as a rule, in any of its scenarios."""
    found: set[str] = set()
    for scenario in scenario_names(game):
        system = Game.load(f"{game}/{scenario}").setup.system
        parts = (*system.rules, *system.invariants, *system.outcomes, *system.observables, *system.events)
        found |= {part.name for part in parts}
    return found


@pytest.mark.parametrize("game", encoding_names())
def test_every_clause_is_listed(game: str) -> None:
    assert len(load_coverage(game).clauses) == CLAUSES[game]


@pytest.mark.parametrize("game", encoding_names())
def test_a_clause_names_rules_and_rulings_that_exist_or_a_reason(game: str) -> None:
    cases = {case.name: case for case in load_cases(game)}
    known = names(game)
    for clause, how in load_coverage(game).clauses.items():
        if how.out_of_scope or how.planned:
            assert not how.rules, clause
            assert not how.cases, clause
            continue
        assert how.rules, clause
        assert how.cases, clause
        assert set(how.rules) <= known, (clause, set(how.rules) - known)
        assert set(how.cases) <= set(cases), (clause, set(how.cases) - set(cases))
        assert all(clause in cases[name].cites for name in how.cases), clause


@pytest.mark.parametrize("game", encoding_names())
def test_every_citation_is_a_clause(game: str) -> None:
    clauses = set(load_coverage(game).clauses)
    system = Game.load(game).setup.system
    parts = (*system.rules, *system.outcomes, *system.observables, *system.events)
    for part in parts:
        assert {c.clause for c in part.cites} <= clauses, part.name
    for case in load_cases(game):
        assert set(case.cites) <= clauses, case.name


@pytest.mark.parametrize("game", encoding_names())
def test_every_value_of_a_reading_has_a_ruling(game: str) -> None:
    encoding = Game.load(game).setup.encoding
    ruled = {
        (name, value)
        for setup in (case.setup() for case in load_cases(game) if "readings" in str(case.node.tree))
        for name, value in setup.settings.readings.items()
        if name in setup.chosen
    }
    for reading in encoding.readings:
        assert reading.default in reading.values
        for value in reading.values:
            assert (reading.name, value) in ruled, (reading.name, value)
