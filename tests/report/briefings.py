"""Briefings made by hand, for the report and the JSON document to show."""

from __future__ import annotations

from tests.report.answers import capture
from vclogic.model.system import Events
from vclogic.query.answers import Horizon, Recorded
from vclogic.query.objectives.answer import (
    Cost,
    Denial,
    DenialSet,
    Landmark,
    Landmarks,
    Leak,
    Next,
    Objectives,
    ObjectiveValue,
    Stop,
    Threat,
    Winning,
    WinningSet,
)
from vclogic.query.plan.answer import OnePlan

LIMIT = Horizon(3, "capture")
OPEN = "the time is up"


def cost(n: int, least: int = 2) -> Cost:
    """A cost that is proved, beside that of the cheapest plan."""
    return Cost("optimal", n, n, n - least, "z3", True, LIMIT)


NONE = Cost("impossible", bound_by="z3", horizon=LIMIT)
UNKNOWN = Cost("unknown", lower_bound=2, horizon=LIMIT, reason=OPEN)


def one_plan(*areas: str) -> OnePlan:
    """A plan that captures areas."""
    return OnePlan(tuple(capture(n, area) for n, area in enumerate(areas, 1)), Recorded(()))


def winning_set(n: int, *takes: str, least: int = 2, **changes: object) -> WinningSet:
    """A winning set whose plan captures nothing else."""
    fields: dict[str, object] = {
        "n": n,
        "takes": takes,
        "cost": cost(len(takes), least),
        "smallest": True,
        "cheapest": len(takes) == least,
        "plan": one_plan(*takes),
    }
    return WinningSet(**{**fields, **changes})  # type: ignore[arg-type]


def value(name: str, holder: str | None = "Blue", **changes: object) -> ObjectiveValue:
    """The value of a city; by default Blue has it and it costs nothing more to take it first."""
    fields: dict[str, object] = {
        "name": name,
        "kind": "city",
        "places": (name,),
        "worth": "2 points",
        "holder": holder,
        "held": holder == "Red",
        "cheapest": 0,
        "first": None if holder == "Red" else cost(2),
        "lost": cost(3) if holder == "Red" else None,
        "closed": None if holder == "Red" else cost(2),
    }
    return ObjectiveValue(**{**fields, **changes})  # type: ignore[arg-type]


SETS = (winning_set(1, "Ford", "Hill"), winning_set(2, "Ford", "Mill", "Tower"))
STOP = Stop("stopped", Cost("optimal", 1, 1, None, "z3", True, Horizon(1, "turn")), one_plan("Dale"), "moves")
THREAT = Threat(
    side="Blue",
    goal="points(Blue) >= 3",
    horizon=LIMIT,
    cost=cost(1, 1),
    winning=Winning(
        (winning_set(1, "Camp", least=1),), complete=True, all_found=True, all_cheapest=True, total=1, cheapest=1
    ),
    stop=STOP,
)


def briefing(**changes: object) -> Objectives:
    """A briefing in which all is decided."""
    fields: dict[str, object] = {
        "game": "skirmish/spring",
        "side": "Red",
        "goal": "points(Red) >= 2",
        "heading": "control only",
        "metric": "captures",
        "scale": 1,
        "status": "optimal",
        "cost": cost(2),
        "horizon": LIMIT,
        "events": Events(("capture", "end_turn"), ("attack",)),
        "objectives": (
            value("Camp", "Red"),
            value("Ford", cheapest=1, closed=NONE),
            value("Hill", None, cheapest=1, closed=cost(3)),
            value("Mill", first=cost(3)),
            value("Tower", first=cost(3)),
        ),
        "winning": Winning(SETS, complete=True, all_found=True, all_cheapest=True, total=2, cheapest=1),
        "landmarks": Landmarks((Landmark("Ford", True, "z3", True), Landmark("Dale", False, "z3", True))),
        "denial": Denial(
            (
                DenialSet(("Ford",), "z3", True, (Leak("Ford", 1),)),
                DenialSet(("Hill", "Mill"), "z3", True, (Leak("Hill", 1), Leak("Mill", 2))),
            ),
            complete=True,
            all_found=True,
            total=2,
        ),
        "threats": (THREAT,),
        "next": Next((capture(1, "Ford"),), Recorded(()), SETS[0].plan, cost(2), ("Ford", "Hill")),
        "conditions": (),
        "assumptions": ("armies left out",),
        "elapsed_s": 0.25,
    }
    return Objectives(**{**fields, **changes})  # type: ignore[arg-type]


NO_SETS = Winning((), complete=True, all_found=True, all_cheapest=True)


def out_of_reach() -> Objectives:
    """A briefing where there is no plan within the limit, and no threat either."""
    return briefing(
        status="impossible",
        cost=NONE,
        objectives=tuple(value(f"Hill {n}", first=NONE, closed=NONE) for n in range(2)),
        winning=NO_SETS,
        landmarks=Landmarks(()),
        denial=Denial((), complete=True, all_found=True),
        threats=(Threat("Blue", "points(Blue) >= 9", LIMIT, NONE, NO_SETS, None),),
        next=None,
    )


def undecided() -> Objectives:
    """A briefing for which there was no time."""
    nothing = Winning((), complete=False, all_cheapest=False, reason=OPEN)
    return briefing(
        status="unknown",
        cost=UNKNOWN,
        objectives=(value("Hill", first=UNKNOWN, closed=UNKNOWN), value("Camp", "Red", lost=UNKNOWN)),
        winning=nothing,
        landmarks=Landmarks((), ("Hill",), OPEN),
        denial=Denial((), complete=False, reason=OPEN),
        threats=(Threat("Blue", "points(Blue) >= 9", LIMIT, UNKNOWN, nothing, None),),
        next=None,
    )


def partly() -> Objectives:
    """A briefing of which each part is decided in part."""
    found = Cost("feasible", 3, 2, bound_by="z3", horizon=LIMIT, reason=OPEN)
    sets = (winning_set(1, "Ford", "Hill", "Mill", cost=found, smallest=False, cheapest=False),)
    stop = Stop("unknown", UNKNOWN, None, "moves", OPEN)
    winning = Winning(sets, complete=False, all_cheapest=False, reason=OPEN, total=1)
    return briefing(
        status="feasible",
        cost=found,
        objectives=(value("Ford", first=found, closed=NONE), value("Hill", first=UNKNOWN, closed=found)),
        winning=winning,
        landmarks=Landmarks((), ("Mill", "Tower"), OPEN),
        denial=Denial((DenialSet(("Ford",), "z3", True, (Leak("Ford", 1),)),), complete=False, reason=OPEN, total=1),
        threats=(Threat("Blue", "points(Blue) >= 3", LIMIT, found, winning, stop),),
        conditions=("the plan holds no event capture: {area: Dale}",),
    )
