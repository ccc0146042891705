"""Small systems with goals that are out of reach, each for another reason; and workers that do not do their work."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from itertools import pairwise

from tests.fixtures.bad_workers import worker_that
from tests.fixtures.local_z3 import local_sessions
from tests.fixtures.pace import BUSY
from vclogic.clock import Deadline
from vclogic.model.actions import Action, Requirement
from vclogic.model.transition import Transition, one_at_a_time
from vclogic.progress import silent
from vclogic.solve.backends.session import Effort
from vclogic.solve.problem import Proof
from vclogic.solve.proofs.race import Confined, by_all_steps, confine
from vclogic.terms.atoms import FALSE, TRUE, integer, member, var
from vclogic.terms.build import add, and_, eq, ite, lt, ne, or_
from vclogic.terms.sorts import BOOL, EnumSort, IntSort
from vclogic.terms.term import Term

METRIC = "n"
MOST = 400
X, Y, Z = (var(name, IntSort(0, MOST)) for name in "xyz")
PLACES = EnumSort("place", ("north", "east", "south", "west"))
A, B, C = (var(name, PLACES) for name in ("ann", "bob", "cid"))
P, Q = var("p", BOOL), var("q", BOOL)


def effort(seconds: float = 20.0) -> Effort:
    return Effort(Deadline(seconds), silent)


def act(name: str, guard: Term, *effects: tuple[Term, Term]) -> Action:
    return Action(name, (), None, (Requirement(guard, ""),), effects, name, {METRIC: 1})


def system(actions: Iterable[Action], start: dict[Term, Term], goal: Term) -> Confined:
    return confine(goal, one_at_a_time(actions, METRIC), start, [], effort())


def ledger(goal: Term = P) -> Confined:
    """Whatever goes into y or z is counted in x, so the alarm p never goes off: x is always their sum.

    No bound says so, nor do a few hundred steps in a row without an alarm.
    """
    more = lt(X, MOST)
    actions = [
        act("y", more, (X, add(X, 1)), (Y, add(Y, 1))),
        act("z", more, (X, add(X, 1)), (Z, add(Z, 1))),
        act("alarm", ne(X, add(Y, Z)), (P, TRUE)),
    ]
    return system(actions, {X: integer(0), Y: integer(0), Z: integer(0), P: FALSE}, goal)


def walk(goal: Term | None = None) -> Confined:
    """Two who always walk round together, so that one is never east while the other is south."""
    names = PLACES.members
    actions = [
        act(f"from {here}", and_(eq(A, here), eq(B, here)), (A, member(PLACES, there)), (B, member(PLACES, there)))
        for here, there in zip(names, (*names[1:], names[0]), strict=True)
    ]
    north = member(PLACES, "north")
    return system(actions, {A: north, B: north}, and_(eq(A, "east"), eq(B, "south")) if goal is None else goal)


def onward(v: Term) -> Term:
    """The next place after the one of a fluent."""
    names = PLACES.members
    found: Term = member(PLACES, names[0])
    for here, there in pairwise(names):
        found = ite(eq(v, here), member(PLACES, there), found)
    return found


def column(goal: Term | None = None) -> Confined:
    """Three in a row, each going where the one before was: who is last is never where the first one is.

    In one step that is not to be seen, since ann may be anywhere: it takes two. Nobody can stand still.
    """
    step = Transition((), (), {A: B, B: C, C: onward(C)}, integer(1), lambda chosen, values: [])
    start = {v: member(PLACES, place) for v, place in zip((A, B, C), PLACES.members, strict=False)}
    same = or_(*(and_(eq(A, here), eq(C, here)) for here in PLACES.members))
    return confine(same if goal is None else goal, step, start, [], effort())


# ---- proofs, and who stands in for Spacer


def prove(system: Confined, seconds: float = 20 + 10 * BUSY) -> Proof | None:
    """What shows that a goal is out of reach; None if nothing was found in time."""
    with local_sessions(seconds):
        return by_all_steps(system.goal, system.transition, system.start, [], effort(seconds))


def spacer_that(does: str) -> AbstractContextManager[None]:
    """Spacer replaced by a process that runs a line of Python; see `worker_that`."""
    return worker_that(does, lambda engine: engine == "spacer")


def says(functions: str) -> str:
    """A process that claims an invariant at once."""
    answer = f"{{'id': n, 'status': 'sat', 'model': {{}}, 'functions': {functions}}}"
    return f"print(json.dumps({answer}), flush=True); time.sleep(60)"
