"""Rulebooks that say one kind of sentence each, with rulings on both sides of an edge; and what goes wrong nearby."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

import vclogic
from tests.cli.conftest import Run, run  # noqa: F401
from vclogic.errors import InputError

SAID, ORDERS = (sorted((Path(__file__).parent / folder).glob("*.md")) for folder in ("said", "orders"))
WRONG: list[dict[str, Any]] = yaml.safe_load((Path(__file__).parent / "said" / "mistakes.yaml").read_text())


@pytest.mark.parametrize("file", [*SAID, *ORDERS], ids=lambda f: f.stem)
def test_its_rulings_pass_and_it_is_in_the_style(file: Path, run: Run) -> None:  # noqa: F811
    found = run("test", str(file))
    assert found.code == 0, found.out + found.err
    assert run("format", "--check", str(file)).code == 0


@pytest.mark.parametrize("file", SAID, ids=lambda f: f.stem)
def test_it_is_the_same_as_a_document(file: Path, run: Run, tmp_path: Path) -> None:  # noqa: F811
    made, again = tmp_path / "a.json", tmp_path / "b.md"
    assert run("format", str(file), "-o", str(made)).code == 0
    assert run("format", str(made), "-o", str(again)).code == 0
    found = run("test", str(again))
    assert found.code == 0, found.out + found.err


@pytest.mark.parametrize("case", WRONG, ids=lambda c: str(c["message"])[:50])
def test_what_is_wrong_is_told_with_what_to_write(case: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "game.md"
    base = (Path(__file__).parent / "said" / case["file"]).read_text().partition("```ruling")[0]
    assert case["old"] in base
    file.write_text(base.replace(case["old"], case["new"], 1))
    with pytest.raises(InputError) as caught:
        vclogic.load(str(file))
    told = [(d.message, d.help or "") for d in caught.value.diagnostics]
    assert any(case["message"] in m and case["help"] in h for m, h in told), told
