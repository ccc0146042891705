"""An idle side brings about what is forced and what it must do, and nothing else: compared with play tried out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from unittest.mock import patch

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from tests.fixtures.all_positions import never_looked_at
from tests.fixtures.efforts import effort
from tests.fixtures.games import loaded
from tests.fixtures.local_z3 import local_sessions
from tests.fixtures.pace import BUSY, examples
from tests.terms.specs import KIND, Spec, meaning, specs, term
from tests.toys.small_systems import METRIC, Move, SmallSystem, wild_systems
from vclogic.model.actions import Action, Schema
from vclogic.model.fluents import Family, value
from vclogic.model.system import ANY, IDLE, Metric, System
from vclogic.model.transition import one_at_a_time
from vclogic.query.reach import all_events, bearing_events
from vclogic.query.reach.admitted import admitting
from vclogic.query.reach.all_events import reach_by_events
from vclogic.query.reach.answer import Reach
from vclogic.query.reach.by_steps import unanswered
from vclogic.query.reach.found_records import by_trying
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.terms.atoms import member
from vclogic.terms.build import ite
from vclogic.terms.expressions.compiled import Goal
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Term

US, THEM = "Red", "Blue"
SIDE = EnumSort("side", (US, THEM))


@dataclass(frozen=True)
class Decided:
    """A move with who decides it.

    Attributes:
        move: The move.
        actor: A side, None for nobody, or a Bool fluent: where it is true we decide, else they.
        agreed: The same for who else must want it.
        obliged: Whether it must be done.
    """

    move: Move
    actor: str | Term | None
    agreed: str | Term | None
    obliged: bool

    @property
    def schema(self) -> Schema:
        """The event as vclogic has it."""
        who = "the one whose move it is" if self.actor is not None else ""
        return Schema(self.move.name, (), lambda: self._action, "", decided_by=who, obliged=self.obliged)

    @property
    def _action(self) -> Action:
        return replace(self.move.action, actor=_who(self.actor), agreed=_who(self.agreed))

    def happens(self, values: dict[Term, int]) -> bool:
        """Whether it may happen while they are idle."""
        return self.obliged or all(_is_ours(who, values) for who in (self.actor, self.agreed))


def _who(who: str | Term | None) -> str | Term | None:
    return ite(who, member(SIDE, US), member(SIDE, THEM)) if isinstance(who, Term) else who


def _is_ours(who: str | Term | None, values: dict[Term, int]) -> bool:
    return bool(values[who]) if isinstance(who, Term) else who in (US, None)


@st.composite
def questions(draw: st.DrawFn) -> tuple[SmallSystem, tuple[Decided, ...], Spec]:
    """A small rule set, who decides each of its moves, and a goal."""
    small = draw(wild_systems())
    who = st.sampled_from([US, THEM, THEM, None, *(v for v in small.fluents if KIND[v] == "B")])
    nobody = st.none() | who
    moves = tuple(Decided(m, draw(who), draw(nobody), draw(st.integers(0, 5)) == 0) for m in small.moves)
    return small, moves, draw(specs(small.fluents, "B", 3))


def reachable(small: SmallSystem, moves: tuple[Decided, ...]) -> set[tuple[int, ...]]:
    """Every state that we and what is forced can bring about."""
    found, queue = {small.start}, [small.start]
    while queue:
        state = queue.pop()
        for d in moves:
            after = small.after(state, d.move) if d.happens(small.values(state)) else None
            if after is not None and after not in found:
                found.add(after)
                queue.append(after)
    return found


def system_of(small: SmallSystem, moves: tuple[Decided, ...]) -> System:
    """The same as vclogic has it; its planning model knows no move."""
    nothing = Metric(METRIC, "move", "", "", lambda *_: one_at_a_time([], METRIC), lambda *_: (), events=())
    return System(
        sides={US: (US,), THEM: (THEM,)},
        families=tuple(Family(v.name, v.sort, "") for v in small.fluents),
        initial={v: value(v.sort, x) for v, x in small.values(small.start).items()},
        rules=(),
        invariants=(),
        outcomes=(),
        observables=(),
        events=tuple(d.schema for d in moves),
        metrics=(nothing,),
    )


@examples(120)
@given(questions())
def test_reach_agrees_with_play_against_an_idle_side(
    question: tuple[SmallSystem, tuple[Decided, ...], Spec],
) -> None:
    small, moves, goal = question
    possible = any(meaning(goal, small.values(s)) for s in reachable(small, moves))
    system = system_of(small, moves)
    ask = ResolvedQuestion("small", system, small.start, (), US, IDLE, system.metrics[0], effort(2 * BUSY))
    with local_sessions(2 * BUSY), never_looked_at():
        answer = reach_by_events(replace(ask, goal=Goal("the goal", term(goal))), assumed=True)
    note(answer.status)
    assert answer.status == ("reachable" if possible else "unreachable")


# ---- the games


def test_an_idle_defender_destroys_no_complex() -> None:
    game = loaded("axis_allies").apply("purchase", power="Russians", unit="complex", at="Karelia")
    game = game.apply("place", power="Russians", unit="complex", territory="Karelia").apply("end_turn")
    goal = "complex(Karelia) == none"
    assert game.reach(goal, side="Axis", within=2).status == "unreachable"
    helped = game.reach(goal, side="Axis", within=2, opponent="helps")
    assert helped.status == "reachable"
    assert [s.args.get("destroy_complex") for s in helped.steps] == ["yes"]


@pytest.mark.parametrize(("opponent", "may"), [(IDLE, False), (ANY, True)])
def test_an_idle_side_orders_no_units_but_its_turns_begin_and_end(opponent: str, may: bool) -> None:
    game = loaded("napoleonics/erlenbach")
    system = game.setup.system
    admits = admitting(
        ResolvedQuestion("", system, game.state, (), "French", opponent, system.metrics[0], effort(10)), assumed=False
    )

    def happens(event: str, **args: str) -> bool:
        action = system.action(system.schemas[event].event(args))
        found = admits(system.schemas[event], action)
        return found is not None and found.guard is action.guard

    assert happens("order", units="Chasseurs") is True
    theirs = next(
        u
        for u in system.schemas["order"].parameters[0].values
        if system.action(system.schemas["order"].event({"units": u})).actor == "Allied"
    )
    assert happens("order", units=str(theirs)) is may
    assert happens("start_turn", side="Allied") is True
    assert happens("end_turn") is True
    assert happens("eliminate", unit="Chasseurs") is True


def test_what_an_idle_side_lets_happen_happens_where_it_may_help() -> None:
    """Searches that the help of the other side leads astray find what it lets happen."""

    def unless_helped(resolved: ResolvedQuestion, *given: object, **more: object) -> Reach | None:
        return None if resolved.opponent == ANY else by_trying(resolved, *given, **more)  # type: ignore[arg-type]

    def nothing(*_: object, **more: object) -> None:
        return None

    def astray(resolved: ResolvedQuestion) -> Reach:
        return unanswered(resolved, "astray")

    first = patch.multiple(all_events, by_trying=nothing, led_to=nothing, reach=astray)
    then = patch.multiple(
        bearing_events, by_trying=unless_helped, _never=nothing, _out_of_reach=nothing, reach=astray
    )
    with first, then, never_looked_at():
        answer = loaded("moscow/small").reach("elimination_points(German) >= 1", side="German", opponent="any")
    assert (answer.status, answer.replayed) == ("reachable", True)
    assert not any("idle" in line for line in answer.assumptions), "it is asked of one who may help"
