"""The questions to a planner, which has its side and its metric already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from vclogic.files.record import Events
from vclogic.progress import Listener, silent
from vclogic.query.given_state import Given
from vclogic.query.planning import Better

if TYPE_CHECKING:
    from vclogic.query.objectives.answer import Objectives


@dataclass(frozen=True, kw_only=True)
class PlannerQuestion:
    """What is asked of a planner.

    Attributes:
        require: Events of which the plan must hold at least one each, as in a record; arguments left out can have
            any value.
        avoid: Events that the plan must not hold, in the same form.
        keep: What must hold after every step of the plan, in the goal language.
        within: The most counted steps; None: in `objectives` as many as the cheapest plan takes.
    """

    require: Sequence[Events] = ()
    avoid: Sequence[Events] = ()
    keep: str | None = None
    within: int | None = None


@dataclass(frozen=True)
class Preparation(PlannerQuestion):
    """Build what questions with such a goal share, whatever time it takes.

    A question that finds it built needs less of its budget: on large boards building may take longer than a
    budget lasts, and what a question leaves half built is not kept. Goals that differ only in the numbers that
    sums are compared with share what is built.

    Attributes:
        goal: The goal, in the goal language.
    """

    goal: str


@dataclass(frozen=True, kw_only=True)
class QuestionFromState(PlannerQuestion):
    """What is asked of a planner from a state.

    Attributes:
        state: The state to plan from: a game at a moment; a whole state or a part of one as `state_dict` gives
            it, where what it leaves out is as in the game that made the planner; or a state as numbers. None: the
            state of that game.
    """

    state: Given | None = None


@dataclass(frozen=True)
class PlannerPlan(QuestionFromState):
    """The cheapest plan that is found within a budget of time.

    Attributes:
        goal: The goal, in the goal language.
        budget_s: Seconds, after which the best that is known is the answer.
        on_better: Called with each better plan and the best lower bound known then, in this thread; the time it
            takes is part of the budget.
    """

    goal: str
    _: KW_ONLY
    budget_s: float = 0.1
    on_better: Better | None = None


@dataclass(frozen=True)
class PlannerBriefing(QuestionFromState):
    """A briefing: what wins, what every plan needs, what denies the goal, what threatens, and what to do next.

    Attributes:
        goal: The goal, in the goal language; None: what the side needs for one of its outcomes.
        threat: The goal of each enemy; None: what it needs for one of its outcomes.
        before: The answer whose plan is followed; None: the last answer to the same question.
        limit: The most winning sets that are listed, and the most denial sets; those that denial sets refer to
            are listed as well.
        budget_s: Seconds, after which what is known is the answer; what is not decided is marked so.
        progress: Called with what is being done.
    """

    goal: str | None = None
    _: KW_ONLY
    threat: str | None = None
    before: Objectives | None = None
    limit: int = 100
    budget_s: float = 10.0
    progress: Listener = silent
