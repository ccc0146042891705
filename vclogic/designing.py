"""The commands for a game of one's own: `new` and `schema`."""

from __future__ import annotations

import click

from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.options import FORMAT, Reply


@click.command()
@click.argument("name", metavar="NAME")
@click.option("--folder", metavar="PATH", help="The folder to make. Default: NAME, in the working directory.")
@FORMAT
def new(name: str, folder: str | None) -> Reply:
    """Write a small complete game, to be made your own.

    A project with board, rules, scenario, rulings and tests; docs/own_game.md leads through it.
    """
    from vclogic.files.template import write_game

    return Reply("new", write_game(name, folder))


@click.command()
@click.argument("kind", metavar="[KIND]", default="position")
@click.argument("game", metavar="[GAME]", required=False)
@FORMAT
def schema(kind: str, game: str | None) -> Reply:
    """Print the JSON Schema of a kind of file, for editors.

    KIND is position (default), record, scenario, case or board. With a GAME it knows the game's names and values.
    """
    from vclogic.files.shapes.documents import KINDS, file_schema
    from vclogic.report import json

    if kind not in KINDS:
        help = did_you_mean(kind, KINDS)
        raise InputError(Diagnostic("unknown-name", f"there is no kind of file {quoted(kind)}", help=help))
    answer = file_schema(kind, game)
    return Reply("schema", answer, raw=json.dumps(answer))
