"""Texts to located trees: what is read, what is refused, and where."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fixtures.work import working
from vclogic.errors import Diagnostic, InputError
from vclogic.files import source as source_module
from vclogic.files.source import Source, read_text
from vclogic.files.trees.findings import MOST
from vclogic.files.trees.located import Quoted, Tree
from vclogic.files.trees.nodes import parse, read_node

Wrong = Callable[..., tuple[Diagnostic, ...]]


def tree(text: str, name: str = "x.yaml") -> Tree:
    return parse(Source(name, text)).tree


def places(text: str, name: str = "x.yaml") -> list[tuple[str, int | None, int | None]]:
    with pytest.raises(InputError) as caught:
        parse(Source(name, text))
    assert all(d.file == name for d in caught.value.diagnostics)
    return [(d.code, d.line, d.column) for d in caught.value.diagnostics]


# ---- reading text


def test_missing_file_lists_near_names(tmp_path: Path, wrong: Wrong) -> None:
    (tmp_path / "position.yaml").touch()
    (d,) = wrong(read_text, str(tmp_path / "postion.yaml"))
    assert d.code == "no-such-file"
    assert "position.yaml" in str(d.help)


def test_missing_file_with_another_ending(tmp_path: Path, wrong: Wrong) -> None:
    (tmp_path / "a.json").touch()
    (d,) = wrong(read_text, str(tmp_path / "a.yaml"))
    assert "a.json" in str(d.help)


def test_directory_permission_and_strange_names(
    tmp_path: Path, wrong: Wrong, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert [d.code for d in wrong(read_text, str(tmp_path))] == ["is-a-directory"]
    assert [d.code for d in wrong(read_text, "a\0b")] == ["cannot-read"]
    assert [d.code for d in wrong(read_text, "x" * 5000)] == ["cannot-read"]
    assert [d.code for d in wrong(read_text, str(tmp_path / "no" / "file.yaml"))] == ["no-such-file"]

    def denied(*_: object, **__: object) -> object:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "x.yaml").touch()
    monkeypatch.setattr(os, "open", denied)
    assert [d.code for d in wrong(read_text, str(tmp_path / "x.yaml"))] == ["no-permission"]


def test_size_limit(tmp_path: Path, wrong: Wrong, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_module, "LIMIT", 10)
    (tmp_path / "big").write_text("a" * 11)
    (tmp_path / "fits").write_text("a" * 10)
    assert [d.code for d in wrong(read_text, str(tmp_path / "big"))] == ["too-big"]
    assert read_text(str(tmp_path / "fits")).text == "a" * 10
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a" * 11)))
    assert [(d.code, d.file) for d in wrong(read_text, "-")] == [("too-big", "<stdin>")]


def test_stdin(monkeypatch: pytest.MonkeyPatch, wrong: Wrong) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("a: 1"))
    assert read_text("-") == Source("<stdin>", "a: 1")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xef\xbb\xbfa: 1")))
    assert read_text("-").text == "a: 1"
    monkeypatch.setattr(sys, "stdin", None)
    assert [d.code for d in wrong(read_text, "-")] == ["cannot-read"]


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b"a: 1\nb: \xff", (2, 4)),
        ("é: ".encode() + b"\xe9", (1, 4)),
        (b"\xff\xfea\x00", (1, 1)),
        (b"\xef\xbb\xbfa\xff", (1, 2)),
    ],
)
def test_not_utf8(data: bytes, place: tuple[int, int], tmp_path: Path, wrong: Wrong) -> None:
    (tmp_path / "x").write_bytes(data)
    (d,) = wrong(read_text, str(tmp_path / "x"))
    assert (d.code, d.line, d.column) == ("not-utf8", *place)


def test_byte_order_mark(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_bytes(b"\xef\xbb\xbfa: 1\r\nb: 2\r\n")
    node = read_node(str(tmp_path / "x.yaml"))
    assert node.tree == {"a": "1", "b": "2"}
    assert node.where.find(("a",), key=True) == (1, 1)
    assert node.where.find(("b",)) == (2, 4)


# ---- YAML


def test_scalars_stay_text() -> None:
    text = "[No, 1E4, 1:1, 07, 0x10, 1_000, 2001-01-01, .inf, yes, ~, null, , 'null', '3', \"~\"]".replace(", ,", ",")
    found = tree(text)
    plain = ["No", "1E4", "1:1", "07", "0x10", "1_000", "2001-01-01", ".inf", "yes", None, None]
    assert found == [*plain, "null", "3", "~"]
    assert isinstance(found, list)
    assert [isinstance(x, Quoted) for x in found] == [False] * 11 + [True] * 3


def test_empty_values_are_none() -> None:
    assert tree("a:\nb: ~\nc: null\nd: ''\ne: |\n  null\n") == {
        "a": None,
        "b": None,
        "c": None,
        "d": "",
        "e": "null\n",
    }


@pytest.mark.parametrize("text", ["", "  \n", "# only a comment\n", "---\n", "~", "null\n"])
def test_empty_files(text: str) -> None:
    assert places(text) == [("empty-file", 1, 1)]
    assert places("  ", "x.json") == [("empty-file", 1, 1)]


def test_everything_refused_is_found_at_once() -> None:
    text = """\
