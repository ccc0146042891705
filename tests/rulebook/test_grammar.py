"""The grammar for editors knows the words of the parser, and finds them where they stand."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.rulebook.told_statements import written
from vclogic.rulebook.markdown.pieces import pieces
from vclogic.rulebook.parser import parse_rules
from vclogic.rulebook.printing import printed
from vclogic.rulebook.source import RULES, RULINGS
from vclogic.rulebook.statements import MOMENTS
from vclogic.rulebook.table.entries import BOOK
from vclogic.rulebook.table.entry import StatementEntry
from vclogic.terms.expressions.lexer import CLAUSES, JOINING, TRUTHS
from vclogic.terms.expressions.syntax import BEFORE, FORMS

ROOT = Path(__file__).parents[2]
GRAMMAR: dict[str, Any] = json.loads((ROOT / "editors" / "vclogic.tmLanguage.json").read_text())
PARTS: dict[str, Any] = GRAMMAR["repository"]
BOOKS = [ROOT / "vclogic" / "templates" / "rulebook.md", *sorted((ROOT / "examples" / "rulebooks").glob("*.md"))]


def words(part: dict[str, Any]) -> set[str]:
    """The words between the first parentheses of a pattern."""
    found = re.search(r"\(([\w| ]+)\)", part["match"])
    assert found is not None
    return set(found[1].split("|"))


def test_what_follows_from_the_table_stands_in_the_files() -> None:
    """`python -m tests.rulebook.told_statements` writes them."""
    assert [path.name for path, there, wanted in written() if there != wanted] == []


@pytest.mark.parametrize("entry", BOOK.entries, ids=lambda e: e.example.partition("\n")[0])
def test_each_example_is_read_and_written_as_it_stands(entry: StatementEntry) -> None:
    (found,) = parse_rules(entry.example, "example", (), BOOK)
    assert BOOK.of(found.content) is entry
    assert printed([found.content]) == f"{entry.example}\n"


def test_its_words_are_those_of_expressions() -> None:
    expression = {p["name"]: p for p in PARTS["expression"]["patterns"]}
    assert words(expression["support.function.vclogic"]) == {*FORMS, BEFORE}
    assert words(expression["keyword.operator.logical.vclogic"]) == set(JOINING)
    assert words(expression["keyword.operator.word.vclogic"]) >= set(CLAUSES)
    assert words(expression["constant.language.vclogic"]) == set(TRUTHS)
    assert all(re.fullmatch(PARTS["moment"]["match"], moment) for moment in MOMENTS)


def test_blocks_and_lines_are_found() -> None:
    """By the patterns themselves, with what Python does not know taken out of them."""
    fences = {
        kind: PARTS[f"{name}-block"]["begin"].replace("|\\G", "")
        for kind, name in ((RULES, "rules"), (RULINGS, "ruling"))
    }
    counted = 0
    for piece in (p for book in BOOKS for p in pieces(book.read_text()) if p.kind):
        assert re.match(fences[piece.kind], piece.whole.partition("\n")[0])
        for line in piece.text.splitlines():
            if piece.kind == RULES and re.match(r"[a-z]+ (?!means|win|lose)", line):
                counted += 1
                assert re.match(PARTS["statement"]["match"], line) or re.search(PARTS["verb"]["match"], line), line
            elif piece.kind == RULINGS and line[:1].isspace():
                assert re.match(PARTS["ruling"]["patterns"][2]["match"], line), line
    assert counted > 5


def test_each_pattern_is_one() -> None:
    def patterns(part: Any) -> list[str]:
        if isinstance(part, list):
            return [x for p in part for x in patterns(p)]
        if not isinstance(part, dict):
            return []
        own = [part[key].replace("|\\G", "") for key in ("match", "begin") if key in part]
        return [*own, *(x for p in part.values() for x in patterns(p))]

    included = set(re.findall(r'"#([\w-]+)"', json.dumps(GRAMMAR)))
    assert included == set(PARTS)
    assert all(re.compile(pattern) for pattern in patterns(GRAMMAR))
