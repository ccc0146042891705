"""Hostile files: positions, records, boards, plans."""

from __future__ import annotations

import json
import os

from tests.hostile.attempts import GAME, HEAD, Attempt, board, named, position, record, state

_LAUGHS = "a: &a [x, x]\n" + "".join(
    f"{b}: &{b} [*{a}, *{a}, *{a}, *{a}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
)
_OWN = "  title: x\n  powers: {Germans: Axis}\n"


def _link(target: str):  # type: ignore[no-untyped-def]
    return lambda path: os.symlink(target, path)


def _fifo(path: str) -> None:
    os.mkfifo(path)


def _folder(path: str) -> None:
    os.mkdir(path)


POSITIONS = (
    position("nothing", ""),
    position("white space", " \n\t\n"),
    position("only a comment", "# nothing\n"),
    position("null", "~\n"),
    position("a word", "Germans\n"),
    position("a number", "1e999\n"),
    position("NUL bytes", b"game: \x00\n"),
    position("a binary file", bytes(range(256)) * 10),
    position("UTF-16", HEAD.encode("utf-16")),
    position("Latin 1", b"game: axis_allies\nstate: {turn: G\xe9rm}\n"),
    position("a byte order mark", b"\xef\xbb\xbf" + HEAD.encode(), (0,)),
    position("two byte order marks", b"\xef\xbb\xbf\xef\xbb\xbf" + HEAD.encode()),
    position("Windows line ends", HEAD.replace("\n", "\r\n"), (0,)),
    position("old Mac line ends", HEAD.replace("\n", "\r") + "state: {turn: Russians}\r", (0, 2)),
    position("escape codes", "game: \x1b[31maxis\x1b[0m\n"),
    position("escape codes in quotes", 'game: "\\e[31maxis"\n'),
    position("a bell in JSON", '{"game": "axis\\u0007"}', file="p.json"),
    position("half a surrogate in JSON", '{"game": "\\ud800"}', file="p.json"),
    position("right-to-left marks", "game: axis\u202eseilla\n"),
    position("zero-width characters", "game: axis\u200b_allies\n"),
    position("billion laughs", _LAUGHS + HEAD),
    position("an alias to itself", "game: &a [*a]\n"),
    position("a merge key", HEAD + "<<: {state: {}}\n"),
    position("a Python tag", HEAD + "state: !!python/object/apply:os.system ['touch hacked']\n"),
    position("a binary tag", HEAD + "state: !!binary aGVsbG8=\n"),
    position("a set", HEAD + "state: !!set {a, b}\n"),
    position("a directive", "%YAML 9.9\n---\n" + HEAD, (0, 2)),
    position("a tag directive", "%TAG ! tag:x,2000:\n---\n" + HEAD, (0, 2)),
    position("two documents", HEAD + "---\n" + HEAD),
    position("deep lists", HEAD + "state: " + "[" * 100_000),
    position("deep mappings", HEAD + "state: " + "{a: " * 100_000),
    position("deep blocks", HEAD + "".join(" " * i + "a:\n" for i in range(2_000))),
    position("deep JSON", "[" * 100_000, file="p.json"),
    position("deep JSON that is closed", '{"a":' * 50_000 + "1" + "}" * 50_000, file="p.json"),
    position("a million items", HEAD + "record: [" + "end_turn," * 1_000_000 + "]\n"),
    position("a long key", HEAD + "k" * 1_000_000 + ": 1\n"),
    position("a long value", HEAD + "state: {turn: " + "v" * 1_000_000 + "}\n"),
    position("a long line of spaces", HEAD + " " * 1_000_000 + "\n", (0,)),
    position("a key of two lines", HEAD + "? |\n  a\n  b\n: 1\n"),
    position("a list as a key", HEAD + "[a]: 1\n"),
    position("an empty key", HEAD + '"": 1\n'),
    position("a key twice", HEAD + HEAD),
    position("a thousand mistakes", HEAD + "state: {" + ", ".join(f"k{i}: 1" for i in range(1_000)) + "}\n"),
    position("a large file", b"#" * 11_000_000),
    position("JSON with a trailing comma", '{"game": "axis_allies",}', file="p.json"),
    position("JSON with NaN", '{"game": "axis_allies", "state": {"round": NaN}}', file="p.json"),
    position(
        "JSON with a large number", '{"game": "axis_allies", "state": {"round": ' + "9" * 9_000 + "}}", file="p.json"
    ),
    position(
        "JSON with a larger number",
        '{"game": "axis_allies", "state": {"round": ' + "9" * 90_000 + "}}",
        file="p.json",
    ),
    position("JSON with a key twice", '{"game": "axis_allies", "game": "asl"}', file="p.json"),
    position("no game", "state: {}\n"),
    position("a game that is a list", "game: [axis_allies]\n"),
    position("a game that is a path", "game: ../../etc/passwd\n"),
    position("a game that is a file", "game: p.yaml\n"),
    position("a scenario that is a path", "game: axis_allies/../../board\n"),
    position("a scenario that is empty", "game: axis_allies/\n"),
    position("a list for a mapping", HEAD + "state: [turn]\n"),
    position("a mapping for a list", HEAD + "record: {end_turn: {}}\n"),
    position("everything null", HEAD + "state: ~\nrecord: ~\noptions: ~\nreadings: ~\nboard: ~\n", (0,)),
    position("sections that are numbers", HEAD + "state: 1\nrecord: 2\noptions: 3\nreadings: 4\n"),
    Attempt("position: a folder", ("status", "p.yaml"), {"p.yaml": _folder}),
    Attempt("position: a FIFO", ("status", "p.yaml", "--timeout", "1"), {"p.yaml": _fifo}),
    Attempt("position: a FIFO to plan from", ("plan", "p.yaml", "--goal", "x", "--timeout", "1"), {"p.yaml": _fifo}),
    Attempt("position: a link to itself", ("status", "p.yaml"), {"p.yaml": _link("p.yaml")}),
    Attempt("position: a link to nothing", ("status", "p.yaml"), {"p.yaml": _link("gone")}),
    Attempt("position: a link to a device", ("status", "p.yaml"), {"p.yaml": _link("/dev/zero")}),
    Attempt(
        "position: a device",
        ("status", "/dev/zero"),
    ),
    Attempt(
        "position: the memory of the process",
        ("status", "/proc/self/mem"),
    ),
    Attempt("position: no newline in its name", ("status", "a\nb.yaml"), {"a\nb.yaml": "x"}),
    Attempt("position: codes in its name", ("status", "\x1b[31m.yaml"), {"\x1b[31m.yaml": "x: ["}),
    Attempt(
        "position: a name that is no UTF-8", ("status", os.fsdecode(b"\xff.yaml")), {os.fsdecode(b"\xff.yaml"): "x"}
    ),
    Attempt("position: a name like an option", ("status", "--", "--at.yaml"), {"--at.yaml": "x: ["}),
    Attempt("standard input: nothing", ("status", "-")),
    Attempt("standard input: bytes", ("status", "-"), stdin=b"\xff\xfe\x00"),
    Attempt("standard input: twice", ("status", "-", "--at", "-"), stdin=HEAD.encode()),
    Attempt("standard input: a board beside it", ("status", "-"), stdin=f"{HEAD}board: b.yaml\n".encode()),
)

