"""Whole briefings on random small boards: every part is what brute force over all plans finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.fixtures.local_z3 import local_sessions
from tests.fixtures.pace import MORE, examples, seeds
from tests.oracles.briefings import MANY, Question, Seen, briefed
from tests.toys import army_objectives, sided_systems
from tests.toys.capture_objectives import quest

SECONDS = 20
VALUES = ("first", "closed", "lost")


def ask(question: Question, seen: Seen) -> None:
    """A question is answered as brute force answers it."""
    with local_sessions(SECONDS):
        briefed(question, seen, budget_s=SECONDS)


def met_all(seen: Seen, *kinds: str, least: int = 1) -> None:
    """Each kind of part was empty, had one member, and had several; and some goals were met, or out of reach."""
    for kind in kinds:
        assert all(seen[kind, n] >= least for n in range(MANY + 1)), (kind, seen)
    assert seen["status", "impossible"] >= least, seen
    assert seen["held already", True] >= least, seen


def test_captures() -> None:
    seen: Seen = Counter()
    for seed in seeds((1, 3, 4, 6, 16, 18), range(28)):
        ask(quest(seed), seen)
    met_all(seen, "winning")
    assert seen["denial", 0], seen
    assert seen["denial", MANY], seen
    assert seen["landmarks", 1], seen
    assert all(seen[kind, n] for kind in VALUES for n in ("impossible", 0)), seen


@pytest.mark.parametrize("seed", [500, 1013, 1334])
def test_captures_with_cuts_that_were_found_over_fewer_columns(seed: int) -> None:
    """The next question used to be asked without them."""
    ask(quest(seed), Counter())


def test_captures_which_the_opponent_helps() -> None:
    seen: Seen = Counter()
    for seed in seeds((0, 3, 5), range(6)):
        ask(quest(seed, opponent="any", most_land=5), seen)
    assert seen["winning", 0]
    assert seen["winning", MANY]


def test_player_turns() -> None:
    seen: Seen = Counter()
    for seed in seeds((3, 5), range(6)):
        ask(quest(seed, metric="turns", most_land=5), seen)
    assert seen["winning", 0]
    assert seen["winning", MANY]


def small_systems(number: int, lossy: bool | None) -> Seen:
    """Asks so many questions about small systems of two and three sides."""
    seen: Seen = Counter()

    @examples(number)
    @given(sided_systems.quests(lossy=lossy))
    def one(question: sided_systems.Quest) -> None:
        ask(question, seen)

    one()
    return seen


@pytest.mark.parametrize("lossy", [False, True, None])
def test_small_systems(lossy: bool | None) -> None:
    seen = small_systems(60, lossy)
    assert seen["winning", 0]
    assert seen["winning", 1]
    assert seen["landmarks", 1] or not MORE


def armies(number: int, questions: st.SearchStrategy[army_objectives.Quest]) -> Seen:
    """Asks so many questions about tiny boards with armies."""
    seen: Seen = Counter()

    @examples(number)
    @given(questions)
    def one(question: army_objectives.Quest) -> None:
        assume(army_objectives.small_enough(question))
        ask(question, seen)

    one()
    return seen


def test_armies() -> None:
    assert armies(20, army_objectives.quests())["winning", 1]


# ---- thousands

Hunt = Callable[[int], Question]
HUNTS: dict[str, Hunt] = {
    "captures": quest,
    "helped captures": lambda seed: quest(seed, opponent="any", most_land=6),
    "player-turns": lambda seed: quest(seed, metric="turns"),
}


@pytest.mark.slow
@pytest.mark.parametrize("first", range(10_000, 10_800, 100))
@pytest.mark.parametrize("kind", HUNTS)
def test_hundreds_of_boards(kind: str, first: int) -> None:
    seen: Seen = Counter()
    for seed in range(first, first + 100):
        ask(HUNTS[kind](seed), seen)
    assert all(seen["winning", n] >= 10 for n in range(MANY + 1)), seen
    print(kind, first, sorted(seen.items(), key=str))


@pytest.mark.slow
def test_boards_with_armies_and_ships() -> None:
    assert armies(10, army_objectives.quests(sea=True))["winning", 0]
