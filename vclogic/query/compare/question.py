"""The question where two rule sets disagree."""

from __future__ import annotations

from dataclasses import KW_ONLY, replace
from typing import TYPE_CHECKING

from vclogic.query.question import Askable, Request, SolverQuestion, option, value
from vclogic.query.resolved_question import check_numbers

if TYPE_CHECKING:
    from vclogic.query.compare.answer import Comparison


@value()
class CompareQuestion(SolverQuestion["Comparison"]):
    """Compare the rules of this game with those of another, from the position of each.

    Attributes:
        other: The same game under other settings, another scenario, or another game.
        on: What to compare: an outcome, an observable, an event or an expression; None: everything.
        within: The horizon: the largest number of counted steps.
        numbers: How many values of each numeric argument to compare, from the smallest.
    """

    other: Askable
    on: str | None = option(
        "Compare only an outcome, an observable, an event or an expression.", "WHAT", default=None
    )
    _: KW_ONLY
    within: int | None = option("The most steps of a record.", "N", default=None)
    numbers: int = option("How many numbers to try in events. Default: 1.", "N", default=1)

    def answer(self, request: Request) -> Comparison:
        """The nearest position in which they disagree, with a record that leads there; or a proof that they never do.

        Raises:
            InputError: A choice is wrong, or nothing in both is called so.
        """
        from vclogic.query.compare.answer import Compared, ComparedGame
        from vclogic.query.compare.differences import compare

        check_numbers(timeout=self.timeout, numbers=self.numbers, within=self.within)
        a, b = ComparedGame(request.setup, request.state), ComparedGame(self.other.setup, self.other.state)
        of_a, of_b = a.setup.chosen_in_words, b.setup.chosen_in_words
        own = (("A", a.setup.texts_in_words, of_b), ("B", b.setup.texts_in_words, of_a))
        texts = [f"{letter}: {line}" for letter, lines, others in own for line in lines if line not in others]
        both = (*texts, *(x for x in of_a if x in of_b))
        with request.effort(b.setup) as effort:
            found = compare(Compared(a, b, self.on, self.within, self.numbers, effort, both))
            return replace(found, elapsed_s=effort.elapsed_s)
