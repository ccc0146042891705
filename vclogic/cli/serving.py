"""The command that answers others: a page in the browser, or programs in other languages."""

from __future__ import annotations

import os
import sys
from contextlib import redirect_stdout
from typing import TextIO

import click

from vclogic.cli.options import FORMAT
from vclogic.cli.terminal import write
from vclogic.errors import Diagnostic, InputError

PORT = 8724
"""The port of the page, unless another one is asked for."""
MOST_WORKERS = 64
"""So many questions may be worked on at once; each takes a process."""


@click.command()
@click.argument("folder", metavar="[FOLDER]", required=False)
@click.option("--port", type=int, metavar="N", help=f"The page's port; 0: any that is free. Default: {PORT}.")
@click.option("--open", "opened", is_flag=True, help="Open the page in the browser.")
@click.option("--stdio", is_flag=True, help="Requests on standard input, answers on standard output, a line each.")
@click.option("--workers", type=int, metavar="N", help="How many questions are worked on at once. Default: as cores.")
@click.option(
    "--moments", type=int, metavar="N", help="With --stdio: how many moments may be held. Default: 100,000."
)
@FORMAT
@click.pass_context
def serve(
    context: click.Context,
    folder: str | None,
    port: int | None,
    opened: bool,
    stdio: bool,
    workers: int | None,
    moments: int | None,
) -> None:
    """Show a board to click in the browser, or answer requests of another program.

    The page is for this machine alone; it may open the position files of FOLDER, by default the working directory.
    docs/page.md tells of it. With --stdio each line is a request, such as {"id": 1, "ask": "load", "game":
    "axis_allies"}, and gets a line with its answer: the documents of --format json. docs/serve.md has the protocol.
    """
    from vclogic.child_process import APART

    if not APART:
        help = "in Windows, use the Subsystem for Linux (WSL); all other commands answer here too"
        raise InputError(Diagnostic("not-here", "`serve` needs Linux, macOS or the like", help=help))
    many = workers if workers is not None else min(max(os.cpu_count() or 1, 2), MOST_WORKERS)
    if not 1 <= many <= MOST_WORKERS:
        message = f"expected a whole number from 1 to {MOST_WORKERS}: each worker is a process"
        raise InputError(Diagnostic("out-of-range", message, "--workers"))
    if not stdio:
        if moments is not None:
            raise InputError(Diagnostic("usage", "--moments is for --stdio: the page holds no moments"))
        _page(folder or os.curdir, PORT if port is None else port, many, opened, context.obj)
        return
    if folder is not None or port is not None or opened:
        raise InputError(Diagnostic("usage", "FOLDER, --port and --open are for the page: leave out --stdio"))
    from vclogic.query.resolved_question import check_numbers
    from vclogic.serve.session import MOST_MOMENTS
    from vclogic.serve.stdio import serve as answer
    from vclogic.streams import own_input

    most = moments if moments is not None else MOST_MOMENTS
    check_numbers(moments=most)
    if sys.__stdin__ is None or context.obj is None:
        raise InputError(Diagnostic("cannot-read", "there is no standard input, or no standard output"))
    # A print of a game must not get between the answers.
    with redirect_stdout(sys.stderr):
        code = answer(own_input(), context.obj.fileno(), many, most)
    context.exit(code)


def _page(folder: str, port: int, processes: int, opened: bool, out: TextIO | None) -> None:
    """Serve the page until the user ends it."""
    try:
        from vclogic.serve.web.server import serve_page
    except ImportError as error:
        if not error.name or error.name.partition(".")[0] == "vclogic":
            raise
        help = "pip install 'vclogic[serve]'; or `vclogic serve --stdio`, which needs nothing"
        raise InputError(Diagnostic("missing-package", f"the page needs {error.name}", help=help)) from error

    def ready(address: str) -> None:
        where = f"files of {os.path.abspath(folder)}" if folder != os.curdir else "files of this folder"
        said = f"{address}\nIt shows the installed games and {where}, to this machine alone. Ctrl+C ends it."
        write(out, f"{said}\n")  # at once: what a command says otherwise waits for its end
        if opened:
            click.launch(address)

    serve_page(folder, port, processes, ready)
