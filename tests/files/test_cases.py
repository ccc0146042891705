"""Rulings and coverage."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from vclogic.errors import Diagnostic, InputError
from vclogic.files.coverage import Coverage, load_coverage
from vclogic.files.rulings.case_files import load_cases
from vclogic.query.test.rulings import test_all as try_files

Wrong = Callable[..., tuple[Diagnostic, ...]]

CASES = """\
- name: the first
  cites: ["3.1"]
  position: {game: skirmish/winter, options: {length: 8}, state: {turn: 3}, record: [end_turn]}
  readings: {ties: red}
  options: {length: 9}
  expect: [turn == 3, 'owner(Ford) == Blue']
- name: the second
  cites: 3.2
  expect_error: {step: 1, cites: 3.2, message: no}
  position: {record: [end_turn]}
- name: a bad one
  cites: []
  position: {state: {trun: 3}}
  expect: [x]
- name: a step too far
  cites: []
  expect_error: {step: 1, cites: [3.2, 3.3]}
- name: a foreign one
  cites: []
  position: {game: absent}
  expect: [x]
"""


def spots(found: tuple[Diagnostic, ...]) -> list[tuple[str, int | None, int | None]]:
    return [(d.code, d.line, d.column) for d in found]


def test_cases(game: Path, wrong: Wrong) -> None:
    (game / "cases" / "a.yaml").write_text(CASES)
    (game / "cases" / "b.yaml").write_text("- {name: last, cites: [], expect: [x]}\n")
    first, second, bad, far, foreign, last = load_cases("skirmish")
    assert (first.name, first.cites, first.line) == ("the first", ("3.1",), 1)
    assert first.file.endswith("cases/a.yaml")
    assert first.expect == ("turn == 3", "owner(Ford) == Blue")
    assert first.refusal is None
    setup = first.setup()
    assert (setup.game, setup.settings.options["length"]) == ("skirmish/winter", 9)
    assert setup.settings.readings == {"ties": "red"}
    assert len(setup.record) == 1
    assert second.expect == ()
    assert second.refusal is not None
    assert (second.refusal.step, second.refusal.cites, second.refusal.message) == (1, ("3.2",), "no")
    assert (second.cites, second.line, len(second.setup().record)) == (("3.2",), 7, 1)
    assert spots(wrong(bad.setup)) == [("unknown-name", 13, 22)]
    assert far.refusal is not None
    assert far.refusal.cites == ("3.2", "3.3")
    assert spots(wrong(far.setup)) == [("out-of-range", 17, 24)]
    assert spots(wrong(foreign.setup)) == [("wrong-game", 20, 20)]
    assert last.line == 1
    assert last.setup().system is second.setup().system, "built once"


def test_bad_case_files(game: Path, wrong: Wrong) -> None:
    text = """\
- {name: one, cites: [a], expect: [x], expect_error: {step: 1}}
- {name: two, cites: [a]}
- {name: no cites, expect: [x]}
- {name: a position, cites: [], position: {stat: {}}, expect: [x]}
- {name: three, cites: [a], expcet: [x], expect: [y]}
- {name: four, cites: [a], expect: [y]}
- {name: four, cites: [a], expect: [y]}
- {name: five, cites: [a], expect_error: {step: 0}}
- {name: six, cites: [a], expect_error: {step: x}}
- word
"""
    (game / "cases" / "a.yaml").write_text(text)
    (game / "cases" / "b.yaml").write_text("name: x\n")
    (game / "cases" / "c.yaml").write_text("a: [\n")
    found = wrong(load_cases, "skirmish")
    assert spots(found) == [
        ("given-twice", 1, 3),
        ("missing-entry", 2, 3),
        ("missing-entry", 3, 3),
        ("unknown-entry", 4, 44),
        ("unknown-entry", 5, 29),
        ("given-twice", 7, 10),
        ("out-of-range", 8, 49),
        ("wrong-value", 9, 48),
        ("wrong-value", 10, 3),
        ("unknown-entry", 1, 1),
        ("not-yaml", 1, 5),
    ]


def test_coverage(game: Path, wrong: Wrong) -> None:
    (game / "coverage.yaml").write_text("""\
source: book
clauses: [3.1, "3.2", 3.3, 3.4]
examples: 3.4
out_of_scope: {3.2: only words}
planned: {3.3: later}
""")
    coverage = load_coverage("skirmish")
    assert coverage == Coverage(
        "book", ("3.1", "3.2", "3.3", "3.4"), ("3.4",), {"3.2": "only words"}, {"3.3": "later"}
    )
    assert coverage.in_scope == ("3.1", "3.4")
    (game / "coverage.yaml").write_text("""\
source: book
clauses: [3.1, 3.2, 3.1]
examples: [3.2, 3.5]
out_of_scope: {3.2: only words, 3.6: gone}
planned: {3.2: later}
""")
    assert spots(wrong(load_coverage, "skirmish")) == [
        ("given-twice", 2, 21),
        ("unknown-name", 3, 17),
        ("unknown-name", 4, 33),
        ("given-twice", 5, 11),
    ]
    (game / "coverage.yaml").write_text("source: book\nclauses: [3.1]\nout_of_scop: {3.1: x}\n")
    assert spots(wrong(load_coverage, "skirmish")) == [("unknown-entry", 3, 1)]
    (game / "coverage.yaml").unlink()
    assert [d.code for d in wrong(load_coverage, "skirmish")] == ["no-such-file"]


@pytest.mark.usefixtures("game")
def test_no_cases() -> None:
    assert load_cases("skirmish") == ()


def test_rulings_are_laid_over_the_card_beside_them(tmp_path: Path) -> None:
    card = "game: moscow/small\noutcomes: |\n  German wins late at the end if round >= 3\nstate: {round: 2}\n"
    rulings = "based_on: {}\nrulings:\n- name: it is late\n  position: {{state: {{round: 3}}, record: [end_game]}}\n"
    (tmp_path / "card.yaml").write_text(card)
    (tmp_path / "board.yaml").write_text("based_on: moscow/small\nrounds: 4\n")
    (tmp_path / "held.yaml").write_text(rulings.format("card.yaml") + "  expect: holds(late, German)\n")
    tested = try_files([str(tmp_path)], cites=False)
    assert [(c.name, c.status) for c in tested.cases] == [("it is late", "passed")]
    (tmp_path / "held.yaml").write_text(rulings.format("crad.yaml") + "  expect: holds(late, German)\n")
    with pytest.raises(InputError, match=r"crad\.yaml"):
        try_files([str(tmp_path)], cites=False)
