"""Induction over several steps: what it proves, that it never proves too much, and what it leaves behind."""

from __future__ import annotations

import os
import signal
import time
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from tests.fixtures.local_z3 import local_sessions
from tests.fixtures.pace import BUSY, HANGS, examples
from tests.fixtures.processes import children
from tests.terms.specs import term
from tests.toys.small_systems import goals, small_systems, wild_systems
from tests.toys.unreachable import (
    A,
    X,
    column,
    effort,
    ledger,
    prove,
    spacer_that,
    walk,
)
from vclogic.model.transition import Transition
from vclogic.solve.backends.session import Beside
from vclogic.solve.problem import Proof
from vclogic.solve.proofs import race
from vclogic.solve.proofs.race import Confined, Finding, Induction, by_all_steps, confine, holds_by_induction
from vclogic.solve.proofs.unreachability import by_closure, by_positions, is_invariant
from vclogic.terms.atoms import FALSE, integer, var
from vclogic.terms.build import add, eq, ge, le, lt
from vclogic.terms.sorts import IntSort
from vclogic.terms.term import Term

MUTE = "time.sleep(600)"  # Spacer says nothing


pytestmark = pytest.mark.usefixtures("nothing_left")


# ---- what it proves


def test_depth_two_or_more_where_one_step_shows_too_little() -> None:
    system = column()
    assert by_positions(system.goal, [], effort()) is None
    assert by_closure(system.goal, system.transition, system.start, [], effort()) is None
    with spacer_that(MUTE):
        proof = prove(system)
    assert proof is not None
    assert (proof.method, proof.rechecked) == ("k-induction", True)
    assert proof.k is not None
    assert proof.k >= 2
    assert not holds_by_induction(system, proof.invariant, proof.k - 1, effort())
    assert holds_by_induction(system, proof.invariant, proof.k, effort())


def test_steps_that_change_nothing_do_not_stand_in_the_way() -> None:
    # In `walk` a step may be no action at all: any number of them could come before the last one.
    with spacer_that(MUTE):
        proof = prove(walk())
    assert proof is not None
    assert proof.method == "k-induction"


def test_what_the_closure_knows_is_used_and_shown() -> None:
    # a counter that never passes 5, so that what needs 9 never happens
    n, m = var("n", IntSort(0, 9)), var("m", IntSort(0, 9))
    step = Transition((), (lt(n, 5),), {n: add(n, 1), m: n}, integer(1), lambda chosen, values: [])
    system = confine(ge(m, 8), step, {n: integer(0), m: integer(0)}, [], effort())
    with spacer_that(MUTE):
        proof = prove(system)
    assert proof is not None
    assert proof.rechecked


def test_an_invariant_that_steps_do_not_keep_is_not_used() -> None:
    small = walk(eq(A, "south"))  # reached in two steps
    wrong = le(add(eq(A, "south"), eq(A, "east")), 0)
    assert wrong not in confine(small.goal, small.transition, small.start, [wrong], effort()).laws
    assert by_all_steps(small.goal, small.transition, small.start, [wrong], effort(5)) is None


def test_numbers_that_leave_their_sort_are_no_ground_for_a_proof() -> None:
    n = var("n", IntSort(0, 3))
    step = Transition((), (), {n: add(n, 1)}, integer(1), lambda chosen, values: [])
    start: dict[Term, Term] = {n: integer(0)}
    assert not is_invariant([], FALSE, step, start, effort())
    assert not is_invariant([le(n, 3)], FALSE, step, start, effort())


def test_dead_ends_hide_nothing() -> None:
    # After the goal no step is possible at all: it must not be missed for want of steps after it.
    n = var("n", IntSort(0, 3))
    step = Transition((), (lt(n, 1),), {n: add(n, 1)}, integer(1), lambda chosen, values: [])
    system = confine(eq(n, 1), step, {n: integer(0)}, [], effort())
    assert not holds_by_induction(system, [], 2, effort())
    assert not holds_by_induction(system, [], 3, effort())
    assert prove(system, 5) is None


# ---- that it never proves too much


@examples(60)
@given(st.data())
def test_a_proof_is_never_given_for_what_can_be_reached(data: st.DataObject) -> None:
    small = data.draw(st.one_of(wild_systems(), small_systems()))
    goal = term(data.draw(goals(small)))
    truth = any(True for s in small.reachable() if holds(goal, small.values(s)))
    with local_sessions(3), patch.object(race, "spacer", lambda system: Nobody()):
        proof = by_all_steps(goal, small.transition, small.constants, [], effort(3))
        closed = by_closure(goal, small.transition, small.constants, [], effort(3))
    event(f"{truth}: {proof.method if proof else None}, k={proof.k if proof else None}")
    assert proof is None or not truth
    assert proof is not None or closed is None or not closed.rechecked


class Nobody:
    """Spacer, if it could not even start."""

    done = True
    laws = None

    def __enter__(self) -> Nobody:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def wait(self, seconds: float) -> None:
        pass


def holds(goal: Term, values: dict[Term, int]) -> bool:
    from vclogic.encode.python.evaluator import interpret

    return bool(interpret(goal, {v: i for i, v in enumerate(values)}, list(values.values())))


@examples(8)
@given(st.data())
def test_nor_with_spacer_beside_it(data: st.DataObject) -> None:
    small = data.draw(wild_systems())
    goal = term(data.draw(goals(small)))
    truth = any(holds(goal, small.values(s)) for s in small.reachable())
    with local_sessions(5):
        proof = by_all_steps(goal, small.transition, small.constants, [], effort(5))
    assert (proof is None) == truth


# ---- failures


def test_induction_that_lies_proves_nothing() -> None:
    def lie(self: Induction, beside: object = None, **limits: float) -> str:
        self.k = 3
        return "proved"

    with spacer_that(MUTE), patch.object(Induction, "search", lie):
        assert prove(ledger(ge(X, 30)), 3) is None


def test_induction_that_lies_does_not_keep_spacer_from_a_proof() -> None:
    def lie(self: Induction, beside: object = None, **limits: float) -> str:
        self.k = 1
        return "proved"

    with patch.object(Induction, "search", lie):
        proof = prove(ledger())
    assert proof is not None
    assert proof.method == "spacer"


def alone(system: Confined, seconds: float) -> Proof | None:
    """With real processes."""
    return by_all_steps(system.goal, system.transition, system.start, [], effort(seconds))


def test_when_the_time_is_up_nothing_is_left() -> None:
    with spacer_that(MUTE):
        began = time.monotonic()
        assert alone(ledger(), 0.7) is None  # too deep for induction in that time
        assert time.monotonic() - began < HANGS


def test_all_processes_are_lost() -> None:
    real = Induction.search

    def bereaved(self: Induction, beside: Beside | None = None, **limits: Any) -> Finding:
        for pid in children():
            os.kill(pid, signal.SIGKILL)
        return real(self, beside, **limits)

    with spacer_that(MUTE), patch.object(Induction, "search", bereaved):
        began = time.monotonic()
        assert alone(ledger(), 4 * BUSY) is None
        assert time.monotonic() - began < HANGS


def test_no_time_at_all() -> None:
    assert alone(ledger(), 0.0) is None
