"""One game as Python and as a rulebook: loading, and each kind of question, side by side."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType

import vclogic_encodings.okinawa as okinawa

from benchmarks.runner import Comparison, Timing, side_by_side
from benchmarks.written_battles import erlenbach, moscow_small
from benchmarks.written_campaigns import NESTED, SPELLINGS, campaign, grid
from tests.toys import skirmish
from vclogic.files.text_games import games as rulebooks
from vclogic.game import Game
from vclogic.terms import term as terms
from vclogic.terms.typed import form as typed

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
_OKINAWA = Path(__file__).parents[1] / "tests" / "rulebook" / "boards" / "okinawa_whole.md"
_ROUNDS = 3
_BEYOND = """
import sys, time
from benchmarks.race.peers.told import memory
from vclogic.game import Game
from vclogic.terms import term

question, small, file = sys.argv[1:]

def ask(file):
    found = getattr(Game.load(file), question)()
    return found.allowed if question == "legal" else 0

ask(small)
before = memory()
calls, made, began = next(term._CALLS), next(term._SERIAL), time.process_time()
events = ask(file)
seconds = time.process_time() - began
print(seconds, f"{memory() - before:.1f}", events, next(term._CALLS) - calls - 1, next(term._SERIAL) - made - 1)
"""
_ASKED = """
import sys
from vclogic.game import Game

name, question, goal, side, *more = sys.argv[1:]
game = Game.load(name)
if "start_turn" in game.setup.system.schemas:  # the text has no event for it
    game = game.apply("start_turn", side="French")
chosen = {"minimize": more[0]} if more else {}
getattr(game, question)(*[goal] if goal else [], **{"side": side} if question in ("plan", "force") else {}, **chosen)
"""
_BATTLES: Mapping[str, tuple[str, Callable[..., str], str, Mapping[str, str]]] = {
    "Moscow's small board": (
        "moscow/small",
        moscow_small,
        "German",
        {"ask": "vp(German) >= vp(Soviet)", **dict.fromkeys(("missing", "plan", "reach"), "vp(German) >= 5")},
    ),
    "Erlenbach": (
        "napoleonics/erlenbach",
        erlenbach,
        "French",
        dict.fromkeys(("ask", "missing", "plan", "reach"), "banners(French) >= 1"),
    ),
}
"""Two games of the repository: their names, what writes each as a text, who plans, and the goals of questions."""
_MARCHES = (
    ("Moscow's small board", "plan", "moves", "vp(German) >= 5"),
    ("Moscow's small board", "plan", "turns", "vp(German) >= 8"),
    ("Moscow's small board", "reach", "", "vp(German) >= 30"),
    ("Moscow's small board", "force", "turns", "vp(German) >= 5"),
    ("Erlenbach", "plan", "moves", "banners(French) >= 1"),
    ("Erlenbach", "plan", "turns", "banners(French) >= 1"),
    ("Erlenbach", "reach", "", "banners(French) >= 2"),
    ("Erlenbach", "force", "turns", "banners(French) >= 1"),
)
"""Questions about plans whose steps are marches or turns: the game, the question, what is counted, the goal."""
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
        yield from _battles(Path(folder))
        yield from _marches(Path(folder))
        yield from _okinawa(Path(folder))
        yield from _campaigns(Path(folder))
        yield from _grids(Path(folder))


def _battles(folder: Path) -> Iterator[Comparison]:
    """Questions about two small games in Python, and as text, each in a process of its own."""
    for name, (game, written, side, goals) in _BATTLES.items():
        file = folder / f"{game.replace('/', '_')}.md"
        file.write_text(written())
        for question in ("status", "legal", "ask", "missing", "plan", "reach"):
            asked = {
                who: partial(_ask, what, question, goals.get(question, ""), side)
                for who, what in (("Python", game), ("text", str(file)))
            }
            timings = side_by_side(asked, rounds=3, share=0, clock=_of_children)
            yield Comparison(f"`{question}` of {name} as a process, processor time", timings)


def _marches(folder: Path) -> Iterator[Comparison]:
    """Plans of marches and of turns in Python, and as the lines of a text say them, each in a process of its own."""
    for name, question, counted, goal in _MARCHES:
        game, written, side, _ = _BATTLES[name]
        file = folder / f"{game.replace('/', '_')}_marches.md"
        file.write_text(written(marches=True))
        more = [counted] if counted else []
        asked = {
            who: partial(_ask, what, question, goal, side, *more)
            for who, what in (("Python", game), ("text", str(file)))
        }
        timings = side_by_side(asked, rounds=3, share=0, clock=_of_children)
        said = f"`{question}`{f' by {counted}' if counted else ''} of {name}, `{goal}`"
        yield Comparison(f"{said}: marches, as a process, processor time", timings)


def _okinawa(folder: Path) -> Iterator[Comparison]:
    """Questions about Okinawa in Python, and as text on the same board, each in a process of its own."""
    (folder / _OKINAWA.name).write_text(_OKINAWA.read_text(encoding="utf-8"), encoding="utf-8")
    for board in ("strip", "island"):
        assert okinawa.__file__ is not None, "it is a file"
        yaml = Path(okinawa.__file__).with_name(f"{board}.yaml")
        (folder / yaml.name).write_text(yaml.read_text(encoding="utf-8"), encoding="utf-8")
        asked = {}
        for who, game in (("Python", "okinawa"), ("text", _OKINAWA.name)):
            asked[who] = folder / f"{who}_{board}.yaml"
            asked[who].write_text(f"game: {game}\nboard: {yaml.name}\n")
        for question, goal in (("status", ""), ("legal", ""), ("ask", "automatic")):
            calls = {who: partial(_ask, str(file), question, goal, "") for who, file in asked.items()}
            timings = side_by_side(calls, rounds=3, share=0, clock=_of_children)
            yield Comparison(f"`{question}` of Okinawa on the board {board} as a process, processor time", timings)


def _ask(game: str, question: str, goal: str, side: str, *more: str) -> None:
    subprocess.run([sys.executable, "-c", _ASKED, game, question, goal, side, *more], check=True, capture_output=True)


def _campaigns(folder: Path) -> Iterator[Comparison]:
    """Moscow's campaign in Python, and as text in several spellings; with what each visits, calls and makes."""
    processes: dict[str, Callable[[], object]] = {"Python": partial(_process, "moscow/campaign")}
    for number, spelling in enumerate(("", *SPELLINGS, NESTED)):
        file = folder / f"campaign{number}.md"
        file.write_text(campaign(spelling))
        calls, made = _counted(str(file))
        what = f"{_visited(str(file)):,} nodes visited, {calls:,} calls make {made:,} terms"
        processes[f"{spelling or 'as text'} ({what})"] = partial(_process, str(file))
    timings = side_by_side(processes, rounds=3, clock=_of_children)
    yield Comparison("status of Moscow's campaign as a process, processor time", timings)
    yield Comparison("reading the campaign once more in a process that runs", _again(folder))


