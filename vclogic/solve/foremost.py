"""One plan of many that are equally good: the same in every run, whichever engine answers first."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from vclogic.solve import budgets
from vclogic.solve.session import Answer, Deadline
from vclogic.terms.build import and_, any_of, not_
from vclogic.terms.term import Term


def foremost(choices: Sequence[Term], answer: Answer, ask: Callable[[Term, float], Answer]) -> Answer:
    """Of all solutions the one that makes the first choice if any does, then the second if any of those does, ...

    Args:
        choices: Bool variables, in their order.
        answer: A solution.
        ask: Looks for a solution for which a term holds, for so many seconds.

    Returns:
        That solution; where the time does not suffice, one that shares its first choices.
    """
    deadline = Deadline(budgets.CHOOSING)
    settled: list[Term] = []
    done = 0
    while done < len(choices):
        made = next((i for i in range(done, len(choices)) if answer.values.get(choices[i])), len(choices))
        sooner = choices[done:made]
        if sooner:
            better = ask(and_(*settled, any_of(sooner)), deadline.left)
            if better.verdict == "sat":
                answer = better
                continue
            if better.verdict == "unknown":
                return answer
        settled += [*map(not_, sooner), *choices[made : made + 1]]
        done = made + 1
    return answer
