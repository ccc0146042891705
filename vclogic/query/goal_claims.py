"""Claims about a goal in parts, where terms of the whole goal fold away before a solver sees them."""

from __future__ import annotations

from vclogic.errors import InputError
from vclogic.model.system import System
from vclogic.solve.backends.claims import Claim, Claims
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.build import and_, sub
from vclogic.terms.expressions.parser import comparison, conjuncts
from vclogic.terms.expressions.resolve import compile_goal, compile_value
from vclogic.terms.sorts import IntSort


def claims_in_parts(system: System, text: str, claims: Claims) -> Claims:
    """Claims of which one is false as it stands: that parts of the goal exclude each other, or what it compares.

    Written together such parts fold away before any solver sees them, as do comparisons that bounds decide, and
    another solver is to see them.

    Args:
        text: The goal as the user wrote it.
        claims: The claims; where a solver has seen something, they are left as they are.
    """
    if not text or not claims or not all(c.evident for c in claims):
        return claims
    try:
        told = conjuncts(text, system.vocabulary)
        parts = tuple(compile_goal(part, system.vocabulary).term for part in told)
        if FALSE in parts:
            return _comparison_claims(system, told[parts.index(FALSE)]) or claims
    except InputError:  # words of events, which stand for something else here
        return claims
    alone = and_(*parts) is not FALSE
    return claims if alone else (Claim("never: all parts of the goal hold in a position", parts),)


def _comparison_claims(system: System, text: str) -> Claims:
    """The claim that a comparison of whole numbers which bounds decide never holds; none for anything else."""
    sides = comparison(text, system.vocabulary)
    if sides is None:
        return ()
    left, right = (compile_value(side, system.vocabulary).partial for side in (sides[0], sides[2]))
    if any(p.defined is not TRUE or not isinstance(p.value.sort, IntSort) for p in (left, right)):
        return ()
    above, below = sub(left.value, right.value), sub(right.value, left.value)
    by = {">=": ((above, 0),), ">": ((above, 1),), "<=": ((below, 0),), "<": ((below, 1),)}
    reached = by.get(sides[1], ((above, 0), (below, 0)))
    return (Claim(f"never: {text}", (), reached),)
