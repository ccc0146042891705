"""Random small rulebooks: fewest events, what can be reached, and best play, as all positions one by one show."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hypothesis import assume, given

from tests.fixtures.pace import examples
from tests.oracles.best_play import DRAW, ENDLESS, Positions, Solver, positions
from tests.oracles.chances import Chances
from tests.rulebook.making_rulebooks import rulebooks
from tests.rulebook.random_rulebooks import Expr, Facts, Rulebook
from tests.rulebook.test_random_rulebooks import loaded

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


def all_positions(book: Rulebook) -> Positions[Key]:
    """All positions that play reaches, where there are neither too many nor hardly any."""

    def events(at: Key) -> Iterator[tuple[str | None, object, Key]]:
        state = facts(at)
        for event in book.legal(state):
            after = book.after(state, event)
            assert after is not None
            yield book.decides(event), event, key(after)

    found = positions(key(book.first()), lambda at: book.winner(facts(at)), events, MOST)
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
    else:
        said = {DRAW: 0, ENDLESS: 0, "win": 1 if solved.winner == first else -1}
        assert abs(score - said[str(solved.value)]) <= 1e-5
