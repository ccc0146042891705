"""Files as large as they may be are read; larger ones are refused at once, by name of the limit."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.files.fake_game import ENCODING, Area, Board
from tests.fixtures.work import working
from vclogic.errors import Diagnostic
from vclogic.files import record
from vclogic.files.position import load_setup
from vclogic.files.record import read_event
from vclogic.files.source import Source
from vclogic.files.trees.located import MOST_TEXT
from vclogic.files.trees.nodes import parse
from vclogic.report.text.errors import errors
from vclogic.report.text.page import render

Wrong = Callable[..., tuple[Diagnostic, ...]]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.yaml", "[" + "a," * 4_000_000 + "]"),
        ("x.yaml", "- end_turn\n" * 800_000),
        ("x.yaml", "{" + "".join(f"k{i}: v," for i in range(600_000)) + "}"),
        ("x.json", "[" + "1," * 4_000_000 + "1]"),
        ("<stdin>", "[" + '"a",' * 4_000_000 + "1]"),
    ],
)
def test_millions_of_items_are_refused_at_once(wrong: Wrong, name: str, text: str) -> None:
    with working() as work:
        (found,) = wrong(parse, Source(name, text))
    assert (found.code, found.message) == ("too-big", "more than 500,000 names and values")
    assert work.steps < 30_000_000


def test_an_overlong_text_is_refused_once_and_not_shown(wrong: Wrong) -> None:
    fits, long = "a" * MOST_TEXT, "a" * 1_000_000
    for text in (f"k: {fits}", f"? {fits}\n: v", json.dumps({"k": fits}), json.dumps({fits: "v"})):
        assert parse(Source("x.json" if text[0] == "{" else "x.yaml", text)).tree
    for text in (f"k: {long}", f"? {long}\n: v", f"[{long}]", json.dumps({"k": long}), json.dumps({long: "v"})):
        (found,) = wrong(parse, Source("x.json" if text[0] == "{" else "x.yaml", text))
        assert (found.code, found.message) == ("too-big", "a text of more than 10,000 characters")


@pytest.mark.usefixtures("game")
def test_a_board_of_five_thousand_areas() -> None:
    areas = {f"Area {i}": {"owner": "Red", "near": [f"Area {(i + 1) % 5_000}"]} for i in range(5_000)}
    Path("board.json").write_text(json.dumps({"title": "Large", "areas": areas}))
    Path("p.yaml").write_text("game: skirmish\nboard: board.json\nstate: {to_move: Red}\n")
    setup = load_setup("p.yaml")
    assert len(setup.board.tree["areas"]) == 5_000  # type: ignore[index,arg-type,union-attr,call-overload]


@pytest.mark.usefixtures("game")
def test_a_record_of_as_many_steps_as_may_be(wrong: Wrong, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "MOST_STEPS", 1_000)
    Path("r.yaml").write_text("- end_turn\n" * 1_000)
    assert len(load_setup("skirmish", "r.yaml").record) == 1_000
    Path("r.yaml").write_text("- end_turn\n" * 1_001)
    (found,) = wrong(load_setup, "skirmish", "r.yaml")
    assert (found.code, found.line) == ("too-big", 1_001)
    assert found.message == "a record has at most 100,000 steps"


def test_lists_in_one_event_do_not_multiply_beyond_that(wrong: Wrong) -> None:
    system = ENCODING.build(Board("x", {n: Area("Red") for n in "abcd"}), ENCODING.settings({"length": 5}))
    capture = system.schemas["capture"]
    each = replace(capture, parameters=tuple(replace(p, each=True) for p in capture.parameters))
    listed = {"capture": {"side": ["Red"] * 1_000, "area": ["a"] * 1_000}}
    with working() as work:
        (found,) = wrong(read_event, replace(system, events=(each,)), json.dumps(listed), "--event")
    assert (found.code, found.message) == ("too-big", "a record has at most 100,000 steps")
    assert work.steps < 1_000_000


def outside(folder: Path) -> dict[str, Path]:
    """Files that are none beside the position, by the name that they get there."""
    secret = folder / "outside"
    secret.mkdir()
    (secret / "passwd").write_text("root:x:0:0\n")
    (secret / "board.yaml").write_text("title: [secret\n")
    return {"link.yaml": secret / "board.yaml", "words.yaml": secret / "passwd", "dir.yaml": secret}


@pytest.mark.usefixtures("game")
def test_a_board_is_a_file_of_the_folder_and_nothing_else_is_quoted(tmp_path: Path, wrong: Wrong) -> None:
    for name, target in outside(tmp_path).items():
        os.symlink(target, name)
    os.symlink(tmp_path / "outside", "folder")
    Path("passwd").write_text("root:x:0:0\n")
    os.mkfifo("pipe.yaml")
    refused = ["link.yaml", "words.yaml", "dir.yaml", "pipe.yaml", "passwd", "/etc/passwd", "/etc/hosts.yaml"]
    refused += ["../outside/board.yaml", "folder/board.yaml", "", ".", "..", "~", ".yaml/", "a\\b.yaml", "-"]
    for name in refused:
        Path("p.yaml").write_text(f"game: skirmish\nboard: '{name}'\n")
        found = wrong(load_setup, "p.yaml")
        assert [(d.file, d.line) for d in found] == [("p.yaml", 2)], name
        shown = render(errors(found))
        assert "root" not in shown
        assert "secret" not in shown


@pytest.mark.usefixtures("game")
def test_a_position_may_be_a_link_and_its_board_stands_beside_the_link(tmp_path: Path) -> None:
    far = tmp_path / "far"
    far.mkdir()
    (far / "p.yaml").write_text("game: skirmish\nboard: b.yaml\nstate: {to_move: Blue}\n")
    Path("b.yaml").write_text("{title: Near, areas: {Home: {owner: Red}}}\n")
    os.symlink(far / "p.yaml", "p.yaml")
    setup = load_setup("p.yaml")
    assert setup.board is not None
    assert setup.files[-2:] == ("b.yaml", "p.yaml")
