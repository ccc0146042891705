"""Lines typed once, against an interpreter that looks at every member; and mistakes that no member shows."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import vclogic
from tests.fixtures.pace import examples
from vclogic.errors import InputError
from vclogic.game import Game
from vclogic.rulebook.meaning import facts, names
from vclogic.terms.expressions import names as terms_names
from vclogic.terms.expressions import resolve

BOARD = """\
# Patrol

| place | home |
| --- | --- |
| Mill | Red |
| Ford | Blue |

```vclogic
kind place, from the table
```

| unit | side | reach | start |
| --- | --- | --- | --- |
| r1 | Red | 1 | A1 |
| r2 | Red | 0 | B2 |
| b1 | Blue | 1 | C3 |
| b2 | Blue | 2 | off |

```vclogic
sides Red, Blue
turn is any number of events
pass always
hexes hex, even rows right
  .ff
  f..
  ..f
  marks . open, f forest
kind unit, from the table
```
"""
FACTS = """\
fact at(unit): hex or off, starts start(unit)
fact owner(hex): side or nobody, starts nobody
event put unit on hex
  then at(unit) becomes on
event take hex for side
  then owner(hex) becomes for
lies(place, hex) means false
except lies(Mill, hex) means hex == A1 or hex == B1
except lies(Ford, hex) means hex == C3
covers(unit, hex) means at(unit) == hex or reach(unit) >= 1 and adjacent(at(unit), hex)
held(side, hex) means some(unit of side where at(unit) == hex)
"""
HEXES = [f"{c}{r}" for r in (1, 2, 3) for c in "ABC"]
UNITS = {"r1": ("Red", 1), "r2": ("Red", 0), "b1": ("Blue", 1), "b2": ("Blue", 2)}
PLACES = {"Mill": ("A1", "B1"), "Ford": ("C3",)}
FOREST = {"B1", "C1", "A2", "C3"}
SIDES = ("Red", "Blue")
Env = dict[str, Any]
Said = tuple[str, Callable[[Env], bool]]


def loaded(more: str) -> Game:
    """The game with more lines."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "patrol.md"
        file.write_text(f"{BOARD}\n```vclogic\n{FACTS}{more}```\n")
        return vclogic.load(str(file))


def beside(a: str, b: str) -> bool:
    """Whether two hexes touch: rows that are even lie half a hex to the right."""
    (x, y), (u, v) = ((ord(h[0]) - ord("A"), int(h[1])) for h in (a, b))
    if y == v:
        return abs(x - u) == 1
    return abs(y - v) == 1 and u - x in ((0, 1) if y % 2 == 0 else (-1, 0))


def covers(env: Env, unit: str, hex_: str) -> bool:
    there = env["at"][unit]
    return bool(there == hex_ or (UNITS[unit][1] >= 1 and there != "off" and beside(there, hex_)))


def _of_hex(h: str) -> list[Said]:
    return [
        (f"lies(place, {h})", lambda e: e[h] in PLACES[e["place"]]),
        (f"terrain({h}) == forest", lambda e: e[h] in FOREST),
        (f"owner({h}) == side", lambda e: e["owner"][e[h]] == e["side"]),
        (f"held(side, {h})", lambda e: any(e["at"][u] == e[h] and UNITS[u][0] == e["side"] for u in UNITS)),
        (f"not adjacent({h}, B2)", lambda e: not beside(e[h], "B2")),
        (f"distance({h}, A1) <= 1", lambda e: e[h] == "A1" or beside(e[h], "A1")),
    ]


def _of_unit(u: str) -> list[Said]:
    return [
        (f"side({u}) == side", lambda e: UNITS[e[u]][0] == e["side"]),
        (f"reach({u}) >= 1", lambda e: UNITS[e[u]][1] >= 1),
    ]


def _of_both(u: str, h: str) -> list[Said]:
    return [
        (f"at({u}) == {h}", lambda e: e["at"][e[u]] == e[h]),
        (f"at({u}) != {h}", lambda e: e["at"][e[u]] != e[h]),
        (f"covers({u}, {h})", lambda e: covers(e, e[u], e[h])),
        (f"not covers({u}, {h})", lambda e: not covers(e, e[u], e[h])),
        (f"adjacent(at({u}), {h})", lambda e: e["at"][e[u]] != "off" and beside(e["at"][e[u]], e[h])),
    ]


def _atoms(hexes: tuple[str, ...], units: tuple[str, ...]) -> list[Said]:
    """Conditions about variables for hexes and units, and about a place and a side."""
    found: list[Said] = [("home(place) == side", lambda e: {"Mill": "Red", "Ford": "Blue"}[e["place"]] == e["side"])]
    found += [said for h in hexes for said in _of_hex(h)] + [said for u in units for said in _of_unit(u)]
    return found + [said for h in hexes for u in units for said in _of_both(u, h)]


