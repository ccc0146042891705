"""Random rulebooks about turns, rounds and phases of two to four sides, as an interpreter of the page plays them."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import vclogic
from tests.fixtures.pace import examples, seeds
from tests.rulebook.random_positions import Positions, small
from tests.rulebook.random_turns import Event, State, Turns
from vclogic.game import Game

MOST_EVENTS = 14


def loaded(book: Turns) -> Game:
    """The game of a rulebook; its text is told where a test fails."""
    print(book.text)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "rules.md"
        file.write_text(book.text, encoding="utf-8")
        return vclogic.load(str(file))


def told(book: Turns, game: Game) -> State:
    """A position as the interpreter has it, without what its rulebook does not have."""
    state: dict[str, Any] = game.state_dict()
    found: State = {k: state[k] for k in ("turn", "round", "over", "men")}
    found |= {"phase": state["phase"]} if book.kind == "phases" else {}
    found |= {"began": state["began_the_round"]} if book.begun else {}
    found |= {"thrown": state["thrown"]} if "die" in book.events else {}
    found |= {"owed": state["owed"]} if "strike" in book.events else {}
    return found | {"c": [state[f"c{i}"] for i in range(3)]}


def legal_in(game: Game) -> list[Event]:
    """The legal events."""
    return sorted(
        (name, tuple(sorted((k, str(v)) for k, v in given.items()))) for name, given in game.legal().events()
    )


def play(book: Turns) -> None:
    """Play at random, and compare at each step."""
    game, state = loaded(book), book.start()
    for _ in range(MOST_EVENTS):
        here = told(book, game)
        assert here == {k: state[k] for k in here}
        assert {(o.rule, o.side) for o in game.status().outcomes if o.status == "met"} == book.winners(state)
        legal = [(name, tuple(sorted(given))) for name, given in book.legal(state)]
        assert legal_in(game) == sorted(legal)
        if not legal:
            break
        event = book.random.choice(legal)
        state, game = book.after(state, event), game.apply(event[0], **dict(event[1]))


@examples(4000, usual=100)
@given(st.randoms(use_true_random=False).map(Turns))
def test_turns_are_those_of_the_interpreter(book: Turns) -> None:
    play(book)


# ---- best play and plans, against all positions of the interpreter


def decides(side: str, state: State, event: Event) -> bool:
    return dict(event[1])["side"] == side


def others_decide(side: str, state: State, event: Event) -> bool:
    return dict(event[1])["side"] != side


def has_won(book: Turns, side: str, state: State) -> bool:
    return any(who == side for _, who in book.winners(state))


def has_lost(book: Turns, side: str, state: State) -> bool:
    """Whether the game is over, and a side has not won where another one has, or is out."""
    won = {who for _, who in book.winners(state)} - {"nobody"}
    return book.ended(state) and side not in won and bool(won or side in state["lost"])


def compare_best_play(book: Turns) -> None:
    """Each side against all others: who can bring about a win."""
    found, game = Positions(book), loaded(book)
    if not found.whole:
        return
    for side in book.sides:
        wins = found.forced(partial(has_won, book, side), partial(decides, side))
        loses = found.forced(partial(has_lost, book, side), partial(others_decide, side))
        solved = game.solve(side=side)
        assert solved.checked
        assert solved.positions == len(found.states)
        expected = side if 0 in wins else "the others" if 0 in loses else None
        if len(book.sides) == 2 and expected == "the others":
            expected = next(s for s in book.sides if s != side)
        assert (solved.status, solved.winner) == ("solved", expected)


@pytest.mark.parametrize("seed", seeds(range(1, 9), range(1000)))
def test_best_play_against_all_others_is_that_of_the_interpreter(seed: int) -> None:
    compare_best_play(small(Random(seed), leaving_out=["die", "quit"]))


def compare_plans(book: Turns, random: Random) -> None:
    """Fewest events to some goals, or that none lead there."""
    found, game = Positions(book), loaded(book)
    if not found.whole:
        return
    for _ in range(3):
        who = random.choice(book.sides)
        men, turn, number = wanted = random.randint(0, 1), random.choice(book.sides), random.randint(1, book.rounds)
        depths = zip(found.states, found.depth, strict=True)
        fewest = min((d for s, d in depths if (s["men"][who], s["turn"], s["round"]) == wanted), default=None)
        goal = f"men({who}) == {men} and turn == {turn} and round == {number}"
        answer = game.plan(goal, side=who, opponent="helps")
        print(f"{goal}: {fewest}, {answer.status}")
        if fewest is None:
            assert answer.status == "impossible"
        else:
            assert (answer.status, answer.cost) == ("optimal", fewest)


@pytest.mark.parametrize("seed", seeds(range(1, 9), range(1000)))
def test_plans_and_proofs_are_those_of_the_interpreter(seed: int) -> None:
    compare_plans(small(random := Random(seed)), random)
