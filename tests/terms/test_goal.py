"""The goal language: what is accepted, what it means, and where and how each mistake is reported."""

from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.pace import examples
from tests.fixtures.work import working
from tests.toys.four_areas import toy
from vclogic.errors import Diagnostic, InputError
from vclogic.model.actions import Parameter, Schema
from vclogic.model.event_terms import EventWords, actor, before, happened, happens
from vclogic.model.rules import Observable
from vclogic.terms.atoms import TRUE, boolean, constant, integer, var
from vclogic.terms.build import and_, eq, ge, gt, linear, not_, or_
from vclogic.terms.domain import Domain
from vclogic.terms.expressions.parser import comparison, parse
from vclogic.terms.expressions.resolve import compile_goal, compile_value
from vclogic.terms.expressions.syntax import Operation, Word
from vclogic.terms.partial import Partial
from vclogic.terms.rewrite import substitute
from vclogic.terms.sorts import BOOL, EnumSort, IntSort
from vclogic.terms.term import Term

SIDE = Domain(EnumSort("side", ("Axis", "Allies")))
POWERS = EnumSort("power", ("Germans", "Japanese", "Russians"))
POWER = Domain(POWERS, aliases={"USSR": "Russians"}, refused={"Turks": "they are neutral"})
AREA = Domain(EnumSort("area", ("Karelia S.S.R.", "Baltic", "22V3/0", "0504", "Île")))
OUTCOME = Domain(EnumSort("outcome", ("major_victory", "minor_victory")))
POINTS = IntSort(0, 30)


def _observable(name: str, kinds: tuple[Domain, ...], sort: Any, partial: bool = False) -> Observable:
    def term(*names: str) -> Term | Partial:
        value = var(".".join((name, *names)), sort)
        return Partial(value, var("defined." + ".".join((name, *names)), BOOL)) if partial else value

    values = POWER if sort is POWER.sort else AREA if sort is AREA.sort else None
    return Observable(name, kinds, term, "text", values=values)


VOCABULARY = {
    o.name: o
    for o in (
        _observable("vcp", (SIDE,), POINTS),
        _observable("ratio", (SIDE,), POINTS, partial=True),
        _observable("round", (), IntSort(1, 9)),
        _observable("gold", (SIDE,), IntSort(-4_000, 4_000)),
        _observable("turn", (), POWER.sort),
        _observable("last", (POWER,), POWER.sort, partial=True),
        _observable("seat", (SIDE,), AREA.sort),
        _observable("loyal", (POWER,), SIDE.sort),  # without names to compare with: those of its sort serve
        _observable("owner", (AREA,), POWER.sort),
        _observable("heir", (), EnumSort("power", ("none", "Germans"))),
        _observable("holds", (OUTCOME, SIDE), BOOL),
        _observable("strong", (SIDE,), BOOL, partial=True),
    )
}
VCP, ROUND = var("vcp.Axis", POINTS), var("round", IntSort(1, 9))
TURN, OWNER = var("turn", POWER.sort), var("owner.Karelia S.S.R.", POWER.sort)
RATIO, RATIO_DEFINED = var("ratio.Axis", POINTS), var("defined.ratio.Axis", BOOL)
STRONG, STRONG_DEFINED = var("strong.Axis", BOOL), var("defined.strong.Axis", BOOL)
LAST, LAST_DEFINED = var("last.Russians", POWER.sort), var("defined.last.Russians", BOOL)
MAJOR = var("holds.major_victory.Allies", BOOL)
TAKE = Schema("take", (Parameter("side", SIDE), Parameter("n", range(1, 4), term=True)), lambda **args: None, "")  # type: ignore[arg-type]
OF_EVENTS = EventWords(replace(toy(events=(TAKE,)), sides={"Axis": ("Germans", "Japanese"), "Allies": ("Russians",)}))


def goal(text: str) -> Term:
    return compile_goal(text, VOCABULARY).term


