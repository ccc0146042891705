"""The least expected losses on tiny random boards against brute force over all sets of orders, in exact fractions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st
from vclogic_encodings.axis_allies.armies.bounds import NEVER, bound
from vclogic_encodings.axis_allies.board import Board, Territory
from vclogic_encodings.axis_allies.encoding import ENCODING

from tests.fixtures.efforts import effort
from tests.fixtures.local_highs import local_highs
from tests.fixtures.local_z3 import local_sessions
from tests.fixtures.pace import BUSY, examples
from tests.oracles.armies import Aim, TooLarge, War
from tests.oracles.army_plans import LOSSES, VALUE, Dice, Wishes, best_costs, least
from tests.query.plan.test_armies import held, joined
from tests.toys.army_boards import SIDES, boards, landing_boards
from tests.toys.odd_boards import built
from vclogic import load
from vclogic.errors import InputError
from vclogic.game import Game
from vclogic.model.system import IDLE, System
from vclogic.query.plan.answer import Maximum, Plan
from vclogic.query.plan.cheapest import plan
from vclogic.query.plan.maximize import maximize
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.solve.strategy import NO_LIMIT
from vclogic.terms.expressions.compiled import Goal
from vclogic.terms.expressions.resolve import compile_goal, compile_value

MOST = 1_500
"""Sets of orders that the brute force tries."""
IDLERS = built(
    ("Germans", "Russians"),
    {
        "A": Territory("land", "Germans", units={"Germans": {"fighter": 1}}),
        "B": Territory("land", "Russians"),
    },
    [("A", "B")],
    "Russians",
)
"""The Germans have nobody who can take anything."""


@dataclass(frozen=True)
class Question:
    """A board with armies, and what is to be taken there at the least expected losses."""

    board: Board
    aim: Aim
    side: str
    first: str
    within: int
    wishes: Wishes
    war: War
    best: Fraction | None

    @cached_property
    def system(self) -> System:
        """The encoding's system."""
        chosen = {"theatre": "full" if self.war.full else "land", "min_odds": self.wishes.min_odds}
        return ENCODING.build(self.board, ENCODING.settings({"level": "armies", **chosen}))

    def answer(self, timeout: float = 8.0 + BUSY) -> Plan:
        """The answer of vclogic."""
        system = self.system
        values = dict(system.initial) | {system.layout.by_name["turn"]: self.first}
        state = system.layout.state(system.completed(values))
        metric = system.metric(self.wishes.metric)
        assert metric
        ask = ResolvedQuestion("tiny", system, state, (), self.side, IDLE, metric, effort(timeout), self.within)
        goal = compile_goal(self.aim.text, system.vocabulary).term
        with local_sessions(timeout), local_highs():
            return plan(replace(ask, goal=Goal(self.aim.text, goal)))


@st.composite
def questions(draw: st.DrawFn, *, sea: bool) -> Question:
    """A board, what is asked of battles, and what is to be taken: lands of the enemy."""
    landing = sea and draw(st.booleans())
    board = draw(landing_boards() if landing else boards(sea=sea))
    if not sea:  # artillery supports infantry only in the full theatre
        alone = {n: replace(u, supports_infantry=False) for n, u in board.unit_types.items()}
        board = replace(board, unit_types=alone)
    side = "Axis" if landing else draw(st.sampled_from(SIDES))
    first = "Germans" if landing else draw(st.sampled_from(board.turn_order))
    wishes = Wishes(draw(st.sampled_from((0, 50, 80))), draw(st.sampled_from((LOSSES, VALUE))))
    within = draw(st.sampled_from((1, 1, 2)))
    war = War(board, sea, most=MOST)
    try:
        found = best_costs(war, wishes, Dice(war), side, first, within)
    except TooLarge:
        assume(False)
        raise
    dear = sorted(found, key=lambda k: (-found[k], k))
    assume(found[dear[0]])
    owners = draw(st.sampled_from([k for k in dear if found[k]][:4]))[0]
    new = [t for t, p in zip(board.land, owners, strict=True) if p != board.territories[t].owner]
    assume(new)
    more = draw(st.lists(st.sampled_from(board.land), max_size=1)) if draw(st.integers(0, 3)) == 0 else []
    aim = joined([held(board, side, t) for t in (*new, *more)])
    return Question(board, aim, side, first, within, wishes, war, least(war, found, aim))


