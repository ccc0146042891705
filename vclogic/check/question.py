"""The question for faults of a rule set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from vclogic.query.question import Request, SolverQuestion, option, value

if TYPE_CHECKING:
    from vclogic.check.findings import Checked


@value(kw_only=True)
class CheckQuestion(SolverQuestion["Checked"]):
    """Check the rule set for faults; `docs/findings.md` explains the codes.

    Attributes:
        scope: All well-formed positions; or `reachable`, to search for play from this moment to each finding.
        select: Codes or prefixes of codes to check; none: all.
        ignore: Codes or prefixes of codes to leave out.
        rulings: Ask instead what no ruling of the file tells: small changes of its lines, and its Readings.
    """

    scope: Literal["positions", "reachable"] = option(
        "All positions that could stand on the board (default), or also whether play leads there.",
        default="positions",
    )
    select: Sequence[str] = option("Look for these codes only, such as VC1 or VC104.", "CODES", default=())
    ignore: Sequence[str] = option("Do not look for these codes.", "CODES", default=())
    rulings: bool = option("Ask what no ruling of the file tells, with rulings to paste.", default=False)

    def answer(self, request: Request) -> Checked:
        """The findings, and what could not be decided.

        Raises:
            InputError: There is no such code, or the encoding's `checks.yaml` is wrong.
        """
        if self.rulings:
            from vclogic.check.rulings.untested_rules import untold

            return untold(request, (self.select, self.ignore)).checked
        from vclogic.check.run import check

        return check(request, self.scope, (self.select, self.ignore))
