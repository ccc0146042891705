"""Conformance sees objectives that are declared wrongly: each defect fails the test that is about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from tests.fixtures.games import loaded
from vclogic.conformance.games import UnmetDemand
from vclogic.conformance.playing import is_well_declared, loses_to_an_enemy
from vclogic.game import Game
from vclogic.model.fluents import Value
from vclogic.model.objectives import changes, following
from vclogic.model.picture import Values
from vclogic.model.system import System
from vclogic.terms.atoms import TRUE, integer, member, var
from vclogic.terms.build import ite
from vclogic.terms.sorts import BOOL, EnumSort
from vclogic.terms.term import Term

Lost = Callable[[str, Values], Mapping[Term, Value] | None]


@pytest.fixture(scope="module")
def front() -> Game:
    return loaded("moscow/small")


def fluent(game: Game, name: str) -> Term:
    return game.setup.system.layout.by_name[name]


def with_first(system: System, **defect: Any) -> System:
    """The system with another first objective: Moscow, which the Soviets hold with a unit."""
    first, *others = system.objectives
    assert first.name == "Moscow"
    return replace(system, objectives=(replace(first, **defect), *others))


def test_objectives_as_declared_pass(front: Game) -> None:
    system = front.setup.system
    is_well_declared(system, front.state)
    for objective in system.objectives:
        loses_to_an_enemy(system, front.state, objective)


@pytest.mark.parametrize(
    "defect",
    [
        {"name": "Minsk"},
        {"name": ""},
        {"kind": ""},
        {"held": {}},
        {"held": {"Finnish": TRUE}},
        {"held": {"German": integer(1)}},
        {"held": {"German": var("nowhere", BOOL)}},
        {"worth": {"Finnish": "5 points"}},
        {"places": ("6,3", "99,99")},
    ],
    ids=str,
)
def test_a_wrong_declaration_fails(front: Game, defect: dict[str, Any]) -> None:
    with pytest.raises(UnmetDemand):
        is_well_declared(with_first(front.setup.system, **defect), front.state)


def losses(game: Game) -> dict[str, Lost]:
    """Ways to be lost that are no way."""
    militia, owner = fluent(game, "at[1st Moscow Militia]"), fluent(game, "owner[Moscow]")
    return {
        "it is still held": lambda side, values: {},
        "a unit is still there": lambda side, values: {owner: "German"},
        "the position is not well-formed": lambda side, values: {owner: "German", militia: "1,3"},
        "there is no such fluent": lambda side, values: {militia: "eliminated", var("x", BOOL): True},
    }


@pytest.mark.parametrize("why", [*losses(loaded("moscow/small"))])
def test_a_wrong_loss_fails(front: Game, why: str) -> None:
    system = with_first(front.setup.system, lost=losses(front)[why])
    with pytest.raises(UnmetDemand):
        loses_to_an_enemy(system, front.state, system.objectives[0])


def test_what_cannot_be_lost_or_is_not_held_is_not_looked_at(front: Game) -> None:
    def never(side: str, values: Values) -> None:
        raise ValueError(side)

    system = front.setup.system
    (moscow, *_) = system.objectives
    asked: list[str] = []
    loses_to_an_enemy(system, front.state, replace(moscow, lost=lambda side, values: asked.append(side)))
    assert asked == ["Soviet"]
    loses_to_an_enemy(system, front.state, replace(moscow, held={"German": moscow.held["German"]}, lost=never))


def test_effects_are_taken_at_once() -> None:
    """Each effect reads the values before all of them."""
    a, b, sort = var("a", BOOL), var("b", BOOL), EnumSort("side or none", ("none", "German"))
    who = var("who", sort)
    before: dict[Term, Value] = {a: True, b: False, who: "none"}
    swap = ((a, b), (b, a), (who, ite(a, member(sort, "German"), who)))
    after = following(before, swap)
    assert after == {a: False, b: True, who: "German"}
    assert changes(before, after) == after
    assert changes(before, following(before, ((a, a),))) == {}


def test_each_objective_of_the_games_can_be_lost_or_says_why_not() -> None:
    """None of the five games leaves out by mistake what becomes of its objectives."""
    never = {
        "okinawa": {"Northeast edge"},  # who has exited is gone
        "napoleonics": {"Baggage"},  # what has been scored stays so
    }
    for name in ("axis_allies", "moscow", "asl", "okinawa", "napoleonics"):
        kept = {o.name for o in loaded(name).setup.system.objectives if o.lost is None}
        ordinals = {n for n in kept if n[0].isdigit() and name == "okinawa"}  # nobody tells which unit would go
        assert kept - ordinals == never.get(name, set()), name
