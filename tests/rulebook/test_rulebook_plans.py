"""Random small rulebooks: fewest events, what can be reached, and best play, as all positions one by one show."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import vclogic
from tests.fixtures.pace import examples
from tests.oracles.best_play import DRAW, ENDLESS, Edge, Positions, Solver, positions
from tests.oracles.chances import Chances
from tests.rulebook.making_rulebooks import rulebooks
from tests.rulebook.random_rulebooks import Expr, Facts, Rulebook
from tests.rulebook.test_random_rulebooks import loaded
from vclogic.errors import InputError
from vclogic.query.force import event_duel

FEW, MOST, FAR = 4, 400, 3
"""Games of so few positions are left out, so many are looked at, and plans are so long."""
Key = tuple[Any, ...]
"""A position as something that a set can hold."""


def key(state: Facts) -> Key:
    """A position as something that a set can hold."""
    return tuple(state.items())


def facts(key: Key) -> Facts:
    """The position again."""
    return dict(key)


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


@examples(80)
@given(rulebooks())
def test_the_fewest_events_are_planned(book: Rulebook) -> None:
    goal = book.condition((), tuple(book.facts), 1)
    far = None if any(e.by == "chance" for e in book.events) else nearest(book, goal)
    assume(far is not None)
    game, side = loaded(book), next(iter(book.sides))
    plan = game.plan(goal.text, side=side, opponent="helps", within=FAR)
    reach = game.reach(goal.text, side=side, opponent="helps", within=FAR)
    assert (plan.status, plan.cost) == (("impossible", None) if far == -1 else ("optimal", far)), goal.text
    assert reach.status == ("unreachable" if far == -1 else "reachable"), goal.text


def all_positions(book: Rulebook, result: Callable[[Key], str | None] | None = None) -> Positions[Key]:
    """All positions that play reaches, where there are neither too many nor hardly any.

    Args:
        result: What ends the play; None: what ends the game.
    """

    def events(at: Key) -> Iterator[tuple[str | None, object, Key]]:
        state = facts(at)
        for event in book.legal(state):
            after = book.after(state, event)
            assert after is not None
            yield book.decides(event, state), event, key(after)

    ends = result or (lambda at: book.winner(facts(at)))
    found = positions(key(book.first()), ends, events, MOST)
    assume(found is not None and len(found.edges) >= FEW)
    assert found is not None
    return found


def number_stuck(book: Rulebook, game: Positions[Key]) -> int:
    """In how many positions nothing is legal and nothing decided."""
    return sum(not book.ended(facts(at)) for at, edges in game.edges.items() if not edges)


@examples(120)
@given(rulebooks(sides=2))
def test_best_play_is_what_all_positions_show(book: Rulebook) -> None:
    """Also where a side is stuck, where nobody decides an event, and where both sides may act."""
    assume(not any(e.by == "chance" for e in book.events))
    listed = all_positions(book)
    first, second = book.sides
    expected = Solver(listed, (first, second)).value(listed.start)
    solved = loaded(book).solve()
    assert (solved.complete, solved.positions) == (True, len(listed.edges))
    assert solved.stuck == number_stuck(book, listed)
    value = str(solved.winner) if solved.value == "win" else solved.value
    assert (value, solved.turns) == (expected.value, expected.turns)


@examples(120)
@given(rulebooks(sides=2, chance=True))
def test_best_play_with_chance_scores_what_all_positions_show(book: Rulebook) -> None:
    listed = all_positions(book)
    for at, edges in listed.edges.items():
        assume(len({e.who for e in edges}) < 2 and listed.result[at] != "open")
    first, _ = book.sides
    chances = Chances(listed, first, lambda at, event: book.weight(event))
    exact = chances.exact()
    score = float((exact or chances.nearly())[listed.start])
    solved = loaded(book).solve()
    if solved.odds is not None:
        assert solved.odds.lower - 1e-5 <= score <= solved.odds.upper + 1e-5
        assert solved.odds.upper - solved.odds.lower <= 1e-5
    elif solved.value == "open":  # nobody can win, and chance decides whether the game ends: that has no value yet
        assert (solved.status, abs(score) <= 1e-5) == ("unknown", True)
    else:
        said = {DRAW: 0, ENDLESS: 0, "win": 1 if solved.winner == first else -1}
        assert abs(score - said[str(solved.value)]) <= 1e-5


NEVER = 10**6


def turns_needed(book: Rulebook, goal: Expr, side: str) -> int:
    """Within how few turns of its own a side forces a goal, whatever all others do and chance brings."""

    def result(at: Key) -> str | None:
        return "goal" if goal.of(facts(at), {}) else book.winner(facts(at))

    listed = all_positions(book, result)
    needed = {at: 0 if listed.result[at] == "goal" else NEVER for at in listed.edges}

    def through(edge: Edge[Key], before: Key) -> int:
        old, new = facts(before), facts(edge.after)
        ended = (old["turn"], old["round"]) != (new["turn"], new["round"])
        own = book.side_of(old["turn"]) == side
        return min(needed[edge.after] + (own and (ended or listed.result[edge.after] == "goal")), NEVER)

    changed = True
    while changed:
        changed = False
        for at in reversed([at for at, edges in listed.edges.items() if edges]):
            ours = [through(e, at) for e in listed.edges[at] if e.who == side]
            others = [through(e, at) for e in listed.edges[at] if e.who != side]
            new = max([*([min(ours)] if ours else []), *others])
            changed |= new != needed[at]
            needed[at] = new
    return needed[listed.start]


@examples(150)
@given(st.one_of(rulebooks(), rulebooks(sides=2, chance=True)), st.integers(1, FAR), st.booleans())
def test_what_is_forced_is_what_all_positions_show(book: Rulebook, within: int, time: bool) -> None:
    """Of the facts, and of whose turn it is: a game that is decided as a turn ends stays in it."""
    side, goal = next(iter(book.sides)), book.condition((), tuple(book.facts), 1)
    if time:
        mover = book.pick(*book.kinds[book.mover])
        goal = Expr(f"turn == {mover}", lambda s, v: s["turn"] == mover)
    if book.one and not any(e.by == "chance" for e in book.events):
        assume(all(e.by and not e.any_time for e in book.events))  # turns of one event leave such events out
    needed = turns_needed(book, goal, side)
    try:
        found = loaded(book).force(goal.text, side=side, within=within)
    except InputError as error:
        if "is undefined in every position" not in str(error):  # such as a table that has no row for 0
            raise
        assert needed == NEVER
        return
    if needed <= within:
        assert (found.status, found.turns, found.at_least) == ("forced", needed, needed), goal.text
    else:
        assert (found.status, found.turns, found.at_least) == ("refuted", None, within + 1), goal.text


CLIMBERS = """
| climber | side |
| --- | --- |
| Ada | Red |
| Bea | Red |
| Cay | Red |
| Dan | Blue |
| Eli | Blue |
| Fay | Blue |

