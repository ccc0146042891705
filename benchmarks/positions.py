"""Many positions at a time: expressions over arrays, and all positions of a small game, beside plain Python."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from random import Random

import vclogic
from benchmarks.runner import Comparison, Timing, side_by_side
from tests.oracles.skirmish import Position, Skirmish
from tests.toys.skirmish import by_hand, installed
from vclogic.conformance.games import legal_play
from vclogic.encode.python.evaluator import compile_term
from vclogic.explore.endings import endings
from vclogic.explore.events import possible
from vclogic.explore.search import explore, shortest
from vclogic.game import Game
from vclogic.query.status.progress import expression
from vclogic.terms.atoms import FALSE
from vclogic.terms.expressions.resolve import compile_value

AIM = "an expression over 100,000 positions at least 10 times faster a position; 500,000 new positions a second"
GAMES = ("axis_allies/revised-1942", "moscow/campaign", "napoleonics/erlenbach", "okinawa/small", "asl/22u3")
_ROWS = 100_000
_SINGLE = 2_000
_BOARDS = ("four", "first")
_RUNS = 3


def run() -> Iterator[Comparison]:
    """Expressions of the games, then Skirmish in Python."""
    for name in GAMES:
        game = vclogic.load(name)
        shown = expression(*game.setup.system.overview[-1])
        yield Comparison(f"{shown} of {name}: seconds a position", _values(game, shown))
    with installed():
        for board in _BOARDS:
            game = vclogic.load(f"skirmish/{board}")
            yield _all_positions(board, game, by_hand(board))


def _values(game: Game, text: str) -> Mapping[str, Timing]:
    system = game.setup.system
    rng = Random(1)
    states = [game.state]
    for _ in range(4):
        states += [state for _, state in legal_play(system, game.state, rng, 6)]
    array = game.array([states[i % len(states)] for i in range(_ROWS)])
    compiled = game.compile(text)
    term = compile_term(compile_value(text, system.vocabulary).partial.value, system.layout.slot)
    few = [states[i % len(states)] for i in range(_SINGLE)]

    def each(value: Callable[..., object]) -> Callable[[], object]:
        return lambda: [value(state) for state in few]

    single = side_by_side({"its term, compiled": each(term), "compile(...)(state)": each(compiled)}, per=_SINGLE)
    return {**single, **side_by_side({"compile(...).batch(states)": lambda: compiled.batch(array)}, per=_ROWS)}


def _all_positions(board: str, game: Game, hand: Skirmish) -> Comparison:
    system, state = game.setup.system, game.state
    stop = endings(system).final
    by_keys, with_events, plain = [], [], []
    for _ in range(_RUNS):
        began = time.process_time()
        found = shortest(
            system.layout, state, FALSE, possible(system, [state], unless=stop), most=10**8, memory=4 * 10**9
        )
        by_keys.append(time.process_time() - began)
        began = time.process_time()
        explored = explore(system, [state], stop=stop, most=10**8, memory=4 * 10**9)
        with_events.append(time.process_time() - began)
        began = time.process_time()
        number = _by_hand(hand)
        plain.append(time.process_time() - began)
        assert number == found.positions == len(explored.states)
    edges = len(explored.target)

    def said(seconds: list[float], events: int | None = None) -> Timing:
        text = f"{found.positions / min(seconds):,.0f} new positions a second"
        if events is not None:
            text += f", {events / min(seconds):,.0f} events"
        return Timing(tuple(seconds), answer=text)

    return Comparison(
        f"all {found.positions:,} positions of the skirmish, board {board}, {edges:,} events between them",
        {
            "plain Python, written by hand": said(plain, edges),
            "positions only (reach, plan)": said(by_keys, edges),
            "with all events and who decides (best play)": said(with_events, edges),
        },
    )


def _by_hand(game: Skirmish) -> int:
    """The number of positions that play can reach, breadth-first, nothing after the end of the game."""
    seen: set[Position] = {game.first}
    level = [game.first]
    while level:
        after: list[Position] = []
        for position in level:
            if game.winner(position) is None:
                for new in game.next(position):
                    if new not in seen:
                        seen.add(new)
                        after.append(new)
        level = after
    return len(seen)