STATES = (
    state("a power that is a list", "{turn: [Germans]}"),
    state("a power that is nothing", "{turn: }"),
    state("a round of minus one", "{round: -1}"),
    state("a round of a half", "{round: 0.5}"),
    state("a round in hexadecimal", "{round: 0x10}"),
    state("a round with underscores", "{round: 1_0}"),
    state("a round in Arabic digits", "{round: ٣}"),
    state("a round beyond all numbers", "{round: " + "9" * 5_000 + "}"),
    state("a round of infinity", "{round: .inf}"),
    state("an owner of the sea", "{owner: {Sea Zone 1: Germans}}"),
    state("an owner of an owner", "{owner: {Karelia: {Karelia: Germans}}}"),
    state("one territory by two names", "{owner: {Karelia: Germans, Karelia S.S.R.: Russians}}"),
    state("owners in a list", "{owner: [Karelia, Germans]}"),
    state("private names", "{__class__: {__init__: 1}}"),
    state("a name with quotes", '{"o\'wn\\"er": 1}'),
    state("a name with braces", "{'{0.__class__}': '%s%n'}"),
    state("a name with markup", "{'[red]x[/red]': '[/]'}"),
    state("a near name of a thousand letters", "{" + "owner" * 200 + ": 1}"),
)

RECORDS = (
    record("nothing", ""),
    record("an empty list", "[]\n", (0,)),
    record("a list of nothing", "[~, ~]\n"),
    record("a list of lists", "[[end_turn]]\n"),
    record("an event that is none", "[__init__]\n"),
    record("an event without arguments", "[capture]\n"),
    record("an event with a list", "[{capture: [Germans, Karelia]}]\n"),
    record("two events in one", "[{end_turn: , capture: }]\n"),
    record("an argument twice", "[{capture: {power: Germans, power: Russians}}]\n"),
    record("an argument that is none", "[{capture: {power: Germans, territory: Karelia, self: 1}}]\n"),
    record("a count of minus one", "[{place: {power: Russians, unit: infantry, count: -1, territory: Russia}}]\n"),
    record(
        "a count of a billion", "[{place: {power: Russians, unit: infantry, count: 999999999, territory: Russia}}]\n"
    ),
    record("a list with no end", "[end_turn"),
    record("a hundred thousand turns", "- end_turn\n" * 100_001),
    record("halves of hexes", "[{move: {unit: XIV Panzer, to: 4,3}}]\n", game="moscow"),
    record("units without end", "[{order: {units: [" + "X, " * 10_000 + "]}}]\n", game="napoleonics"),
    record("a position of another game", "game: asl\n"),
    record("a hex beyond the map", "[{move: {unit: XIV Panzer, to: '99999,99999'}}]\n", game="moscow"),
)

