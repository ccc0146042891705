"""One game as Python and as a rulebook: the same events, positions, outcomes and answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

import vclogic
from tests.toys import skirmish
from vclogic.game import Game

BOOK = str(Path(__file__).parents[2] / "examples" / "rulebooks" / "skirmish.md")
SIDES, AREAS = ("Red", "Blue"), ("a1", "b1", "c1", "a2", "b2", "c2")
NAMES = {"start": "from", "end": "to", "wait": "pass"}
"""How the rulebook calls the events and arguments that Python calls otherwise."""


@pytest.fixture(scope="module")
def games() -> Iterator[tuple[Game, Game]]:
    """The game in Python and the game of the rulebook."""
    with skirmish.installed():
        yield vclogic.load("skirmish/small"), vclogic.load(BOOK)


def said(game: Game) -> list[object]:
    """What a position says, as both games call it."""
    held = "areas_held" if "areas_held" in game.setup.system.vocabulary else "areas"
    counted = [f"{name}({side})" for name in ("number", held) for side in SIDES]
    units = [f"units({side}, {area})" for side in SIDES for area in AREAS]
    return [*(game.value(x) for x in (*counted, *units, "holds(draw, nobody)")), game.status().winner]


def legal(game: Game) -> set[tuple[str, tuple[tuple[str, object], ...]]]:
    """The events that are legal now."""
    allowed = ((kind.event, one.args) for kind in game.legal().kinds for one in kind.allowed)
    return {
        (NAMES.get(event, event), tuple(sorted((NAMES.get(n, n), x) for n, x in args.items())))
        for event, args in allowed
    }


@pytest.mark.parametrize("seed", range(20))
def test_any_play_is_the_same(games: tuple[Game, Game], seed: int) -> None:
    random, (python, book) = Random(seed), games
    for _ in range(9):
        assert said(python) == said(book)
        events = legal(book)
        assert events == legal(python)
        if not events:
            break
        name, arguments = random.choice(sorted(events))
        book = book.apply(name, **dict(arguments))  # type: ignore[arg-type]
        back = {new: old for old, new in NAMES.items()}
        python = python.apply(back.get(name, name), **{back.get(n, n): x for n, x in arguments})  # type: ignore[arg-type]


GOALS = [
    *(f"units({side}, {area}) {test}" for side in SIDES for area in AREAS for test in ("== 0", ">= 1", "== 2")),
    *(f"number({side}) {test}" for side in SIDES for test in ("<= 2", "<= 1", "== 0", ">= 4")),
    *(f"units(Red, {a}) == 0 and units(Blue, {b}) == 1" for a in AREAS[:3] for b in AREAS[3:]),
]


@pytest.mark.parametrize(
    "goal", [g if not n % 12 else pytest.param(g, marks=pytest.mark.slow) for n, g in enumerate(GOALS)]
)
def test_questions_have_one_answer(games: tuple[Game, Game], goal: str) -> None:
    python, book = games
    for opponent in ("helps", "idle"):
        plans = [g.plan(goal, side="Red", opponent=opponent, within=4) for g in games]
        assert plans[0].status == plans[1].status
        assert plans[0].cost == plans[1].cost
    assert python.reach(goal, side="Red").status == book.reach(goal, side="Red").status


def test_best_play_is_the_same(games: tuple[Game, Game]) -> None:
    python, book = (g.solve() for g in games)
    assert (python.winner, python.turns, python.value) == (book.winner, book.turns, book.value)


def test_best_play_with_a_die_is_the_same(games: tuple[Game, Game]) -> None:
    python, book = (g.with_options(attacks="die").solve() for g in games)
    assert python.odds is not None
    assert python.odds == book.odds
