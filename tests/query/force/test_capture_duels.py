"""What a side can force by captures on random small boards, and what stops it, against brute force over all turns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from tests.fixtures.local_z3 import local_sessions
from tests.fixtures.pace import MORE
from tests.oracles.adversary import Play, Taken, Want
from tests.oracles.captures import ANY, IDLE, Wish, fewest_turns
from tests.oracles.strategies import Player, captured
from tests.oracles.wide_captures import At, Wide
from tests.oracles.wide_captures import Want as WideWant
from tests.toys.capture_duels import Duel, duel
from vclogic.model.fluents import Value
from vclogic.query.force.by_turns import defend, force
from vclogic.query.force.survives import survives
from vclogic.query.plan.answer import Plan
from vclogic.query.plan.cheapest import plan
from vclogic.terms.expressions.compiled import Goal

SECONDS = 60
"""No question takes as long on an idle machine; what is not decided by then is a failure."""
Answer = str | int | None


def want_of(d: Duel) -> Want:
    """What the side wants, for the brute force."""
    return Want(Play(d.m.world), d.wish, d.side)


def sample(number: int, kinds: int, answer: Callable[[Duel], Answer], duels: Iterator[Duel]) -> list[Duel]:
    """So many duels, in which the brute force gives each kind of answer about equally often."""
    found: list[Duel] = []
    often: Counter[Answer] = Counter()
    for d in duels:
        kind = answer(d)
        if often[kind] * kinds < number:
            often[kind] += 1
            found.append(d)
        if len(found) == number:
            break
    assert len(often) == kinds
    assert all(5 * n >= number for n in often.values())
    return found


# ---- forced and refuted


def fewest_to_force(d: Duel) -> int | None:
    """Within how few turns the goal is forced; None if it is not."""
    want = want_of(d)
    return next((k for k in range(d.within + 1) if want.forced(d.m.start, k)), None)


def check_force(d: Duel) -> None:
    """Whether a goal is forced is what brute force says, and its strategy or refutation works against all replies."""
    fewest = fewest_to_force(d)
    with local_sessions(SECONDS):
        answer = force(d.m.ask(d.side, ANY, "turns", d.within, SECONDS, wish=d.wish))
    assert (answer.status, answer.turns) == ("refuted" if fewest is None else "forced", fewest), d.seed
    if answer.checked is not None:
        assert answer.checked.recorded > 0, "lines are played as records"
        assert answer.checked.refused == 0, "in this planning model turns are records"
    side, cases = (d.other, answer.refutation) if fewest is None else (d.side, answer.strategy)
    Player(d.m, want_of(d), side).play(d.m.start, d.within if fewest is None else fewest, cases)


def test_what_is_forced_and_refuted_is_so_by_brute_force_and_played_against_all_replies() -> None:
    some = map(duel, range(1_000))
    for d in sample(24 if MORE else 8, 2, lambda d: "refuted" if fewest_to_force(d) is None else "forced", some):
        check_force(d)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 2_000, 100))
def test_what_is_forced_and_refuted_in_many_games(first: int) -> None:
    for seed in range(first, first + 100):
        check_force(duel(seed, most_within=3 if seed % 10 == 0 else 2))


# ---- defended and lost


def threats(number: int) -> Iterator[Duel]:
    """Duels in which the side that does not want the goal is on turn."""
    for d in map(duel, range(number)):
        if d.m.world.side_of[d.m.start.turn] == d.other:
            yield d


def fewest_to_defend(d: Duel) -> int | None:
    """With how few captures the threat is prevented; None if it cannot be."""
    return want_of(d).fewest(d.m.start, d.within, idle=False)


def check_defend(d: Duel) -> None:
    """The fewest captures that prevent a threat are those of brute force, and it is prevented against all replies."""
    fewest = fewest_to_defend(d)
    with local_sessions(SECONDS):
        answer = defend(d.m.ask(d.other, ANY, "turns", d.within, SECONDS, wish=d.wish))
    assert (answer.status, answer.moves) == ("lost" if fewest is None else "defended", fewest), d.seed
    if fewest is None:
        Player(d.m, want_of(d), d.side).play_on(d.m.start, d.within, answer.attack)
    else:
        assert len(captured(answer.defence[0].turns[0]) if answer.defence else ()) == fewest
        Player(d.m, want_of(d), d.other).play_on(d.m.start, d.within, answer.defence)


def test_the_fewest_captures_that_prevent_a_threat() -> None:
    def kind(d: Duel) -> Answer:
        fewest = fewest_to_defend(d)
        return fewest and min(fewest, 1)

    for d in sample(15 if MORE else 6, 3, kind, threats(2_000)):
        check_defend(d)


def come_about(number: int) -> Iterator[Duel]:
    """Duels in which what the side wants has just come about, and the other side is on turn."""
    for d in map(duel, range(number)):
        dice, want, at = Random(d.seed), want_of(d), d.m.start
        for _ in range(8):
            if want.met(at) and want.play.side(at) == d.other:
                yield replace(d, m=replace(d.m, start=at))
                break
            at = dice.choice(list(want.play.follow(at)))[1]


def check_undoing(d: Duel) -> None:
    """A threat that holds already is prevented as brute force says, by the turn that the briefing gives too."""
    check_defend(d)
    check_defend_and_idle(d)
    fewest = want_of(d).fewest(d.m.start, d.within, idle=True)
    with local_sessions(SECONDS):
        ask = d.m.ask(d.other, ANY, "turns", d.within, SECONDS, wish=d.wish)
        stop = defend(ask, idle=True, briefly=True)
        here = force(d.m.ask(d.side, ANY, "turns", d.within, SECONDS, wish=d.wish))
    assert (stop.status, stop.moves) == ("lost" if fewest is None else "defended", fewest), d.seed
    assert (here.status, here.turns) == ("forced", 0), "it holds now"


def test_a_threat_that_holds_already_is_prevented_by_a_turn_that_undoes_it() -> None:
    for d in sample(8 if MORE else 4, 2, lambda d: str(fewest_to_defend(d) is None), come_about(400)):
        check_undoing(d)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 120, 40))
def test_threats_that_hold_already_in_many_games(first: int) -> None:
    for d in islice(come_about(2_000), first, first + 40):
        check_undoing(d)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 2_000, 100))
def test_the_fewest_captures_that_prevent_a_threat_in_many_games(first: int) -> None:
    for d in on_turn_to_defend(first):
        check_defend(d)


def on_turn_to_defend(first: int) -> Iterator[Duel]:
    """The duels of a hundred seeds in which the side that defends is on turn."""
    found = map(duel, range(first, first + 100))
    return (d for d in found if d.m.world.side_of[d.m.start.turn] == d.other)


def check_defend_and_idle(d: Duel) -> None:
    """The same where the side does nothing in its later turns: afterwards there is no plan for the threat."""
    fewest = want_of(d).fewest(d.m.start, d.within, idle=True)
    with local_sessions(SECONDS):
        ask = d.m.ask(d.other, ANY, "turns", d.within, SECONDS)
        answer = defend(replace(ask, goal=Goal(d.wish.text, d.m.term(d.wish))), idle=True)
    assert (answer.status, answer.moves) == ("lost" if fewest is None else "defended", fewest), d.seed


@pytest.mark.parametrize("seed", [21, 64, 70, 87])
def test_an_idle_defender_passes_with_its_next_power_too(seed: int) -> None:
    """Two powers of the defender are on turn one after the other: only the first of these turns is the defence."""
    check_defend_and_idle(duel(seed))


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 1_000, 100))
def test_the_fewest_captures_of_an_idle_defender_in_many_games(first: int) -> None:
    for d in on_turn_to_defend(first):
        check_defend_and_idle(d)


# ---- plans that survive and are stopped


def plan_of(d: Duel) -> Plan | None:
    """A plan for the goal that counts on an idle opponent; None if there is none."""
    if not want_of(d).planned(d.m.start, d.within):
        return None
    with local_sessions(SECONDS):
        found = plan(d.m.ask(d.side, IDLE, "turns", d.within, SECONDS, wish=d.wish))
    assert found.cost is not None
    return found


def turns_of(d: Duel, found: Plan) -> list[Taken]:
    """What a plan captures in each turn of its side."""
    turns: dict[tuple[Value, ...], list[str]] = {}
    for step in found.steps:
        if step.turn and d.m.world.side_of[str(step.turn["turn"])] == d.side:
            turns.setdefault(tuple(step.turn.values()), [])
            if step.action == "capture":
                turns[tuple(step.turn.values())].append(str(step.args["territory"]))
    return [tuple(some) for some in turns.values()]


def strongest(d: Duel, found: Plan) -> tuple[str, int | None]:
    """Whether a plan survives, after how many turns at most; or which of its turns a reply can make illegal first."""
    endings = list(want_of(d).endings(d.m.start, turns_of(d, found)))
    failed = [e.turn for e in endings if not e.came]
    if failed:
        return "stopped", min((t for t in failed if t is not None), default=None)
    return "survives", max(e.turn or 0 for e in endings)


def check_survives(d: Duel, found: Plan) -> None:
    """What the strongest reply to a plan does is what brute force says."""
    status, turn = strongest(d, found)
    with local_sessions(SECONDS):
        answer = survives(d.m.ask(d.side, ANY, "turns", None, SECONDS, wish=d.wish), found.steps)
    assert answer.status == status, d.seed
    assert (answer.latest if status == "survives" else answer.stopped_at) == turn, d.seed


def test_what_the_strongest_reply_does_to_a_plan() -> None:
    plans: dict[int, Plan] = {}

    def planned() -> Iterator[Duel]:
        for d in map(duel, range(1_000)):
            found = plan_of(d)
            if found is not None:
                plans[d.seed] = found
                yield d

    for d in sample(12 if MORE else 6, 2, lambda d: strongest(d, plans[d.seed])[0], planned()):
        check_survives(d, plans[d.seed])


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 1_000, 100))
def test_what_the_strongest_reply_does_to_many_plans(first: int) -> None:
    for seed in range(first, first + 100):
        d = duel(seed)
        found = plan_of(d)
        if found is not None:
            check_survives(d, found)


# ---- the brute force itself


def test_the_brute_force_agrees_with_itself_and_with_that_of_plans() -> None:
    for seed in range(60):
        d = duel(seed)
        want, world, start = Want(Play(d.m.world), d.wish, d.side), d.m.world, d.m.start
        fewest = fewest_turns(world, start, d.wish, d.side, IDLE, d.within)
        assert want.planned(start, d.within) == (fewest is not None)
        assert want.planned(start, d.within) or not want.forced(start, d.within)
        assert want.forced(start, d.within + 1) or not want.forced(start, d.within)


def test_the_brute_force_for_large_boards_agrees_with_the_other_one() -> None:
    for seed in range(60):
        d = duel(seed)
        both_agree(d, None)
        both_agree(d, d.m.world.order[0])


def both_agree(d: Duel, turn: str | None) -> None:
    """Both say the same of a goal: to control the first two lands, and perhaps that it is some power's turn."""
    world, start, land = d.m.world, d.m.start, set(d.m.world.land[:2])
    wide, play, timed = Wide(world), Play(world), turn is not None
    at, bits = wide.start(start), wide.lands(land)
    assert {wide.names(some) for some in wide.choices(at.held, at.turn)} == {
        tuple(t for t in world.land if t in some) for some in play.choices(start.owners, start.turn)
    }
    wish = Wish("", lambda w, m: land <= w.lands(m.owners, d.side) and turn in (None, m.turn), timed)

    def met(a: At) -> bool:
        return not bits & ~wide.controlled(a.held, d.side) and turn in (None, world.order[a.turn])

    forced = WideWant(wide, d.side, met, timed).forced(at, d.within)
    assert forced == Want(play, wish, d.side).forced(start, d.within)
    planned = WideWant(wide, d.side, met, timed, idle=True).forced(at, d.within)
    assert planned == Want(play, wish, d.side).planned(start, d.within)
