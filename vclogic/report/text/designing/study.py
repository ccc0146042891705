"""The report of a study: a table of its cells, players' strength, and where a rate is what was wanted."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from vclogic.words import amount, joined

if TYPE_CHECKING:
    from vclogic.studies.answer import StudyAnswer
    from vclogic.studies.balance import Balance
    from vclogic.studies.summary import CellSummary

_MOST = 40  # rows
_FEW = 2  # of a list


def study(answer: StudyAnswer) -> RenderableType:
    """The report of a study."""
    return Group(*_parts(answer))


def headline(answer: StudyAnswer) -> Text:
    """The number of rows, and what was done for them."""
    there = f", {answer.known:,} were there" if answer.known else ""
    gone = f"; {amount(answer.gone, 'parts')} out of date deleted" if answer.gone else ""
    return Text(f"{answer.rows:,} rows in {answer.folder}: {amount(answer.done, 'blocks')} done now{there}{gone}")


def _parts(answer: StudyAnswer) -> Iterator[RenderableType]:
    yield headline(answer)
    if answer.balance is not None:
        yield from _balance(answer.balance)
    if answer.cells:
        yield Text()
        yield _cells(answer)
        yield from _noted(answer)
        yield from _effects(answer)
    if answer.answers:
        yield Text()
        yield _answers(answer)
    if answer.elo:
        ranked = sorted(answer.elo.items(), key=lambda item: -item[1])
        yield Text(f"\nStrength in Elo points: {joined([f'{name} {points:,.0f}' for name, points in ranked])}")
    if answer.files:
        yield Text()
    for file in answer.files:
        yield Text(f"written: {file}")
    if answer.assumptions:
        yield Text("\nAssumptions")
        yield from (Text(f"  - {said}") for said in answer.assumptions)


def _cells(answer: StudyAnswer) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    sides = list(dict.fromkeys(side for cell in answer.cells for side in cell.wins))
    for name in (*answer.varying, "games", *(f"{side} win" for side in sides), "nobody", "events", "ended by"):
        table.add_column(name)
    for cell in answer.cells[:_MOST]:
        rates = [str(cell.wins[side]) if side in cell.wins else "" for side in sides]
        own = [str(cell.cell[name]) for name in answer.varying]
        by = [f"{name} {n}" for name, n in list(cell.outcomes.items())[:_FEW]]
        drawn, length = f"{cell.drawn.value:.1%}", f"{median(cell.lengths):g}"
        table.add_row(*own, f"{cell.games:,}", *rates, drawn, length, ", ".join(by))
    if len(answer.cells) > _MOST:
        table.add_row(f"... {len(answer.cells) - _MOST:,} more")
    return table


def _noted(answer: StudyAnswer) -> Iterator[Text]:
    """Oddities: events that never happened, sides that could do nothing, games without an end."""
    first: CellSummary = answer.cells[0]
    begun = sum(c.first.count for c in answer.cells), sum(c.first.of for c in answer.cells)
    if begun[1]:
        yield Text(f"\nWho decided first won {begun[0] / begun[1]:.1%} of the games.")
    unused = set(first.unused).intersection(*(c.unused for c in answer.cells))
    if unused:
        yield Text(f"Never happened in any game: {joined([k for k in first.unused if k in unused])}")
    for ended, said in (
        ("stuck", "a side had nothing legal"),
        ("longest", "play was broken off, since it was too long"),
    ):
        number = sum(c.ended.get(ended, 0) for c in answer.cells)
        if number:
            yield Text(f"In {amount(number, 'games')} {said}.")


def _effects(answer: StudyAnswer) -> Iterator[Text]:
    """The effect of each of the things that vary, by itself."""
    for i, effect in enumerate(answer.effects):
        said = ", ".join(f"{value}: {of.value:.1%}" for value, of in effect.rates[:_MOST])
        yield Text(f"{'' if i else chr(10)}Won by {effect.side}, by {effect.name}: {said}")


def _answers(answer: StudyAnswer) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    names = list(dict.fromkeys(name for row in answer.answers for name in row))
    for name in names:
        table.add_column(name)
    for row in answer.answers[:_MOST]:
        table.add_row(*("" if row.get(name) is None else str(row[name]) for name in names))
    if len(answer.answers) > _MOST:
        table.add_row(f"... {len(answer.answers) - _MOST:,} more")
    return table


def _balance(found: Balance) -> Iterator[Text]:
    yield Text(f"\n{found}")
    for value, of in found.tried:
        yield Text(f"  {found.varied} {value}: {of}")
    for a, b in found.against:
        yield Text(f"  from {a} to {b} it goes the other way: the answer may be wrong")
