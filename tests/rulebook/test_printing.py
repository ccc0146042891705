"""Statements are printed as a text that says the same: all kinds, with names that nobody would choose."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.pace import examples
from vclogic.errors import InputError
from vclogic.rulebook import declarations as d
from vclogic.rulebook import statements as s
from vclogic.rulebook.document import book_document, book_of, book_schema, document
from vclogic.rulebook.markdown.pieces import pieces
from vclogic.rulebook.parser import parse_rules
from vclogic.rulebook.printing import WIDTH, printed
from vclogic.rulebook.table.entries import BOOK
from vclogic.terms.expressions.syntax import Binder, Call, Form, Operation, Word

BOOKS = sorted((Path(__file__).parents[2] / "examples" / "rulebooks").glob("*.md"))
BOOKS.append(Path(__file__).parents[2] / "vclogic" / "templates" / "rulebook.md")
LONG = " and ".join(f"occupies(Crossers, area {n})" for n in range(9))


@pytest.mark.parametrize("book", BOOKS, ids=lambda p: p.name)
def test_rulebooks_there_and_back(book: Path) -> None:
    text = book.read_text()
    assert "".join(piece.whole for piece in pieces(text)) == text
    found = json.loads(json.dumps(book_document(text, book.name)))
    jsonschema.validate(found, book_schema())
    assert book_document(book_of(found, book.name), book.name) == found


# ---- random statements


def word(text: str) -> Word:
    return Word(text, 0)


NAMES = ("a", "area", "top row", "1st Line", "Men of Kent", "d'Or", 'the "Old" Guard', "at", "if", "means", "turn")
names = st.sampled_from((*NAMES, "side", "4", "größe")).map(word)
single = st.sampled_from(("a", "worth", "at", "if", "means", "turn", "wins", "größe")).map(word)
header = st.sampled_from(("a", "in", "by", "at", "the hill", "d'Or")).map(word)
files = st.sampled_from(("basic.md", "../two words.md")).map(word)
texts = st.sampled_from(("why", "it's so", 'a "so-called" one', "no, or yes; #4"))
numbers = st.integers(0, 99).map(lambda n: Word(str(n), 0, True))
several = st.lists(names, min_size=1, max_size=3, unique_by=lambda w: w.text).map(tuple)


def of(kind: type[Any], *parts: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.tuples(*parts).map(lambda found: kind(*found))


def two(what: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(what, max_size=2).map(tuple)


def maybe(what: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | what


def operation(operator: str, *found: Any) -> Operation:
    operators = (operator,) if len(found) == 1 else (operator,) * (len(found) - 1)
    return Operation(operators, (0,) * len(operators), found, 0)


called = st.sampled_from(("a", "worth", "at", "turn", "größe"))
calls = st.recursive(
    st.tuples(called, names).map(lambda p: Call(p[0], (p[1],), 0)),
    lambda inside: st.tuples(called, inside, names).map(lambda p: Call(p[0], p[1:], 0)),
    max_leaves=2,
)
kinds = st.sampled_from(("area", "near area", "1st Line", "größe")).map(word)
binders = of(Binder, kinds, maybe(names), maybe(names | calls), maybe(calls))


def larger(inside: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    two = st.tuples(st.sampled_from(("or", "and", "==", "<=", "+", "-", "*")), inside, inside)
    return st.one_of(
        two.map(lambda p: operation(*p)),
        st.tuples(st.sampled_from(("not", "-", "before")), inside).map(lambda p: operation(*p)),
        st.tuples(inside, names).map(lambda p: operation("in", *p)),
        st.tuples(inside, inside, inside).map(lambda p: Form("if", 0, p)),
        st.tuples(inside, binders).map(lambda p: Form("sum", 0, (p[0],), p[1])),
        binders.map(lambda b: Form("count", 0, (), b)),
        st.tuples(names, names, binders).map(lambda p: Form("connected", 0, (p[0],), p[2], p[1])),
    )


nodes = st.recursive(names | numbers | calls, larger, max_leaves=5)
facts = single | calls
moments = of(s.Moment, st.sampled_from(s.MOMENTS[1:3]), maybe(names)) | st.just(s.Moment(s.END))
changes = of(s.FactChange, st.sampled_from((s.BECOMES, s.RISES, s.FALLS)), nodes, moments, maybe(nodes), st.just(0))
messages = st.just(()) | st.tuples(st.sampled_from(("so: ", 'a "')), nodes.filter(lambda n: "'" not in repr(n)))
needs = of(d.Need, nodes, st.just(""), st.just(0), messages)
effects = of(d.Effect, facts, st.sampled_from((s.BECOMES, s.RISES)), nodes, maybe(binders), maybe(nodes), st.just(0))
least = st.tuples(st.just((2, 1)), st.none(), st.booleans(), st.just(False))
rows = st.tuples(least, names, st.booleans(), maybe(names)).map(lambda p: s.TableRow(*p[0], *p[1:], 0))
values = ((word("a"), 'the "a"'), (word("at"), "b"))
choices = st.booleans().map(lambda r: d.Choice(word("tie"), "who's first?", values, "at", "why" if r else "", r))
no, none, nothing, true = st.just(False), st.none(), st.just(()), st.just(True)
hexes = st.just(((word("."), word("-")), (word("w"),)))
size = st.just((8, 7))
marks = st.just(((".", "open"), ("w", "deep wood")))
own = st.tuples(single, maybe(single), maybe(single), st.booleans()).map(lambda p: d.FromBoard(*p))
sizes = st.booleans().map(lambda said: (word("wide"), word("high")) if said else (None, None))
layouts = st.tuples(maybe(single), sizes, maybe(single), maybe(single), maybe(single)).map(
    lambda p: d.HexLayout(p[0], p[1][0], p[1][1], p[2], p[3], p[4])
)
whole_layouts = layouts.filter(lambda x: x.columns is not None)
said_values = (
    st.tuples(several, st.none(), maybe(single), st.booleans(), no),
    st.tuples(several, st.none(), none, st.booleans(), true),
    st.tuples(nothing, st.just((-3, 3)), maybe(st.just(word("-2"))), no, no),
    st.tuples(nothing, none, maybe(st.just(word("true"))), no, no),
)
STATEMENTS = st.one_of(
    st.tuples(single, single, st.one_of(said_values), maybe(own), st.booleans()).map(
        lambda p: d.Column(p[0], p[1], *p[2], *((None, True) if p[4] else (p[3],)))
    ),
    st.tuples(single, single, st.sampled_from((((), (0, 9), None), ((word("x"),), None, None))), maybe(own)).map(
        lambda p: d.Column(p[0], p[1], *p[2], board=p[3], second=word("side"))
    ),
    st.tuples(single, st.one_of(said_values)).map(lambda p: d.BoardValue(p[0], *p[1])),
    st.tuples(single, several | st.just((word("-2"), word("7")))).map(lambda p: d.BoardValue(p[0], given=p[1])),
    own.map(lambda of: d.Sides((), of)),
    single.map(d.Rounds),
    st.tuples(names, own, st.booleans()).map(lambda p: d.KindOf(p[0], (), False, p[1], p[2])),
    st.tuples(single, own).map(lambda p: d.Edges(p[0], (), p[1])),
    st.tuples(header, layouts.filter(lambda x: x.named), own).map(
        lambda p: d.Rows(p[0], hexes=True, layout=p[1], board=p[2])
    ),
    st.tuples(header, whole_layouts).map(lambda p: d.Rows(p[0], hexes=True, layout=p[1])),
    of(s.Definition, single, st.just(()) | several, nodes, st.none(), st.just(False)),
    of(s.Definition, single, several, nodes, nodes, st.just(True)),
    of(s.RememberedFact, single, several, st.just((-3, 3)), nothing, maybe(st.just(word("-2"))), two(changes)),
    of(s.RememberedFact, single, several, st.none(), several, maybe(names | calls), st.just(())),
    of(s.NamedGroup, names, several),
    of(s.Win, names, names, moments, maybe(nodes), st.booleans(), st.booleans()),
    of(s.OutcomeTable, names, moments, nodes, maybe(calls), st.lists(rows, min_size=1, max_size=2).map(tuple)),
    of(s.InsteadOf, several),
    several.map(lambda of: d.Sides(tuple((w, ()) for w in of))),
    st.tuples(names, several).map(lambda p: d.Sides((p, (word("last"), (word("one"),))))),
    of(d.TurnOrder, several),
    of(d.TurnIs, several),
    st.booleans().map(lambda one: d.TurnIs((), one)),
    several.map(lambda w: d.TurnIs(w, False, (*(None for _ in w[1:]), word("done")))),
    single.map(lambda w: d.TurnIs((), False, (w,))),
    of(d.Rounds, st.integers(1, 99)),
    of(d.PassRule, st.booleans()),
    of(d.KindOf, names, several),
    of(d.KindOf, names, st.just(()), st.booleans()),
    of(d.Rows, header, nothing, size, st.sampled_from((d.BOTH_WAYS, d.DIAGONAL, d.ORTHOGONAL))),
    of(d.Rows, header, st.lists(st.lists(header, min_size=1, max_size=3).map(tuple), min_size=1).map(tuple)),
    of(d.Rows, header, hexes, none, st.just(""), true, st.sampled_from((0, 1)), st.booleans(), marks),
    of(d.Start, facts, nodes, maybe(binders)),
    of(d.Law, nodes, st.booleans()),
    of(
        d.EventRule,
        single,
        maybe(header),
        two(header),
        maybe(header),
        st.booleans(),
        two(needs),
        two(effects),
        messages,
        none,
        no,
        st.booleans(),
        st.booleans(),
        two(
            st.builds(
                lambda h, c: d.TakenArgument(h, c, 0),
                st.lists(header, min_size=1, max_size=3).map(tuple),
                maybe(nodes),
            )
        ),
        st.just("") | texts,
    ),
    of(d.EventRule, single, st.just(word("chance")), nothing, none, no, nothing, nothing, nothing, nodes),
    of(d.EveryEvent, st.just(()) | several, needs),
    choices,
    of(d.Include, files),
    of(d.LeftOut, texts),
    of(d.Accept, st.just(word("VC201")), texts),
)


def said(contents: Any) -> Any:
    return document(s.Statement(c, 0, 0, "") for c in contents)


@given(st.lists(STATEMENTS, min_size=1, max_size=4))
@examples(2000, usual=40)
def test_what_is_printed_says_the_same(contents: list[Any]) -> None:
    text = printed(contents)
    try:
        found = parse_rules(text, "x", (), BOOK)
    except InputError as error:
        raise AssertionError(f"{error}\n{text}") from error
    assert said(x.content for x in found) == said(contents), text
    assert printed(x.content for x in found) == text


def test_a_name_that_is_a_word_of_its_line_stands_in_quotes() -> None:
    text = "fact 'if': on or 'if', starts 'if'\n"
    assert printed(x.content for x in parse_rules(text, "x", (), BOOK)) == text


def test_parentheses_and_line_ends_stand_where_they_help() -> None:
    text = f"a means (b and c) or not (d or (e))\nx means (a + (b * -c)) - (d - 1) == 2\nnever {LONG}\n"
    found = printed(x.content for x in parse_rules(text, "x", (), BOOK))
    assert found.startswith("a means (b and c) or not (d or e)\nx means (a + b * -c) - (d - 1) == 2\n")
    assert all(len(line) <= WIDTH for line in found.splitlines())
    assert found.count("\n") > 3
