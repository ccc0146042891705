"""Explanations of outcomes and events: what decides is enough, and every clause is there."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

import vclogic
from tests.fixtures.games import loaded
from tests.fixtures.scenarios import smallest
from vclogic.conformance.games import legal_play
from vclogic.conformance.meaning import random_state
from vclogic.encode.python.evaluator import failed, interpret
from vclogic.errors import InputError
from vclogic.files.registry import encoding_names, scenario_names
from vclogic.model.actions import Event
from vclogic.model.fluents import State
from vclogic.model.system import System
from vclogic.query.explain import explain_event, explain_outcomes
from vclogic.query.explanation import Explained
from vclogic.terms.build import or_


def mixed(system: System, state: State, kept: Explained, rng: Random) -> State:
    """A random state in which the deciding facts are as they were."""
    names = [f.name for f in system.layout.fluents]
    other = random_state(system, rng)
    return tuple(x if n in kept.facts else y for n, x, y in zip(names, state, other, strict=True))


@pytest.mark.parametrize("encoding", encoding_names())
def test_the_deciding_facts_of_an_outcome_are_enough(encoding: str) -> None:
    game, rng = vclogic.load(smallest(encoding)), Random(f"explain {encoding}")
    system = game.setup.system
    states = [game.state, *(s for _, s in legal_play(system, game.state, rng, 2)), random_state(system, rng)]
    for state in states:
        for i, why in enumerate(explain_outcomes(system, state)):
            assert why.cites
            outcome = system.outcomes[i]
            met = interpret(or_(outcome.won, outcome.now), system.layout.slot, mixed(system, state, why, rng))
            assert met == why.value


@pytest.mark.parametrize("encoding", encoding_names())
def test_the_reasons_for_a_refusal_are_enough(encoding: str) -> None:
    game, rng = vclogic.load(smallest(encoding)), Random(f"event {encoding}")
    system = game.setup.system
    for event, state in legal_play(system, game.state, rng, 6):
        why = explain_event("", system, state, event, ())
        lacking = failed(system, state, system.action(event))
        assert why.allowed == (not lacking)
        assert [r.value for r in why.requirements].count(False) == len(lacking)
        for reason in why.requirements:
            if not reason.value:
                other = mixed(system, state, reason, rng)
                assert failed(system, other, system.action(event))


def leaves(node: Explained) -> Iterator[Explained]:
    """The ends of a tree."""
    if not node.parts:
        yield node
    for part in node.parts:
        yield from leaves(part)


def test_why_the_axis_have_not_won() -> None:
    game = loaded("axis_allies")
    major = next(e for e in game.explain() if e.text == "major_victory, Axis")
    assert (major.value, major.least) == (False, 3)
    assert major.facts["owner[Russia]"] == "Russians"
    condition, *_ = major.parts
    (points,) = condition.parts
    assert (points.value, points.text) == (
        26,
        "the points of the victory cities in territories that the Axis control",
    )
    assert "VC/1" in points.cites
    marked = {leaf.text for leaf in leaves(condition) if leaf.deciding}
    assert len(marked) < len(list(leaves(condition)))


def test_why_three_infantry_may_not_be_placed() -> None:
    game = loaded("axis_allies")
    why = game.explain_event("place", power="Germans", unit="infantry", count=3, territory="Karelia")
    assert not why.allowed
    assert why == game.explain_event("place: {power: Germans, unit: infantry, count: 3, territory: Karelia}")
    texts = [r.text for r in why.requirements if not r.value]
    assert texts[0] == "it is not the turn of the Germans"
    assert why.requirements[0].facts == {"turn": "Russians"}
    assert any("VC-infantry/4" in r.cites for r in why.requirements)
    assert game.explain_event("end_turn").allowed


def test_what_an_event_takes_on_trust_is_named() -> None:
    """`allowed` says nothing about what the rule text leaves out; under `legality=captures` that is less."""
    taken, sentence = "capture: {power: Russians, territory: Ukraine}", "the battle that leads to a capture"
    game = loaded("axis_allies")
    assert game.explain_event(taken).not_judged == "the movement and the battle that lead to a capture"
    assert game.explain_event("end_turn").not_judged == ""
    assert game.with_options(legality="captures").explain_event(taken).not_judged == sentence


def test_a_status_names_what_its_record_was_believed_in() -> None:
    game = loaded("axis_allies")

    battle, attack = "the movement and the battle that lead to a capture", "the units of an attack and their movement"
    assert game.apply("end_turn").status().not_judged == ()
    taken = game.apply("capture", power="Russians", territory="Ukraine").apply("end_turn")
    assert taken.status().not_judged == taken.with_options(victory="major").status().not_judged == (battle,)
    both = game.apply("attack", power="Russians", territory="Ukraine")
    assert both.apply("capture", power="Russians", territory="Ukraine").status().not_judged == (attack, battle)
    assert game.status().not_judged == (), "a game never changes"


def test_a_goal_is_explained() -> None:
    game = loaded("axis_allies")
    (why,) = game.explain("vcp(Axis) >= 40 or round == 1")
    assert (why.value, why.facts) == (True, {"round": 1})


def test_a_wrong_event_is_told() -> None:
    game = loaded("axis_allies")
    with pytest.raises(InputError, match="there is no event 'plce'"):
        game.explain_event("plce: {}")
    assert str(Event("end_turn")) == game.explain_event("end_turn").event


TRUSTED = {
    "asl": {"enter", "leave", "exit", "break", "rally", "eliminate", "surrender", "search", "kindle", "spread"},
    "axis_allies": {"attack", "attack_fails", "capture"},
    "moscow": {"move", "retreat", "eliminate"},
    "napoleonics": {"order", "move", "retreat", "eliminate"},
    "okinawa": {"move", "retreat", "eliminate", "exit"},
}
PLAIN = {"setup", "start_turn", "end_movement", "end_turn", "end_game", "bid", "emergency", "place", "remove"}
"""Events that take movement, combat or dice on trust; and events that take nothing on trust."""


@pytest.mark.parametrize("game", TRUSTED)
def test_events_that_take_movement_or_combat_on_trust_say_so(game: str) -> None:
    for scenario in scenario_names(game):
        events = vclogic.load(f"{game}/{scenario}").setup.system.events
        named = {e.name for e in events if e.not_judged}
        assert TRUSTED[game] & {e.name for e in events} <= named
        assert not named & PLAIN
