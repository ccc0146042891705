"""The commands about play against an opponent."""

from __future__ import annotations

from typing import Any

import click

from vclogic.cli.options import FORMAT, GAME, RECORD, TIME, UNKNOWN, YES, Reply, Settings, load, output_file
from vclogic.cli.terminal import progress_shown


@click.command()
@GAME
@click.option("--max-positions", type=int, metavar="N", help="Look at no more positions than about so many.")
@click.option("--table", metavar="FILE", callback=output_file, help="Also write best play from every position (npz).")
@click.option("--no-check", "unchecked", is_flag=True, help="Leave out the check of every position at the end.")
@TIME
@RECORD
@FORMAT
def solve(
    game: str,
    at: str | None,
    settings: Settings,
    table: str | None,
    record: str | None,
    unchecked: bool,
    **asked: Any,
) -> Reply:
    """Find out who wins a small game if both sides play well.

    Every position that play can reach is looked at. For games of two sides.
    """
    from vclogic.files.output import check_outputs, write_bytes, write_text

    start = load(game, at, settings)
    check_outputs({"--table": table, "--record": record}, start.setup.files)
    with progress_shown() as progress:
        answer = start.solve(progress=progress, check=not unchecked, **asked)
    files: dict[str, object] = {}
    if table is not None and answer.table is not None:
        write_bytes(table, answer.table.as_bytes())
        files["table"] = table
    if record is not None and answer.record is not None:
        write_text(record, start.written(answer.record.events or ()))
        files["file"] = record
    return Reply("solve", answer, YES if answer.status == "solved" else UNKNOWN, choices=files)
