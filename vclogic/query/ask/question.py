"""The question for a ruling."""

from __future__ import annotations

from dataclasses import KW_ONLY
from typing import TYPE_CHECKING

from vclogic.query.question import GameQuestion, Request, option, value
from vclogic.query.resolved_question import check_numbers

if TYPE_CHECKING:
    from vclogic.query.ask.answer import Ruled


@value()
class AskQuestion(GameQuestion["Ruled"]):
    """The ruling of the rules on a question here: facts, clauses, and the Readings that would change it.

    What is not known in time is left open, and the answer says what.

    Attributes:
        question: An expression of the goal language; an event as in a record, such as
            `place: {power: Germans, ...}`; or an outcome with its side, such as `major_victory Axis`.
        explain: Whether to tell everything that the answer rests on too, met or not.
        all_readings: Whether to list each other value of each Reading too, with the answer under it.
    """

    question: str
    _: KW_ONLY
    explain: bool = False
    all_readings: bool = option("Also list each other value of each Reading, with the answer.", default=False)

    def answer(self, request: Request) -> Ruled:
        """The ruling.

        Raises:
            InputError: The question is wrong.
        """
        check_numbers(timeout=self.timeout)

        from vclogic.query.ask.ruling import ask

        return ask(request, self.question, explain=self.explain, all_readings=self.all_readings)
