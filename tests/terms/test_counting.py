"""The meaning of `count` and its like, against a small interpreter that shares nothing; and their mistakes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.pace import examples
from vclogic.errors import InputError
from vclogic.model.rules import Observable
from vclogic.terms.atoms import boolean, constant, var
from vclogic.terms.build import add, count, eq, ge, in_mask, is_in, not_
from vclogic.terms.domain import Domain
from vclogic.terms.expressions.resolve import compile_goal, compile_value
from vclogic.terms.partial import Partial
from vclogic.terms.rewrite import substitute
from vclogic.terms.sorts import BOOL, EnumSort, IntSort
from vclogic.terms.term import Term
from vclogic.terms.vocabulary import CountedKind, Vocabulary, of_sides

# ---- a small game: a line of four hexes and one apart, two sides, three units of which two are men

HEXES = ("a", "b", "c", "d", "e")
BESIDE = {"a": "b", "b": "ac", "c": "bd", "d": "c", "e": ""}
TERRAIN = {"a": "open", "b": "town", "c": "town", "d": "hill"}  # e has none
HEIGHT = {"a": 0, "b": 1, "c": 2, "d": 3, "e": 0}
TOWN = ("b", "c")
SIDES = ("Red", "Blue")
SIDE_OF = {"r1": "Red", "r2": "Red", "b1": "Blue"}
MEN = ("r1", "b1")
HEX, SIDE = Domain(EnumSort("hex", HEXES)), Domain(EnumSort("side", SIDES))
UNIT, MAN = Domain(EnumSort("unit", tuple(SIDE_OF))), Domain(EnumSort("man", MEN))
PLACE, HOLDER = EnumSort("place", ("off", *HEXES)), EnumSort("side or nobody", ("nobody", *SIDES))


def _observable(name: str, kinds: tuple[Domain, ...], sort: Any, *, partial: bool = False) -> Observable:
    def term(*names: str) -> Term | Partial:
        value = var("observed " + ".".join((name, *names)), sort)
        return Partial(value, var("known " + ".".join((name, *names)), BOOL)) if partial else value

    return Observable(name, kinds, term, "text", values=Domain(sort) if isinstance(sort, EnumSort) else None)


OBSERVABLES = {
    o.name: o
    for o in (
        _observable("at", (UNIT,), PLACE),
        _observable("holder", (HEX,), HOLDER),
        _observable("points", (SIDE,), IntSort(0, 5)),
        _observable("builder", (HEX,), HOLDER, partial=True),
        _observable("brave", (MAN,), BOOL),
        _observable("tired", (UNIT,), BOOL, partial=True),
        _observable("age", (UNIT,), IntSort(0, 3), partial=True),
        _observable("round", (), IntSort(1, 4)),
    )
}
KINDS = (
    of_sides(SIDE),
    CountedKind("unit", UNIT, properties={"side": SIDE_OF}),
    CountedKind("hex", HEX, {"town": TOWN}, {"terrain": TERRAIN, "height": HEIGHT}, BESIDE),
)
WORDS = Vocabulary(OBSERVABLES, {}, KINDS)


def seen(name: str, *of: str) -> Term:
    return OBSERVABLES[name].partial(*of).value


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("count(hex where holder(hex) == Red) >= 2", ge(count(eq(seen("holder", h), "Red") for h in HEXES), 2)),
        (
            "count(hex in town where holder(hex) == Red) == 0",
            eq(count(eq(seen("holder", h), "Red") for h in TOWN), 0),
        ),
        ("count(u unit of Blue where tired(u)) == 1", OBSERVABLES["tired"].partial("b1").holds),
        ("count(round >= 2, round >= 3) == 1", eq(count(ge(seen("round"), n) for n in (2, 3)), 1)),
        ("sum(points(side) for side) >= 3", ge(add(seen("points", "Red"), seen("points", "Blue")), 3)),
    ],
)
def test_a_count_is_the_sum_that_one_would_write(text: str, term: Term) -> None:
    assert compile_goal(text, WORDS).term is term


def test_a_group_of_places_is_one_test_of_where_a_unit_is() -> None:
    there = is_in(seen("at", "r1"), TOWN)
    assert compile_goal("at(r1) in town", WORDS).term is there
    assert compile_goal("terrain(at(r1)) == town", WORDS).term is there
    assert compile_goal("distance(at(r1), c) <= 1", WORDS).term is is_in(seen("at", "r1"), ("b", "c", "d"))
    assert compile_goal("adjacent(at(r1), c)", WORDS).term is is_in(seen("at", "r1"), ("b", "d"))
    assert compile_value("height(at(b1))", WORDS).partial.defined is not_(eq(seen("at", "b1"), "off"))


def test_a_number_is_added_where_its_condition_holds_alone() -> None:
    some = compile_value("sum(points(side) for side where tired(r1) and side == Red)", WORDS).partial.value
    tired = OBSERVABLES["tired"].partial("r1")
    assert substitute(some, {tired.value: boolean(False)}) is constant(IntSort(0, 0), 0)


def test_what_is_asked_of_an_argument_without_a_value_is_undefined() -> None:
    found = compile_goal("points(holder(at(r1))) >= 0", WORDS).term
    off = constant(PLACE, "off")
    assert substitute(found, {seen("at", "r1"): off}) is boolean(False)
    built = {OBSERVABLES["builder"].partial(h).defined: boolean(False) for h in HEXES}
    assert substitute(compile_goal("points(builder(at(r1))) >= 0", WORDS).term, built) is boolean(False)


def test_names_count_as_members_of_what_can_also_be_nobody() -> None:
    red, blue = (eq(seen("holder", "a"), s) for s in SIDES)
    assert compile_goal("some(side where holder(a) == side)", WORDS).term is in_mask(seen("holder", "a"), 0b110)
    assert compile_goal("some(side where holder(a) == enemy(side) and side == Red)", WORDS).term is blue
    assert compile_goal("no(unit where side(unit) == Red and holder(a) == side(unit))", WORDS).term is not_(red)


def test_a_member_that_the_other_side_can_never_be_equals_nothing_there() -> None:
    sea = CountedKind("region", Domain(EnumSort("region", (*HEXES, "sea"))))
    words = Vocabulary(OBSERVABLES, {}, (*KINDS, sea))
    there = compile_goal("some(hex where at(b1) == hex)", WORDS).term
    assert compile_goal("some(region where at(b1) == region)", words).term is there
    assert compile_goal("some(region where at(b1) != region and region == sea)", words).term is boolean(True)


def test_two_names_of_kinds_with_the_same_members_are_compared() -> None:
    owner = {h: "Red" if h in TOWN else "Blue" for h in HEXES}
    kinds = tuple(replace(k, properties={**k.properties, "owner": owner}) if k.name == "hex" else k for k in KINDS)
    words = Vocabulary(OBSERVABLES, {}, kinds)
    assert (
        compile_value("count(hex where some(side where owner(hex) == side and side == Red))", words).partial.value.lo
        == 2
    )
    assert (
        compile_value("count(hex where some(side where side != owner(hex) and side == Red))", words).partial.value.lo
        == 3
    )


def test_the_words_are_names_where_the_game_has_them() -> None:
    own = {**OBSERVABLES, "count": _observable("count", (SIDE,), IntSort(0, 5)), "if": _observable("if", (), BOOL)}
    words = Vocabulary(own, {}, KINDS)
    assert compile_goal("count(Red) >= 3 and if", words).term is not compile_goal("count(Red) >= 3", words).term
    assert compile_goal("count(Red) >= 3", words).term is ge(var("observed count.Red", IntSort(0, 5)), 3)


def test_what_a_goal_names_are_not_the_members_that_it_looks_at() -> None:
    found = compile_goal("count(unit of Blue where at(unit) == a) >= 1 and points(Red) > 1", WORDS)
    assert set(found.mentions) == {("side", "Blue"), ("place", "a"), ("side", "Red")}
    assert {name: [*of] for name, of in found.functions.items()} == {"at": [("b1",)], "points": [("Red",)]}


# ---- random expressions

Tree = tuple[Any, ...]
Scope = tuple[tuple[str, str], ...]
"""The variables, each with its kind."""
MEMBERS = {"hex": HEXES, "unit": tuple(SIDE_OF), "side": SIDES, "man": MEN}


@st.composite
def names(draw: st.DrawFn, kind: str, scope: Scope) -> Tree:
    """A member, a variable, or what a unit or a side leads to."""
    some: list[Tree] = [("name", m) for m in MEMBERS[kind]] + [("var", n) for n, k in scope if k == kind] * 3
    if kind == "hex":
        some += [("of", "at", ("var", n)) for n, k in scope if k == "unit"] * 2 + [("of", "at", ("name", "r1"))]
    if kind == "side":
        some += [("of", "enemy", ("var", n)) for n, k in scope if k == "side"]
        some += [("of", "side", ("var", n)) for n, k in scope if k == "unit"] * 2
    return draw(st.sampled_from(some))


@st.composite
def binders(draw: st.DrawFn, scope: Scope, depth: int, kind: str | None = None) -> tuple[Tree, Scope]:
    kind = kind or draw(st.sampled_from(["hex", "unit", "side", "man"]))
    own = f"x{len(scope)}" if draw(st.booleans()) or any(n == kind for n, _ in scope) else kind
    inner = (*scope, (own, kind))
    group = "town" if kind == "hex" and draw(st.booleans()) else None
    owner = draw(names("side", scope)) if kind == "unit" and draw(st.booleans()) else None
    where = draw(truths(inner, depth - 1)) if draw(st.booleans()) else None
    return ("binder", own, kind, group, owner, where), inner


@st.composite
def numbers(draw: st.DrawFn, scope: Scope, depth: int) -> Tree:
    leaves = ["literal", "round", "points", "height", "age", "distance"]
    word = draw(
        st.sampled_from(leaves + ["+", "-", "if", "count", "counts", "sum", "max", "min", "largest"] * (depth > 0))
    )
    below = numbers(scope, depth - 1)
    if word == "literal":
        return ("literal", draw(st.integers(0, 4)))
    if word == "round":
        return ("call", "round")
    if word in ("points", "height", "age"):
        kind = {"points": "side", "height": "hex", "age": "unit"}[word]
        return ("call", word, draw(names(kind, scope)))
    if word == "distance":
        return ("call", word, draw(names("hex", scope)), draw(names("hex", scope)))
    if word == "if":
        return ("if", draw(truths(scope, depth - 1)), draw(below), draw(below))
    if word == "counts":
        return ("counts", *draw(st.lists(truths(scope, depth - 1), min_size=2, max_size=3)))
    if word == "largest":
        return ("largest", draw(below), draw(below))
    if word in ("+", "-"):
        return (word, draw(below), draw(below))
    binder, inner = draw(binders(scope, depth))
    return ("count", binder) if word == "count" else (word, draw(numbers(inner, depth - 1)), binder)


@st.composite
def truths(draw: st.DrawFn, scope: Scope, depth: int) -> Tree:
    leaves = ["true", "holder", "place", "in", "brave", "tired", "adjacent", "terrain", "compare"]
    word = draw(st.sampled_from(leaves + ["and", "or", "not", "some", "no", "connected"] * (depth > 0)))
    if word == "true":
        return ("truth", draw(st.booleans()))
    if word == "holder":
        other = draw(st.one_of(names("side", scope), st.just(("name", "nobody"))))
        return (draw(st.sampled_from(["==", "!="])), ("call", "holder", draw(names("hex", scope))), other)
    if word == "place":
        other = draw(st.one_of(names("hex", scope), st.just(("name", "off"))))
        return (draw(st.sampled_from(["==", "!="])), ("call", "at", draw(names("unit", scope))), other)
    if word == "in":
        return ("in", ("call", "at", draw(names("unit", scope))))
    if word == "brave":
        return (
            "call",
            "brave",
            draw(st.one_of(names("man", scope), names("unit", scope).filter(lambda n: n[0] == "var"))),
        )
    if word == "tired":
        return ("call", "tired", draw(names("unit", scope)))
    if word == "adjacent":
        return ("call", "adjacent", draw(names("hex", scope)), draw(names("hex", scope)))
    if word == "terrain":
        kind = draw(st.sampled_from(["town", "hill", "open"]))
        return (draw(st.sampled_from(["==", "!="])), ("call", "terrain", draw(names("hex", scope))), ("name", kind))
    if word == "compare":
        return (
            draw(st.sampled_from(["<", "<=", "==", "!=", ">="])),
            draw(numbers(scope, depth - 1)),
            draw(numbers(scope, depth - 1)),
        )
    if word in ("and", "or"):
        return (word, draw(truths(scope, depth - 1)), draw(truths(scope, depth - 1)))
    if word == "not":
        return ("not", draw(truths(scope, depth - 1)))
    if word == "connected":
        return ("connected", draw(names("hex", scope)), draw(binders(scope, depth, "hex"))[0])
    return (word, draw(binders(scope, depth))[0])


def printed(tree: Tree) -> str:
    """As somebody would type it, with all parentheses."""
    word, *parts = tree
    if word in ("name", "var", "literal"):
        return str(parts[0])
    if word == "truth":
        return str(parts[0]).lower()
    if word in ("of", "call"):
        return f"{parts[0]}({', '.join(map(printed, parts[1:]))})"
    if word == "binder":
        own, kind, group, owner, where = parts
        text = kind if own == kind else f"{own} {kind}"
        text += f" in {group}" if group else ""
        text += f" of {printed(owner)}" if owner else ""
        return text + (f" where {printed(where)}" if where else "")
    if word in ("some", "no", "count"):
        return f"{word}({printed(parts[0])})"
    if word in ("sum", "max", "min"):
        return f"{word}({printed(parts[0])} for {printed(parts[1])})"
    if word in ("if", "counts", "largest"):
        return f"{ {'counts': 'count', 'largest': 'max'}.get(word, word) }({', '.join(map(printed, parts))})"
    if word == "connected":
        return f"connected({printed(parts[0])}, town through {printed(parts[1])})"
    if word == "in":
        return f"({printed(parts[0])} in town)"
    return f"(not {printed(parts[0])})" if word == "not" else f"({printed(parts[0])} {word} {printed(parts[1])})"


State = Mapping[tuple[str, ...], Any]
Bound = Mapping[str, str]


def each(binder: Tree, state: State, bound: Bound) -> Iterable[dict[str, str]]:
    """The scopes in which what a binder counts holds."""
    _, own, kind, group, owner, where = binder
    side = worth(owner, state, bound) if owner else None
    for member in MEMBERS[kind]:
        inner = {**bound, own: member}
        among = (not group or member in TOWN) and (owner is None or SIDE_OF[member] == side)
        if among and (where is None or worth(where, state, inner)):
            yield inner


def steps(a: str, b: str, free: Iterable[str] = HEXES) -> int | None:
    seen_, layer, n = {a}, {a}, 0
    while layer:
        if b in layer:
            return n
        layer = {y for x in layer for y in BESIDE[x] if y in free and y not in seen_}
        seen_ |= layer
        n += 1
    return None


def worth(tree: Tree, state: State, bound: Bound) -> Any:
    """What a tree is worth by Python's own arithmetic; None where that is undefined."""
    word, *parts = tree
    if word in ("name", "literal", "truth"):
        return parts[0]
    if word == "var":
        return bound[parts[0]]
    if word in ("of", "call"):
        return called(parts[0], [worth(p, state, bound) for p in parts[1:]], state)
    if word == "in":
        return worth(parts[0], state, bound) in TOWN
    if word in ("some", "no"):
        return (word == "some") == any(True for _ in each(parts[0], state, bound))
    if word == "count":
        return sum(1 for _ in each(parts[0], state, bound))
    if word == "connected":
        free = {inner[parts[1][1]] for inner in each(parts[1], state, bound)}
        place = worth(parts[0], state, bound)
        return place in free and any(steps(place, t, free) is not None for t in TOWN if t in free)
    if word in ("sum", "max", "min"):
        found = [worth(parts[0], state, inner) for inner in each(parts[1], state, bound)]
        if None in found or (word != "sum" and not found):
            return None
        return sum(found) if word == "sum" else max(found) if word == "max" else min(found)
    values = [worth(p, state, bound) for p in parts]
    return joined(word, values)


