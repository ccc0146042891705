"""Texts of rules that nobody means well: they end in clear errors, with little time and memory."""

from __future__ import annotations

import pytest

import vclogic
from vclogic.errors import InputError
from vclogic.rulebook.parser import parse_rules

DEEP = "(" * 200 + "1" + ")" * 200


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is nothing here"),
        ("# only a remark", "there is nothing here"),
        ("a means b(\n", "the '(' is never closed"),
        ("a means 'b\n", "the quote is not closed in its line"),
        (f"a means {DEEP}", "nested deeper than 100"),
        ("a means not " + "not " * 200 + "true", "nested deeper than 100"),
        ("fact x: 0 to 99999999999", "these are no numbers that a fact can have"),
        ("fact x: 9 to 1", "the larger number stands first"),
        ("a means \u202e1", "a sign that nobody sees"),
        ("fact if", "the name of the fact is missing here"),
        ("fact met", "'met' means something already"),
        ("fact met\n  becomes true at once\nUS wins x at the end of a turn if met", "'met' means something already"),
        ("count(side) means 3", "'count' means something already"),
        ("side means 3", "'side' means something already"),
        ("turn means 3", "'turn' means something already"),
        ("a means a", "the meaning of a leads back to itself"),
        ("a(side) means b(side)\nb(side) means a(side)", "the meaning of a leads back to itself"),
        ("fact x(hex, near hex, far hex): 0 to 9", "the fact has more than 100,000 values"),
        (
            "fact a: 0 to 5\n  becomes b at once\nfact b: 0 to 5\n  becomes a at once",
            "a depends on facts that depend on it at the same moment",
        ),
    ],
)
def test_they_end_in_clear_errors(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        vclogic.load({"game": "okinawa/small", "outcomes": text})
    first = caught.value.diagnostics[0].message
    assert message in first


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x" * 300_000, "the text is longer than 200000 characters"),
        ("\n".join(f"a{n} means {n}" for n in range(1001)), "there are more than 1000 statements"),
    ],
)
def test_a_text_is_not_endless(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_rules(text)
    assert caught.value.diagnostics[0].message == message


def test_a_long_sum_is_read() -> None:
    (found,) = parse_rules("a means " + "1 + " * 20_000 + "1")
    assert len(found.text) == 80_009


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_ends_of_lines_tabs_and_indents_do_not_matter(end: str) -> None:
    text = "  # remark\n  a means\n\t1 + (\n  2)\n  fact x: 0 to 3 # three\n\trises by 1 at once\n\n  b means a"
    assert len(parse_rules(text.replace("\n", end))) == 3


def test_an_open_parenthesis_swallows_no_other_statement() -> None:
    with pytest.raises(InputError) as caught:
        parse_rules("a means (1\nb means 2)\nUS wins x at once if (a > 1")
    assert [(d.line, d.column) for d in caught.value.diagnostics] == [(1, 9), (2, 10), (3, 22)]


def test_a_name_that_is_a_word_of_the_language_stands_in_quotes() -> None:
    game = vclogic.load({"game": "okinawa/small", "outcomes": "US wins 'the end if at once' at once if round >= 9"})
    assert [o.rule for o in game.status().outcomes][-1] == "the end if at once"


def test_a_fact_can_start_below_nothing() -> None:
    game = vclogic.load(
        {"game": "okinawa/small", "outcomes": "fact x: -5 to 5, starts -2\n  falls by 1 at the end of a turn"}
    )
    assert game.value("x") == -2
    assert game.apply("end_turn").value("x") == -3
