"""The page's server: what hostile requests get, and that nothing is left of clients or of its processes."""

from __future__ import annotations

import http.client
import json
import os
import re
import selectors
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.pace import BUSY, HANGS
from tests.fixtures.processes import below, eventually, runs
from tests.fixtures.web_server import LONG, Serving, all_of, serving, unchunked
from vclogic.serve.web.changes import MOST_LISTENING

SECRET = "the secret of another folder"
AXIS = {"game": "axis_allies", "settings": {}, "steps": []}
QUICK = {"ask": "status", "moment": AXIS}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    folder = tmp_path_factory.mktemp("outer")
    (folder / "secret.yaml").write_text(f"game: axis_allies\ntitle: {SECRET}\n")
    inner = folder / "served"
    inner.mkdir()
    (inner / "own.yaml").write_text("game: axis_allies\ntitle: a file of one's own\n")
    (inner / "leads_out.yaml").symlink_to(folder / "secret.yaml")
    with serving(inner) as found:
        yield found


# ---- hostile requests


@dataclass(frozen=True)
class Row:
    """A hostile request.

    Attributes:
        sends: What is sent.
        gets: The status of the response; None: the connection is closed without one.
        says: A part of what is said.
        code: The code of the error that a response of status 200 bears.
        waits: Whether the server waits for more until its time is up.
    """

    sends: Callable[[Serving], list[bytes]]
    gets: int | None
    says: str = ""
    code: str = ""
    waits: bool = False


def get(path: str, **headers: str) -> Callable[[Serving], list[bytes]]:
    return lambda server: [server.get(path, **headers)]


def post(body: bytes, **headers: str) -> Callable[[Serving], list[bytes]]:
    return lambda server: [server.post(body, **headers)]


def asks(**question: Any) -> Callable[[Serving], list[bytes]]:
    return post(json.dumps(question).encode())


def nest(deep: int) -> list[Any]:
    return [nest(deep - 1)] if deep > 1 else []


def file(name: str) -> Callable[[Serving], list[bytes]]:
    return asks(ask="status", moment={**AXIS, "game": name})


def laid_over(name: str) -> Callable[[Serving], list[bytes]]:
    return asks(ask="status", moment={**AXIS, "at": name})


def chunks(count: int) -> Callable[[Serving], list[bytes]]:
    one = b"10000\r\n" + b" " * 65_536 + b"\r\n"
    return lambda server: [
        server.post(b"", Content_Length="", Transfer_Encoding="chunked"), *[one] * count, b"0\r\n\r\n",
    ]  # fmt: skip


