"""Horn clauses, what Spacer answers, and what becomes of answers that are wrong."""

from __future__ import annotations

import time
from unittest.mock import patch

import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.pace import HANGS, examples
from tests.terms.specs import term
from tests.toys.small_systems import SmallSystem, goals, small_systems, wild_systems
from tests.toys.unreachable import (
    PLACES,
    A,
    P,
    Q,
    X,
    Y,
    Z,
    column,
    effort,
    ledger,
    prove,
    says,
    spacer_that,
    walk,
)
from vclogic.solve.proofs.horn_reader import Unreadable, read
from vclogic.solve.proofs.race import Confined, Induction, confine, narrow, spacer
from vclogic.solve.proofs.spacer import Clauses
from vclogic.solve.proofs.unreachability import is_invariant
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.build import (
    add,
    and_,
    eq,
    floordiv,
    ge,
    iff,
    implies,
    is_in,
    ite,
    le,
    linear,
    lt,
    ne,
    not_,
    or_,
    scale,
    sub,
)
from vclogic.terms.term import Term

pytestmark = pytest.mark.usefixtures("nothing_left")


def no_induction() -> object:
    """Induction that finds nothing."""
    return patch.object(Induction, "search", lambda self, beside=None, **limits: "over")


# ---- reading


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("true", TRUE),
        ("(not (:var 0))", not_(P)),
        ("(and (:var 0) (or (not (:var 1)) (:var 0)))", and_(P, or_(not_(Q), P))),
        ("(=> (:var 0) (:var 1))", implies(P, Q)),
        ("(= (:var 0) (:var 1))", iff(P, Q)),
        ("(ite (:var 0) (<= (:var 2) 3) (> (:var 2) (- 1)))", ite(P, le(X, 3), TRUE)),
        ("(let ((a!1 (not (>= (+ (:var 2) (* (- 1) (:var 3))) 1)))) (and a!1 (:var 0)))", and_(lt(sub(X, Y), 1), P)),
        ("(let ((a!1 (:var 2))) (let ((a!1 (:var 3)) (b a!1)) (< a!1 b)))", lt(Y, X)),
        ("(= (* 2 (:var 2)) (- (:var 3) 4 1))", eq(scale(X, 2), sub(Y, 5))),
        ("(= (div (:var 2) 3) (mod (:var 3) 2))", eq(floordiv(X, 3), sub(Y, scale(floordiv(Y, 2), 2)))),
        ("(= (ite (:var 0) (:var 2) 7) 7)", eq(ite(P, X, add(7)), 7)),
        ("(>= (- (:var 2)) (- 4))", le(X, 4)),
        ("(:var 4)", is_in(A, ["north"])),
        ("(= (:var 5) 2)", is_in(A, ["south"])),
        ("(not (<= (:var 5) 1))", is_in(A, ["south", "west"])),
        ("(>= (* (- 1) (:var 5)) (- 1))", is_in(A, ["north", "east"])),
    ],
)
def test_what_is_read(text: str, meant: Term) -> None:
    number = linear((i, eq(A, name)) for i, name in enumerate(PLACES.members))
    assert read(text, [P, Q, X, Y, is_in(A, ["north"]), number]) is meant


@pytest.mark.parametrize(
    "text",
    [
        "",
        ")",
        "(",
        "(and",
        "true true",
        "()",
        "nobody",
        "(:var 5)",
        "(:var -1)",
        "(:var)",
        "(forall ((x Int)) (= x 1))",
        "(* (:var 2) (:var 3))",
        "(div (:var 2) 0)",
        "(div (:var 2) (:var 3))",
        "(mod (:var 2) (- 2))",
        "(+ (:var 2) 1)",
        "(and (:var 2) (:var 0))",
        "(not (:var 0) (:var 1))",
        "(<= (:var 0) 1)",
        "(= (:var 0) 1)",
        "(ite (:var 2) (:var 0) (:var 1))",
        "(<= (to_real (:var 2)) 1.5)",
        "(<= (:var 2) 1.5)",
        "((_ pbge 1 1) (:var 0))",
        "(let ((a (:var 0)) a)",
        "(not " * 100_000,
        "(not " * 20_000 + "true" + ")" * 20_000,
        "(or " + "(:var 0) " * 100_000 + ")",
    ],
)
def test_what_cannot_be_read(text: str) -> None:
    with pytest.raises(Unreadable):
        read(text, [P, Q, X, Y, P])


# ---- the clauses: judged by z3's other fixpoint engines through all states that there are


def verdict(system: Confined) -> str:
    n = narrow(system)
    text = Clauses(n.transition, n.start, n.goal, n.laws).text
    if text is None:
        return "none"
    solver = z3.SolverFor("HORN")
    solver.set("timeout", 2000)
    solver.from_string(text)
    return str(solver.check())


