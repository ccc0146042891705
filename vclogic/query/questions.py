"""The questions of this package. The class of each is imported when it is first used: who asks one needs no other.

Names that a module imports when they are used: PEP 562, and SPEC 1 of Scientific Python.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vclogic.query.ask.question import AskQuestion as AskQuestion
    from vclogic.query.compare.question import CompareQuestion as CompareQuestion
    from vclogic.query.force.question import DefendQuestion as DefendQuestion
    from vclogic.query.force.question import ForceQuestion as ForceQuestion
    from vclogic.query.force.question import SurvivesQuestion as SurvivesQuestion
    from vclogic.query.missing.question import MissingQuestion as MissingQuestion
    from vclogic.query.objectives.question import BriefingQuestion as BriefingQuestion
    from vclogic.query.odds.question import OddsQuestion as OddsQuestion
    from vclogic.query.plan.question import PlanQuestion as PlanQuestion
    from vclogic.query.reach.question import ReachQuestion as ReachQuestion
    from vclogic.query.solve.question import SolveQuestion as SolveQuestion
else:
    _FOLDERS = {
        "AskQuestion": "ask",
        "BriefingQuestion": "objectives",
        "CompareQuestion": "compare",
        "DefendQuestion": "force",
        "ForceQuestion": "force",
        "MissingQuestion": "missing",
        "OddsQuestion": "odds",
        "PlanQuestion": "plan",
        "ReachQuestion": "reach",
        "SolveQuestion": "solve",
        "SurvivesQuestion": "force",
    }

    def __getattr__(name: str) -> type:
        if name not in _FOLDERS:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"vclogic.query.{_FOLDERS[name]}.question"), name)