def wrong(text: str, compiler: Any = compile_goal) -> tuple[Diagnostic, ...]:
    with pytest.raises(InputError) as caught:
        compiler(text, VOCABULARY, "--goal")
    assert all(d.file == "--goal" and d.line and d.column for d in caught.value.diagnostics)
    return caught.value.diagnostics


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("vcp(Axis) >= 20", ge(VCP, 20)),
        ("vcp ( 'Axis' )>=20", ge(VCP, 20)),
        ("\n vcp(\n\tAxis) \r\n >= 20 ", ge(VCP, 20)),
        ("vcp(Axis)-3 > 4", ge(VCP, 8)),
        ("2*vcp(Axis)*3 - -round + 1 != 65", not_(eq(linear([(6, VCP), (1, ROUND)], 1), 65))),
        ("(1 + 1) * (vcp(Axis) - round) < 4", not_(ge(linear([(2, VCP), (-2, ROUND)]), 4))),
        ("-vcp(Axis) * 2 < -8", ge(VCP, 5)),
        ("round() >= 3 and round <= 3", eq(ROUND, 3)),
        ("'round' == 3", eq(ROUND, 3)),
        ("007 <= round", ge(ROUND, 7)),
        ("not round >= 3 or false", not_(ge(ROUND, 3))),
        ("true or true and false", TRUE),
        ("owner(Karelia S.S.R.) == Germans", eq(OWNER, "Germans")),
        ("owner(Karelia\n  S.S.R.) == 'Germans'", eq(OWNER, "Germans")),
        ('(USSR) != owner("Karelia S.S.R.")', not_(eq(OWNER, "Russians"))),
        ("turn == Germans", eq(TURN, "Germans")),
        ("Germans == turn", eq(TURN, "Germans")),
        ("owner(Karelia S.S.R.) == turn", eq(OWNER, TURN)),
        ("turn != turn()", not_(TRUE)),
        ("seat(Axis) == 0504", eq(var("seat.Axis", AREA.sort), "0504")),
        ("seat(Axis) == '22V3/0'", eq(var("seat.Axis", AREA.sort), "22V3/0")),
        ("seat(Axis) == I\u0302le", eq(var("seat.Axis", AREA.sort), "Île")),
        ("loyal(USSR) == Allies", eq(var("loyal.Russians", SIDE.sort), "Allies")),
        ("owner(22V3/0) == Germans", eq(var("owner.22V3/0", POWER.sort), "Germans")),
        ("holds(major_victory, Allies)", MAJOR),
        ("holds(major_victory, Allies) == (round >= 3)", eq(MAJOR, ge(ROUND, 3))),
        ("holds(major_victory, Allies) != true", not_(MAJOR)),
        ("strong(Axis)", and_(STRONG_DEFINED, STRONG)),
        ("not strong(Axis)", not_(and_(STRONG_DEFINED, STRONG))),
        ("strong(Axis) != false", and_(STRONG_DEFINED, STRONG)),
        ("ratio(Axis) >= 0", RATIO_DEFINED),
        ("0 * ratio(Axis) == 0", RATIO_DEFINED),
        ("1 + ratio(Axis) != 4", and_(RATIO_DEFINED, not_(eq(RATIO, 3)))),
        ("not ratio(Axis) == 3", not_(and_(RATIO_DEFINED, eq(RATIO, 3)))),
        ("last(USSR) != USSR", and_(LAST_DEFINED, not_(eq(LAST, "Russians")))),
        ("not last(USSR) == turn", not_(and_(LAST_DEFINED, eq(LAST, TURN)))),
    ],
)
def test_meaning(text: str, term: Term) -> None:
    assert goal(text) is term


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("before(vcp(Axis)) > vcp(Axis)", and_(happened(), gt(before(VCP), VCP))),
        ("before(vcp(Axis) > 3 and round == 1)", and_(happened(), ge(before(VCP), 4), eq(before(ROUND), 1))),
        ("not before(round > 1)", not_(and_(happened(), ge(before(ROUND), 2)))),
        ("before(turn) == Germans", and_(happened(), eq(before(TURN), "Germans"))),
        ("Germans != before( turn )", and_(happened(), not_(eq(before(TURN), "Germans")))),
        ("turn == before(turn)", and_(happened(), eq(TURN, before(TURN)))),
        ("1 + before(ratio(Axis)) >= 0", and_(happened(), before(RATIO_DEFINED))),
        ("before(strong(Axis))", and_(happened(), before(STRONG_DEFINED), before(STRONG))),
        ("before(true)", happened()),
        ("2 * before(round + 1) == 4", and_(happened(), eq(before(ROUND), 1))),
        ("happens(take)", happens("take")),
        ("happens(take, side = 'Axis', n=2)", happens("take", side="Axis", n=2)),
        ("happens(n=2, take)", happens("take", n=2)),
        ("actor(Germans) or not actor(Axis)", or_(actor("Germans"), not_(actor("Axis")))),
    ],
)
def test_meaning_of_the_words_for_events(text: str, term: Term) -> None:
    found = compile_goal(text, VOCABULARY, steps=OF_EVENTS)
    assert found.term is term
    assert found.of_events
    assert not compile_goal("round > 1", VOCABULARY, steps=OF_EVENTS).of_events


