"""Tests of what a game claims: citations, names, rulings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from random import Random

from vclogic.conformance.laws import instances
from vclogic.files.cases import Case, load_cases
from vclogic.files.coverage import load_coverage
from vclogic.files.registry import load_encoding
from vclogic.game import Game
from vclogic.model.citation import Citation
from vclogic.model.system import Encoding
from vclogic.query.rule_book import rule_book
from vclogic.query.test import try_case


def test_what_is_claimed_is_cited(scenario: str) -> None:
    """Rules, outcomes and readings have a text and a clause, of a source that the encoding names."""
    setup = Game.load(scenario).setup
    encoding, system = setup.encoding, setup.system
    claims = [(r.name, r.text, r.cites) for r in system.rules]
    claims += [(o.name, o.text, o.cites) for o in system.outcomes]
    claims += [(r.name, r.reason, r.cites) for r in encoding.readings]
    for name, text, cites in claims:
        assert text, name
        assert cites, name
    cited = [(name, cites) for name, _, cites in claims]
    cited += [(r.name, r.cites) for r in system.invariants] + [(o.name, o.cites) for o in encoding.options]
    cited += [(o.name, o.cites) for o in system.observables] + [(e.name, e.cites) for e in system.events]
    for name, cites in cited:
        check_cites(encoding, name, cites)
    for schema in system.events:
        for action in instances(system, schema, Random("cites")):
            needed = (c for r in action.requirements for c in r.cites)
            check_cites(encoding, action.key, (*action.cites, *needed))


def check_cites(encoding: Encoding, name: str, cites: Iterable[Citation]) -> None:
    """Citations are of texts that the encoding names."""
    for cite in cites:
        assert cite.source in {t.source for t in encoding.texts}, name
        assert cite.clause, name


def test_names_are_unique(encoding: str) -> None:
    """No two things of one kind have one name."""
    game = load_encoding(encoding)
    switches = [o.name for o in game.options] + [r.name for r in game.readings]
    system = Game.load(encoding).setup.system
    rules = [r.name for r in (*system.rules, *system.invariants)]
    observables = [o.name for o in system.observables]
    outcomes = [(o.name, o.side) for o in system.outcomes]
    events = [s.name for s in system.events]
    lists: list[Sequence[object]] = [switches, rules, observables, outcomes, events]
    for names in lists:
        assert len(set(names)) == len(names)
    assert game.name == encoding
    assert {o.side for o in system.outcomes} <= set(system.sides)


# ---- coverage and rulings


@lru_cache(maxsize=1)  # pytest runs the tests of one game after the other
def rulings(game: str) -> tuple[Case, ...]:
    """The rulings of a game, which share the rule sets that they are about."""
    return load_cases(game)


def test_every_citation_is_a_clause(encoding: str) -> None:
    """Rules and rulings cite only clauses that coverage.yaml lists."""
    clauses = set(load_coverage(encoding).clauses)
    for part in rule_book(Game.load(encoding).setup).citing:
        assert {c.clause for c in part.cites} <= clauses, part.name
    for case in rulings(encoding):
        assert set(case.cites) <= clauses, case.name


def test_every_value_of_a_reading_has_a_ruling(encoding: str) -> None:
    """Each value of each Reading has a ruling."""
    readings = Game.load(encoding).setup.encoding.readings
    ruled = {
        (name, value)
        for setup in (case.setup() for case in rulings(encoding) if "readings" in str(case.node.tree))
        for name, value in setup.settings.readings.items()
        if name in setup.chosen
    }
    for reading in readings:
        assert reading.default in reading.values
        for value in reading.values:
            assert (reading.name, value) in ruled, (reading.name, value)


def test_the_rulings_hold(encoding: str) -> None:
    """Every ruling passes."""
    tried = [try_case(case) for case in rulings(encoding)]
    assert tried
    assert [(c.name, c.got) for c in tried if c.status == "failed"] == []
