"""Backward reachability: what leads to a goal by one event, by two, and so on, until no position does.

No step is unrolled and no state is encoded: what must hold before an event is a term over the fluents that the goal
and the event read. So what bears on a goal is all that is looked at, however large the rule set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice

from vclogic.encode.influence import TooManyToBuild
from vclogic.encode.preimage import Way, before
from vclogic.model.grounded import Grounded
from vclogic.solve import budgets
from vclogic.solve.backends.session import FAST, Effort
from vclogic.solve.problem import Proof, ProofMethod
from vclogic.solve.proofs.unreachability import bearing, by_one_step, contradictory
from vclogic.terms.atoms import var
from vclogic.terms.build import any_of, implies
from vclogic.terms.rewrite import substitute
from vclogic.terms.sorts import BOOL
from vclogic.terms.term import Term, postorder
from vclogic.words import amount

_DEEPEST = 12  # events before the goal
_HEAVY = 20_000  # terms of what must hold before an event, beyond which solvers take long
_MODELS = 30  # positions that are looked at to tell which events lead nearer at all


def backwards(
    goal: Term,
    changing: Callable[[Term], Iterable[Grounded]],
    start: Mapping[Term, Term],
    invariants: Sequence[Term],
    effort: Effort,
) -> Proof | None:
    """Prove that no position from which a goal can be reached is ever there; None if that does not come to an end.

    A position from which it takes k events, and no fewer, leads by one of them to a position from which it takes
    k - 1. If no well-formed position is k events away, none is farther; and the start is at none of the distances
    before. Events that lead nearer from no well-formed position are dropped on the way; a fresh plain solver confirms
    at the end, in one question, that nothing that was dropped can be.

    Args:
        goal: Bool, over fluents.
        changing: The events that may change a fluent of a term; raises `TooManyToBuild` if they are too many.
        start: The constant value of every fluent.
        invariants: The invariants of well-formed positions.
        effort: The resources.

    Raises:
        TimeUp: The time was up.
    """
    layers, dropped = [goal], list[Term]()
    while len(layers) <= _DEEPEST and contradictory([substitute(layers[-1], start)], effort):
        effort.progress(f"looking at what leads to the goal in {amount(len(layers), 'event')}")
        try:
            events = changing(layers[-1])
        except TooManyToBuild:
            return None
        ways = before(layers[-1], events, layers, len(layers))
        if sum(1 for _ in islice(postorder([w.whole for w in ways]), _HEAVY)) == _HEAVY:
            return None
        possible = _possible(ways, invariants, effort)
        if possible is None:
            return None
        dropped += (w.whole if possible else w.risen for w in ways if w.whole not in possible)
        if not possible:
            proof = by_one_step(any_of(dropped), invariants, effort)
            return proof if proof is None or len(layers) == 1 else Proof(ProofMethod.K_INDUCTION, k=len(layers))
        layers.append(any_of(possible))
    return None


def _possible(ways: Sequence[Way], invariants: Sequence[Term], effort: Effort) -> dict[Term, None] | None:
    """What must hold before an event, where positions satisfy it, or where that was not asked; None if it takes long.

    First it is asked whether any event changes sums as it would have to, which is the smaller question by far.
    """
    trying = {w: var(f"way {i}", BOOL) for i, w in enumerate(ways)}
    found: dict[Term, None] = {}
    with effort.session(FAST) as session:
        session.add(*bearing(any_of(w.whole for w in ways), invariants))
        session.add(*(implies(v, w.risen) for w, v in trying.items()))
        for n in range(1 + _MODELS):
            units = budgets.ONE_OF_LEADING if n else budgets.LEADING_AT_ALL
            answer = session.check(any_of(trying.values()), effort=units)
            if answer.verdict == "unsat":
                return found
            if answer.verdict == "unknown":
                return None
            if n == 0:
                session.add(*(implies(v, w.whole) for w, v in trying.items()))
            for w in [w for w, v in trying.items() if n and answer.values.get(v)]:
                found[w.whole] = None
                del trying[w]
    return found | {w.whole: None for w in trying}
