"""The process at a desk: answers requests as `serve --stdio` does, and reads the files of its folder alone."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout

from vclogic.files.source import confine
from vclogic.serve.stdio import own_channel, serve

WORKERS = 1
"""So many questions that ask solvers a desk works on at once."""


def main() -> None:
    """Answer the requests on standard input until it ends."""
    confine()
    channel = own_channel()
    with redirect_stdout(sys.stderr):
        sys.exit(serve(*channel, WORKERS))
