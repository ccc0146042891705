"""Okinawa: who is removed for an exit is the US Player's choice, against a game tree written out in Python."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations
from random import Random
from typing import Any

import pytest

from vclogic.game import Game
from vclogic.report.text.force import force as report
from vclogic.report.text.page import render

EDGE, CENTRAL, SOUTH = "3,0", "1,0", "0,0"
US = ("Guard", "A", "B", "C")


@dataclass(frozen=True)
class Place:
    """Who is where: by unit the zone's hex; nobody can move, and Japanese units exit from the edge."""

    japan: frozenset[str]
    central: bool
    us: tuple[tuple[str, str], ...]
    exited: int = 0


Goal = Callable[[Place], bool]
GOALS: dict[str, Goal] = {
    "automatic": lambda p: all(h != SOUTH for _, h in p.us) and (p.central or bool(p.japan)),
    "units_in(US, Southern) <= 1": lambda p: sum(h == SOUTH for _, h in p.us) <= 1,
    "on_map(Guard) and exited >= 1": lambda p: p.exited > 0 and any(u == "Guard" for u, _ in p.us),
    "not on_map(A)": lambda p: all(u != "A" for u, _ in p.us),
    "units_on_map(US) <= 1 and on_map(B)": lambda p: len(p.us) <= 1 and any(u == "B" for u, _ in p.us),
}


def some(of: Iterable[Any]) -> Iterable[Sequence[Any]]:
    """All parts of a set."""
    found = list(of)
    return chain.from_iterable(combinations(found, k) for k in range(len(found) + 1))


def removals(place: Place, exits: int) -> Iterable[Place]:
    """What can be left after so many exits: three units are removed for each, or all that are there."""
    gone = min(3 * exits, len(place.us))
    return (replace(place, us=tuple(u for u in place.us if u not in out)) for out in combinations(place.us, gone))


def forced(place: Place, goal: Goal, turns: int, quantified: Callable[[Iterable[bool]], bool]) -> bool:
    """Whether Japan has exits such that the goal comes, for all removals or for any."""
    if goal(place):
        return True
    if not turns:
        return False
    return any(
        quantified(
            goal(after) or forced(after, goal, turns - 1, quantified)
            for after in removals(
                replace(place, japan=place.japan - set(out), exited=place.exited + len(out)), len(out)
            )
        )
        for out in some(place.japan)
    )


def board(place: Place) -> dict[str, Any]:
    units = {u: {"at": "3,0" if u == "J1" else "3,1"} for u in sorted(place.japan)}
    units |= {"Camp": {"at": "2,1"}} if place.central else {}
    rest = {"attack": 1, "defence": 1, "movement": 1, "zone_of_control": False}
    return {
        "first": "Japan",
        "stagger": "odd-column",
        "stacking": 6,
        "terrain": {".": {"cost": 9}, "~": {}},
        "map": ["....", "....", "~~~~"],
        "zones": {
            "Northern": {"hexes": ["3,0", "3,1"]},
            "Central": {"spans": [["1,0", "2,1"]]},
            "Southern": {"spans": [["0,0", "0,1"]]},
        },
        "northeast_edge": ["3,0", "3,1"],
        "units": {
            "Japan": {u: {**rest, **at} for u, at in units.items()},
            "US": {u: {**rest, "at": h} for u, h in place.us},
        },
    }


def random_place(dice: Random) -> Place:
    us = tuple((u, dice.choice([CENTRAL, SOUTH])) for u in US[: dice.randint(3, 4)])
    return Place(frozenset(dice.sample(["J1", "J2"], dice.randint(1, 2))), dice.random() < 0.5, us)


@pytest.mark.parametrize("seed", range(6))
def test_who_is_removed_is_decided_by_the_us_player(seed: int) -> None:
    dice = Random(seed)
    place, turns = random_place(dice), dice.randint(1, 2)
    game = Game.load({"game": "okinawa", "board": board(place), "options": {"exits": "on"}})
    for text in dice.sample(list(GOALS), 2):
        goal = GOALS[text]
        expected = "forced" if forced(place, goal, turns, all) else "refuted"
        found = game.force(text, "Japan", within=turns)
        assert found.status == expected, (text, turns, place)
        assert len(place.japan) > 1 or found.checked is None or not found.checked.refused, "one exit is a record"
        with_help = game.plan(text, side="Japan", opponent="helps", within=turns)
        assert (with_help.status == "optimal") is forced(place, goal, turns, any), (text, turns, place)


def test_the_refutation_says_who_is_removed() -> None:
    place = Place(frozenset({"J1"}), True, (("Guard", SOUTH), ("A", CENTRAL), ("B", CENTRAL), ("C", CENTRAL)))
    game = Game.load({"game": "okinawa", "board": board(place), "options": {"exits": "on"}})
    found = game.force("automatic", "Japan", within=1)
    page = " ".join(render(report(found)).split())
    assert found.status == "refuted"
    assert "US: A is removed from the map; US: B is removed from the map; US: C is removed from the map" in page
    assert "the US Player removes any of his units" in page
