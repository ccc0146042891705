"""The question which changes a goal lacks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, replace
from typing import TYPE_CHECKING

from vclogic.query.question import Request, SolverQuestion, option, value
from vclogic.query.resolved_question import check_defined, check_numbers

if TYPE_CHECKING:
    from vclogic.query.missing.nearest import Missing


@value()
class MissingQuestion(SolverQuestion["Missing"]):
    """Find the fewest facts to change for a goal, or prove that no well-formed position satisfies it.

    Attributes:
        goal: The goal, in the goal language.
        keep: Facts that must stay as they are: families or single fluents by name.
        change: Families of facts that tell of earlier turns and may change too; by default these only change
            where nothing else is enough.
        limit: How many minimal sets of changes (or of conflicting rules) to find.
    """

    goal: str = option("What should be true, such as 'vcp(Axis) >= 40'.", "EXPR")
    _: KW_ONLY
    keep: Sequence[str] = option("What must not change, such as owner or 'owner[Russia]'.", "FACT", default=())
    change: Sequence[str] = option("What may change though it tells of earlier turns.", "FACT", default=())
    limit: int = option("How many minimal sets to show. Default: 10.", "N", default=10)

    def answer(self, request: Request) -> Missing:
        """The sets of changes; or what forbids the goal.

        Raises:
            InputError: The goal or a choice is wrong.
        """
        from vclogic.query.missing import nearest as lacking

        check_numbers(timeout=self.timeout, limit=self.limit)
        system = request.setup.system
        goal = request.goal(self.goal)
        kept, changed = lacking.fluents_named(system, self.keep), lacking.fluents_named(system, self.change, "change")
        parts, judged = lacking.judged_here(
            system, request.state, lacking.goal_parts(system, goal), {*kept, *changed}
        )
        left = lacking.memories(system, changed)
        repair = lacking.RepairQuestion(system, request.state, parts, kept, self.limit, left)
        with request.effort() as effort:
            found = lacking.missing(request.setup.game, self.goal, repair, effort, (*judged, *request.assumptions))
            if found.status == "impossible":
                check_defined(system, self.goal, goal.meaning, effort)
            return replace(found, kept=tuple(self.keep), elapsed_s=effort.elapsed_s)