BODY = json.dumps(QUICK).encode()
OTHER = "pages of other sites may not ask"
OUTSIDE = "is not in the folder that is served"
NO_ID = "an id is a text of 200 letters at the most, or a whole number"
MINE = '"id":"mine"'
THIS = "this server answers to 127.0.0.1 and localhost alone"
TABLE = {
    # whose page asks
    "another host": Row(get("/", Host="evil.example"), 421, THIS),
    "a name that was made to lead here": Row(get("/", Host="evil.example:8724"), 421, THIS),
    "another port": Row(get("/", Host="127.0.0.1:1"), 421, THIS),
    "an address that is not served": Row(lambda s: [s.get("/", Host=f"[::1]:{s.port}")], 421, THIS),
    "no host": Row(get("/", Host=""), 400),
    "two hosts": Row(lambda s: [f"GET / HTTP/1.1\r\nHost: {s.host}\r\nHost: evil.example\r\n\r\n".encode()], 400),
    "no host, of an old client": Row(lambda s: [b"GET / HTTP/1.0\r\n\r\n"], 421, THIS),
    "a page of another site": Row(post(BODY, Origin="https://evil.example"), 403, OTHER),
    "two origins, of which the first is ours": Row(
        lambda s: [s.post(BODY, Origin=f"http://{s.host}", origin="https://evil.example")], 403, OTHER
    ),
    "a page from a file": Row(post(BODY, Origin="null"), 403, OTHER),
    "this address over https": Row(lambda s: [s.post(BODY, Origin=f"https://{s.host}")], 403, OTHER),
    "an image on another site": Row(get("/about.json", Sec_Fetch_Site="cross-site"), 403, OTHER),
    "a script on another port": Row(get("/main.mjs", Sec_Fetch_Site="same-site"), 403, OTHER),
    # what is no question
    "another method": Row(lambda s: [s.get("/ask")], 405),
    "a method of its own": Row(lambda s: [s.get("/").replace(b"GET", b"BREW")], 405),
    "another type": Row(post(BODY, Content_Type="text/plain"), 415, "application/json"),
    "a form": Row(post(b"ask=status", Content_Type="application/x-www-form-urlencoded"), 415),
    "no JSON": Row(post(b"{"), 400, "no JSON"),
    "no text": Row(post(b"\xff\xfe\x00"), 400, "no JSON"),
    "a list": Row(post(b"[1]"), 400, "no mapping"),
    "a deep nest": Row(post(b"[" * 100_000), 400, "no JSON"),
    "a number that is none": Row(post(b'{"ask": NaN}'), 400, "no JSON"),
    "a number that is too large": Row(post(b'{"ask": "version", "id": 1e400}'), 400, "no JSON"),
    "a long id": Row(asks(ask="version", id="a" * 201), 400, "200 letters at the most"),
    "a number of many digits as id": Row(asks(ask="version", id=-(10**18)), 400, NO_ID),
    "half a number as id": Row(asks(ask="version", id=1.5), 400, NO_ID),
    "a truth value as id": Row(asks(ask="cancel", id=True, request="a"), 400, NO_ID),
    "a list as id": Row(asks(ask="version", id=[1]), 400, NO_ID),
    "an unknown question": Row(asks(ask="everything"), 200, code="unknown-name"),
    "a moment to hold": Row(asks(ask="load", game="axis_allies"), 400, "describe the moment"),
    "an end for all": Row(asks(ask="shutdown"), 400, "serve --stdio"),
    "an end for another client's question": Row(asks(ask="cancel", request=1), 200, '"cancelled":false'),
    "a long text": Row(asks(id="mine", ask="status", moment="a" * 10_001), 200, MINE, "too-big"),
    "a letter that nobody sees": Row(asks(id="mine", ask="status", moment="\x07"), 200, MINE, "control-character"),
    "half a letter": Row(asks(id="mine", ask="status", moment="\ud800"), 200, MINE, "control-character"),
    "a nest of 101 lists": Row(asks(id="mine", ask="status", moment=nest(101)), 200, MINE, "too-deep"),
    "half a million parts": Row(asks(id="mine", ask="status", moment="," * 500_001), 200, MINE, "too-big"),
    "days of work": Row(asks(**{**LONG, "timeout": 86_400}), 400, "600 s at the most"),
    # how much
    "a body that says it is large": Row(post(b"", Content_Length="10000000"), 413, "1,000,000 bytes"),
    "a body that is large": Row(chunks(16), 413, "1,000,000 bytes"),
    "a body shorter than it says": Row(
        post(BODY, Content_Length=str(len(BODY) + 9)), 408, "within 10 s", waits=True
    ),
    "two lengths": Row(lambda s: [s.post(BODY).replace(b"Content-Type", b"Content-Length: 1\r\nContent-Type")], 400),
    "a length that is none": Row(post(BODY, Content_Length="-1"), 400),
    "a long address": Row(get("/" + "a" * 900_000), 400),
    "long headers": Row(get("/", **{f"X{i}": "a" * 1_000 for i in range(900)}), 400),
    "bytes that are no request": Row(lambda s: [b"\x16\x03\x01" + bytes(range(256)) + b"\r\n\r\n"], 400),
    "half a request, and no more": Row(lambda s: [b"GET / HTTP/1.1\r\nHost: 127"], None, waits=True),
    # paths
    "a folder above": Row(get("/../secret.yaml"), 404),
    "a folder above, hidden": Row(get("/%2e%2e/%2e%2e/secret.yaml"), 404),
    "a slash, hidden": Row(get("/views%2fapp.mjs"), 200),
    "a backslash": Row(get("/..\\secret.yaml"), 404),
    "an absolute path": Row(get("//etc/passwd"), 404),
    "a letter that ends text": Row(get("/main.mjs%00.html"), 404),
    "a file of the folder": Row(get("/own.yaml"), 404),
    "types for developers": Row(get("/vendor/preact.d.mts"), 404),
    # files in questions
    "a file above": Row(file("../secret.yaml"), 200, OUTSIDE, "cannot-read"),
    "a file by its whole path": Row(file("/etc/passwd.yaml"), 200, OUTSIDE, "cannot-read"),
    "a link that leads out": Row(file("leads_out.yaml"), 200, "it is a symbolic link", "cannot-read"),
    "a file above, laid over": Row(laid_over("../secret.yaml"), 200, OUTSIDE, "cannot-read"),
}  # fmt: skip


