"""Whether the deadline holds: the heaviest question of each command and game, under several limits, idle and loaded.

`python -m benchmarks.deadlines --help` says how to ask a few of them only.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

import vclogic
from benchmarks.heavy_questions import QUESTIONS, Question, arguments_of, file_of
from benchmarks.runner import Comparison, Timing
from vclogic.game import Game

AIM = "at most the limit and 0.5 s on an idle machine, and 2 s with 8 busy processes beside it"
LIMITS = (1.0, 2.0, 5.0, 10.0)
BUSY = 8
_NEVER = 180.0  # seconds beyond the limit, after which a question is killed


class Outcome(NamedTuple):
    """How a question ended.

    Attributes:
        seconds: How long it took; None: it was killed.
        said: What was known.
    """

    seconds: float | None
    said: str


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
                loaded = key, vclogic.load(file_of(question.game, folder), settings=question.settings)
            game = loaded[1]
            assert game is not None
            with _beside(busy):
                yield question, {limit: _outcome(game, question, limit) for limit in limits}


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
    asked = arguments_of(game, question)
    began = time.monotonic()
    answer = getattr(game, question.command)(timeout=limit, **asked)
    seconds = time.monotonic() - began
    sender.send(Outcome(seconds, _said(question, answer)))


def _said(question: Question, answer: Any) -> str:
    """What was known in the end."""
    if question.command == "ask":
        return f"{answer.text}, {answer.reason or answer.readings.reason or 'all told'}"
    if question.command == "check":
        return f"{len(answer.findings)} findings, {len(answer.unknown)} open"
    if question.command == "missing":
        return f"{answer.status}, {len(answer.repairs)} found, at least {answer.least}"
    if question.command == "reach":
        return answer.status if answer.depth is None else f"{answer.status} in {answer.depth}"
    if question.command != "plan":
        return str(answer.status)
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
    worst: list[tuple[float, str]] = []
    for question, by_limit in measured(questions, limits, chosen.busy):
        over = [_over(limit, o) for limit, o in by_limit.items()]
        words = f"{question.command}, {question.words}"
        table.add_row(question.game, words, *over, by_limit[limits[-1]].said)
        worst += ((_late(limit, o), f"{question.game}: {words}, {limit:g} s") for limit, o in by_limit.items())
        said = "; ".join(f"{limit:g} s: {o.said}" for limit, o in by_limit.items())
        console.print(f"{question.game}: {words}: {', '.join(over)}  ({said})")
    late, where = max(worst, default=(0.0, "nothing was asked"))
    table.caption = f"latest: {late:+.2f} s ({where})"
    console.print(table)


def _late(limit: float, outcome: Outcome) -> float:
    """Seconds over the limit; of a question that was killed or failed, without end."""
    return math.inf if outcome.seconds is None else outcome.seconds - limit


def _over(limit: float, outcome: Outcome) -> str:
    return outcome.said if outcome.seconds is None else f"{_late(limit, outcome):+.2f}"


if __name__ == "__main__":
    main()
