"""Trees into dataclasses, and what is said where they do not fit."""

from __future__ import annotations

import typing
from collections.abc import Mapping
from dataclasses import dataclass, field, make_dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, Optional, TypeVar

import pytest

from vclogic.errors import Diagnostic, InputError
from vclogic.files.shapes.words import of_dataclass
from vclogic.files.source import Source
from vclogic.files.trees.nodes import parse
from vclogic.files.trees.schema import Texts, check_as


@dataclass(frozen=True)
class Area:
    owner: str
    value: int = 0
    sea: bool = False
    near: tuple[str, ...] = ()
    kind: Literal["land", "sea"] = "land"
    at: Optional[tuple[int, int]] = None  # noqa: UP045
    more: Mapping[str, int] = field(default_factory=dict)
    ranks: Mapping[Literal["high", "low"], int] = field(default_factory=dict)


@dataclass(frozen=True)
class Board:
    title: str
    areas: Mapping[str, Area]
    note: str | None = None
    cites: Texts = ()
    rest: Any = None

    def __post_init__(self) -> None:
        if self.title == "bad":
            raise ValueError("this title is taken")


@dataclass(frozen=True)
class One:
    n: int = 0
    b: bool = False
    s: str = ""
    cites: Texts = ()


T = TypeVar("T")


def read(cls: type[T], text: str, name: str = "x.yaml") -> T:
    return check_as(cls, parse(Source(name, text)))


def one(text: str) -> One:
    return read(One, text)


def diagnostics(cls: type, text: str, name: str = "x.yaml") -> list[Diagnostic]:
    with pytest.raises(InputError) as caught:
        read(cls, text, name)
    return list(caught.value.diagnostics)


def test_reads_nested_dataclasses() -> None:
    text = """\
title: 1942
areas:
  No: {owner: No, value: -3, sea: YES, near: [1:1, '07'], kind: "sea", at: [1, +2], more: {x: 1}}
  Empty: {owner: x, near: , more: , at: ~, ranks: {low: 1}}
cites: one
rest: [1, 'a']
"""
    node = parse(Source("x.yaml", text))
    board = check_as(Board, node)
    assert board == Board(
        title="1942",
        areas={
            "No": Area("No", -3, True, ("1:1", "07"), "sea", (1, 2), {"x": 1}),
            "Empty": Area("x", ranks={"low": 1}),
        },
        cites=("one",),
        rest=["1", "a"],
    )
    assert type(board.areas["No"].near[1]) is str
    assert node.where.find(("areas", "No", "near", 1)) == (3, 52)


def test_json_reads_the_same() -> None:
    text = '{"title": "t", "areas": {"A": {"owner": "x", "value": 3, "sea": true, "at": [1, 2]}}}'
    board = read(Board, text, "x.json")
    assert board == Board("t", {"A": Area("x", 3, True, at=(1, 2))})


@pytest.mark.parametrize("text", ["3.5", "three", "1_000", "1:1", "0x10", "1E4", "07", "'3'", "3.0", "", "[3]", "٣"])
def test_no_whole_number(text: str) -> None:
    (d,) = diagnostics(One, f"n: {text}")
    assert (d.code, d.line, d.message[:31]) == ("wrong-value", 1, "'n': expected a whole number, f")


@pytest.mark.parametrize("text", ["1000000001", "-1000000001", "9" * 5000])
def test_number_out_of_bounds(text: str) -> None:
    assert [(d.code, d.line, d.column) for d in diagnostics(One, f"n: {text}")] == [("out-of-range", 1, 4)]


@pytest.mark.parametrize(("text", "value"), [("3", 3), ("-3", -3), ("+3", 3), ("0", 0), ("1000000000", 10**9)])
def test_whole_number(text: str, value: int) -> None:
    assert one(f"n: {text}").n == value
    assert read(One, f'{{"n": {text.lstrip("+")}}}', "x.json").n == value


@pytest.mark.parametrize("text", ["true", "True", "YES", "on"])
def test_true(text: str) -> None:
    assert one(f"b: {text}").b is True
    assert one(f"s: {text}").s == text


@pytest.mark.parametrize("text", ["false", "No", "OFF"])
def test_false(text: str) -> None:
    assert one(f"b: {text}").b is False


@pytest.mark.parametrize("text", ["1", "y", "'yes'", "~", "maybe", "{}"])
def test_no_truth_value(text: str) -> None:
    (d,) = diagnostics(One, f"b: {text}")
    assert d.message.startswith("'b': expected true or false, found ")


def test_one_text_or_several() -> None:
    assert one("cites: a").cites == ("a",)
    assert one("cites: [a, b]").cites == ("a", "b")
    assert one("cites:").cites == ()
    (d,) = diagnostics(One, "cites: [a, [b]]")
    assert (d.line, d.column) == (1, 12)


