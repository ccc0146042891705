"""The least cost of an answer, by questions to a session of a solver, and the canonical one of equal answers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from vclogic.clock import TIME_UP, Deadline, TimeUp
from vclogic.model.fluents import numbered
from vclogic.progress import Tell, untold
from vclogic.solve.backends.session import GIVEN_UP, Answer
from vclogic.terms.build import and_, any_of, in_mask, le, not_
from vclogic.terms.rewrite import substitute
from vclogic.terms.sorts import members_of
from vclogic.terms.term import Term, variables

T = TypeVar("T")
Probe = Callable[[int, int, int], int]
"""The limit of the next question, given the lower bound, the least cost known, and how much to refute at once."""


@dataclass(frozen=True)
class Narrowed(Generic[T]):
    """The bounds of a cost as far as they could be brought together.

    Attributes:
        best: The best solution.
        paid: Its cost.
        low: No solution costs less.
        reason: Why the search ended early, if it did.
    """

    best: T
    paid: int
    low: int
    reason: str

    @property
    def proved(self) -> bool:
        """True if no solution costs less than the best one."""
        return self.low >= self.paid


def strides(low: int, paid: int, stride: int) -> int:
    """From the lower bound on in growing strides: small costs are refuted fast, and most optima are small."""
    return min(low + stride - 1, paid - 1)


def leaps(low: int, paid: int, stride: int) -> int:
    """From the best solution on in growing strides: better ones are found fast, and most refutations are fast too."""
    return max(paid - stride, low)


def halves(low: int, paid: int, _: int) -> int:
    """The middle."""
    return (low + paid) // 2


def downwards(_: int, paid: int, __: int) -> int:
    """One less each time, where the solution is likely to be the best one already."""
    return paid - 1


def narrow(
    check: Callable[[Term, float], Answer],
    cost: Term,
    best: T,
    paid: int,
    low: int,
    *,
    by: Probe = strides,
    hard: Literal["insist", "stop", "skip", "leave"] = "insist",
    patience: float = math.inf,
    found: Callable[[Answer], object] = lambda answer: None,
    progress: Tell = untold,
) -> Narrowed[T | Answer]:
    """Close the gap between the bounds of a cost.

    Args:
        check: Asks for a solution that satisfies one term more, for so many seconds at most.
        cost: The term to minimize.
        best: A solution.
        paid: Its cost.
        low: A lower bound of the cost.
        by: Chooses the limits that are asked about.
        hard: After a question that was given up others are tried, then again with more time (`insist`), or the search
            stops, or it goes on as if nothing cost less, which proves nothing (`skip`), or the costs on both sides of
            the limit are asked about as far as that is fast (`leave`).
        patience: Seconds for one question at first.
        found: Called with each better solution.
        progress: Called with the bounds.
    """
    low = refuted = max(low, cost.lo)
    here: T | Answer = best
    stride, reason, bet = 1, "", "sat" if by is leaps else "unsat"
    first = end = low  # limits that were left: from the first up to below the end
    try:
        while low < paid:
            progress("looking for a cheaper plan", paid, low)
            if end >= paid and first <= low:
                break
            limits = [max(by(low, paid, stride), end) if end < paid else (low + first - 1) // 2]
            if hard == "insist":  # a question can be hard where its neighbours are easy
                limits = list(dict.fromkeys((*limits, low, paid - 1)))
            for limit in limits:
                answer = check(le(cost, limit), patience)
                if answer.verdict == "sat":
                    here, paid = answer, number(cost, answer)
                    found(answer)
                    first, end = (first, end) if end <= paid else (low, low)
                elif answer.verdict == "unsat":
                    refuted = limit + 1 if refuted == low else refuted  # what was skipped is not refuted
                    low = limit + 1
                    first, end = max(first, low), max(end, low)
                elif hard == "skip":
                    low, reason = limit + 1, answer.reason
                elif hard == "stop" or answer.reason != GIVEN_UP:
                    return Narrowed(here, paid, low, answer.reason)
                elif hard == "leave":
                    first, end = (limit if first == end or limit < first else first), max(limit + 1, end)
                stride = stride * 2 if answer.verdict == bet else 1
                if answer.verdict != "unknown":
                    break
            else:
                patience *= 1 if hard == "leave" else 2
    except TimeUp:
        reason = TIME_UP
    return Narrowed(here, paid, refuted, reason)


def number(term: Term, answer: Answer) -> int:
    """An Int term's value in a solution; variables that the solution leaves open have their least value."""
    known = {v: numbered(v, answer.values.get(v, v.lo)) for v in variables(term)}
    return substitute(term, known).lo


# ---- the canonical one of several solutions


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
