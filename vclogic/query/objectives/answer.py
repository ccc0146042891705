"""The answer of `objectives`: frozen results, with the fields of the JSON document.

To *take* an objective is to have it after some step of a plan, and not at the start. A goal is in reach if a plan of
at most so many counted steps leads to it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from vclogic.document_keys import IF_ANY, LAST, TEXT_ONLY
from vclogic.model.system import Events
from vclogic.query.answers import GoalAnswer, Horizon, Recorded, Step
from vclogic.query.plan.answer import OnePlan

Verdict = Literal["optimal", "feasible", "impossible", "unknown"]
LISTED = "not all that were found are listed"
"""Why a list is not complete where all sets were found, but no more were asked for."""


@dataclass(frozen=True)
class Cost:
    """The cost of the cheapest plan of some kind, as far as it is known.

    Attributes:
        status: `optimal`, `feasible` (there may be a cheaper one), `impossible` (there is none) or `unknown`.
        cost: The cost of the best plan found; None without one.
        lower_bound: No such plan costs less; None: nothing is known.
        difference: How much more that is than the cheapest plan of all costs; None unless both are known.
        bound_by: What proves the bound, or that there is no plan.
        exact: Whether that proof is in exact arithmetic.
        horizon: The limit under which that holds.
        reason: Why more is not known.
    """

    status: Verdict
    cost: int | None = None
    lower_bound: int | None = None
    difference: int | None = None
    bound_by: str | None = None
    exact: bool = True
    horizon: Horizon | None = None
    reason: str = field(default="", metadata=IF_ANY | LAST)


@dataclass(frozen=True)
class ObjectiveValue:
    """An objective, and what it is worth for the goal.

    Attributes:
        name: Its name.
        kind: What it is.
        places: The regions of the picture that it is in.
        worth: What it brings the side, in words.
        holder: The side that has it; None: nobody, or several.
        held: Whether the side that plans has it.
        cheapest: In how many of the cheapest winning sets it is; None where these are not known.
        first: The fewest moves of a plan that takes it before any other objective; None where it is held, or cannot
            be had by the side.
        lost: The fewest moves once an enemy has taken it; None where it is not held, or where no position is known
            in which it is lost.
        closed: The fewest moves of a plan that never has it; None where it is held.
    """

    name: str
    kind: str
    places: tuple[str, ...]
    worth: str
    holder: str | None
    held: bool
    cheapest: int | None = None
    first: Cost | None = None
    lost: Cost | None = None
    closed: Cost | None = None


@dataclass(frozen=True)
class WinningSet:
    """Objectives that some plan takes, and a cheapest plan that takes no others.

    Attributes:
        n: Its number, from 1, cheapest first.
        takes: Their names, in the order of the game.
        cost: What that plan costs.
        smallest: Whether no smaller part of them is enough within the limit. Where it is not, that part costs more.
            None: not known.
        cheapest: Whether no plan for the goal costs less.
        plan: The plan.
    """

    n: int
    takes: tuple[str, ...]
    cost: Cost
    smallest: bool | None
    cheapest: bool
    plan: OnePlan


@dataclass(frozen=True)
class Winning:
    """The winning sets.

    Attributes:
        sets: The sets, cheapest first, then those of fewer objectives, then in the order of the game.
        complete: Whether there is no other smallest set within the limit.
        all_cheapest: Whether all cheapest ones are among them.
        reason: Why it is not known whether there are more, or why not all are listed.
        total: How many were found, listed or not.
        cheapest: How many of these are cheapest.
        all_found: Whether all smallest sets within the limit and all cheapest ones were found, listed or not.
    """

    sets: tuple[WinningSet, ...]
    complete: bool
    all_found: bool = field(default=False, kw_only=True)
    all_cheapest: bool
    reason: str = field(default="", metadata=IF_ANY | LAST)
    total: int = 0
    cheapest: int = 0


@dataclass(frozen=True)
class Landmark:
    """An objective that every plan within the limit takes.

    Attributes:
        name: The objective, or another place that can be taken.
        main: Whether it is one of the objectives that the game is about.
        bound_by: What proves that there is no plan without it.
        exact: Whether that proof is in exact arithmetic.
    """

    name: str
    main: bool
    bound_by: str
    exact: bool


@dataclass(frozen=True)
class Landmarks:
    """All landmarks.

    Attributes:
        found: The landmarks.
        open: Names of which it is not known whether they are landmarks.
        reason: Why.
    """

    found: tuple[Landmark, ...]
    open: tuple[str, ...] = ()
    reason: str = field(default="", metadata=IF_ANY | LAST)


@dataclass(frozen=True)
class Leak:
    """The winning set that opens if one objective of a denial set is not kept.

    Attributes:
        name: The objective.
        winning: The number of a winning set that takes it and no other of the denial set.
    """

    name: str
    winning: int


@dataclass(frozen=True)
class DenialSet:
    """Objectives that the opponent must keep: while the side never has any of them, the goal is out of reach.

    Attributes:
        keeps: Their names, in the order of the game.
        bound_by: What proves that there is no plan.
        exact: Whether that proof is in exact arithmetic.
        leaks: For each of them a plan, if that one is not kept and all others are.
    """

    keeps: tuple[str, ...]
    bound_by: str
    exact: bool
    leaks: tuple[Leak, ...]


@dataclass(frozen=True)
class Denial:
    """The smallest denial sets: no part of one of them is enough.

    Attributes:
        sets: The sets, those of fewest objectives first, then in the order of the game.
        complete: Whether there are no others.
        reason: Why that is not known, or why not all are listed.
        total: How many were found, listed or not.
        all_found: Whether there are no others, listed or not.
    """

    sets: tuple[DenialSet, ...]
    complete: bool
    reason: str = field(default="", metadata=IF_ANY | LAST)
    all_found: bool = False
    total: int = 0


@dataclass(frozen=True)
class Stop:
    """The fewest moves of the side after which an enemy has no plan within its limit.

    Attributes:
        status: `stopped`; `lost` (no moves of the side stop it); `unknown`.
        cost: What these moves cost; by `defend`, how many choices the turn takes.
        plan: The moves; None without them.
        by: How it was asked: `defend` (in turn order, now) or `moves` (before the enemy moves, whatever turn it is).
        reason: Why more is not known.
        bound_by: What proves that the enemy has no plan after them; None unless it is stopped.
        exact: Whether that proof is in exact arithmetic.
    """

    status: Literal["stopped", "lost", "unknown"]
    cost: Cost
    plan: OnePlan | None
    by: Literal["defend", "moves"]
    reason: str = field(default="", metadata=IF_ANY | LAST)
    bound_by: str | None = None
    exact: bool = True


@dataclass(frozen=True)
class Threat:
    """The winning sets of an enemy.

    Attributes:
        side: The enemy.
        goal: Its goal.
        horizon: The limit of its plans.
        cost: What its cheapest plan costs; `impossible`: there is no threat within the limit.
        winning: Its winning sets, cheapest first.
        stop: What stops all its plans; None where there is nothing to stop.
    """

    side: str
    goal: str
    horizon: Horizon
    cost: Cost
    winning: Winning
    stop: Stop | None


@dataclass(frozen=True)
class Next:
    """The first steps of a plan to follow.

    Attributes:
        steps: The steps up to the end of the first turn in which the side moves; where turn order is ignored, the
            first step.
        record: The same as a record.
        plan: The whole plan.
        cost: What it costs.
        takes: The objectives that it takes, in the order in which it takes them.
        continued: Whether it goes on with the plan of the answer before.
    """

    steps: tuple[Step, ...]
    record: Recorded
    plan: OnePlan
    cost: Cost
    takes: tuple[str, ...]
    continued: bool = False


@dataclass(frozen=True, kw_only=True)
class Objectives(GoalAnswer):
    """A briefing of one side.

    Attributes:
        side: The side.
        metric: What the cost counts.
        scale: Costs are in such parts of one where that is not 1.
        status: `optimal`, `feasible`, `impossible` (there is no plan within the limit) or `unknown`.
        cost: What the cheapest plan costs.
        horizon: The limit of plans; where none was asked for, as many counted steps as the cheapest plan takes.
        objectives: All objectives that the game is about.
        winning: The winning sets.
        landmarks: What every plan takes.
        denial: What the opponent must keep.
        threats: What enemies can win with.
        next: The first steps of a plan to follow; None where there is no plan.
        conditions: The conditions on plans, in words.
    """

    status: Verdict
    side: str
    goal: str
    metric: str
    scale: int
    cost: Cost
    horizon: Horizon
    conditions: tuple[str, ...]
    events: Events
    objectives: tuple[ObjectiveValue, ...]
    winning: Winning
    landmarks: Landmarks
    denial: Denial
    threats: tuple[Threat, ...]
    next: Next | None
    reason: str = field(default="", metadata=TEXT_ONLY)
