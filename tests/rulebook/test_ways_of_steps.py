"""The places that a march of a plan leads through: a cheapest way that its need allows, by a search in Python."""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

import vclogic
from vclogic.game import Game
from vclogic.model.actions import Event

SIZE = 4
FAR = 9
PLACES = [f"{column}{row}" for row in range(SIZE) for column in "abcd"]
TEXT = """| place | price |
| --- | --- |
TABLE

```vclogic
sides Red, Blue
turn is any number of events
grid place, with diagonals
ROWS
column price(place): 0 to 9, from the table
kind unit: Foot, Horse, Guards
fact at(unit): place or lost, starts lost
owner(unit) means if(unit == Guards, Blue, Red)
fact dear(place)
zoned(place) means adjacent(at(Guards), place)
event move by side unit to place
  needs owner(unit) == side and WAY
  then at(unit) becomes to
plan marches
  uses move
  step is STEP
```
"""
WAYS = (
    "reaches(at(unit), to within 9 through step place where at(Guards) != step for price(step) until zoned(step))",
    "reaches(at(unit), to within 9 through step place from last where not dear(step) or not dear(last) for 1)",
    "reaches(at(unit), to within 9 through step place for if(dear(step), 3, 1))",
)
Position = dict[str, dict[str, object]]


def made(folder: Path, way: int, prices: dict[str, int], step: str = "an event") -> Game:
    rows = "\n".join("  " + " ".join(PLACES[n : n + SIZE]) for n in range(0, len(PLACES), SIZE))
    table = "\n".join(f"| {place} | {price} |" for place, price in prices.items())
    text = TEXT.replace("ROWS", rows).replace("TABLE", table).replace("WAY", WAYS[way]).replace("STEP", step)
    file = folder / "game.md"
    file.write_text(text)
    return vclogic.load(str(file))


def beside(a: str, b: str) -> bool:
    far = [abs(ord(x) - ord(y)) for x, y in zip(a, b, strict=True)]
    return max(far) == 1


def enters(way: int, prices: dict[str, int], position: Position, last: str, step: str) -> tuple[int, bool] | None:
    """The cost to enter a place from another, and whether a way stops there; None: it is not entered."""
    guards, dear = position["at"]["Guards"], position["dear"]
    if way == 0:
        zone = guards != "lost" and beside(str(guards), step)
        return None if guards == step else (prices[step], zone)
    if way == 1:
        return None if dear[step] and dear[last] else (1, False)
    return (3 if dear[step] else 1), False


def cheapest(way: int, prices: dict[str, int], position: Position, unit: str, to: str) -> int | None:
    """The cost of a cheapest way; None: there is none."""
    queue: list[tuple[int, str, bool]] = [(0, str(position["at"][unit]), False)]
    done: set[str] = set()
    while queue:
        paid, here, stops = heappop(queue)
        if here == to:
            return paid
        if here in done or stops:
            continue
        done.add(here)
        for step in PLACES:
            found = enters(way, prices, position, here, step) if beside(here, step) else None
            if found is not None:
                heappush(queue, (paid + found[0], step, found[1]))
    return None


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("way", range(len(WAYS)))
def test_the_way_is_a_cheapest_one(tmp_path: Path, way: int, seed: int) -> None:
    random = Random(f"{seed} {way}")
    prices = {place: random.randrange(4) for place in PLACES}
    game = made(tmp_path, way, prices)
    system, led = game.setup.system, 0
    for _ in range(4):
        foot, horse, guards = random.sample(PLACES, 3)
        position: Position = {
            "at": {"Foot": foot, "Horse": horse, "Guards": guards},
            "dear": {place: random.random() < 0.4 for place in PLACES},
        }
        values = system.layout.values(game.at_state(position).state)
        for to in PLACES:
            action = system.action(Event("move", (("side", "Red"), ("unit", "Foot"), ("to", to))))
            known = cheapest(way, prices, position, "Foot", to)
            if known is None or known > FAR or to == foot:
                continue
            assert action.way is not None
            whole, paid, stopped = [foot, *action.way(values), to], 0, False
            for last, step in pairwise(whole):
                found = enters(way, prices, position, last, step)
                assert beside(last, step), whole
                assert found is not None, whole
                assert not stopped, whole
                paid, stopped = paid + found[0], found[1]
            assert paid == known, whole
            led += len(whole) > 2
    assert led


@pytest.mark.parametrize("step", ["an event", "a turn, one for each unit"])
def test_steps_and_arrows_lead_through_the_places(tmp_path: Path, step: str) -> None:
    game = made(tmp_path, 1, dict.fromkeys(PLACES, 1), step)
    start = game.at_state({"at": {"Foot": "a0", "Horse": "a3"}, "dear": {"b1": True, "c2": True}})
    plan = start.plan("at(Foot) == d2", side="Red", within=1)
    (march,) = plan.steps
    assert march.text in ("Red: move Foot to d2 (b0, c1)", "Red: move Foot to d2 (b1, c1)")
    (arrow,) = start.picture(plan).arrows
    assert march.text == f"Red: move Foot to d2 ({', '.join(arrow.via)})"
    assert (arrow.source, arrow.target, arrow.label) == ("a0", "d2", "Foot")
    assert plan.record is not None
    assert plan.record.events is not None
