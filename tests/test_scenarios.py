"""Every scenario of the examples loads, is drawn and written, and its rulings, which stand beside it, hold."""

from __future__ import annotations

from pathlib import Path

import pytest

import vclogic
from vclogic.files.write import write_position
from vclogic.query.test import test_all as try_files

FOLDER = Path(__file__).parents[1] / "examples" / "scenarios"
RULINGS = {f.name.removesuffix(".rulings.yaml"): f for f in sorted(FOLDER.glob("*.rulings.yaml"))}
SCENARIOS = [f for f in sorted(FOLDER.glob("*.yaml")) if f not in RULINGS.values()]


@pytest.mark.parametrize("file", SCENARIOS, ids=lambda f: f.stem)
def test_it_loads_is_drawn_and_is_the_same_when_written(file: Path, tmp_path: Path) -> None:
    game = vclogic.load(str(file))
    assert file.read_text(encoding="utf-8").startswith("#"), "a remark says what is on the card"
    outcomes = [(o.rule, o.side, o.status) for o in game.status().outcomes]
    assert outcomes
    assert all(status != "met" for *_, status in outcomes), "nobody has won as it begins"
    assert "<svg" in game.svg()
    kept = tmp_path / "kept.yaml"
    kept.write_text(write_position(game.setup), encoding="utf-8")
    assert [(o.rule, o.side, o.status) for o in vclogic.load(str(kept)).status().outcomes] == outcomes


@pytest.mark.parametrize("file", SCENARIOS, ids=lambda f: f.stem)
def test_its_rulings_hold(file: Path) -> None:
    tested = try_files([str(RULINGS[file.stem])], cites=False)
    assert len(tested.cases) >= 2, "on both sides of an edge"
    assert [c.name for c in tested.cases if c.status != "passed"] == []
