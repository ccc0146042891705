"""Expected scores against exact fractions worked out by plain Python, and against what is known of some games."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from random import Random

import numpy as np
import pytest

from tests.explore.graph_games import BLUE, RED, SIDES, GraphGame, Way, random_dice_game
from tests.explore.slow_explorer import explored
from tests.fixtures.pace import MORE, seeds
from vclogic.explore.best_play import FIRST, ODDS, OPEN, SECOND, best_play
from vclogic.explore.check_table import check_table
from vclogic.explore.table import BestPlayTable, table_of

Result = tuple[Fraction, Fraction]


def solved(game: GraphGame) -> tuple[BestPlayTable, dict[int, int]]:
    """The table of a game, and the row of each node."""
    system = game.system
    found = explored(system, (0,))
    table = table_of("graph/dice", system, found, best_play(system, found, seconds=2))
    assert not check_table(system, table, 100).faults
    states = table.packing.unpacked(table.words)
    return table, {int(node): row for row, (node,) in enumerate(states)}


def score_of(table: BestPlayTable, row: int) -> tuple[Fraction, Fraction]:
    """The bounds of a row's score."""
    value = int(table.value[row])
    if value == ODDS:
        return Fraction(int(table.lower[row]), table.unit), Fraction(int(table.upper[row]), table.unit)
    if value == OPEN:
        return Fraction(-1), Fraction(1)
    known = Fraction({FIRST: 1, SECOND: -1}.get(value, 0))
    return known, known


def plain(game: GraphGame) -> dict[int, Result]:
    """The exact probabilities in a game in which play never comes back to a node."""

    @cache
    def result(node: int) -> Result:
        red, blue = (node in game.won[s] for s in SIDES)
        ways = [] if red or blue or node in game.over else [w for w in game.ways if w.source == node]
        if not ways:
            return Fraction(red), Fraction(blue)
        after = [result(w.target) for w in ways]
        if ways[0].actor is None:
            total = sum(w.odds or 0 for w in ways)
            first, second = (
                sum(((w.odds or 0) * r[s] for w, r in zip(ways, after, strict=True)), Fraction(0)) for s in (0, 1)
            )
            return first / total, second / total
        mine = SIDES.index(ways[0].actor)
        return max(after, key=lambda r: (r[mine] - r[1 - mine], r[mine]))

    return {node: result(node) for node in range(game.nodes)}


def one_winner(game: GraphGame) -> GraphGame:
    """The same game without nodes on which both have won."""
    return replace(game, won={RED: game.won[RED], BLUE: game.won[BLUE] - game.won[RED]})


def test_exact_probabilities_of_random_games() -> None:
    seen: Counter[int] = Counter()
    for seed in seeds(range(25), range(100)):
        game = one_winner(random_dice_game(Random(seed), circles=False))
        table, rows = solved(game)
        expected = plain(game)
        for node, row in rows.items():
            first, second = expected[node]
            lower, upper = score_of(table, row)
            assert lower <= first - second <= upper
            assert upper - lower <= Fraction(1, 10**12)
            if table.value[row] == ODDS:
                assert table.exact[row] == f"{first} {second}"
            seen[int(table.value[row])] += 1
    assert seen[ODDS] > (50 if MORE else 12)


def iterated(game: GraphGame, never: int) -> dict[int, float]:
    """Scores after many rounds, play that has not ended by then being worth so much."""
    ways = {n: [w for w in game.ways if w.source == n] for n in range(game.nodes)}
    score = {n: float(never) for n in ways}
    for n in ways:
        red, blue = (n in game.won[s] for s in SIDES)
        if red or blue or n in game.over or not ways[n]:
            ways[n], score[n] = [], float(red - blue)
    for _ in range(3000):
        new = {}
        for n, some in ways.items():
            after = [score[w.target] for w in some]
            if not some:
                new[n] = score[n]
            elif some[0].actor is None:
                new[n] = sum((w.odds or 0) * x for w, x in zip(some, after, strict=True)) / sum(
                    w.odds or 0 for w in some
                )
            else:
                new[n] = max(after) if some[0].actor == RED else min(after)
        if new == score:
            break
        score = new
    return score


def test_bounds_where_play_can_come_back() -> None:
    """Play without end is worth 0, so the score lies between those for which it is lost for one side or the other."""
    close = apart = 0
    for seed in seeds(range(20), range(100)):
        game = one_winner(random_dice_game(Random(seed), circles=True))
        table, rows = solved(game)
        low, high = iterated(game, -1), iterated(game, 1)
        for node, row in rows.items():
            if table.value[row] == ODDS:
                lower, upper = score_of(table, row)
                assert low[node] - 1e-6 <= lower <= upper <= high[node] + 1e-6
                close += upper - lower < 1e-6
                apart += upper - lower >= 1e-6
    assert close > (50 if MORE else 10)
    assert apart > 0


