"""Whether the deadline holds: the heaviest question of each command and game, under several limits, idle and loaded.

`python -m benchmarks.deadlines --help` says how to ask a few of them only.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from rich.console import Console
from rich.table import Table

import vclogic
from benchmarks.large_boards import random_areas, two_asl_boards, written
from benchmarks.runner import Comparison, Timing
from vclogic.game import Game

AIM = "at most the limit and 0.5 s on an idle machine, and 2 s with 8 busy processes beside it"
LIMITS = (1.0, 2.0, 5.0, 10.0)
BUSY = 8
_NEVER = 180.0  # seconds beyond the limit, after which a question is killed
_WHOLE_BOARD = Path(__file__).parents[1] / "examples" / "asl_whole_board.yaml"
_FULL = {"level": "armies", "theatre": "full"}
_BRIDGEHEAD = "controls_building(Russian, 22U3)"


class Question(NamedTuple):
    """A question that would take long.

    Attributes:
        game: A scenario, or the name of a board that is made.
        command: What is asked.
        words: How it is named in the table.
        asked: The arguments.
        settings: Options and readings.
    """

    game: str
    command: str
    words: str
    asked: Mapping[str, Any]
    settings: Mapping[str, Any] = {}


class Outcome(NamedTuple):
    """How a question ended.

    Attributes:
        seconds: How long it took; None: it was killed.
        said: What was known.
    """

    seconds: float | None
    said: str


def _more(what: str, more: int) -> Callable[[Game], str]:
    """A goal that asks for more than there is."""
    return lambda game: f"{what} >= {int(game.value(what) or 0) + more}"


QUESTIONS = (
    Question(
        "axis_allies",
        "plan",
        "full theatre, 40 points in 3 rounds",
        {"goal": "vcp(Axis) >= 40", "side": "Axis", "minimize": "moves", "within": 3},
        _FULL,
    ),
    Question(
        "axis_allies",
        "plan",
        "full theatre, most points in 2 rounds",
        {"maximize": "vcp(Axis)", "side": "Axis", "minimize": "moves", "within": 2},
        _FULL,
    ),
    Question("axis_allies", "plan", "50 points by turns", {"goal": "vcp(Axis) >= 50", "minimize": "turns"}),
    Question(
        "axis_allies",
        "plan",
        "40 points, the opponent helps",
        {"goal": "vcp(Axis) >= 40", "side": "Axis", "opponent": "helps"},
    ),
    Question("axis_allies", "reach", "armies, 34 points", {"goal": "vcp(Axis) >= 34", "side": "Axis"}, _FULL),
    Question("axis_allies", "missing", "50 points", {"goal": "vcp(Axis) >= 50", "limit": 1000}),
    Question("axis_allies", "compare", "bought infantry", {"other": ("bought_infantry", 1)}),
    Question("axis_allies", "check", "all codes, armies", {"scope": "reachable"}, _FULL),
    Question(
        "moscow/campaign", "plan", "no row uncovered", {"goal": "uncovered_rows(German) == 0", "side": "German"}
    ),
    Question(
        "moscow/campaign", "reach", "no row uncovered", {"goal": "uncovered_rows(German) == 0", "side": "German"}
    ),
    Question("moscow/campaign", "reach", "Moscow taken", {"goal": "holds(moscow, German)", "side": "German"}),
    Question("moscow/campaign", "missing", "Moscow taken", {"goal": "holds(moscow, German)", "limit": 1000}),
    Question("moscow/campaign", "compare", "rows", {"other": ("rows", 1)}),
    Question("moscow/campaign", "check", "all codes", {"scope": "reachable"}),
    Question(
        "okinawa/island",
        "plan",
        "30 cut off in 2 turns",
        {"goal": "without_loc(US) >= 30", "side": "Japan", "within": 2},
    ),
    Question("okinawa/island", "plan", "best score", {"maximize": "vp_at_end(Japan)", "side": "Japan", "within": 2}),
    Question("okinawa/island", "reach", "80 points", {"goal": "vp_at_end(Japan) >= 80", "side": "Japan"}),
    Question("okinawa/island", "check", "all codes", {"scope": "reachable"}),
    Question(
        "napoleonics/erlenbach",
        "plan",
        "5 banners",
        {"goal": "banners(French) >= 5", "side": "French", "within": 5, "minimize": "turns"},
        {"combat": "adjacent"},
    ),
    Question("napoleonics/erlenbach", "reach", "5 banners", {"goal": "banners(French) >= 5", "side": "French"}),
    Question("napoleonics/erlenbach", "check", "all codes", {"scope": "reachable"}),
    Question("asl/points", "reach", "100 points", {"goal": "cvp(Russian) >= 100", "side": "Russian"}),
    Question("asl/points", "check", "all codes", {"scope": "reachable"}),
    Question("two ASL boards", "plan", "a building", {"goal": _BRIDGEHEAD, "side": "Russian"}),
    Question(
        "two ASL boards", "reach", "a building", {"goal": f"{_BRIDGEHEAD} and cvp(Russian) >= 3", "side": "Russian"}
    ),
    Question(
        "two ASL boards",
        "reach",
        "a building and all points",
        {
            "goal": f"{_BRIDGEHEAD} and cvp(Russian) >= 60",
            "side": "Russian",
        },
    ),
    Question("two ASL boards", "missing", "a building", {"goal": _BRIDGEHEAD, "limit": 1000}),
    Question("two ASL boards", "check", "all codes", {}),
    *(
        question
        for board in ("2,000 areas", "5,000 areas")
        for question in (
            Question(board, "plan", "10 points more", {"goal": _more("vcp(Axis)", 10), "side": "Axis"}),
            Question(board, "plan", "the most points", {"maximize": "vcp(Axis)", "side": "Axis"}),
            Question(
                board,
                "reach",
                "100 territories more",
                {
                    "goal": _more("territories(Axis)", 100),
                    "side": "Axis",
                },
            ),
            Question(
                board,
                "missing",
                "100 territories more",
                {
                    "goal": _more("territories(Axis)", 100),
                    "limit": 1000,
                },
            ),
            Question(board, "compare", "bought infantry", {"other": ("bought_infantry", 1)}),
            Question(board, "check", "all codes", {}),
        )
    ),
    Question(
        "1,000 areas, 400 units",
        "plan",
        "2 territories more in 3 rounds",
        {
            "goal": _more("territories(Axis)", 2),
            "side": "Axis",
            "within": 3,
        },
    ),
)


def run() -> Iterator[Comparison]:
    """For each question the seconds over each limit, the least of them idle, then loaded."""
    for busy in (0, BUSY):
        for question, by_limit in measured(QUESTIONS, LIMITS, busy):
            timings = {
                f"{limit:g} s": Timing(() if o.seconds is None else (o.seconds,), limit, o.said)
                for limit, o in by_limit.items()
            }
            beside = f", {busy} busy processes beside it" if busy else ""
            yield Comparison(f"{question.game}: {question.command}, {question.words}{beside}", timings)


def measured(
    questions: Sequence[Question], limits: Sequence[float], busy: int
) -> Iterator[tuple[Question, dict[float, Outcome]]]:
    """How questions end under some limits, with some busy processes beside each."""
    with tempfile.TemporaryDirectory() as folder:
        loaded: tuple[object, Game | None] = (None, None)
        for question in questions:
            key = (question.game, tuple(question.settings.items()))
            if loaded[0] != key:
                loaded = key, vclogic.load(_file(question.game, folder), settings=question.settings)
            game = loaded[1]
            assert game is not None
            with _beside(busy):
                yield question, {limit: _outcome(game, question, limit) for limit in limits}


def _file(name: str, folder: str) -> str:
    """A scenario's name, or the file of a board that is made."""
    file = str(Path(folder, f"{name}.yaml"))
    if os.path.exists(file):
        return file
    if name == "two ASL boards":
        return written(two_asl_boards(yaml.safe_load(_WHOLE_BOARD.read_text(encoding="utf-8"))), file)
    if "areas" in name:
        units = 400 if "units" in name else 0
        return written(random_areas(int(name.split()[0].replace(",", "")), units=units), file)
    return name