def test_goal_says_what_it_names() -> None:
    events = compile_goal(
        "happens(take, side=Axis) and actor(Russians) and before(turn) == USSR", VOCABULARY, steps=OF_EVENTS
    )
    assert [*events.functions] == ["turn"]
    assert events.mentions == (("side", "Axis"), ("side or power", "Russians"), ("power", "Russians"))
    found = compile_goal("owner(Baltic) == USSR or USSR == turn or vcp(Axis) > vcp(Axis)", VOCABULARY)
    assert found.mentions == (("area", "Baltic"), ("power", "Russians"), ("side", "Axis"))
    assert [*found.functions] == ["owner", "turn", "vcp"]
    assert found.text.startswith("owner(Baltic)")


def test_values_of_every_sort() -> None:
    number = compile_value("ratio(Axis) + round", VOCABULARY)
    assert number.partial == Partial(linear([(1, RATIO), (1, ROUND)]), RATIO_DEFINED)
    assert number.values is None
    name = compile_value("owner(Karelia S.S.R.)", VOCABULARY)
    assert (name.partial, name.values) == (Partial(OWNER), POWER)
    assert compile_value("strong(Axis)", VOCABULARY).partial == Partial(STRONG, STRONG_DEFINED)
    assert compile_value("not strong(Axis)", VOCABULARY).partial.defined is TRUE
    assert wrong("Germans", compile_value)[0].code == "wrong-kind"
    assert compile_value("loyal(USSR)", VOCABULARY).values == SIDE


def test_tree_is_flat_and_keeps_places() -> None:
    tree = parse("a -\n b + c")
    assert tree == Operation(("-", "+"), (2, 7), (Word("a", 0), Word("b", 5), Word("c", 9)), 0)


