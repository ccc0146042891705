"""The JSON Schemas of answers: what vclogic answers satisfies them, and what lacks something does not."""

from __future__ import annotations

import json as standard
from dataclasses import replace
from fractions import Fraction
from typing import Any

import jsonschema
import pytest

from tests.fixtures.games import loaded
from tests.report import answers, briefings
from tests.report.battles import battle
from tests.report.rulings import ruled
from tests.toys import skirmish
from vclogic.explore.endings import BestPlayOdds
from vclogic.game import Game
from vclogic.query.answers import Horizon, Recorded
from vclogic.query.reach.answer import ProofText
from vclogic.report import json
from vclogic.serve.schemas import COMMANDS, answer_schema

GAME = "axis_allies"
QUICK = 1e-9


def documents() -> dict[str, list[dict[str, Any]]]:
    """Some answers of each kind, as JSON documents."""
    game = loaded(GAME)
    islands = loaded("examples/two_islands.yaml")
    other = islands.with_options(second_complex="allowed")
    small = loaded("napoleonics")
    bounded = ProofText("bounded", None, Horizon(3, "capture"), ("a", "b"), False)
    plans = [
        game.plan("vcp(Axis) >= 33"),
        game.plan("vcp(Axis) >= 66"),
        game.plan("vcp(Axis) >= 50", timeout=QUICK),
        game.plan(maximize="cities(Axis)", within=1),
        small.plan("banners(French) >= 1", within=3),
        answers.plan(record=Recorded(None, "the rules have no such event")),
    ]
    reached = [
        game.reach("vcp(Axis) >= 33"),
        game.with_options(sea_range=0).reach("vcp(Axis) >= 50", by="captures"),
        game.reach("vcp(Axis) >= 50", timeout=QUICK),
        answers.reach(proof=bounded),
    ]
    compared = [
        islands.compare(other, "may_build_ic"),
        islands.compare(islands, "owner"),
        islands.compare(other, "may_build_ic", timeout=QUICK),
    ]
    with skirmish.installed():
        skirmishes = Game.load("skirmish/small")
        solved = [skirmishes.solve(), skirmishes.solve(max_positions=20), skirmishes.solve(timeout=QUICK)]
    solved.append(
        replace(solved[0], odds=BestPlayOdds("Red", -0.5, 0.5, {"Red": Fraction(1, 4), "Blue": Fraction(3, 4)}))
    )
    reds = islands.with_options(captures_per_turn=1)
    blues = reds.apply("end_turn")
    plans_of_turns = [reds.plan(f"territories(Axis) >= {n}", minimize="turns") for n in (3, 4)]
    forced = [
        reds.force("territories(Axis) >= 4", within=2),
        reds.force("vcp(Axis) >= 7"),
        reds.force("territories(Axis) >= 4", timeout=QUICK),
    ]
    defended = [
        blues.defend("vcp(Axis) >= 7"),
        blues.defend("round >= 2", "Allies"),
        blues.defend("vcp(Axis) >= 7", timeout=QUICK),
    ]
    survived = [*map(reds.survives, plans_of_turns), reds.survives(plans_of_turns[0], timeout=QUICK)]
    unknown = replace(battle(), status="unknown", odds=None, hold=None, both=None, reason="the time is up")
    fought = [
        game.odds({"armour": 2, "fighter": 1}, at="India"),
        game.odds({"armour": 1}, {"infantry": 1}, at="Kiev", exact=True, rounds=2, attackers_fall=["armour"]),
        unknown,
    ]
    briefed = [briefings.briefing(), briefings.out_of_reach(), briefings.undecided(), briefings.partly()]
    rulings = [islands.ask("vcp(Axis)"), islands.ask("end_turn"), ruled(), ruled(value=None, kind="outcome")]
    made = {
        "ask": [json.document("ask", x) for x in rulings],
        "objectives": [json.document("objectives", x) for x in briefed],
        "odds": [json.document("odds", x) for x in fought],
        "force": [json.document("force", x) for x in forced],
        "defend": [json.document("defend", x) for x in defended],
        "survives": [json.document("survives", x) for x in survived],
        "solve": [json.document("solve", x) for x in solved],
        "plan": [json.document("plan", x) for x in plans],
        "reach": [json.document("reach", x) for x in reached],
        "compare": [json.document("compare", x) for x in compared],
    }
    return {kind: [standard.loads(json.dumps(x)) for x in some] for kind, some in made.items()}


@pytest.fixture(scope="module")
def given() -> dict[str, list[dict[str, Any]]]:
    return documents()


@pytest.mark.parametrize("kind", COMMANDS)
def test_answers_are_as_their_schema_says(given: dict[str, list[dict[str, Any]]], kind: str) -> None:
    shape = answer_schema(kind)
    jsonschema.Draft202012Validator.check_schema(shape)
    validator = jsonschema.Draft202012Validator(shape)
    for document in given[kind]:
        validator.validate(document)
        assert set(document) <= set(shape["properties"])
    told = "kind" if kind == "ask" else "status"
    assert len({d[told] for d in given[kind]}) >= (2 if kind in ("solve", "odds") else 3)
    assert "record" not in shape["properties"] or any(d["record"] for d in given[kind])
    assert all(x.get("description") for name, x in shape["properties"].items() if name != "schema")


@pytest.mark.parametrize("kind", COMMANDS)
def test_what_lacks_a_key_or_has_another_value_is_refused(given: dict[str, list[dict[str, Any]]], kind: str) -> None:
    shape = answer_schema(kind)
    validator = jsonschema.Draft202012Validator(shape)
    document = given[kind][0]
    for key in shape["required"]:
        assert not validator.is_valid({k: x for k, x in document.items() if k != key}), key
        assert not validator.is_valid(document | {key: {"odd": [None]}}), key
    for odd in (f"vclogic/{kind}/0", None):
        assert not validator.is_valid(document | {"schema": odd})
    assert not validator.is_valid(document | {"kind" if kind == "ask" else "status": "perhaps"})
    for key, odd_value in {"record": [{"a": {}, "b": {}}], "steps": [{"n": 1}], "refutation": [{"when": 1}]}.items():
        assert key not in shape["properties"] or not validator.is_valid(document | {key: odd_value})