def joined(word: str, values: list[Any]) -> Any:
    """What operators make of values."""
    if word == "counts":
        return sum(map(bool, values))
    if word == "if":
        return values[1] if values[0] else values[2]
    if word in ("and", "or", "not"):
        a, b = (values * 2)[:2]
        return (a and b) if word == "and" else (a or b) if word == "or" else not a
    if None in values:
        return None if word in ("+", "-", "largest") else False
    a, b = values
    by: dict[str, Callable[[], Any]] = {
        "+": lambda: a + b,
        "-": lambda: a - b,
        "largest": lambda: max(a, b),
        "==": lambda: a == b,
        "!=": lambda: a != b,
    }
    by |= {"<": lambda: a < b, "<=": lambda: a <= b, ">=": lambda: a >= b}
    return by[word]()


def called(name: str, of: list[Any], state: State) -> Any:
    if name == "enemy":
        return SIDES[1 - SIDES.index(of[0])]
    if name == "side":
        return SIDE_OF[of[0]]
    if name in ("height", "terrain"):
        return (HEIGHT if name == "height" else TERRAIN).get(of[0])
    if name in ("distance", "adjacent"):
        there = all(h in HEXES for h in of)
        n = steps(of[0], of[1]) if there else None
        return n if name == "distance" else n == 1
    return state.get((name, *of))


