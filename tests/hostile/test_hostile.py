"""Whatever is laid out and called: a sound exit code, no traceback, nothing written but what was named."""

from __future__ import annotations

import io
import json
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.hostile.attempts import Attempt
from tests.hostile.files import BOARDS, PLANS, POSITIONS, RECORDS, STATES
from tests.hostile.questions import BATTLES, BRIEFINGS, GOALS, OUTPUTS, SETTINGS, WORDS
from tests.hostile.surroundings import SURROUNDINGS

ATTEMPTS = (
    *POSITIONS,
    *STATES,
    *RECORDS,
    *BOARDS,
    *PLANS,
    *GOALS,
    *SETTINGS,
    *WORDS,
    *BATTLES,
    *BRIEFINGS,
    *OUTPUTS,
    *SURROUNDINGS,
)
INSIDE = [a for a in ATTEMPTS if a.shell is None]
OUTSIDE = [a for a in ATTEMPTS if a.shell is not None]
VCLOGIC = [str(Path(sys.executable).with_name("vclogic"))]
MOST_TEXT = 32_000
"""Characters of all that is said about a mistake."""


def test_the_sample_is_large_and_each_attempt_has_its_name() -> None:
    assert len({a.name for a in ATTEMPTS}) == len(ATTEMPTS) >= 300
    assert {code for a in ATTEMPTS for code in a.codes} <= {0, 1, 2, 3}


def lay_out(attempt: Attempt, folder: Path) -> None:
    for name, content in attempt.files.items():
        if callable(content):
            content(os.fspath(folder / name))
        else:
            (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())


def contents(folder: Path) -> dict[str, bytes | str]:
    """What every file in a folder holds; of what is no plain file, what it is."""
    found: dict[str, bytes | str] = {}
    for path in sorted(folder.rglob("*")):
        kind = stat.S_IFMT(os.lstat(path).st_mode)
        found[str(path.relative_to(folder))] = path.read_bytes() if kind == stat.S_IFREG else oct(kind)
    return found


def check(attempt: Attempt, code: int, out: str, err: str) -> None:
    """What holds for every attempt."""
    assert code in attempt.codes, (code, err or out)
    for text in (out, err):
        assert "Traceback" not in text
        assert "internal error" not in text
        assert "bug in vclogic" not in text
        assert "Exception ignored" not in text
        assert all(line.isprintable() for line in text.split("\n"))
    if code == 2:
        assert len(out) + len(err) <= MOST_TEXT


def forms() -> Iterator[object]:
    """Each attempt in both forms of the answer, by turns in a usual run and in a long one."""
    for i, attempt in enumerate(INSIDE):
        for form in ("text", "json"):
            usual = (i % 2 == 0) == (form == "text")
            marks = () if usual else pytest.mark.slow
            yield pytest.param(attempt, form, id=f"{attempt.name}, {form}", marks=marks)


@pytest.mark.parametrize(("attempt", "form"), tuple(forms()))
def test_in_this_process(
    attempt: Attempt,
    form: str,
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lay_out(attempt, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(attempt.stdin)))
    before = contents(tmp_path)
    words = attempt.words
    if form == "json":
        if not words or "--format" in " ".join(words) or words[0].startswith("-"):
            pytest.skip("it is about the words themselves")
        words = (words[0], "--format", "json", *words[1:])
    found = run(*words)
    check(attempt, found.code, found.out, found.err)
    if form == "json":
        document = json.loads(found.out)
        assert (found.code == 2) == ("errors" in document)
    after = contents(tmp_path)
    assert {name for name in {*before, *after} if before.get(name) != after.get(name)} <= set(attempt.writes)


def processes() -> Iterator[object]:
    """Each attempt; of those that only ask for the status in another environment a usual run makes every third."""
    for i, attempt in enumerate(OUTSIDE):
        usual = attempt.words[:1] != ("status",) or i % 3 == 0
        yield pytest.param(attempt, id=attempt.name, marks=() if usual else pytest.mark.slow)


@pytest.mark.parametrize("attempt", tuple(processes()))
def test_as_a_process(attempt: Attempt, tmp_path: Path) -> None:
    lay_out(attempt, tmp_path)
    before = contents(tmp_path)
    environment = {**os.environ, **attempt.environment}
    found = subprocess.run(
        ["sh", "-c", str(attempt.shell), "sh", *VCLOGIC, *attempt.words],
        cwd=tmp_path,
        env={name: value for name, value in environment.items() if value is not None},
        input=attempt.stdin,
        capture_output=True,
        timeout=300,
        check=False,
    )
    check(attempt, found.returncode, found.stdout.decode(), found.stderr.decode())
    assert contents(tmp_path) == before
