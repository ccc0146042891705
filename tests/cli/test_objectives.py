"""`objectives`: exit codes, documents, conditions, and everything that is wrong in one report."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Run
from tests.fixtures.games import ROOT

ISLANDS = str(ROOT / "examples" / "two_islands.yaml")
ASKED = ("objectives", ISLANDS, "--goal")


def test_the_exit_code_tells_whether_there_is_a_plan(run: Run) -> None:
    found = run(*ASKED, "vcp(Axis) >= 7")
    assert (found.code, found.err) == (0, "")
    wins = (
        "To win: 1 capture, the fewest possible: take Blueland (Blue City, 5 points); one of 2 sets within 1 capture"
    )
    assert wins in " ".join(found.out.split())
    holds = run(*ASKED, "vcp(Axis) >= 5")
    assert (holds.code, "To win:  the goal holds already" in holds.out) == (0, True)
    none = run(*ASKED, "vcp(Axis) >= 12", "--within", "1")
    assert (none.code, "To win:  out of reach: there is no plan within 1 capture" in none.out) == (1, True)
    late = run(*ASKED, "vcp(Axis) >= 7", "--timeout", "1e-9")
    assert (late.code, "To win:  open: " in late.out) == (3, True)


def test_the_document_has_the_parts_of_the_briefing(run: Run) -> None:
    document = run(*ASKED, "vcp(Axis) >= 7", "--format", "json").document
    assert document["schema"] == "vclogic/objectives/1"
    assert [s["takes"] for s in document["winning"]["sets"]] == [["Blueland"], ["Outpost"]]
    assert [s["keeps"] for s in document["denial"]["sets"]] == [["Blueland", "Outpost"]]
    assert document["next"]["steps"] == document["winning"]["sets"][0]["plan"]["steps"]


def test_conditions_restrict_the_plans(run: Run) -> None:
    def takes(*options: str) -> list[list[str]]:
        document = run(*ASKED, "vcp(Axis) >= 7", *options, "--format", "json").document
        return [s["takes"] for s in document["winning"]["sets"]]

    assert takes("--avoid", "capture: {territory: Outpost}") == [["Blueland"]]
    assert takes("--require", "capture: {territory: Outpost}") == [["Outpost"]]
    assert takes("--keep", "not controls(Axis, Blueland)") == [["Outpost"]]
    assert len(takes("--limit", "2")) == 2
    text = run(*ASKED, "vcp(Axis) >= 7", "--avoid", "capture: {territory: Outpost}").out
    assert "Only plans count of which this holds: the plan holds no event capture: {territory: Outpost}" in text


def test_all_sets_and_plans_are_shown_on_request(run: Run) -> None:
    assert "Where one of a set falls, a winning set is left: --all names it." in run(*ASKED, "vcp(Axis) >= 7").out
    whole = run(*ASKED, "vcp(Axis) >= 7", "--all").out
    assert "Blueland: no. 1; Outpost: no. 2" in whole


def test_everything_wrong_is_said_at_once(run: Run) -> None:
    wrong = ("--minimize", "captres", "--side", "Axs", "--opponent", "foe", "--within", "-1", "--limit", "0")
    words = ("--threat", "vpc(Allies) > 3", "--keep", "controls(Axis, Outpst)", "--require", "captre")
    found = run(*ASKED, "vcp(Axs) >= 7", *wrong, *words, "--avoid", "capture: {territory: Outpst}")
    assert found.code == 2
    places = [line.split()[1].partition(":")[0] for line in found.err.splitlines() if "-->" in line]
    options = "limit within side minimize opponent goal threat keep require avoid"
    assert places == [f"--{o}" for o in options.split()]
    assert found.err.count("did you mean 'Outpost'") == 2
    assert " 1 | vpc(Allies) > 3\n   | ^" in found.err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("objectives", ISLANDS), "neither a side nor a goal is given"),
        (("objectives", ISLANDS, "--side", "Axis", "--threat", "vpc(Allies) > 3"), "unknown name 'vpc'"),
        ((*ASKED, "vcp(Axis) >= vcp(Allies)"), "the goal names more than one side"),
        (("objectives", "asl", "--side", "Russian", "--min-odds", "0.8"), "--min-odds is for games whose plans"),
        (("objectives", ISLANDS, "--gaol", "vcp(Axis) >= 7"), "has no option '--gaol'"),
    ],
)
def test_what_cannot_be_answered_is_refused(run: Run, words: tuple[str, ...], says: str) -> None:
    found = run(*words)
    assert found.code == 2
    assert says in " ".join(found.err.split())
