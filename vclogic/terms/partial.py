"""Values that can be undefined: a pair of terms, the value and when it is defined."""

from __future__ import annotations

from dataclasses import dataclass

from vclogic.terms.atoms import TRUE
from vclogic.terms.build import and_, ge, scale
from vclogic.terms.term import Term


@dataclass(frozen=True)
class Partial:
    """A value and the condition under which it means something.

    Attributes:
        value: The value where `defined` holds; anything elsewhere.
        defined: Bool.
    """

    value: Term
    defined: Term = TRUE

    @property
    def holds(self) -> Term:
        """For a Bool value: defined and true."""
        return and_(self.defined, self.value)


def ratio_at_least(numerator: Term, denominator: Term, k: int, *, defined: Term = TRUE) -> Partial:
    """Whether numerator : denominator is at least k : 1, as a linear comparison.

    Args:
        numerator: Int, not below zero.
        denominator: Int, not below zero.
        k: The ratio.
        defined: When the ratio means something; a game that leaves zero open says so here.
    """
    return Partial(ge(numerator, scale(denominator, k)), defined)
