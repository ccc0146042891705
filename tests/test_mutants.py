"""The planted defects: each can still be planted; one of each game is tried, `make slow` tries all."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from mutants import tested
from mutants.covered import Covered
from mutants.lists import ENCODINGS, ENGINE, ROOT, Misplaced, Mutant, games, mutants
from mutants.sandbox import Verdict, examined, sandbox
from mutants.tested import chosen, waited_for
from tests.fixtures.budget import Cases, budget
from vclogic.files.coverage import load_coverage
from vclogic.files.registry import encoding_names

LEAST = 12
OF_ENGINE = mutants(ENGINE)
LEAST_OF_ENGINE = 60
ALL = [*(mutant for game in games() for mutant in mutants(game)), *OF_ENGINE]
TRIED = [mutants(game)[0] for game in games()]


def test_every_encoding_has_a_list() -> None:
    assert games() == encoding_names()


@pytest.mark.parametrize("game", games())
def test_a_list_is_long_enough_and_names_clauses(game: str) -> None:
    listed = mutants(game)
    assert len(listed) >= LEAST
    assert len({m.name for m in listed}) == len(listed)
    assert {m.breaks for m in listed} <= set(load_coverage(game).clauses)
    assert all(m.says and m.old != m.new for m in listed)


def test_each_defect_can_be_planted_and_uses_known_names_only(tmp_path: Path) -> None:
    for i, mutant in enumerate(ALL):
        text = (mutant.source / mutant.file).read_text(encoding="utf-8")
        (tmp_path / f"{mutant.game}_{i}_{Path(mutant.file).name}").write_text(mutant.planted(text), encoding="utf-8")
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "E9,F821", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_the_list_of_the_engine_says_why_and_names_tests_that_are_there() -> None:
    assert len(OF_ENGINE) >= LEAST_OF_ENGINE
    assert len({m.name for m in OF_ENGINE}) == len(OF_ENGINE)
    assert all(m.says and m.why and m.breaks and m.old != m.new for m in OF_ENGINE)
    noticed = [m.noticed for m in OF_ENGINE if m.noticed]  # of the others nobody was asked yet
    assert len(noticed) >= LEAST_OF_ENGINE
    lost = [test for test in noticed if not _is_there(test)]
    assert not lost, "; ".join(lost)
    long = budget().long
    left = [test for test in noticed if not _is_usual(test, long)]
    assert not left, "a usual run no longer holds " + "; ".join(left)


def _is_usual(test: str, long: Mapping[str, Mapping[str, Cases]]) -> bool:
    """True for a test that is not left to a long run."""
    file, _, name = test.removeprefix("tests/").partition("::")
    function, _, case = name.partition("[")
    cases = long.get(file, {}).get(function, ())
    return cases != "all" and case.removesuffix("]") not in cases


def _is_there(test: str) -> bool:
    """Whether a test function of that name stands in that file."""
    file, _, name = test.partition("::")
    function = name.partition("[")[0]
    path = ROOT / file
    return path.is_file() and f"def {function}(" in path.read_text(encoding="utf-8")


def test_tests_are_chosen_by_the_lines_that_they_run() -> None:
    mutant = next(m for m in OF_ENGINE if m.file == "vclogic/terms/sums.py")
    text = (ROOT / mutant.file).read_text(encoding="utf-8")
    line = text[: text.index(mutant.old)].count("\n") + 1
    notes = [
        Covered("elsewhere", 0.1, {"vclogic/terms/term.py": frozenset({line})}),
        Covered("beside", 0.1, {mutant.file: frozenset({line + 1})}),
        Covered("dear", 2.0, {mutant.file: frozenset({line, line + 1})}),
        Covered("cheap", 1.0, {mutant.file: frozenset({line})}),
        Covered("too dear", 1000.0, {mutant.file: frozenset({line})}),
    ]
    assert chosen(mutant, notes, "usual") == [mutant.noticed, "cheap", "dear"]
    assert chosen(mutant, notes[:-1], "usual") == [mutant.noticed, "cheap", "dear", "beside"]


def test_what_loops_for_ever_does_not_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tested, "PATIENCE", 10_000)  # it ends by what it takes of the processor
    code, seconds = waited_for([sys.executable, "-S", "-c", "while True: pass"], tmp_path, {}, share=0.3)
    assert code is None
    assert 0.9 <= seconds < 4


def test_a_text_that_does_not_stand_once_is_refused() -> None:
    mutant = Mutant("game", "defect", "something is wrong", "1/1", "rules.py", old="a", new="b")
    assert mutant.planted("xax") == "xbx"
    for text in ("x", "aa"):
        with pytest.raises(Misplaced, match=r"stands [02] times in rules\.py"):
            mutant.planted(text)


@pytest.mark.parametrize("mutant", TRIED, ids=lambda m: f"{m.game}: {m.name}")
def test_rulings_notice_a_defect(mutant: Mutant) -> None:
    file = ENCODINGS / mutant.game / mutant.file
    before = file.read_bytes()
    with sandbox(mutant.game, mutant) as folder:
        verdict = examined(folder, mutant.game, "ruling")
    assert verdict.caught
    assert not verdict.what.startswith("broken"), verdict.what
    assert file.read_bytes() == before
    assert not folder.exists()


def test_no_ruling_notices_anything_in_a_sound_copy() -> None:
    with sandbox("okinawa") as folder:
        assert examined(folder, "okinawa", "ruling") == Verdict(False, "")


def test_a_copy_that_is_not_seen_is_no_verdict_on_the_rules() -> None:
    with sandbox("okinawa") as folder:
        (folder / "vclogic_encodings" / "okinawa").rename(folder / "elsewhere")
        assert examined(folder, "okinawa", "ruling").what.startswith("broken: RuntimeError: not the copy")
