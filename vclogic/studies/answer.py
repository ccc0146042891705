"""The answer of a study: run it, sum its rows up, look for a balance."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from vclogic.document_keys import IF_ANY, TEXT_ONLY
from vclogic.errors import Diagnostic, InputError
from vclogic.progress import Listener, silent
from vclogic.studies.balance import Balance, balance, wanted
from vclogic.studies.design import Study, read_study
from vclogic.studies.folder import Row, rows_of
from vclogic.studies.run import Studied, game_of, run
from vclogic.studies.summary import CellSummary, Rate, VaryingEffect, effects, elo, summaries


@dataclass(frozen=True)
class StudyAnswer(Studied):
    """The result of a study.

    Attributes:
        study: Its file.
        varying: The names of what takes more than one value.
        cells: The games of each cell, where games were played.
        elo: The strength of each player, where different ones met.
        effects: What each of the things that vary does to the win rate of the first side, the strongest first.
        answers: The rows of a question that was asked of each cell.
        balance: Where a rate is what is wanted, if that was asked.
        files: What was written besides.
        assumptions: What the answer rests on.
        read: The study as it was read.
    """

    study: str
    varying: tuple[str, ...]
    cells: tuple[CellSummary, ...] = ()
    elo: Mapping[str, float] = field(default_factory=dict, metadata=IF_ANY)
    effects: tuple[VaryingEffect, ...] = field(default=(), metadata=IF_ANY)
    answers: tuple[Row, ...] = field(default=(), metadata=IF_ANY)
    balance: Balance | None = field(default=None, metadata=IF_ANY)
    files: tuple[str, ...] = field(default=(), metadata=IF_ANY)
    assumptions: tuple[str, ...] = ()
    read: Study | None = field(default=None, metadata=TEXT_ONLY)


def study(
    file: str,
    folder: str | None = None,
    *,
    vary: Mapping[str, str] | Sequence[tuple[str, str]] = (),
    find: str | None = None,
    on: str | None = None,
    workers: int | None = None,
    progress: Listener = silent,
    executor: Callable[[], Any] | None = None,
) -> StudyAnswer:
    """Play many games, or ask a question under many settings; what was done before is not done again.

    Worker processes begin anew: a program that calls this does so under `if __name__ == "__main__":`.

    Args:
        file: The study.
        folder: Where its rows are kept, as Parquet; None: beside the study, in `NAME-rows`.
        vary: Options, Readings or pieces of a rulebook's text, each with its values: a range `4..8`, or `a,b,c`.
        find: `win rate of SIDE = 0.5`: it is looked for which value of the one number that is varied gives it.
        on: The address of a Dask scheduler whose workers do the work, such as `tcp://10.0.0.1:8786`.
        workers: How many processes; None: one for each core.
        progress: Called with what is being done.
        executor: Makes a context manager that gives an executor and how many workers it has, in place of both.

    Raises:
        vclogic.errors.InputError: Something in the study is wrong, a worker was lost, or the folder cannot be
            written. What was done by then is kept.
    """
    varied = tuple(vary.items()) if isinstance(vary, Mapping) else vary
    asked, into = read_study(file, varied), folder or f"{os.path.splitext(file)[0]}-rows"

    def ran(part: Study, *, whole: bool) -> Studied:
        return run(part, into, on=on, number=workers, progress=progress, executor=executor, whole=whole)

    if find is None:
        return summed_up(asked, ran(asked, whole=True))
    return _balanced(asked, find, lambda part: ran(part, whole=False))


def summed_up(asked: Study, ran: Studied) -> StudyAnswer:
    """The answer of a study that was run."""
    rows = list(rows_of(ran.table()))
    found = StudyAnswer(**vars(ran), study=asked.file, varying=asked.varying, read=asked)
    if not asked.plays:
        return replace(found, answers=tuple(rows))
    games = {c.game: game_of(asked, c) for c in {c.game: c for c in asked.cells}.values()}
    cells: list[CellSummary] = []
    for name, game in games.items():
        kinds = asked.said.kinds or [s.name for s in game.setup.system.events]
        cells += summaries((r for r in rows if r["game"] == name), asked.varying, tuple(game.sides), kinds)
    sides = tuple(games[asked.cells[0].game].sides)
    strength = elo(rows, sides) if len(games) == 1 and len(sides) == 2 else {}
    moved = effects(cells, asked.varying, sides[0]) if len(asked.varying) > 1 else []
    return replace(found, cells=tuple(cells), effects=tuple(moved), elo=strength, assumptions=_rests_on(asked))


def _rests_on(asked: Study) -> tuple[str, ...]:
    said = ["rates are of these players: others may find other ways to win", "intervals hold 95 of 100 times"]
    if any("planner" in of for of in asked.said.players.values()):
        said.append("a planner has a second for an event: on a slower machine it may play otherwise")
    return tuple(said)


def _balanced(asked: Study, find: str, ran: Callable[[Study], Studied]) -> StudyAnswer:
    """The answer with the value of the one number that is varied at which a rate is what is wanted."""
    if len(asked.varying) != 1 or not asked.plays:
        message = "to find a balance, vary one number and nothing else"
        raise InputError(
            Diagnostic("usage", message, "--find", help="--vary 'NAME=20..60', and one player for each side")
        )
    (varied,) = asked.varying
    by_value: dict[int, Study] = {}
    for cell in asked.cells:
        value = cell.columns[varied]
        if not str(value).lstrip("-").isdigit():
            raise InputError(Diagnostic("usage", f"the values of {varied} are no numbers", "--find"))
        by_value[int(value)] = replace(asked, cells=(cell,))
    side, share = wanted(find, tuple(game_of(asked, asked.cells[0]).sides))
    done = 0

    def rate_at(value: int) -> Rate:
        nonlocal done
        answer = summed_up(by_value[value], ran(by_value[value]))
        done += answer.done
        return answer.cells[0].wins[side]

    found = balance(side, share, varied, sorted(by_value), rate_at)
    part = replace(asked, cells=tuple(c for c in asked.cells if int(c.columns[varied]) in dict(found.tried)))
    assumed = f"the win rate of {side} goes one way only as {varied} grows; among what was tried it "
    assumed += "does" if not found.against else "does NOT"
    answer = summed_up(part, ran(part))
    return replace(answer, done=done, balance=found, assumptions=(assumed, *answer.assumptions))
