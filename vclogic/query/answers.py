"""Answers of the questions: frozen results, with the fields of the JSON documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from vclogic.by_value import ByValue
from vclogic.document_keys import AFTER, IF_ANY, LAST, TEXT_ONLY, then
from vclogic.explore.endings import BestPlayOdds
from vclogic.model.actions import Event
from vclogic.model.fluents import Value
from vclogic.model.step_text import Under
from vclogic.model.system import Events
from vclogic.query.plan.risks import Battles, Exposure
from vclogic.query.status.headline import headline
from vclogic.query.status.outcomes import OutcomeStatus, remarks

if TYPE_CHECKING:
    from vclogic.explore.table import BestPlayTable
    from vclogic.query.explanation import Explained
    from vclogic.query.status.position import PositionPart


@dataclass(frozen=True)
class Changed:
    """A change by a step.

    Attributes:
        what: A fact as `state:` of a position file names it, an expression of the goal language, or an outcome and
            its side.
        before: Its value before the step; None: undefined.
        after: Its value after it.
        about: For a fact: what it is about, in the game's words, such as a unit.
        says: For a fact: what it says of that now, such as `is broken`; see `vclogic.model.sayings.Said`.
    """

    what: str
    before: Value | None
    after: Value | None
    about: str = ""
    says: str = ""


@dataclass(frozen=True)
class TracedStep:
    """One step of a record, with what it changes.

    Attributes:
        step: Its number, counted from 1.
        event: The event, as in a record.
        facts: The facts that it changes.
        values: The values that `status` shows and that it changes, such as points and controllers.
        outcomes: The outcomes whose status it changes (`met`, `unmet`, `undefined`).
    """

    step: int
    event: str
    facts: tuple[Changed, ...]
    values: tuple[Changed, ...] = ()
    outcomes: tuple[Changed, ...] = ()


@dataclass(frozen=True, kw_only=True)
class GameAnswer(ByValue):
    """The head of every answer.

    Attributes:
        game: What it is called: `encoding/scenario`, or `encoding: title`.
        assumptions: What the answer rests on.
    """

    game: str = field(metadata=TEXT_ONLY)
    assumptions: tuple[str, ...] = field(metadata=AFTER)


@dataclass(frozen=True, kw_only=True)
class SearchAnswer(GameAnswer):
    """The head of an answer that takes a search.

    Attributes:
        status: What was found, in a word; `unknown` where the time was up before.
        elapsed_s: Seconds taken.
        reason: Why nothing better is known; empty where nothing better can be.
    """

    status: str
    elapsed_s: float = field(default=0.0, metadata=AFTER)
    reason: str = field(default="", metadata=IF_ANY | LAST)


@dataclass(frozen=True, kw_only=True)
class GoalAnswer(SearchAnswer):
    """The head of an answer about plans, or turns, that lead to a goal.

    Attributes:
        goal: The goal as asked.
        heading: What the planning model leaves out.
        events: The events that plans and turns may hold, and those that the planning model leaves out.
    """

    goal: str = field(metadata=TEXT_ONLY)
    heading: str = field(metadata=TEXT_ONLY)
    events: Events


@dataclass(frozen=True)
class TableStatus(ByValue):
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


@dataclass(frozen=True, kw_only=True)
class Status(GameAnswer):
    """The winner, and each side's progress towards each outcome.

    Attributes:
        winner: The side that was first to win, or None.
        winners: All sides that have won: several where they meet their outcomes at one moment and the rules name no
            single winner.
        over: Whether the game is over: a side has won, the rules say so, or it is stuck.
        stuck: Whether whoever is on turn can do nothing, and nobody has won; where the rules can tell.
        view: The side whose knowledge was asked for, or None for all of it.
        outcomes: Each outcome in use for each side.
        observables: Expression to value; None where it is undefined.
        turn: Whose turn it is, by the names of the schedule.
        tables: The game's tables, where they were asked for.
        explanations: Why each outcome is met or not, where that was asked for.
        not_judged: What the record was believed in, since the rule text does not speak of it.
        trace: What each step of the record changed; None where that was not asked for.
        position: Who is where and who controls what, where that was asked for.
    """

    winner: str | None = field(metadata=then("headline"))
    winners: tuple[str, ...] = ()
    over: bool = False
    stuck: bool = field(default=False, metadata=IF_ANY)
    view: str | None
    outcomes: tuple[OutcomeStatus, ...] = field(metadata=then("remarks"))
    observables: Mapping[str, Value | None]
    turn: Mapping[str, Value] = field(default_factory=dict)
    not_judged: tuple[str, ...] = ()
    tables: tuple[TableStatus, ...] = field(default=(), metadata=IF_ANY | AFTER)
    position: tuple[PositionPart, ...] = field(default=(), metadata=IF_ANY | AFTER)
    explanations: tuple[Explained, ...] = field(default=(), metadata=IF_ANY | AFTER)
    trace: tuple[TracedStep, ...] | None = field(default=None, metadata=IF_ANY | AFTER)

    @property
    def headline(self) -> str:
        """The result in a sentence: who has won by what, or that nobody has, and whether the game is over."""
        over = self.over and not self.stuck
        return headline(self.winners, self.outcomes, over=over, stuck=self.stuck, view=self.view)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Sentences about the outcomes: when each is judged, what is undefined, who has enough already."""
        return remarks(self.outcomes)


