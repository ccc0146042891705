"""Which events can bear on a goal: found before they are built, against building all of them."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import vclogic
from tests.fixtures.pace import MORE, cases, examples
from tests.terms.specs import Spec, meaning, specs, states, term
from tests.toys.small_systems import FLUENTS
from vclogic.conformance.games import random_play_of
from vclogic.conformance.planning import random_goals
from vclogic.encode.grounding import TooManyToBuild, relevant, wanting
from vclogic.model.actions import Action, Schema
from vclogic.model.event_terms import EventWords, Spoken, watched
from vclogic.model.fluents import Family, Layout, State
from vclogic.model.grounded import number_of
from vclogic.model.system import System
from vclogic.query.question import GameQuestion, request
from vclogic.terms.expressions.resolve import compile_goal
from vclogic.terms.term import Term

LARGE = pytest.param("axis_allies/revised-1942", marks=pytest.mark.slow)
GAMES = [LARGE, "moscow/small", "okinawa/small"]


def as_it_is(schema: Schema, action: Action) -> Action:
    """Every event, under what the game assumes."""
    return action.under_assumptions


def names(system: System, goal: Term, start: State | None, most: float = float("inf")) -> list[str]:
    """The events that bear on a goal."""
    return [
        str((g.schema.name, *g.args.values())) for g in relevant(system, [goal], as_it_is, start=start, most=most)
    ]


@pytest.mark.parametrize("game", cases(GAMES, LARGE, "moscow/small"))
def test_what_an_event_touches_leaves_out_none_that_building_all_would_keep(game: str) -> None:
    play = random_play_of(game)
    system = play.system
    untold = replace(system, events=tuple(replace(s, touches=None) for s in system.events))
    rng = Random(f"influence {game} {MORE}")
    for text in random_goals(system, [g.state for g in play.games], rng, int(2 * MORE) or 1):
        goal = request(play.start, GameQuestion()).goal(text).term
        for start in (None, play.start.state):
            assert names(system, goal, start) == names(untold, goal, start), text


FEW = [
    ({"level": "armies"}, "round >= 2", {"end_turn"}),
    pytest.param({}, "complex(India) == bought", {"place", "purchase", "end_turn"}, marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("settings", "goal", "kept"), FEW)
def test_what_cannot_bear_on_a_goal_is_not_built(settings: dict[str, str], goal: str, kept: set[str]) -> None:
    game = vclogic.load("axis_allies", settings=settings)
    system = game.setup.system
    found = relevant(system, [request(game, GameQuestion()).goal(goal).term], as_it_is, start=game.state, most=10_000)
    assert kept <= {g.schema.name for g in found}
    assert not {g.schema.name for g in found} & {"carry", "fly", "march", "sail"}
    assert len(system._opened) < min(number_of(system.events), 10_000)


def test_more_events_than_one_wants_are_not_built() -> None:
    game = vclogic.load("moscow/small")
    system = game.setup.system
    goal = request(game, GameQuestion()).goal("elimination_points(German) >= 1").term
    found = names(system, goal, None)
    built = len(system._opened)
    assert names(system, goal, None, built) == found
    fresh = replace(system, _opened={}, _instances={})
    with pytest.raises(TooManyToBuild):
        names(fresh, goal, None, built - 1)
    assert len(fresh._opened) < built


SPOKEN = [
    pytest.param("axis_allies", "happens(purchase, unit=armour)", "purchase", marks=pytest.mark.slow),
    pytest.param("okinawa/small", "happens(retreat) and before(round) >= 2", "retreat", marks=pytest.mark.slow),
    ("moscow/small", "happens(eliminate)", "eliminate"),
]


@pytest.mark.parametrize(("name", "goal", "event"), SPOKEN)
def test_an_event_that_shows_what_is_asked_for_touches_that(name: str, goal: str, event: str) -> None:
    game = vclogic.load(name)
    rules = game.setup.system
    spoken = Spoken(rules, compile_goal(goal, rules.vocabulary, steps=EventWords(rules)).term)
    system, shown = watched(rules, spoken)
    state = (*game.state, 0)
    kept = relevant(system, [shown], as_it_is, start=state)
    assert event in {g.schema.name for g in kept}
    untold = replace(system, events=tuple(replace(s, touches=None) for s in system.events), _opened={})
    assert [g.action.key for g in relevant(untold, [shown], as_it_is, start=state)] == [g.action.key for g in kept]


# ---- what a requirement reads


@examples(300)
@given(specs(FLUENTS[:4], "B", 3), st.data())
def test_what_a_term_does_not_want_changed_may_be_as_at_the_start(spec: Spec, data: st.DataObject) -> None:
    fluents = FLUENTS[:4]
    layout = Layout([Family(v.name, v.sort, "") for v in fluents])
    start = data.draw(st.sampled_from(list(states(fluents))))
    wanted = wanting([term(spec)], layout, tuple(start[v] for v in fluents))
    for state in states(fluents):
        if meaning(spec, state):
            assert meaning(spec, {v: x if v in wanted else start[v] for v, x in state.items()})
