"""What a text adds counts in every question as what the game has, and answers name the line of the user's file."""

from __future__ import annotations

from pathlib import Path

import pytest

import vclogic
from vclogic.game import Game

RULES = """\
outcomes: |
  instead of victory
  fact nights: 0 to 9, starts 0
    rises by 1 at the end of a round
  ashore means nights + count(unit of Japan where on_map(unit)) >= 7
  Japan wins raid at the end if ashore
  otherwise US wins held
"""
LINE = "rules.yaml:6"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A file with a text of rules."""
    found = tmp_path_factory.mktemp("rules") / "rules.yaml"
    found.write_text(RULES)
    return str(found)


@pytest.fixture(scope="module")
def game(file: str) -> Game:
    """A game with that text."""
    return vclogic.load("okinawa/small", beside=[file])


def test_status_names_the_line(game: Game) -> None:
    (raid,) = [o for o in game.status().outcomes if o.rule == "raid"]
    assert (raid.status, list(raid.cites)) == ("unmet", [LINE])
    ended = game.apply("end_turn").apply("end_turn").apply("end_game")
    assert ended.value("nights") == 1
    assert ended.winner == "Japan"


def test_goals_plans_and_reach_know_it(game: Game) -> None:
    plan = game.plan("holds(raid, Japan)", side="Japan", timeout=300)
    assert plan.status == "optimal"
    assert [s.action for s in plan.steps][-1] == "end_game"
    reached = game.reach("holds(raid, Japan)", timeout=300)
    assert reached.status == "reachable"


def test_missing_ask_and_explain_quote_it(game: Game) -> None:
    found = game.missing("holds(raid, Japan)", timeout=300)
    assert found.status == "possible"
    asked = game.ask("raid Japan", timeout=300)
    assert {c.clause: c.says for c in asked.clauses}[LINE] == ("Japan wins raid at the end if ashore",)
    assert any(c.clause == "rules.yaml:5" for c in asked.clauses)


def test_compare_tells_what_differs(game: Game) -> None:
    found = vclogic.load("okinawa/small").compare(game, timeout=300)
    assert found.status == "differ"
    assert any("rules as text" in line for line in found.assumptions)


def test_objectives_and_force_know_it(game: Game) -> None:
    assert "raid" in repr(game.objectives(side="Japan", timeout=60))
    assert game.force("holds(raid, Japan)", side="Japan", timeout=300).status == "forced"


@pytest.mark.slow
def test_check_points_at_the_line(file: str) -> None:
    rules = Path(file).with_name("clash.yaml")
    rules.write_text(
        "outcomes: |\n  worth means 1\n  except worth means 2 if round >= 3\n  except worth means 3 if round >= 5\n"
        "  fact n: 0 to 3\n    becomes 1 at once if round == 2\n    becomes worth at once if round == 2\n"
    )
    found = vclogic.load("okinawa/small", beside=[str(rules)]).check()
    told = " ".join(f"{f.message} {f.places}" for f in found.findings)
    assert "'except worth means 2 if round >= 3' and 'except worth means 3 if round >= 5'" in told
    assert "line=3" in told


def test_rules_list_it(game: Game) -> None:
    book = game.rules()
    assert {"raid", "held"} <= {o.name for o in book.outcomes}
    assert "victory" not in {o.name for o in book.outcomes}
    assert {"ashore", "nights"} <= {o.name for o in book.observables}
    assert any("instead of victory" in line for line in book.setup.overlays)


def test_what_is_remembered_can_be_given(file: str) -> None:
    game = vclogic.load({"game": "okinawa/small", "state": {"nights": 4}}, beside=[file])
    assert game.value("nights") == 4
    assert game.value("ashore")


def test_what_is_missing_is_looked_for_on_the_board(tmp_path: Path) -> None:
    """What follows from other facts, such as that the game is over, is nothing to change: the assumptions say so."""
    file = tmp_path / "game.md"
    text = (
        "sides Red, Blue\nturn is one event\nrounds 3\nkind place: A, B\nfact men(place): 0 to 2\nfact tired(place)\n"
    )
    text += "  becomes false at the end of a round\nevent add by side place\n  then men(place) rises by 1\n"
    text += "  then tired(place) becomes true\nRed wins full at the end if men(A) == 2"
    file.write_text(f"```vclogic\n{text}\n```\n")
    game = vclogic.load(str(file))
    found = game.missing("holds(full, Red)")
    (changes,) = (r.changes for r in found.repairs)
    assert {c.says for c in changes} == {"men of A is 2"}
    assert any("as if their moment had come" in line for line in found.assumptions)
    assert not any("as it is" in line for line in found.assumptions)
