"""Best play of random small games against brute force in plain Python, and tables played against all replies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache, cached_property

import numpy as np
import pytest

from tests.fixtures.in_memory import game_of
from tests.fixtures.pace import MORE, seeds
from tests.oracles.best_play import DRAW, ENDLESS, Positions, Solver, Value, positions
from tests.oracles.chances import Chances
from tests.oracles.small_wars import Position, Rules
from tests.toys.small_war_rules import rules
from tests.toys.small_wars import BLUE, RED, SIDES, War, war
from vclogic.explore.table import Best, BestPlayTable
from vclogic.model.system import System
from vclogic.query.solve.answer import Solved

ANSWERS = (RED, BLUE, DRAW, ENDLESS)
MOST = 400
"""Positions of a game, so that the brute force takes a moment only."""
EPSILON = 1e-6
"""How far what is worked out in floating point may be off."""


class Case:
    """A game, what brute force says about it, and what vclogic says.

    Args:
        seed: The number it is made of.
        dice: Whether it has a die.
        turns: Whether the sides take turns.
        declared: Whether the rules say how it falls.
    """

    def __init__(self, seed: int, *, dice: bool = False, turns: bool = True, declared: bool = False):
        self.facts: War = war(seed, dice=dice, turns=turns, declared=declared)
        self.rules = Rules(self.facts)
        found = positions(self.rules.start, self.rules.result, self.rules.events, MOST)
        self.small = found is not None
        if found is not None:
            self.positions: Positions[Position] = found
            self.expected = Solver(found, SIDES)

    @property
    def start(self) -> Value:
        """What best play from the start comes to."""
        return self.expected.value(self.rules.start)

    @cached_property
    def system(self) -> System:
        """The rule set."""
        return rules(self.facts)

    @cached_property
    def answer(self) -> Solved:
        """The answer of vclogic."""
        return game_of(self.system).solve(timeout=120)

    @property
    def table(self) -> BestPlayTable:
        """Its table."""
        assert self.answer.table
        return self.answer.table

    def best(self, at: Position) -> Best:
        """What the table says about a position."""
        values = self.rules.values(at)
        state = self.system.layout.state({f: values[f.name] for f in self.system.layout.fluents})
        (row,) = self.table.rows(np.array([state])).tolist()
        assert row >= 0, f"{at} is not in the table"
        return self.table.at(row)

    # ---- as brute force says

    def check(self) -> None:
        """Everything that the answer and its table say is so."""
        answer, game = self.answer, self.positions
        assert answer.complete
        assert answer.checked
        assert answer.positions == len(game.edges)
        assert answer.stuck == sum(not game.edges[p] and self.rules.result(p) is None for p in game.edges)
        assert (answer.winner or answer.value, answer.turns) == (self.start.value, self.start.turns)
        assert (answer.status == "unknown") == (self.start.value == "open")
        for at in game.edges:
            best, expected = self.best(at), self.expected.value(at)
            assert (best.winner or best.value, best.turns) == (expected.value, expected.turns), at
            assert best.safe == tuple(s for s in SIDES if at in self.expected.safe[s]), at
            assert best.keeps == tuple(s for s in SIDES if at in self.expected.goes_on[s]), at

    # ---- played

    def played(self) -> None:
        """Whoever plays by the table gets what it promises, whatever the other side and the rules do."""
        for side in SIDES:
            self._played_by(side)

    def _played_by(self, side: str) -> None:
        start = self.rules.start
        ahead = {at: tuple(self._following(side, at)) for at in self._reached(side)}
        ends = {at for at, after in ahead.items() if not after}
        best = self.best(start)
        if best.winner == side:
            assert best.turns is not None
            assert all(self.positions.result[at] == side for at in ends)
            assert _ends(ahead, start), "the play can go on for ever"
            assert self._longest(ahead, start) <= best.turns
        if side in best.safe:
            assert all(self.positions.result[at] in (side, DRAW) for at in ends)
        if side in best.keeps:
            assert all(self.positions.result[at] == side for at in ends)
        if best.value == DRAW:
            assert _ends(ahead, start), "the play can go on for ever"

    def _reached(self, side: str) -> list[Position]:
        queue = [self.rules.start]
        seen = set(queue)
        for at in queue:
            for _, after in self._following(side, at):
                if after not in seen:
                    seen.add(after)
                    queue.append(after)
        return queue

    def _following(self, side: str, at: Position) -> Iterator[tuple[str | None, Position]]:
        """What can come next where one side plays by the table: who decides it, and the position after it."""
        edges = self.positions.edges[at]
        event = self.best(at).event
        chosen = None if event is None else (event.name, *(str(v) for _, v in event.args))
        for e in edges:
            if e.who != side or e.event == chosen:
                yield e.who, e.after

    @staticmethod
    def _longest(ahead: dict[Position, tuple[tuple[str | None, Position], ...]], start: Position) -> int:
        """The most turns that a play without repetition can take."""

        @cache
        def turns(at: Position, last: str | None) -> int:
            return max((turns(after, who) + (who not in (None, last)) for who, after in ahead[at]), default=0)

        return turns(start, None)


def _ends(ahead: dict[Position, tuple[tuple[str | None, Position], ...]], start: Position) -> bool:
    """Whether every play comes to an end."""
    left = {at: len(after) for at, after in ahead.items()}
    before: dict[Position, list[Position]] = {at: [] for at in ahead}
    for at, after in ahead.items():
        for _, later in after:
            before[later].append(at)
    queue = [at for at, n in left.items() if not n]
    for at in queue:
        for earlier in before[at]:
            left[earlier] -= 1
            if not left[earlier]:
                queue.append(earlier)
    return not left[start]


# ---- where a die decides


class DiceCase(Case):
    """A game with a die of which the rules say how it falls.

    Args:
        seed: The number it is made of.
    """

    def __init__(self, seed: int):
        super().__init__(seed, dice=True, declared=True)

    def check_scores(self) -> None:
        """Every expected score is exact, or bounded on both sides, and whoever plays by the table gets it."""
        chances = Chances(self.positions, RED, self.rules.weight)
        exact, nearly = chances.exact(), chances.nearly()
        assert self.answer.complete
        assert self.answer.checked
        by_table = {side: Chances(self._played_by_table(side), RED, self.rules.weight).nearly() for side in SIDES}
        for at, score in nearly.items():
            best = self.best(at)
            lower, upper = self._bounds(best)
            assert lower - EPSILON <= score <= upper + EPSILON, at
            assert by_table[RED][at] >= lower - EPSILON, at
            assert by_table[BLUE][at] <= upper + EPSILON, at
            if best.odds and best.odds.wins:
                assert float(best.odds.wins[RED] - best.odds.wins[BLUE]) == pytest.approx(score, abs=EPSILON)
            if exact is not None and best.odds:
                assert best.odds.wins is not None, at
                assert best.odds.wins[RED] - best.odds.wins[BLUE] == exact[at], at

    @staticmethod
    def _bounds(best: Best) -> tuple[float, float]:
        if best.odds:
            return best.odds.lower, best.odds.upper
        score = 0 if best.winner is None else 1 if best.winner == RED else -1
        return score, score

    def _played_by_table(self, side: str) -> Positions[Position]:
        """The game in which a side does what the table says."""
        edges = {}
        for at, some in self.positions.edges.items():
            event = self.best(at).event
            chosen = None if event is None else (event.name, *(str(v) for _, v in event.args))
            edges[at] = tuple(e for e in some if e.who != side or e.event == chosen)
            assert edges[at] or not some, f"nothing is said about {at}"
        return Positions(self.positions.start, self.positions.result, edges)


def test_expected_scores_are_those_of_plain_python_and_come_about_by_the_table() -> None:
    tried = 0
    for seed in seeds(range(5), range(12)):
        case = DiceCase(seed)
        if case.small and len(case.positions.edges) <= 120:
            case.check_scores()
            tried += case.best(case.rules.start).value == "odds"
    assert tried >= (3 if MORE else 1)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 500, 100))
def test_expected_scores_in_many_games(first: int) -> None:
    for seed in range(first, first + 100):
        case = DiceCase(seed)
        if case.small:
            case.check_scores()


# ---- the sample and the hunt


def sample(number: int) -> list[Case]:
    """So many games in turns, each answer as often as any other."""
    found: list[Case] = []
    often: Counter[str] = Counter()
    seed = 0
    while len(found) < number:
        case = Case(seed)
        seed += 1
        if case.small and often[case.start.value] < -(-number // len(ANSWERS)):
            often[case.start.value] += 1
            found.append(case)
    return found


def test_best_play_is_that_of_brute_force_and_keeps_its_promise_against_all_replies() -> None:
    cases = sample(16 if MORE else len(ANSWERS))
    often = Counter(case.start.value for case in cases)
    assert all(5 * often[answer] >= len(cases) for answer in ANSWERS)
    for case in cases:
        case.check()
        case.played()


@pytest.mark.parametrize("seed", range(3))
def test_what_the_rules_leave_open_is_never_guessed(seed: int) -> None:
    for case in (Case(seed, turns=False), Case(seed, dice=True)):
        if case.small:
            case.check()
            if case.facts.first:  # a table gives one event, where both sides may act as well
                case.played()


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 1_000, 100))
def test_best_play_is_that_of_brute_force_in_many_games(first: int) -> None:
    for seed in range(first, first + 100):
        case = Case(seed, dice=seed % 5 == 0, turns=seed % 3 != 0)
        if case.small:
            case.check()
            if case.facts.first:
                case.played()
