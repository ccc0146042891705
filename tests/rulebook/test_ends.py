"""The end of a rulebook's game: nothing changes after it, everything says so, and says who has won by what."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

import vclogic
from tests.fixtures.pace import seeds
from vclogic.game import Game
from vclogic.model.actions import Action
from vclogic.model.fluents import Value
from vclogic.report import json
from vclogic.report.text.legal import legal as legal_text
from vclogic.report.text.page import render
from vclogic.report.text.status import status as status_text
from vclogic.rulebook.play.events import EventMeaning


def game(tmp_path: Path, lines: str) -> Game:
    (tmp_path / "game.md").write_text(f"# A game\n\n**1** So it is played.\n\n```vclogic\n{lines}\n```\n")
    return vclogic.load(str(tmp_path / "game.md"))


def says(at: Game, headline: str) -> None:
    """Text, documents, `legal` and engines say the same of the end of a game."""
    now = at.status()
    assert (now.headline, now.over, at.over) == (headline, True, True)
    assert render(status_text(now)).startswith(headline)
    assert json.document("status", now)["headline"] == headline
    assert at.legal().reason == headline
    assert headline in " ".join(render(legal_text(at.legal())).split())
    alone = now.winner is not None
    assert at.returns == {s: (1 if s == now.winner else -1) if alone else 0 for s in at.sides}
    many = at.many()
    assert many.over.all()
    assert many.returns.tolist() == [list(at.returns.values())]


def test_the_start_of_a_turn_that_never_came_changes_nothing(tmp_path: Path) -> None:
    played = game(
        tmp_path,
        """sides Red, Blue
fact oil(side): 0 to 5, starts 2
  falls by 1 at the start of a turn if oil(side) >= 1
event pour by side
  then oil(side) rises by 1
side wins light at the end of a turn if oil(side) >= 3""",
    ).apply("pour")
    ended = played.apply("end_turn")
    says(ended, "Winner: Red (light)")
    won = next(o for o in ended.status().outcomes if o.status == "met")
    assert (won.have, won.need, ended.value("turn")) == (3, 3, "Red")


def test_what_is_won_at_once_stays_won_as_the_next_turn_begins(tmp_path: Path) -> None:
    """A turn of one event passes in it; what would happen at its end and later does not."""
    start = game(
        tmp_path,
        """sides Red, Blue
turn is one event
fact oil(side): 0 to 5, starts 2
  falls by 1 at the start of a turn
fact turns: 0 to 9
  rises by 1 at the end of a turn
event pour by side
  then oil(side) rises by 1
side wins light at once if oil(side) >= 3""",
    )
    ended = start.apply("pour")
    says(ended, "Winner: Red (light)")
    assert [ended.value(x) for x in ("oil(Red)", "oil(Blue)", "turns")] == [3, 2, 0]


def test_an_outcome_of_the_end_of_a_round_stops_what_comes_after_it(tmp_path: Path) -> None:
    start = game(
        tmp_path,
        """sides Red, Blue
rounds 3
fact n: 0 to 9
  rises by 1 at the end of a turn
  rises by 2 at the end of a round
  rises by 4 at the start of a round
fact last: 0 to 9
  becomes round at the start of a round
event wait by side
Blue wins late at the end of a round if n >= 4 and round == 1""",
    )
    ended = start.apply("end_turn").apply("end_turn")
    says(ended, "Winner: Blue (late)")
    assert [ended.value(x) for x in ("n", "last", "round", "turn")] == [4, 0, 1, "Blue"]


def test_a_turn_at_whose_start_the_game_is_decided_has_begun(tmp_path: Path) -> None:
    start = game(
        tmp_path,
        """sides Red, Blue
event wait by side
side wins dawn at the start of a turn if turn == side""",
    )
    ended = start.apply("end_turn")
    says(ended, "Winner: Blue (dawn)")
    assert ended.value("turn") == "Blue"


def test_what_an_event_adds_is_taken_away_again_at_once(tmp_path: Path) -> None:
    """The fact is what it was, not what the event alone would have made of it."""
    start = game(
        tmp_path,
        """sides Red, Blue
