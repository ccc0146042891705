"""The question for a briefing of a side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY
from typing import TYPE_CHECKING

from vclogic.files.record import Events
from vclogic.model.system import IDLE
from vclogic.query.question import GameQuestion, Request, option, value
from vclogic.query.resolved_question import check_numbers, side_for

if TYPE_CHECKING:
    from vclogic.query.objectives.answer import Objectives

_LEAST = 1e-6  # seconds; where there are no more, the answer is what is known at once


@value()
class BriefingQuestion(GameQuestion["Objectives"]):
    """A briefing of a side: the objectives that win, those that deny it, what they are worth, what threatens.

    To take an objective is to have it after some step of a plan, and not at the start.

    Attributes:
        goal: What the side wants, in the goal language; None: any of its outcomes.
        side: The side that plans; optional if the goal names only one side.
        within: The most counted steps of a plan; None: as many as a cheapest plan takes.
        minimize: A metric of the game; by default its first one.
        threat: What an enemy wants; None: any of its outcomes.
        opponent: As in `plan`.
        require: Events of which a plan must hold at least one each, as in a record; arguments left out can have
            any value.
        avoid: Events that a plan must not hold, in the same form.
        keep: What must hold after every step of a plan, in the goal language.
        limit: The most winning sets and the most denial sets to list.
    """

    goal: str | None = option("What the side wants. Default: any of its outcomes.", "EXPR", default=None)
    side: str | None = option(
        "Who plans. Needed only if the goal does not name exactly one side.", "SIDE", default=None
    )
    _: KW_ONLY
    within: int | None = option("The most counted steps. Default: those of the plan found.", "N", default=None)
    minimize: str | None = option("What plans are to save; `vclogic rules GAME` lists them.", "METRIC", default=None)
    threat: str | None = option("What an enemy wants. Default: any of its outcomes.", "EXPR", default=None)
    opponent: str = option("idle passes (default); helps makes any legal step.", "idle|helps", default=IDLE)
    require: Sequence[Events] = option("Only plans with such an event.", "EVENT", default=())
    avoid: Sequence[Events] = option("Only plans without such an event.", "EVENT", default=())
    keep: str | None = option("Only plans after each step of which that holds.", "EXPR", default=None)
    limit: int = option("List at most N sets of each kind. Default: 100.", "N", default=100)

    def answer(self, request: Request) -> Objectives:
        """The winning sets with their plans, and all else that a briefing holds; what is not decided is marked so.

        What every plan takes, the denial sets, the value of each objective, the threats with what stops them, and
        the next steps.

        Raises:
            InputError: Everything that is wrong with the goals, the conditions and the choices.
        """
        from vclogic.files.trees.findings import Findings
        from vclogic.query.plan.conditions import read_conditions
        from vclogic.query.planner.planner import Planner

        found, system = Findings(), request.setup.system
        with found.catch():
            check_numbers(timeout=self.timeout, limit=self.limit, within=self.within)
        with found.catch():
            if self.side is not None:
                side_for(system, (), self.side, self.opponent)
        with found.catch():
            planner = Planner(
                request.setup, request.state, self.side, self.minimize, self.opponent, built=False, option="minimize"
            )
        # Something is wrong: look for further faults, so that one report has them all.
        if found:
            for text, name in ((self.goal, "goal"), (self.threat, "threat"), (self.keep, "keep")):
                with found.catch():
                    if text is not None:
                        request.goal(text, option=name)
            with found.catch():
                read_conditions(
                    system, system.metric(self.minimize) or system.metrics[0], self.require, self.avoid, None
                )
            found.stop()
        return planner.objectives(
            self.goal,
            within=self.within,
            threat=self.threat,
            require=self.require,
            avoid=self.avoid,
            keep=self.keep,
            limit=self.limit,
            budget_s=max(request.deadline.left, _LEAST),
            progress=self.progress,
        )