@examples(60)
@given(st.data())
def test_the_clauses_say_what_can_be_reached(data: st.DataObject) -> None:
    small: SmallSystem = data.draw(st.one_of(wild_systems(), small_systems()))
    goal = data.draw(goals(small))
    truth = small.cheapest(goal)
    system = confine(term(goal), small.transition, small.constants, [], effort())
    assert verdict(system) in ("none", "unknown", "sat" if truth is None else "unsat")


def test_steps_of_several_choices_are_one_clause_over_all_of_them() -> None:
    from tests.solve.searches.test_search import n, season
    from vclogic.terms.atoms import integer

    start = {v: integer(0) for v in season().next}
    for goal, expected in ((eq(n, 6), "unsat"), (and_(lt(n, 0), ge(n, -1)), "sat")):
        clauses = Clauses(season(), start, goal, [])
        assert clauses.text is not None
        assert "choice" not in clauses.text
        solver = z3.SolverFor("HORN")
        solver.from_string(clauses.text)
        assert str(solver.check()) == expected


def test_choices_that_exclude_each_other_become_one() -> None:
    n = narrow(ledger())
    text = Clauses(n.transition, n.start, n.goal, n.laws).text
    assert text is not None
    assert "(choice Int)" in text


# ---- proofs


def test_a_sum_that_every_step_keeps() -> None:
    with no_induction():  # type: ignore[attr-defined]
        proof = prove(ledger())
    assert proof is not None
    assert (proof.method, proof.rechecked, proof.k) == ("spacer", True, None)
    assert {"x", "y", "z"} <= {v.name for t in proof.invariant for v in [X, Y, Z] if str(v) in str(t)}
    system = ledger()
    assert is_invariant(proof.invariant, system.goal, system.transition, system.start, effort())


def test_a_relation_of_enum_fluents_in_their_own_words() -> None:
    with no_induction():  # type: ignore[attr-defined]
        proof = prove(walk())
    assert proof is not None
    assert proof.method == "spacer"
    assert "ann in {" in str(proof.invariant)


def test_laws_that_are_not_needed_are_left_out() -> None:
    system = column()
    with no_induction():  # type: ignore[attr-defined]
        proof = prove(system)
    assert proof is not None
    for t in proof.invariant:
        fewer = [u for u in proof.invariant if u is not t]
        assert not is_invariant(fewer, system.goal, system.transition, system.start, effort())


# ---- Spacer fails, or lies

BOGUS = ["{'reach': 'true'}", "{'reach': 'false'}", "{'reach': '(<= (:var 0) 20)'}", "{'reach': '(x y'}", "{}", "3"]
FAILING = [
    "sys.exit(3)",
    "os.kill(os.getpid(), 9)",
    "print('not json at all', flush=True); time.sleep(60)",
    "print('[1, 2]', flush=True); time.sleep(60)",
    "print(json.dumps({'id': n, 'status': 'unknown', 'reason': ''}), flush=True); time.sleep(60)",
    "print(json.dumps({'id': n, 'status': 'unsat'}), flush=True); time.sleep(60)",
]


@pytest.mark.parametrize("does", [*FAILING, *map(says, BOGUS)])
def test_a_lying_spacer_proves_nothing(does: str) -> None:
    with spacer_that(does), no_induction():  # type: ignore[attr-defined]
        began = time.monotonic()
        assert prove(ledger(ge(X, 30)), 4.0) is None  # it can be reached
        assert time.monotonic() - began < HANGS


def test_a_lying_spacer_does_not_keep_induction_from_a_proof() -> None:
    with spacer_that(says("{'reach': 'false'}")):
        proof = prove(column())
    assert proof is not None
    assert proof.method == "k-induction"


def test_what_a_lying_spacer_says_of_what_is_not_so_is_no_proof_either() -> None:
    # It is out of reach, but the claim does not show it.
    with spacer_that(says("{'reach': '(= (:var 0) (:var 1))'}")), no_induction():  # type: ignore[attr-defined]
        assert prove(ledger(), 4.0) is None


def test_a_spacer_that_never_answers_is_killed_in_time() -> None:
    with spacer_that("time.sleep(600)"), no_induction():  # type: ignore[attr-defined]
        began = time.monotonic()
        assert prove(ledger(), 2.0) is None
        assert time.monotonic() - began < HANGS


def test_clauses_that_are_too_long_are_not_sent() -> None:
    with patch("vclogic.solve.proofs.spacer._MOST_TEXT", 10), spacer(ledger()) as prover:
        assert prover.done
        assert prover.laws is None


def test_nothing_to_prove() -> None:
    system = walk(FALSE)
    assert system.start == {}
    proof = prove(system)
    assert proof is not None
    assert prove(walk(TRUE)) is None
    assert prove(walk(ne(A, "north"))) is None
