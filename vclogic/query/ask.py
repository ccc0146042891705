"""What `plan` and `reach` have in common: the question made precise."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from vclogic.errors import Diagnostic, InputError, did_you_mean
from vclogic.model.fluents import State
from vclogic.model.system import ANY, IDLE, OPPONENTS, Metric, System
from vclogic.model.transition import Transition
from vclogic.terms.term import Term

if TYPE_CHECKING:
    from vclogic.solve.session import Effort, Progress, Transcript

DEFAULT_TIMEOUT = 60.0
Mentions = Sequence[tuple[str, str]]
"""Sort and name of each member that a goal names."""


def silent(message: str) -> None:
    """Progress that nobody wants to see."""


@dataclass(frozen=True)
class Choices:
    """What a user may say beside the goal, not yet checked; see `Game.plan`."""

    side: str | None
    metric: str | None
    within: int | None
    opponent: str
    timeout: float
    progress: Progress
    dump: str | None
    certify: bool = False


@dataclass(frozen=True)
class Ask:
    """A question about what can happen from a state.

    Attributes:
        game: `encoding/scenario`.
        system: The rule set.
        state: The state to start from.
        settings: What was chosen, in words, for the assumptions.
        side: The side that plans; None: every side moves.
        opponent: `idle` or `any`.
        metric: The kind of steps.
        within: The most steps that count.
        timeout: Seconds until the answer is `unknown`.
        progress: Told how far the search is.
        transcript: Takes down what is asked of solvers.
        certify: Whether z3 is to confirm what was proved in floating point.
    """

    game: str
    system: System
    state: State
    settings: tuple[str, ...]
    side: str | None
    opponent: str
    metric: Metric
    within: int | None = None
    timeout: float = DEFAULT_TIMEOUT
    progress: Progress = silent
    transcript: Transcript | None = None
    certify: bool = False
    began: float = field(default_factory=time.monotonic)

    @property
    def effort(self) -> Effort:
        """What may be spent from now on."""
        from vclogic.solve.session import Deadline, Effort  # not needed to say who has won

        return Effort(Deadline(self.timeout - self.elapsed), self.progress, self.transcript)

    @property
    def elapsed(self) -> float:
        """Seconds since the question was asked."""
        return time.monotonic() - self.began

    @property
    def start(self) -> dict[Term, Term]:
        """The value of every fluent, as constants."""
        return dict(self.system.layout.constants(self.state))

    @property
    def invariants(self) -> list[Term]:
        """What every well-formed position satisfies."""
        return [rule.kept for rule in self.system.invariants]

    def transition(self) -> Transition:
        """The steps."""
        return self.metric.transition(self.side, self.opponent, self.start)

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the answer rests on."""
        moving = "every side moves" if self.side is None else f"the {self.side} move"
        if self.side is not None and self.opponent == IDLE:
            moving += "; the opponent is idle"
        elif self.side is not None:
            moving += "; the opponent makes any legal steps, at no cost"
        number = f"{self.within} {self.metric.unit}" + ("" if self.within == 1 else "s")
        limit = () if self.within is None else (f"at most {number}",)
        found = (*self.metric.assumptions(self.side, self.opponent), moving, *limit)
        return (*found, *self.system.notes, *self.settings)


def side_for(
    system: System, mentions: Mentions, given: str | None, opponent: str, *, optional: bool = False
) -> str | None:
    """The side that plans: as given, or the only one that the goal names.

    Args:
        system: The rule set.
        mentions: What the goal names.
        given: A side or power that the user named.
        opponent: `idle` or `any`.
        optional: Whether every side may move where none is given.

    Raises:
        InputError: There is no such side, or the goal names none or several.
    """
    if given is not None:
        side = system.side_of(given)
        if side is None:
            known = [*system.sides, *(p for powers in system.sides.values() for p in powers)]
            raise InputError(
                Diagnostic("unknown-name", f"unknown side {given!r}", "--side", help=did_you_mean(given, known))
            )
        return side
    if optional and opponent == ANY:
        return None
    named = {system.side_of(name) for _, name in mentions} - {None}
    if len(named) == 1:
        return named.pop()
    problem = "the goal names no side" if not named else "the goal names more than one side"
    hint = f"say which side moves: --side {' or --side '.join(system.sides)}"
    raise InputError(Diagnostic("missing-side", f"{problem}, so it is not clear who moves", "--side", help=hint))


def check_choices(system: System, choices: Choices) -> Metric:
    """The metric that was chosen, the other choices checked.

    Raises:
        InputError: All that is wrong with them.
    """
    wrong = []
    found = system.metric(choices.metric)
    if found is None:
        hint = did_you_mean(str(choices.metric), [m.name for m in system.metrics])
        wrong.append(Diagnostic("unknown-name", f"unknown metric {choices.metric!r}", "--minimize", help=hint))
    if choices.opponent not in OPPONENTS:
        hint = did_you_mean(choices.opponent, OPPONENTS)
        wrong.append(Diagnostic("unknown-name", f"unknown opponent {choices.opponent!r}", "--opponent", help=hint))
    if choices.within is not None and choices.within < 0:
        wrong.append(Diagnostic("out-of-range", f"a horizon of {choices.within} is less than nothing", "--within"))
    wrong += _out_of_range(choices.timeout)
    if wrong or found is None:
        raise InputError(wrong)
    return found


def check_numbers(timeout: float, limit: int = 1, option: str = "--limit") -> None:
    """Checks a time-out, and how many of something are wanted.

    Raises:
        InputError: All that is wrong with them.
    """
    wrong = _out_of_range(timeout)
    if limit < 1:
        wrong.append(Diagnostic("out-of-range", f"{limit}: it must be 1 at least", option))
    if wrong:
        raise InputError(wrong)


def _out_of_range(timeout: float) -> list[Diagnostic]:
    if 0 < timeout < math.inf:
        return []
    message = f"a time-out of {timeout} seconds: it must be more than 0 and finite"
    return [Diagnostic("out-of-range", message, "--timeout")]
