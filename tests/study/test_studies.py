"""Studies: the rows of games, players, what is done again and what is not, balance, errors."""

from __future__ import annotations

import errno
import math
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import vclogic
from tests.cli.conftest import Run
from vclogic.cli.serving import PORT
from vclogic.errors import InputError
from vclogic.game import Game
from vclogic.model.actions import Event
from vclogic.studies.answer import StudyAnswer, study
from vclogic.studies.balance import balance, wanted
from vclogic.studies.design import read_study
from vclogic.studies.folder import rows_of
from vclogic.studies.playtest import Playtest, events_of, play, uniform
from vclogic.studies.run import StudyBlock
from vclogic.studies.summary import Rate, elo, rate

ROOT = Path(__file__).parents[2]
BOOKS = ROOT / "examples/rulebooks"

HILLS = """\
# Hills

**1** Red begins. In its turn a side takes a hill that is free, or passes. There are four rounds.

```vclogic
sides Red, Blue
turn is one event
rounds 4
kind hill: North, Middle, South
fact owner(hill): side or nobody, starts nobody
held(side) means count(hill where owner(hill) == side)
event take by side hill
  needs owner(hill) == nobody
  then owner(hill) becomes side
event rest by side
  needs held(side) >= 4
  then owner(North) becomes nobody
pass always
```

**2** Who has more hills at the end has won.

```vclogic
Red wins hills at the end if held(Red) > held(Blue)
Blue wins hills at the end if held(Blue) > held(Red)
otherwise nobody wins hills
```
"""


