"""A game is compared with another version of itself: of a revision, in a folder, or with rules from a file."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import Run, run  # noqa: F401
from tests.cli.test_versions_compared import versions  # noqa: F401

RULEBOOK = Path("examples/rulebooks/nim.md")
INCLUDING = "# Another\n\n**1** As before.\n\n```vclogic\ninclude basic.md\n```\n"


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in git with a rulebook that includes another one."""
    (tmp_path / "basic.md").write_text(RULEBOOK.read_text())
    (tmp_path / "game.md").write_text(INCLUDING)
    who = ("-c", "user.name=a", "-c", "user.email=a")
    for words in (("init", "-q"), ("add", "."), (*who, "commit", "-qm", "x")):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_rulebook_is_compared_with_what_was_committed(kept: Path, run: Run) -> None:  # noqa: F811
    same = run("compare", "game.md", "--against", "HEAD", "--format", "json").document
    assert (same["status"], same["b"]["game"]) == ("equal", "game.md of HEAD")
    text = (kept / "basic.md").read_text()
    assert "matches(right) is 5" in text
    (kept / "basic.md").write_text(text.replace("matches(right) is 5", "matches(right) is 4"))
    changed = run("compare", "game.md", "--against", "HEAD", "--format", "json").document
    assert changed["status"] == "differ"
    assert changed["a"]["value"] != changed["b"]["value"]


def test_what_is_wrong_is_called_as_in_the_revision(kept: Path, run: Run) -> None:  # noqa: F811
    found = run("compare", "game.md", "--against", "nowhere")
    assert found.code == 2
    assert "no such revision in git" in found.err
    assert "not both" in run("compare", "game.md", "basic.md", "--against", "HEAD").err
    (kept / "old").mkdir()
    (kept / "old" / "game.md").write_text(INCLUDING)
    assert "no-such-file" in run("compare", "game.md", "--against", "old").err


@pytest.mark.usefixtures("versions")
def test_a_package_is_compared_with_another_one_of_its_name(tmp_path: Path, run: Run) -> None:  # noqa: F811
    folder = str(tmp_path / "of_more_points")
    found = run("compare", "hill_war", "--against", folder, "--format", "json")
    assert found.code == 2, "it has a package of another name"
    (tmp_path / "of_more_points" / "more_points").rename(tmp_path / "of_more_points" / "hill_war")
    for file in (tmp_path / "of_more_points" / "hill_war").glob("*.py"):
        file.write_text(file.read_text().replace("more_points", "hill_war"))
    found = run("compare", "hill_war", "--against", folder, "--format", "json")
    assert (found.document["status"], found.document["b"]["game"]) == ("differ", "hill_war of of_more_points")
    again = run("compare", "hill_war", "--against", str(tmp_path / "of_hill_war"), "--format", "json")
    assert again.document["status"] == "equal", "the same words are the same terms"


def test_rules_as_text_are_tried_against_others(tmp_path: Path, run: Run) -> None:  # noqa: F811
    for n in (5, 60):
        (tmp_path / f"{n}.yaml").write_text(f"outcomes: |\n  Japan wins lead at once if vp_at_end(Japan) >= {n}\n")
    words = ("okinawa/small", "--with", str(tmp_path / "5.yaml"), "--against", str(tmp_path / "60.yaml"))
    found = run("compare", *words, "--on", "lead", "--format", "json").document
    assert (found["status"], found["a"]["value"], found["b"]["value"]) == ("differ", True, False)
