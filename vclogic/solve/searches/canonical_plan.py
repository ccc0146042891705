"""The canonical one of several optimal plans: the same in every run, whichever engine answers first."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from vclogic.clock import Deadline, TimeUp
from vclogic.solve.backends.session import Answer
from vclogic.terms.build import and_, any_of, in_mask, not_
from vclogic.terms.sorts import members_of
from vclogic.terms.term import Term


def lexicographically_first(
    choices: Sequence[Term], answer: Answer, ask: Callable[[Term, float], Answer], seconds: float
) -> Answer:
    """The lexicographically first solution: it makes the first choice if any solution does, then the second, ...

    An Enum choice counts as one choice per member except the first, which means that nothing is done.

    Args:
        choices: Bool and Enum variables, in their order.
        answer: A solution.
        ask: Searches for a solution that satisfies a term, within a number of seconds.
        seconds: The time limit.

    Returns:
        That solution; if the time does not suffice, one that shares its first choices.
    """
    deadline = Deadline(seconds)
    made = [(v, n, _is(v, n)) for v in choices for n in ((1,) if v.is_bool else members_of(v.mask & ~1))]
    settled: list[Term] = []
    done = 0
    while done < len(made):
        here = next((i for i in range(done, len(made)) if answer.values.get(made[i][0]) == made[i][1]), len(made))
        sooner = [t for _, _, t in made[done:here]]
        # One question covers all choices before the next one that this solution makes: can any of them be made?
        if sooner:
            try:
                better = ask(and_(*settled, any_of(sooner)), deadline.left)
            except TimeUp:
                return answer
            if better.verdict == "sat":
                answer = better
                continue
            if better.verdict == "unknown":
                return answer
        settled += [*map(not_, sooner), *(t for _, _, t in made[here : here + 1])]
        done = here + 1
    return answer


def _is(choice: Term, number: int) -> Term:
    return choice if choice.is_bool else in_mask(choice, 1 << number)