def test_all_mistakes_with_their_places() -> None:
    text = """\
title:
areas:
  A: {value: 3.5, vlaue: 1, sea: maybe, near: a, kind: lnad, at: [a]}
  B: [1]
  C: {owner: [1], at: [1, 2, 3], near: [a, [b]], more: [1], ranks: {hgih: 1}}
note: {}
zz: 1
"""
    assert [(d.code, d.line, d.column, d.message, d.help) for d in diagnostics(Board, text)] == [
        ("wrong-value", 1, 7, "'title': expected text, found nothing", None),
        ("missing-entry", 3, 3, "`owner:` is missing in 'A' of 'areas'", "add `owner: ...`"),
        ("wrong-value", 3, 14, "'value' of 'A': expected a whole number, found '3.5'", None),
        ("unknown-entry", 3, 19, "'vlaue' cannot stand here in 'A' of 'areas'", "known: owner, more, ranks"),
        ("wrong-value", 3, 34, "'sea' of 'A': expected true or false, found 'maybe'", None),
        ("wrong-value", 3, 47, "'near' of 'A': expected a list, found 'a'", None),
        ("bad-value", 3, 56, "'kind' of 'A': expected land or sea, found 'lnad'", None),
        ("wrong-value", 3, 66, "'at' of 'A': expected a list of exactly 2", None),
        ("wrong-value", 3, 67, "item 1 of 'at': expected a whole number, found 'a'", None),
        ("wrong-value", 4, 6, "'B' of 'areas': expected names with values: `NAME: VALUE`, found a list", None),
        ("wrong-value", 5, 14, "'owner' of 'C': expected text, found a list", None),
        ("wrong-value", 5, 23, "'at' of 'C': expected a list of exactly 2", None),
        ("wrong-value", 5, 44, "item 2 of 'near': expected text, found a list", None),
        ("wrong-value", 5, 56, "'more' of 'C': expected names with values: `NAME: VALUE`, found a list", None),
        ("bad-value", 5, 69, "'hgih' of 'ranks': expected high or low, found 'hgih'", None),
        ("wrong-value", 6, 7, "'note': expected text, found nothing in `{}`", None),
        ("unknown-entry", 7, 1, "'zz' cannot stand here", "known: cites, rest"),
    ]


@pytest.mark.parametrize("text", ["[1]", "word", "'3'"])
def test_the_whole_is_no_mapping(text: str) -> None:
    assert [(d.code, d.line, d.column) for d in diagnostics(Board, text)] == [("wrong-value", 1, 1)]


def test_the_dataclass_may_object() -> None:
    (d,) = diagnostics(Board, "title: bad\nareas: {}")
    assert (d.code, d.message, d.line, d.column) == ("bad-value", "this title is taken", 1, 1)


def test_json_places() -> None:
    found = diagnostics(Board, '{"title": "t",\n "areas": {"A": {"owner": 3, "valu": 1}}}', "x.json")
    assert [(d.code, d.line, d.column) for d in found] == [("unknown-entry", 2, 30)]


def test_a_part_of_a_file() -> None:
    node = parse(Source("x.yaml", "outer:\n  inner: {n: x}\n")).section("outer").section("inner")
    with pytest.raises(InputError) as caught:
        check_as(One, node)
    assert [(d.line, d.column) for d in caught.value.diagnostics] == [(2, 14)]


@dataclass(frozen=True)
class Town:
    size: int
    at: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class Region:
    towns: Mapping[str, Town]


@dataclass(frozen=True)
class Nested:
    parts: tuple[Nested, ...] = ()


@dataclass(frozen=True)
class Unknown:
    towns: Twon  # type: ignore[name-defined] # noqa: F821


def line_of(text: str) -> int:
    return Path(__file__).read_text().split("\n").index(text) + 1


@pytest.mark.parametrize(
    ("cls", "said", "line"),
    [
        (
            Region,
            "field 'at' of the class {}.Town: its type is tuple[float, float]",
            "    at: tuple[float, float] = (0.0, 0.0)",
        ),
        (Nested, "field 'parts' of the class {}.Nested: its type is tuple[", "    parts: tuple[Nested, ...] = ()"),
        (Unknown, "fields of the class {}.Unknown cannot be told: NameError: name 'Twon'", "class Unknown:"),
        (Path, "the class pathlib", None),
    ],
)
def test_a_class_that_no_file_can_give_is_named_with_the_field(cls: type, said: str, line: str | None) -> None:
    with pytest.raises(InputError) as caught:
        check_as(cls, parse(Source("x.yaml", "towns: {}")))
    (found,) = caught.value.diagnostics
    assert found.code == "broken-encoding"
    assert said.format(__name__) in found.message
    with pytest.raises(InputError) as caught:  # `vclogic schema board GAME` says the same
        of_dataclass(cls)
    assert caught.value.diagnostics == (found,)
    if line is not None:
        assert (found.file, found.line) == (__file__, line_of(line))


@pytest.mark.parametrize(
    "hint",
    [
        *(
            float,
            bytes,
            dict,
            list,
            tuple,
            set[str],
            list[str],
            typing.Mapping,
            tuple,
            tuple[()],
            dict[int, str],
        ),
        *(Literal[1, 2], int | str, int | str | None, Annotated[str, []], typing.Callable[[], int], None, Path),
        *(tuple[float, ...], Mapping[str, float], float | None, TypeVar("Y")),
    ],
)
def test_kinds_that_no_file_can_give(hint: object) -> None:
    cls = make_dataclass("Made", [("good", int, 0), ("bad", hint, None)])
    with pytest.raises(InputError, match="the field 'bad' of the class"):
        check_as(cls, parse(Source("x.yaml", "good: 1")))


def test_slots_and_keyword_only() -> None:
    found = read(Slotted, "{a: 1, b: x}")
    assert found == Slotted(a=1, b="x")


@dataclass(frozen=True, slots=True, kw_only=True)
class Slotted:
    b: str = ""
    a: int
