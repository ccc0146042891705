"""A solver's word is checked: a model that is none is not believed, and a deaf engine is replaced."""

from __future__ import annotations

import pytest

from tests.solve.backends.test_session import pigeons
from vclogic.clock import Deadline
from vclogic.solve.backends import session, solvers
from vclogic.solve.backends.certificate import is_model
from vclogic.solve.backends.session import Session
from vclogic.terms.atoms import var
from vclogic.terms.build import ge, le, not_, or_
from vclogic.terms.sorts import BOOL, IntSort

P, Q = var("p", BOOL), var("q", BOOL)
X = var("x", IntSort(0, 2))


def test_a_model_lies_within_bounds_and_makes_everything_true() -> None:
    assert is_model({P: 1, X: 2}, [P, ge(X, 2)])
    assert not is_model({P: 1, X: 3}, [P])
    assert not is_model({P: 0, X: 2}, [P])


def test_an_engine_with_a_wrong_model_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = solvers.Process.handle

    def lying(self: solvers.Process, *args: object) -> list[dict[str, object]]:
        answers = honest(self, *args)  # type: ignore[arg-type]
        for answer in answers:
            if self.engine == "merging" and answer["status"] == "sat":
                answer["model"] = {"p": 0, "q": 0}
        return answers

    monkeypatch.setattr(solvers.Process, "handle", lying)
    with Session(Deadline(20), ("merging",)) as lone:
        lone.add(or_(P, Q))
        answer = lone.check()
        assert (answer.verdict, answer.reason) == ("unknown", "an engine gave a model that is none")
        assert lone.check(not_(P)).verdict == "unknown"
    with Session(Deadline(20), session.FAST) as both:
        both.add(or_(P, Q))
        assert both.check(not_(P)).values[Q] == 1


def test_an_engine_is_usable_after_questions_that_were_given_up() -> None:
    with Session(Deadline(30), ("merging",)) as asked:
        asked.add(or_(P, Q), le(X, 1))
        for _ in range(2):
            assert asked.check(*pigeons(12), seconds=0.5).verdict == "unknown"
        asked.add(not_(Q))
        answer = asked.check(ge(X, 1))
        assert answer.verdict == "sat"
        assert (answer.values[P], answer.values[Q], answer.values[X]) == (1, 0, 1)
        assert asked.check(ge(X, 2)).verdict == "unsat"
