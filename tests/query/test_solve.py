"""Games that are solved, against plain Python and what is known of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import vclogic
from tests.toys import skirmish
from vclogic.game import Game
from vclogic.query.solved import Solved


@pytest.fixture(scope="module")
def small() -> Iterator[tuple[Game, Solved]]:
    with skirmish.installed():
        game = vclogic.load("skirmish/small")
        yield game, game.solve(timeout=60)


def test_every_position_of_a_small_board_is_as_plain_python_finds_it(small: tuple[Game, Solved]) -> None:
    game, answer = small
    plain = skirmish.by_hand("small").solved()
    assert answer.table is not None
    assert (answer.status, answer.complete, answer.checked) == ("solved", True, True)
    assert answer.positions == len(plain) == len(answer.table)
    states = answer.table.packing.unpacked(answer.table.words).tolist()
    for row, state in enumerate(states):
        red, blue, turn, round = tuple(state[:6]), tuple(state[6:12]), state[12], state[13]
        who, turns = plain[(red, blue), turn, round]
        best = answer.table.at(row)
        if who == 2:
            assert best.value == "draw"
        else:
            assert (best.value, best.winner, best.turns) == ("win", ("Red", "Blue")[who], turns)
    assert (answer.winner, answer.turns) == ("Red", plain[skirmish.by_hand("small").first][1])
    assert game.solve().record == answer.record


def test_the_play_that_is_shown_leads_to_what_is_claimed(small: tuple[Game, Solved]) -> None:
    game, answer = small
    assert answer.record is not None
    assert answer.table is not None
    for step, event in zip(answer.steps, answer.record.events or (), strict=True):
        here = answer.table[game]
        assert here.event == event
        assert here.winner == "Red"
        game = game.apply(event.name, **dict(event.args))
        assert step.cites
    assert game.status().winner == "Red"


def test_where_the_search_is_cut_off_that_is_said(small: tuple[Game, Solved]) -> None:
    game, _ = small
    for cut in (game.solve(max_positions=40), game.solve(timeout=1e-6)):
        assert (cut.status, cut.value, cut.complete, cut.steps) == ("unknown", "open", False, ())
        assert cut.reason
    assert "more than 40 positions" in game.solve(max_positions=40).reason