a: &anchor 1
b: *anchor
c: !!python/object:os.system x
d: !foo [1]
e: !!int "3"
a: again
? [1, 2]
: list as key
<<: {x: 1}
f: "bell \\a"
"""
    assert places(text) == [
        ("alias", 1, 4),
        ("alias", 2, 4),
        ("tag", 3, 4),
        ("tag", 4, 4),
        ("tag", 5, 4),
        ("given-twice", 6, 1),
        ("bad-name", 7, 3),
        ("merge", 9, 1),
        ("control-character", 10, 4),
    ]


def test_quoted_oddities_are_text() -> None:
    assert tree("'<<': 1\n'*a': '&b'\n'': !no\n".replace("!no", "x")) == {"<<": "1", "*a": "&b", "": "x"}


def test_billion_laughs_does_not_blow_up() -> None:
    lines = ["a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 10)]
    with working() as work:
        assert {code for code, _, _ in places("\n".join(lines))} == {"alias"}
    assert work.steps < 1_000_000


def test_several_documents() -> None:
    assert places("a: 1\n---\nb: 2\n") == [("several-documents", 2, 1)]
    assert tree("---\na: 1\n...\n") == {"a": "1"}


@pytest.mark.parametrize("name", ["x.yaml", "x.json", "<stdin>"])
@pytest.mark.parametrize("opening", ["[", '{"a": ', '[{"a": '])
def test_deep_nesting(name: str, opening: str) -> None:
    (found,) = places(opening * 100_000, name)
    assert found[:2] == ("too-deep", 1)
    closing = opening[::-1].translate({ord("{"): "}", ord("["): "]"}).replace(' :"a"', "")
    depth = 100 // sum(opening.count(c) for c in "[{")
    assert places(opening * (depth + 1) + "1" + closing * (depth + 1), name)[0][0] == "too-deep"
    tree(opening * depth + "1" + closing * depth, name)


def test_deep_blocks() -> None:
    assert places("- " * 100_000) == [("too-deep", 1, 201)]
    assert places("\n".join(" " * i + "a:" for i in range(2000))) == [("too-deep", 101, 101)]


@pytest.mark.parametrize(
    ("text", "place", "part"),
    [
        ("a: b: c\n", (1, 5), "':' cannot stand here"),
        ("x: 1\na: [1, 2\nb: 3\n", (2, 4), "this '[' is not closed"),
        ("a: {b: 1\n", (1, 4), "this '{' is not closed"),
        ("a:\n\tb: 1\n", (2, 1), "a tab"),
        ("a: @foo", (1, 4), "text cannot begin with '@'"),
        ("a: %foo", (1, 4), "text cannot begin with '%'"),
        ("a: *", (1, 5), "text cannot begin with '*'"),
        ('x: 1\na: "abc\n', (2, 4), "never closed"),
        ('key: "\\q"', (1, 7), "cannot stand here"),
        ("a: 'it's'", (1, 8), "closed quote"),
        ("a: 1\nb\n", (2, 1), "':' is missing"),
        ("a: 1\n b: 2", (2, 3), "':' cannot stand here"),
        ("- a\nb: 1", (2, 1), "'- ' is missing"),
        ("a: - b", (1, 4), "a list cannot begin here"),
        ("a:\n  - b\n c", (3, 2), "a name with ':'"),
        ("é: ü\n😀: [\n", (2, 5), "a value is missing"),
        ("}", (1, 1), "cannot begin like this"),
        ("{a: 1}}", (1, 7), "nothing more"),
    ],
)
def test_syntax_errors_in_words(text: str, place: tuple[int, int], part: str, wrong: Wrong) -> None:
    (d,) = wrong(parse, Source("x.yaml", text))
    assert (d.code, d.line, d.column) == ("not-yaml", *place)
    assert part in d.message


def test_syntax_error_comes_with_what_was_found_before() -> None:
    assert places("a: !x 1\nb: [") == [("tag", 1, 4), ("not-yaml", 2, 5)]


@pytest.mark.parametrize("character", ["\0", "\x01", "\x1b", "\x7f", "\x90", "\ud800", "\ufffe", "\ufeff"])
def test_control_characters(character: str) -> None:
    for name in ("x.yaml", "x.json"):
        assert places(f"a: 1\nb: x{character}", name) == [("control-character", 2, 5)]


def test_findings_are_limited() -> None:
    found = places("[" + "!x 1, " * 5000 + "]")
    assert len(found) == MOST + 1
    assert found[-1] == ("too-many", None, None)
    assert found[:-1] == [("tag", 1, 6 * i + 2) for i in range(MOST)]


# ---- JSON


def test_json_is_as_yaml() -> None:
    text = '{"a": 3, "b": "3", "c": [true, false, null], "d": -1e5, "No": 1.50, "e": NaN}'
    found = tree(text, "x.json")
    assert found == {"a": "3", "b": "3", "c": ["true", "false", None], "d": "-1e5", "No": "1.50", "e": "NaN"}
    assert isinstance(found, dict)
    assert [isinstance(found[k], Quoted) for k in "ab"] == [False, True]
    assert tree(text, "<stdin>") == found


def test_text_that_only_looks_like_json_is_yaml() -> None:
    assert tree("{a: 1, b: [x, y,]}", "<stdin>") == {"a": "1", "b": ["x", "y"]}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": 1,\n "b": tru}', ("not-json", 2, 7)),
        ("[1,\n2 3]", ("not-json", 2, 3)),
        ('{"a": 1} x', ("not-json", 1, 10)),
        ("nul", ("not-json", 1, 1)),
        ('{"a": 1,\n "b": {"c": 1, "c": 2}}', ("given-twice", 2, 16)),
        ('{"a": "\\u0000"}', ("control-character", 1, 7)),
        ('{"a\\u001b": 1}', ("control-character", 1, 2)),
        ('{"a": "\\ud83d"}', ("control-character", None, None)),
        ('{"\\ud83d": 1, "a": 1, "a": 2}', ("given-twice", None, None)),
    ],
)
def test_json_refused(text: str, expected: tuple[str, int, int]) -> None:
    assert places(text, "x.json")[0] == expected


def test_json_places() -> None:
    node = parse(Source("x.json", '{"a": [1,\n  {"b": "c"}]}'))
    assert node.where.find(("a", 1, "b")) == (2, 9)
    assert node.where.find(("a", 1, "b"), key=True) == (2, 4)


def test_json_that_yaml_cannot_read_has_no_places() -> None:
    node = parse(Source("x.json", '{"a": "\\ud83d\\ude00\\/", "b": 1, "' + "k" * 2000 + '": 1}'))
    assert isinstance(node.tree, dict)
    assert node.tree["a"] == "😀/"
    assert node.where.find(("b",)) in ((None, None), (1, 30))


# ---- places


def test_locator() -> None:
    node = parse(Source("x.yaml", "top:\n  é: [a, {b: c}]\n  list:\n  - x\n  -  y\n"))
    where = node.where
    assert where.find() == (1, 1)
    assert where.find(("top",)) == (2, 3)
    assert where.find(("top",), key=True) == (1, 1)
    assert where.find(("top", "é", 0)) == (2, 7)
    assert where.find(("top", "é", 1, "b")) == (2, 14)
    assert where.find(("top", "é", 1, "b"), key=True) == (2, 11)
    assert where.find(("top", "list", 1)) == (5, 6)
    assert where.under("top", "list").find((1,)) == (5, 6)
    # what is not there: the nearest place around it
    assert where.find(("top", "é", 1, "no", 3)) == (2, 10)
    assert where.find(("top", "é", 9), key=True) == (2, 3)
    assert where.find(("no",)) == (1, 1)
    assert where.diagnostic("c", "m", ("top", "é", 0)) == Diagnostic("c", "m", "x.yaml", 2, 7)
