"""Plans and reachability on random small maps against brute force that was written from the issue's words."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.local_z3 import local_sessions
from tests.fixtures.pace import BUSY, MORE, examples
from tests.oracles.captures import ANY, IDLE, Moment, Wish, World, fewest_captures, fewest_turns, passes_to
from tests.toys.small_maps import SmallMap, questions
from vclogic.query.answers import Step
from vclogic.query.plan.answer import Plan
from vclogic.query.plan.cheapest import plan
from vclogic.query.reach.answer import Reach
from vclogic.query.reach.by_steps import reach


def agrees(answer: Plan, best: int | None, *, may_be_unknown: bool) -> None:
    """Whether a plan says what is so."""
    match answer.status:
        case "optimal":
            assert answer.cost == answer.lower_bound == best
        case "feasible":
            assert best is not None
            assert answer.cost is not None
            assert answer.lower_bound is not None
            assert answer.lower_bound <= best <= answer.cost
        case "impossible":
            assert best is None
            assert answer.bound_by
        case "unknown":
            assert may_be_unknown
            assert answer.reason
            assert answer.lower_bound is None or best is None or answer.lower_bound <= best
    assert (answer.replayed is True) == (answer.cost is not None)


def played(m: SmallMap, wish: Wish, steps: tuple[Step, ...], *, in_turn: bool) -> None:
    """The steps of a plan, each legal and the goal true at the end by the brute force's own rules."""
    world, now = m.world, m.start
    begun = now
    this_turn: tuple[str, ...] = ()
    for step in steps:
        if step.action == "end_turn":
            now = begun = world.end_turn(now)
            this_turn = ()
            continue
        power, target = str(step.args["power"]), str(step.args["territory"])
        if in_turn:
            now = ended_up_to(world, now, step)
            if (begun.turn, begun.round) != (now.turn, now.round):
                begun, this_turn = now, ()
            this_turn = (*this_turn, target)
            assert world.in_one_turn(begun.owners, power, this_turn)
        base = begun if in_turn else now
        assert target in world.captures(base.owners, power, own_only=in_turn)
        owners = world.taken(now.owners, power, (target,))
        now = Moment(owners, now.turn, now.round, "none", now.won)
    if in_turn:
        assert passes_to(world, now, wish) is not None
    else:
        assert wish.met(world, now)


def ended_up_to(world: World, now: Moment, step: Step) -> Moment:
    """The moment after the turns that ended before the one in which a step is taken."""
    assert step.turn is not None
    while (now.round, now.turn) != (step.turn["round"], step.turn["turn"]):
        now = world.end_turn(now)
    return now


@examples(72, usual=8)
@given(questions(IDLE, most_land=7 if MORE else 5), st.none() | st.integers(0, 4))
def test_fewest_captures(question: tuple[SmallMap, str, Wish], within: int | None) -> None:
    m, side, wish = question
    best = fewest_captures(m.world, m.start, wish, side, IDLE, within)
    with local_sessions(5):
        answer = plan(m.ask(side, IDLE, within=within, wish=wish))
    agrees(answer, best, may_be_unknown=False)
    if answer.cost is not None:
        played(m, wish, answer.steps, in_turn=False)


@examples(36)
@given(questions(ANY, most_land=5), st.none() | st.integers(0, 4))
def test_fewest_captures_while_the_other_side_may_move_too(
    question: tuple[SmallMap, str, Wish], within: int | None
) -> None:
    m, side, wish = question
    best = fewest_captures(m.world, m.start, wish, side, ANY, within)
    with local_sessions(5):
        answer = plan(m.ask(side, ANY, within=within, timeout=3 + BUSY, wish=wish))
    agrees(answer, best, may_be_unknown=within is None)
    if answer.cost is not None:
        played(m, wish, answer.steps, in_turn=False)


@examples(36)
@given(questions(IDLE, most_land=5), st.none() | st.integers(0, 3))
def test_fewest_turns(question: tuple[SmallMap, str, Wish], within: int | None) -> None:
    m, side, wish = question
    best = fewest_turns(m.world, m.start, wish, side, IDLE, within)
    with local_sessions(5):
        answer = plan(m.ask(side, IDLE, "turns", within, timeout=3 + BUSY, wish=wish))
    agrees(answer, best, may_be_unknown=within is None)
    if answer.cost is not None and not wish.timed:
        played(m, wish, answer.steps, in_turn=True)


@examples(18)
@given(questions(ANY, most_land=4), st.integers(0, 3))
def test_fewest_turns_while_the_other_side_may_move_too(question: tuple[SmallMap, str, Wish], within: int) -> None:
    m, side, wish = question
    best = fewest_turns(m.world, m.start, wish, side, ANY, within)
    with local_sessions(5):
        answer = plan(m.ask(side, ANY, "turns", within, timeout=10 + BUSY, wish=wish))
    agrees(answer, best, may_be_unknown=False)


@examples(36)
@given(questions(ANY, most_land=5), st.booleans())
def test_reach(question: tuple[SmallMap, str, Wish], everybody: bool) -> None:
    m, side, wish = question
    who = None if everybody else side
    opponent = ANY if everybody else IDLE
    best = fewest_captures(m.world, m.start, wish, who, opponent)
    with local_sessions(5):
        answer: Reach = reach(m.ask(who, opponent, timeout=3 + BUSY, wish=wish))
    if answer.status == "reachable":
        assert best is not None
        assert answer.replayed
        played(m, wish, answer.steps, in_turn=False)
    elif answer.status == "unreachable":
        assert best is None
        assert answer.proof is not None
        assert answer.proof.rechecked or answer.proof.method == "bounded"
    else:
        assert everybody