BOARDS = (
    board("nothing", ""),
    board("a word", "board\n"),
    board("a list", "[1, 2]\n"),
    board("not YAML", "title: [\n"),
    board("bytes", b"\xff\xff"),
    board("a folder", _folder),
    board("a FIFO", _fifo),
    board("a link out", _link("/etc/passwd")),
    board("a link beside it", _link("p.yaml")),
    position("a board that is the position", HEAD + "board: p.yaml\n"),
    board("a position", HEAD),
    board("another game's", "title: x\ncolumns: 3\nrows: 3\n"),
    board("no territories", "title: x\nterritories: {}\n"),
    board("keys that are none", "title: x\nhex: 1\n__init__: 2\n"),
    board("large numbers", "title: x\nterritories: {a: {kind: land, value: 999999999999}}\n"),
    board("names that are codes", 'title: "\\e[2J"\nterritories: {}\n'),
    board("a neighbour of itself", "title: x\nterritories: {a: {kind: land, neighbours: [a]}}\n"),
    board("a neighbour that is none", "title: x\nterritories: {a: {kind: land, neighbours: [b, c, d]}}\n"),
    board("no words in lists", "title: x\nterritories: {a: {kind: land, neighbours: [[], {}, ~, 1]}}\n"),
    board("a title that is a list", "title: [x]\nterritories: {}\n"),
    position("a board inline that is a number", HEAD + "board: 1\n"),
    position("a board inline that is a list", HEAD + "board: []\n"),
    position("a board inline of another shape", HEAD + "board:\n" + _OWN),
    named("absolutely", "/etc/passwd"),
    named("in the folder above", "../board.yaml"),
    named("in a folder that is not there", "x/board.yaml"),
    named("out of a folder below", "x/../board.yaml"),
    named("far above", "x/../../../../etc/hosts.yaml"),
    named("with a folder of no name", "x//board.yaml"),
    named("in a folder that is a home", "x/~root/board.yaml"),
    named("in very many folders", "x/" * 2_000 + "board.yaml"),
    named("absolutely, behind a folder", "x//etc/passwd.yaml"),
    Attempt(
        "board: in a folder that is a link out",
        ("status", "p.yaml"),
        {"p.yaml": f"{HEAD}board: etc/b.yaml\n", "etc": _link("/etc")},
    ),
    Attempt(
        "board: in a file that is no folder",
        ("status", "p.yaml"),
        {"p.yaml": f"{HEAD}board: b.yaml/b.yaml\n", "b.yaml": "x"},
    ),
    named("with a backslash", r"x\board.yaml"),
    named("by nothing", "''"),
    named("by a dot", "'.'"),
    named("by an ending", "'.yaml'"),
    named("as standard input", "'-'"),
    named("by what is not there", "gone.yaml"),
    named("with a NUL", '"a\\0.yaml"'),
    named("without an ending", "passwd"),
    named("in the home folder", "'~/board.yaml'"),
    named("as a device", "/dev/stdin"),
    named("by a long name", "b" * 5_000 + ".yaml"),
)