class Here(Executor):
    """Does everything at once in this process."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except BaseException as error:
            future.set_exception(error)
        return future


@contextmanager
def here() -> Iterator[tuple[Executor, int]]:
    yield Here(), 1


def studied(folder: Path, text: str, **more: Any) -> StudyAnswer:
    """The answer of a study of the game of hills."""
    (folder / "hills.md").write_text(HILLS)
    (folder / "study.yaml").write_text(text)
    return study(str(folder / "study.yaml"), str(folder / "rows"), executor=here, **more)


def as_rows(answer: StudyAnswer) -> list[dict[str, Any]]:
    return list(rows_of(answer.table()))


PLAIN = Playtest({}, {}, {}, (), 100, {})


def broken(kind: type[Exception]) -> Any:
    """What a block is replaced by that raises."""

    def rows(block: Any) -> Any:
        raise kind("of the block")

    return rows


@pytest.mark.parametrize(("kind", "told"), [(ZeroDivisionError, False), (MemoryError, False), (BrokenExecutor, True)])
def test_a_fault_in_a_block_is_no_lost_worker(
    kind: type[Exception], told: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(StudyBlock, "rows", broken(kind))
    text = "game: hills.md\ngames: 2\n"
    with pytest.raises(InputError if told else kind, match="worker was lost" if told else "of the block"):
        studied(tmp_path, text)


# ---- games


@pytest.mark.parametrize("name", ["bridgehead", "high_card", "race", "majority", "mill"])
def test_games_are_played_as_the_rules_play_them(name: str) -> None:
    """Each row says what comes of its events when they are applied one by one."""
    game = vclogic.load(str(BOOKS / f"{name}.md"))
    for row in play(game, PLAIN, range(3)):
        at, used, first = game, set(), game.mover
        events = events_of(game, PLAIN, row["seed"])
        for event in events:
            at = at.apply(event.name, **dict(event.args))
            used.add(event.name)
        assert (row["events"], row["winner"], set(row["used"])) == (len(events), at.winner, used)
        assert (row["ended"] == "longest") is (not at.over)
        assert row["first"] == first


def test_a_game_depends_on_its_seed_alone(tmp_path: Path) -> None:
    game = vclogic.load(str(BOOKS / "bridgehead.md"))
    test = Playtest({"Defenders": "greedy"}, {}, {}, (), 100, {"points": "points(Crossers)"})
    together = list(play(game, test, range(20)))
    assert together == [row for seed in range(20) for row in play(game, test, [seed])]
    assert together[5:9] == list(play(game, test, range(5, 9)))
    assert len({row["events"] for row in together} | {row["points"] for row in together}) > 2


def test_numbers_are_drawn_evenly() -> None:
    drawn = np.concatenate([uniform(np.arange(5_000, dtype=np.uint64), step) for step in range(3)])
    counts = np.histogram(drawn, bins=10, range=(0, 1))[0]
    assert counts.sum() == drawn.size
    assert np.abs(counts / drawn.size - 0.1).max() < 0.01
    pairs = np.corrcoef(drawn[:5_000], drawn[5_000:10_000])[0, 1]
    assert abs(pairs) < 0.05


def test_what_changes_hands_and_what_never_happens(tmp_path: Path) -> None:
    answer = studied(tmp_path, "game: hills.md\ngames: 50\n")
    (cell,) = answer.cells
    assert set(cell.changed) == {"owner[North]", "owner[Middle]", "owner[South]"}
    assert all(0 < number <= 50 for number in cell.changed.values())
    assert cell.unused == ["rest"]
    assert sum(cell.ended.values()) == 50
    assert "hills" in " ".join(cell.outcomes)


# ---- players


class First:
    """The first event that is legal."""

    def choose(self, game: Game, events: Sequence[Event], random: Random) -> Event:
        return events[0]


class Cheat:
    """An event of another game."""

    def choose(self, game: Game, events: Sequence[Event], random: Random) -> Event:
        return Event("fly", ())


def test_greedy_takes_what_its_measure_says(tmp_path: Path) -> None:
    text = "game: hills.md\ngames: 20\nplayers: {Red: greedy}\nmeasures: {Red: held(Red)}\nkeep: {hills: held(Red)}\n"
    rows = as_rows(studied(tmp_path, text))
    assert all(row["hills"] >= 1 for row in rows)
    random = as_rows(studied(tmp_path, text.replace("Red: greedy", "Red: random")))
    assert sum(r["hills"] for r in rows) > sum(r["hills"] for r in random)


def test_best_play_never_loses_at_noughts_and_crosses() -> None:
    game = vclogic.load(str(BOOKS / "tic_tac_toe.md"))
    test = Playtest({"Noughts": "best"}, {}, {}, (), 100, {})
    assert {row["winner"] for row in play(game, test, range(10))} <= {"Noughts", None}


def test_a_planner_wins_when_nobody_is_in_its_way(tmp_path: Path) -> None:
    (tmp_path / "hills.md").write_text(HILLS)
    game = vclogic.load(str(tmp_path / "hills.md"))
    test = Playtest({"Red": "planner"}, {}, {"Red": "held(Red) >= 2"}, (), 100, {"hills": "held(Red)"})
    assert all(row["hills"] >= 1 for row in play(game, test, range(2)))


def test_a_class_is_a_player(tmp_path: Path) -> None:
    text = f"game: hills.md\ngames: 3\nplayers: {{Red: '{__name__}:First', Blue: '{__name__}:First'}}\n"
    rows = as_rows(studied(tmp_path, text))
    assert len({tuple(row["changed"]) for row in rows}) == 1  # nothing is left to chance
    assert rows[0]["winner"] == "Red"


PROGRAM = """\
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    print(len(asked["events"]) - 1 if asked["side"] == "Blue" else 0, flush=True)
"""


def test_a_program_is_a_player(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(PROGRAM)
    bot = f"program {sys.executable} {tmp_path / 'bot.py'}"
    text = f"game: hills.md\ngames: 2\nplayers: {{Red: '{bot}', Blue: '{bot}'}}\n"
    rows = as_rows(studied(tmp_path, text))
    assert [row["winner"] for row in rows] == ["Red", "Red"]


# ---- cells, and what is done again


SWEEP = """\
game: hills.md
numbers: {rounds 4: 2..4}
players: {Red: [random, greedy]}
games: 10
"""


def test_every_combination_is_a_cell(tmp_path: Path) -> None:
    answer = studied(tmp_path, SWEEP)
    assert answer.varying == ("rounds N", "player Red")
    assert [tuple(c.cell.values()) for c in answer.cells] == [
        (n, player) for n in (2, 3, 4) for player in ("random", "greedy")
    ]
    assert max(answer.cells[0].lengths) <= 4
    assert answer.rows == 60
    assert set(answer.elo) == {"random", "greedy"}
    assert {e.name for e in answer.effects} == {"rounds N", "player Red"}
    assert [e.spread for e in answer.effects] == sorted((e.spread for e in answer.effects), reverse=True)
    for effect in answer.effects:
        for value, of in effect.rates:
            won = [c.wins["Red"].count for c in answer.cells if str(c.cell[effect.name]) == value]
            assert (of.count, of.of) == (sum(won), 10 * len(won))


def test_numbers_change_on_a_card_too(tmp_path: Path) -> None:
    """With the facts that it gives and the settings that it says."""
    (tmp_path / "card.yaml").write_text("game: hills.md\nstate: {round: 2}\n")
    answer = studied(tmp_path, "game: card.yaml\nnumbers: {rounds 4: [2, 3, 4]}\ngames: 5\n")
    assert [max(c.lengths) for c in answer.cells] == [max(answer.cells[0].lengths) + more for more in (0, 2, 4)]


def test_rows_are_kept_beside_the_study_unless_a_folder_is_named(tmp_path: Path) -> None:
    """`vclogic.study`: one process is begun, which is what most of this takes."""
    (tmp_path / "hills.md").write_text(HILLS)
    (tmp_path / "twice.yaml").write_text("game: hills.md\ngames: 2\n")
    answer = vclogic.study(str(tmp_path / "twice.yaml"), vary={"rounds 4": "2,3"}, workers=1)
    assert (answer.done, answer.table().column("rounds N").to_pylist()) == (2, [2, 2, 3, 3])
    assert answer.folder == str(tmp_path / "twice-rows")
    assert vclogic.study(str(tmp_path / "twice.yaml"), vary={"rounds 4": "2,3"}).known == 2


def test_run_again_it_does_nothing_and_a_changed_rule_runs_again(tmp_path: Path) -> None:
    first = studied(tmp_path, SWEEP)
    assert (first.done, first.known, first.gone) == (6, 0, 0)
    again = studied(tmp_path, SWEEP)
    assert (again.done, again.known, again.gone) == (0, 6, 0)
    assert as_rows(again) == as_rows(first)
    grown = studied(tmp_path, SWEEP.replace("2..4", "2..5"))
    assert (grown.done, grown.known, grown.gone) == (2, 6, 0)
    global HILLS
    before, HILLS = HILLS, HILLS.replace("held(side) >= 4", "held(side) >= 3")
    try:
        changed = studied(tmp_path, SWEEP)
    finally:
        HILLS = before
    assert (changed.done, changed.known, changed.gone) == (6, 0, 8)


def test_a_changed_card_and_a_changed_rulebook_of_cards_run_again(tmp_path: Path) -> None:
    cards = [tmp_path / f"card{n}.yaml" for n in (1, 2)]
    for card in cards:
        card.write_text("game: hills.md\nstate: {owner: {North: Red}}\n")
    text = "game: [card1.yaml, card2.yaml]\ngames: 2\n"
    assert studied(tmp_path, text).done == 2
    cards[1].write_text("game: hills.md\nstate: {owner: {North: Blue}}\n")
    assert (studied(tmp_path, text).done, studied(tmp_path, text).done) == (1, 0)
    global HILLS
    before, HILLS = HILLS, HILLS.replace("held(side) >= 4", "held(side) >= 3")
    try:
        assert studied(tmp_path, text).done == 2
    finally:
        HILLS = before


def test_a_cell_that_the_rules_refuse_is_named(tmp_path: Path) -> None:
    """In the middle of a range: only its ends are tried before anything is played."""
    text = "game: hills.md\nnumbers: {'held(side) >= 4': [1, 2]}\nask: {plan: {goal: held(Red) >= 9, side: Read}}\n"
    with pytest.raises(InputError, match=r"\(game hills.md, held\(side\) >= N [12]\)"):
        studied(tmp_path, text)


def test_a_full_disk_loses_nothing_that_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    studied(tmp_path, SWEEP.replace("2..4", "2"))
    parts = sorted(os.listdir(tmp_path / "rows" / "parts"))
    replaced = os.replace

    def full(*args: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(InputError, match="a part of the study cannot be written: No space left on device"):
        studied(tmp_path, SWEEP)
    assert sorted(os.listdir(tmp_path / "rows" / "parts")) == parts
    monkeypatch.setattr(os, "replace", replaced)
    assert studied(tmp_path, SWEEP).known == 2


def test_what_was_begun_when_the_process_was_killed_is_done_again(tmp_path: Path) -> None:
    first = studied(tmp_path, SWEEP)
    parts = tmp_path / "rows" / "parts"
    lost = sorted(parts.iterdir())[0]
    lost.rename(str(lost) + ".begun")
    again = studied(tmp_path, SWEEP)
    assert (again.done, again.known) == (1, 5)
    assert as_rows(again) == as_rows(first)
    assert not list(parts.glob("*.begun"))


def test_a_question_is_asked_in_each_cell(tmp_path: Path) -> None:
    text = """\
