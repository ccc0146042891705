"""Kinds of conditions of scenario cards, typed as text: rulings on both sides of each edge, plans and proofs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

import vclogic
from tests.fixtures.setups import typed
from vclogic.query.test.rulings import test_all as try_files

FOLDER = Path(__file__).parent / "cards"
GAMES = sorted(f.stem for f in FOLDER.glob("*.yaml"))
PLANS = [
    {"file": f.stem, **plan} for f in sorted(FOLDER.glob("plans/*.yaml")) for plan in yaml.safe_load(f.read_text())
]


def _name(plan: dict[str, Any]) -> str:
    return f"{plan['setup']}: {plan['goal']}"


@pytest.mark.parametrize("game", GAMES)
def test_rulings_on_both_sides_of_each_edge(game: str) -> None:
    tested = try_files([str(FOLDER / f"{game}.yaml")], cites=False)
    assert tested.cases
    assert [c.name for c in tested.cases if c.status != "passed"] == []


@pytest.mark.parametrize(
    "plan", [pytest.param(p, id=_name(p), marks=[pytest.mark.slow] if "slow" in p else []) for p in PLANS]
)
def test_a_plan_or_a_proof(plan: dict[str, Any]) -> None:
    position = typed(FOLDER / f"{plan['file']}.yaml", plan["setup"])
    game = vclogic.load({**position, **{key: plan[key] for key in ("options", "readings", "state") if key in plan}})
    found = game.plan(
        plan["goal"], side=plan["side"], minimize=plan.get("minimize"), within=plan.get("within"), timeout=300
    )
    if "impossible" in plan:
        assert found.status == "impossible"
        assert found.bound_by is not None
    else:
        assert (found.status, found.cost) == ("optimal", plan["optimal"])
