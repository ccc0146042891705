"""Ten questions of players about the 1942 board with two captures in a turn, and their answers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import vclogic_encodings.axis_allies.board as axis_allies
import yaml
from pydantic import TypeAdapter

from tests.oracles.adversary import Play, Taken, Want
from tests.oracles.captures import Moment, Owners, Wish, World
from tests.oracles.wide_captures import At, Wide
from tests.oracles.wide_captures import Want as WideWant
from tests.toys.small_maps import world_of

GAME, SETTINGS = "axis_allies/revised-1942", {"captures_per_turn": 2}
LONDON, MOSCOW, BERLIN, TOKYO = "United Kingdom", "Russia", "Germany", "Japan"
LENINGRAD, CALCUTTA, SYDNEY = "Karelia S.S.R.", "India", "Australia"


@dataclass(frozen=True)
class Question:
    """What a side may want, or fear.

    Attributes:
        name: What it is about.
        side: The side that wants the goal, or that the threat comes from.
        within: In how many of its player-turns.
        answer: `forced` or `refuted`; of a threat with how few captures it is prevented now, None if it cannot be.
        lands: The territories that the side is to control.
        points: The victory city points that it is to have.
        turn: Whose turn it is to be then; None: anybody's.
        passed: How many player-turns have ended without a capture before.
        all_of: Where whoever is on turn gets its way by some turns only: what all of these capture.
    """

    name: str
    side: str
    within: int
    answer: str | int | None
    lands: tuple[str, ...] = ()
    points: int = 0
    turn: str | None = None
    passed: int = 0
    all_of: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.name

    @property
    def threat(self) -> bool:
        """Whether it is asked what the other side can do against it."""
        return self.answer not in ("forced", "refuted")

    @property
    def goal(self) -> str:
        """The goal."""
        parts = [f'controls({self.side}, "{t}")' for t in self.lands]
        parts += [f"vcp({self.side}) >= {self.points}"] if self.points else []
        return " and ".join([*parts, f"turn == {self.turn}"] if self.turn else parts)

    def want(self, wide: Wide) -> WideWant:
        """The same for the brute force."""
        world = wide.world
        cities = {wide.bit[t]: n for t, n in world.points.items() if n}
        lands, turn = wide.lands(self.lands), self.turn and world.order.index(self.turn)

        def met(at: At) -> bool:
            mine = wide.controlled(at.held, self.side)
            if mine & lands != lands or turn not in (None, at.turn):
                return False
            return not self.points or sum(n for t, n in cities.items() if mine & t) >= self.points

        return WideWant(wide, self.side, met, timed=turn is not None)

    def start(self, wide: Wide) -> At:
        """Where it is asked."""
        at = wide.start(_start())
        for _ in range(self.passed):
            at = wide.after(at, 0)
        return at


QUESTIONS = (
    # the Axis, after whatever the Russians do first
    Question("London falls", "Axis", 1, "forced", (LONDON,)),
    Question("Moscow falls", "Axis", 2, "refuted", (MOSCOW,), all_of=("West Russia",)),
    Question("Leningrad is held until Japanese turn", "Axis", 1, "forced", (LENINGRAD,), turn="Japanese"),
    Question("the Axis gain a point", "Axis", 2, "refuted", points=27, all_of=(BERLIN, TOKYO)),
    Question("Calcutta and Sydney fall", "Axis", 2, "forced", (CALCUTTA, SYDNEY)),
    # the Allies, from the start or after the Russians have passed
    Question(
        "Tokyo is held until the British turn", "Allies", 1, "forced", (TOKYO,), turn="British", all_of=(TOKYO,)
    ),
    Question("the Allies have 50 points, enough for Major Victory", "Allies", 2, "refuted", points=50),
    Question("Berlin falls", "Allies", 1, "refuted", (BERLIN,), passed=1, all_of=(LONDON,)),
    Question("the Allies have 40 points", "Allies", 2, "forced", points=40, passed=1),
    Question("the Axis are kept below 33 points", "Axis", 2, 1, points=33),
    # beyond the ten: a threat against which there is no defence
    Question("Tokyo cannot be saved", "Allies", 2, None, (TOKYO,), passed=1),
)


@cache
def board() -> Wide:
    """The 1942 board."""
    return Wide(world_of(read_board(), SETTINGS, 0))


@cache
def read_board() -> axis_allies.Board:
    text = Path(axis_allies.__file__).with_name("board.yaml").read_text()
    return TypeAdapter(axis_allies.Board).validate_python(yaml.safe_load(text))


def _start() -> Moment:
    territories = read_board().territories
    return Moment(tuple(str(territories[t].owner) for t in board().world.land), read_board().turn_order[0], 1)


class WidePlay(Play):
    """The player-turns of the brute force on the 1942 board, found fast."""

    def choices(self, owners: Owners, power: str) -> tuple[Taken, ...]:
        """All that a power can capture in its turn."""
        wide, place = board(), self.world.order.index(power)
        held = wide.start(Moment(owners, power, 1)).held
        return tuple(wide.names(some) for some in wide.choices(held, place))


def start_of(question: Question) -> Moment:
    """The moment at which a question is asked."""
    at = _start()
    for _ in range(question.passed):
        at = board().world.end_turn(at)
    return at


def want_of(question: Question) -> Want:
    """What the side wants, for players of strategies."""
    wide = board()
    met = question.want(wide).met

    def holds(world: World, at: Moment) -> bool:
        return met(wide.start(at))

    return Want(WidePlay(wide.world), Wish(question.goal, holds, timed=question.turn is not None), question.side)