@st.composite
def states(draw: st.DrawFn) -> dict[tuple[str, ...], Any]:
    """A value for each observable; none where it is undefined."""
    found: dict[tuple[str, ...], Any] = {("round",): draw(st.integers(1, 4))}
    found |= {("at", u): draw(st.sampled_from(PLACE.members)) for u in SIDE_OF}
    found |= {("holder", h): draw(st.sampled_from(HOLDER.members)) for h in HEXES}
    found |= {("points", s): draw(st.integers(0, 5)) for s in SIDES}
    found |= {("brave", m): draw(st.booleans()) for m in MEN}
    found |= {("tired", u): draw(st.sampled_from([True, False, None])) for u in SIDE_OF}
    return found | {("age", u): draw(st.sampled_from([0, 1, 2, 3, None])) for u in SIDE_OF}


def fixed(state: State) -> dict[Term, Term]:
    """The same as constants."""
    found: dict[Term, Term] = {}
    for (name, *of), value in state.items():
        partial = OBSERVABLES[name].partial(*of)
        known = value if value is not None else partial.value.lo if isinstance(partial.value.sort, IntSort) else False
        found[partial.value] = constant(partial.value.sort, known)
        if partial.defined.op.name == "VAR":
            found[partial.defined] = boolean(value is not None)
    return found


