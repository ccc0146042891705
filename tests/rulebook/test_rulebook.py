"""Whole games as rulebooks: what a file says is played, quoted, built upon and read anew."""

from __future__ import annotations

import os
from pathlib import Path
from textwrap import dedent

import pytest

import vclogic
from tests.cli.conftest import Run
from vclogic.errors import InputError
from vclogic.game import Game

HEAD = """\
# A small game

**1** Red and Blue take turns, each with one event; there are three areas in a row.

```vclogic
sides Red, Blue
turn is one event
grid area
  A B C
fact units(side, area): 0 to 2
start units(Red, A) is 1
start units(Blue, C) is 2
event move by side from area to area
  needs adjacent(from, to)
  needs units(side, from) >= 1, else "{side} has nothing in {from}, the enemy {units(enemy(side), from)}"
  then units(side, from) falls by 1
  then units(side, to) rises by 1
```
"""


def book(folder: Path, more: str, name: str = "game.md", head: str = HEAD) -> str:
    """A rulebook's file, with a block more."""
    file = folder / name
    file.write_text(f"{head}\n```vclogic\n{dedent(more)}\n```\n")
    return str(file)


def values(game: Game, *goals: str) -> list[object]:
    return [game.value(goal) for goal in goals]


# ---- whose event it is


def test_the_side_on_turn_need_not_be_written(tmp_path: Path) -> None:
    game = vclogic.load(book(tmp_path, "rounds 9"))
    moved = game.apply("move", **{"from": "A", "to": "B"})
    assert str(moved.history[-1]) == "move(Red, A, B)"
    assert moved.apply("move", **{"from": "C", "to": "B"}).value("units(Blue, B)") == 1
    with pytest.raises(InputError, match="it is not the turn of Blue"):
        game.apply("move", **{"side": "Blue", "from": "C", "to": "B"})


def test_a_record_leaves_the_side_to_the_position_that_each_event_meets(tmp_path: Path, run: Run) -> None:
    book(tmp_path, "rounds 9")
    file = tmp_path / "sub" / "position.yaml"
    file.parent.mkdir()
    file.write_text("game: ../game.md\nrecord: [{move: {from: A, to: B}}, {move: {from: C, to: B}}]\n")
    game = vclogic.load(str(file))
    assert [str(e) for e in game.history] == ["move(Red, A, B)", "move(Blue, C, B)"]
    assert run("ask", str(file), "move: {from: B, to: C}").out.startswith("move(Red, B, C): allowed")


def test_what_would_leave_the_range_of_a_fact_is_refused_with_its_sentence(tmp_path: Path) -> None:
    game = vclogic.load(book(tmp_path, "start units(Red, B) is 2"))
    with pytest.raises(InputError, match=r"units of Red, B .*between 0 and 2 \[1\]"):
        game.apply("move", **{"from": "A", "to": "B"})


def test_what_a_player_is_told_has_names_and_values_in_it(tmp_path: Path) -> None:
    game = vclogic.load(book(tmp_path, "rounds 9"))
    with pytest.raises(InputError, match="Red has nothing in C, the enemy 2"):
        game.apply("move", **{"from": "C", "to": "B"})


# ---- time


def test_rounds_end_and_so_does_the_game(tmp_path: Path) -> None:
    game = vclogic.load(
        book(tmp_path, "rounds 1\nside wins most at the end if units(side, B) > units(enemy(side), B)")
    )
    game = game.apply("move", **{"from": "A", "to": "B"})
    assert game.winner is None
    game = game.apply("move", **{"from": "C", "to": "B"})
    assert game.winner is None  # one each
    assert not game.legal().kinds[0].allowed


@pytest.mark.parametrize(("how", "now"), [("always", True), ("if nothing else is legal", False)])
def test_a_side_passes_as_it_may(tmp_path: Path, how: str, now: bool) -> None:
    game = vclogic.load(book(tmp_path, f"pass {how}"))
    assert bool([k for k in game.legal().kinds if k.event == "pass" and k.allowed]) is now
    stuck = game.at_state({"units": {"Red": {"A": 0}}})
    assert stuck.apply("pass").value("turn == Blue") is True


def test_chance_decides_before_the_turn_is_over(tmp_path: Path) -> None:
    more = """\
        fact aimed: none or area
        event shoot by side area
          then aimed becomes area
        event hit by chance area
          needs aimed == area
          weight 1
          then aimed becomes none
          then units(enemy(turn), area) becomes 0
        event miss by chance area
          needs aimed == area
          weight 2
          then aimed becomes none
    """
    game = vclogic.load(book(tmp_path, more)).apply("shoot", area="C")
    assert game.value("turn == Red") is True
    with pytest.raises(InputError, match="chance decides first: hit or miss"):
        game.apply("move", **{"from": "A", "to": "B"})
    assert values(game.apply("hit", area="C"), "turn == Blue", "units(Blue, C) == 0") == [True, True]
    assert values(game.apply("miss", area="C"), "turn == Blue", "units(Blue, C) == 2") == [True, True]


