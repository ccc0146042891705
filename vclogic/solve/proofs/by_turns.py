"""Unreachable by what each fluent can be at each moment of play: the closure, turn by turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vclogic.clock import look
from vclogic.model.grounded import Grounded
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
) -> bool:
    """Check by new plain solvers that laws hold at the start, are kept by each event, and exclude a goal.

    Nothing is said of the fluents that an event leaves alone, so that a question about one event is small.

    Args:
        laws: Bool terms over fluents.
        goal: Bool, over fluents.
        events: The events that change a fluent of the laws.
        start: The constant value of each fluent.
        effort: The resources; False if they do not suffice.
        cases: Values of some fluents, such as the round and whose turn it is; one of them holds wherever the laws do.
    """
    at_start = Substitution(start)
    if any(at_start(t) is not TRUE for t in laws):
        return False
    one_of = any_of(all_of(eq(f, x) for f, x in case.items()) for case in cases)
    if not contradictory([*laws, not_(one_of)], effort):
        return False
    read = {t: frozenset(variables(t)) for t in laws}
    effects = [{f: new for f, new in g.action.effects if new is not f} for g in events]
    after = [[substitute(t, changes) for t in laws if not changes.keys().isdisjoint(read[t])] for changes in effects]
    for case in cases:
        here = Substitution(case)
        known = [here(t) for t in laws]
        broken = []
        for g, kept in zip(events, after, strict=True):
            look()
            needs = and_(*(here(r.term) for r in g.needs))
            if needs is not FALSE:
                broken.append(and_(needs, not_(all_of(map(here, kept)))))
        if not contradictory([*known, any_of(broken)], effort) or not contradictory([*known, here(goal)], effort):
            return False
    return True
