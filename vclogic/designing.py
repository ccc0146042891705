"""The commands for a game of one's own: `new` and `schema`."""

from __future__ import annotations

import click

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
