"""The process that answers questions apart, one after the other; it is told of the games by those who asked."""

from __future__ import annotations

import json
import os
import pickle
import queue
import sys
import threading
import time
from base64 import b64decode
from collections.abc import Mapping
from io import FileIO
from typing import Any

from vclogic.game import Game
from vclogic.progress import Listener, Progress, silent
from vclogic.report.json import Document, document
from vclogic.serve.protocol import Request, answer_line, error_document, progress_line, read_request
from vclogic.serve.requests import KINDS, Kind, call
from vclogic.serve.schemas import schema_of
from vclogic.watchdog import Endless, endless_calls_ended

ANSWER, PROGRESS = b"a", b"p"
"""The first byte of each line of a worker: whether it is the answer or comes before it."""
_LEAST = 1e-6  # seconds for a question whose time was up before it began: its answer says what is known at once


def main() -> None:
    """Answer the questions on standard input until it ends.

    The process ends at once where its owner does, even while it works. What a game or a library prints goes to
    standard error.
    """
    out = FileIO(os.dup(1), "w")
    lines = os.fdopen(os.dup(0), "rb")
    os.dup2(2, 1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    sys.stdout = sys.stderr
    asked: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def listen() -> None:
        for line in lines:
            asked.put(line)
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    while True:
        known, line = json.loads(asked.get()), asked.get()
        arrived = time.monotonic() - known["waited"]
        request = read_request(line)
        assert request is not None
        _write(out, ANSWER + answer_line(request.id, _answer(known, request, arrived, out)))


def _answer(known: Mapping[str, Any], request: Request, arrived: float, out: FileIO) -> Document:
    try:
        with endless_calls_ended():
            kind = KINDS[request.ask]
            return _document(kind, kind.read(request), known["moments"], request, arrived, out)
    except (Exception, Endless) as error:
        return error_document(error)


def _document(
    kind: Kind,
    keys: Any,
    moments: Mapping[str, Any],
    request: Request,
    arrived: float,
    out: FileIO,
) -> Document:
    if kind.name == "schema":
        return document("schema", schema_of(keys.kind, keys.game))
    at: dict[str, Game] = {key: pickle.loads(b64decode(moment)) for key, moment in moments.items()}
    game = at.pop("moment")

    def tell(progress: Progress) -> None:
        _write(out, PROGRESS + progress_line(request.id, progress))

    listener: Listener = tell if keys.progress else silent
    timeout = keys.timeout
    if timeout > 0:
        timeout = max(timeout - (time.monotonic() - arrived), _LEAST)
    answer = call(kind, game, request, keys, timeout=timeout, progress=listener, **at)
    return document(kind.document, answer)


def _write(out: FileIO, line: bytes) -> None:
    while line:
        line = line[out.write(line) :]