@pytest.fixture(scope="module")
def waited_for(server: Serving) -> Iterator[dict[str, socket.socket]]:
    """By row the connection on which its bytes were sent as the tests began: the time runs meanwhile."""
    with ExitStack() as open_:
        lines = {name: open_.enter_context(server.connect()) for name, row in TABLE.items() if row.waits}
        for name, line in lines.items():
            line.sendall(b"".join(TABLE[name].sends(server)))
        yield lines


@pytest.mark.parametrize("name", [n for waits in (False, True) for n, row in TABLE.items() if row.waits is waits])
def test_hostile_requests(server: Serving, waited_for: dict[str, socket.socket], name: str) -> None:
    row = TABLE[name]
    answer = all_of(waited_for[name]) if row.waits else server.said(*row.sends(server))
    head, _, body = answer.partition(b"\r\n\r\n")
    said = unchunked(head, body).decode(errors="replace")
    if row.gets is None:
        assert head == b""
    else:
        assert int(head.split()[1]) == row.gets, (head, said)
        assert b"content-security-policy" in head.lower() or row.gets == 400
    assert row.says in said
    assert not row.code or json.loads(said.splitlines()[-1])["answer"]["errors"][0]["code"] == row.code
    assert SECRET not in said
    assert server.ask(QUICK)[1][-1]["answer"]["schema"] == "vclogic/status/1"