fact oil: 0 to 5, starts 3
  falls by 1 at once
event pour by side
  then oil rises by 1""",
    )
    assert [start.value("oil"), start.apply("pour").value("oil")] == [2, 2]


def test_two_that_win_at_one_moment_are_both_named(tmp_path: Path) -> None:
    start = game(
        tmp_path,
        """sides Red, Blue
kind place: C, D
fact holder(place): side or none
event take by side place
  then holder(place) becomes side
Red wins hold at once if holder(C) == Blue
Blue wins reach at once if holder(C) == Blue""",
    )
    ended = start.apply("end_turn").apply("take", side="Blue", place="C")
    says(ended, "Red and Blue have both won, Red by hold and Blue by reach: the rules name no single winner.")
    assert (ended.winner, ended.status().winners) == (None, ("Red", "Blue"))
    found = start.solve()
    assert ended.solve().reason == ended.status().headline.removesuffix(".")
    assert found.reason.startswith("Red and Blue have both won") or found.value != "open"


def test_a_game_without_a_winner_is_over(tmp_path: Path) -> None:
    played = game(
        tmp_path,
        """sides Red, Blue
rounds 2
fact n(side): 0 to 5
event pour by side
  then n(side) rises by 1
side wins full at once if n(side) >= 5""",
    )
    assert played.status().headline == "Nobody has won yet."
    assert played.legal("Blue").reason == "It is the turn of Red."
    for _ in range(4):
        assert not played.status().over
        played = played.apply("end_turn")
    says(played, "The game is over, and nobody has won.")


def test_a_game_that_is_stuck_or_drawn_says_so(tmp_path: Path) -> None:
    lines = """sides Red, Blue
turn is one event
fact n: 0 to 2
event pour by side
  needs n <= 1
  then n rises by 1
Red wins three at once if n >= 3"""
    ended = game(tmp_path, lines).apply("pour").apply("pour")
    says(ended, "Nobody has won, and nothing is legal any more.")
    drawn = game(tmp_path, lines + "\notherwise nobody wins even at once if n >= 2").apply("pour").apply("pour")
    says(drawn, "Nobody wins: even ends in a draw.")


MOMENTS = (
    "at once",
    "at the end of a turn",
    "at the end of a round",
    "at the start of a turn",
    "at the start of a round",
)


class Plain:
    """A random game of two numbers in plain Python: it stops at the moment at which somebody has won."""

    def __init__(self, rng: Random):
        self.changes = [(rng.choice("ab"), rng.choice((1, 2)), rng.choice(MOMENTS[1:])) for _ in range(4)]
        self.wins = [
            (rng.choice(("Red", "Blue")), f"w{i}", rng.choice("ab"), rng.randint(3, 12), rng.choice(MOMENTS[:3]))
            for i in range(3)
        ]

    @property
    def lines(self) -> str:
        facts = [
            line
            for name in "ab"
            for line in (f"fact {name}: 0 to 90", *(f"  rises by {n} {m}" for f, n, m in self.changes if f == name))
        ]
        events = [f"event more_{name} by side\n  then {name} rises by 1" for name in "ab"]
        wins = [f"{side} wins {name} {moment} if {fact} >= {need}" for side, name, fact, need, moment in self.wins]
        return "\n".join(["sides Red, Blue", "rounds 5", *facts, *events, *wins])

    def play(self, events: list[str]) -> tuple[dict[str, object], list[str]]:
        """What is so after some events, up to the end of the game, and what is won then."""
        at: dict[str, object] = {"a": 0, "b": 0, "turn": "Red", "round": 1}
        for event in events:
            if event != "end_turn":
                at[event[-1]] += 1  # type: ignore[operator]
            moments = ["at once"]
            last = event == "end_turn" and at["turn"] == "Blue"
            over = last and at["round"] == 5
            if event == "end_turn":
                moments += [MOMENTS[1], *([MOMENTS[2]] if last else []), "next"]
                moments += [] if over else [*([MOMENTS[4]] if last else []), MOMENTS[3]]
            for moment in moments:
                if moment == "next" and not over:
                    at["turn"] = "Red" if last else "Blue"
                    at["round"] += last  # type: ignore[operator]
                for fact, n, when in self.changes:
                    at[fact] += n if when == moment else 0  # type: ignore[operator]
                for when in ("at once", moment):
                    won = [w for w in self.wins if w[4] == when and at[w[2]] >= w[3]]  # type: ignore[operator]
                    if won:
                        return at, sorted(f"{w[1]} {w[0]}" for w in won)
            if over:
                break
        return at, []


@pytest.mark.parametrize("seed", seeds(range(6), range(6, 200)))
def test_random_games_end_as_plain_python_says(seed: int, tmp_path: Path) -> None:
    rng = Random(seed)
    plain = Plain(rng)
    start = game(tmp_path, plain.lines)
    ends = 0
    for _ in range(4):
        events = rng.choices(("end_turn", "more_a", "more_b"), (3, 1, 1), k=14)
        at, done = start, list[str]()
        for event in events:
            if at.over:
                break
            at = at.apply(event)
            done.append(event)
        known, won = plain.play(events)
        assert {name: at.value(name) for name in known} == known, (plain.lines, done)
        now = at.status()
        assert sorted(f"{o.rule} {o.side}" for o in now.outcomes if o.status == "met") == won
        assert all((o.have or 0) >= (o.need or 0) for o in now.outcomes if o.status == "met")
        ends += now.over
    assert ends or seed


def test_plans_and_best_play_end_where_play_does(tmp_path: Path) -> None:
    """What plans, proofs, best play and many games say of the end is what a record leads to."""
    start = game(
        tmp_path,
        """sides Red, Blue
