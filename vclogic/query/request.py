"""A question as it is put: where it starts from, and what may be spent on it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypedDict

from vclogic.clock import Deadline, until
from vclogic.files.output import check_output, write_text
from vclogic.files.setup import Setup
from vclogic.model.fluents import State
from vclogic.progress import Listener, silent
from vclogic.query.plan_request import DEFAULT_TIMEOUT, Ask, Mentions, check_choices, check_numbers, side_for
from vclogic.terms.event_words import ONLY_REACH, Refused, StepWords

if TYPE_CHECKING:
    from vclogic.solve.backends.session import Effort
    from vclogic.terms.resolve import Goal


class Patience(TypedDict, total=False):
    """How long somebody waits for an answer; all of it may be left out.

    Attributes:
        timeout: Seconds, after which the answer is what is known by then; the rest is unknown.
        progress: Told how far the work is, each time by a `Progress`.
    """

    timeout: float
    progress: Listener


class Spending(Patience, total=False):
    """What may be spent on a question.

    Attributes:
        dump: A file for everything that is asked of solvers, as portable SMT-LIB with their answers.
    """

    dump: str | None


@dataclass(frozen=True)
class Request:
    """Where a question starts from, and what may be spent on it.

    Attributes:
        setup: The rule set and its settings.
        state: The moment it is asked at.
        spending: What may be spent.
        began: When it was asked, as of `time.monotonic`.
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
        """Told how far the work is."""
        return self.spending.get("progress", silent)

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What any answer rests on."""
        return (*self.setup.system.notes, *self.setup.chosen_in_words)

    def goal(self, text: str, steps: StepWords | Refused = ONLY_REACH) -> Goal:
        """A goal of the goal language.

        Args:
            text: The goal.
            steps: What it may say of the last event of a record, or why it may not.

        Raises:
            InputError: It is wrong.
        """
        from vclogic.terms.resolve import compile_goal

        return compile_goal(text, self.setup.system.vocabulary, "--goal", steps)

    @contextmanager
    def effort(self, *others: Setup) -> Iterator[Effort]:
        """What may be spent, from now on; what was asked of solvers is written when it is over, where that is wanted.

        Args:
            others: Other games whose files must not be written over.

        Raises:
            InputError: The time-out is none, or the file is one that is read.
        """
        from vclogic.solve.backends.session import Effort, Transcript  # not needed to say who has won

        check_numbers(self.timeout)
        transcript = None
        dump = self.spending.get("dump")
        if dump is not None:
            check_output(dump, [name for setup in (self.setup, *others) for name in setup.files], "--dump-smt2")
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
        optional: bool = False,
    ) -> Iterator[Ask]:
        """The question what can happen, with what the user chose checked.

        Args:
            mentions: What the goal names.
            side: Who moves.
            metric: Name of the kind of steps.
            within: The most steps that count.
            opponent: What the other side does, as metrics call it.
            certify: Whether z3 is to confirm what was proved in floating point.
            optional: Whether every side may move where none is given.

        Raises:
            InputError: A choice is wrong.
        """
        system = self.setup.system
        moving = side_for(system, mentions, side, opponent, optional=optional)
        kind = check_choices(system, metric, within, opponent, self.timeout)
        with self.effort() as effort:
            yield Ask(
                game=self.setup.game,
                system=system,
                state=self.state,
                settings=self.setup.chosen_in_words,
                side=moving,
                opponent=opponent,
                metric=kind,
                effort=effort,
                within=within,
                certify=certify,
            )
