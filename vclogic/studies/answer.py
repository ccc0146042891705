"""The answer of a study: run it, sum its rows up, look for a balance."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from vclogic.document_keys import IF_ANY, TEXT_ONLY
from vclogic.errors import Diagnostic, InputError
from vclogic.progress import Listener, silent
from vclogic.studies.balance import Balance, balance, wanted
from vclogic.studies.design import Study, read_study
from vclogic.studies.folder import Row, rows_of
from vclogic.studies.run import Studied, game_of, run
from vclogic.studies.summary import CellSummary, Rate, VaryingEffect, effects, elo, summaries

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class StudyAnswer:
    """What a study found.

    Attributes:
        study: Its file.
        folder: Where its rows are, as Parquet.
        rows: How many there are.
        done: How many blocks of work were done now.
        known: How many were there before.
        gone: How many were deleted, since the study or the rules no longer have them.
        varying: The names of what takes more than one value.
        cells: The games of each cell, where games were played.
        elo: The strength of each player, where different ones met.
        effects: What each of the things that vary does to the win rate of the first side, the strongest first.
        answers: The rows of a question that was asked of each cell.
        balance: Where a rate is what is wanted, if that was asked.
        files: What was written besides.
        assumptions: What the answer rests on.
        read: The study as it was read.
        ran: How it was run.
    """

    study: str
    folder: str
    rows: int
    done: int
    known: int
    gone: int
    varying: tuple[str, ...]
    cells: tuple[CellSummary, ...] = ()
    elo: Mapping[str, float] = field(default_factory=dict, metadata=IF_ANY)
    effects: tuple[VaryingEffect, ...] = field(default=(), metadata=IF_ANY)
    answers: tuple[Row, ...] = field(default=(), metadata=IF_ANY)
    balance: Balance | None = field(default=None, metadata=IF_ANY)
    files: tuple[str, ...] = field(default=(), metadata=IF_ANY)
    assumptions: tuple[str, ...] = ()
    read: Study | None = field(default=None, metadata=TEXT_ONLY)
    ran: Studied | None = field(default=None, metadata=TEXT_ONLY)

    def table(self) -> pa.Table:
        """Its rows, in the order of cells and seeds."""
        assert self.ran is not None
        return self.ran.table()


def study(
    file: str,
    folder: str | None = None,
    *,
    vary: Sequence[tuple[str, str]] = (),
    find: str | None = None,
    on: str | None = None,
    workers: int | None = None,
    progress: Listener = silent,
    executor: Callable[[], Any] | None = None,
) -> StudyAnswer:
    """Run what of a study is not done yet, and sum it up; see `vclogic.study`.

    Args:
        executor: Makes a context manager that gives an executor and how many workers it has, in place of `on` and
            `workers`.
    """
    asked, into = read_study(file, vary), folder or f"{os.path.splitext(file)[0]}-rows"

    def ran(part: Study, *, whole: bool) -> Studied:
        return run(part, into, on=on, number=workers, progress=progress, executor=executor, whole=whole)

    if find is None:
        return summed_up(asked, ran(asked, whole=True))
    return _balanced(asked, find, lambda part: ran(part, whole=False))


def summed_up(asked: Study, ran: Studied) -> StudyAnswer:
    """The answer of a study that was run."""
    rows = list(rows_of(ran.table()))
    found = StudyAnswer(asked.file, ran.folder, ran.rows, ran.done, ran.known, ran.gone, asked.varying)
    found = replace(found, read=asked, ran=ran)
    if not asked.plays:
        return replace(found, answers=tuple(rows))
    games = {name: game_of(asked, next(c for c in asked.cells if c.game == name)) for name in asked.said.game}
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