def _again(folder: Path) -> dict[str, Timing]:
    """A sentence of it has changed, and a definition."""
    text, number = campaign(), count(1)
    line = "gaps(side) means count(line where not covered(side, line))"
    assert line in text, "it is one of its definitions"

    def saved(name: str, old: str, new: str) -> None:
        n, file = next(number), folder / f"{name}.md"
        file.write_text(text.replace(old, new.format(n), 1))
        os.utime(file, (n, n))
        Game.load(str(file)).status()

    changes: dict[str, Callable[[], object]] = {
        "a definition": partial(saved, "definition", line, line.replace("means", "means {} *")),
        "a sentence": partial(saved, "sentence", "# The campaign", "# The campaign, told {} times"),
    }
    return side_by_side(changes, rounds=5, clock=time.process_time)


def _grids(folder: Path) -> Iterator[Comparison]:
    """30 units on 300 hexes, and 60 on a board that grows: processor time and memory beyond a small game's."""
    (folder / "small.md").write_text(grid(3, 2, 2))
    (folder / "moves.md").write_text(grid(20, 15, 30))
    timing = _beyond(folder, "moves.md", "legal")
    yield Comparison("4,500 moves of 30 units on 300 hexes, reading included", {"`legal`": timing})
    for question in ("status", "legal"):
        growth: dict[str, Timing] = {}
        for columns, rows in GRIDS:
            name = f"grid{columns * rows}.md"
            (folder / name).write_text(grid(columns, rows, 60))
            growth[f"{columns * rows} hexes"] = _beyond(folder, name, question)
        yield Comparison(f"`{question}` of 60 units, reading included, Python's start-up not", growth)


def _beyond(folder: Path, name: str, question: str) -> Timing:
    """What a game takes in a fresh process that has asked the same of a small one."""
    runs = []
    for _ in range(_ROUNDS):
        command = [sys.executable, "-c", _BEYOND, question, str(folder / "small.md"), str(folder / name)]
        said = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
        runs.append((float(said[0]), said[1:]))
    megabytes, answers, calls, made = min(runs)[1]
    said_of = f"{megabytes} MB, {answers} events, {int(calls):,} calls make {int(made):,} terms"
    return Timing(tuple(seconds for seconds, _ in runs), answer=said_of)


def _counted(file: str) -> tuple[int, int]:
    """How often a constructor is called for the status of a game, and how many terms it makes: the same anywhere."""
    before = next(terms._CALLS), next(terms._SERIAL)
    rulebooks.forget()
    Game.load(file).status()
    after = next(terms._CALLS), next(terms._SERIAL)
    return after[0] - before[0] - 1, after[1] - before[1] - 1


def _visited(file: str) -> int:
    """How many nodes of lines are worked out for the status of a game, as terms, masks or groups."""
    kinds, ways = [typed.Expression], ("of", "holds", "mask", "groups")
    for kind in kinds:
        kinds += [k for k in kind.__subclasses__() if k not in kinds]
    of_nodes = {vars(kind)[name].__code__ for kind in kinds for name in ways if name in vars(kind)}
    visits = 0

    def seen(frame: FrameType, event: str, _: object) -> None:
        nonlocal visits
        visits += event == "call" and frame.f_code in of_nodes

    rulebooks.forget()
    sys.setprofile(seen)
    try:
        Game.load(file).status()
    finally:
        sys.setprofile(None)
    return visits


def _of_children() -> float:
    """Processor time of the processes that were started."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _read_anew() -> Game:
    rulebooks.forget()
    return Game.load(BOOK)


def _process(game: str) -> None:
    subprocess.run([sys.executable, "-c", _PROCESS, game], check=True, capture_output=True)
