"""A small game solved: positions explored, best play, and the check of the table, beside a search written by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from benchmarks.runner import Comparison, Timing, side_by_side
from tests.oracles.skirmish import Skirmish
from tests.toys import skirmish
from vclogic.explore.best_play import best_play
from vclogic.explore.check_table import check_table
from vclogic.explore.endings import endings
from vclogic.explore.expansion import Explored
from vclogic.explore.search import explore
from vclogic.explore.table import table_of
from vclogic.game import Game

AIM = "3x3 areas, six rounds in a minute; 500,000 positions a second; a table is checked faster than it was found"
BOARDS = ("first", "four")


def run() -> Iterator[Comparison]:
    """The boards of Skirmish in Python, every position that play can reach."""
    for board in BOARDS:
        with skirmish.installed():
            game = Game.load(f"{skirmish.NAME}/{board}")
        timings, positions = _timings(game, skirmish.by_hand(board))
        yield Comparison(f"{game.setup.game}, {positions:,} positions", timings)


def _timings(game: Game, by_hand: Skirmish) -> tuple[dict[str, Timing], int]:
    system = game.setup.system
    stop = endings(system).final

    def reached() -> Explored:
        return explore(system, [game.state], stop=stop)

    found = reached()
    play = best_play(system, found)
    table = table_of(game.setup.game, system, found, play)
    n = len(found.states)
    calls: dict[str, Callable[[], object]] = {
        "best play by hand, in plain Python": by_hand.solved,
        "all positions": reached,
        "best play over them": lambda: best_play(system, found),
        "both": lambda: best_play(system, reached()),
        "the table, checked": lambda: check_table(system, table),
    }
    timings = side_by_side(calls, rounds=3)
    return {name: replace(t, answer=f"{n / t.best:,.0f} positions a second") for name, t in timings.items()}, n
