"""The question for a cheapest plan, or for the largest value that a plan leads to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY
from typing import Any

from vclogic.choices import choice
from vclogic.errors import Diagnostic, InputError
from vclogic.query.plan.answer import Plan
from vclogic.query.question import FutureQuestion, Request, option, value
from vclogic.query.resolved_question import check_defined, check_numbers
from vclogic.terms.expressions.compiled import Goal


@value()
class PlanQuestion(FutureQuestion[Plan]):
    """The cheapest plan for a goal, or for the largest value of an expression.

    Attributes:
        goal: The goal, in the goal language; or instead
        maximize: A numeric expression, in the goal language.
        minimize: A metric of the game; by default its first one.
        certify: Whether z3 must confirm what was proved in floating point, in the time left.
        plans: How many plans of the same least cost to find, none of which holds all that another one holds.
        on_better: Called with each better plan for a goal while a cheaper one is looked for, replayed, in this
            thread.
    """

    goal: str | None = option("What should become true, such as 'vcp(Axis) >= 40'.", "EXPR", default=None)
    _: KW_ONLY
    maximize: str | None = option("What should become as large as possible, instead of a goal.", "EXPR", default=None)
    minimize: str | None = option(
        "What the plan is to save; `vclogic rules GAME` lists them.", "METRIC", default=None
    )
    certify: bool = option("Prove the optimum in exact arithmetic; z3's proofs always are.", default=False)
    plans: int = option("Show up to N cheapest plans that take other things.", "N", default=1)
    on_better: Callable[[Plan], object] | None = None

    def answer(self, request: Request) -> Plan:
        """The plan with its proof; `impossible` or `unknown` if there is none.

        Raises:
            InputError: The goal or a choice is wrong.
        """
        if (self.goal is None) == (self.maximize is None):
            raise InputError(Diagnostic("missing-goal", "say either what to reach or what to maximize"))
        check_numbers(timeout=self.timeout, plans=self.plans, within=self.within)
        return self._largest(request, self.maximize) if self.goal is None else self._cheapest(request, self.goal)

    def _cheapest(self, request: Request, goal: str) -> Plan:
        from vclogic.query.plan.cheapest import plan

        more: dict[str, Any] = {"certify": self.certify, "plans": self.plans}
        with request.resolved(self, request.goal(goal), self.minimize, **more) as resolved:
            found = plan(resolved, on_better=self.on_better)
            if found.status != "impossible":
                return found
            from vclogic.query.stalled_play import plan_unless_stalled

            return plan_unless_stalled(resolved, found)

    def _largest(self, request: Request, expression: str | None) -> Plan:
        from vclogic.query.plan.maximize import maximize
        from vclogic.terms.expressions.resolve import check_meaning, compile_value
        from vclogic.terms.sorts import IntSort

        assert expression is not None
        compiled = compile_value(expression, request.setup.system.vocabulary, choice("maximize"))
        defined = compiled.partial.defined
        if not isinstance(compiled.partial.value.sort, IntSort):
            raise InputError(Diagnostic("wrong-value", "what to maximize must be a number", choice("maximize"), 1, 1))
        check_meaning(expression, defined, defined, choice("maximize"))
        sought = Goal(expression, defined, compiled.mentions, meaning=defined)
        more: dict[str, Any] = {"certify": self.certify, "plans": self.plans}
        with request.resolved(self, sought, self.minimize, **more) as resolved:
            found = maximize(resolved, compiled.partial)
            if found.status == "impossible":
                check_defined(request.setup.system, expression, defined, resolved.effort, "maximize")
            return found
