"""When two rule sets say different things."""

from __future__ import annotations

from vclogic.encode.product import disagree
from vclogic.terms.atoms import FALSE, TRUE, integer
from vclogic.terms.partial import Partial


def test_what_only_one_of_them_defines_is_a_disagreement() -> None:
    one, two = integer(1), integer(2)
    assert disagree(Partial(one, TRUE), Partial(one, FALSE)) is TRUE
    assert disagree(Partial(one, FALSE), Partial(two, FALSE)) is FALSE
    assert disagree(Partial(one, TRUE), Partial(two, TRUE)) is TRUE
    assert disagree(Partial(one, TRUE), Partial(one, TRUE)) is FALSE