GRAMMAR = [
    ("", 1, "there is nothing here", "round >= 3"),
    (" \n ", 1, "there is nothing here", ""),
    ("1 < round < 3", 11, "two comparisons in one", "`and`"),
    ("round == 3 == true", 12, "two comparisons in one", "`and`"),
    ("round >=", 9, "a name or a number is missing before the end", ""),
    ("and true", 1, "a name or a number is missing before 'and'", ""),
    ("()", 2, "a name or a number is missing before ')'", ""),
    ("(true", 1, "never closed", ""),
    ("true)", 5, "closes nothing", ""),
    ("vcp(Axis", 4, "never closed", ""),
    ("vcp(Axis,)", 10, "')' cannot stand here", "a name is missing"),
    ("vcp(,Axis)", 5, "',' cannot stand here", "a name is missing"),
    ("vcp(owner(Baltic)) > 1", 5, "owner is a power, not a side", ""),
    ("vcp(Axis >= 3)", 10, "'>' cannot stand here", "in quotes"),
    ("owner(Saint-Lo)", 12, "'-' cannot stand here", "in quotes"),
    ("owner('Baltic) == Germans", 7, "quote is not closed", ""),
    ("owner('Bal\ntic') == Germans", 7, "quote is not closed", ""),
    ("owner('') == Germans", 7, "a name has 1 to 200 characters", ""),
    ("turn == Karelia S.S.R.", 17, "'S.S.R.' cannot stand here", "in quotes"),
    ("round (3)", 1, "round needs nothing in parentheses", "write round alone"),
    ("(round) (3)", 9, "'(' cannot stand here", "something is missing"),
    ("round not 3", 7, "'not' cannot stand here", ""),
    ("true == not false", 9, "'not' cannot stand here", "parentheses"),
    ("true, false", 5, "',' cannot stand here", ""),
    ("true AND false", 6, "'AND' cannot stand here", "write `and`"),
    ("Not true", 1, "'Not' cannot stand here", "write `not`"),
    ("True", 1, "'True' cannot stand here", "write `true`"),
    ("true && false", 6, "'&&' cannot stand here", "write `and`"),
    ("true || false", 6, "'||' cannot stand here", "write `or`"),
    ("!true", 1, "'!' cannot stand here", "write `not`"),
    ("round = 3", 7, "'=' cannot stand here", "write `==`"),
    ("round => 3", 7, "'=>' cannot stand here", "write `>=`"),
    ("round ≥ 3", 7, "'≥' cannot stand here", "write `>=`"),
    ("round − 3 == 1", 7, "'−' cannot stand here", "write `-`"),
    ("owner(“Baltic”) == Germans", 7, "'“' cannot stand here", 'write `"`'),
    ("turn == “Germans”", 9, "'“' cannot stand here", 'write `"`'),
    ("round ** 2 == 4", 7, "'**' cannot stand here", "no powers"),
    ("round // 2 == 4", 7, "'//' cannot stand here", "how a division is rounded"),
    ("round / 2 == 4", 7, "'/' cannot stand here", "how a division is rounded"),
    ("round == 1.5", 10, "a number is whole", ""),
    ("round == 1_000", 10, "a number is whole", ""),
    ("round == 1234567890", 10, "at most 9 digits", ""),
    ("__import__('os').system('x')", 17, "'.' cannot stand here", ""),
    ("lambda x: 1", 8, "'x' cannot stand here", ""),
    ('owner["Baltic"]', 6, "'[' cannot stand here", "parentheses"),
    ("true and {", 10, "'{' cannot stand here", ""),
    ("round \\ 2", 7, "'\\\\' cannot stand here", "as it is"),
    ("owner('a\\'b')", 9, "'\\\\' cannot stand here", "as it is"),
    ("round\0 >= 3", 6, "a sign that nobody sees (not printable)", ""),
    ("owner('Bal\u200btic')", 11, "a sign that nobody sees (zero width space)", ""),
    ("round\u00a0>= 3", 6, "a sign that nobody sees (no-break space)", "type a space"),
    ("round \ud800", 7, "a sign that nobody sees", ""),
    ("x.y()", 1, "unknown name 'x.y'", ""),
    ("round > ٣", 9, "unknown name '٣'", ""),
    ("a" * 201, 1, "a name has 1 to 200 characters", ""),
    ("'" + "a" * 201 + "'", 1, "a name has 1 to 200 characters", ""),
    ("not " * 20_000 + "true", 401, "nested deeper than 100", ""),
    ("(" * 20_000 + "true" + ")" * 20_000, 101, "nested deeper than 100", ""),
    ("-" * 20_000 + "1", 101, "nested deeper than 100", ""),
    ("before(" * 20_000 + "true" + ")" * 20_000, 701, "nested deeper than 100", ""),
    ("happens(take, " + "n=1, " * 20_000, 8, "never closed", ""),
    ("true " * 40_001, 1, "longer than 200000", ""),
    ("a " * 100_000, 3, "'a' cannot stand here", ""),
    ("'" * 200_000, 1, "a name has", ""),
    ("9" * 200_000, 1, "at most 9 digits", ""),
]
SORTS = [
    ("vcp(Axis)", 1, "a goal is true or false; this is a number", "compare it with a number"),
    ("1 + round", 1, "a goal is true or false; this is a number", ""),
    ("turn", 1, "a goal is true or false; this is a power", "== NAME"),
    ("holds(major_victory, Axis) >= 1", 1, "holds is true or false, not a number", ""),
    ("holds(major_victory, Axis) == 1", 28, "holds is true or false and 1 is a number", ""),
    ("2 > 1 + strong(Axis)", 9, "strong is true or false, not a number", ""),
    ("-(true or false) == 1", 3, "this is true or false, not a number", ""),
    ("not round", 5, "round is a number, not true or false", "compare it"),
    ("true and (1 + 1)", 11, "this is a number, not true or false", ""),
    ("owner(Baltic) < turn", 15, "'<' compares numbers; owner is a power", "== or !="),
    ("owner(Baltic) == Axis", 18, "'Axis' is a side, not a power", "power: Germans, Japanese, Russians"),
    ("owner(Baltic) == Grmans", 18, "unknown power 'Grmans'", "did you mean 'Germans'"),
    ("owner(Baltic) == Turks", 18, "'Turks' is no power: they are neutral", "known: Germans"),
    ("owner(Baltic) == 3", 15, "owner is a power and 3 is a number", "power: Germans"),
    ("owner(Baltic) == round", 15, "owner is a power and round is a number", ""),
    ("owner(Baltic) == seat(Axis)", 15, "owner is a power and seat is an area", ""),
    ("heir == seat(Axis)", 6, "heir is a power and seat is an area: they are never the same", "no name is both"),
    ("owner(Baltic) == vcp", 18, "vcp needs 1 name in parentheses, not 0", "write vcp(side)"),
    ("turn == Germans or Japanese", 20, "'Japanese' is a power, which says nothing", "== Japanese"),
    ("Germans == Germans", 1, "'Germans' is a power, which says nothing", ""),
    ("vpc(Axis) >= 3", 1, "unknown name 'vpc'", "did you mean 'vcp'?"),
    ("vcp(Germans) >= 3", 5, "'Germans' is a power, not a side", "side: Axis, Allies"),
    ("vcp(Axsi) >= 3", 5, "unknown side 'Axsi'", "did you mean 'Axis'?"),
    ("vcp() >= 3", 1, "vcp needs 1 name in parentheses, not 0", "write vcp(side)"),
    ("holds(major_victory Axis)", 1, "holds needs 2 names in parentheses, not 1", "write holds(outcome, side)"),
    ("gold(Axis) * gold(Allies) > 1", 12, "can be more than 1000 numbers", "one of them has to have a smaller range"),
    ("2 * gold(Axis) * 3 * gold(Axis) > 1", 20, "can be more than 1000 numbers", ""),
    ("99999999 * 99999999 * round > 1", 10, "beyond 10^15", ""),
    ("10000 * (100000000 * (100000000 * round)) > 1", 20, "beyond 10^15", ""),
]


