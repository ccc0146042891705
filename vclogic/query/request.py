"""A request: the position that a question starts from, and the resources for it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypedDict

from vclogic.choices import choice
from vclogic.clock import Deadline, until
from vclogic.files.output import check_output, write_text
from vclogic.files.record import Events
from vclogic.files.setup import Setup
from vclogic.model.fluents import State
from vclogic.model.system import Metric
from vclogic.progress import Listener, silent
from vclogic.query.plan_request import DEFAULT_TIMEOUT, Ask, Mentions, check_choices, check_numbers, side_for
from vclogic.terms.event_words import ONLY_REACH, RefusedWords, StepWords

if TYPE_CHECKING:
    from vclogic.solve.backends.session import Effort
    from vclogic.terms.resolve import Goal


class Patience(TypedDict, total=False):
    """Time limit and progress; all keys are optional.

    Attributes:
        timeout: Seconds, after which the answer is what is known by then; the rest is `unknown`.
        progress: Called with a `Progress` during the work.
    """

    timeout: float
    progress: Listener


class Spending(Patience, total=False):
    """The resources of a question; all keys are optional.

    Attributes:
        dump: A file for all solver queries and verdicts, as portable SMT-LIB.
    """

    dump: str | None


@dataclass(frozen=True)
class Request:
    """The start of a question, and its resources.

    Attributes:
        setup: The rule set and its settings.
        state: The state in which it is asked.
        spending: The resources.
        began: When it was asked, on the clock of `time.monotonic`.
    """

    setup: Setup
    state: State
    spending: Spending
    began: float = field(default_factory=time.monotonic)

    @property
    def timeout(self) -> float:
        """Seconds."""
        return self.spending.get("timeout", DEFAULT_TIMEOUT)

    @property
    def progress(self) -> Listener:
        """Called with the progress of the work."""
        return self.spending.get("progress", silent)

    @property
    def assumptions(self) -> tuple[str, ...]:
        """The assumptions of any answer."""
        return (*self.setup.system.notes, *self.setup.chosen_in_words)

    def goal(self, text: str, steps: StepWords | RefusedWords = ONLY_REACH, *, option: str = "goal") -> Goal:
        """Compile a goal.

        Args:
            text: The goal, in the goal language.
            steps: The meaning of `before`, `happens` and `actor`, or why they are not allowed.
            option: What it is given as.

        Raises:
            InputError: It is wrong.
        """
        from vclogic.terms.resolve import compile_goal

        return compile_goal(text, self.setup.system.vocabulary, choice(option), steps)

    @contextmanager
    def effort(self, *others: Setup) -> Iterator[Effort]:
        """The resources, from now on; at the end the solver queries are written, if requested.

        Args:
            others: Other games whose files must not be overwritten.

        Raises:
            InputError: The time limit is invalid, or the file to write is also read.
        """
        from vclogic.solve.backends.session import Effort, Transcript  # not needed to say who has won

        check_numbers(self.timeout)
        transcript = None
        dump = self.spending.get("dump")
        if dump is not None:
            check_output(dump, [name for setup in (self.setup, *others) for name in setup.files], choice("dump"))
            transcript = Transcript(dump)
        deadline = Deadline(self.timeout - (time.monotonic() - self.began), self.began)
        with until(deadline):
            yield Effort(deadline, self.progress, transcript)
        if transcript:
            write_text(transcript.file, transcript.text)

    @contextmanager
    def ask(
        self,
        mentions: Mentions,
        *,
        side: str | None,
        metric: str | None,
        within: int | None,
        opponent: str,
        certify: bool = False,
        plans: int = 1,
        optional: bool = False,
        option: str = "minimize",
        without: Sequence[Events] = (),
        every: bool = False,
    ) -> Iterator[Ask]:
        """Build a question about the future, with the user's choices checked.

        Args:
            mentions: The names in the goal.
            side: The side that moves.
            metric: Name of the kind of steps.
            within: The horizon.
            opponent: The opponent's behaviour, as metrics call it.
            certify: Whether z3 must confirm what was proved in floating point.
            plans: How many plans of the same least cost are wanted.
            optional: Whether every side may move if none is given.
            option: What the metric is given as.
            without: Events that are left out.
            every: Whether the question is about all events of the rules.

        Raises:
            InputError: A choice is wrong.
        """
        system = self.setup.system
        moving = side_for(system, mentions, side, opponent, optional=optional)
        kind = check_choices(system, metric, within, opponent, self.timeout, option)
        from vclogic.query.conditions import leaving_out

        left_out = leaving_out(system, None if every else kind, without)
        with self.effort() as effort:
            asked = self.question(moving, opponent, kind, effort, within)
            yield replace(asked, certify=certify, plans=plans, without=left_out)

    def question(self, side: str | None, opponent: str, metric: Metric, effort: Effort, within: int | None) -> Ask:
        """A question about the future, from choices that have been checked.

        Args:
            side: The side that moves.
            opponent: The opponent's behaviour, as metrics call it.
            metric: The kind of steps.
            within: The horizon.
        """
        return Ask(
            game=self.setup.game,
            system=self.setup.system,
            state=self.state,
            settings=self.setup.chosen_in_words,
            side=side,
            opponent=opponent,
            metric=metric,
            effort=replace(effort, scale=metric.scale),
            within=within,
        )
