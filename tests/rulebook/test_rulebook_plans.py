"""Random small rulebooks: fewest events, what can be reached, and best play, as all positions one by one show."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import vclogic
from tests.fixtures.pace import seeds
from tests.rulebook.making_rulebooks import a_rulebook
from tests.rulebook.random_rulebooks import Expr, Facts, Rulebook
from tests.rulebook.test_random_rulebooks import loaded

MOST, FAR = 400, 3
"""So many positions are looked at, and plans are so long."""


def key(state: Facts) -> Any:
    """A position as something that a set can hold."""
    return tuple(sorted((str(k), str(sorted(v) if k == "met" else v)) for k, v in state.items()))


def nearest(book: Rulebook, goal: Expr) -> int | None:
    """How many events make a goal true at least; -1: none does, and no further ones can; None: too many positions."""
    layer, seen = [book.first()], {key(book.first())}
    far = 0
    while layer:
        if any(goal.of(state, {}) for state in layer):
            return far
        following = []
        for after in (book.after(state, event) for state in layer for event in book.legal(state)):
            assert after is not None
            if key(after) not in seen:
                seen.add(key(after))
                following.append(after)
        if far == FAR or len(seen) > MOST:
            return None
        layer, far = following, far + 1
    return -1


@pytest.mark.parametrize("seed", seeds((0, 17, 26), range(600)))
def test_the_fewest_events_are_planned(tmp_path: Path, seed: int) -> None:
    book = a_rulebook(seed)
    book.random.seed(seed)
    goals = [book.condition((), tuple(book.facts), 1) for _ in range(3)]
    if any(e.by == "chance" for e in book.events):
        return
    game = loaded(book, tmp_path)
    for goal in goals:
        far = nearest(book, goal)
        if far is not None:
            side = next(iter(book.sides))
            plan = game.plan(goal.text, side=side, opponent="helps", within=FAR)
            reach = game.reach(goal.text, side=side, opponent="helps", within=FAR)
            assert (plan.status, plan.cost) == (("impossible", None) if far < 0 else ("optimal", far)), goal.text
            assert reach.status == ("unreachable" if far < 0 else "reachable"), goal.text


def all_positions(book: Rulebook) -> tuple[int, int] | None:
    """How many positions play reaches, and in how many nothing is legal and nothing decided; None: too many."""
    todo, stuck = [book.first()], 0
    seen = {key(todo[0])}
    while todo:
        state = todo.pop()
        legal = book.legal(state)
        stuck += not legal and not book.ended(state)
        for event in legal:
            after = book.after(state, event)
            assert after is not None
            if key(after) not in seen:
                seen.add(key(after))
                todo.append(after)
        if len(seen) > MOST:
            return None
    return len(seen), stuck


@pytest.mark.parametrize("seed", seeds((6, 13, 19), range(600)))
def test_best_play_looks_at_the_positions_that_there_are(tmp_path: Path, seed: int) -> None:
    book = a_rulebook(seed)
    far = all_positions(book) if len(book.sides) == 2 and book.wins else None
    if far is not None and not any(e.by in ("", "chance") for e in book.events):
        solved = loaded(book, tmp_path).solve()
        assert (solved.complete, solved.positions) == (True, far[0])
        if not any(w.who == "nobody" for w in book.wins):
            assert solved.stuck == far[1]


@pytest.mark.parametrize(("passing", "turns"), [("pass always", 2), ("pass if nothing else is legal", 1)])
def test_a_goal_is_forced_where_each_turn_is_one_event(tmp_path: Path, passing: str, turns: int) -> None:
    """Who has to do something may have to help."""
    file = tmp_path / "leaving.md"
    file.write_text(
        f"```vclogic\nsides Reds, Blues\nturn is one event\n{passing}\nfact men: 0 to 9, starts 8\n"
        "event leave by side\n  needs men >= 1\n  then men falls by 1\n```\n"
    )
    game = vclogic.load(str(file))
    for within in (1, 2):
        found = game.force("men <= 6", side="Reds", within=within, timeout=60)
        assert found.status == ("forced" if within >= turns else "refuted")


@pytest.mark.parametrize(
    ("passing", "said"),
    [
        ("", "since the rules know no pass, makes any legal moves"),
        ("pass if nothing else is legal", "who may pass only where it can do nothing else, makes any legal moves"),
        ("pass always", "the opponent is idle: it does only what the rules force"),
    ],
)
def test_what_an_opponent_does_is_said_once(tmp_path: Path, passing: str, said: str) -> None:
    file = tmp_path / "game.md"
    text = "sides Red, Blue\nturn is one event\nfact n: 0 to 4\nevent up by side\n  then n rises by 1"
    file.write_text(f"```vclogic\n{text}\n{passing}\n```\n")
    game = vclogic.load(str(file))
    for answer in (game.plan("n == 2", side="Red"), game.reach("n == 2", side="Red")):
        about = [line for line in answer.assumptions if "opponent" in line or "other side" in line]
        assert len(about) == 1
        assert said in about[0]


def test_an_idle_opponent_does_nothing_at_any_time(tmp_path: Path) -> None:
    file = tmp_path / "game.md"
    text = "sides Red, Blue\nturn is any number of events\nrounds 2\nfact hit\n"
    text += "event shoot by Blue, at any time\n  then hit becomes true"
    file.write_text(f"```vclogic\n{text}\n```\n")
    game = vclogic.load(str(file))
    assert game.plan("hit", side="Red").status == "impossible"
    assert game.reach("hit", side="Red").status == "unreachable"
    assert game.plan("hit", side="Red", opponent="helps").cost == 1
    assert game.plan("hit", side="Blue").cost == 1
