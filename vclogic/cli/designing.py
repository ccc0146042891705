"""The commands for a game of one's own: `new` and `schema`."""

from __future__ import annotations

import click

from vclogic.cli.options import FORMAT, Reply


@click.command()
@click.argument("name", metavar="NAME")
@click.option("--folder", metavar="PATH", help="The folder to make. Default: NAME, in the working directory.")
@FORMAT
def new(name: str, folder: str | None) -> Reply:
    """Write a small complete game, to change into your own.

    A project with board, rules, scenario, rulings and tests; docs/own_game.md leads through it.
    """
    from vclogic.files.template import write_game

    return Reply("new", write_game(name, folder))


@click.command()
@click.argument("kind", metavar="[KIND]", default="position")
@click.argument("game", metavar="[GAME]", required=False)
@FORMAT
def schema(kind: str, game: str | None) -> Reply:
    """Print the JSON Schema of a kind of file, for editors, or of an answer.

    KIND is position (default), record, scenario, case or board; with a GAME it knows the game's names and values.
    Or it is an answer in JSON: plan, reach, compare, solve or odds; or a line of `serve`: request or reply.
    """
    from vclogic.report import json
    from vclogic.serve.schemas import schema_of

    answer = schema_of(kind, game)
    return Reply("schema", answer, raw=json.dumps(answer))
