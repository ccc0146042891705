"""Twelve conditions as text count everywhere as what the games have: rulings, plans, proofs, pictures, answers."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

import vclogic
from tests.fixtures.twelve import FOLDER, GAMES, conditions, plans, typed
from vclogic.files.write import write_position
from vclogic.query.test.rulings import test_all as try_files

PLANS = plans()
QUICK = [p for p in PLANS if p["file"] in ("asl", "okinawa") and "optimal" in p]
LONG = [p for p in PLANS if p not in QUICK]


def _case(plan: dict[str, Any]) -> str:
    return str(plan["setup"])


@pytest.mark.parametrize("game", GAMES)
def test_rulings_on_both_sides_of_each_edge(game: str) -> None:
    tested = try_files([str(FOLDER / f"{game}.yaml")], cites=False)
    assert tested.cases
    assert [c.name for c in tested.cases if c.status != "passed"] == []


def test_there_are_twelve_each_with_a_plan() -> None:
    assert len(conditions()) == 12
    assert {(p["file"], p["setup"]) for p in PLANS} == {*conditions()}


def _plans(plan: dict[str, Any]) -> None:
    game = vclogic.load({**typed(plan["file"], plan["setup"]), "state": plan.get("state", {})})
    found = game.plan(plan["goal"], side=plan["side"], minimize=plan.get("minimize"), timeout=300)
    if "impossible" in plan:
        assert found.status == "impossible"
    else:
        assert (found.status, found.cost) == ("optimal", plan["optimal"])


@pytest.mark.parametrize("plan", QUICK, ids=_case)
def test_a_plan_or_a_proof(plan: dict[str, Any]) -> None:
    _plans(plan)


@pytest.mark.slow
@pytest.mark.parametrize("plan", LONG, ids=_case)
def test_a_plan_or_a_proof_on_large_boards(plan: dict[str, Any]) -> None:
    _plans(plan)


@pytest.mark.parametrize(("file", "name"), [c for c in conditions() if c[0] != "axis_allies"])
def test_there_and_back(file: str, name: str, tmp_path: Path) -> None:
    game = vclogic.load(typed(file, name))
    outcomes = [(o.rule, o.side, o.status) for o in game.status().outcomes]
    sent = pickle.loads(pickle.dumps(game))
    assert [(o.rule, o.side, o.status) for o in sent.status().outcomes] == outcomes
    kept = tmp_path / "kept.yaml"
    kept.write_text(write_position(game.setup))
    assert [(o.rule, o.side, o.status) for o in vclogic.load(str(kept)).status().outcomes] == outcomes
    assert game.picture().marks == sent.picture().marks
