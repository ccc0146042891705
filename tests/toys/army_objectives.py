"""Objectives on tiny boards with armies, and what sides can do there by brute force (`tests/oracles/armies.py`)."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, ClassVar

from hypothesis import assume
from hypothesis import strategies as st
from vclogic_encodings.axis_allies.board import Board
from vclogic_encodings.axis_allies.encoding import ENCODING

from tests.fixtures.efforts import effort
from tests.oracles.armies import Aim, Position, TooLarge, Turn, War
from tests.oracles.objectives import NOTHING, Move, Play, plans
from tests.toys.army_boards import SIDES, boards
from tests.toys.planners import planner_on
from vclogic.model.fluents import State
from vclogic.model.objectives import Objective
from vclogic.model.system import IDLE, System
from vclogic.query.plan.answer import OnePlan
from vclogic.query.planner.planner import Planner
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.terms.expressions.resolve import compile_goal

MOST = 400
"""Sets of orders of a turn that the brute force tries."""
ANYTHING = Aim("", lambda o, e: True)
Place = tuple[Position, int]
"""A position, and the number of the power on turn."""


@dataclass(frozen=True)
class Prize:
    """A land as an objective."""

    name: str
    main: bool
    held: Mapping[str, str]


@dataclass(frozen=True)
class Quest:
    """A question about the objectives of a board with armies.

    Attributes:
        war: The board and the rules in use.
        chosen: The options.
        side: The side that plans.
        first: Whose turn it is.
        aim: The goal.
        fear: The enemy's goal.
        prizes: The objectives.
        within: The most rounds.
    """

    war: War
    chosen: Mapping[str, int | str]
    side: str
    first: str
    aim: Aim
    fear: Aim
    prizes: tuple[Prize, ...]
    within: int | None
    _turns: dict[tuple[Position, str], list[tuple[Position, int]]] = field(
        default_factory=dict, compare=False, repr=False
    )

    opponent: ClassVar[str] = IDLE
    sides: ClassVar[tuple[str, ...]] = SIDES
    defends: ClassVar[bool] = True

    @property
    def enemies(self) -> tuple[str, ...]:
        """The other side."""
        return tuple(s for s in SIDES if s != self.side)

    @property
    def asked(self) -> Mapping[str, Any]:
        """The question as `Planner.objectives` takes it."""
        return {
            "goal": self.aim.text,
            "keep": None,
            "require": (),
            "avoid": (),
            "threat": self.fear.text,
            "within": self.within,
        }

    # ---- for vclogic

    def system(self) -> System:
        """The rule set."""
        system = ENCODING.build(self.war.board, ENCODING.settings({"level": "armies", **self.chosen}))
        held = {p.name: {s: compile_goal(t, system.vocabulary).term for s, t in p.held.items()} for p in self.prizes}
        object.__setattr__(
            system, "objectives", tuple(Objective(p.name, "land", held[p.name], main=p.main) for p in self.prizes)
        )
        return system

    def state(self, system: System) -> State:
        """The start."""
        values = dict(system.initial) | {system.layout.by_name["turn"]: self.first}
        return system.layout.state(system.completed(values))

    def planner(self) -> Planner:
        """A planner of the side."""
        system = self.system()
        return planner_on(system, self.state(system), self.side, "moves")

    def ask(self) -> ResolvedQuestion:
        """The question as engines take it."""
        system = self.system()
        metric = system.metric("moves")
        assert metric
        return ResolvedQuestion(
            "tiny", system, self.state(system), (), self.side, IDLE, metric, effort(), self.within
        )

    @staticmethod
    def done(plan: OnePlan) -> list[Hashable]:
        """The lands that are taken in each player-turn."""
        assert plan.record.events is not None, plan.record.reason
        turns: list[set[str]] = [set()]
        for event in plan.record.events:
            if event.name == "end_turn":
                turns.append(set())
            if event.name == "capture":
                turns[-1].add(str(dict(event.args)["territory"]))
        return [*map(frozenset, turns)]

    # ---- by brute force

    def play(self, start: Place | None = None) -> Play[Place]:
        """What the side can do."""
        return self._play(self.side, self.aim, start or self.start)

    def free(self) -> Play[Place]:
        """What the side can do in the turn that it has now."""
        play = self.play()
        power = self.war.board.turn_order[play.start[1]]
        mine = self.war.side(power) == self.side
        return replace(play, moves=lambda at: play.moves(at) if mine and at == play.start else ())

    def feared(self, enemy: str, start: Place) -> Play[Place]:
        """What the enemy can do while the side is idle."""
        return self._play(enemy, self.fear, start)

    def has(self, side: str, name: str, place: Place) -> bool:
        """Whether a side has a land."""
        return self.war.side(place[0].owners[self.war.board.land.index(name)]) == side

    @staticmethod
    def without(name: str) -> None:
        """Nothing is known of what happens if a land is lost."""

    @property
    def start(self) -> Place:
        """Where it begins."""
        return self.war.start(), self.war.board.turn_order.index(self.first)

    def _play(self, side: str, aim: Aim, start: Place) -> Play[Place]:
        board = self.war.board

        def met(at: Place) -> bool:
            return aim.met(dict(zip(board.land, at[0].owners, strict=True)), "none")

        held = {p.name: lambda at, n=p.name: self.has(side, n, at) for p in self.prizes if side in p.held}
        main = frozenset(p.name for p in self.prizes if p.main)
        return Play(start, lambda at: self._moves(side, at, start[1]), met, held, main)

    def _moves(self, side: str, at: Place, begin: int) -> Iterator[Move[Place]]:
        """The turn of the power on turn; the first of each round counts."""
        position, place = at
        power = self.war.board.turn_order[place]
        following, counts = (place + 1) % len(self.war.board.turn_order), place == begin
        if self.war.side(power) != side:
            yield Move((position, following), 0, counts, what=NOTHING)
            return
        key = (position, power)
        if key not in self._turns:
            found: dict[Position, int] = {}
            for after, cost in Turn(self.war, position, power).results(count(1)):
                found[after] = min(cost, found.get(after, cost))
            self._turns[key] = list(found.items())
        for after, cost in self._turns[key]:
            lands = zip(self.war.board.land, position.owners, after.owners, strict=True)
            taken = frozenset(t for t, before, now in lands if before != now)
            yield Move((after, following), cost, counts, what=taken)


# ---- random ones


@st.composite
def quests(draw: st.DrawFn, *, sea: bool = False) -> Quest:
    """Questions about tiny boards with armies."""
    board = draw(boards(sea=sea))
    losses = draw(st.sampled_from(("none", "defence")))
    war = War(board, sea, True, 1, losses == "defence", MOST)
    side = draw(st.sampled_from(SIDES))
    enemy = SIDES[1 - SIDES.index(side)]
    chosen = {"theatre": "full" if sea else "land", "losses": losses}
    main = {t: draw(st.integers(0, 5)) > 0 for t in board.land}
    some = tuple(Prize(t, main[t], {s: f"controls({s}, {t})" for s in SIDES}) for t in board.land)
    found = Quest(
        war,
        chosen,
        side,
        draw(st.sampled_from(board.turn_order)),
        ANYTHING,
        draw(_aims(board, enemy, 2)),
        some,
        draw(st.sampled_from((1, 1, 2))),
    )
    try:
        can = plans(found.play(), found.within or 1)
    except TooLarge:
        assume(False)
    most = max(len(taken) for taken, _ in can.costs)
    assume(most or draw(st.integers(0, 5)) == 0)
    return replace(found, aim=draw(_aims(board, side, most)))


def small_enough(q: Quest) -> bool:
    """Whether brute force can look at all plans, also those that leave no limit."""
    try:
        plans(q.play(), q.within)
        plans(q.feared(q.enemies[0], q.start), q.within or 2)
    except TooLarge:
        return False
    return True


@st.composite
def _aims(draw: st.DrawFn, board: Board, side: str, most: int) -> Aim:
    """Lands that a side is to have; so many more than now can be had."""
    sides = {p: x.side for p, x in board.powers.items()}
    have = sum(sides[str(board.territories[t].owner)] == side for t in board.land)
    if draw(st.integers(0, 2)):
        least = have + draw(st.integers(1, max(most, 1)))
        return Aim(f"territories({side}) >= {least}", lambda o, e: sum(sides[p] == side for p in o.values()) >= least)
    theirs = [t for t in board.land if sides[str(board.territories[t].owner)] != side] or board.land
    some = draw(st.lists(st.sampled_from(theirs), min_size=1, max_size=2, unique=True))
    word, quantifier = draw(st.sampled_from((("and", all), ("or", any))))
    text = f" {word} ".join(f"controls({side}, {t})" for t in some)
    return Aim(text, lambda o, e: quantifier(sides[o[t]] == side for t in some))
