"""Values that can be undefined, as a pair of terms: the value, and the condition under which it is defined."""

from __future__ import annotations

from dataclasses import dataclass

from vclogic.terms.atoms import TRUE
from vclogic.terms.build import and_
from vclogic.terms.term import Term


@dataclass(frozen=True)
class Partial:
    """A value that may be undefined.

    Attributes:
        value: The value; meaningless where `defined` is false.
        defined: Bool.
    """

    value: Term
    defined: Term = TRUE

    @property
    def holds(self) -> Term:
        """For a Bool value: defined and true."""
        return and_(self.defined, self.value)
