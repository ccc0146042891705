from __future__ import annotations

import json as standard
from dataclasses import fields, is_dataclass, replace
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

import pytest

import vclogic
from tests.report import answers
from vclogic.document_keys import keys_of
from vclogic.errors import Diagnostic
from vclogic.query.answers import Horizon
from vclogic.query.plan.answer import Plan
from vclogic.query.reach.answer import ProofText
from vclogic.report import json
from vclogic.report.text.of_kind import report_of
from vclogic.report.text.page import render

STEP = ["n", "turn", "actor", "action", "args", "text", "cites"]


def test_plan_tells_its_horizon_events_and_steps() -> None:
    found = json.document("plan", answers.plan())
    assert found["schema"] == "vclogic/plan/2"
    assert found["horizon"] == {"n": None, "unit": "capture"}
    assert found["events"] == {"included": ["capture", "end_turn"], "left_out": ["attack", "purchase"]}
    assert [list(s) for s in found["steps"]] == [STEP, STEP]
    assert found["steps"][0] == {
        "n": 1,
        "turn": None,
        "actor": "Red",
        "action": "capture",
        "args": {"power": "Red", "area": "Ford"},
        "text": "Red take Ford from Home",
        "cites": ["C/1", "C/2"],
    }


def test_reason_and_maximum_are_there_only_where_they_say_something() -> None:
    plain, late = answers.plan(), answers.plan(status="feasible", reason="the time is up")
    assert list(json.document("plan", late)) == [*json.document("plan", plain), "reason"]
    assert json.document("plan", answers.plan(maximum=answers.MAXIMUM))["maximum"] == {
        "expr": "points(Red)",
        "value": 4,
        "upper_bound": 6,
    }
    unknown = answers.reach(status="unknown", proof=None, reason="no time")
    assert list(json.document("reach", unknown)) == [*json.document("reach", answers.reach()), "reason"]


def test_every_pass_is_a_step_of_its_own() -> None:
    found = json.document("plan", answers.plan(steps=(answers.capture(1, "Ford"), *answers.passes(2, range(1, 4)))))
    assert [s["n"] for s in found["steps"]] == [1, 2, 3, 4, 5, 6, 7]
    assert found["steps"][1]["turn"] == {"round": 1, "turn": "Red"}


def test_reach_tells_its_proof() -> None:
    found = json.document("reach", answers.reach())
    assert found["proof"] == {"method": "positions", "k": None, "horizon": None, "invariant": [], "rechecked": True}
    proof = ProofText("exhaustive", None, None, (), True, 12)
    assert json.document("reach", answers.reach(proof=proof))["proof"]["positions"] == 12
    bounded = ProofText("bounded", None, Horizon(3, "capture"), ("a", "b"), False)
    assert json.document("reach", answers.reach(proof=bounded))["proof"] == {
        "method": "bounded",
        "k": None,
        "horizon": {"n": 3, "unit": "capture"},
        "invariant": ["a", "b"],
        "rechecked": False,
    }
    assert json.document("reach", answers.reach(status="unknown", proof=None))["proof"] is None


def test_status_leaves_out_what_only_the_text_tells() -> None:
    found = json.document("status", answers.status(answers.outcome("big", "Red", "unmet", 2, 4)))
    outcome = {"rule": "big", "side": "Red", "level": None, "status": "unmet", "have": 2, "need": 4}
    assert not {"stuck", "tables", "position", "trace"} & {*found}
    more = {"when": "at the end", "fulfilled": False, "count": None}
    assert found["outcomes"] == [{**outcome, "cites": ["V/1"], "short": 2, **more}]
    assert found["remarks"] == ["big: judged at the end"]
    assert found["observables"] == {"turn": "Red", "points(Red)": 2, "bid": None, "supplied(Red)": True}


@pytest.mark.parametrize(
    ("status", "have", "need", "fulfilled", "short"),
    [
        ("unmet", 2, 4, False, 2),
        ("unmet", 4, 4, True, 0),
        ("unmet", 4, 4, False, None),  # another part of the condition is missing
        ("unmet", None, None, False, None),
        ("met", 4, 4, True, None),
        ("met", 3, 4, False, None),  # it was met before
        ("undefined", 2, 4, False, None),
        ("undeclared", None, 4, False, None),
    ],
)
def test_what_an_outcome_is_short_of_is_what_the_text_shows(
    status: Any, have: int | None, need: int | None, fulfilled: bool, short: int | None
) -> None:
    answer = answers.status(answers.outcome("big", "Red", status, have, need, fulfilled=fulfilled))
    assert json.document("status", answer)["outcomes"][0]["short"] == short
    head, _, row = render(report_of("status", answer), width=120).split("\n")[3:6]
    assert row[head.index("Needs") + 5 : head.index("Clauses")].strip() == ("" if short is None else str(short))


def test_rulings_count_what_passed_and_failed() -> None:
    found = json.document("test", answers.TESTED)
    assert list(found) == ["schema", "passed", "failed", "cases", "sources", "expectations", "skipped"]
    assert found["expectations"] == {"all": 3, "failed": 1}
    assert (found["passed"], found["failed"]) == (1, 1)
    keys = ["name", "cites", "status", "expected", "got", "file", "lines", "problems", "source", "line", "tried"]
    assert [list(c) for c in found["cases"]] == [keys] * 2
    assert [c["lines"] for c in found["cases"]] == [[None], [7, 8]]


def test_errors_carry_their_places() -> None:
    found = json.errors([Diagnostic("unknown-name", "what?", "a.yaml", 1, 2, "this"), Diagnostic("usage", "how?")])
    assert list(found) == ["schema", "status", "errors"]
    assert found["status"] == "error"
    assert [list(e) for e in found["errors"]] == [["file", "line", "column", "code", "message", "help"]] * 2
    assert found["errors"][1]["file"] is None


def test_a_document_is_one_line_ended_text_in_utf_8_whatever_a_name_holds() -> None:
    odd = replace(answers.plan(), game="Köln \udcff")
    text = json.dumps({"game": odd.game})
    assert text.endswith("}\n")
    assert "Köln" in text
    assert standard.loads(text.encode("utf-8", "backslashreplace"))["game"] == odd.game


def test_the_keys_of_each_class_are_attributes_that_it_has() -> None:
    names = [m.name for m in walk_packages(vclogic.__path__, "vclogic.") if not m.ispkg]
    extras = ("vclogic.openspiel", "vclogic.pettingzoo")  # libraries that need not be there; no answers are in them
    modules = [import_module(name) for name in names if name not in extras]
    classes = {x for m in modules for x in vars(m).values() if isinstance(x, type) and is_dataclass(x)}
    assert Plan in classes
    for cls in classes:
        keys = keys_of(cls)
        assert {key.attribute for key in keys} <= {*dir(cls), *(f.name for f in fields(cls))}, cls
        assert len({key.name for key in keys}) == len(keys), cls
