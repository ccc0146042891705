"""Answers of the questions: frozen results, with the fields of the JSON documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from vclogic.model.actions import Event
from vclogic.model.fluents import Value
from vclogic.model.step_text import Under
from vclogic.model.system import Events
from vclogic.query.exposure import Exposure
from vclogic.query.fought import Battles
from vclogic.query.outcome_status import OutcomeStatus, remarks

if TYPE_CHECKING:
    from vclogic.query.explained import Explained
    from vclogic.query.position import Listed
    from vclogic.query.traced import TracedStep


@dataclass(frozen=True)
class TableStatus:
    """A table of the game.

    Attributes:
        title: What it shows.
        head: What its rows are.
        columns: The columns.
        rows: For each row and column the entries with their values.
        cites: Clause ids.
    """

    title: str
    head: str
    columns: tuple[str, ...]
    rows: Mapping[str, Mapping[str, Mapping[str, Value]]]
    cites: tuple[str, ...]


@dataclass(frozen=True)
class Status:
    """The winner, and each side's progress towards each outcome.

    Attributes:
        game: What it is called: `encoding/scenario`, or `encoding: title`.
        winner: The side that was first to win, or None.
        view: The side whose knowledge was asked for, or None for all of it.
        outcomes: Each outcome in use for each side.
        observables: Expression to value; None where it is undefined.
        assumptions: What the answer rests on.
        tables: The game's tables, where they were asked for.
        explanations: Why each outcome is met or not, where that was asked for.
        not_judged: What the record was believed in, since the rule text does not speak of it.
        trace: What each step of the record changed; None where that was not asked for.
        position: Who is where and who controls what, where that was asked for.
    """

    game: str
    winner: str | None
    view: str | None
    outcomes: tuple[OutcomeStatus, ...]
    observables: Mapping[str, Value | None]
    assumptions: tuple[str, ...]
    tables: tuple[TableStatus, ...] = ()
    explanations: tuple[Explained, ...] = ()
    not_judged: tuple[str, ...] = ()
    trace: tuple[TracedStep, ...] | None = None
    position: tuple[Listed, ...] = ()

    @property
    def remarks(self) -> tuple[str, ...]:
        """Sentences about the outcomes: when each is judged, what is undefined, who has enough already."""
        return remarks(self.outcomes)


@dataclass(frozen=True)
class Step:
    """One step of a plan or witness.

    Attributes:
        n: Its number, from 1.
        turn: The schedule when it is taken (such as round and turn), or None where turn order is ignored.
        actor: Who acts.
        action: Name of the action.
        args: Its arguments.
        text: The sentence for a player.
        cites: Clause ids that the step rests on.
        under: What it is part of, if several steps make one; not in the JSON document.
    """

    n: int
    turn: Mapping[str, Value] | None
    actor: str | None
    action: str
    args: Mapping[str, Value]
    text: str
    cites: tuple[str, ...]
    under: Under | None = None


@dataclass(frozen=True)
class Recorded:
    """A plan or witness as a record.

    Attributes:
        events: The events as a position file may hold them, from the start to the goal; None where no order of them
            was found that the rules accept.
        reason: Why there are none.
        decided: Whether that is more than that the time was up.
    """

    events: tuple[Event, ...] | None
    reason: str = ""
    decided: bool = True


@dataclass(frozen=True)
class Horizon:
    """The limit of a statement.

    Attributes:
        n: The limit; None: none.
        unit: What is counted, in the singular.
    """

    n: int | None
    unit: str


@dataclass(frozen=True)
class Maximum:
    """The largest value of an expression.

    Attributes:
        expr: The expression as asked.
        value: The largest value found, or None if nothing was found.
        upper_bound: It cannot be larger.
    """

    expr: str
    value: int | None
    upper_bound: int


@dataclass(frozen=True)
class OnePlan:
    """One of several plans.

    Attributes:
        steps: The plan.
        record: The plan as a record.
        battles: Its battles with their chances, as in the answer.
    """

    steps: tuple[Step, ...]
    record: Recorded
    battles: Battles | None = None


@dataclass(frozen=True)
class Plans:
    """Plans of the same least cost, of which none holds all that another one holds.

    Attributes:
        found: The plans, each replayed; the first is the plan of the answer.
        complete: Whether there is no other; plans count as the same where they differ in order or in events that are
            interchangeable for the goal, such as which power of a side captures.
        reason: Why it is not known whether there are more, if it is not.
    """

    found: tuple[OnePlan, ...]
    complete: bool
    reason: str = ""


@dataclass(frozen=True)
class Plan:
    """The cheapest way to a goal.

    Attributes:
        game: What it is called: `encoding/scenario`, or `encoding: title`.
        goal: The goal as asked.
        heading: What the planning model leaves out.
        status: `optimal`, `feasible` (a plan, but cheaper ones are not excluded), `impossible` or `unknown`.
        metric: What is counted.
        cost: Cost of the plan, or None without one.
        lower_bound: No plan costs less; None where no plan exists or nothing is known.
        bound_by: Who proved that bound, or that there is no plan.
        exact: Whether that proof is in exact arithmetic, and takes nothing for granted.
        argued: What else it takes for granted: there is an argument for it that no program checks.
        horizon: The limit that the statement is about.
        events: The events that plans may hold, and those that the planning model leaves out.
        steps: The plan.
        record: The plan as a record; None without a plan.
        replayed: Whether the Python evaluator has played it and found the goal true; None without a plan.
        assumptions: What the answer rests on.
        reason: Why nothing better is known, for `feasible` and `unknown`.
        elapsed_s: Seconds taken.
        maximum: What was maximised, where that was asked; the plan is then a cheapest one to that value, and
            `optimal` also says that the value cannot be larger.
        plans: Several plans of the same least cost, where more than one was asked for.
        battles: The plan's battles with their chances; None where it is no record, or fights none that dice decide.
        exposed: What the enemies can take back after each turn of the plan, where the game says how.
        scale: Costs and bounds are in so many parts of one: with 1000 a cost of 3214 means 3.214; None: in ones.
        counted: What such a cost counts, after a number, such as `units expected to be lost`.
    """

    game: str
    goal: str
    heading: str
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
    assumptions: tuple[str, ...]
    reason: str
    elapsed_s: float
    maximum: Maximum | None = None
    argued: tuple[str, ...] = ()
    plans: Plans | None = None
    battles: Battles | None = None
    exposed: Exposure | None = None
    scale: int | None = None
    counted: str = ""


@dataclass(frozen=True)
class ProofText:
    """Why a goal cannot be reached.

    Attributes:
        method: How it is proved, such as `closure`; the glossary explains each. `bounded`: up to the limit only.
        k: Depth of the induction, for `k-induction`: after so many states in a row without the goal no step leads to
            it, and the first so many states are without it.
        horizon: The limit, for `bounded`; None for an unbounded proof.
        invariant: What holds in every state that can be reached, in words: for `invariants`, `closure` and `spacer`
            it excludes the goal, for `k-induction` it is what the induction takes for granted.
        rechecked: Whether a fresh plain solver confirmed an unbounded proof; for `exhaustive`: whether each position
            was looked at once more by itself.
        positions: How many positions can be reached, for `exhaustive`.
    """

    method: str
    k: int | None
    horizon: Horizon | None
    invariant: tuple[str, ...]
    rechecked: bool
    positions: int | None = None


@dataclass(frozen=True)
class Reach:
    """A record that reaches a goal, or the proof that there is none.

    Attributes:
        game: What it is called: `encoding/scenario`, or `encoding: title`.
        goal: The goal as asked.
        heading: What the planning model leaves out.
        by: By which events: `all`, under what the game assumes; `rules` for all, without that; else the
            name of a metric, for the steps of its planning model.
        events: The events that were looked at, and those that were not: which a planning model leaves out, or which
            cannot change the answer.
        status: `reachable`, `unreachable` or `unknown`.
        depth: Steps of the witness.
        steps: The witness.
        record: The witness as a record; None without one.
        proof: Why not, for `unreachable`.
        replayed: Whether the Python evaluator has played the witness; None without one.
        assumptions: What the answer rests on.
        reason: Why nothing is known, for `unknown`.
        elapsed_s: Seconds taken.
        not_judged: What the events of the witness are believed in, since the rule text does not say.
    """

    game: str
    goal: str
    heading: str
    by: str
    events: Events
    status: Literal["reachable", "unreachable", "unknown"]
    depth: int | None
    steps: tuple[Step, ...]
    record: Recorded | None
    proof: ProofText | None
    replayed: bool | None
    assumptions: tuple[str, ...]
    reason: str
    elapsed_s: float
    not_judged: tuple[str, ...] = ()


@dataclass(frozen=True)
class Rendered:
    """A picture that was drawn.

    Attributes:
        game: What it is called: `encoding/scenario`, or `encoding: title`.
        file: Where it was written; None: nowhere.
        regions: How many regions it shows.
        turns: The turns whose moves it shows.
        svg: Its text.
    """

    game: str
    file: str | None
    regions: int
    turns: tuple[int, ...]
    svg: str
