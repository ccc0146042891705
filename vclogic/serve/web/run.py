"""Starts the local server."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

import vclogic
from vclogic.errors import Diagnostic, InputError
from vclogic.serve.web.app import application
from vclogic.serve.web.changes import Changes
from vclogic.serve.web.desks import Desks

LOOPBACK = "127.0.0.1"
MOST_CONNECTIONS = 200
"""So many connections may be open at once; further ones get 503."""
HEADER_TIME = 10.0
"""Seconds in which a connection has to say what it wants."""
_MOST_HEADERS = 16_384


def page_folder() -> Path:
    """The folder with the page's files: in the package, or in a checkout beside it.

    Raises:
        InputError: It is missing.
    """
    package = Path(vclogic.__file__).parent
    for folder in (package / "page", package.parent / "page" / "src"):
        if (folder / "index.html").is_file():
            return folder
    raise InputError(Diagnostic("no-such-file", "the page's files are missing", help="install vclogic anew"))


def serve_page(folder: str, port: int, desks: int, ready: Callable[[str], None]) -> None:
    """Serve the page until the process is told to end.

    Args:
        folder: The folder whose files may be opened.
        port: The port; 0: any that is free.
        desks: How many processes answer.
        ready: Called with the address, once the page can be opened.

    Raises:
        InputError: The port is taken or not allowed, or there is no such folder.
    """
    if not os.path.isdir(folder):
        raise InputError(Diagnostic("no-such-file", f"there is no folder {folder!r}", folder))
    page = page_folder()
    with _listening(port) as listening:
        taken = listening.getsockname()[1]
        answering, changes = Desks(desks, os.path.abspath(folder)), Changes(os.path.abspath(folder))
        config = uvicorn.Config(
            application(page, answering, changes, taken),
            http=Patient,
            ws="none",
            lifespan="on",
            log_level="error",
            access_log=False,
            server_header=False,
            limit_concurrency=MOST_CONNECTIONS,
            h11_max_incomplete_event_size=_MOST_HEADERS,
            timeout_graceful_shutdown=2,
        )
        server = _PageServer(config, lambda: ready(f"http://{LOOPBACK}:{taken}/"), (changes.close, answering.close))
        asyncio.run(server.serve([listening]))


def _listening(port: int) -> socket.socket:
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((LOOPBACK, port))
    except (OSError, OverflowError) as error:
        found.close()
        help = "choose another one with --port, or --port 0 for any that is free"
        reason = error.strerror if isinstance(error, OSError) else "ports go up to 65535"
        raise InputError(Diagnostic("bad-value", f"port {port}: {reason}", "--port", help=help)) from error
    return found


class _PageServer(uvicorn.Server):
    """Says when it can be asked, and when it is about to end."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None], ending: Iterable[Callable[[], None]]):
        super().__init__(config)
        self._ready, self._ending = ready, ending

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End what is still sent, and the server."""
        for end in self._ending:
            end()
        await super().shutdown(sockets)


class Patient(H11Protocol):
    """A connection that is closed once it has not said for `HEADER_TIME` what it wants, or says more than it may."""

    def connection_made(self, transport: Any) -> None:
        """Begin to listen to it."""
        super().connection_made(transport)
        self._said = self.loop.time()
        self._look()

    def data_received(self, data: bytes) -> None:
        """Take what the client says.

        A client that says more before its answer is there is not listened to any longer: reading stops until then, so
        that nobody would notice when it goes.
        """
        super().data_received(data)
        waits = self.cycle is not None and not self.cycle.response_complete
        if waits and self.conn.their_state is h11.DONE and self.conn.trailing_data[0]:
            self.transport.abort()

    def on_response_complete(self) -> None:
        """Give it the time anew to say what it wants next."""
        self._said = self.loop.time()
        super().on_response_complete()

    def _look(self) -> None:
        if self.transport.is_closing():
            return
        now = self.loop.time()
        if self.cycle is not None and not self.cycle.response_complete:
            self._said = now
        if now - self._said > HEADER_TIME:
            self.transport.close()
        else:
            self.loop.call_later(HEADER_TIME / 4, self._look)
