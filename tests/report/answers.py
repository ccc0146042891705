"""Answers made by hand, for the reports to show."""

from __future__ import annotations

from vclogic.model.actions import Event
from vclogic.model.system import Events
from vclogic.query.answers import Horizon, Recorded, Step
from vclogic.query.plan.answer import Maximum, Plan
from vclogic.query.reach.answer import ProofText, Reach
from vclogic.query.status.answer import Status
from vclogic.query.status.outcomes import OutcomeStatus
from vclogic.query.test.rulings import CaseResult, CheckedExpectation, Tested

POWERS = ("Red", "Blue")


def capture(n: int, area: str, *, turn: int | None = None) -> Step:
    when: dict[str, int | str] | None = None if turn is None else {"round": turn, "turn": "Red"}
    return Step(
        n, when, "Red", "capture", {"power": "Red", "area": area}, f"Red take {area} from Home", ("C/1", "C/2")
    )


def passes(first: int, rounds: range) -> tuple[Step, ...]:
    turns = [(r, p) for r in rounds for p in POWERS]
    return tuple(
        Step(n, {"round": r, "turn": p}, p, "end_turn", {}, f"{p} end their turn", ())
        for n, (r, p) in enumerate(turns, first)
    )


def plan(**changes: object) -> Plan:
    fields: dict[str, object] = {
        "game": "skirmish/spring",
        "goal": "points(Red) >= 2",
        "heading": "control only",
        "status": "optimal",
        "metric": "captures",
        "cost": 2,
        "lower_bound": 2,
        "bound_by": "z3",
        "exact": True,
        "horizon": Horizon(None, "capture"),
        "events": Events(("capture", "end_turn"), ("attack", "purchase")),
        "steps": (capture(1, "Ford"), capture(2, "Hill [north]")),
        "record": Recorded((Event("capture", (("power", "Red"), ("area", "Ford"))), Event("end_turn"))),
        "replayed": True,
        "assumptions": ("armies left out", "the Red side moves"),
        "reason": "",
        "elapsed_s": 0.25,
    }
    return Plan(**{**fields, **changes})  # type: ignore[arg-type]


def reach(**changes: object) -> Reach:
    fields: dict[str, object] = {
        "game": "skirmish/spring",
        "goal": "points(Red) >= 9",
        "heading": "control only",
        "by": "all",
        "events": Events(("attack", "capture", "end_turn"), ("purchase",)),
        "status": "unreachable",
        "depth": None,
        "steps": (),
        "record": None,
        "proof": ProofText("positions", None, None, (), True),
        "replayed": None,
        "assumptions": ("armies left out",),
        "reason": "",
        "elapsed_s": 0.5,
    }
    return Reach(**{**fields, **changes})  # type: ignore[arg-type]


def outcome(
    rule: str, side: str, status: str, have: int | None, need: int | None, **changes: object
) -> OutcomeStatus:
    fields: dict[str, object] = {
        "level": None,
        "cites": ("V/1",),
        "text": f"{side} hold enough",
        "when": "at the end",
    }
    fields |= {"rule": rule, "side": side, "status": status, "have": have, "need": need}
    return OutcomeStatus(**{**fields, **changes})  # type: ignore[arg-type]


def status(*outcomes: OutcomeStatus, **changes: object) -> Status:
    fields: dict[str, object] = {
        "game": "skirmish/spring",
        "winner": None,
        "view": None,
        "outcomes": outcomes,
        "observables": {"turn": "Red", "points(Red)": 2, "bid": None, "supplied(Red)": True},
        "assumptions": ("reading ties=none",),
    }
    return Status(**{**fields, **changes})  # type: ignore[arg-type]


MAXIMUM = Maximum("points(Red)", 4, 6)
HELD = CheckedExpectation("owner(Ford) == Red", "owner(Ford) == Red", True)
TESTED = Tested(
    ("skirmish",),
    (
        CaseResult("a ford is taken", ("C/1",), "skirmish", (HELD,)),
        CaseResult(
            "a hill [is] held",
            ("C/2",),
            "skirmish",
            (
                CheckedExpectation("round == 1", "round == 1", True, line=7, column=7),
                CheckedExpectation("owner(Hill) == Red", "owner(Hill) is Blue", False, line=8, column=7),
            ),
            "cases/hills.yaml",
        ),
    ),
)
