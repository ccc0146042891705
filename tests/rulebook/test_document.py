"""Texts of rules as documents: there and back, by a schema, and what is wrong with one."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

import vclogic
from tests.fixtures.twelve import conditions, typed
from vclogic.errors import InputError
from vclogic.rulebook.document import document, schema, text_of
from vclogic.rulebook.parser import parse_rules

MORE = """
holds_out(side) means if(some(unit of side where true), 1, 0) + 2 * max(3, -4)
except holds_out(US) means 7 if not (round >= 2 or turn == 'Japan') and before(round == 1)
fact holder(hex): side or nobody, starts nobody
  becomes Japan at the start of a turn of Japan if connected(hex, Northern through near hex where true)
  falls by 2 at once
nobody loses 'a long name' at the end of a round
table level at the end of a turn of US, by 3 - round : round
  2:1 or less  US loses
  more than 3:1  Japan wins a lot
  4 to 5  nobody wins
  6  Japan wins
"""
WORD: dict[str, Any] = {"is": "word", "text": "a"}
TABLE: dict[str, Any] = {
    "is": "table",
    "name": WORD,
    "moment": {"is": "moment", "name": "at the end"},
    "value": WORD,
    "to": None,
    "rows": [],
}
ROW = {
    "is": "row",
    "least": None,
    "most": None,
    "over": False,
    "under": False,
    "who": WORD,
    "loses": False,
    "name": None,
}
DEEP: Any = WORD
for _ in range(900):
    DEEP = {"is": "operation", "operators": ["not"], "parts": [DEEP]}
TEXTS = [typed(*c)["outcomes"] for c in conditions()] + [MORE]


@pytest.mark.parametrize("text", TEXTS)
def test_there_and_back(text: str) -> None:
    found = document(parse_rules(text))
    jsonschema.validate(found, schema())
    assert document(parse_rules(text_of(json.loads(json.dumps(found))))) == found


def test_a_document_stands_for_its_text() -> None:
    position = typed("okinawa", "Japan needs a lead of fifty")
    as_document = {**position, "outcomes": document(parse_rules(position["outcomes"]))}
    told = [
        [(o.rule, o.side, o.status, o.have, o.need) for o in vclogic.load(p).status().outcomes]
        for p in (position, as_document)
    ]
    assert told[0] == told[1]


@pytest.mark.parametrize(
    ("found", "message"),
    [
        ({}, "a document of rules says version: 1"),
        ({"version": 2, "statements": []}, "a document of rules says version: 1"),
        ({"version": 1}, "a document of rules has `version` and a list of `statements`"),
        ({"version": 1, "statements": [{"is": "winn"}]}, "nothing says which part this is under `is` (statement 1)"),
        ({"version": 1, "statements": [{"is": "word", "text": "x"}]}, "word is no statement (statement 1)"),
        ({"version": 1, "statements": [{"is": "instead of"}]}, "'names' is missing in a instead of (statement 1)"),
        (
            {"version": 1, "statements": [{"is": "instead of", "names": [3]}]},
            "'names' of a instead of is something else (statement 1 names)",
        ),
        (
            {"version": 1, "statements": [{"is": "instead of", "names": [], "name": 1}]},
            "'name' cannot stand in a instead of (statement 1)",
        ),
        (
            {"version": 1, "statements": [TABLE]},
            "no line of text can say this (statement 1)",
        ),
        (
            {"version": 1, "statements": [TABLE | {"rows": [ROW]}]},
            "no line of text can say this (statement 1)",
        ),
        (
            {"version": 1, "statements": [{"is": "instead of", "names": [{"is": "word", "text": "two\nlines"}]}]},
            "no line of text can say this (statement 1)",
        ),
        (
            {
                "version": 1,
                "statements": [TABLE | {"value": {"is": "operation", "operators": ["^"], "parts": [WORD]}}],
            },
            "an operation has one operator less than parts, or one before its only part (statement 1 value)",
        ),
        ({"version": 1, "statements": [TABLE | {"value": DEEP}]}, "this is nested too deep (statement 1 value)"),
        (
            {"version": 1, "statements": [TABLE | {"cites": ["x"]}]},
            "`cites` lists numbers of sentences (statement 1 cites)",
        ),
    ],
)
def test_what_is_wrong_with_a_document(found: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        text_of(found)
    assert caught.value.diagnostics[0].message == message
