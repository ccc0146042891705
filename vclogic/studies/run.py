"""Running a study: its blocks of work, on workers behind `concurrent.futures.Executor`; rows as they come."""

from __future__ import annotations

import hashlib
import os
import pickle
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, fields, replace
from functools import cache, lru_cache
from importlib.metadata import version
from itertools import groupby
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

from vclogic.document_keys import TEXT_ONLY
from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.files.position import scenario_layer
from vclogic.files.registry import START, installed_files, is_file, named_here, rulebook_of
from vclogic.files.settings import read_overrides
from vclogic.files.setup import SetupSources, assemble
from vclogic.files.source import files_noted, read_text
from vclogic.files.trees.findings import Findings
from vclogic.game import Game
from vclogic.progress import Listener, Progress, silent
from vclogic.studies.columns import ColumnKind
from vclogic.studies.design import NONE, Study, StudyCell, column_of, plain, with_number
from vclogic.studies.folder import Row, StudyFolder
from vclogic.studies.kept import KeptColumns
from vclogic.studies.playtest import Playtest, check, play

if TYPE_CHECKING:
    import pyarrow as pa


BLOCK = 500
"""Games of a block: many at once, and not so many that a stop loses much."""
_GAMES = 8  # that a process keeps built
_AHEAD = 4  # blocks for each worker that are handed over before they are begun
_EXTRA = "pip install 'vclogic[study]'"
_CLUSTER = "pip install 'vclogic[study,cluster]'"


@dataclass(frozen=True)
class StudyBlock:
    """A part of the work: games of one cell, or a question of one.

    Attributes:
        key: Tells it from every other one, also of changed rules.
        cell: The cell.
        game: The game without the cell's settings and numbers, pickled: it travels with its texts.
        test: How games are played; None: a question is asked.
        seeds: The seeds of the games.
        ask: The question and its options; None: games are played.
        keep: Keys of the answer, by the names of columns.
        columns: The columns of the study's table, with the kind of each.
    """

    key: str
    cell: StudyCell
    game: bytes
    test: Playtest | None
    seeds: range
    ask: tuple[str, dict[str, Any]] | None
    keep: tuple[tuple[str, str], ...]
    columns: tuple[tuple[str, ColumnKind], ...]

    def rows(self) -> list[Row]:
        """Its rows; called in a worker.

        Raises:
            InputError: What the study asks for cannot be done.
        """
        columns = self.cell.columns
        try:
            game = _under(self.game, self.cell.settings, self.cell.numbers)
            if self.test is not None:
                return [{**row, **columns} for row in play(game, self.test, self.seeds)]
            assert self.ask is not None
            return [{**_answered(game, self.ask, self.keep), **columns}]
        except InputError as error:
            cell = ", ".join(f"{name} {value}" for name, value in columns.items())
            raise InputError(replace(d, message=f"{d.message} ({cell})") for d in error.diagnostics) from error


@dataclass(frozen=True)
class Studied:
    """The result of running a study.

    Attributes:
        folder: Where its rows are, as Parquet.
        rows: How many there are.
        done: How many blocks of work were done now.
        known: How many were there before.
        gone: How many were deleted, since the study or the rules no longer have them.
        keys: The keys of its parts, in their order.
    """

    folder: str
    rows: int
    done: int
    known: int
    gone: int
    keys: tuple[str, ...] = field(metadata=TEXT_ONLY)

    def table(self) -> pa.Table:
        """Its table, in the order of cells and seeds."""
        return StudyFolder(self.folder).table(self.keys)


