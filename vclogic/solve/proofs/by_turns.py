"""Unreachable by what each fluent can be at each moment of play: the closure, turn by turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vclogic.clock import check_deadline
from vclogic.model.grounded import Grounded
from vclogic.solve.backends.claims import Claims
from vclogic.solve.backends.session import Effort
from vclogic.solve.proofs.unreachability import contradictory
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.build import all_of, and_, any_of, eq, not_
from vclogic.terms.rewrite import Substitution, substitute
from vclogic.terms.term import Term, variables


def kept_by_each(
    laws: Sequence[Term],
    goal: Term,
    events: Sequence[Grounded],
    start: Mapping[Term, Term],
    effort: Effort,
    cases: Sequence[Mapping[Term, Term]] = ({},),
) -> Claims | None:
    """Check by new plain solvers that laws hold at the start, are kept by each event, and exclude a goal.

    Nothing is said of the fluents that an event leaves alone, so that a question about one event is small.

    Args:
        laws: Bool terms over fluents.
        goal: Bool, over fluents.
        events: The events that change a fluent of the laws.
        start: The constant value of each fluent.
        effort: The resources.
        cases: Values of some fluents, such as the round and whose turn it is; one of them holds wherever the laws do.

    Returns:
        What it has checked; None if that is not so, or the resources do not suffice.
    """
    at_start = Substitution(start)
    if any(at_start(t) is not TRUE for t in laws):
        return None
    one_of = any_of(all_of(eq(f, x) for f, x in case.items()) for case in cases)
    claims = [contradictory([*laws, not_(one_of)], effort, about="it is another moment than those looked at")]
    if None in claims:
        return None
    read = {t: frozenset(variables(t)) for t in laws}
    effects = [{f: new for f, new in g.action.effects if new is not f} for g in events]
    after = [[substitute(t, changes) for t in laws if not changes.keys().isdisjoint(read[t])] for changes in effects]
    # Moment by moment: with the round and the turn put in, most events fold away, and what is left is small.
    for case in cases:
        here = Substitution(case)
        known = [here(t) for t in laws]
        broken = []
        for g, kept in zip(events, after, strict=True):
            check_deadline()
            needs = and_(*(here(r.term) for r in g.needs))
            if needs is not FALSE:
                broken.append(and_(needs, not_(all_of(map(here, kept)))))
        claims.append(contradictory([*known, any_of(broken)], effort, about="an event breaks what holds before it"))
        claims.append(contradictory([*known, here(goal)], effort, about="the goal holds where the laws do"))
        if None in claims:
            return None
    return tuple(claim for claim in claims if claim is not None)