game: hills.md
numbers: {rounds 4: 1..3}
ask: {plan: {goal: held(Red) >= 2, side: Red}}
keep: {verdict: status, fewest: cost, events: steps}
"""
    answer = studied(tmp_path, text)
    assert [row["verdict"] for row in answer.answers] == ["impossible", "optimal", "optimal"]
    assert [row["events"] for row in answer.answers][1:] == [row["fewest"] for row in answer.answers][1:]
    whole = studied(tmp_path, text.split("keep")[0])
    assert [row["status"] for row in whole.answers] == ["impossible", "optimal", "optimal"]


def test_a_folder_of_cards_is_asked_card_by_card(tmp_path: Path) -> None:
    for n in (1, 2, 3):
        rule = f"  Red wins card at once if held(Red) >= {n}"
        card = f"game: hills.md\nstate: {{owner: {{North: Red}}}}\noutcomes: |\n{rule}\n"
        (tmp_path / f"card{n}.yaml").write_text(card)
    answer = studied(tmp_path, "game: card*.yaml\nask: {status: {}}\nkeep: {winner: winner, outcomes: outcomes}\n")
    assert [(row["game"], row["winner"]) for row in answer.answers] == [
        ("card1.yaml", "Red"),
        ("card2.yaml", None),
        ("card3.yaml", None),
    ]
    assert (
        len(studied(tmp_path, "game: cards\nask: {status: {}}\n".replace("cards", ".")).answers) == 4
    )  # and hills.md
    with pytest.raises(InputError, match=r"no file fits 'none\*.yaml'"):
        studied(tmp_path, "game: none*.yaml\n")


# ---- numbers


def test_intervals_are_those_of_wilson() -> None:
    """Values of the tables of Newcombe (1998), of 81 of 263, 15 of 148, 0 of 20 and 1 of 29."""
    for (count, of), (low, high) in {
        (81, 263): (0.2553, 0.3662),
        (15, 148): (0.0624, 0.1605),
        (0, 20): (0.0000, 0.1611),
        (1, 29): (0.0061, 0.1718),
    }.items():
        found = rate(count, of)
        assert found.low == pytest.approx(low, abs=6e-5)
        assert found.high == pytest.approx(high, abs=6e-5)
    assert math.isnan(rate(0, 0).value)


def test_strength_is_that_of_the_odds() -> None:
    """Who wins 10 times as often as the other stands 400 points above it."""
    rows = [{"player Red": "a", "player Blue": "b", "winner": "Red"}] * 10_000
    rows += [{"player Red": "a", "player Blue": "b", "winner": "Blue"}] * 1_000
    found = elo(rows, ("Red", "Blue"))
    assert found["a"] - found["b"] == pytest.approx(400, abs=1)
    assert elo(rows[:0], ("Red", "Blue")) == {}


def test_a_balance_is_found_and_what_speaks_against_it_is_told() -> None:
    asked: Counter[int] = Counter()

    def rising(value: int) -> Rate:
        asked[value] += 1
        return rate(10 * value, 1000)

    found = balance("Red", 0.42, "threshold", range(101), rising)
    assert found.best == 42
    assert found.interval is not None
    assert found.interval[0] <= 42 <= found.interval[1]
    assert not found.against
    assert max(asked.values()) == 1
    assert len(asked) < 15
    wavy = balance("Red", 0.5, "threshold", range(3), lambda v: rate([100, 900, 150][v], 1000))
    assert wavy.against == [(1, 2)]
    assert balance("Red", 0.99, "n", range(3), lambda v: rate(v, 100)).interval is None


def test_what_is_wanted_is_read() -> None:
    assert wanted("win rate of Red = 0.5", ("Red", "Blue")) == ("Red", 0.5)
    assert wanted("win rate of Blue = 40 %", ("Red", "Blue")) == ("Blue", 0.4)
    for text, said in {
        "win rate of Rod = .5": "did you mean",
        "even": "is not understood",
        "win rate of Red = 140%": "0 to 1",
    }.items():
        with pytest.raises(InputError, match=said):
            wanted(text, ("Red", "Blue"))


def test_the_balance_of_a_game(tmp_path: Path) -> None:
    text = "game: hills.md\ngames: 60\nplayers: {Red: greedy, Blue: greedy}\n"
    answer = studied(tmp_path, text, vary=[("rounds 4", "1..3")], find="win rate of Red = 0.5")
    assert answer.balance is not None
    assert answer.balance.varied == "rounds N"
    assert [value for value, _ in answer.balance.tried] == [1, 2, 3]
    assert "goes one way only as rounds N grows" in answer.assumptions[0]


# ---- errors


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("game: hill.md\n", "there is no file"),
        ("game: hills.md\nplayers: {Red: rondom}\n", "there is no player 'rondom' - did you mean 'random'?"),
        ("game: hills.md\nplayers: {Rod: random}\n", "there is no side 'Rod' - did you mean 'Red'?"),
        ("game: hills.md\nplayers: {Red: 'nowhere:Bot'}\n", "the player 'nowhere:Bot' cannot be loaded"),
        ("game: hills.md\nnumbers: {rounds: 1..3}\n", "holds no number, or several"),
        ("game: hills.md\nnumbers: {rounds 5: 1..3}\n", "'rounds 5' stands 0 times in hills.md"),
        ("game: hills.md\nnumbers: {rounds 4: [a]}\n", "whole numbers"),
        ("game: hills.md\nnumbers: {rounds 4: 0..3}\n", "the rules refuse rounds N with 0: the number of rounds"),
        ("game: hills.md\ngames: 0\n", "games is at least 1"),
        ("game: hills.md\nsettings: {tie: draw}\n", "there is no option or reading 'tie'"),
        ("game: hills.md\nkinds: [fly]\n", "there is no event 'fly'"),
        ("game: hills.md\nkeep: {x: nothing(Red)}\n", "nothing"),
        ("game: hills.md\npage: here\n", "page is the address of a page"),
        ("game: hills.md\nask: {plen: {}}\n", "there is no question 'plen' - did you mean 'plan'?"),
        ("game: hills.md\nask: {plan: {gaol: x}}\n", "plan has no choice 'gaol' - did you mean 'goal'?"),
        ("game: hills.md\nask: {plan: {}}\nplayers: {Red: random}\n", "plays games (`players`) or asks one question"),
        ("game: hills.md\nnumbers: {rounds 4: 1..900000}\n", "combinations are more than"),
        (
            f"game: hills.md\nplayers: {{Red: '{__name__}:Cheat'}}\n",
            "the player of Red chose fly(), which is not legal",
        ),
    ],
)
def test_what_is_wrong_is_told(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(InputError) as error:
        studied(tmp_path, text)
    told = " ".join(f"{d.message} - {d.help}" for d in error.value.diagnostics)
    assert said in told
    assert all("sent-" not in str(d) for d in error.value.diagnostics)
    assert not (tmp_path / "rows").exists()


def test_a_bot_without_openspiel_is_told_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, "vclogic.openspiel", raising=False)
    with pytest.raises(InputError, match=r"'openspiel mcts' needs OpenSpiel, which is not installed \(pip install"):
        studied(tmp_path, "game: hills.md\nplayers: {Red: openspiel mcts}\n")


def test_what_is_refused_has_played_and_deleted_nothing(tmp_path: Path) -> None:
    first = studied(tmp_path, SWEEP)
    for wrong in ("Blue: [random, greedi]", "Blue: [random, 'program nowhere-to-be-found']", "Blue: []"):
        with pytest.raises(InputError, match=r"greedi|nowhere|no player is named for Blue"):
            studied(tmp_path, SWEEP.replace("rounds 4: 2..4", "rounds 4: 3..9").replace("Red: [", f"{wrong}, Red: ["))
        assert len(list((tmp_path / "rows" / "parts").iterdir())) == 6
    assert studied(tmp_path, SWEEP).known == first.done


def test_a_folder_that_was_there_stays(tmp_path: Path) -> None:
    (tmp_path / "rows").mkdir()
    text = "game: hills.md\nask: {plan: {goal: nothing(Red)}}\n"
    with pytest.raises(InputError, match="nothing"):
        studied(tmp_path, text)
    assert list((tmp_path / "rows").iterdir()) == []
    with pytest.raises(InputError, match="nothing"):
        study(str(tmp_path / "study.yaml"), str(tmp_path / "new" / "rows"), executor=here)
    assert not (tmp_path / "new").exists()
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InputError, match="cannot be made"):
        study(str(tmp_path / "study.yaml"), str(tmp_path / "file" / "rows"), executor=here)


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "rows").mkdir()
    (tmp_path / "rows" / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match="holds something else than a study"):
        studied(tmp_path, "game: hills.md\n")


# ---- on the command line


def test_it_runs_in_processes_and_writes_a_report(tmp_path: Path, run: Run) -> None:
    (tmp_path / "hills.md").write_text(HILLS)
    (tmp_path / "study.yaml").write_text(SWEEP)
    page = tmp_path / "report.html"
    words = ("study", str(tmp_path / "study.yaml"), "-o", str(tmp_path / "rows"), "--report", str(page))
    told = run(*words)
    assert told.code == 0
    assert "60 rows" in told.out
    assert "Strength in Elo points: greedy" in told.out
    text = page.read_text()
    assert text.count("<svg") >= 3
    assert text.count(f"http://127.0.0.1:{PORT}/#v1.") == len(list(tmp_path.glob("report-game-*.yaml")))
    assert "http://" not in text.replace("http://www.w3.org", "").replace(f"http://127.0.0.1:{PORT}/", "")
    assert "https://" not in text
    assert "src=" not in text
    written = next(tmp_path.glob("report-game-*.yaml"))
    assert run("status", str(written)).code == 0
    more = run(*words[:-2], "--vary", "held(side) >= 4=3..4", "--format", "json").document
    assert "held(side) >= N" in more["varying"]
    document = run(*words, "--format", "json").document
    assert document["schema"] == "vclogic/study/1"
    assert document["rows"] == 60
    wrong = run(*words[:3], str(tmp_path / "none"), "--report", str(tmp_path / "report.pdf"))
    assert (wrong.code, (tmp_path / "none").exists()) == (2, False)
    marked = run(*words[:-1], str(tmp_path / "report.md"))
    assert marked.code == 0
    assert (tmp_path / "heat.svg").exists()


def test_what_a_study_reads_and_writes_is_the_same_as_in_one_process(tmp_path: Path, run: Run) -> None:
    local = studied(tmp_path, SWEEP)
    assert run("study", str(tmp_path / "study.yaml"), "-o", str(tmp_path / "other"), "--workers", "2").code == 0
    again = study(str(tmp_path / "study.yaml"), str(tmp_path / "other"), executor=here)
    assert again.done == 0
    assert as_rows(again) == as_rows(local)


def test_the_file_is_read_with_all_that_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "s.yaml").write_text("game: x.md\ngames: 0\nlongest: 0\nnumbers: {rounds: 1..3}\n")
    with pytest.raises(InputError) as error:
        read_study(str(tmp_path / "s.yaml"))
    assert len(error.value.diagnostics) == 3
    assert all(d.line for d in error.value.diagnostics)
