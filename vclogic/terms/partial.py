"""Values that can be undefined: a pair of terms, the value and when it is defined."""

from __future__ import annotations

from dataclasses import dataclass

from vclogic.terms.atoms import TRUE
from vclogic.terms.build import and_
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
