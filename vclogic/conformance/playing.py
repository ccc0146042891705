"""Tests of play: status along the way, and positions and records that are written and read back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

from vclogic.conformance.games import STATES, Play, each_choice
from vclogic.conformance.laws import invariants
from vclogic.conformance.play import legal_play, random_arguments
from vclogic.encode.evaluator import apply, failed, interpret
from vclogic.files.write import write_position
from vclogic.game import Game
from vclogic.model.actions import Action
from vclogic.model.fluents import State
from vclogic.model.system import System
from vclogic.query.status import StatusView
from vclogic.terms.build import and_, eq, or_

SEEN = 3  # states in which events are tried that may be refused
WRITTEN = 8  # states that are written out and read back


def test_a_large_scenario_is_played(large_scenario: str, tmp_path: Path) -> None:
    """A large scenario can be played; smaller ones go through all the tests."""
    start = Game.load(large_scenario)
    system, now = start.setup.system, start
    for event, state in legal_play(system, start.state, Random(large_scenario), 3, set()):
        now = now.apply(event.name, **dict(event.args))
        assert now.state == state
        assert all(interpret(t, system.layout.slot, state) for t in invariants(system))
    assert now.history
    file = tmp_path / "position.yaml"
    file.write_text(write_position(now.setup, now.state), encoding="utf-8")
    assert Game.load(str(file)).state == now.state


def test_play_goes_on(play: Play) -> None:
    """Random play reaches many positions, and every kind of event happens in it."""
    assert len({g.state for g in play.games}) > STATES
    happened = {e.name for g in play.games for e in g.history}
    assert happened == set(play.system.schemas), "an event that no random play can bring about"


def test_the_status_after_each_event_is_that_of_a_fresh_start(play: Play) -> None:
    """The status of a game that was played equals one computed from scratch."""
    for game in play.games:
        fresh = StatusView(play.system)
        status = game.status()
        again = fresh.status(game.state, game=status.game, view=status.view, assumptions=status.assumptions)
        assert replace(status, not_judged=()) == again, game.history[-1:]


def test_an_event_of_a_known_state_is_the_event_of_any(play: Play, rng: Random) -> None:
    """An action built for a known state has the same requirements and effects there as the one for any state."""
    system, before = play.system, {g.history: g.state for g in play.games}
    happened = [(before[g.history[:-1]], g.history[-1]) for g in play.games if g.history and g.history[:-1] in before]
    tried = [
        (g.state, s.event(random_arguments(s, rng))) for g in play.sample(SEEN) for s in system.events if s.viewed
    ]
    for state, event in (*happened, *tried):
        assert judged(system, state, system.action_in(state, event)) == judged(system, state, system.action(event))


def judged(system: System, state: State, action: Action) -> tuple[list[str], State]:
    """The failing requirements of an action in a state, and the state after it."""
    values = system.layout.values(state)
    lacking = [r.said(values) for r in failed(system, state, action)]
    return lacking, state if lacking else apply(system, state, action)


def test_who_has_won_meets_an_outcome(play: Play) -> None:
    """The winner has met an outcome, now or earlier."""
    slot, winner = play.system.layout.slot, play.system.winner
    if winner is None:
        return
    for game in play.games:
        for side in play.system.sides:
            if interpret(eq(winner, side), slot, game.state):
                own = (or_(and_(o.timing, o.condition.holds), o.won) for o in play.system.outcomes if o.side == side)
                assert any(interpret(met, slot, game.state) for met in own), game.history[-1:]


def test_every_choice_of_settings_is_a_game(play: Play) -> None:
    """A rule set can be built for each value of each option and Reading."""
    for game in each_choice(play.start):
        assert game.status().outcomes, game.setup.chosen


# ---- files


def test_positions_come_back(play: Play, tmp_path: Path) -> None:
    """A position that is written and read again is the same, without its record."""
    for n, game in enumerate(play.sample(WRITTEN)):
        file = tmp_path / f"{n}.yaml"
        file.write_text(write_position(game.setup, game.state), encoding="utf-8")
        back = Game.load(str(file))
        assert back.state == game.state
        assert back.status() == replace(game.status(), not_judged=())


def test_records_come_back(play: Play, tmp_path: Path) -> None:
    """A record that is written and read again leads to the same position."""
    game = play.games[-1]
    file = tmp_path / "record.yaml"
    file.write_text(write_position(game.setup, record=game.history), encoding="utf-8")
    back = Game.load(str(file))
    assert back.history == game.history
    assert back.state == game.state
    assert back.status() == game.status()
    assert play.start.with_options().state == play.start.state
    assert game.with_options().state == game.state
