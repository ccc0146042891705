"""Conformance sees clauses without a ruling or code, and code that no ruling of its clause notices."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.toys.three_hills import NAME, installed
from vclogic.conformance import claims, games
from vclogic.model.actions import Action, Requirement
from vclogic.model.citation import RuleText, changed
from vclogic.model.variants import variants
from vclogic.terms.atoms import FALSE, TRUE, boolean, constant, integer, var
from vclogic.terms.build import add, not_
from vclogic.terms.partial import Partial
from vclogic.terms.sorts import BOOL, EnumSort, IntSort

CASES = """\
- name: all three hills are Red's at the start
  cites: [1/2]
  expect: hills(Red) == 3
- name: after the end nothing is taken
  cites: [1/1]
  position: {record: [end: {}, take: {side: Blue, hill: North}]}
  expect_error: {step: 2}
"""
COVERAGE = "source: book\nclauses: [1/1, 1/2]\n"
MARKED = ("def hills(side):", '@TEXT.encodes("1/2")\ndef hills(side):')
Written = Callable[[str, str], None]


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Written]:
    """Writes the coverage and the rulings of a small game."""
    with installed(tmp_path, monkeypatch, MARKED, coverage_yaml=COVERAGE) as rules:

        def write(coverage: str, cases: str) -> None:
            (rules.parent / "coverage.yaml").write_text(coverage)
            (rules.parent / "cases").mkdir(exist_ok=True)
            (rules.parent / "cases" / "all.yaml").write_text(cases)
            claims.books.cache_clear()
            claims.rulings.cache_clear()
            games.loaded.cache_clear()

        write(COVERAGE, CASES)
        yield write
    claims.books.cache_clear()
    claims.rulings.cache_clear()
    games.loaded.cache_clear()


TESTS = (
    claims.test_every_clause_has_a_ruling,
    claims.test_every_clause_is_encoded,
    claims.test_what_is_out_of_scope_is_not_cited,
    claims.test_rulings_notice_what_encodes_a_clause,
)


@pytest.mark.parametrize(
    ("coverage", "old", "new", "failing"),
    [
        (COVERAGE, "", "", ()),
        ("source: book\nclauses: [1/1, 1/2, 1/3]\n", "", "", (0, 1)),
        ("source: book\nclauses: [1/1, 1/2, 1/3]\n", "cites: [1/1]", "cites: [1/1, 1/3]", (1,)),
        ("source: book\nclauses: [1/1, 1/2, 1/3]\nexamples: 1/3\n", "cites: [1/1]", "cites: [1/1, 1/3]", ()),
        ("source: book\nclauses: [1/1, 1/2, 1/3]\nout_of_scope: {1/3: only words}\n", "", "", ()),
        ("source: book\nclauses: [1/1, 1/2]\nout_of_scope: {1/2: only words}\n", "", "", (2,)),
        (COVERAGE, "hills(Red) == 3", "hills(Red) >= 0", (3,)),
    ],
)
def test_each_fault_fails_its_tests(
    written: Written, coverage: str, old: str, new: str, failing: tuple[int, ...]
) -> None:
    written(coverage, CASES.replace(old, new) if old else CASES)
    failed = []
    for number, test in enumerate(TESTS):
        try:
            test(NAME)
        except games.UnmetDemand:
            failed.append(number)
    assert tuple(failed) == failing


def test_a_marked_function_is_described_and_changed() -> None:
    text = RuleText("book", "The book")

    @text.encodes("1/1", "1/2")
    def worth(points: int) -> int:
        """What a hill is worth.

        More is said below.
        """
        return points * 2

    (cited,) = text.functions
    assert (cited.name.rpartition(".")[2], cited.text) == ("worth", "What a hill is worth.")
    assert [str(c) for c in cited.cites] == ["1/1", "1/2"]
    assert cited.file.endswith("test_clauses.py")
    assert worth(2) == 4
    with changed(cited, lambda value: value + 1):
        assert worth(2) == 5
    assert worth(2) == 4


def test_every_kind_of_result_has_variants() -> None:
    flag, number = var("flag", BOOL), var("number", IntSort(0, 9))
    side = EnumSort("side", ("Red", "Blue"))
    owner = var("owner", side)
    required = Requirement(flag, "no")
    action = Action("take", (), None, (required,), ((flag, TRUE),), "takes")
    assert list(variants(flag)) == [not_(flag), TRUE, FALSE]
    assert list(variants(number)) == [add(number, integer(1)), integer(0)]
    assert list(variants(owner))[1] is constant(side, "Red")
    assert next(variants(Partial(flag, boolean(True)))) == Partial(not_(flag), TRUE)
    assert list(variants(True)) == [False]
    assert list(variants(2)) == [3, 0]
    assert [(len(a.effects), len(a.requirements)) for a in variants(action) if isinstance(a, Action)] == [
        (0, 1),
        (1, 0),
    ]
    assert list(variants((1, flag))) == [(2, flag), (1, not_(flag)), ()]
    assert list(variants({"a"})) == [set()]
    assert list(variants({"a": 1})) == [{}]
    assert [list(v) for v in variants(iter([1])) if isinstance(v, Iterator)] == [[]]
    assert list(variants("a name")) == []
    assert list(variants(None)) == []