@st.composite
def conditions(draw: st.DrawFn, hexes: tuple[str, ...] = (), units: tuple[str, ...] = (), deep: int = 2) -> Said:
    """A random condition about a place, a side, and the variables around it."""
    kinds = ["atom", "and", "or", "loop", "loop", "loop"] if deep else ["atom", "atom", "and", "or"]
    kind = draw(st.sampled_from(kinds if hexes or units else ["loop"]))
    if kind == "atom":
        return draw(st.sampled_from(_atoms(hexes, units)))
    if kind in ("and", "or"):
        a, b = (draw(conditions(hexes, units, max(deep - 1, 0))) for _ in range(2))
        test = all if kind == "and" else any
        return f"({a[0]} {kind} {b[0]})", lambda e: test((a[1](e), b[1](e)))
    over = draw(st.sampled_from(["hex", "unit"]))
    name = f"{over[0]}{len(hexes) + len(units)}"
    new = (*hexes, name) if over == "hex" else hexes, (*units, name) if over == "unit" else units
    inside = draw(conditions(*new, deep - 1))
    members = HEXES if over == "hex" else list(UNITS)
    form = draw(st.sampled_from(["some", "some", "no", "count"]))
    least = draw(st.integers(1, 2))

    def holds(env: Env) -> bool:
        met = sum(inside[1]({**env, name: m}) for m in members)
        return bool({"some": met >= 1, "no": met == 0, "count": met >= least}[form])

    text = f"{form}({name} {over} where {inside[0]})"
    return (f"({text} >= {least})" if form == "count" else text), holds


@examples(300, usual=12)
@given(
    conditions(),
    st.lists(st.sampled_from([(u, h) for u in UNITS for h in HEXES]), max_size=3),
    st.lists(st.sampled_from([(h, s) for h in HEXES for s in SIDES]), max_size=2),
)
def test_a_line_says_of_each_position_what_a_look_at_every_member_says(
    said: Said, put: list[tuple[str, str]], taken: list[tuple[str, str]]
) -> None:
    game = loaded(f"said(side, place) means {said[0]}\n")
    env: Env = {"at": {"r1": "A1", "r2": "B2", "b1": "C3", "b2": "off"}, "owner": dict.fromkeys(HEXES, "nobody")}
    for unit, hex_ in put:
        if env["at"][unit] != hex_:
            game = game.apply("put", unit=unit, on=hex_)
            env["at"][unit] = hex_
    for hex_, side in taken:
        game = game.apply("take", hex=hex_, **{"for": side})
        env["owner"][hex_] = side
    for side, place in product(SIDES, PLACES):
        assert game.value(f"said({side}, {place})") == said[1]({**env, "side": side, "place": place})


def test_a_condition_in_a_loop_is_worked_out_for_each_of_what_it_speaks_of() -> None:
    """It speaks of the other unit and the hex, and comes again for each unit around."""
    game = loaded("alone(unit, hex) means no(other unit where at(other) == hex and other != unit)\n")
    at = {"r1": "A1", "r2": "B2", "b1": "C3", "b2": "off"}
    for unit, hex_ in product(UNITS, HEXES):
        there = [other for other in UNITS if other != unit and at[other] == hex_]
        assert game.value(f"alone({unit}, {hex_})") == (not there)


def test_a_condition_is_worked_out_for_each_of_what_the_board_says_of_what_stands_around_it() -> None:
    """It speaks of the unit's side alone, and of the reach of another."""
    game = loaded(
        "free(unit, hex) means no(other unit where at(other) == hex and side(other) != side(unit))\n"
        "near(unit, other unit, hex) means count(third unit where at(third) == hex and reach(third) > reach(other)\n"
        "    and side(third) == side(unit)) >= 1\n"
    )
    at = {"r1": "A1", "r2": "B2", "b1": "C3", "b2": "off"}
    for hex_, unit in product(HEXES, UNITS):
        side = UNITS[unit][0]
        enemies = [u for u, (of, _) in UNITS.items() if of != side and at[u] == hex_]
        assert game.value(f"free({unit}, {hex_})") == (not enemies)
        for other in UNITS:
            there = [u for u, (of, far) in UNITS.items() if of == side and at[u] == hex_ and far > UNITS[other][1]]
            assert game.value(f"near({unit}, {other}, {hex_})") == bool(there)