def test_the_page_lists_them_all() -> None:
    """docs/page.md has each of them, with its status."""
    found: dict[str, str] = {}
    for line in (Path(__file__).parents[2] / "docs" / "page.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 3:
            found |= dict.fromkeys(cells[0].split("; "), cells[1])
    assert {name: str(row.gets or "closed") for name, row in TABLE.items()}.items() <= found.items()


def test_own_files_are_read(server: Serving) -> None:
    status, replies = server.ask({"ask": "status", "moment": {**AXIS, "game": "own.yaml"}})
    assert (status, replies[-1]["answer"]["schema"]) == (200, "vclogic/status/1")
    files = server.ask({"ask": "catalogue"})[1][-1]["answer"]["files"]
    assert [file["path"] for file in files] == ["own.yaml"]


def test_two_clients_get_their_own_answers(server: Serving) -> None:
    values = [f"vcp(Axis) + {n}" for n in range(20)]
    lines = [server.connect() for _ in values]
    for n, (line, value) in enumerate(zip(lines, values, strict=True)):
        line.sendall(
            server.post(json.dumps({"ask": "value", "id": n, "moment": AXIS, "expressions": [value]}).encode())
        )
    for n, line in enumerate(lines):
        head, _, body = all_of(line).partition(b"\r\n\r\n")
        reply = json.loads(unchunked(head, body))
        assert (reply["id"], reply["answer"]["values"]) == (n, [26 + n])


@pytest.mark.slow
def test_a_client_that_says_what_it_wants_letter_by_letter_is_left(server: Serving) -> None:
    with server.connect() as line:
        end = time.monotonic() + 60 + BUSY
        with suppress(BrokenPipeError, ConnectionResetError):
            while time.monotonic() < end:
                line.sendall(b"G")
                time.sleep(0.5)
        assert time.monotonic() < end


@pytest.mark.slow
def test_a_connection_that_is_used_stays_open(server: Serving) -> None:
    """Each answer gives it the time anew to say what it wants next."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60 + BUSY)
    connection.connect()
    line = connection.sock
    end = time.monotonic() + 13
    while time.monotonic() < end:
        connection.request("GET", "/about.json")
        assert connection.getresponse().read()
        time.sleep(0.2)
    assert connection.sock is line


# ---- what is left


def begun(server: Serving, **headers: str) -> socket.socket:
    """A connection with a long search that has begun."""
    line = server.connect()
    line.sendall(server.post(json.dumps(LONG).encode(), **headers))
    line.recv(1 << 12)  # its first progress
    return line


def test_a_client_that_goes_ends_its_search(tmp_path: Path) -> None:
    with serving(tmp_path, "--workers", "1") as server:
        before = below(server.process.pid)
        line = begun(server)
        searching = below(server.process.pid).keys() - before
        assert searching
        line.close()
        status, replies = server.ask({"ask": "reach", "moment": AXIS, "goal": "vcp(Axis) >= 70"})
        assert (status, replies[-1]["answer"]["status"]) == (200, "unreachable")  # the only process is free again


@pytest.mark.parametrize("connection", ["close", "keep-alive"])
def test_a_client_that_says_more_before_its_answer_ends_its_search(tmp_path: Path, connection: str) -> None:
    """Nobody could tell any longer when it goes."""
    with serving(tmp_path, "--workers", "1") as server:
        before = below(server.process.pid)
        with begun(server, Connection=connection) as line:
            assert below(server.process.pid).keys() - before
            line.settimeout(20 + BUSY)
            line.sendall(b"x")
            assert not all_of(line).endswith(b"0\r\n\r\n")  # the answer has no end
        status, replies = server.ask({"ask": "reach", "moment": AXIS, "goal": "vcp(Axis) >= 70"})
        assert (status, replies[-1]["answer"]["status"]) == (200, "unreachable")  # the only process is free again


def test_a_search_that_is_stopped_says_what_is_known(tmp_path: Path) -> None:
    """Only who knows its id can stop it."""
    with serving(tmp_path, "--workers", "1") as server, server.connect() as line:
        name = "a name that nobody guesses"
        line.sendall(server.post(json.dumps({**LONG, "id": name}).encode()))
        line.recv(1 << 12)
        for guess in ("a name that nobody guessed", 1, "1", None):
            assert not server.ask({"ask": "cancel", "request": guess})[1][-1]["answer"]["cancelled"]
        assert server.ask({"ask": "cancel", "request": name})[1][-1]["answer"]["cancelled"]
        last = all_of(line).split(b"\r\n")[-4]
        reply = json.loads(last.splitlines()[-1])
        assert (reply["id"], reply["cancelled"]) == (name, True)


def test_too_many_searches_get_503(tmp_path: Path) -> None:
    with serving(tmp_path, "--workers", "1") as server:
        lines = [begun(server)]
        for _ in range(12):
            lines.append(server.connect())
            lines[-1].sendall(server.post(json.dumps(LONG).encode()))
        busy: list[bytes] = []
        with selectors.DefaultSelector() as waiting:
            for line in lines[1:]:
                waiting.register(line, selectors.EVENT_READ)
            while len(busy) < 4:
                for key, _ in waiting.select(60 + BUSY):
                    busy.append(all_of(key.fileobj))  # type: ignore[arg-type]
                    waiting.unregister(key.fileobj)
            assert waiting.select(1) == []  # the others wait for their turn
        assert all(said.startswith(b"HTTP/1.1 503") and b"retry-after: 1" in said.lower() for said in busy)
        assert all(b"ask again in a moment" in said for said in busy)
        assert server.ask(QUICK)[0] == 200  # quick questions do not wait for searches
        for line in lines:
            line.close()


def test_a_process_that_is_killed_costs_one_answer(tmp_path: Path) -> None:
    with serving(tmp_path, "--workers", "1") as server:
        line = begun(server)
        (process,) = [
            pid for pid, words in below(server.process.pid).items() if any("serve_confined" in w for w in words)
        ]
        os.kill(process, signal.SIGKILL)
        assert b"ended unexpectedly" in all_of(line)
        assert server.ask(QUICK)[1][-1]["answer"]["schema"] == "vclogic/status/1"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_no_process_is_left(tmp_path: Path, number: signal.Signals) -> None:
    """Nor a word on standard error, while a search runs and a page listens for changes."""
    with serving(tmp_path) as server, listening(server), begun(server):
        its_own = below(server.process.pid)
        assert len(its_own) >= 3
        server.process.send_signal(number)
        code = server.process.wait(HANGS)
        assert eventually(lambda: not any(map(runs, its_own)), HANGS)
        assert code == (130 if number is signal.SIGINT else -number)
        server.errors.seek(0)
        assert server.errors.read() == ""


def test_who_is_asked_while_the_server_ends_is_told_so(tmp_path: Path) -> None:
    with serving(tmp_path) as server, listening(server) as events, begun(server) as search:
        server.process.terminate()
        assert b"the server was ended" in all_of(search)
        assert all_of(events).endswith(b"0\r\n\r\n")  # its end, as HTTP has it


def listening(server: Serving, **headers: str) -> socket.socket:
    """A connection that is told of changes."""
    line = server.connect()
    line.sendall(server.get("/changes", **headers))
    found = b""
    while b"listening" not in found:
        found += line.recv(1)
    return line


def test_pages_that_listen_shut_nobody_out(tmp_path: Path) -> None:
    with serving(tmp_path, "--workers", "1") as server:
        lines = [listening(server) for _ in range(MOST_LISTENING)]
        one_more = server.said(server.get("/changes"))
        assert one_more.startswith(b"HTTP/1.1 503")
        assert b"too many pages that listen for changes" in one_more
        assert server.ask(QUICK)[1][-1]["answer"]["schema"] == "vclogic/status/1"
        lines.pop().close()
        assert eventually(lambda: begins(server, "/changes") == b"HTTP/1.1 200")
        for line in lines:
            line.close()


def begins(server: Serving, path: str) -> bytes:
    """How the response begins."""
    with server.connect() as line:
        line.sendall(server.get(path))
        return line.recv(12)


def told(line: socket.socket) -> str:
    """The id of the next change."""
    found = b""
    while not (event := re.search(rb"event: change\nid: (\S+)\n", found)):
        found += line.recv(1 << 12)
    return event[1].decode()


def test_changes_of_files_are_told_and_read(tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text("game: axis_allies\nstate: {owner: {Russia: Russians}}\n")
    asked = {"ask": "value", "moment": {**AXIS, "game": "own.yaml"}, "expressions": ["vcp(Axis)"]}
    with serving(tmp_path) as server:
        assert server.ask(asked)[1][-1]["answer"]["values"] == [26]
        with listening(server) as line:
            own.write_text("game: axis_allies\nstate: {owner: {Russia: Germans}}\n")
            last = told(line)
        assert server.ask(asked)[1][-1]["answer"]["values"] == [31]
        token, _, number = last.rpartition(".")
        assert number == "1"
        for missed in (f"{token}.0", "another server.1"):
            with listening(server, Last_Event_ID=missed) as line:
                assert told(line) == last
        with listening(server, Last_Event_ID=last) as line:
            own.write_text("game: axis_allies\n")
            assert told(line) == f"{token}.2"  # and none before
