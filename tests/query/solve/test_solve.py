"""Games that are solved, against plain Python and what is known of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

import vclogic
from tests.explore.graph_games import BLUE, RED, GraphGame, Way, random_dice_game, random_game
from tests.fixtures.clocks import looks
from tests.fixtures.pace import seeds
from tests.oracles.skirmish import chances
from tests.toys import skirmish
from vclogic.clock import TimeUp
from vclogic.errors import InputError
from vclogic.game import Game
from vclogic.query.question import Request
from vclogic.query.solve.answer import Solved
from vclogic.query.solve.best_play import PLAYS_ON, UNSHOWN, solve
from vclogic.query.solve.question import SolveQuestion
from vclogic.query.test.rulings import test_game as try_rulings
from vclogic.report.text.page import render
from vclogic.report.text.solve import solve as report


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


def test_its_rulings_hold(small: tuple[Game, Solved]) -> None:
    tested = try_rulings(skirmish.NAME)
    assert (tested.failed, tested.passed) == (0, 18)


def test_a_play_that_could_not_be_shown_in_time_is_said(
    small: tuple[Game, Solved], monkeypatch: pytest.MonkeyPatch
) -> None:
    game, known = small

    def late(*_: object) -> None:
        raise TimeUp

    monkeypatch.setattr("vclogic.query.solve.best_play.step_text", late)
    answer = game.solve(timeout=60)
    assert (answer.status, answer.winner, answer.turns) == ("solved", known.winner, known.turns)
    assert (answer.steps, answer.record, answer.reason) == ((), None, UNSHOWN)
    assert "The time was up before the play could be shown." in render(report(answer))


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


def test_with_a_die_every_probability_is_as_plain_python_finds_it(small: tuple[Game, Solved]) -> None:
    plain = chances(skirmish.by_hand("small"))
    answer = small[0].with_options(attacks="die").solve()
    table = answer.table
    assert table is not None
    assert (answer.status, answer.checked, answer.value) == ("solved", True, "odds")
    assert answer.odds is not None
    first = plain[skirmish.by_hand("small").first]
    assert answer.odds.wins == {"Red": first[0], "Blue": first[1]}
    seen = set()
    for row, state in enumerate(table.packing.unpacked(table.words).tolist()):
        *units, turn, round, target = state
        if target:
            continue  # while the die rolls
        red, blue = plain[(tuple(units[:6]), tuple(units[6:])), turn, round]
        best = table.at(row)
        if best.odds is not None:
            assert best.odds.wins == {"Red": red, "Blue": blue}
        else:
            assert (red == 1, blue == 1) == (best.winner == "Red", best.winner == "Blue")
            assert best.winner or red == blue == 0
        seen.add(best.value)
    assert seen == {"odds", "win", "draw"}


def test_where_the_search_is_cut_off_that_is_said(small: tuple[Game, Solved]) -> None:
    game, _ = small
    for cut in (game.solve(max_positions=40), game.solve(timeout=1e-6)):
        assert (cut.status, cut.value, cut.complete, cut.steps) == ("unknown", "open", False, ())
        assert cut.reason
    assert "more than 40 positions" in game.solve(max_positions=40).reason


def shown(found: Solved) -> str:
    """The report in one line."""
    return " ".join(render(report(found)).split())


def asked(game: GraphGame, timeout: float = 60) -> Request:
    """A question about a game on a graph, from its node 0."""
    setup: Any = SimpleNamespace(system=game.system, game="graph/first", chosen_in_words=())
    return Request(setup, (0,), SolveQuestion(timeout=timeout))


def test_play_without_end_is_shown_up_to_where_it_repeats_itself() -> None:
    """Red goes round between 0 and 1; to leave the circle loses for either side."""
    ways = (Way(0, 1, RED), Way(0, 3, RED), Way(1, 0, BLUE), Way(1, 2, BLUE))
    found = solve(asked(GraphGame(4, ways, {RED: frozenset({2}), BLUE: frozenset({3})}, frozenset())))
    assert (found.status, found.value, found.keeps, found.winner) == ("solved", "endless", (RED, BLUE), None)
    assert [s.args for s in found.steps] == [{"number": 0}, {"number": 2}]
    assert found.repeats_from == 1
    assert "From here play repeats itself from step 1 on." in shown(found)


def test_it_is_said_where_the_rules_play_on_after_a_win() -> None:
    ways = (Way(0, 1, RED), Way(1, 2, BLUE))
    game = GraphGame(4, ways, {RED: frozenset({2}), BLUE: frozenset({3})}, frozenset())
    assert PLAYS_ON not in solve(asked(game)).assumptions
    on = replace(game, ways=(*ways, Way(2, 3, BLUE)))
    found = solve(asked(on))
    assert (found.winner, PLAYS_ON in found.assumptions) == (RED, True)


def test_what_the_rules_leave_open_is_named() -> None:
    """Who acts first on node 1 decides; that neither side can force."""
    ways = (Way(0, 1, RED), Way(1, 2, RED), Way(1, 3, BLUE))
    game = GraphGame(4, ways, {RED: frozenset({2}), BLUE: frozenset({3})}, frozenset())
    found = solve(asked(game))
    assert (found.status, found.value, found.checked) == ("unknown", "open", True)
    assert found.reason == "the rules leave open who acts first after way(0)"
    dice = replace(game, ways=(Way(0, 1, RED), Way(1, 2, None), Way(1, 3, None)))
    assert solve(asked(dice)).reason == "the rules leave open which of the forced events happens after way(0)"


def test_chance_is_told_exactly_or_as_bounds() -> None:
    ways = (Way(0, 1, RED), Way(1, 2, None, 2), Way(1, 3, None, 1))
    game = GraphGame(4, ways, {RED: frozenset({2}), BLUE: frozenset({3})}, frozenset())
    found = solve(asked(game))
    assert (found.status, found.value, found.checked, len(found.steps)) == ("solved", "odds", True, 1)
    assert found.odds is not None
    assert found.odds.wins == {RED: Fraction(2, 3), BLUE: Fraction(1, 3)}
    assert "Red wins with probability 2/3 (0.666667) and Blue wins with probability 1/3" in shown(found)
    round_and_round = replace(game, ways=(*ways, Way(1, 0, None, 3)))
    again = solve(asked(round_and_round))
    assert again.status == "solved"
    assert again.odds is not None
    assert again.odds.wins is None
    assert again.odds.lower == pytest.approx(1 / 3, abs=1e-9)
    assert again.odds.lower <= again.odds.upper <= again.odds.lower + 1e-9


def test_positions_in_which_nothing_is_legal_are_shown_with_the_way_there() -> None:
    ways = (Way(0, 1, RED), Way(0, 2, RED), Way(2, 3, BLUE), Way(2, 1, BLUE))
    found = solve(asked(GraphGame(4, ways, {RED: frozenset(), BLUE: frozenset()}, frozenset({1}))))
    assert found.value == "draw"
    assert found.stuck == 1
    (stuck,) = found.stuck_first
    assert stuck.facts == ("at = 3",)
    assert [str(e) for e in stuck.record.events or ()] == ["way(1)", "way(2)"]
    assert "after way(1), way(2)" in shown(found)


def test_a_game_of_one_side_is_refused() -> None:
    game = GraphGame(2, (Way(0, 1, RED),), {RED: frozenset({1}), BLUE: frozenset()}, frozenset())
    request = asked(game)
    one: Any = SimpleNamespace(
        system=replace(game.system, sides={RED: (RED,)}), game="graph/first", chosen_in_words=()
    )
    with pytest.raises(InputError, match="games of two sides; this one has 1: Red"):
        solve(replace(request, setup=one))


CUT = ("nim", "race", "high_card", "majority", "sealed_orders", "skirmish")


def stands_by(early: Solved, known: Solved) -> None:
    """What a search that was cut off claims is so, and it says what it has and has not looked at."""
    assert early.checked is not False
    assert early.looked_at <= early.positions
    assert early.status == "solved" or early.reason
    text = shown(early)
    if early.positions and not early.complete:
        assert f"{early.looked_at:,} position" in text
        assert f"{early.positions - early.looked_at:,} more w" in text or early.positions == early.looked_at
    if early.table is None or known.table is None:
        return
    assert early.decided is not None
    assert f"value of {early.decided:,} position" in text or early.complete
    assert not early.complete or early.positions == known.positions
    rows = known.table.rows(early.table.packing.unpacked(early.table.words))
    wins = (early.table.value == 1) | (early.table.value == 2)
    assert (rows >= 0).all()
    assert (early.table.value == known.table.value[rows])[wins].all()
    assert (early.table.turns >= known.table.turns[rows])[wins].all()


@pytest.mark.parametrize("name", CUT)
def test_a_search_that_is_cut_anywhere_tells_what_is_finished_and_what_is_open(name: str) -> None:
    """A position that a side has won counts as finished where the search ended before it was looked at."""
    game = vclogic.load(f"examples/rulebooks/{name}.md")
    known = game.solve()
    assert known.status == "solved"
    for most in (1, 4, 20, 100, 300):
        early = game.solve(max_positions=most)
        stands_by(early, known)
        assert early.checked
    for most in seeds((40, 160), (3, 110, 250, 400, 1000)):
        with looks(most):
            early = game.solve()
        stands_by(early, known)


def test_random_games_that_are_cut_claim_nothing_that_is_not_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vclogic.explore.expansion.BLOCK", 2)
    cut = won = 0
    for seed in seeds(range(10), range(10, 400)):
        rng = Random(seed)
        game = random_dice_game(rng, circles=True, contested=0.1) if seed % 2 else random_game(rng, contested=0.1)
        known = solve(asked(game))
        for most in (2, 5):
            early = solve(asked(game), most)
            stands_by(early, known)
            assert early.checked
            cut += not early.complete
            won += not early.complete and early.value == "win"
    assert cut > won > 0
