"""Mistakes planted in rulebooks and conditions, and findings judged by hand: the lists are sound."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest

from mutants import texts
from mutants.judged import Judged, games, judged, table
from mutants.lists import EXAMPLES, TEXTS, Misplaced, Mutant, mutants
from mutants.report import Result, text_tables, with_section
from mutants.sandbox import Verdict
from vclogic.errors import InputError

LISTED = mutants(TEXTS)
FILES = sorted({m.file for m in LISTED})
KINDS = {
    *("threshold", "side swapped", "other than its sentence", "tie missing", "judged at another time", "never holds"),
    *("nobody can enter", "need against itself", "counted twice", "unused Reading", "never fires", "zone of sea"),
    *("always holds", "need missing", "data"),
}


def test_there_are_enough_of_each_kind() -> None:
    assert len(LISTED) >= 150
    assert len({m.name for m in LISTED}) == len(LISTED)
    assert {m.breaks for m in LISTED} == KINDS
    by = Counter(m.file.partition("/")[0] for m in LISTED)
    assert by["rulebooks"] >= 100
    assert by["scenarios"] >= 30
    assert by["house_rules"] >= 5


def test_each_can_be_planted_at_one_place_and_its_lines_are_known() -> None:
    for mutant in LISTED:
        text = (mutant.source / mutant.file).read_text(encoding="utf-8")
        planted = mutant.planted(text).splitlines()
        place = texts.place_of(mutant)
        around = "\n".join(planted[place.start - 1 : place.stop - 1])
        assert mutant.new.strip("\n") in around, mutant.name
        assert len(place) <= 40, mutant.name


@pytest.fixture
def examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    monkeypatch.chdir(tmp_path / "examples")
    return tmp_path / "examples"


def _first(file: str) -> Mutant:
    return next(m for m in LISTED if m.file == file)


@pytest.mark.parametrize("file", FILES)
def test_the_first_of_each_file_still_loads(file: str, examples: Path) -> None:
    _load([_first(file)], examples)


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES)
def test_each_still_loads(file: str, examples: Path) -> None:
    _load([m for m in LISTED if m.file == file], examples)


def _load(planted: list[Mutant], examples: Path) -> None:
    file, refused = planted[0].file, {}
    text = (examples / file).read_text(encoding="utf-8")
    for mutant in planted:
        (examples / file).write_text(mutant.planted(text), encoding="utf-8")
        try:
            texts.loaded(file)
        except InputError as error:
            refused[mutant.name] = str(error)
    assert refused == {}


def planted(name: str) -> Mutant:
    (found,) = (m for m in LISTED if m.name == name)
    return found


def test_a_planted_mistake_is_told_at_its_place() -> None:
    mutant = planted("majority: a seat is filled where none is free")
    found = texts.tried(mutant, ["check", "rulings"])
    assert found["check"].caught
    assert found["check"].what.startswith("VC206")
    assert found["rulings"].what == "2 of 2"


def test_what_the_sound_text_has_too_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    mutant = planted("race: field 9 wins")
    everything = {"VC101 a: b": True, "VC102 c: d": False, "VC103 e: f": True}
    monkeypatch.setattr(texts, "sound", lambda file: {"VC103 e: f": True})
    monkeypatch.setattr(texts, "seen", lambda *a: {"check": [everything, 1.5], "rulings": [{}, 0.5]})
    assert texts.tried(mutant, ["check", "rulings"]) == {
        "check": Verdict(True, "VC101, (VC102)", 1.5),
        "rulings": Verdict(False, "", 0.5),
    }


def test_the_table_counts_by_kind() -> None:
    told = {"check": Verdict(True, "VC101", 1.0), "rulings": Verdict(False, "", 0.5)}
    page = text_tables([Result(planted("race: field 9 wins"), told)])
    assert "| threshold | 1 | 1 | 0 | 0 | 0 |\n| **all** | 1 | 1 | 0 | 0 | 0 |" in page
    assert "| field 9 wins | threshold | VC101 | - |  | 1.5 |" in page
    assert text_tables([]) == ""


def test_a_section_takes_the_place_of_the_old_one() -> None:
    page = "# Page\n\n## a\n\nold\n\n## z\n\nend\n"
    assert with_section(page, "## a\n\nnew") == "# Page\n\n## a\n\nnew\n\n## z\n\nend\n"
    assert with_section(page, "## b\n\nnew") == "# Page\n\n## a\n\nold\n\n## b\n\nnew\n\n## z\n\nend\n"


# ---- false alarms


def test_judgements_are_of_games_that_are_checked_and_have_a_reason() -> None:
    known = games()
    assert len(known) >= 60
    entries = judged()
    assert [j for j in entries if j.game not in known or len(j.why) < 10] == []
    assert len({(j.game, j.code, j.rule) for j in entries}) == len(entries)
    assert {type(j.alarm) for j in entries} <= {bool}


def test_the_share_of_false_alarms_is_counted() -> None:
    found = {"a": [("VC101", "x", "said"), ("VC102", "y", "said")], "b": []}
    known = [Judged("a", "VC101", "x", True, "so it is"), Judged("a", "VC102", "y", False, "it is not")]
    page = table(found, known)
    assert "| 2 | 1 | 2 | 1 | 50.0 % |" in page
    assert "| a | VC102 | y | **false** | it is not |" in page
    assert "| a | VC101 | x | not yet |  |" in table(found, [])


def test_a_text_that_stands_nowhere_is_misplaced() -> None:
    mutant = planted("race: field 9 wins")
    with pytest.raises(Misplaced):
        mutant.planted("no such text")
