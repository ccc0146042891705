"""The commands `missing` and `compare`, and what `status` tells of reasons: exit codes, keys, bones of the texts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run
from vclogic import load

GAME = "axis_allies"
ISLANDS = "examples/two_islands.yaml"
PLACE = "place: {power: Germans, unit: infantry, count: 3, territory: Karelia}"


# ---- missing


def test_missing_names_the_fewest_changes(run: Run) -> None:
    found = run("missing", GAME, "--goal", "vcp(Axis) >= 40", "--limit", "1", "--format", "json")
    assert found.code == 0
    document = found.document
    assert (document["status"], document["least"], document["complete"]) == ("possible", 3, False)
    (repair,) = document["repairs"]
    assert repair["size"] == len(repair["changes"]) == 3
    assert repair["changes"][0]["says"] == "Russia belongs to the Germans"
    assert repair["changes"][0]["path"] == ["owner", "Russia"]
    assert {(c["to"], *c["or"]) for c in repair["changes"]} == {("Germans", "Japanese")}


def test_missing_keeps_what_is_to_be_kept(run: Run) -> None:
    kept = ("--keep", "owner[London]", "--keep", "owner[Russia]")
    found = run("missing", GAME, "--goal", "vcp(Axis) >= 40", "--limit", "1", *kept)
    assert "possible: 4 facts to change; fewer are not enough" in found.out
    assert "United Kingdom" not in found.out


def test_missing_names_the_rules_that_forbid_a_goal(run: Run) -> None:
    found = run("missing", GAME, "--goal", "complex(Germany) == none and round == 1")
    assert found.code == 1
    assert "impossible, ever" in found.out
    assert "  - rule permanent[Germany]: the complex that Germany has" in found.out
    assert "There is no other." in found.out
    fixed = run("missing", GAME, "--goal", "round == 2", "--keep", "round", "--format", "json")
    assert fixed.code == 1
    (conflict,) = fixed.document["conflicts"]
    assert [p["kind"] for p in conflict["rules"]] == ["goal", "fact"]
    assert conflict["rechecked"]


def test_a_goal_that_holds_lacks_nothing(run: Run) -> None:
    found = run("missing", GAME, "--goal", "round == 1")
    assert (found.code, "holds: the goal holds already" in found.out) == (0, True)


def test_missing_refuses_what_there_is_not(run: Run) -> None:
    found = run("missing", GAME, "--goal", "round == 2", "--keep", "ownr", "--keep", "owner[Rusia]")
    assert found.code == 2
    assert "there is no fact 'ownr'" in found.err
    assert "did you mean 'owner[Russia]'" in found.err
    assert run("missing", GAME, "--goal", "round == 2", "--limit", "0").code == 2


# ---- compare


def test_compare_shows_where_readings_differ(run: Run) -> None:
    words = ("compare", GAME, "--set-b", "second_complex=allowed", "--on", "may_build_ic")
    found = run(*words, "--format", "json")
    assert found.code == 1
    document = found.document
    assert (document["status"], document["steps"], document["position"]) == ("differ", [], {})
    assert document["a"]["settings"] == {"second_complex": "refused"}
    assert (document["a"]["value"], document["b"]["value"]) == (False, True)
    shown = run(*words).out
    assert "B: axis_allies/revised-1942, second_complex=allowed" in shown
    assert "differ: already in this position" in shown


def test_compare_finds_the_shortest_record(run: Run) -> None:
    found = run("compare", ISLANDS, "--set-b", "phases=box", "--on", "purchase", "--format", "json").document
    assert found["status"] == "differ"
    assert len(found["steps"]) == 1
    assert found["replayed"]
    assert found["b"]["text"].startswith("units are bought before the first attack or capture")


def test_compare_proves_that_they_are_equal(run: Run) -> None:
    same = run("compare", ISLANDS, ISLANDS, "--on", "vcp")
    assert (same.code, "equal, ever" in same.out) == (0, True)


def test_at_a_position_the_dispute_may_matter(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "late.yaml"
    file.write_text("record: [{bid: {side_a: 2, side_b: 1}}]\n")
    words = ("compare", ISLANDS, "--set-b", "equal_bids=first", "--on", "bid")
    assert run(*words).code == 1
    later = run(*words, "--at", str(file), "--format", "json").document
    assert (later["status"], later["proof"]["method"]) == ("equal", "closure")


def test_compare_refuses_what_there_is_not(run: Run) -> None:
    found = run("compare", ISLANDS, "--set-b", "phases", "--on", "vcp")
    assert (found.code, "'phases' is not of the form name=value" in found.err) == (2, True)
    assert "--> --set-b" in found.err
    assert run("compare", ISLANDS, "--on", "vpc(Axis)").code == 2


def test_what_is_wrong_is_said_of_the_option_in_which_it_stands(run: Run) -> None:
    wrong = ("--set", "none=1", "--set-a", "wrong=1", "--set-b", "phases=x")
    found = run("compare", ISLANDS, *wrong, "--on", "vcp", "--format", "json")
    places = [(d["file"], "none" in d["message"]) for d in found.document["errors"]]
    assert (found.code, places) == (2, [("--set", True), ("--set-a", False), ("--set-b", False)])


# ---- why


def test_why_an_event_is_not_allowed(run: Run) -> None:
    found = run("ask", GAME, PLACE)
    assert found.code == 1
    assert "not allowed\n" in found.out
    assert "  it is not the turn of the Germans [" in found.out
    assert "VC-infantry/4" in found.out
    document = run("ask", GAME, "end_turn", "--format", "json")
    assert (document.code, document.document["value"]) == (0, True)


def test_each_requirement_of_an_event_is_told_with_its_clauses(run: Run) -> None:
    told = run("ask", GAME, PLACE, "--explain=all", "--format", "json").document["explanations"]
    assert [r["value"] for r in told] == sorted(r["value"] for r in told)
    found = load(GAME).explain_event(PLACE).requirements
    assert [(r["text"], tuple(r["cites"])) for r in told] == [(r.text, r.cites) for r in found]
    assert "explanations" not in run("ask", GAME, PLACE, "--format", "json").document
    shown = run("ask", GAME, PLACE, "--explain=all").out
    assert all(f"* no: {r.text}"[:60] in shown for r in found if not r.value)
    assert sum(f"- yes: {r.text}"[:60] in shown for r in found if r.value) > 0


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("vcp(Axis)", "* 26: vcp(Axis) [VC/1,"),
        ("vcp(Axis) >= 40", "* no: vcp(Axis) >= 40\n"),
        ("major_victory Axis", "* no: major_victory, Axis"),
    ],
)
def test_everything_that_an_answer_rests_on(run: Run, question: str, told: str) -> None:
    shown = run("ask", GAME, question, "--explain=all").out
    assert "\nEverything it rests on\n" in shown
    assert told in shown


def test_allowed_says_what_is_not_judged(run: Run) -> None:
    taken = ("ask", GAME, "capture: {power: Russians, territory: Ukraine}")
    found = run(*taken)
    assert found.code == 0
    battle = "the movement and the battle that lead to a capture"
    assert f"\nNot checked, since the rule text does not say\n  - {battle}\n" in found.out
    assert run(*taken, "--format", "json").document["not_judged"] == [battle]
    assert run("ask", GAME, "end_turn", "--format", "json").document["not_judged"] == []
    refused = run("ask", GAME, "capture: {power: Germans, territory: Ukraine}", "--format", "json").document
    assert (refused["value"], refused["not_judged"]) == (False, [])
    assert "  not checked: the movement and the battle" in run("rules", GAME, "capture").out
    (event,) = run("rules", GAME, "capture", "--format", "json").document["events"]
    assert event["not_judged"] == battle


def test_a_status_says_what_its_record_was_believed_in(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "record.yaml"
    file.write_text(f"game: {GAME}\nrecord: [{{capture: {{power: Russia, territory: Ukraine}}}}]\n")
    battle = "the movement and the battle that lead to a capture"
    told = f"Not checked in the record, since the rule text does not say\n  - {battle}\n"
    assert told in run("status", str(file)).out
    assert run("status", str(file), "--format", "json").document["not_judged"] == [battle]
    assert "Not checked" not in run("status", GAME).out


def test_an_explanation_stands_before_or_behind_the_game(run: Run) -> None:
    short, first = run("status", GAME, "--explain"), run("status", "--explain", GAME)
    assert short == first
    assert "what it asks for: no, since Caucasus and Russia belong to the Russians" in short.out
    whole = run("status", GAME, "--explain=all").out
    assert "* 26: the points of the victory cities in territories that the Axis control" in whole
    document = run("status", GAME, "--explain", "--format", "json").document
    assert [e["text"] for e in document["explanations"]][3] == "major_victory, Axis"
    assert document["explanations"][3]["least"] == 3


def test_a_wrong_event_is_reported(run: Run) -> None:
    found = run("ask", GAME, "plce: {}")
    assert (found.code, "did you mean 'place'?" in found.err) == (2, True)