@pytest.mark.parametrize(("text", "column", "message", "help"), [*GRAMMAR, *SORTS], ids=lambda v: str(v)[:40])
def test_mistakes(text: str, column: int, message: str, help: str) -> None:
    with working() as work:
        first = wrong(text)[0]
    assert work.steps < 20_000_000
    assert (first.line, first.column) == (1, column)
    assert message in first.message
    assert help in (first.help or "")
    assert len(first.message) < 200


def test_every_unknown_name_is_reported_in_order() -> None:
    found = wrong("owner(Baltik) == Grmans or\n vpc(Axsi) == Jpanese and\nholds(x, Axis) and round + true > 1")
    assert [(d.line, d.column) for d in found] == [(1, 7), (1, 18), (2, 2), (2, 6), (2, 15), (3, 7), (3, 28)]
    assert len(wrong(" and ".join(["vpc(Axis) > 1"] * 9000))) == 20


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("+".join(["1"] * 20_000), integer(20_000)),
        ("*".join(["1"] * 20_000) + "*round", ROUND),
        ("+".join(["vcp(Axis)"] * 18_000), linear([(18_000, VCP)])),
        (" and ".join(["true"] * 20_000), TRUE),
        (" and ".join(["strong(Axis)"] * 11_000), and_(STRONG_DEFINED, STRONG)),
        (" or ".join(f"vcp(Axis)=={i}" for i in range(900, 9_900)), boolean(False)),
        ("(" * 100 + "true" + ")" * 100, TRUE),
        (" and ".join(["(not -1 > 0)"] * 10_000), TRUE),
        ("(" * 50 + "not " * 50 + "true" + ")" * 50, TRUE),
    ],
    ids=range(9),
)
def test_long_texts(text: str, value: Term) -> None:
    with working() as work:
        found = compile_value(text, VOCABULARY).partial
    assert (found.holds if value.is_bool else found.value) is value
    assert work.steps < 20_000_000