```vclogic
sides Red, Blue
kind climber, from the table
kind knot: K1, K2, K3, K4
turn is one event
pass if nothing else is legal
fact height(climber): 0 to 15, starts 0
fact tied(side, knot)
event climb by side climber
  needs side(climber) == side and height(climber) <= 14
  then height(climber) rises by 1
event slide by side climber
  needs side(climber) == side and height(climber) >= 2
  then height(climber) falls by 2
event deal by chance side knot, at any time
  needs LATE and not tied(side, knot)
  then tied(side, knot) becomes true
  then height(Ada) becomes 0
```
"""
"""Climbers to whom chance deals knots, by which Ada falls."""


@pytest.mark.parametrize(
    ("late", "turns"),
    [("height(Bea) >= 9", 4), ("sum(height(climber) for climber) >= 8", 4), ("height(Ada) >= 3", 0)],
)
def test_an_event_of_chance_that_comes_too_late_adds_no_positions(tmp_path: Path, late: str, turns: int) -> None:
    """There are millions of positions, and some thousands within the turns asked about."""
    file = tmp_path / "climbers.md"
    file.write_text(CLIMBERS.replace("LATE", late))
    game = vclogic.load(str(file))
    with patch.object(event_duel, "MOST", 30_000):
        for within in (3, 4):
            found = game.force("height(Ada) == 4", side="Red", within=within)
            forced = 0 < turns <= within
            assert (found.status, found.turns) == (("forced", turns) if forced else ("refuted", None))
            assert found.checked is not None
    told = any("such as a die" in line for line in found.assumptions)
    assert told is not (turns > 0)


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


RAIN = """
```vclogic
sides Red, Blue
turn is any number of events
fact drops: 0 to 40, starts 0
event rain by chance, at any time
  needs turn == WHOSE and drops <= 9
  then drops rises by 1
event drink by side
  needs drops >= 20
  then drops falls by 1
```
"""


@pytest.mark.parametrize("whose", ["Red", "Blue"])
@pytest.mark.parametrize(("goal", "status"), [("drops == 8", "forced"), ("drops == 11", "refuted")])
def test_a_turn_of_many_events_is_followed_to_its_end(tmp_path: Path, whose: str, goal: str, status: str) -> None:
    """However many events there are in a turn, the side's own or that after it, the goal counts in all of it."""
    file = tmp_path / "rain.md"
    file.write_text(RAIN.replace("WHOSE", whose))
    found = vclogic.load(str(file)).force(goal, side="Red", within=1)
    assert (found.status, found.at_least) == (status, 1 if status == "forced" else 2)


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
    text = "sides Red, Blue\nturn is one event\nfact n: 0 to 4\nevent lift by side\n  then n rises by 1"
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