def test_what_is_left_open_is_counted_against_each_side() -> None:
    """A forced event without odds, and who acts first where both may: the bounds hold whichever it is."""
    values: Counter[int] = Counter()
    for seed in seeds(range(25), range(80)):
        table, _ = solved(random_dice_game(Random(seed), circles=seed % 2 == 0, contested=0.2))
        values.update(table.value.tolist())
        assert np.all(table.lower <= table.upper)
    assert values[OPEN] > (10 if MORE else 2)
    assert values[ODDS] > (40 if MORE else 8)


def race(goal: int) -> GraphGame:
    """Red needs so many points, and so does Blue; each rolls a die of two faces in turn: 1 or 2 points."""
    nodes = {(r, b, t): 0 for r in range(goal + 2) for b in range(goal + 2) for t in (0, 1)}
    numbers = {key: i for i, key in enumerate(nodes)}
    ways = []
    for (r, b, t), i in numbers.items():
        if r < goal and b < goal:
            ways += [Way(i, numbers[(r + x, b, 1) if t == 0 else (r, b + x, 0)], None, 1) for x in (1, 2)]
    won = {
        RED: frozenset(i for (r, b, _), i in numbers.items() if r >= goal > b),
        BLUE: frozenset(i for (r, b, _), i in numbers.items() if b >= goal > r),
    }
    return GraphGame(len(numbers), tuple(ways), won, frozenset())


def test_a_race_with_a_die_has_its_known_probability() -> None:
    """To 2 points Red wins at once with a 2; else both have 1 roll each to come, Blue with a 2 at once, and so on."""
    table, rows = solved(race(2))
    # Red: 1/2 at once; else Blue wins at once with 1/2; else Red has 1 and any roll does.
    assert table.exact[rows[0]] == "3/4 1/4"
    assert table.at(rows[0]).odds is not None
    assert table.at(rows[0]).value == "odds"


def test_a_forced_event_alone_leaves_nothing_open() -> None:
    ways = (Way(0, 1, None, 1), Way(0, 2, None, 3), Way(1, 3, None), Way(3, 4, RED), Way(2, 5, None))
    won = {RED: frozenset({4}), BLUE: frozenset({5})}
    table, rows = solved(GraphGame(6, (Way(6, 0, None), *ways), won, frozenset()))
    assert table.exact[rows[0]] == "1/4 3/4"
    before = GraphGame(7, (Way(0, 6, None), *(replace(w, source=w.source or 6) for w in ways)), won, frozenset())
    table, rows = solved(before)
    assert table.exact[rows[0]] == "1/4 3/4"


def test_to_roll_again_until_it_comes_up_is_sure_but_for_play_without_end() -> None:
    """Red rolls until a six comes up: 1 with probability 1, of which the bounds fall short by as little as wanted."""
    ways = (Way(0, 1, RED), Way(0, 2, RED), Way(1, 0, None, 5), Way(1, 3, None, 1))
    game = GraphGame(4, ways, {RED: frozenset({3}), BLUE: frozenset()}, frozenset({2}))
    table, rows = solved(game)
    lower, upper = score_of(table, rows[0])
    assert table.value[rows[0]] == ODDS
    assert 1 - Fraction(1, 10**9) < lower <= 1 == upper
    best = table.at(rows[0]).event
    assert best is not None
    assert best.args == (("number", 0),)


@cache
def some_game(seed: int) -> tuple[GraphGame, BestPlayTable]:
    game = one_winner(random_dice_game(Random(seed), circles=seed % 2 == 1))
    return game, solved(game)[0]


@pytest.mark.parametrize("claim", ["lower", "upper", "lower_rank", "upper_rank", "exact", "level", "best"])
def test_a_wrong_claim_is_noticed(claim: str) -> None:
    tried = noticed = 0
    for seed in range(80):
        game, table = some_game(seed)
        values, rng = np.array(getattr(table, claim)), Random(seed)
        rows = np.flatnonzero((table.value == ODDS) & ((table.exact != "") if claim in ("exact", "level") else True))
        if claim == "best":
            rows = rows[table.best[rows] >= 0]
        if not len(rows):
            continue
        row = rng.choice(rows.tolist())
        if claim == "exact":
            values = values.astype("U20")
            values[row] = "1/7 5/7"
        elif claim == "best":
            others = [x for x in range(len(table.events)) if x != values[row]]
            values[row] = rng.choice(others) if others else values[row]
        elif claim in ("lower", "upper"):
            values[row] += (1 if claim == "lower" else -1) * table.unit // 100
        else:
            values[row] = 0
        tried += 1
        worse = check_table(game.system, replace(table, **{claim: values}), 0).faults
        noticed += bool(worse)
        assert worse or claim == "best" or _beyond(table, row, claim)
    assert tried > (20 if "rank" in claim or claim in ("lower", "upper") else 7)
    assert noticed > tried / 2


def _beyond(table: BestPlayTable, row: int, claim: str) -> bool:
    """Whether the score is not sure anyway, so that nothing was claimed."""
    return (
        bool(table.lower[row] == -table.unit) if claim.startswith("lower") else bool(table.upper[row] == table.unit)
    )
