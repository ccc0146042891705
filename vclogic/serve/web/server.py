"""The local server of the page: its files, the questions, word of changes, and its start."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable
from contextlib import aclosing, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import h11
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

import vclogic
from vclogic import __version__
from vclogic.errors import Diagnostic, InputError
from vclogic.serve.web.changes import Changes
from vclogic.serve.web.guard import Busy, RequestRefused, check_origin, read_question
from vclogic.serve.web.serve_processes import ServeProcesses

LOOPBACK = "127.0.0.1"
MOST_CONNECTIONS = 200
"""So many connections may be open at once; further ones get 503."""
HEADER_TIME = 10.0
"""Seconds in which a connection has to say what it wants."""
_MOST_HEADERS = 16_384

SEND_TIME = 30.0
"""Seconds in which a client has to take a part of an answer."""
_BEAT = 20.0  # seconds between two signs of life of a stream of changes
_TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".mjs": "text/javascript",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".png": "image/png",
}
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:;"
    " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
_HEADERS = {
    b"content-security-policy": _POLICY.encode(),
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-resource-policy": b"same-origin",
    b"cache-control": b"no-cache",
}


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


def serve_page(folder: str, port: int, processes: int, ready: Callable[[str], None]) -> None:
    """Serve the page until the process is told to end.

    Args:
        folder: The folder whose files may be opened.
        port: The port; 0: any that is free.
        processes: How many processes answer.
        ready: Called with the address, once the page can be opened.

    Raises:
        InputError: The port is taken or not allowed, or there is no such folder.
    """
    if not os.path.isdir(folder):
        raise InputError(Diagnostic("no-such-file", f"there is no folder {folder!r}", folder))
    page = page_folder()
    with _listening(port) as listening:
        taken = listening.getsockname()[1]
        answering, changes = ServeProcesses(processes, os.path.abspath(folder)), Changes(os.path.abspath(folder))
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


def application(page: Path, processes: ServeProcesses, changes: Changes, port: int) -> ASGIApp:
    """The server.

    Args:
        page: The folder with the page's files.
        processes: Answer the questions.
        changes: Tells when rules or files have changed.
        port: The port, which the address of the page has to name.
    """

    @asynccontextmanager
    async def running(app: Starlette) -> AsyncIterator[None]:
        await processes.start()
        watching = asyncio.create_task(changes.watch(processes.renew))
        try:
            yield
        finally:
            watching.cancel()
            await processes.end()

    async def about(request: Request) -> Response:
        return JSONResponse({"backend": "server", "version": __version__, "folder": True})

    async def ask(request: Request) -> Response:
        return _Replies(processes, dict(await read_question(request)))

    async def changed(request: Request) -> Response:
        return _ChangeStream(changes, request.headers.get("last-event-id"))

    files = {
        "/" + f.relative_to(page).as_posix(): f
        for f in page.rglob("*")
        if f.suffix in _TYPES and not f.name.endswith(".d.mts")
    }
    routes = [Route(path, _file(file)) for path, file in files.items()]
    routes += [Route("/", _file(page / "index.html")), Route("/about.json", about)]
    routes += [Route("/ask", ask, methods=["POST"]), Route("/changes", changed)]
    app = Starlette(routes=routes, lifespan=running, exception_handlers={RequestRefused: _refused})
    return _guarded(app, port)


def _file(file: Path) -> Callable[[Request], Awaitable[Response]]:
    async def send(request: Request) -> Response:
        return FileResponse(file, media_type=_TYPES[file.suffix])

    return send


def _guarded(app: ASGIApp, port: int) -> ASGIApp:
    """The server, for requests of this machine's own pages alone, with what keeps its answers to itself."""

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return

        async def sent(message: Any) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *_HEADERS.items()]
            await send(message)

        try:
            check_origin(Request(scope), port)
        except RequestRefused as refused:
            await _said(refused.status, refused.reason)(scope, receive, sent)
            return
        await app(scope, receive, sent)

    return guarded


def _said(status: int, reason: str, **headers: str) -> Response:
    return JSONResponse({"error": reason}, status, headers)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestRefused)
    return _said(error.status, error.reason)


async def _gone(receive: Receive) -> None:
    """Waits until the client goes."""
    while (await receive())["type"] != "http.disconnect":
        pass


class _Stream(Response):
    """A response that is sent part by part, until the client goes or takes no more."""

    media_type = "text/plain"

    def parts(self) -> AsyncGenerator[bytes, None]:
        """The parts.

        Raises:
            Busy: There is none: too much is asked.
        """
        raise NotImplementedError

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
        sending, gone = asyncio.create_task(self._send(scope, receive, send)), asyncio.create_task(_gone(receive))
        try:
            await asyncio.wait((sending, gone), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (sending, gone):
                task.cancel()
            with suppress(asyncio.CancelledError, TimeoutError):
                await sending

    async def _send(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = False
        try:
            async with aclosing(self.parts()) as parts:
                async for part in parts:
                    if not begun:
                        begun = True
                        head = [(b"content-type", self.media_type.encode() if self.media_type else b"")]
                        await send({"type": "http.response.start", "status": 200, "headers": head})
                    message = {"type": "http.response.body", "body": part, "more_body": True}
                    await asyncio.wait_for(send(message), SEND_TIME)
        except Busy as busy:
            await _said(busy.status, busy.reason, **{"retry-after": "1"})(scope, receive, send)
            return
        await send({"type": "http.response.body", "body": b"", "more_body": False})


class _Replies(_Stream):
    """The replies to a question, a line each."""

    media_type = "application/x-ndjson"

    def __init__(self, processes: ServeProcesses, question: dict[str, Any]):
        super().__init__()
        self._processes, self._question = processes, question

    def parts(self) -> AsyncGenerator[bytes, None]:
        """The lines."""
        return self._processes.ask(self._question)


class _ChangeStream(_Stream):
    """Word of each change of rules or files, as server-sent events."""

    media_type = "text/event-stream"

    def __init__(self, changes: Changes, last: str | None):
        super().__init__()
        self._changes, self._last = changes, last

    async def parts(self) -> AsyncGenerator[bytes, None]:
        """An event for each change, with its number; and signs of life.

        Who comes again and has not seen the last change, or comes from another server, is told so at once.
        """
        changes = self._changes
        with changes.listening():
            seen = changes.number
            yield f": listening\nid: {changes.id}\n\n".encode()
            if self._last is not None and self._last != changes.id:
                yield self._change()
            while not changes.closed:
                with suppress(TimeoutError):
                    await asyncio.wait_for(changes.after(seen), _BEAT)
                if changes.number > seen:
                    seen = changes.number
                    yield self._change()
                elif not changes.closed:
                    yield b": still here\n\n"

    def _change(self) -> bytes:
        return f"event: change\nid: {self._changes.id}\ndata: {self._changes.number}\n\n".encode()