@examples(200)
@given(n=st.integers(1, 9), points=st.integers(0, 30), gold=st.integers(-4_000, 4_000))
def test_products_of_two_numbers_that_change(n: int, points: int, gold: int) -> None:
    of = {ROUND: n, VCP: points, var("gold.Axis", IntSort(-4_000, 4_000)): gold}
    for text, value in (
        ("round * vcp(Axis)", n * points),
        ("2 * round * gold(Axis) * -1", -2 * n * gold),
        ("gold(Axis) * (round - 3) * (vcp(Axis) - round)", gold * (n - 3) * (points - n)),
    ):
        found = compile_value(text, VOCABULARY).partial
        assert substitute(found.value, {x: integer(i) for x, i in of.items()}) is integer(value)
        assert found.defined is TRUE


# ---- random trees: printed and compiled they are worth what a plain evaluation says

Tree = tuple[Any, ...]
LEAVES = {"vcp(Axis)": VCP, "round": ROUND, "ratio(Axis)": RATIO}
NAMES = {"turn": TURN, 'owner("Karelia S.S.R.")': OWNER, "Germans": "Germans", "'USSR'": "Russians"}
TRUTHS = {"holds(major_victory, Allies)": MAJOR, "strong(Axis)": STRONG}
LEVELS = {"or": 1, "and": 2, "not": 3, "+": 5, "-": 5, "*": 6}
LEVELS |= dict.fromkeys(("==", "!=", "<", "<=", ">", ">="), 4)
DEFINED = {RATIO: RATIO_DEFINED, STRONG: STRONG_DEFINED}
numbers: st.SearchStrategy[Tree] = st.recursive(
    st.one_of(st.integers(0, 9).map(lambda n: (str(n),)), st.sampled_from([*LEAVES]).map(lambda s: (s,))),
    lambda below: st.one_of(
        st.tuples(st.sampled_from(["+", "-"]), below, below),
        st.tuples(st.just("*"), st.integers(0, 9).map(lambda n: (str(n),)), below),
        st.tuples(st.just("-"), below),
    ),
    max_leaves=6,
)
names = st.tuples(st.sampled_from([*NAMES]))
truths: st.SearchStrategy[Tree] = st.recursive(
    st.one_of(
        st.tuples(st.sampled_from(["true", "false", *TRUTHS])),
        st.tuples(st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), numbers, numbers),
        st.tuples(st.sampled_from(["==", "!="]), st.tuples(st.sampled_from([*NAMES][:2])), names),
    ),
    lambda below: st.one_of(
        st.tuples(st.sampled_from(["and", "or", "==", "!="]), below, below), st.tuples(st.just("not"), below)
    ),
    max_leaves=8,
)


def printed(tree: Tree, space: str, outer: int = 0) -> str:
    """With no parentheses but those that are needed."""
    operator, *parts = tree
    if not parts:
        return str(operator)
    level = LEVELS[operator] if len(parts) == 2 or operator == "not" else 7
    if len(parts) == 1:
        text = f"{operator}{space}{printed(parts[0], space, level)}"
    else:
        left, right = printed(parts[0], space, level + (level == 4)), printed(parts[1], space, level + 1)
        text = f"{left}{space}{operator}{space}{right}"
    return f"({text})" if level < outer else text


