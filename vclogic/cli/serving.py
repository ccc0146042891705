"""The command for programs in other languages: `serve`."""

from __future__ import annotations

import os
import sys
from contextlib import redirect_stdout

import click

from vclogic.cli.options import FORMAT
from vclogic.errors import Diagnostic, InputError


@click.command()
@click.option("--stdio", is_flag=True, help="Requests on standard input, answers on standard output, a line each.")
@click.option("--workers", type=int, metavar="N", help="How many questions are worked on at once. Default: as cores.")
@click.option("--moments", type=int, metavar="N", help="How many moments of games may be held. Default: 100,000.")
@FORMAT
@click.pass_context
def serve(context: click.Context, stdio: bool, workers: int | None, moments: int | None) -> None:
    """Answer requests of another program, in JSON.

    Each line is a request, such as {"id": 1, "ask": "load", "game": "axis_allies"}, and gets a line with its answer:
    the documents of --format json. docs/serve.md has the protocol.
    """
    from vclogic.query.plan_request import check_numbers
    from vclogic.serve.session import MOST_MOMENTS
    from vclogic.serve.stdio import serve as answer

    if not stdio:
        help = "write `vclogic serve --stdio`: requests on standard input, answers on standard output"
        raise InputError(Diagnostic("missing-option", "--stdio is missing", help=help))
    many = workers if workers is not None else max(os.cpu_count() or 1, 2)
    most = moments if moments is not None else MOST_MOMENTS
    check_numbers(limit=many, option="--workers")
    check_numbers(limit=most, option="--moments")
    channel = _own_channel()
    with redirect_stdout(sys.stderr):
        code = answer(*channel, many, most)
    context.exit(code)


def _own_channel() -> tuple[int, int]:
    """File descriptors for requests and answers that nothing else reads or writes by accident.

    What a game or a library prints goes to standard error; standard input is empty for them.
    """
    if sys.__stdin__ is None or sys.__stdout__ is None:
        raise InputError(Diagnostic("cannot-read", "there is no standard input, or no standard output"))
    nothing = os.open(os.devnull, os.O_RDWR)
    if nothing == 2:  # standard error is closed: what goes there goes nowhere
        nothing = os.dup(nothing)
    channel = os.dup(0), os.dup(1)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    return channel