def blocks(study: Study, *, away: bool = False) -> Iterator[StudyBlock]:
    """The blocks of a study, in the order of its table; the games of cells are built by those who play them.

    Args:
        away: Whether they are done on other machines, which have players of their own.

    Raises:
        InputError: A game cannot be loaded, a number stands in its text not once, or games cannot be played as asked.
    """
    said, prepared, kinds = study.said, [], KeptColumns(study)
    for _, of in groupby(study.cells, lambda cell: (cell.game, cell.beside)):
        cells = list(of)
        game, rules = _loaded(study, cells[0])
        sent = pickle.dumps(game)
        _check(study, cells, game, sent, kinds, away=away)
        prepared.append((cells, sent, rules))
    columns = kinds.decided()
    for cells, sent, rules in prepared:
        for cell in cells:
            if not study.plays:
                ((name, options),) = said.ask.items()
                ask, keep = (name, plain(options or {})), tuple(said.keep.items())
                key = _key(rules, cell, ask, keep, columns)
                yield StudyBlock(key, cell, sent, None, range(0), ask, keep, columns)
                continue
            test = playtest_of(study, cell)
            for first in range(said.seed, said.seed + said.games, BLOCK):
                seeds = range(first, min(first + BLOCK, said.seed + said.games))
                key = _key(rules, cell, test, seeds, columns)
                yield StudyBlock(key, cell, sent, test, seeds, None, (), columns)


def playtest_of(study: Study, cell: StudyCell) -> Playtest:
    """The playtest of a cell."""
    said = study.said
    return Playtest(dict(cell.players), said.measures, said.goals, said.kinds, said.longest, said.keep)


def _check(
    study: Study, cells: Sequence[StudyCell], game: Game, sent: bytes, kinds: KeptColumns, *, away: bool
) -> None:
    """Finds out what cannot be asked or played before anything is, of cells that differ in settings and numbers."""
    findings, said = Findings(), study.said
    for key in ("players", "measures", "goals"):
        for side in getattr(said, key):
            if side not in game.sides:
                place, help = study.node.section(key).part(side), did_you_mean(side, game.sides)
                message = f"there is no side {quoted(side)}"
                findings.add(place.diagnostic("unknown-name", message, key=True, help=help))
    book = rulebook_of(game.setup.request.name)
    if cells[0].numbers and book is None:
        message = f"{quoted(cells[0].game)} is written in Python, and `numbers` are those of a text"
        findings.add(study.node.section("numbers").diagnostic("usage", message, help="use `settings`"))
    read_overrides(game.setup.encoding, dict.fromkeys(pair for c in cells for pair in c.settings), findings)
    findings.stop()
    _check_numbers(study, cells, sent, "" if book is None else book.texts[book.book.file], kinds, findings)
    if study.plays:
        with study.node.catch(findings):
            check(game, playtest_of(study, replace(cells[0], players=())), away=away)
        findings.stop()
    for side, name in ((side, name) for side, of in said.players.items() for name in of):
        with study.node.section("players").part(side).catch(findings):
            check(game, playtest_of(study, replace(cells[0], players=((side, name),))), away=away)
    findings.stop()
    kinds.add(cells[0], game)
    for settings in _one_by_one([cell.settings for cell in cells]):
        with suppress(InputError):  # what the rules refuse is told by the cell that has it
            kinds.add(replace(cells[0], settings=settings), _under(sent, settings, cells[0].numbers))


def _one_by_one(every: Sequence[tuple[tuple[str, str], ...]]) -> Iterator[tuple[tuple[str, str], ...]]:
    """The first settings with each other value of each one of them."""
    first = every[0]
    for i, (name, value) in enumerate(first):
        others = dict.fromkeys(settings[i][1] for settings in every)
        yield from ((*first[:i], (name, other), *first[i + 1 :]) for other in others if other != value)


def _check_numbers(
    study: Study, cells: Sequence[StudyCell], sent: bytes, text: str, kinds: KeptColumns, findings: Findings
) -> None:
    """Finds out whether the rules refuse the smallest or the largest of a number."""
    least, most = ([pick(of) for of in zip(*(c.numbers for c in cells), strict=True)] for pick in (min, max))
    for i, numbers in enumerate(zip(least, most, strict=True)):
        place = study.node.section("numbers").part(numbers[0][0])
        if (count := text.count(numbers[0][0])) != 1:
            message = f"{quoted(numbers[0][0])} stands {count} times in {cells[0].game}, and has to stand there once"
            findings.add(place.diagnostic("wrong-value", message, key=True))
            continue
        for piece, n in dict.fromkeys(numbers):
            try:
                put = (*cells[0].numbers[:i], (piece, n), *cells[0].numbers[i + 1 :])
                kinds.add(replace(cells[0], numbers=put), _under(sent, cells[0].settings, put))
            except InputError as error:
                for d in error.diagnostics:
                    message = f"the rules refuse {column_of(piece)} with {n}: {d.message}"
                    findings.add(place.diagnostic(d.code, message, key=True))
    findings.stop()