def test_phases_follow_each_other_within_a_turn(tmp_path: Path) -> None:
    head = HEAD.replace("turn is one event", "turn is movement, fire").replace("to area\n", "to area in movement\n")
    game = vclogic.load(book(tmp_path, "rounds 2", head=head))
    later = game.apply("end_phase")
    with pytest.raises(InputError, match="move belongs to the phase movement"):
        later.apply("move", **{"from": "A", "to": "B"})
    assert values(later.apply("end_phase"), "turn == Blue", "phase == movement") == [True, True]


def test_an_event_sets_whose_turn_it_is(tmp_path: Path) -> None:
    more = "event again by side\n  then turn becomes side"
    game = vclogic.load(book(tmp_path, more)).apply("again")
    assert game.value("turn == Red") is True


# ---- definitions, outcomes


def test_lines_about_some_names_make_one_definition(tmp_path: Path) -> None:
    more = """\
        worth(A) means 1
        worth(B) means 5
        except worth(B) means 7 if units(Red, A) >= 1
        value(side) means sum(worth(area) for area where units(side, area) >= 1)
    """
    game = vclogic.load(book(tmp_path, more))
    assert values(game, "worth(A)", "worth(B)", "worth(C)") == [1, 7, None]
    with pytest.raises(InputError, match="worth is defined twice"):
        vclogic.load(book(tmp_path, "worth(A) means 1\nworth(A) means 2"))


def test_the_first_outcome_ends_the_game(tmp_path: Path) -> None:
    more = """\
        rounds 1
        Red wins reach at once if units(Red, B) >= 1
        Blue wins stand at the end if units(Blue, B) >= 1
        otherwise nobody wins stand
    """
    game = vclogic.load(book(tmp_path, more)).apply("move", **{"from": "A", "to": "B"})
    assert game.winner == "Red"
    with pytest.raises(InputError, match="the game is over: reach has been decided"):
        game.apply("move", **{"from": "C", "to": "B"})


def test_otherwise_may_have_a_condition(tmp_path: Path) -> None:
    more = """\
        Red wins x at once if units(Red, B) >= 1
        otherwise Blue wins x if units(Red, A) == 0
        otherwise nobody wins x
    """
    game = vclogic.load(book(tmp_path, more))
    met = {o.side for o in game.status().outcomes if o.status == "met"}
    assert met == {"nobody"}
    assert game.at_state({"units": {"Red": {"A": 0}}}).winner == "Blue"


@pytest.mark.parametrize(("second", "contradicts"), [("< 1", False), (">= 0", True)])
def test_outcomes_that_exclude_each_other_are_never_met_together(
    tmp_path: Path, run: Run, second: str, contradicts: bool
) -> None:
    more = f"""\
        rounds 3
        Red wins far at the end of a round if units(Red, C) >= 1
        Blue wins near at the end of a round if units(Red, C) {second}
    """
    told = run("check", book(tmp_path, more), "--select", "VC101", "--format", "json").document
    # Blue has won by the first round's end, before Red can be there: it is possible in no play from this start.
    assert (told["findings"], bool(told["cleared"])) == ([], contradicts)


# ---- several files


def test_a_rulebook_builds_on_another(tmp_path: Path, run: Run) -> None:
    book(
        tmp_path,
        "rounds 3\nRed wins early at once if units(Red, C) >= 1\nRed wins late at the end if true",
        "basic.md",
    )
    more = "include basic.md\ninstead of early\nrounds 1\nstart units(Red, B) is 1"
    game = vclogic.load(book(tmp_path, more, head="# More\n"))
    assert [o.rule for o in game.status().outcomes] == ["late"]
    assert values(game, "units(Red, A)", "units(Red, B)") == [1, 1]
    wrong = run("status", book(tmp_path, "include basc.md", "wrong.md", "# Wrong\n"))
    assert wrong.code == 2
    assert "wrong.md:4:9" in wrong.err
    circle = run("status", book(tmp_path, "include circle.md", "circle.md", "# Circle\n"))
    assert circle.code == 2
    assert "include each other" in circle.err
    gone = run("status", book(tmp_path, "include basic.md\ninstead of erly", "gone.md", "# Gone\n"))
    assert "did you mean 'early'" in gone.err


def test_a_rulebook_says_a_board_anew(tmp_path: Path) -> None:
    book(tmp_path, "rounds 3", "basic.md")
    longer = "include basic.md\ngrid area\n  A B C D"
    game = vclogic.load(book(tmp_path, longer, head="# Longer\n"))
    assert values(game, "units(Red, D)", "count(area)") == [0, 4]


def test_a_text_is_tried_beside_a_rulebook(tmp_path: Path, run: Run) -> None:
    game = book(tmp_path, "rounds 3\nRed wins held at the end of a round if units(Red, B) >= 1")
    card = tmp_path / "card.yaml"
    card.write_text("outcomes: |\n  instead of held\n  Blue wins there at the end of a turn if units(Blue, B) >= 1\n")
    shown = run("status", game, "--with", str(card))
    assert "card.yaml:3" in shown.out
    assert "held" not in shown.out.partition("Assumptions")[0]
    played = vclogic.load(game, beside=[str(card)]).apply("move", **{"from": "A", "to": "B"})
    assert played.apply("move", **{"from": "C", "to": "B"}).winner == "Blue"