fact oil(side): 0 to 4, starts 1
  falls by 1 at the start of a turn if oil(side) >= 1
fact poured
  becomes true at the end of a turn
  becomes false at the start of a turn
event pour by side
  needs not poured
  then oil(side) rises by 1
  then poured becomes true
side wins light at the end of a turn if oil(side) >= 2""",
    )
    goal = "holds(light, Red) and oil(Red) == 2 and turn == Red"
    plan = start.plan(goal, side="Red")
    assert plan.status == "optimal"
    assert plan.cost == 2
    assert start.reach("holds(light, Red) and oil(Red) == 1").status == "unreachable"
    solved = start.solve()
    assert (solved.winner, solved.checked) == ("Red", True)
    at = start
    for event in solved.record.events if solved.record and solved.record.events else ():
        at = at.apply(event.name, **dict(event.args))
    says(at, "Winner: Red (light)")
    assert at.value("oil(Red)") == 2
    many = start.many()
    for name in ("pour", "end_turn"):
        number = next(i for i, e in enumerate(many.events) if e.name == name and ("side", "Red") in e.args)
        many.apply(np.array([number]))
    assert tuple(many.states[0].tolist()) == at.state


def test_who_may_end_the_turn_is_not_stuck_whatever_the_moves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`status` builds no march where a look at the end of the turn shows that something is legal."""
    lines = """sides Red, Blue
turn is any number of events
pass if nothing else is legal
grid square, 6 by 6
kind man: Ann, Bob
fact at(man): square, starts A1
fact tired
event march by side man to square
  needs at(man) != to and not tired
  then at(man) becomes to
event sleep by side, at any time
  then tired becomes true
every event needs not tired, else "all sleep"
"""
    awake = game(tmp_path, lines)
    asleep = awake.apply("sleep")
    built: list[str] = []
    make = EventMeaning.action

    def noted(event: EventMeaning, **given: Value) -> Action:
        built.append(event.name)
        return make(event, **given)

    monkeypatch.setattr(EventMeaning, "action", noted)
    assert not awake.status().stuck
    assert "march" not in built
    assert asleep.status().stuck
    assert "march" in built