@given(truths((), 3), states())
@examples(1500, usual=30)
def test_random_conditions_hold_where_an_interpreter_says_so(tree: Tree, state: State) -> None:
    term = compile_goal(printed(tree), WORDS).term
    assert substitute(term, fixed(state)) is boolean(bool(worth(tree, state, {})))


@given(numbers((), 3), states())
@examples(1000, usual=30)
def test_random_numbers_are_what_an_interpreter_says(tree: Tree, state: State) -> None:
    partial = compile_value(printed(tree), WORDS).partial
    value, known = worth(tree, state, {}), fixed(state)
    assert substitute(partial.defined, known) is boolean(value is not None)
    if value is not None:
        assert substitute(partial.value, known).lo == value


# ---- mistakes as people make them

MISTAKES = [
    ("count(unti where tired(unti)) > 1", 7, "there is no kind of thing 'unti'", "did you mean 'unit'?"),
    ("count(unit in twon where true) > 1", 15, "'twon' is no group of unit", ""),
    ("count(hex in twon where true) > 1", 14, "'twon' is no group of hex", "did you mean 'town'?"),
    ("count(unit of Rde where true) > 1", 15, "there is no unit of 'Rde'", "did you mean 'Red'?"),
    ("count(hex of Red where true) > 1", 14, "there is no hex of 'Red'", ""),
    ("count(unit where some(unit where true)) > 1", 23, "'unit' stands for something already", "other unit"),
    ("count(unit where tired(unti)) > 1", 24, "unknown unit 'unti'", "known: r1, r2, b1"),
    ("count(unit where holder(unit) == Red) > 1", 25, "unit is a unit, not a hex", ""),
    ("count(unit where at(unit)) > 1", 18, "at is a place, not true or false", "compare it"),
    ("count(unit where at(unit) = a) > 1", 27, "'=' cannot stand here", "write `==`"),
    ("count(unit where points(Red) ≥ 1) > 1", 30, "'≥' cannot stand here", "write `>=`"),
    ("count(unit where tired(unit) > 1", 6, "the '(' is never closed", ""),
    ("count of unit > 1", 7, "'of' cannot stand here", ""),
    ("count(all units) > 1", 7, "there is no kind of thing 'all units'", "did you mean 'unit'?"),
    ("count(unit)", 1, "a goal is true or false; this is a number", "compare it with a number"),
    ("sum(points(side)) > 3", 1, "sum does not take this", "sum(VALUE for KIND where ...)"),
    ("sum(holder(hex) for hex) > 3", 5, "holder is a side or nobody, not a number", ""),
    ("max(points(side) for hex) > 3", 12, "unknown side 'side'", ""),
    ("if(round > 1, 3) > 2", 1, "if does not take this", "if(CONDITION, THEN, ELSE)"),
    ("if(round > 1, 3, turn) > 2", 18, "unknown name 'turn'", ""),
    ("if(round > 1, 3, holder(a)) > 2", 18, "`if` needs two of a kind", ""),
    ("some(tired(r1), tired(r2))", 1, "some does not take this", "some(KIND where ...)"),
    ("at(r1) in twon", 11, "there is no group 'twon' of place", "did you mean 'town'?"),
    ("round in town", 1, "round is a number, which is in no group", ""),
    ("distance(r1, a) > 1", 10, "'r1' is a unit, not a hex", ""),
    ("distance(a) > 1", 1, "distance needs 2 names in parentheses, not 1", "distance(hex, hex)"),
    ("terrain(a) == twon", 15, "unknown terrain 'twon'", "did you mean 'town'?"),
    ("connected(a, town)", 18, "connected needs a place, a group, and what its paths lead through", ""),
    ("connected(a, town through unit)", 27, "no paths lead over unit", ""),
    ("some(unit where enemy(unit) == Red)", 23, "unit is a unit, not a side", ""),
    (
        "count(unit where side == Red) > 0",
        18,
        "side needs 1 name in parentheses, not 0",
        "write side(unit), such as side(r1)",
    ),
    ("every(unit where tired(unit))", 1, "unknown name 'every'", "write no(KIND where not ...)"),
]


@pytest.mark.parametrize(("text", "column", "message", "help"), MISTAKES, ids=[m[0] for m in MISTAKES])
def test_mistakes_are_told_where_they_stand_with_what_to_do(text: str, column: int, message: str, help: str) -> None:
    with pytest.raises(InputError) as caught:
        compile_goal(text, WORDS)
    first = caught.value.diagnostics[0]
    assert (message, first.column) == (message if message in first.message else first.message, column)
    assert help in (first.help or "")


@pytest.mark.parametrize(
    "text",
    [
        "count(u1 unit where " * 7 + "true" + ")" * 7,
        " + ".join(
            ["count(a unit where some(b hex where some(c hex where some(d hex where adjacent(c, d)))))"] * 500
        ),
        "count(" * 20_000,
        "sum(" * 20_000 + "1" + " for hex)" * 20_000,
        "if(true, " * 20_000,
        "connected(" * 20_000,
        "at(" * 20_000 + "r1" + ")" * 20_000,
    ],
    ids=range(7),
)
def test_hostile_texts_end_in_an_error(text: str) -> None:
    with pytest.raises(InputError) as caught:
        compile_goal(text, WORDS)
    assert len(str(caught.value)) < 2000