def rounds(path: str) -> int:
    """The rounds of a rulebook's game."""
    return vclogic.load(path).setup.system.layout.families["round"].fluent.hi


def test_a_file_that_was_saved_anew_is_read_anew(tmp_path: Path) -> None:
    path = book(tmp_path, "rounds 3")
    assert rounds(path) == 3
    book(tmp_path, "rounds 17")
    os.utime(path, ns=(1, 1))
    assert rounds(path) == 17


# ---- what answers say of the text


def test_answers_quote_the_sentence(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "quoted.md"
    more = "**2.1** Whoever stands in *the middle* has won.\n\n```vclogic\nside wins x at once if units(side, B) >= 1"
    path.write_text(f"{HEAD}\n{more}\n```\n")
    assert "2.1: Whoever stands in the middle has won." in run("ask", str(path), "x Red").out
    assert [o.cites for o in vclogic.load(str(path)).status().outcomes] == [("2.1",), ("2.1",)]


@pytest.mark.parametrize("asked", ["x Red", "Red x", "x"])
def test_an_outcome_of_several_lines_is_asked_for_as_one(tmp_path: Path, run: Run, asked: str) -> None:
    lines = "rounds 1\nRed wins x at once if units(Red, B) >= 1\nRed wins x at the end if units(Red, A) >= 1"
    path = book(tmp_path, f"pass always\n{lines}\nRed wins y at once if units(Blue, C) == 0")
    game = vclogic.load(path)
    assert (game.ask(asked).value, game.apply("move", **{"from": "A", "to": "B"}).ask(asked).value) == (False, True)
    assert game.apply("pass").apply("pass").ask(asked).value is True
    wrong = run("ask", path, "x Blue").err
    assert "Blue has no outcome x" in wrong
    assert "help: write 'x Red'\n" in wrong


def test_a_sentence_that_nothing_encodes_is_a_finding(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "silent.md"
    more = '**2** Nobody may cheat.\n\n```vclogic\nleft out "it is for players"\n```'
    path.write_text(f"{HEAD}\n{more}\n")
    found = run("check", str(path), "--format", "json").document["findings"]
    assert [(f["rule"], f["places"][0]["line"]) for f in found if f["code"] == "VC701"] == []
    path.write_text(f"{HEAD}\n**2** Nobody may cheat.\n")
    found = run("check", str(path), "--format", "json").document["findings"]
    assert [f["rule"] for f in found if f["code"] == "VC701"] == ["sentence[2]"]


@pytest.mark.parametrize(("more", "found"), [("rounds 3", True), ("pass if nothing else is legal", False)])
def test_a_side_that_can_do_nothing_is_a_finding(tmp_path: Path, run: Run, more: str, found: bool) -> None:
    leave = "\nevent leave by side area\n  needs units(side, area) >= 1\n  then units(side, area) falls by 1"
    path = book(tmp_path, more + leave)
    findings = run("check", path, "--select", "VC702", "--format", "json").document["findings"]
    assert [(f["places"][0]["line"], f["cites"]) for f in findings] == [(7, ["1"])] * found
    plan = vclogic.load(path).plan("units(Red, B) == 1", side="Red")
    assert any("play stops" in said for said in plan.assumptions) is found


def test_rulings_are_tried_at_their_lines(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "rulings.md"
    rulings = """\
        A unit moves
          play move from A to B
          expect units(Red, B) == 1
        It does not jump
          refused move from A to C
        It is wrong
          given units(Red, A) is 2
          expect units(Red, A) == 1
    """
    path.write_text(f"{HEAD}\n```ruling\n{dedent(rulings)}```\n")
    tried = run("test", str(path), "--format", "json")
    assert tried.code == 1
    assert [case["status"] for case in tried.document["cases"]] == ["passed", "passed", "failed"]
    line = path.read_text().splitlines().index("  expect units(Red, A) == 1") + 1
    assert f'"line": {line},' in tried.out


def test_a_number_of_a_sentence_may_count_the_sentences_of_a_section(tmp_path: Path) -> None:
    file = tmp_path / "game.md"
    file.write_text(
        "# A game\n\n**17.31/3** Red wins a hill. **17.31/4** Blue wins none.\n\n```vclogic\nsides Red, Blue\n"
        "turn is one event\nfact held\nevent take by side\n  needs not held  [17.31/4]\n  then held becomes true\n"
        "Red wins hill at once if held  [17.31/3]\n```\n"
    )
    game = vclogic.load(str(file))
    assert {c.clause for o in game.setup.system.outcomes for c in o.cites} == {"17.31/3"}
    assert {c.clause for c in game.setup.system.schemas["take"].cites} == {"17.31/4"}
    assert "Red wins a hill." in {o.text for o in game.setup.system.outcomes}
    assert game.apply("take").winner == "Red"