def worth(tree: Tree, state: dict[Term, Any]) -> tuple[Any, bool]:
    """The value and whether it is defined, by Python's own arithmetic."""
    operator, *parts = tree
    if not parts:
        term = {**LEAVES, **NAMES, **TRUTHS}.get(operator)
        if isinstance(term, Term):
            return state[term], state.get(DEFINED.get(term, TRUE), True)
        return term or {"true": True, "false": False}.get(operator, operator), True
    (a, a_defined), (b, b_defined) = (worth(p, state) for p in (parts * 2)[:2])
    a, b = (int(x) if isinstance(x, str) and x.isdigit() else x for x in (a, b))
    defined = a_defined and b_defined
    if operator in ("and", "or"):
        a, b = a and a_defined, b and b_defined
        return (a and b) if operator == "and" else (a or b), True
    if operator == "not":
        return not (a and a_defined), True
    if operator in ("+", "-", "*"):
        if len(parts) == 1:
            return -a, defined
        return {"+": a + b, "-": a - b, "*": a * b}[operator], defined
    order = {"==": a == b, "!=": a != b}
    if isinstance(a, int):
        order |= {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}
    return defined and order[operator], True


@given(truths, st.data(), st.sampled_from([" ", "\n", "\t \r\n"]))
@examples(1500, usual=40)
def test_printed_trees_keep_their_worth(tree: Tree, data: st.DataObject, space: str) -> None:
    state: dict[Term, Any] = {t: data.draw(st.integers(t.lo, t.hi)) for t in LEAVES.values()}
    state |= {t: data.draw(st.sampled_from(POWER.sort.members)) for t in (TURN, OWNER)}
    state |= {t: data.draw(st.booleans()) for t in (MAJOR, STRONG, RATIO_DEFINED, STRONG_DEFINED)}
    term = goal(printed(tree, space))
    value, defined = worth(tree, state)
    assert term is goal(printed(tree, " "))
    constants = {t: constant(t.sort, v) for t, v in state.items()}
    assert substitute(term, constants) is boolean(bool(value) and defined)


WORDS = ("vcp(Axis)", "vcp(", "owner", "Germans", "true", " ", *"(),'\"\n3!=ßİ²", *LEVELS, *NAMES)
EVENT_WORDS = (
    "before(",
    "happens(",
    "actor(",
    "take",
    "n",
    "=",
    "3",
    ",",
    ")",
    "Axis",
    "round",
    ">",
    "and",
    "'take'",
)


@given(
    st.one_of(
        st.text(max_size=40),
        st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join),
        st.lists(st.sampled_from(EVENT_WORDS), max_size=12).map(" ".join),
        st.text(alphabet="vcp(Axis)and not0<=>+-*'\"./_,\u0301\ud800\0\u202e", max_size=40),
    )
)
@examples(2000, usual=40)
def test_any_text_is_compiled_or_refused(text: str) -> None:
    of_events = partial(compile_goal, steps=OF_EVENTS)
    for compiler in (compile_goal, compile_value, of_events):
        try:
            compiler(text, VOCABULARY)
        except InputError as error:
            for found in error.diagnostics:
                assert found.line
                assert found.column
                assert found.column <= len(text.split("\n")[found.line - 1]) + 1
                (found.message + (found.help or "")).encode()


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("vcp(Axis) >= 30", ("vcp(Axis)", ">=", "30")),
        ("1 + round<2 * vcp(Axis)", ("1 + round", "<", "2 * vcp(Axis)")),
        ("seat(Axis) == Baltic", ("seat(Axis)", "==", "Baltic")),
        ("(vcp(Axis) >= 30)", None),
        ("vcp(Axis) != 30", None),
        ("vcp(Axis) >= 30 and round == 2", None),
        ("vcp(Axis)", None),
        ("not round >= 2", None),
    ],
)
def test_the_sides_of_a_comparison(text: str, sides: tuple[str, str, str] | None) -> None:
    assert comparison(text, VOCABULARY) == sides