def _plan(name: str, text: str | bytes, codes: tuple[int, ...] = (2,)) -> Attempt:
    given = ("render", GAME, "--plan-file", "a.json", "-o", "a.svg")
    return Attempt(f"plan: {name}", given, {"a.json": text}, codes, writes=("a.svg",) if 0 in codes else ())


def _step(name: str, codes: tuple[int, ...] = (2,), **other: object) -> Attempt:
    """A plan of one step that is somehow wrong."""
    step: dict[str, object] = {
        "n": 1,
        "turn": None,
        "actor": "Germans",
        "action": "capture",
        "args": {},
        "text": "x",
        "cites": [],
    }
    return _plan(name, json.dumps({"schema": "vclogic/plan/1", "steps": [step | other]}), codes)


PLANS = (
    _plan("nothing", ""),
    _plan("a list", "[]"),
    _plan("a number of many digits", '{"schema": "vclogic/plan/1", "steps": [' + "9" * 10_000 + "]}"),
    _plan("a schema that is a list", '{"schema": [], "steps": []}'),
    _plan("a schema that is a mapping", '{"schema": {}, "steps": []}'),
    _plan("a step that is a number", '{"schema": "vclogic/plan/1", "steps": [1]}'),
    _plan("deep lists", "[" * 100_000),
    _plan("half a surrogate", '{"schema": "\\ud800"}'),
    _plan("bytes", b"\xff\xfe"),
    _plan("steps without end", '{"schema": "vclogic/plan/1", "steps": [' + '{"n": 1},' * 100_000 + "1]}"),
    _step("a step without arguments", codes=(0, 2)),
    _step("arguments that are none", args={"x": [1]}),
    _step("arguments of lists", args={"power": [], "territory": {}}),
    _step("arguments that are a list", args=[]),
    _step("another action", codes=(0, 2), action="__init__"),
    _step("an action that is a list", codes=(0, 2), action=["capture"]),
    _step("a turn that is a word", turn="x"),
    _step("a turn that is a number", turn=7),
    _step("a turn of lists", turn={"round": [1], "turn": {}}),
    _step("a turn of another sort", codes=(0, 2), turn={"round": "x", "turn": -1}),
    _step("a number that is a list", n=[1]),
    _step(
        "a text that is a list", codes=(0, 2), text=[], cites="x", args={"power": "Germans", "territory": "Russia"}
    ),
)