def _loaded(study: Study, cell: StudyCell) -> tuple[Game, str]:
    """The game of a cell without its numbers, and a digest of all files that it is read from.

    Raises:
        InputError: It cannot be loaded.
    """
    beside = () if cell.beside == NONE else (study.path(cell.beside),)
    with files_noted() as files:
        game = Game.load(study.path(cell.game), None, dict(cell.settings), beside)
    texts = sorted(read_text(file).text for file, was in files.items() if was is not None)
    return game, _key(version("vclogic"), texts, _code(game.setup.request.name))


def game_of(study: Study, cell: StudyCell) -> Game:
    """The game of a cell, at its start.

    Raises:
        InputError: It cannot be loaded, or a number stands in its text not once.
    """
    return _under(pickle.dumps(_loaded(study, cell)[0]), cell.settings, cell.numbers)


@lru_cache(_GAMES)
def _under(sent: bytes, settings: tuple[tuple[str, str], ...], numbers: tuple[tuple[str, int], ...]) -> Game:
    """A game that was sent under other settings, and with other numbers in the text of its rulebook.

    Raises:
        InputError: The rules refuse them.
    """
    game: Game = pickle.loads(sent)
    if not numbers:
        return game.with_options(**dict(settings)) if settings else game
    request, book = game.setup.request, rulebook_of(game.setup.request.name)
    assert book is not None, "numbers are those of a text"
    texts, file = dict(book.texts), book.book.file
    for piece, number in numbers:
        if (count := texts[file].count(piece)) != 1:
            message = f"{quoted(piece)} stands {count} times in the rulebook, and has to stand there once"
            raise InputError(Diagnostic("wrong-value", message))
        texts[file] = texts[file].replace(piece, with_number(piece, number))
    layers = request.layers if is_file(request.name) else (scenario_layer(*request[:2]), *request.layers)
    overrides = (*request.overrides, *settings)
    setup = assemble(SetupSources(named_here(file, tuple(texts.items())), START, layers, overrides))
    return Game._started(setup, setup.record)


@cache
def _code(name: str) -> bytes:
    """A digest of the code and the data of an installed game; a rulebook's files are noted as they are read."""
    digest = hashlib.sha256()
    for file in () if is_file(name) else installed_files(name):
        with open(file, "rb") as opened:
            digest.update(opened.read())
    return digest.digest()


def _key(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:24]


def _answered(game: Game, ask: tuple[str, dict[str, Any]], keep: Sequence[tuple[str, str]]) -> Row:
    """The row of a question: the parts of its answer that are kept, or all that are plain values."""
    name, options = ask
    answer = getattr(game, name)(**options)
    if keep:
        return {column: _part(answer, path.split(".")) for column, path in keep}
    return {f.name: getattr(answer, f.name) for f in fields(answer)}  # those that are columns are written


def _part(of: Any, path: Sequence[str]) -> Any:
    """A part of an answer by its path, such as `outcomes.0.have`; how many there are of what is several."""
    for step in path:
        if isinstance(of, Mapping):
            of = of.get(step)
        elif isinstance(of, Sequence) and step.isdigit():
            of = of[int(step)] if int(step) < len(of) else None
        else:
            of = getattr(of, step, None)
    if of is None or isinstance(of, (str, int, float, bool)):
        return of
    return len(of) if isinstance(of, (Sequence, Mapping)) else str(of)


# ---- the workers


