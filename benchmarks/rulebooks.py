"""One game as Python and as a rulebook: loading, and each kind of question, side by side."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.runner import Comparison, side_by_side
from tests.toys import skirmish
from vclogic.files import rulebooks
from vclogic.game import Game

AIM = "a rulebook loads in at most twice the time, and answers no slower than Python by more than a fifth"
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


def _read_anew() -> Game:
    rulebooks.forget()
    return Game.load(BOOK)


def _process(game: str) -> None:
    subprocess.run([sys.executable, "-c", _PROCESS, game], check=True, capture_output=True)
