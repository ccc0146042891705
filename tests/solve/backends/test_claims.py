"""The second opinion: cvc5 on final claims, within its own time, never a judge where it does not decide."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.pace import BUSY, examples
from tests.fixtures.smt_checker import in_state
from tests.terms.specs import meaning, pools, specs, states, term
from vclogic.clock import Deadline
from vclogic.encode.portable import PortableWriter
from vclogic.encode.smt import width_of
from vclogic.solve.backends import claims
from vclogic.solve.backends.claims import Claim, Contradicted, SecondOpinion, confirmation, second_solver
from vclogic.solve.backends.cvc5_worker import verdict
from vclogic.terms.atoms import FALSE, var
from vclogic.terms.build import and_, eq, ge, le, linear, not_
from vclogic.terms.sorts import BOOL, IntSort
from vclogic.terms.term import Op, Term, postorder

X, Y = var("x", IntSort(0, 10**18)), var("y", IntSort(0, 10**18))
P, Q = var("p", BOOL), var("q", BOOL)
NEVER = Claim("never: both", (ge(linear([(3, X), (5, Y)]), 7), le(X, 0), le(Y, 1)))
SOMETIMES = Claim("never: x is large", (ge(linear([(3, X), (5, Y)]), 7), ge(X, 2)))
HOLES = range(14)
PLACED = {(i, h): var(f"in {i} {h}", BOOL) for i in range(15) for h in HOLES}
HARD = Claim(
    "never: fifteen pigeons in fourteen holes",
    (
        *(ge(linear((1, PLACED[i, h]) for h in HOLES), 1) for i in range(15)),
        *(not_(and_(PLACED[i, h], PLACED[j, h])) for h in HOLES for i in range(15) for j in range(i)),
    ),
)


@pytest.fixture(name="opinion")
def _opinion() -> Iterator[SecondOpinion]:
    found = SecondOpinion(BUSY)
    yield found
    found.close()


def test_cvc5_agrees_and_is_named(opinion: SecondOpinion) -> None:
    assert opinion.on((NEVER,), Deadline(BUSY)) == second_solver()
    assert opinion.told == {NEVER: True}
    assert re.fullmatch(r"cvc5 \d+\.\d+\.\d+ agrees", confirmation(second_solver() or ""))


def test_it_is_asked_once_about_a_claim(opinion: SecondOpinion) -> None:
    assert opinion.on((NEVER,), Deadline(BUSY))
    with patch.object(SecondOpinion, "_ask", side_effect=AssertionError):
        assert opinion.on((NEVER,), Deadline(BUSY))


def test_a_contradiction_is_never_an_answer(opinion: SecondOpinion) -> None:
    with pytest.raises(Contradicted, match=r"contradict each other.*\.smt2") as raised:
        opinion.on((NEVER, SOMETIMES), Deadline(BUSY))
    file = Path(str(raised.value).rpartition(" ")[2])
    try:
        assert verdict(file.read_text(), BUSY) == "sat"
    finally:
        file.unlink()


def test_what_it_does_not_decide_in_time_is_not_confirmed() -> None:
    opinion = SecondOpinion(0.05)
    assert opinion.on((HARD,), Deadline(BUSY)) == ""
    assert opinion.on((NEVER, HARD), Deadline(BUSY)) == ""
    assert opinion.spent < BUSY
    opinion.close()


@pytest.mark.parametrize("seconds", [0.0, 5.0])
def test_where_there_is_no_time_or_no_solver_nobody_is_asked(seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    if seconds:
        monkeypatch.setattr(claims, "find_spec", lambda name: None)
    monkeypatch.setattr(SecondOpinion, "_ask", None)
    opinion = SecondOpinion(seconds)
    assert opinion.on((NEVER,), Deadline(BUSY)) == ""
    assert opinion.told == {NEVER: False}


def test_a_worker_that_dies_confirms_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims, "WORKER", "vclogic.solve.backends.none_such")
    opinion = SecondOpinion(BUSY)
    assert opinion.on((NEVER,), Deadline(BUSY)) == ""
    opinion.close()


def test_what_folds_to_false_is_confirmed_by_nobody() -> None:
    opinion = SecondOpinion(BUSY)
    with patch.object(SecondOpinion, "_ask", side_effect=AssertionError):
        assert opinion.on((Claim("never", (P, FALSE)),), Deadline(BUSY)) == ""
    assert "contradict each other" in confirmation("terms")


def test_without_numbers_it_is_a_question_of_booleans() -> None:
    """So that solvers read it that know no whole numbers, such as Bitwuzla."""
    assert Claim("never", (P, Q)).script.startswith("(set-logic QF_BV)\n")
    assert "Int" not in Claim("never", (P, not_(Q))).script
    assert NEVER.script.startswith("(set-logic QF_LIA)\n")
    assert Claim("never", (ge(linear([(2, P), (3, Q)]), 4),)).script.startswith("(set-logic QF_LIA)\n")


# ---- sums


@examples(120)
@given(st.data())
def test_cvc5_says_as_plain_recursion_does(data: st.DataObject) -> None:
    pool = data.draw(pools())
    spec = data.draw(specs(pool, "BI"))
    built = term(spec)
    state = data.draw(st.sampled_from(list(states(pool))[:400]))
    value = meaning(spec, state)
    asked = eq(built, value) if not built.is_bool else (built if value else not_(built))
    assert verdict(Claim("so", (in_state(state), asked)).script, BUSY) == "sat"
    assert verdict(Claim("not so", (in_state(state), not_(asked))).script, BUSY) == "unsat"


@examples(200)
@given(st.data())
def test_the_bits_that_z3_has_are_enough_for_each_sum(data: st.DataObject) -> None:
    """What a comment says of a sum holds in every state, so neither dialect can wrap around."""
    pool = data.draw(pools())
    spec = data.draw(specs(pool, "BI"))
    sums = [t for t in postorder([term(spec)]) if t.op is Op.LIN]
    text = PortableWriter().assertions([ge(t, t.lo + 1) for t in sums if t.lo < t.hi])
    for lo, hi, bits in re.findall(r"; a sum from (-?\d+) to (-?\d+): (\d+) bits", text):
        assert 2 ** int(bits) > int(hi) - int(lo)
    for t in sums:
        reached = [_value(t, state) for state in list(states(pool))[:400]]
        assert t.lo <= min(reached)
        assert max(reached) <= t.hi
        assert 2 ** width_of(t) > max(reached) - t.lo


def _value(t: Term, state: dict[Term, int]) -> int:
    from vclogic.encode.python.codegen import interpret

    return int(interpret([t], {v: i for i, v in enumerate(state)}, list(state.values()))[0])