@dataclass(frozen=True)
class Step(ByValue):
    """One step of a plan or witness.

    Attributes:
        n: Its number, from 1.
        turn: The schedule when it is taken (such as round and turn), or None where turn order is ignored.
        actor: Who acts.
        action: Name of the action.
        args: Its arguments.
        text: The sentence for a player.
        cites: Clause ids that the step rests on.
        under: What it is part of, if several steps make one.
    """

    n: int
    turn: Mapping[str, Value] | None
    actor: str | None
    action: str
    args: Mapping[str, Value]
    text: str
    cites: tuple[str, ...]
    under: Under | None = field(default=None, metadata=TEXT_ONLY)


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
        kept: What the goal needs and no event brings back, in words: play that loses it was left out, since it never
            leads to the goal.
        confirmed_by: Who confirms it: another solver with its version, such as `cvc5 1.4.2`; `z3`, where a
            fresh run of it alone does; `terms`, which contradict each other before a solver is asked; `whole
            numbers`; or nobody.
    """

    method: str
    k: int | None
    horizon: Horizon | None
    invariant: tuple[str, ...]
    rechecked: bool
    positions: int | None = field(default=None, metadata=IF_ANY)
    kept: tuple[str, ...] = field(default=(), metadata=IF_ANY)
    confirmed_by: str = field(default="", metadata=IF_ANY)


@dataclass(frozen=True)
class AgainstProof(ByValue):
    """A position that the laws of the game allow, and the event that leads from it to a goal, replayed.

    A proof by what every event keeps fails there. If play never comes to it, a law that excludes it may help.

    Attributes:
        changes: Each fact that differs from the start, and its value: as few as can be.
        step: The event.
    """

    changes: Mapping[str, Value]
    step: Step


@dataclass(frozen=True, kw_only=True)
class Reach(GoalAnswer):
    """A record that reaches a goal, or the proof that there is none.

    Attributes:
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
        not_judged: What the events of the witness are believed in, since the rule text does not say.
        against_proof: For `unknown`: where a proof fails, if that was found.
    """

    by: str
    events: Events
    status: Literal["reachable", "unreachable", "unknown"]
    depth: int | None
    steps: tuple[Step, ...]
    record: Recorded | None
    proof: ProofText | None
    replayed: bool | None
    not_judged: tuple[str, ...] = field(default=(), metadata=IF_ANY | LAST)
    against_proof: AgainstProof | None = field(default=None, metadata=IF_ANY | LAST)


@dataclass(frozen=True)
class Rendered(ByValue):
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
    svg: str = field(metadata=TEXT_ONLY)


@dataclass(frozen=True)
class Stuck(ByValue):
    """A position in which nothing is legal, nobody has won, and the rules do not say that the game is over.

    Attributes:
        record: The fewest events that lead there.
        facts: What differs there from where the question was asked: each fact with its value.
    """

    record: Recorded
    facts: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Solved(SearchAnswer):
    """The winner if both sides play as well as can be.

    Attributes:
        side: Of more than two sides the one against which all others play together; else None.
        status: `solved`; or `unknown`, where the search was cut off or the rules leave something open.
        value: `win`: a side wins; `draw`: the game ends and nobody has won; `endless`: neither side wins, and one can
            keep the game going for ever; `odds`: chance decides; `open`: not known.
        winner: The side that wins; None where none is sure to.
        turns: After how many turns, at most; a turn is a run of events that one side decides. None without a winner.
        safe: The sides that can be sure not to lose.
        keeps: The sides that can keep the game going for ever without losing.
        odds: What can be expected, where chance decides; else None.
        positions: How many positions were reached.
        events: How many legal events were found in them.
        looked_at: How many of them are finished: what may happen in them is known, or nothing does any more.
        decided: Of how many of them the value is known; None: best play was not worked out.
        depth: How many events the longest of the shortest ways to a position has.
        complete: Whether these are all positions that play can reach.
        stuck: How many positions there are in which nothing is legal and nothing is decided.
        stuck_first: Some of them, the nearest first.
        over: In how many of them the game is over, or a side has won.
        only_pass: In how many of them whoever decides can do nothing but pass.
        best: All events here that are best play: what each leads to is worth as much, and wins as soon.
        steps: Best play of both sides from here on, up to where chance decides.
        repeats_from: The step with which the play begins again; None where it comes to an end.
        record: The steps as a record; None where there are none.
        checked: Whether every position's claim was checked against the positions that its events lead to; None: it
            was not checked.
        table: Best play from every position; see `vclogic.explore.table.BestPlayTable`.
    """

    side: str | None = field(default=None, metadata=IF_ANY)
    status: Literal["solved", "unknown"]
    value: Literal["win", "draw", "endless", "odds", "open"] = "open"
    winner: str | None = None
    turns: int | None = None
    safe: tuple[str, ...] = ()
    keeps: tuple[str, ...] = ()
    odds: BestPlayOdds | None = None
    positions: int
    events: int
    looked_at: int
    decided: int | None = None
    depth: int
    complete: bool = False
    stuck: int = 0
    stuck_first: tuple[Stuck, ...] = ()
    over: int = 0
    only_pass: int = 0
    best: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    repeats_from: int | None = None
    record: Recorded | None = None
    checked: bool | None = None
    table: BestPlayTable | None = field(default=None, metadata=TEXT_ONLY)
