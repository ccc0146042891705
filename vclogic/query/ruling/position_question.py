"""A question in a position, as the parts of the answer take it."""

from __future__ import annotations

from dataclasses import dataclass

from vclogic.files.record import RecordStep
from vclogic.files.setup import Setup
from vclogic.model.fluents import State
from vclogic.model.system import System
from vclogic.query.ruling.question import RulesQuestion


@dataclass(frozen=True)
class PositionQuestion:
    """A question in a position.

    Attributes:
        setup: The rule set, the settings, the start.
        record: What has happened since the start.
        states: The state before the record, and after each of its steps; the last one is asked about.
        question: The question.
    """

    setup: Setup
    record: tuple[RecordStep, ...]
    states: tuple[State, ...]
    question: RulesQuestion

    @property
    def system(self) -> System:
        """The rule set."""
        return self.setup.system

    @property
    def state(self) -> State:
        """The state that is asked about."""
        return self.states[-1]