@contextmanager
def _beside(busy: int) -> Iterator[None]:
    """Some processes that do nothing but keep the machine busy."""
    with ExitStack() as stack:
        for _ in range(busy):
            process = multiprocessing.get_context("fork").Process(target=_spin, daemon=True)
            process.start()
            stack.callback(process.join)
            stack.callback(process.kill)
        yield


def _spin() -> None:
    owner = os.getppid()
    while os.getppid() == owner:
        sum(range(100_000))


def _outcome(game: Game, question: Question, limit: float) -> Outcome:
    """How a question ends that is asked in a process of its own."""
    receiver, sender = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.get_context("fork").Process(target=_timed, args=(game, question, limit, sender))
    child.start()
    sender.close()
    try:
        if not receiver.poll(limit + _NEVER):
            return Outcome(None, "killed")
        found: Outcome = receiver.recv()
        return found
    except EOFError:
        return Outcome(None, "failed")
    finally:
        child.kill()
        child.join()
        receiver.close()


def _timed(game: Game, question: Question, limit: float, sender: Connection) -> None:
    asked = _arguments(game, question)
    began = time.monotonic()
    answer = getattr(game, question.command)(timeout=limit, **asked)
    seconds = time.monotonic() - began
    sender.send(Outcome(seconds, _said(question, answer)))


