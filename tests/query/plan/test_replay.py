"""Plans of single actions played action by action: what is not legal, or not what was promised, is no answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest

from vclogic.encode.goal_regression import Regressions
from vclogic.encode.python.evaluator import failed as really_failed
from vclogic.model.actions import Action, Event, Requirement
from vclogic.model.fluents import Family, State
from vclogic.model.system import System
from vclogic.model.transition import one_at_a_time
from vclogic.query import replay
from vclogic.query.replay import Played, ReplayError, replay_plan
from vclogic.solve.problem import Problem, SearchResult
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.build import and_
from vclogic.terms.sorts import BOOL
from vclogic.terms.term import Term

FAMILIES = [Family(f"f{i}", BOOL, "") for i in range(60)]
FLUENTS = [f.fluent for f in FAMILIES]
SYSTEM = System({}, tuple(FAMILIES), {}, (), (), (), (), (), ())
START: State = (0,) * len(FLUENTS)


def raise_(i: int) -> Action:
    """Each fluent is raised once the one before it is."""
    needs = (Requirement(FLUENTS[i - 1], "the one before"),) if i else ()
    return Action(f"raise {i}", (), None, needs, ((FLUENTS[i], TRUE),), f"raise {i}", {"n": i + 1})


STEP = one_at_a_time(map(raise_, range(len(FLUENTS))), "n")


def play(steps: Iterable[Sequence[int]], cost: int, goal: Term) -> Played:
    begin = dict.fromkeys(FLUENTS, FALSE)
    problem = Problem(begin, STEP, goal, Regressions({goal: 0}), "n", None, STEP, begin)
    chosen = [{STEP.choices[i]: 1 for i in step} for step in steps]
    return replay_plan(SYSTEM, START, problem, SearchResult(chosen, cost))


def test_a_plan_is_played_in_its_order() -> None:
    found = play([[0], [], [1], [2]], 6, and_(*FLUENTS[:3]))
    assert [s.text for s in found.steps] == ["raise 0", "raise 1", "raise 2"]
    assert found.events == tuple(Event(f"raise {i}") for i in range(3))
    assert found.states[-1] == (1, 1, 1, *START[3:])


@pytest.mark.parametrize(
    ("steps", "cost", "why"),
    [
        ([[1], [0]], 3, "not legal"),
        ([[0], [2]], 4, "not legal"),
        ([[0, 1]], 3, "more than one action"),
        ([[0], [1]], 2, "costs 3, not 2"),
        ([[0]], 1, "does not reach its goal"),
    ],
)
def test_a_plan_that_cannot_be_played_is_a_bug(steps: list[list[int]], cost: int, why: str) -> None:
    with pytest.raises(ReplayError, match=why):
        play(steps, cost, FLUENTS[1])


def test_only_what_the_plan_takes_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    judged: list[str] = []

    def failed(system: System, state: State, action: Action) -> list[Requirement]:
        judged.append(action.name)
        return really_failed(system, state, action)

    monkeypatch.setattr(replay, "failed", failed)
    play([[0], [1]], 3, FLUENTS[1])
    assert judged == ["raise 0", "raise 1"]
