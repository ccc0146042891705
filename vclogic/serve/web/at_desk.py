"""The process at a desk: answers requests as `serve --stdio` does, and reads the files of its folder alone."""

from __future__ import annotations

import os
import sys
import threading
import time

from vclogic.files.source import confine
from vclogic.serve.processes import kill
from vclogic.serve.stdio import serve
from vclogic.streams import own_input, own_output

WORKERS = 1
"""So many questions that ask solvers a desk works on at once."""
_PAUSE = 0.5  # seconds between two looks whether the server is still there


def main(server: int) -> None:
    """Answer the requests on standard input until it ends.

    Args:
        server: The process of the server. Once it is gone, this process ends with all that it has started, even
            while a rule does not return.
    """
    threading.Thread(target=_end_with, args=(server,), daemon=True).start()
    confine()
    # What is answered is told before the next one's turn.
    sys.exit(serve(own_input(), own_output(), WORKERS, most_unread=1))


def _end_with(server: int) -> None:
    while os.getppid() == server:
        time.sleep(_PAUSE)
    kill(os.getpid())
