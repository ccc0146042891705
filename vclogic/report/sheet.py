"""A ruling sheet: one ruling with all that it rests on, as Markdown to print, to keep and to cite."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence

from vclogic import __version__
from vclogic.query.ask.answer import Because, OtherRuling, Ruled
from vclogic.query.status.position import PositionPart
from vclogic.report.markdown import code, fenced, listed, said, section, table
from vclogic.report.text.ask import (
    ASSUMED,
    answer_in_words,
    assumed_in_words,
    clauses_in_words,
    closing,
    facts_in_words,
    place_of,
    sets_in_words,
    worked_in_words,
)
from vclogic.report.text.page import bracketed
from vclogic.report.text.status import heads, left_out, rows


def sheet(
    answer: Ruled, *, title: str, position: str, date: datetime.date, stands: Sequence[PositionPart] = ()
) -> str:
    """A ruling sheet.

    Args:
        answer: The ruling.
        title: The game's full name.
        position: The position as a position file, with its record: what reproduces the ruling.
        date: The day that the sheet bears.
        stands: The parts of the position that are told in words: `position` of `Game.status(position=True)`.

    Returns:
        Markdown.
    """
    parts: list[str] = [
        "# Ruling",
        f"**{said(answer.text)}**",
        f"{said(title)} ({said(answer.game)}), {date.isoformat()}",
        *section("Question", [code(answer.question)]),
        *section("Situation", _situation(answer, position, stands)),
        *section("Reasons", [x for b in answer.because for x in _because(b)]),
        *section("Clauses", _clauses(answer, "for")),
        *section("What speaks against it", _clauses(answer, "against")),
        *([said(f"{answer.reason[0].upper()}{answer.reason[1:]}.")] if answer.reason else []),
        *section("Readings", _readings(answer)),
        *section("Rulings on these clauses", [listed(_precedents(answer))]),
        *section("Not checked", [listed(map(said, answer.not_judged))]),
        *section("Assumptions", [listed(map(said, answer.assumptions))]),
        *section("Made with", [said(f"vclogic {__version__}, game {answer.game.partition('/')[0]}")]),
    ]
    return "\n\n".join(parts) + "\n"


def _situation(answer: Ruled, position: str, stands: Sequence[PositionPart]) -> Iterator[str]:
    """The position as a file has it; in words, after the record; and what of it decides and nobody gave."""
    yield fenced(position, "yaml")
    told = [x for part in stands for x in _stands(part)]
    if told:
        yield "As it stands when the question is asked:"
        yield from told
    if answer.assumed:
        yield f"What decides and nobody gave ({ASSUMED}):"
        yield listed(map(said, assumed_in_words(answer.assumed)))


def _stands(part: PositionPart) -> Iterator[str]:
    """A part of the position: a table, and how much is as usual."""
    if part.things:
        yield f"**{said(part.title)}**"
        yield table(heads(part), rows(part))
    if part.left_out:
        yield said(left_out(part) if part.things else f"{part.title}: {left_out(part)}")


def _because(because: Because) -> Iterator[str]:
    yield said(because.text + bracketed(because.clauses))
    if because.addends or because.need is not None:
        yield listed(map(said, worked_in_words(because)))
        yield "These facts decide it:" if because.facts else ""
    yield listed(map(said, facts_in_words(because.facts)))


def _clauses(answer: Ruled, speaks: str) -> Iterator[str]:
    """The sentences of the clauses, each once."""
    sentences = clauses_in_words(c for c in answer.clauses if c.speaks == speaks)
    sources = {c.clause: c.source for c in answer.clauses}
    lines = []
    for says, ids in sentences:
        texts = dict.fromkeys(sources[i] for i in ids)
        lines.append(said(f"{', '.join(ids)} ({', '.join(texts)}): {says}"))
    yield listed(lines)


def _readings(answer: Ruled) -> Iterator[str]:
    """The Readings that change the ruling; and each alone, where all were asked for."""
    yield listed(_if(answer, found) for found in answer.readings.changing)
    yield said(closing(answer.readings))
    if answer.readings.alone:
        alone = (
            (sets_in_words(found), answer_in_words(answer, found), "; ".join(found.says))
            for found in answer.readings.alone
        )
        yield table(("If", "The answer is", "That means"), alone)


def _if(answer: Ruled, found: OtherRuling) -> str:
    means = said(f"({'; '.join(found.says)}){bracketed(found.clauses)}")
    return f"{said('if ' + sets_in_words(found))}: **{said(answer_in_words(answer, found))}** {means}"


def _precedents(answer: Ruled) -> Iterator[str]:
    for p in answer.precedents:
        yield said(f"{p.name}{bracketed(p.shared)} {place_of(p)}")
