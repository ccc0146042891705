"""One game as Python and as a rulebook: loading, and each kind of question, side by side."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.runner import Comparison, side_by_side
from benchmarks.written_campaigns import NESTED, SPELLINGS, campaign, grid
from tests.toys import skirmish
from vclogic.files import rulebooks
from vclogic.game import Game
from vclogic.terms import term as terms

AIM = (
    "a rulebook loads in at most twice the time, and answers no slower than Python by more than a fifth; so does the "
    "campaign of 430 hexes and 69 units, in each spelling; twice the hexes take at most 2.3 times as long"
)
GRIDS = ((10, 10), (20, 10), (20, 20), (40, 20))
BOOK = str(Path(__file__).parents[1] / "examples" / "rulebooks" / "skirmish.md")
QUESTIONS: dict[str, Callable[[Game], object]] = {
    "plan": lambda game: game.plan("units(Red, c2) >= 1", side="Red"),
    "reach": lambda game: game.reach("number(Red) >= 4", side="Red"),
    "solve": lambda game: game.solve(),
    "check": lambda game: game.check(),
    "missing": lambda game: game.missing("number(Blue) == 0"),
    "status": lambda game: game.status(),
}
_PROCESS = "import sys; from vclogic.game import Game; Game.load(sys.argv[1]).status()"


def run() -> Iterator[Comparison]:
    """Skirmish on three by two areas, and a process that loads a game and tells its status."""
    with skirmish.installed():
        python, book = Game.load(f"{skirmish.NAME}/small"), Game.load(BOOK)
        yield Comparison(
            "loading, in a process that has loaded one before",
            side_by_side({"Python": lambda: Game.load(f"{skirmish.NAME}/small"), "rulebook": _read_anew}, rounds=5),
        )
        for name, ask in QUESTIONS.items():
            calls = {"Python": lambda ask=ask: ask(python), "rulebook": lambda ask=ask: ask(book)}
            yield Comparison(name, side_by_side(calls, rounds=5))
    processes = {"napoleonics": lambda: _process("napoleonics"), "skirmish.md": lambda: _process(BOOK)}
    yield Comparison("loading and status as a process, beside a game in Python", side_by_side(processes, rounds=5))
    with TemporaryDirectory() as folder:
        yield from _campaigns(Path(folder))
        yield from _grids(Path(folder))


def _campaigns(folder: Path) -> Iterator[Comparison]:
    """Moscow's campaign in Python, and as text in several spellings; with the terms that each makes."""
    processes: dict[str, Callable[[], object]] = {"Python": partial(_process, "moscow/campaign")}
    for number, spelling in enumerate(("", *SPELLINGS, NESTED)):
        file = folder / f"campaign{number}.md"
        file.write_text(campaign(spelling))
        calls, made = _counted(str(file))
        processes[f"{spelling or 'as text'} ({calls:,} calls make {made:,} terms)"] = partial(_process, str(file))
    yield Comparison("status of Moscow's campaign as a process", side_by_side(processes, rounds=3))


def _grids(folder: Path) -> Iterator[Comparison]:
    """30 units on 300 hexes, and 60 on a board that grows."""
    (folder / "moves.md").write_text(grid(20, 15, 30))
    calls: dict[str, Callable[[], object]] = {"4,500 moves": lambda: _legal(folder / "moves.md")}
    yield Comparison("reading a game of 30 units on 300 hexes, and its legal moves", side_by_side(calls, rounds=3))
    growth: dict[str, Callable[[], object]] = {}
    for columns, rows in GRIDS:
        file = folder / f"grid{columns * rows}.md"
        file.write_text(grid(columns, rows, 60))
        growth[f"{columns * rows} hexes"] = partial(_legal, file)
    yield Comparison("reading a game of 60 units, and its legal moves", side_by_side(growth, rounds=3))


def _legal(file: Path) -> object:
    rulebooks.forget()
    return Game.load(str(file)).legal()


def _counted(file: str) -> tuple[int, int]:
    """How often a constructor is called for the status of a game, and how many terms it makes: the same anywhere."""
    before = next(terms._CALLS), next(terms._SERIAL)
    rulebooks.forget()
    Game.load(file).status()
    after = next(terms._CALLS), next(terms._SERIAL)
    return after[0] - before[0] - 1, after[1] - before[1] - 1


def _read_anew() -> Game:
    rulebooks.forget()
    return Game.load(BOOK)


def _process(game: str) -> None:
    subprocess.run([sys.executable, "-c", _PROCESS, game], check=True, capture_output=True)
