"""The questions about turns against opponents who answer: `force`, `defend` and `survives`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import KW_ONLY
from typing import TYPE_CHECKING

from vclogic.choices import choice
from vclogic.collector_paused import collector_paused
from vclogic.errors import Diagnostic, InputError
from vclogic.model.system import ANY
from vclogic.query.plan.answer import Plan
from vclogic.query.question import GameQuestion, Request, option, value
from vclogic.query.resolved_question import ResolvedQuestion, any_of_sides, check_defined, check_numbers, side_for
from vclogic.terms.expressions.compiled import Goal

if TYPE_CHECKING:
    from vclogic.query.force.answer import Defence, Force, Survival

_TURNS = "The planning model whose steps are the turns.", "METRIC"


@value()
class ForceQuestion(GameQuestion["Force"]):
    """Ask if a side can force a goal, whatever all other sides do.

    A turn is one step of a planning model in which one side moves. The side chooses each turn of its own powers
    knowing all turns before it; the others take any legal turns. The goal counts as reached if it holds at the
    end of any turn, whosever, up to the side's next turn after the last that counts. A side that has no legal
    turn is stuck: the play ends there.

    Attributes:
        goal: The goal, in the goal language.
        side: The side that forces it; optional if the goal names only one side.
        within: The most turns of that side, those of all its powers counted together.
        minimize: The planning model, by the name of its metric; by default the first that has turns.
    """

    goal: str = option("What should become true, such as 'vcp(Axis) >= 40'.", "EXPR")
    side: str | None = option(
        "Who forces it. Needed only if the goal names no side or several.", "SIDE", default=None
    )
    _: KW_ONLY
    within: int = option("The most turns of the side. Default: 1.", "N", default=1)
    minimize: str | None = option(*_TURNS, default=None)

    def answer(self, request: Request) -> Force:
        """`forced` with the fewest turns and a strategy, `refuted` with what the others answer, or `unknown`.

        Raises:
            InputError: The goal or a choice is wrong, or in the planning model a step is no turn of one side.
        """
        from vclogic.query.force.by_turns import force

        compiled = request.goal(self.goal)
        moving = side_for(request.setup.system, compiled.mentions, self.side, ANY)
        with _turns(request, compiled, moving, self.minimize, self.within, clock=True) as resolved:
            found = force(resolved)
            if found.status == "refuted":
                check_defined(request.setup.system, self.goal, compiled.meaning, resolved.effort)
            return found


@value()
class DefendQuestion(GameQuestion["Defence"]):
    """The fewest moves of the turn that begins or goes on now, after which no other side can force a threat.

    The threat is prevented if the others cannot force it within some turns of theirs (see `force`), where this
    side answers as well as it can: with `within=1`, no turn of theirs reaches it. A threat that holds now only
    counts if it holds after the turn, which may undo it. Moves are the choices of the
    turn, such as captures.

    Attributes:
        threat: What must not come, in the goal language.
        side: The side that defends, which must be on turn; optional if the threat names one of two sides.
        within: The most turns of all others together.
        minimize: The planning model, by the name of its metric; by default the first that has turns.
        idle: Whether this side does nothing in its later turns: then the others have no plan of so many turns
            after the defence, as `plan` with an idle opponent finds them.
    """

    threat: str = option("What must not come, such as 'vcp(Axis) >= 40'.", "EXPR")
    side: str | None = option(
        "Who defends, on turn now. By default whom the threat does not name.", "SIDE", default=None
    )
    _: KW_ONLY
    within: int = option("For how many turns of the others. Default: 1.", "N", default=1)
    minimize: str | None = option(*_TURNS, default=None)
    idle: bool = option("The side does nothing in its later turns, instead of what is best.", default=False)

    def answer(self, request: Request) -> Defence:
        """`defended` with the turn; `lost` if no turn prevents the threat; or `unknown`.

        With the turn comes the proof that no turn with fewer choices is enough.

        Raises:
            InputError: The threat or a choice is wrong, it is not the side's turn, or a step is no turn of one side.
        """
        from vclogic.query.force.by_turns import defend

        compiled, system = request.goal(self.threat, option="threat"), request.setup.system
        if self.side is None:
            threatening = side_for(system, compiled.mentions, None, ANY)
            others = [s for s in system.sides if s != threatening]
            moving = others[0] if len(others) == 1 else None
        else:
            moving = side_for(system, (), self.side, ANY)
        if moving is None:
            hint = f"say which side defends: {any_of_sides(system)}"
            message = "more than one side could defend"
            raise InputError(Diagnostic("missing-side", message, choice("side"), help=hint))
        with _turns(request, compiled, moving, self.minimize, self.within) as resolved:
            return defend(resolved, idle=self.idle)


@value()
class SurvivesQuestion(GameQuestion["Survival"]):
    """Ask if a plan survives the strongest reply to it.

    Between the plan's turns the other sides take any legal turns, and after the last until the side would be on
    turn again. The plan is stopped if one of its turns becomes illegal, or if the goal has not come in the end.
    Of replies that stop it, one that does so earliest is given; if none does, one after which the goal comes
    latest.

    Attributes:
        plan: A plan that was found from this moment, by a planning model that has turns.
        side: The side whose plan it is; optional if its goal names only one side.
        within: How many of the plan's turns are played at most; None: all.
    """

    plan: Plan
    side: str | None = option(
        "Whose plan it is. Needed only if the goal names no side or several.", "SIDE", default=None
    )
    _: KW_ONLY
    within: int | None = option("The most turns of the plan. Default: all.", "N", default=None)

    def answer(self, request: Request) -> Survival:
        """`survives`, `stopped` with the reply that does it, or `unknown`.

        Raises:
            InputError: There is no plan in the answer, its planning model has no turns, or it cannot be played here.
        """
        from vclogic.query.force.survives import survives

        plan = self.plan
        if not plan.steps and plan.cost is None:
            raise InputError(Diagnostic("no-plan", f"there is no plan to look at: the answer is {plan.status!r}"))
        if plan.game != request.setup.game:
            message = f"the plan is of {plan.game}, not of {request.setup.game}"
            raise InputError(Diagnostic("not-for-this-game", message, choice("plan")))
        compiled = request.goal(plan.goal)
        moving = side_for(request.setup.system, compiled.mentions, self.side, ANY)
        with _turns(request, compiled, moving, plan.metric, self.within) as resolved:
            return survives(resolved, plan.steps)


@contextmanager
def _turns(
    request: Request, goal: Goal, side: str | None, minimize: str | None, most: int | None, *, clock: bool = False
) -> Iterator[ResolvedQuestion]:
    """A question about turns of two parties, with the choices checked; see `metric_of_turns`."""
    from vclogic.query.force.by_turns import metric_of_turns

    check_numbers(timeout=request.timeout, within=most)
    with request.effort() as effort, collector_paused():
        metric = metric_of_turns(request.setup.system, minimize, clock=clock)
        yield request.about(side, ANY, metric, effort, within=most, goal=goal)
