"""Answers about turns against an opponent who answers, with the fields of the JSON documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from vclogic.by_value import ByValue
from vclogic.document_keys import IF_ANY, TEXT_ONLY
from vclogic.model.fluents import Layout, State, Value, written
from vclogic.model.system import Events
from vclogic.query.answers import GoalAnswer, Horizon, Step


@dataclass(frozen=True)
class TurnTaken(ByValue):
    """One turn.

    Attributes:
        turn: The schedule as it begins, such as round and turn.
        actor: Whose turn it is.
        steps: What is done in it; empty: nothing.
        chosen: The same by the choices of the planning model.
        due: Whether it is only what a side has to choose within a turn of another.
    """

    turn: Mapping[str, Value]
    actor: str
    steps: tuple[Step, ...]
    chosen: Mapping[str, int] = field(default_factory=dict, metadata=TEXT_ONLY)
    due: bool = field(default=False, metadata=TEXT_ONLY)


@dataclass(frozen=True)
class Variation(ByValue):
    """Some turns of one side, and the answer to them.

    Attributes:
        when: Facts after these turns by which they are known, fluent to value: this answer is given where all of them
            hold and those of no case before this one. Empty: in all other cases, or there is nothing to answer yet.
        such_as: One example of the turns that are answered.
        turns: The answer: turns of the other side, one after the other. Where it does not say what the side has to
            choose within the turns that are answered, nothing is chosen: the planning model says what comes of that.
        reached: Whether the goal holds right after the answer.
        then: What the first side may do then, case by case, with the further answers. Empty: whatever it does, no
            further answer is needed, unless cases are missing.
        partial: Whether cases are missing in what may be done then, since the time was up or there are too many.
    """

    when: Mapping[str, Value]
    such_as: tuple[TurnTaken, ...]
    turns: tuple[TurnTaken, ...]
    reached: bool
    then: tuple[Variation, ...]
    partial: bool = field(default=False, metadata=IF_ANY)


def case_at(cases: Sequence[Variation], layout: Layout, state: State) -> Variation | None:
    """The case that answers a position; None: none does."""
    values, named = layout.values(state), layout.by_name
    return next((c for c in cases if all(written(values[named[f]]) == written(v) for f, v in c.when.items())), None)


@dataclass(frozen=True)
class LinesChecked:
    """A second check of an answer, by a program that does not know how it was found.

    Attributes:
        positions: The positions in which the next turn was looked up.
        replies: The turns that were answered there.
        every: Whether these are all legal turns; else a sample of them.
        recorded: Lines of play whose events were also played as a record, and accepted by the rules one by one.
        refused: Other lines, whose events are no record, since the planning model leaves out what the rules ask for.
        refusal: Why the first of these is none.
    """

    positions: int
    replies: int
    every: bool
    recorded: int = 0
    refused: int = 0
    refusal: str = field(default="", metadata=IF_ANY)


@dataclass(frozen=True, kw_only=True)
class TurnsAnswer(GoalAnswer):
    """The head of an answer about turns against an opponent.

    Attributes:
        side: The side that is asked about.
        metric: The planning model whose steps are the turns.
        horizon: The most turns that were asked for.
    """

    side: str
    metric: str
    horizon: Horizon


@dataclass(frozen=True, kw_only=True)
class Force(TurnsAnswer):
    """A strategy that forces a goal, or the replies that prevent it.

    Attributes:
        status: `forced`, `refuted` or `unknown`.
        side: The side that forces it.
        turns: The fewest turns of the side within which it is forced; None if it is not, or if that is open.
        at_least: It is not forced within fewer turns.
        horizon: The most turns of the side that were asked for.
        strategy: How the goal is forced; empty if it holds already.
        refutation: How it is prevented, within all turns that were asked for.
        checked: How that was checked once more; None without an answer.
    """

    status: Literal["forced", "refuted", "unknown"]
    side: str
    metric: str
    turns: int | None = None
    at_least: int = 0
    horizon: Horizon
    events: Events
    strategy: tuple[Variation, ...] = ()
    refutation: tuple[Variation, ...] = ()
    checked: LinesChecked | None = None


@dataclass(frozen=True, kw_only=True)
class Defence(TurnsAnswer):
    """The fewest moves of a turn after which the other side cannot force a threat.

    Attributes:
        status: `defended`, `lost` (no turn prevents it) or `unknown`.
        side: The side that defends.
        moves: The fewest choices of the turn; None without one.
        at_least: No turn with fewer choices is enough.
        horizon: Within how many turns of the other side the threat must not come.
        defence: The turn, and what is answered to each attempt after it.
        attack: How the threat is forced against every turn; for `defended`, against every turn with fewer choices.
        checked: How that was checked once more; None without an answer.
    """

    status: Literal["defended", "lost", "unknown"]
    side: str
    metric: str
    moves: int | None = None
    at_least: int = 0
    horizon: Horizon
    events: Events
    defence: tuple[Variation, ...] = ()
    attack: tuple[Variation, ...] = ()
    checked: LinesChecked | None = None

    @property
    def threat(self) -> str:
        """The threat as asked: the goal of the others."""
        return self.goal


@dataclass(frozen=True, kw_only=True)
class Survival(TurnsAnswer):
    """The strongest reply to a plan, and whether the plan survives it.

    Attributes:
        status: `survives`, `stopped` or `unknown`.
        side: The side whose plan it is.
        turns: How many turns of its side the plan takes if nobody answers.
        latest: The plan's turn by whose number the goal comes against the strongest reply; None if it does not.
        stopped_at: For `stopped`: the number of the plan's turn that becomes illegal; None where all can be played
            and the goal does not hold in the end.
        horizon: The most turns of the plan.
        line: The turns against the strongest reply, as far as the plan can be played.
    """

    status: Literal["survives", "stopped", "unknown"]
    side: str
    metric: str
    turns: int = 0
    latest: int | None = None
    stopped_at: int | None = None
    horizon: Horizon
    events: Events
    line: tuple[TurnTaken, ...] = ()