@contextmanager
def workers(on: str | None, number: int | None) -> Iterator[tuple[Executor, int]]:
    """An executor, and how many workers it has.

    Args:
        on: The address of a Dask scheduler, such as `tcp://10.0.0.1:8786`; None: processes of this machine.
        number: How many processes; None: one for each core.

    Raises:
        InputError: The library is missing, or nobody answers at the address.
    """
    if on is None:
        number = number or os.cpu_count() or 1
        with ProcessPoolExecutor(number, mp_context=get_context("spawn")) as pool:
            yield pool, number
        return
    try:
        from distributed import Client
    except ImportError as error:
        message = "a cluster needs Dask"
        raise InputError(Diagnostic("missing-library", message, help=_CLUSTER)) from error
    try:
        client = Client(on, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise InputError(Diagnostic("no-answer", f"no Dask scheduler answers at {on}: {error}")) from error
    # Blocks of lost workers go to others (`allowed-failures` of the scheduler); what raises would do so again.
    with client, client.get_executor(retries=0, pure=False) as executor:
        yield executor, max(sum(client.nthreads().values()), 1)  # of all workers


_PATIENCE = 10.0  # seconds until a scheduler has answered


def run(
    study: Study,
    folder: str,
    *,
    on: str | None = None,
    number: int | None = None,
    progress: Listener = silent,
    executor: Callable[[], Any] | None = None,
    whole: bool = True,
) -> Studied:
    """Run what of a study is not done yet.

    Args:
        study: The study.
        folder: Where its table is written; what is there and still belongs to the study is kept.
        on: The address of a Dask scheduler; None: processes of this machine.
        number: How many processes.
        progress: Called with what is being done.
        executor: Makes a context manager that gives an executor and its number of workers, in place of both.
        whole: Whether this is all of the study, so that what else is in the folder is out of date and deleted.

    Raises:
        InputError: Something in the study is wrong, a worker was lost for good, or the folder cannot be written.
            What was done by then is kept.
    """
    _library()
    into = StudyFolder(folder)
    wanted = list(blocks(study, away=on is not None))
    keys, there = tuple(dict.fromkeys(b.key for b in wanted)), into.there()
    todo = [b for b in {b.key: b for b in wanted}.values() if b.key not in there]
    done, began = 0, time.monotonic()
    if todo:
        with into.made(), workers(on, number) if executor is None else executor() as (pool, size):
            for _ in _each_done(pool, todo, size * _AHEAD, into):
                done += 1
                progress(Progress(_how_far(done, len(todo), time.monotonic() - began)))
    gone = into.keep_only(keys) if whole else 0  # after all is done: what is refused has deleted nothing
    rows = into.table(keys).num_rows
    return Studied(folder, rows, done, len(keys) - len(todo), gone, keys)


def _how_far(done: int, number: int, seconds: float) -> str:
    rate = done / max(seconds, 1e-6)
    left = (number - done) / rate
    return f"{done:,} of {number:,} blocks, {rate:.2g} a second, some {left:,.0f} s left"


def _each_done(pool: Executor, todo: Sequence[StudyBlock], ahead: int, into: StudyFolder) -> Iterator[StudyBlock]:
    """Hands blocks to workers, a few ahead, and writes their rows as they come."""
    waiting: dict[Future[list[Row]], StudyBlock] = {}
    left = iter(todo)
    try:
        while True:
            while len(waiting) < ahead and (block := next(left, None)) is not None:
                waiting[pool.submit(StudyBlock.rows, block)] = block
            if not waiting:
                return
            finished, _ = wait(waiting, return_when=FIRST_COMPLETED)
            for future in finished:
                block = waiting.pop(future)
                into.write(block.key, _result(future), dict(block.columns))
                yield block
    finally:
        for future in waiting:
            future.cancel()


def _result(future: Future[list[Row]]) -> list[Row]:
    try:
        return future.result()
    except Exception as error:
        if not _is_loss(error):  # it is the block that raised
            raise
        message = f"a worker was lost: {type(error).__name__} {error}".strip()
        help = "what was done is kept: run the study again and it goes on"
        raise InputError(Diagnostic("worker-lost", message, help=help)) from error


def _is_loss(error: Exception) -> bool:
    """True if a worker was lost, or its scheduler: the executor says that, and not the block."""
    own = type(error).__module__.partition(".")[0] == "distributed"
    return own or isinstance(error, BrokenExecutor | CancelledError)


def _library() -> None:
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        message = "a study writes its table with pyarrow, which is not installed"
        raise InputError(Diagnostic("missing-library", message, help=_EXTRA)) from error
