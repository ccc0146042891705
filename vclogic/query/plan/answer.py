"""The answer of a plan: its steps, its cost, and what is known of cheaper ones."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from vclogic.by_value import ByValue
from vclogic.document_keys import AFTER, IF_ANY, LAST
from vclogic.model.system import Events
from vclogic.query.answers import GoalAnswer, Horizon, Recorded, Step
from vclogic.query.plan.risks import Battles, Exposure


@dataclass(frozen=True)
class Maximum:
    """The largest value of an expression.

    Attributes:
        expr: The expression as asked.
        value: The largest value found, or None if nothing was found.
        upper_bound: It cannot be larger.
        confirmed_by: Who confirms that it is the largest: another solver with its version, or `whole numbers`; empty:
            nobody was asked, or knew.
    """

    expr: str
    value: int | None
    upper_bound: int
    confirmed_by: str = field(default="", metadata=IF_ANY)


@dataclass(frozen=True)
class OnePlan(ByValue):
    """One of several plans.

    Attributes:
        steps: The plan.
        record: The plan as a record.
        battles: Its battles with their chances, as in the answer.
    """

    steps: tuple[Step, ...]
    record: Recorded
    battles: Battles | None = field(default=None, metadata=IF_ANY)


@dataclass(frozen=True)
class Plans(ByValue):
    """Plans of the same least cost, of which none holds all that another one holds.

    Attributes:
        found: The plans, each replayed; the first is the plan of the answer.
        complete: Whether there is no other; plans count as the same where they differ in order or in events that are
            interchangeable for the goal, such as which power of a side captures.
        reason: Why it is not known whether there are more, if it is not.
    """

    found: tuple[OnePlan, ...]
    complete: bool
    reason: str = field(default="", metadata=IF_ANY)


@dataclass(frozen=True, kw_only=True)
class Plan(GoalAnswer):
    """The cheapest way to a goal.

    Attributes:
        status: `optimal`, `feasible` (a plan, but cheaper ones are not excluded), `impossible` or `unknown`.
        metric: What is counted.
        cost: Cost of the plan, or None without one.
        lower_bound: No plan costs less; None where no plan exists or nothing is known.
        bound_by: Who proved that bound, or that there is no plan.
        exact: Whether that proof is in exact arithmetic, and takes nothing for granted.
        argued: What else it takes for granted: there is an argument for it that no program checks.
        horizon: The limit that the statement is about.
        steps: The plan.
        record: The plan as a record; None without a plan.
        replayed: Whether the Python evaluator has played it and found the goal true; None without a plan.
        maximum: What was maximised, where that was asked; the plan is then a cheapest one to that value, and
            `optimal` also says that the value cannot be larger.
        plans: Several plans of the same least cost, where more than one was asked for.
        battles: The plan's battles with their chances; None where it is no record, or fights none that dice decide.
        exposed: What the enemies can take back after each turn of the plan, where the game says how.
        scale: Costs and bounds are in so many parts of one: with 1000 a cost of 3214 means 3.214; None: in ones.
        counted: What such a cost counts, after a number, such as `units expected to be lost`.
        confirmed_by: The other solver that agrees with the proof, with its version, or `positions`, each of which was
            looked at once more; empty: nobody was asked, or knew.
    """

    status: Literal["optimal", "feasible", "impossible", "unknown"]
    metric: str
    cost: int | None
    lower_bound: int | None
    bound_by: str | None
    exact: bool
    horizon: Horizon
    events: Events
    steps: tuple[Step, ...]
    record: Recorded | None
    replayed: bool | None
    argued: tuple[str, ...] = field(default=(), metadata=IF_ANY | AFTER)
    maximum: Maximum | None = field(default=None, metadata=IF_ANY | AFTER)
    plans: Plans | None = field(default=None, metadata=IF_ANY | AFTER)
    battles: Battles | None = field(default=None, metadata=IF_ANY | AFTER)
    exposed: Exposure | None = field(default=None, metadata=IF_ANY | AFTER)
    scale: int | None = field(default=None, metadata=IF_ANY | LAST)
    counted: str = field(default="", metadata=IF_ANY | LAST)
    confirmed_by: str = field(default="", metadata=IF_ANY | AFTER)
