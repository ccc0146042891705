"""The commands for a game of one's own: `new` and `schema`."""

from __future__ import annotations

import click

from vclogic.cli.options import FORMAT, Reply
from vclogic.errors import Diagnostic, InputError


@click.command()
@click.argument("name", metavar="NAME", required=False)
@click.option(
    "--case", "game", metavar="GAME", help="Write a file of rulings on GAME to fill in; NAME is the file then."
)
@click.option(
    "--folder",
    metavar="PATH",
    help="The folder to make. Default: NAME, in the working directory. With --case: the folder to write into.",
)
@FORMAT
def new(name: str | None, game: str | None, folder: str | None) -> Reply:
    """Write a small complete game, to change into your own; or rulings on a game, to fill in.

    A project with board, rules, scenario, rulings and tests; docs/own_game.md leads through it. With --case a file of
    rulings that hold as they are, with remarks that say what may stand where.
    """
    if game is not None:
        from vclogic.query.new_case import write_case

        return Reply("new_case", write_case(game, name, folder))
    if name is None:
        help = "vclogic new my_game writes a game; vclogic new --case GAME writes rulings on a game that there is"
        raise InputError(Diagnostic("usage", "the name of the new game is missing", help=help))
    from vclogic.files.template import write_game

    return Reply("new", write_game(name, folder))


@click.command()
@click.argument("kind", metavar="[KIND]", default="position")
@click.argument("game", metavar="[GAME]", required=False)
@FORMAT
def schema(kind: str, game: str | None) -> Reply:
    """Print the JSON Schema of a kind of file, for editors, or of an answer.

    KIND is position (default), record, scenario, case, board or rules (what `outcomes:` may hold as a document); with
    a GAME it knows the game's names and values. Or it is an answer in JSON: ask, plan, reach, compare, solve or odds;
    or a line of `serve`: request or reply.
    """
    from vclogic.report import json
    from vclogic.serve.schemas import schema_of

    answer = schema_of(kind, game)
    return Reply("schema", answer, raw=json.dumps(answer))
