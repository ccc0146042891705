"""The command for a ruling: `ask`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vclogic.cli.options import FORMAT, GAME, NO, TIME, UNKNOWN, YES, Reply, Settings, load, output_file
from vclogic.cli.terminal import progress_shown
from vclogic.errors import Diagnostic, InputError

if TYPE_CHECKING:
    from vclogic.game import Game
    from vclogic.query.ruling.answer import Ruled


@click.command()
@GAME
@click.argument("question", metavar="QUESTION")
@click.option(
    "--explain",
    type=click.Choice(["all"]),
    metavar="=all",
    help="Add everything that it rests on, met or not.",
)
@click.option("--all-readings", is_flag=True, help="Also list each other value of each Reading, with the answer.")
@click.option("--sheet", metavar="FILE.md", callback=output_file, help="Also write a ruling sheet, to print or cite.")
@click.option("-o", "--output", metavar="FILE.svg", callback=output_file, help="Also draw what decides it.")
@TIME
@FORMAT
def ask(
    game: str,
    at: str | None,
    settings: Settings,
    question: str,
    explain: str | None,
    all_readings: bool,
    sheet: str | None,
    output: str | None,
    timeout: float,
) -> Reply:
    """Ask for a ruling: what, why, and by which Reading.

    QUESTION is an expression ('controls_building(German, 22U3)'), an event as in a record
    ('place: {power: Germans, unit: infantry, territory: Kiev}'), or an outcome with its side ('major_victory Axis').

    Exit codes: 0 yes, or it has that value; 1 no; 3 undefined.
    """
    from vclogic.files.output import check_outputs, write_text
    from vclogic.files.source import STDIN

    start = load(game, at, settings)
    check_outputs({"--sheet": sheet, "-o": output}, start.setup.files)
    if output == STDIN:
        message = "the ruling is printed there, so the picture cannot be"
        raise InputError(Diagnostic("usage", message, "-o", help="name a file for the picture"))
    if output is not None:
        start.picture()  # a game without pictures is told before anything is looked for
    with progress_shown() as progress:
        answer = start.ask(
            question, explain=explain == "all", all_readings=all_readings, timeout=timeout, progress=progress
        )
    if sheet is not None:
        write_text(sheet, _sheet(start, answer))
    if output is not None:
        write_text(output, start.svg(answer))
    code = UNKNOWN if answer.value is None else NO if answer.value is False else YES
    return Reply("ask", answer, code)


def _sheet(start: Game, answer: Ruled) -> str:
    """The ruling sheet of today."""
    import datetime

    from vclogic.report.sheet import sheet

    today = datetime.datetime.now(tz=datetime.UTC).date()
    title, stands = start.setup.encoding.title, start.status(position=True).position
    return sheet(answer, title=title, position=start.written(), date=today, stands=stands)
