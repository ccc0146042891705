"""What ways cost, on random maps, against a search by hand that shares nothing."""

from __future__ import annotations

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, note
from hypothesis import strategies as st

import vclogic
from tests.fixtures.pace import examples

_Map = dict[str, dict[str, Any]]


def a_map(random: Random) -> tuple[str, _Map]:
    """A map of places with a price, of which some are shut, stop or have a wall; and its text."""
    names = [f"P{n}" for n in range(random.randint(3, 7))]
    price = {n: random.randint(0, 3) for n in names}
    near: dict[str, set[str]] = {n: set() for n in names}
    for i, a in enumerate(names[1:], 1):
        for b in random.sample(names[:i], random.randint(1, min(2, i))):
            near[a].add(b)
            near[b].add(a)
    walls = {frozenset((a, b)) for a in names for b in near[a] if random.random() < 0.2}
    shut = {n for n in names if random.random() < 0.2}
    stops = {n for n in names if random.random() < 0.3}
    rows = [f"| {n} | {', '.join(sorted(near[n]))} | {price[n]} |" for n in names]
    table = ["| spot | borders | price |", "| --- | --- | --- |", *rows]
    start = [f"start shut({n}) is true" for n in sorted(shut)] + [f"start held({n}) is true" for n in sorted(stops)]
    groups = [f"group gates: {names[0]}, {names[1]}", f"group far: {names[-1]}, {names[1]}"]
    between = " or ".join(f"(a == {x} and b == {y})" for w in walls for x, y in (sorted(w), sorted(w)[::-1]))
    text = ["sides Red, Blue", "areas spot, from the table", *groups, "fact shut(spot)", "fact held(spot)"]
    text += [f"wall(a spot, b spot) means {between or 'false'}", *start]
    book = "\n".join(["# Ways", "", *table, "", "```vclogic", *text, "event shut_it by side spot"])
    book += "\n  then shut(spot) becomes true\n" + "\n".join(LINES) + "\n```\n"
    return book, {"near": near, "price": price, "walls": {"": walls}, "shut": {"": shut}, "stops": {"": stops}}


LINES = (
    "plain(a spot, b spot) means cheapest(a, b through spot)",
    "dear(a spot, b spot) means cheapest(a, b through spot for price(spot))",
    "walled(a spot, b spot) means cheapest(a, b through step spot from last where not wall(last, step) "
    "for 1 + price(step))",
    "open_way(a spot, b spot) means cheapest(a, b through step spot where not shut(step) "
    "for price(step) until held(step))",
    "from_gates(b spot) means cheapest(gates, b through step spot for if(shut(step), 2, price(step)))",
    "to_far(a spot) means cheapest(a, far through step spot from last where not wall(last, step) "
    "for if(held(step), 2, 1))",
    "in_two(a spot, b spot) means reaches(a, b within 2 through step spot where not shut(step) for price(step))",
)


def cheapest(m: _Map, begins: set[str], enter: bool, kind: str) -> dict[str, int]:
    """The least cost to each place by trying every way, one step longer each time."""
    near, price, shut, stops = m["near"], m["price"], m["shut"][""], m["stops"][""]

    def cost(place: str) -> int:
        if kind == "plain":
            return 1
        if kind == "walled":
            return 1 + int(price[place])
        if kind == "gates":
            return 2 if place in shut else int(price[place])
        if kind == "far":
            return 2 if place in stops else 1
        return int(price[place])

    def allowed(a: str, b: str) -> bool:
        if kind in ("walled", "far") and frozenset((a, b)) in m["walls"][""]:
            return False
        return not (kind in ("open", "two") and b in shut)

    found: dict[str, int] = {}
    # (place, whether one may go on) by cost
    known = {(n, True): cost(n) if enter else 0 for n in begins}
    for _ in range(2 * len(near) + 2):
        for (here, on), paid in list(known.items()):
            for other in near[here] if on else ():
                if allowed(here, other):
                    state = other, not (kind == "open" and other in stops)
                    if paid + cost(other) < known.get(state, 99):
                        known[state] = paid + cost(other)
    for (here, _), paid in known.items():
        found[here] = min(paid, found.get(here, 99))
    return found


@examples(300)
@given(st.randoms(use_true_random=False))
def test_ways_cost_what_a_search_by_hand_says(random: Random) -> None:
    book, m = a_map(random)
    note(book)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "ways.md"
        file.write_text(book)
        game = vclogic.load(str(file))
    names = [*m["near"]]
    for _ in range(2):
        for a in names:
            far = {kind: cheapest(m, {a}, False, kind) for kind in ("plain", "dear", "walled", "open", "two")}
            for b in names:
                said = {"plain": "plain", "dear": "dear", "walled": "walled", "open": "open_way"}
                for kind, name in said.items():
                    assert game.value(f"{name}({a}, {b})") == far[kind].get(b), f"{name}({a}, {b})"
                assert game.value(f"in_two({a}, {b})") == (far["two"].get(b, 99) <= 2)
        gates = cheapest(m, {*names[:2]}, True, "gates")
        for b in names:
            assert game.value(f"from_gates({b})") == gates.get(b)
            ends = [x for n in (names[-1], names[1]) if (x := cheapest(m, {b}, False, "far").get(n)) is not None]
            assert game.value(f"to_far({b})") == min(ends, default=None)
        shut = random.choice(names)
        m["shut"][""].add(shut)
        game = game.apply("shut_it", side="Red", spot=shut)