# ---- mistakes that no member shows


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("a means some(hex where false and nothing(hex))", "nothing"),
        ("a means some(unit where side(unit) == Red and side(unit) == Blue and at(unti) == A1)", "unti"),
        ("a means count(hex where terrain(hex) == swamp and owner(hex) >= 1) >= 1", "compares numbers"),
        ("a means some(unit where reach(unit) == 7 and some(hex where adjacent(unit, hex)))", "not a hex"),
        ("a means if(reach(r1) == 1, 1, nothing)", "nothing"),
        ("a(unit) means 1\nexcept a(r2) means true", "true or false"),
        ("a(place) means 1\nexcept a(place) means 2 if home(place)", "a condition is true or false"),
        ("a(unit) means b(unit)\nb(unit) means reach(unit)\nexcept b(r1) means a(r2)", "leads back to itself"),
        ("event wait unit\n  needs reach(unit) == 7\n  needs nothing(unit)\n  then at(unit) becomes off", "nothing"),
        ("event wait unit\n  needs reach(unit) == 7\n  then at(unit) becomes A1 if nothing", "nothing"),
        ("event wait unit\n  needs reach(unit) == 7\n  then at(unti) becomes A1", "unti"),
        ('event wait unit\n  needs reach(unit) == 7, else "{nothing}"\n  then at(unit) becomes A1', "nothing"),
        ("never some(unit where reach(unit) == 7 and nothing(unit))", "nothing"),
        ('mark "odd" for hex where terrain(hex) == swamp and nothing(hex)', "nothing"),
        ("fact odd(unit): 0 to 3\n  rises by nothing(unit) at once if reach(unit) == 7", "nothing"),
        ("side wins by_odds at once if reach(r1) == 7 and nothing(side)", "nothing"),
    ],
)
def test_what_is_wrong_is_told_where_no_member_is_left_to_try_it_on(line: str, part: str) -> None:
    with pytest.raises(InputError) as caught:
        loaded(f"{line}\n")
    assert any(part in f"{d.message} {d.help}" for d in caught.value.diagnostics), caught.value.diagnostics


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("adjacent(A2, at(b2))", None),
        ("at(b2) in forest", False),
        ("if(reach(b2) == 2, adjacent(A2, at(b2)), false)", None),
        ("not adjacent(A2, at(b2))", True),
        ("some(hex where adjacent(A2, at(b2)))", False),
        ("at(b2) == A1", False),
    ],
)
def test_what_is_undefined_as_it_is_written_stays_so_as_one_test_of_a_fact(said: str, value: object) -> None:
    """A unit that is on no hex is beside none: that is no answer, unless something is made of it."""
    game = loaded(f"group forest: hex where terrain(hex) == forest\nsaid means {said}\n")
    assert game.value("said") is value
    assert game.value("not said") is (value is not True)


# ---- orders of writing


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "some(unit of side where some(hex where lies(place, hex) and covers(unit, hex)))",
            "some(hex where some(unit of side where covers(unit, hex)) and lies(place, hex))",
        ),
        (
            "some(unit of side where some(hex where lies(place, hex) and covers(unit, hex)))",
            "some(hex where lies(place, hex) and some(unit where covers(unit, hex) and side(unit) == side))",
        ),
        (
            "some(unit of side where some(hex where lies(place, hex) and at(unit) == hex))",
            "some(hex where held(side, hex) and lies(place, hex))",
        ),
        (
            "count(unit of side where some(hex where lies(place, hex) and at(unit) == hex)) >= 1",
            "count(unit of side where count(hex where at(unit) == hex and lies(place, hex)) >= 1) >= 1",
        ),
    ],
)
def test_the_order_of_loops_and_conditions_makes_no_other_term(one: str, other: str) -> None:
    game = loaded(f"a(side, place) means {one}\nb(side, place) means {other}\n")
    system = game.setup.system
    for side, place in product(SIDES, PLACES):
        assert system.vocabulary["a"].partial(side, place).value is system.vocabulary["b"].partial(side, place).value


def test_a_hundred_units_on_eight_hundred_hexes_are_a_game() -> None:
    """The limits are far above what such a map needs."""
    assert min(terms_names.MAX_WORK, names.MOST_CASES, facts.MAX_FACTS) >= 10 * 800


def test_a_line_that_looks_at_too_much_is_told_before_it_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """9 * 9 * 9 hexes; not where the inner ones are the same for all, or few are left."""
    asks = "said means some(hex where some(a hex where count(b hex where {}) >= 1))\n"
    held = "owner(hex) == owner(a) and owner(a) == owner(b)"
    monkeypatch.setattr(resolve, "MAX_WORK", 500)
    assert loaded(asks.format("owner(a) == owner(b)")).value("said") is True
    assert loaded(asks.format(f"b == A1 and {held}")).value("said") is True
    monkeypatch.setattr(terms_names.NameLookup, "count_work", lambda *_: pytest.fail("it has looked"))
    with pytest.raises(InputError, match="asks for more than"):
        loaded(asks.format(held))


def test_laws_are_made_where_somebody_asks_for_them() -> None:
    game = loaded("never count(unit where at(unit) == hex) > 3\n")
    game.status()
    laws = game.setup.system.invariants
    assert "_made" not in vars(laws), "status looks at no law"
    assert [rule.name for rule in laws] == ["law 1"]
