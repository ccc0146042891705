"""Facts that the rules write down for themselves, such as what was met at its moment, are no free facts."""

from __future__ import annotations

from pathlib import Path

import pytest

import vclogic
from vclogic.check.question import CheckQuestion
from vclogic.check.rulings.rules_with_rulings import RuledText, variants_of
from vclogic.check.rulings.untested_rules import untold
from vclogic.errors import InputError
from vclogic.game import Game
from vclogic.query.question import request

HEAD = """# A climb
**1** Up climbs up to three steps, and so on.
```vclogic
sides Up, Down
turn is one event
rounds 3
fact step: 0 to 3, starts 0
event climb by Up
  then step rises by 1
pass always
"""


def game(folder: Path, lines: str, head: str = HEAD) -> Game:
    (folder / "game.md").write_text(f"{head}{lines}\n```\n", encoding="utf-8")
    return vclogic.load(str(folder / "game.md"))


def told(of: Game, *codes: str) -> list[tuple[str, str]]:
    return [(f.code, f.rule) for f in of.check(select=codes).findings]


MOMENTS = ["at the end of a turn", "at the start of a turn", "at the end of a round", "at the start of a round"]


@pytest.mark.parametrize("moment", MOMENTS)
def test_what_is_judged_and_not_met_is_not_always_met(moment: str, tmp_path: Path) -> None:
    wins = f"Up wins top {moment} if step == 1"
    assert told(game(tmp_path, f"{wins}\notherwise nobody wins low at the end"), "VC208") == []


@pytest.mark.parametrize("moment", MOMENTS)
def test_what_is_met_whenever_it_is_judged_is_told(moment: str, tmp_path: Path) -> None:
    assert told(game(tmp_path, f"Up wins top {moment} if step <= 2"), "VC208") == [("VC208", "top[Up]")]


def test_two_that_never_meet_at_one_moment_do_not_contradict_each_other(tmp_path: Path) -> None:
    lines = "Up wins high at the end of a round if round == 2 and step >= 2\n"
    lines += "Down wins low at the start of a turn if turn == Up and step <= 1"
    assert told(game(tmp_path, lines), "VC101") == []


def test_two_that_meet_at_one_moment_are_told_with_play_that_leads_there(tmp_path: Path) -> None:
    lines = "Up wins high at the end of a round if step >= 2\nDown wins late at the end of a round if step == 2"
    (found,) = game(tmp_path, lines).check(select=["VC101"]).findings
    assert found.rule == "high[Up] and late[Down]"
    assert found.witness is not None


def test_the_last_round_is_over_in_the_last_round_alone(tmp_path: Path) -> None:
    lines = "Up wins top at the end if step == 3\nDown wins low at the end if step < 3"
    found = game(tmp_path, lines)
    assert told(found, "VC103") == []
    answer = found.missing("holds(top, Up)")
    assert [[c.fluent for c in r.changes] for r in answer.repairs] == [["step"]]


@pytest.mark.parametrize(("lines", "goal"), [("Up wins top at the end of a turn if step >= 2", "holds(top, Up)")])
def test_missing_names_what_a_player_can_change(lines: str, goal: str, tmp_path: Path) -> None:
    (repair,) = game(tmp_path, lines).missing(goal).repairs
    assert [(c.fluent, c.after, c.ranges) for c in repair.changes] == [("step", 2, ((2, 3),))]


@pytest.mark.parametrize(
    ("goal", "ranges"),
    [("step >= 1 and step <= 2", ((1, 2),)), ("step == 1 or step == 3", ((1, 1), (3, 3))), ("step == 3", ())],
)
def test_missing_says_every_number_that_does(goal: str, ranges: tuple[tuple[int, int], ...], tmp_path: Path) -> None:
    ((change,),) = [r.changes for r in game(tmp_path, "nobody wins late at the end").missing(goal).repairs]
    assert change.ranges == ranges


def test_no_play_changing_a_written_fact_is_no_finding(tmp_path: Path) -> None:
    lines = "Up wins top at the end of a turn if step >= 1\nDown wins low at the end of a turn if step >= 9"
    assert told(game(tmp_path, lines), "VC606") == []


def test_nothing_can_be_called_holds(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="means something already"):
        game(tmp_path, "holds(side) means step >= 1")


def test_two_lines_that_certainly_differ_are_refused_at_both(tmp_path: Path) -> None:
    fact = "fact last: side or nobody, starts nobody\n"
    fact += "  becomes Up at once if step >= 2\n  becomes Down at once if step >= 1"
    with pytest.raises(InputError) as refused:
        game(tmp_path, fact)
    assert [d.line for d in refused.value.diagnostics] == [12, 13]


DEAD = """# Dead
**1** A touches B and C. B touches C. C touches D.

| area | borders |
| --- | --- |
| A | B, C |
| B | A, C |
| C | A, B |
| D | C |

```vclogic
sides Up, Down
turn is any number of events
areas area, from the table
rounds 3
fact step: 0 to 4, starts 0
fact rolled
event roll by side
  needs not rolled
  needs step < 9
  then rolled becomes true
event die by chance number 1 to 6
  needs rolled
  then step rises by number
  then rolled becomes false
every event but roll, die needs false
worth(area) means 1
except worth(area) means 2 if step > 6
Up wins four at once if step == 4
"""


@pytest.mark.parametrize(
    ("code", "at", "message"),
    [
        ("VC605", "| C | A, B |", "D borders on C, and the row of C not on D"),
        ("VC210", "event die by", "chance cannot bring"),
        ("VC209", "  needs step < 9", "never forbids anything"),
        ("VC207", "", "no event ends a round"),
        ("VC201", "except worth", "this exception never applies"),
    ],
)
def test_what_else_a_designer_misses(code: str, at: str, message: str, tmp_path: Path) -> None:
    found = [f for f in game(tmp_path, "", DEAD).check(select=[code]).findings if message in f.message]
    line = next(n for n, text in enumerate(DEAD.splitlines(), 1) if text.startswith(at))
    assert [f.places[0].line if f.places else 1 for f in found] == [line]


def test_a_reading_without_effect_is_told_in_a_game_without_rounds(tmp_path: Path) -> None:
    head = HEAD.replace("rounds 3\n", 'reading tall "How high?"\n  yes "so", default "why"\n  no "not so"\n')
    assert told(game(tmp_path, "Up wins top at once if step == 3", head), "VC503") == [("VC503", "reading tall")]


def test_a_ruling_whose_number_leaves_a_changed_range_is_no_crash(tmp_path: Path) -> None:
    ruling = "```\n\n```ruling\nThree\n  given step is 2\n  play climb\n  play pass\n  expect step == 3"
    of = game(tmp_path, f"Up wins top at the end of a round if step == 3\nnobody wins late at the end\n{ruling}")
    question = CheckQuestion(rulings=True)
    asked = request(of, question)
    changed = [v.id for v in variants_of(RuledText.of(asked.setup)) if "rises by" in v.said or "wins late" in v.said]
    found = untold(asked, (question.select, question.ignore), changed).checked
    assert found.rulings.startswith("1 ruling; ")
    assert not any(word in f.ruling for f in found.findings for word in ("met(", "over is"))
