"""`reach` over all events of the rules, against trying every event with every number in plain Python."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from unittest.mock import patch

import pytest
from hypothesis import event as note
from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.all_positions import never_looked_at
from tests.fixtures.efforts import effort
from tests.fixtures.games import loaded
from tests.fixtures.local_z3 import local_sessions
from tests.fixtures.pace import BUSY, examples
from tests.terms.specs import KIND, Spec, domain, meaning, specs, term
from tests.toys.small_systems import FLUENTS, METRIC, Move, SmallSystem, is_value, wild_systems
from vclogic.encode.grounding import relevant
from vclogic.encode.python.evaluator import interpret
from vclogic.files.record import RecordStep
from vclogic.model.actions import Action, Parameter, Requirement, Schema
from vclogic.model.fluents import Family, value
from vclogic.model.grounded import Grounded
from vclogic.model.system import ANY, Metric, System
from vclogic.model.transition import Transition, one_at_a_time
from vclogic.query.question import GameQuestion, request
from vclogic.query.reach import all_events, bearing_events
from vclogic.query.reach.admitted import only
from vclogic.query.reach.all_events import reach_by_events
from vclogic.query.reach.bearing_events import MOST, steps_about
from vclogic.query.replay import play_record
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.solve.proofs.invariants import by_invariants
from vclogic.terms.atoms import FALSE, integer, var
from vclogic.terms.build import add, ge, le, or_
from vclogic.terms.expressions.compiled import Goal
from vclogic.terms.sorts import BOOL, IntSort
from vclogic.terms.term import Term

NUMBERS = range(1, 4)


@dataclass(frozen=True)
class Rise:
    """An event with a number: an Int fluent rises by it, if it is at least so high and does not rise too far."""

    fluent: Term
    least: int

    @property
    def schema(self) -> Schema:
        """The event as vclogic has it."""
        return Schema("rise", (Parameter("n", NUMBERS, term=True),), self.action, "rises by a number")

    def action(self, n: Term) -> Action:
        """The event for a number, or for any."""
        needs = (ge(self.fluent, self.least), le(add(self.fluent, n), self.fluent.hi))
        return Action(
            "rise",
            (("n", 0),),
            None,
            tuple(Requirement(t, "cannot rise so far") for t in needs),
            ((self.fluent, add(self.fluent, n)),),
            "it rises",
        )

    def after(self, small: SmallSystem, state: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """Every state that it can lead to."""
        i = small.fluents.index(self.fluent)
        for n in NUMBERS:
            if state[i] >= self.least and state[i] + n <= self.fluent.hi:
                yield (*state[:i], state[i] + n, *state[i + 1 :])


@dataclass(frozen=True)
class Rules:
    """A small rule set whose events are moves, and mostly one with a number."""

    small: SmallSystem
    rise: Rise | None

    @property
    def system(self) -> System:
        """The same as vclogic has it; its planning model knows half of the moves."""
        initial = {v: value(v.sort, x) for v, x in self.small.values(self.small.start).items()}
        some = SmallSystem(self.small.fluents, self.small.start, self.small.moves[::2])
        names = tuple(m.name for m in some.moves)
        planner = Metric(METRIC, "move", "", "", lambda *_: some.transition, lambda *_: (), events=names)
        events = [Schema(m.name, (), lambda m=m: m.action, "") for m in self.small.moves]
        return System(
            sides={},
            families=tuple(Family(v.name, v.sort, "") for v in self.small.fluents),
            initial=initial,
            rules=(),
            invariants=(),
            outcomes=(),
            observables=(),
            events=(*events, *([self.rise.schema] if self.rise else [])),
            metrics=(planner,),
        )

    def reachable(self) -> set[tuple[int, ...]]:
        """Every state that some events lead to."""
        found = {self.small.start}
        queue = [self.small.start]
        while queue:
            state = queue.pop()
            after = [self.small.after(state, m) for m in self.small.moves]
            after += self.rise.after(self.small, state) if self.rise else ()
            for new in after:
                if new is not None and new not in found:
                    found.add(new)
                    queue.append(new)
        return found


@st.composite
def questions(draw: st.DrawFn) -> tuple[Rules, Spec]:
    """A rule set, and a goal that may be true or not."""
    small = draw(wild_systems())
    ints = [v for v in small.fluents if KIND[v] == "I"]
    rises = [Rise(v, least) for v in ints for least in range(v.lo, v.hi + 1)]
    rise = draw(st.sampled_from(rises)) if rises else None
    return Rules(small, rise), draw(specs(small.fluents, "B", 3))


@examples(120)
@given(questions())
def test_all_events_reach_what_play_reaches(question: tuple[Rules, Spec]) -> None:
    rules, goal = question
    possible = any(meaning(goal, rules.small.values(s)) for s in rules.reachable())
    system = rules.system
    ask = ResolvedQuestion("small", system, rules.small.start, (), None, ANY, system.metrics[0], effort(2 * BUSY))
    with local_sessions(2 * BUSY), never_looked_at():
        answer = reach_by_events(replace(ask, goal=Goal("the goal", term(goal))), assumed=True)
    note(f"{answer.status}, with numbers: {rules.rise is not None}")
    assert {*answer.events.included, *answer.events.left_out} == set(system.schemas)
    assert {s.action for s in answer.steps} <= set(answer.events.included)
    assert answer.status == ("reachable" if possible else "unreachable")
    if possible:
        assert answer.record is not None
        assert answer.record.events is not None
        end = play_record(system, rules.small.start, [RecordStep(e) for e in answer.record.events])
        assert interpret(term(goal), system.layout.slot, end)


@examples(60)
@given(questions(), st.sampled_from([MOST, 1]))
def test_where_events_are_many_no_answer_is_another(question: tuple[Rules, Spec], most: int) -> None:
    """What the goal names is tried first; where too many bear on it, a "no" may be unknown; nothing else changes."""
    rules, goal = question
    possible = any(meaning(goal, rules.small.values(s)) for s in rules.reachable())
    system = rules.system
    ask = ResolvedQuestion("small", system, rules.small.start, (), None, ANY, system.metrics[0], effort(10))
    many, few = patch.object(all_events, "_MANY", 0), patch.object(bearing_events, "MOST", most)
    with many, few, local_sessions(5), never_looked_at():
        answer = reach_by_events(replace(ask, goal=Goal("the goal", term(goal))), assumed=True)
    note(f"{answer.status}, {most}")
    assert {*answer.events.included, *answer.events.left_out} == set(system.schemas)
    assert answer.status in (("reachable", "unknown") if possible else ("unreachable", "unknown"))
    assert answer.status != "unknown" or most == 1
    if answer.status == "reachable":
        assert answer.record is not None
        assert answer.record.events is not None
        end = play_record(system, rules.small.start, [RecordStep(e) for e in answer.record.events])
        assert interpret(term(goal), system.layout.slot, end)


@st.composite
def distant(draw: st.DrawFn) -> tuple[Rules, Spec]:
    """A rule set, and that one fluent has another value than at the start, so that other fluents only lead there."""
    rules, _ = draw(questions())
    small = rules.small
    i = draw(st.integers(0, len(small.fluents) - 1))
    fluent = small.fluents[i]
    return rules, is_value(fluent, draw(st.sampled_from([x for x in domain(fluent) if x != small.start[i]])))


@examples(200)
@given(distant())
def test_the_events_that_bear_on_a_goal_reach_what_all_reach(question: tuple[Rules, Spec]) -> None:
    rules, goal = question

    def possible(some: Rules) -> bool:
        return any(meaning(goal, some.small.values(s)) for s in some.reachable())

    system, number = rules.system, len(rules.small.moves)
    for start in (None, rules.small.start):
        found = relevant(system, [term(goal)], lambda schema, action: action, start=start)
        kept = {g.schema.name for g in found}
        moves = tuple(m for m in rules.small.moves if m.name in kept)
        fewer = Rules(replace(rules.small, moves=moves), rules.rise if "rise" in kept else None)
        assert possible(fewer) == possible(rules)
        assert len(moves) <= number
        for g, state, n in product(found, rules.reachable(), NUMBERS):
            before = (*state, n)
            slot = {**system.layout.slot, **dict.fromkeys(g.numbers.values(), len(state))}
            may = interpret(system.opened(g.schema, g.args).action.guard, slot, before)
            assert may <= interpret(g.action.guard, slot, before)  # no more is asked of it than the rules ask
        note(f"{possible(rules)}, start known: {start is not None}, events left out: {len(moves) < number}")
        number = len(moves)


def test_what_the_effects_read_bears_on_a_goal_too() -> None:
    a, b = [v for v in FLUENTS if KIND[v] == "B"][:2]
    sure = ("const", "B", 1)
    moves = (Move("first", sure, ((a, sure),), 1), Move("second", sure, ((b, ("var", a)),), 1))
    system = Rules(SmallSystem((a, b), (0, 0), moves), None).system
    kept = relevant(system, [term(is_value(b, 1))], lambda schema, action: action)
    assert [g.schema.name for g in kept] == ["first", "second"]


def test_what_an_event_that_counts_spoils_is_not_taken_as_at_the_start() -> None:
    a, b, c = [v for v in FLUENTS if KIND[v] == "B"][:3]
    sure, never = ("const", "B", 1), ("const", "B", 0)
    moves = (
        Move("first", sure, ((b, sure), (a, never)), 1),
        Move("restores", sure, ((a, sure),), 1),
        Move("second", ("and", ("var", a), ("var", b)), ((c, sure),), 1),
        Move("spoils", sure, ((a, never),), 1),
    )
    small = SmallSystem((a, b, c), (1, 0, 0), moves)
    found = relevant(
        Rules(small, None).system, [term(is_value(c, 1))], lambda schema, action: action, start=small.start
    )
    assert [g.schema.name for g in found] == ["first", "restores", "second", "spoils"]
    harmless = replace(small, moves=(replace(moves[0], effects=((b, sure),)), *moves[1:]))
    fewer = relevant(
        Rules(harmless, None).system, [term(is_value(c, 1))], lambda _, action: action, start=small.start
    )
    assert [g.schema.name for g in fewer] == ["first", "second"]


# ---- what the text of a game says can happen, and the planning models leave out


@pytest.mark.parametrize("goal", ["vcp(Axis) >= 1", "vcp(Axis) >= 29", "placed(Germany, infantry) >= 3", "bid >= 1"])
@pytest.mark.parametrize("many", [0, 10_000])
def test_a_witness_is_about_all_events_whichever_method_finds_it(goal: str, many: int) -> None:
    game = loaded("axis_allies")
    with patch("vclogic.query.reach.all_events._MANY", many):
        answer = game.reach(goal, side="Axis", timeout=300)
    assert answer.status == "reachable"
    assert answer.events == only(game.setup.system, tuple(game.setup.system.schemas))


EXAMPLES = [
    pytest.param(
        "axis_allies", "emergency_infantry(Ukraine) >= 1", {"opponent": "any", "side": "Axis"}, marks=pytest.mark.slow
    ),
    ("axis_allies", "placed(Germany, infantry) >= 3", {"side": "Axis"}),
    pytest.param("axis_allies", "complex(India) == bought", {"side": "Allies"}, marks=pytest.mark.slow),
    ("moscow/small", "elimination_points(German) >= 1", {"side": "German"}),
]


@pytest.mark.parametrize(("game", "goal", "who"), EXAMPLES)
def test_what_a_record_can_do_is_reachable(game: str, goal: str, who: dict[str, str]) -> None:
    start = loaded(game)
    answer = start.reach(goal, timeout=300, **who)  # type: ignore[arg-type]
    assert answer.status == "reachable"
    assert answer.record is not None
    assert answer.record.events is not None
    assert {e.name for e in answer.record.events} <= set(answer.events.included)
    end = start
    for event in answer.record.events:
        end = end.apply(event.name, **dict(event.args))
    assert end.value(goal) is True
    if game == "moscow/small":  # an idle side loses its units in combat
        assert {s.actor for s in answer.steps if s.action == "eliminate"} == {None}
        idle = "the German side moves; the opponent is idle: it does only what the rules force, and ends its turns"
        assert idle in answer.assumptions


def test_borders_are_assumed_unless_only_the_rules_count() -> None:
    game = loaded("axis_allies", sea_range=0)
    never = game.reach("controls(Axis, Brazil)", side="Axis", timeout=300)
    assert never.status == "unreachable"
    assert never.proof is not None
    assert never.proof.method in ("one-step", "closure", "turn-closure", "invariants")
    assert any("land border" in x for x in never.assumptions)
    free = game.reach("controls(Axis, Brazil)", side="Axis", by="rules", timeout=300)
    assert free.status == "reachable"
    assert not any("land border" in x for x in free.assumptions)


def test_only_events_that_bear_on_a_goal_are_built() -> None:
    game = loaded("axis_allies")
    goal = request(game, GameQuestion()).goal("controls(Axis, Karelia)").term
    names = {g.schema.name for g in relevant(game.setup.system, [goal], lambda schema, action: action)}
    assert {"capture", "end_turn"} <= names
    assert not names & {"emergency", "bid"}


def test_a_witness_counts_where_there_are_too_many_events_to_look_at_all() -> None:
    game = loaded("axis_allies", level="armies", theatre="land")
    answer = game.reach("under_attack(Ukraine)", side="Allies", timeout=300)
    assert (answer.status, answer.replayed) == ("reachable", True)
    assert answer.events == only(game.setup.system, tuple(game.setup.system.schemas))


def test_invariants_count_what_other_events_do_to_a_number_that_they_are_about() -> None:
    # `look` alone keeps n >= 3, as a number that might leave its sort is looked at with it; `reset` does not
    n, low = var("n", IntSort(0, 9)), var("low", BOOL)
    look = Action("look", (), None, (Requirement(le(n, 8), ""),), ((low, or_(low, le(n, 2))), (n, add(n, 1))), "")
    reset = Action("reset", (), None, (), ((n, integer(0)),), "")
    small = low
    events = [Grounded(Schema(a.name, (), lambda a=a: a, ""), {}, {}, a) for a in (look, reset)]

    def touching(fluents: Collection[Term]) -> list[Grounded]:
        return [g for g in events if any(f in fluents for f, _ in g.action.effects)]

    def step_of(few: Sequence[Grounded]) -> Transition:
        return one_at_a_time([replace(g.action, costs={METRIC: 1}) for g in few], METRIC)

    start = {n: integer(3), low: FALSE}
    found, step = steps_about(small, touching, step_of)
    assert [g.schema.name for g in found] == ["look", "reset"]
    with local_sessions(20):
        assert by_invariants(small, step, start, (), effort(20), most=1) is None
        only_one = step_of(events[:1])
        assert by_invariants(small, only_one, start, (), effort(20), most=1) is not None  # as it would be without
