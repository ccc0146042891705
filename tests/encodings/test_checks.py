"""Every installed encoding is checked; what is the source text's own fault is suppressed with a reason."""

from __future__ import annotations

import pytest

from tests.fixtures.games import loaded
from tests.fixtures.pace import cases
from tests.fixtures.scenarios import smallest
from vclogic.check.catalogue import CATALOGUE, load_suppressions
from vclogic.files.registry import encoding_names

GAMES = encoding_names()


@pytest.mark.parametrize("game", cases(GAMES, "asl"))
def test_nothing_is_found_that_is_not_explained(game: str) -> None:
    answer = loaded(smallest(game)).check(ignore=["VC5"], timeout=60)
    assert [(f.code, f.rule, f.message) for f in answer.open] == []
    assert answer.unknown == ()


@pytest.mark.parametrize("game", GAMES)
def test_every_suppression_names_a_code(game: str) -> None:
    assert {s.code for s in load_suppressions(game)} <= set(CATALOGUE)


@pytest.mark.slow
def test_the_readings_of_axis_and_allies() -> None:
    answer = loaded("axis_allies").check(select=["VC001", "VC5"], timeout=60)
    assert answer.open == ()
    assert [(f.code, f.rule) for f in answer.findings] == [("VC502", "reading total_moment")]
    assert answer.unknown == ()


@pytest.mark.slow
def test_minor_victory_takes_a_bid_which_play_may_begin_with() -> None:
    game = loaded("axis_allies", victory="minor")
    found = game.reach("holds(minor_victory, Axis)", opponent="helps", timeout=240)
    assert found.record is not None
    assert found.record.events is not None
    assert found.record.events[0].name == "bid"


@pytest.mark.slow
def test_play_leads_to_minor_victory() -> None:
    game = loaded("axis_allies", victory="minor")
    answer = game.check(scope="reachable", select=["VC2"], timeout=600)
    assert answer.findings == ()
    assert answer.unknown == ()
