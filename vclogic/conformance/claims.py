"""Tests of what a game claims: citations, names, rulings."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from random import Random

from vclogic.conformance.laws import instances
from vclogic.conformance.saying import at, claim, named
from vclogic.files.coverage import load_coverage
from vclogic.files.registry import load_encoding
from vclogic.files.rulings.case_files import load_cases
from vclogic.files.rulings.cases import Case
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
        claim(text, f"{name} has no text: say in a line what it says")
        claim(cites, f'{name} cites no clause: add cites=cite("PARAGRAPH/SENTENCE")')
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
        known = [t.source for t in encoding.texts]
        claim(cite.source in known, f"{name} cites {cite.source}, which is no text of the game: {named(known)} are")
        claim(cite.clause, f"{name} cites {cite.source} without a clause: name one")


def test_names_are_unique(encoding: str) -> None:
    """No two things of one kind have one name."""
    game = load_encoding(encoding)
    switches = [o.name for o in game.options] + [r.name for r in game.readings]
    system = Game.load(encoding).setup.system
    rules = [r.name for r in (*system.rules, *system.invariants)]
    observables = [o.name for o in system.observables]
    outcomes = [(o.name, o.side) for o in system.outcomes]
    events = [s.name for s in system.events]
    lists: dict[str, Sequence[object]] = {"options or Readings": switches, "rules": rules, "observables": observables}
    for kind, names in {**lists, "outcomes of one side": outcomes, "kinds of events": events}.items():
        twice = [n for n in dict.fromkeys(names) if names.count(n) > 1]
        claim(not twice, f"two {kind} have one name, {named(twice)}: call one of them otherwise")
    claim(
        game.name == encoding, f"the game is installed as {encoding}, but ENCODING is called {game.name}: rename it"
    )
    for o in system.outcomes:
        known = f"there are {named(system.sides)}"
        claim(o.side in system.sides, f"the outcome {o.name}{at(o)} is for {o.side}, which is no side: {known}")


# ---- coverage and rulings


@lru_cache(maxsize=1)  # pytest runs the tests of one game after the other
def rulings(game: str) -> tuple[Case, ...]:
    """The rulings of a game, which share the rule sets that they are about."""
    return load_cases(game)


def test_every_citation_is_a_clause(encoding: str) -> None:
    """Rules and rulings cite only clauses that coverage.yaml lists."""
    clauses = set(load_coverage(encoding).clauses)
    for part in rule_book(Game.load(encoding).setup).citing:
        _are_listed(part.name, [c.clause for c in part.cites], clauses)
    for case in rulings(encoding):
        _are_listed(f"the ruling '{case.name}'", case.cites, clauses)


def _are_listed(name: str, cites: Iterable[str], clauses: Collection[str]) -> None:
    wrong = [c for c in dict.fromkeys(cites) if c not in clauses]
    help = "add it there under `clauses:`, or mend the citation"
    claim(not wrong, f"{name} cites {named(wrong)}, which coverage.yaml does not list: {help}")


def test_every_value_of_a_reading_has_a_ruling(encoding: str) -> None:
    """Each value of each Reading has a ruling."""
    readings = Game.load(encoding).setup.encoding.readings
    ruled = {
        (name, value)
        for setup in (case.setup(ending) for case in rulings(encoding) for ending in case.endings if _reads(case))
        for name, value in setup.settings.readings.items()
        if name in setup.chosen
    }
    for reading in readings:
        default = f"the default of the Reading {reading.name}{at(reading)}, {reading.default}, is none of its values"
        claim(reading.default in reading.values, default)
        for value in reading.values:
            example = f"`readings: {{{reading.name}: {value}}}` in its position"
            message = (
                f"no ruling tries the Reading {reading.name}={value}{at(reading)}: write one in cases/ with {example}"
            )
            claim((reading.name, value) in ruled, message)


def _reads(case: Case) -> bool:
    """True if a ruling sets a Reading."""
    return any("readings" in str(node.tree) for node in (case.node, *(layer.node for layer in case.layers)))


def test_the_rulings_hold(encoding: str) -> None:
    """Every ruling passes."""
    tried = [try_case(case) for case in rulings(encoding)]
    claim(tried, f"{encoding} has no ruling: write some in its folder cases/")
    failed = [f"'{c.name}'" for c in tried if c.status == "failed"]
    claim(not failed, f"rulings fail: {named(failed)}; `vclogic test {encoding}` shows what was got instead")
