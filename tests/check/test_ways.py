"""VC601 to VC604: what the ways on a board say, against plain flooding."""

from __future__ import annotations

import pytest
from hypothesis import given

from tests.board.test_graphs import Around, boards, flooded
from tests.fixtures.pace import examples
from tests.toys.four_areas import AREAS, CITES, found, lint, owns, toy
from vclogic.board.graphs import Movement
from vclogic.check.findings import Checked
from vclogic.model.objectives import Objective
from vclogic.model.rules import Observable
from vclogic.terms.atoms import TRUE
from vclogic.terms.build import count
from vclogic.terms.domain import Domain
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Term

WAYS = ("VC601", "VC602", "VC603", "VC604")


def aim(*places: str) -> Objective:
    return Objective(places[0], "place", {}, places)


def lint_of(*movements: Movement, aims: tuple[Objective, ...] = ()) -> Checked:
    return lint(toy(movement=movements, objectives=aims), *WAYS)


def walk(around: Around, of: str = "men") -> Movement:
    return Movement(of, around, dict.fromkeys(around, 1))


@given(boards(6))
@examples(200)
def test_findings_are_what_flooding_finds(around: Around) -> None:
    """Also of what has one place behind it, since the game is about the places whose names are early ones."""
    aims = [n for n in around if n in "ABC"]
    answer = lint_of(walk(around), aims=tuple(map(aim, aims)))
    apart = flooded(around)
    expected = set()
    for place in around:
        (own,) = (part for part in apart if place in part)
        _, *behind = [p for p in flooded(around, {place}) if set(p) <= set(own)] or [own]
        told = {n for part in behind if len(part) > 1 or part[0] in aims for n in part}
        if told:
            expected.add((place, frozenset(told)))
    only = [f.message.split(" is the only way to ") for f in found(answer, "VC602")]
    assert {(place, frozenset(rest.replace(" and ", ", ").split(", "))) for place, rest in only} == expected
    alone = {part[0] for part in apart if len(part) == 1} if len(apart) > 1 else set()
    assert {f.rule for f in found(answer, "VC603")} == {f"board[{n}]" for n in alone}
    assert len(found(answer, "VC601")) == (sum(len(part) > 1 for part in apart) > 1)


def test_findings_in_words() -> None:
    near = {
        "Tower": ("Yard",),
        "Yard": ("Tower", "Gate"),
        "Gate": ("Yard", "Field", "Wood"),
        "Field": ("Gate", "Wood"),
    }
    near |= {"Wood": ("Gate", "Field", "Hill"), "Hill": ("Wood",)}
    near |= {"Isle": ("Rock",), "Rock": ("Isle",), "Peak": ()}
    answer = lint_of(walk(near), aims=(aim("Tower"),))
    assert [(f.code, f.severity, f.scope, f.rule, f.message) for f in answer.findings] == [
        ("VC601", "note", "rules", "board", PARTS),
        ("VC602", "note", "rules", "board[Gate]", "Gate is the only way to Tower and Yard"),
        ("VC602", "note", "rules", "board[Yard]", "Yard is the only way to Tower"),
        ("VC603", "note", "rules", "board[Peak]", "no way leads to Peak: nobody can enter it"),
    ]


PARTS = "the board falls into 2 parts that no way joins: Tower, Yard, Gate, Field, Wood and Hill; Isle and Rock"


def test_what_is_so_for_some_is_said_of_these() -> None:
    """Carts need the road; horses swim; boats come to none of these places, which changes nothing."""
    near = {
        "Farm": ("Road", "Mill"),
        "Mill": ("Farm", "Road", "River"),
        "Road": ("Farm", "Mill", "Town", "Hill"),
        "River": ("Mill", "Town", "Delta"),
        "Delta": ("River",),
        "Town": ("Road", "River", "Hill"),
        "Hill": ("Road", "Town", "Dale"),
        "Dale": ("Hill",),
    }
    dry = {name: 1 for name in near if name not in ("River", "Delta")}
    carts, oxen = Movement("carts", near, dry), Movement("oxen", near, {**dry, "Road": 2})
    horses, boats = walk(near, "horses"), Movement("boats", near, {"River": 1, "Delta": 1})
    said = "Road is the only way to Farm and Mill"
    assert [f.message for f in found(lint_of(carts, oxen, boats), "VC602")] == [said]
    assert [f.message for f in lint_of(carts, oxen, horses, boats).findings] == [f"{said}, for carts and oxen"]


def test_nobody_enters_what_the_game_is_about() -> None:
    near = {"Camp": ("Field",), "Field": ("Camp", "Lake"), "Lake": ("Field",)}
    men = Movement("men", near, {"Camp": 1, "Field": 1})
    assert lint_of(men).findings == ()
    assert [f.rule for f in lint_of(men, aims=(aim("Lake"),)).findings] == ["board[Lake]"]
    assert lint_of(men, aims=(aim("Lake", "Field"), aim("elsewhere"))).findings == ()


def test_what_one_side_alone_can_get_to() -> None:
    """Blue starts behind a wall that boats alone pass, and has boats; Red has none, nor anything at the pond."""
    near = {"Camp": ("Wall",), "Wall": ("Camp", "Field"), "Field": ("Wall", "Pond"), "Pond": ("Field",)}
    dry = {"Camp": 1, "Field": 1}
    men = Movement("men", near, dry, {"Blue": ["Camp"], "Red": ["Field"]})
    boats = Movement("boats", near, {**dry, "Wall": 1}, {"Blue": ["Camp"], "Red": []})

    def told(place: str, by: tuple[str, ...] = (), held: tuple[str, ...] = ("Blue", "Red")) -> list[str]:
        aims = (Objective(place, "place", dict.fromkeys(held, TRUE), (place,), by=by),)
        return [f.message for f in lint_of(men, boats, aims=aims).findings if f.code == "VC604"]

    assert told("Field") == []
    assert told("Camp") == ["nothing of the Red side can get to Camp: it is for the Blue side alone"]
    assert told("Camp", held=("Blue",)) == []
    assert told("Field", by=("men",)) == ["nothing of the Blue side can get to Field: it is for the Red side alone"]
    assert told("Camp", held=("Red",)) == ["nothing can get to Camp that may take it"]
    assert told("Field", by=("carts",)) == ["nothing can get to Field that may take it"]
    assert [f.message for f in lint_of(walk(near), aims=(aim("Camp"),)).findings if f.code == "VC604"] == []


@pytest.mark.parametrize("code", WAYS)
def test_a_game_that_says_nothing_of_ways_has_none_of_these(code: str) -> None:
    assert (lint(toy(), code).findings, lint(toy(), code).unknown) == ((), ())


@pytest.mark.parametrize("places", [AREAS[:2], ()])
def test_a_zone_that_nothing_can_be_in_is_told(places: tuple[str, ...]) -> None:
    within = {"west": AREAS, "east": places}

    def owned(side: str, zone: str) -> Term:
        return count(owns(side, area) for area in within[zone])

    asked_of = Domain(EnumSort("side", ("Red", "Blue"))), Domain(EnumSort("zone", ("west", "east")))
    value = Observable("owned", asked_of, owned, "how many areas of a zone the side has", CITES)
    told = [(f.rule, f.message) for f in lint(toy(observables=(value,)), "VC603").findings]
    message = "nothing can happen in the zone east: owned never changes, unlike for others"
    assert told == ([] if places else [("board[east]", message)])
