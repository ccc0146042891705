"""Best play against what its definition says, worked out by plain Python on random games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

from tests.explore.graph_games import BLUE, RED, SIDES, GraphGame, Way, random_game
from tests.explore.slow_explorer import explored
from tests.fixtures.clocks import looks
from tests.fixtures.pace import MORE, seeds
from vclogic.clock import Deadline, TimeUp, until
from vclogic.explore.arena import arena
from vclogic.explore.best_play import (
    DRAW,
    ENDLESS,
    FIRST,
    OPEN,
    SECOND,
    BestPlay,
    TooManySides,
    _BestPlaySolver,
    best_play,
)
from vclogic.explore.endings import endings
from vclogic.explore.expansion import SEVERAL, Explored

Length = tuple[int, int]


class Plain:
    """A game on a graph, decided by repeating its definition until nothing changes."""

    def __init__(self, game: GraphGame):
        self.game = game
        self.ways = {n: [w for w in game.ways if w.source == n] for n in range(game.nodes)}
        for n in range(game.nodes):
            if n in game.over or any(n in game.won[s] for s in SIDES):
                self.ways[n] = []
        self.actors = {n: {w.actor for w in ways} for n, ways in self.ways.items()}
        over = {n for n in self.ways if not self.ways[n]}
        self.ways = {n: [w for w in ways if w.agreed in (None, w.actor)] for n, ways in self.ways.items()}
        self.final = {n for n in self.ways if not self.ways[n]}
        self.unclear = self.final - over  # where all that can happen needs both

    def winner(self, n: int) -> str | None:
        """Who has won on a final node; `open` for both."""
        if n in self.unclear:
            return "open"
        sides = [s for s in SIDES if n in self.game.won[s]]
        return "open" if len(sides) == 2 else sides[0] if sides else None

    def mover(self, n: int) -> str | None:
        return next(iter(self.actors[n])) if len(self.actors[n]) == 1 else None

    def best(self, n: int, side: str, value: Callable[[Way], bool], *, friendly: bool) -> bool:
        """Whether a side gets a value at a node, with the choice among actors against it or, if friendly, for it."""
        parts = []
        for actor in {w.actor for w in self.ways[n]}:
            values = [value(w) for w in self.ways[n] if w.actor == actor]
            chosen = any(values) if actor == side or (actor is None and friendly) else all(values)
            parts.append(chosen)
        return any(parts) if friendly else all(parts)

    def forced(
        self, side: str, goals: set[int], *, friendly: bool = False, within: set[int] | None = None
    ) -> set[int]:
        """The nodes from which a side can bring the goals about."""
        found = set(goals)

        def inside(w: Way) -> bool:
            return w.target in found

        while True:
            more = {
                n
                for n, ways in self.ways.items()
                if n not in found
                and ways
                and (within is None or n in within)
                and self.best(n, side, inside, friendly=friendly)
            }
            if not more:
                return found
            found |= more


def lengths(plain: Plain, side: str, goals: set[int]) -> dict[int, Length]:
    """Turns and events to a win, by as many rounds of the definition as there are nodes."""
    never = (10**6, 10**6)
    found = {n: (0, 0) if n in goals else never for n in plain.ways}
    for _ in range(4 * len(plain.ways) + 4):
        new = {}
        for n, ways in plain.ways.items():
            if n in goals or not ways:
                new[n] = found[n]
                continue
            parts = []
            for actor in {w.actor for w in ways}:
                values = []
                for w in (w for w in ways if w.actor == actor):
                    ends = actor is not None and (w.target in plain.final or plain.mover(w.target) != actor)
                    turns, events = found[w.target]
                    values.append(min(never, (turns + ends, events + 1)))
                parts.append(min(values) if actor == side else max(values))
            new[n] = max(parts)
        found = new
    return {n: x for n, x in found.items() if x < never}


def plain_values(plain: Plain) -> dict[int, tuple[int, Length | None]]:
    codes = {RED: FIRST, BLUE: SECOND}
    goals = {s: {n for n in plain.final if plain.winner(n) == s} for s in SIDES}
    unclear = {n for n in plain.final if plain.winner(n) == "open"}
    won = {s: lengths(plain, s, goals[s]) for s in SIDES}
    for s in SIDES:
        assert set(won[s]) == plain.forced(s, goals[s])
    may_lose = {RED: plain.forced(BLUE, goals[BLUE] | unclear, friendly=True)}
    may_lose[BLUE] = plain.forced(RED, goals[RED] | unclear, friendly=True)
    neither = set(plain.ways) - may_lose[RED] - may_lose[BLUE]
    safe = Plain(plain.game)
    safe.ways = {n: [w for w in ways if w.target in neither] for n, ways in plain.ways.items()}
    ends = neither & plain.final
    can_end = {s: safe.forced(s, ends, within=neither) for s in SIDES}
    going = {
        s: neither - safe.forced(o, ends, friendly=True, within=neither)
        for s, o in zip(SIDES, SIDES[::-1], strict=True)
    }
    found: dict[int, tuple[int, Length | None]] = {}
    for n in plain.ways:
        found[n] = (OPEN, None)
        for s in SIDES:
            if n in won[s]:
                found[n] = (codes[s], won[s][n])
        if n in neither:
            value = OPEN
            if any(n in going[s] for s in SIDES):
                value = ENDLESS
            elif all(n in can_end[s] for s in SIDES):
                value = DRAW
            found[n] = (value, None)
    return found


def check(game: GraphGame, seen: Counter[int]) -> None:
    system = game.system
    found = explored(system, (0,))
    play, plain = best_play(system, found), Plain(game)
    expected = plain_values(plain)
    for i, (node,) in enumerate(found.states.tolist()):
        value, length = expected[node]
        assert play.value[i] == value, (game, node)
        assert (play.turns[i], play.events[i]) == (length or (-1, -1)), (game, node)
        seen[value] += 1
    check_choices(found, play)


def check_choices(found: Explored, play: BestPlay) -> None:
    """What is chosen leads on to the value that is claimed."""
    for i in range(len(found.states)):
        edge = int(play.best[i])
        if play.final[i] or play.value[i] == OPEN:
            continue
        assert found.first[i] <= edge < found.first[i + 1]
        after = found.target[edge]
        assert play.value[after] == play.value[i] or play.value[i] == ENDLESS
        if play.value[i] in (FIRST, SECOND):
            assert play.events[after] < play.events[i]


@pytest.mark.parametrize("owners", [SIDES, (*SIDES, None)])
@pytest.mark.parametrize("contested", [0.0, 0.15])
def test_random_games_are_decided_as_defined(owners: tuple[str | None, ...], contested: float) -> None:
    seen: Counter[int] = Counter()
    for seed in seeds(range(40), range(150)):
        check(random_game(Random(seed), owners, contested), seen)
    often = {v for v, n in seen.items() if n >= (20 if MORE else 5)}
    settled = owners == SIDES and not contested  # there only a win of both is open
    assert often >= {FIRST, SECOND, DRAW, ENDLESS, *(() if settled else (OPEN,))}


def test_layer_by_layer_is_as_from_the_end_back() -> None:
    """Where every event leads to the next layer, as in a game that counts its turns."""
    values: set[int] = set()
    for seed in seeds(range(20), range(60)):
        rng, width = Random(seed), 4
        ways = []
        for node in range(6 * width):
            owner = rng.choice(SIDES)
            after = (node // width + 1) * width
            ways += [
                Way(node, after + rng.randrange(width), owner) for _ in range(rng.choice((0, 2, 3)) if node else 3)
            ]
        last = range(6 * width, 7 * width)
        won = {s: frozenset(x for x in last if rng.random() < 0.4) for s in SIDES}
        game = GraphGame(7 * width, tuple(ways), {RED: won[RED], BLUE: won[BLUE] - won[RED]}, frozenset())
        system = game.system
        found = explored(system, (0,))
        graph = arena(system, found, endings(system))
        assert graph.layers is not None
        in_layers, backwards = (_BestPlaySolver(g, 1.0).solved(SIDES) for g in (graph, replace(graph, layers=None)))
        for name in ("value", "turns", "events", "best", "keeps", "safe", "ends"):
            assert np.array_equal(getattr(in_layers, name), getattr(backwards, name)), name
        values |= set(in_layers.value.tolist())
    assert values == {FIRST, SECOND, DRAW}


def test_a_turn_is_a_run_of_events_of_one_side() -> None:
    """Red moves twice, Blue once, then an event that nobody decides, and Red once more."""
    ways = (Way(0, 1, RED), Way(1, 2, RED), Way(2, 3, BLUE), Way(3, 4, None), Way(4, 5, RED))
    game = GraphGame(6, ways, {RED: frozenset({5}), BLUE: frozenset()}, frozenset())
    play = best_play(game.system, explored(game.system, (0,)))
    assert play.value.tolist() == [FIRST] * 6
    assert play.turns.tolist() == [3, 3, 2, 1, 1, 0]
    assert play.events.tolist() == [5, 4, 3, 2, 1, 0]


def test_games_of_three_sides_are_refused() -> None:
    game = random_game(Random(1))
    system = game.system
    found = explored(system, (0,))
    three = replace(system, sides={s: (s,) for s in (*SIDES, "Green")})
    with pytest.raises(TooManySides, match="this one has 3"):
        best_play(three, found)
    assert np.all(best_play(system, found).turns >= -1)


def test_the_graph_keeps_the_time_limit_at_each_event_that_several_may_bring_about() -> None:
    """On large boards each of these is looked for among millions."""
    game = random_game(Random(3), (*SIDES, None), 1.0)
    found = explored(game.system, (0,))
    several: Any = np.repeat(found.mover == SEVERAL, np.diff(found.first))
    kinds = len(np.unique(found.event[several]))
    assert kinds > 5
    for most in range(kinds):
        with looks(most + 1), until(Deadline(60)), pytest.raises(TimeUp):
            arena(game.system, found, endings(game.system))