def _arguments(game: Game, question: Question) -> dict[str, Any]:
    """What a question is asked with, on a board; another game is loaded."""
    asked = dict(question.asked)
    if "other" in asked:
        name, which = asked["other"]
        reading = next(r for r in game.setup.encoding.readings if r.name == name)
        asked["other"] = game.with_options(**{name: list(reading.values)[which]})
    if callable(asked.get("goal")):
        asked["goal"] = asked["goal"](game)
    return asked


def _said(question: Question, answer: Any) -> str:
    """What was known in the end."""
    if question.command == "compare":
        return str(answer.status)
    if question.command == "check":
        return f"{len(answer.findings)} findings, {len(answer.unknown)} open"
    if question.command == "missing":
        return f"{answer.status}, {len(answer.repairs)} found, at least {answer.least}"
    if question.command == "reach":
        return answer.status if answer.depth is None else f"{answer.status} in {answer.depth}"
    most = f"{answer.maximum.value} to {answer.maximum.upper_bound}; " if answer.maximum else ""
    return f"{most}{answer.status}, cost {answer.cost}, bound {answer.lower_bound}"


# ---- the table


def main() -> None:
    """Ask the questions that the command line names, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.deadlines", description=AIM)
    parser.add_argument("--limits", default="1,2,5,10", help="seconds, with commas between them")
    parser.add_argument("--busy", type=int, default=0, help="how many busy processes stand beside each question")
    parser.add_argument("--only", default="", help="questions whose game, command and words hold this")
    chosen = parser.parse_args()
    console = Console(width=150, highlight=False)
    limits = [float(x) for x in chosen.limits.split(",")]
    questions = [q for q in QUESTIONS if chosen.only in f"{q.game} {q.command} {q.words}"]
    table = Table(title=f"seconds over the limit, {chosen.busy} busy processes beside; load {os.getloadavg()[0]:.1f}")
    for name in ("game", "question", *(f"{limit:g} s" for limit in limits), "known at the last"):
        table.add_column(name)
    for question, by_limit in measured(questions, limits, chosen.busy):
        over = [_over(limit, o) for limit, o in by_limit.items()]
        words = f"{question.command}, {question.words}"
        table.add_row(question.game, words, *over, by_limit[limits[-1]].said)
        said = "; ".join(f"{limit:g} s: {o.said}" for limit, o in by_limit.items())
        console.print(f"{question.game}: {words}: {', '.join(over)}  ({said})")
    console.print(table)


def _over(limit: float, outcome: Outcome) -> str:
    if outcome.seconds is None:
        return outcome.said
    return f"{outcome.seconds - limit:+.2f}"


if __name__ == "__main__":
    main()
