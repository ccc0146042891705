"""What is no proof: an answer that no solver gave, and what was proved of another start."""

from __future__ import annotations

import pytest

from tests.fixtures.efforts import effort
from vclogic.clock import Deadline
from vclogic.model.transition import unpriced
from vclogic.progress import silent
from vclogic.solve.backends.session import Effort
from vclogic.solve.proofs.invariants import by_invariants
from vclogic.solve.proofs.unreachability import by_one_step, by_positions
from vclogic.terms.atoms import FALSE, TRUE, var
from vclogic.terms.build import and_, count, le, or_
from vclogic.terms.sorts import BOOL

P, Q, R, GOES_ON = (var(n, BOOL) for n in ("P", "Q", "R", "goes on"))
ONE = [le(count([P, Q, R]), 1)]
BOTH = and_(P, Q)
TWO = or_(BOTH, and_(Q, R))


@pytest.mark.parametrize("prove", [by_positions, by_one_step])
def test_without_time_nothing_is_proved(prove: object) -> None:
    assert callable(prove)
    assert prove(TWO, ONE, Effort(Deadline(0.0), silent)) is None


def test_what_was_proved_of_one_start_is_not_believed_of_another() -> None:
    step = unpriced([GOES_ON], [], {P: and_(P, GOES_ON), Q: and_(Q, GOES_ON)})  # what is lost never comes back
    for start in ({P: FALSE, Q: TRUE}, {P: TRUE, Q: FALSE}, {P: FALSE, Q: TRUE}):
        proof = by_invariants(BOTH, step, start, [], effort())
        assert proof is not None
        assert proof.rechecked
