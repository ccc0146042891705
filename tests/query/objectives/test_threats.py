"""What enemies want, and what stops them: as brute force says, in every run the same, and within the time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from tests.fixtures.efforts import effort
from tests.fixtures.games import loaded
from tests.fixtures.pace import examples, seeds
from tests.oracles import adversary
from tests.oracles.briefings import MANY, walked
from tests.oracles.objectives import Play, Threat, fewest_to_stop
from tests.toys import sided_systems
from tests.toys.capture_duels import at_least, duel
from tests.toys.capture_objectives import Quest, quest
from vclogic.clock import TIME_UP, Deadline
from vclogic.errors import InputError
from vclogic.model.system import ANY, IDLE
from vclogic.query.force.turns import Turns
from vclogic.query.objectives.answer import Stop
from vclogic.query.objectives.request import ObjectivesQuestion
from vclogic.query.objectives.threats import by_moves, menaces, stopping, threats, turns_within
from vclogic.query.plan.cheapest import plan
from vclogic.query.planner.cache import Built
from vclogic.query.planner.planner import Planner
from vclogic.query.replay import state_after
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.terms.expressions.compiled import Goal

LONG, SHORT = 60.0, 3.0


def stop_of(
    q: Quest | sided_systems.Quest, enemy: str, within: int, built: Built | None = None, seconds: float = LONG
) -> Stop:
    """What stops an enemy within so many steps."""
    ask = replace(q.ask(), within=within, opponent=IDLE)
    fear = q.asked["threat"]
    wants = next(w for w in menaces(ask.system, q.side, fear) if w.side == enemy)
    asked = ObjectivesQuestion(replace(ask, side=enemy, goal=wants.goal), 100)
    found = by_moves(built or Built(ask.system, ask.metric, IDLE), ask, asked, Deadline(seconds))
    assert found is not None
    return found


def agrees(
    q: Quest | sided_systems.Quest, enemy: str, within: int, seen: Counter[object], seconds: float = LONG
) -> None:
    """What stops an enemy costs what brute force says, and stops it; in so many seconds it may be left open."""
    alone = replace(q, opponent=IDLE)
    found = stop_of(alone, enemy, within, seconds=seconds)
    feared: Threat[Any] = Threat(lambda place: alone.feared(enemy, place), within)
    own: Play[Any] = alone.free()
    best = fewest_to_stop(own, feared)
    if seconds < LONG and found.cost.status in ("unknown", "feasible"):
        assert best is None or (found.cost.lower_bound or 0) <= best <= (found.cost.cost or best)
        assert found.reason or found.cost.reason
        return
    assert (found.status, found.cost.cost) == ("lost" if best is None else "stopped", best), found
    assert found.cost.status == ("impossible" if best is None else "optimal")
    assert (found.plan is None) == (best is None)
    if found.plan is not None:
        assert found.bound_by
        walk = walked(own, alone.done(found.plan))
        assert walk.cost == best
        assert not feared.there(walk.place)
    seen[found.status if best is None else min(best, MANY)] += 1


def some_boards(numbers: Iterable[int]) -> Counter[object]:
    seen: Counter[object] = Counter()
    for seed in numbers:
        q = quest(seed, led=0.0)
        (enemy,) = q.enemies
        agrees(q, enemy, 1 + seed % 3, seen)
    return seen


def test_captures_that_stop_an_enemy_are_the_fewest() -> None:
    seen = some_boards(seeds((1, 2, 3, 8, 18, 24, 54), range(60)))
    assert set(seen) == {"lost", 0, 1, MANY}, seen


@pytest.mark.slow
def test_captures_that_stop_an_enemy_are_the_fewest_on_thousands_of_boards() -> None:
    seen = some_boards(range(1000, 5000))
    assert min(seen[n] for n in ("lost", 0, 1, MANY)) > 100, seen


@examples(60)
@given(sided_systems.quests())
def test_moves_that_stop_an_enemy_in_any_system(q: sided_systems.Quest) -> None:
    for enemy in q.enemies:
        agrees(q, enemy, q.within or 3, Counter(), SHORT)


def test_what_was_asked_before_does_not_bear_on_the_moves() -> None:
    for seed in range(12):
        q = quest(seed, led=0.0)
        (enemy,) = q.enemies
        warm = Built(q.m.system, q.ask().metric, IDLE)
        first, *others = (stop_of(q, enemy, within, warm) for within in (2, 1, 2, 2))
        assert others[-1].plan == first.plan == stop_of(q, enemy, 2).plan


def test_no_time() -> None:
    q = next(q for q in map(quest, range(50)) if stop_of(q, q.enemies[0], 2).cost.cost)
    ask = replace(q.ask(), within=2)
    (menace,) = menaces(ask.system, q.side, q.asked["threat"])
    asked = ObjectivesQuestion(replace(ask, goal=menace.goal), 100)
    (found,) = threats(Built(ask.system, ask.metric, IDLE), asked, [menace], Deadline(0.0))
    assert found.cost.status == "unknown"
    assert found.stop is not None
    assert (found.stop.status, found.stop.plan, found.stop.cost.lower_bound) == ("unknown", None, 0)
    assert found.stop.reason == TIME_UP


# ---- what enemies want


def test_a_threat_is_about_the_enemy_that_it_names() -> None:
    system = loaded("axis_allies").setup.system
    for text in ("vcp(Axis) >= 40", "not controls(Allies, Russia)", "owner(Russia) == Germans"):
        assert [(m.side, m.goal.text) for m in menaces(system, "Allies", text)] == [("Axis", text)]
    (default,) = menaces(system, "Allies", None)
    assert default.side == "Axis"
    assert default.goal.text.startswith("enough for")
    with pytest.raises(InputError) as wrong:
        menaces(system, "Allies", "vcp(Axis) >=")
    assert {d.file for d in wrong.value.diagnostics} == {"threat"}


# ---- in turn order


def test_a_turn_that_stops_an_enemy_has_the_fewest_captures() -> None:
    seen: Counter[object] = Counter()
    for seed in seeds((0, 1, 2, 4, 5, 9), range(30)):
        d = duel(seed, most_land=6)
        points = d.m.world.vcp(d.m.start.owners, d.side)
        if seed % 2 and points:  # what the enemy wants holds already
            d = replace(d, wish=at_least("vcp", d.m.world, d.side, points), within=1)
        turns, ask = adversary.Play(d.m.world), d.m.ask(d.other, IDLE, "turns", d.within, LONG)
        enemy = ObjectivesQuestion(replace(ask, side=d.side, goal=Goal(d.wish.text, d.m.term(d.wish))), 100)
        found = stopping(Built(ask.system, ask.metric, IDLE), ask, enemy, Deadline(LONG))
        assert found.by == "defend"
        if d.m.world.side_of[d.m.start.turn] != d.other:
            assert found.reason == f"{d.m.start.turn} is on turn: ask for a defence when {d.other} is"
            assert found.status == "unknown"
            continue
        want = adversary.Want(turns, d.wish, d.side)
        best = want.fewest(d.m.start, d.within, idle=True)
        assert (found.status, found.cost.cost) == ("lost" if best is None else "stopped", best)
        seen[want.met(d.m.start), best] += 1
        if best is not None:
            assert found.plan is not None
            taken = tuple(str(s.args["territory"]) for s in found.plan.steps)
            assert len(taken) == best
            assert not want.planned(turns.after(d.m.start, taken), d.within)
    assert set(seen) >= {(False, None), (False, 0), (False, 1), (True, None), (True, 1)}, seen


@pytest.mark.slow
def test_a_turn_of_units_on_hexes_that_stops_an_enemy() -> None:
    game = loaded("okinawa")
    answer = game.objectives(side="Japan", within=1, timeout=2 * LONG)
    (threat,) = answer.threats
    assert threat.cost.status == "optimal"
    stop = threat.stop
    assert stop is not None
    assert stop.plan is not None
    assert (stop.status, stop.by, stop.cost.cost) == ("stopped", "defend", 1)
    assert len(stop.plan.steps) == 1
    system = game.setup.system
    (wanted,) = menaces(system, "Japan", None)
    state = game.state
    for event in stop.plan.record.events or ():
        after = state_after(system, state, event)
        assert after is not None
        state = after
    ask = ResolvedQuestion("okinawa", system, game.state, (), "US", IDLE, system.metrics[0], effort(LONG), 1)
    ask = replace(ask, goal=wanted.goal)
    assert plan(ask).status == "optimal"
    assert plan(replace(ask, state=state)).status == "impossible"


# ---- whose turns count


@pytest.mark.parametrize(
    ("name", "settings", "metric", "enemy", "within", "turns"),
    [
        ("axis_allies", {}, "turns", "Axis", 2, 2),  # player-turns of the enemy count
        (
            "axis_allies",
            {"level": "armies", "theatre": "land"},
            "moves",
            "Axis",
            1,
            2,
        ),  # two powers a round
        ("axis_allies", {"level": "armies", "theatre": "land"}, "moves", "Axis", 2, 4),
        ("moscow/small", {}, "turns", "Soviet", 2, 2),
        ("napoleonics", {}, "moves", "Allied", 1, 0),  # every player-turn counts, and the French are on turn
        ("napoleonics", {}, "moves", "Allied", 3, 1),
        ("okinawa/small", {}, "moves", "US", 4, 2),
    ],
)
def test_an_enemy_has_as_many_turns_as_its_plans_within_the_limit(
    name: str, settings: dict[str, str], metric: str, enemy: str, within: int, turns: int
) -> None:
    game = loaded(name, **settings)
    system = game.setup.system
    kind = system.metric(metric)
    assert kind is not None
    side = next(s for s in system.sides if s != enemy)
    ask = ResolvedQuestion("game", system, game.state, (), side, ANY, kind, effort(LONG), within)
    asked = ObjectivesQuestion(replace(ask, side=enemy, opponent=IDLE), 100)
    assert turns_within(Built(system, kind, IDLE), Turns(system, ask.transition()), asked, within) == turns


@pytest.mark.slow
def test_a_threat_without_a_turn_of_the_enemy_is_not_stopped_by_a_turn() -> None:
    game = loaded("okinawa/small")
    planner = Planner(game.setup, game.state, "Japan", None, IDLE)
    found = planner.objectives("vp(Japan) >= 0", threat="vp_at_end(US) >= 4", within=1, budget_s=LONG)
    stop = found.threats[0].stop
    assert stop is not None
    assert (stop.status, stop.reason) == ("unknown", "US has no turn within the limit")