@pytest.mark.parametrize("sea", [False, True])
def test_least_losses(sea: bool) -> None:
    @examples(24)
    @given(questions(sea=sea))
    def one(question: Question) -> None:
        best, answer = question.best, question.answer()
        event(answer.status if best or best is None else "for nothing")
        assert answer.status == ("impossible" if best is None else "optimal"), answer.reason
        if best is not None:
            assert answer.replayed
            assert answer.cost is not None
            parts = best * (answer.scale or 1)
            battles = question.within * len(question.board.territories)
            assert abs(answer.cost - parts) <= Fraction(battles, 2)  # each battle is rounded by itself

    one()


def test_the_largest_value_is_proved_where_nothing_more_can_be_had() -> None:
    system = ENCODING.build(IDLERS, ENCODING.settings({"level": "armies"}))
    state = system.layout.state(system.completed(dict(system.initial)))
    metric = system.metric(LOSSES)
    assert metric
    ask = ResolvedQuestion("tiny", system, state, (), "Axis", IDLE, metric, effort(8.0 + BUSY), 1)
    with local_highs():
        value = compile_value("territories(Axis)", system.vocabulary).partial
        found = maximize(replace(ask, goal=Goal("territories", value.defined)), value)
    assert (found.status, found.cost, found.maximum) == ("optimal", 0, Maximum("territories", 1, 1))


@examples(60)
@given(st.data())
def test_a_bound_is_exact_at_its_point_and_nowhere_above(data: st.DataObject) -> None:
    import numpy as np

    shape = tuple(data.draw(st.lists(st.integers(1, 4), min_size=1, max_size=3)))
    entry = st.one_of(st.integers(0, 50), st.integers(0, 50), st.just(NEVER))
    size = int(np.prod(shape))
    table = np.array(data.draw(st.lists(entry, min_size=size, max_size=size))).reshape(shape)
    there = [tuple(map(int, p)) for p in np.argwhere(table < NEVER)]
    assume(there)
    point = data.draw(st.sampled_from(there))
    found = bound(table, point, up_first=data.draw(st.booleans()), most=data.draw(st.sampled_from((0, 20, 1000))))
    assert found.at(point) == table[point]
    assert all(found.at(p) <= table[p] for p in there)


# ---- as users ask


def game(**chosen: int | str) -> Game:
    return load("axis_allies", settings={"level": "armies", "theatre": "land", **chosen})


def test_what_metrics_of_losses_are_not_for() -> None:
    armies = game()
    with pytest.raises(InputError, match="the metric losses is for idle opponents alone"):
        armies.plan("vcp(Axis) >= 31", side="Axis", minimize="losses", opponent="helps")
    with pytest.raises(InputError, match="the metric losses is for idle opponents alone"):
        armies.force("vcp(Axis) >= 31", side="Axis", minimize="losses", within=1)
    with pytest.raises(InputError, match="the metric value-lost is not for purchases=on"):
        game(purchases="on").plan("vcp(Axis) >= 31", side="Axis", minimize="value-lost", within=1)
    unlimited = armies.plan("vcp(Axis) >= 31", side="Axis", minimize="losses")
    assert (unlimited.status, unlimited.reason) == ("unknown", NO_LIMIT)


@pytest.mark.parametrize(
    ("metric", "scale"), [pytest.param(LOSSES, 1000, marks=pytest.mark.slow), pytest.param(VALUE, 100)]
)
def test_the_price_of_a_plan_is_what_the_dice_say_of_its_battles(metric: str, scale: int) -> None:
    armies = game(min_odds=60)
    answer = armies.plan("vcp(Axis) >= 31", side="Axis", minimize=metric, within=1)
    assert (answer.status, answer.scale, answer.replayed) == ("optimal", scale, True)
    assert answer.battles is not None
    lost = [b.losses if metric == LOSSES else b.value_lost for b in answer.battles.fought]
    assert answer.cost == sum(round((n or 0) * scale) for n in lost) > 0
